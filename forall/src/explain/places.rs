//! Where in the text of a variable its open parts are.
//!
//! A part is marked only where it can be told from its neighbours: if a choice that matters shows in the same place of the
//! text, that place is not open.

use super::part::Part;
use super::tree::{Mark, Tree};
use super::vary::{Kind, Vary};
use super::{Any, Claim, Open};

/// Claims what can be said of the parts of a variable: where they are in its text, if that can be told.
pub(super) fn locate(
    vary: &Vary<'_>,
    variable: usize,
    parts: &[Part],
    told: bool,
    together: Option<u64>,
    claims: &mut Vec<Claim>,
) {
    let text = vary.texts[variable].as_ref().filter(|_| told);
    let mut marks = Vec::new();
    // How many parts are marked, and how many are not, and the fewest runs for one of them.
    let (mut marked, mut elsewhere) = ((0, u64::MAX), (0, u64::MAX));
    for part in parts {
        if part.variable != variable || !part.open {
            continue;
        }
        let before = marks.len();
        if let Some(text) = text {
            mark(text, part, parts, &mut marks);
        }
        if marks.len() > before {
            marked = (marked.0 + 1, marked.1.min(part.runs));
        } else if part.kind != Kind::Loose && !part.is_addition() {
            // Of a loose part it was guessed what it is made of, so without a place there is nothing to say of it.
            elsewhere = (elsewhere.0 + 1, elsewhere.1.min(part.runs));
        }
    }
    let runs = |(parts, fewest): (usize, u64)| match together {
        Some(together) if together > 0 && parts > 1 => together,
        _ => fewest,
    };
    let together = together.is_some();
    if let Some(text) = text
        && marked.0 > 0
    {
        let open = Open::Pattern(text.pattern(&marks));
        claims.push(Claim::Any(Any { variable, open, together, runs: runs(marked), every: false }));
    }
    if elsewhere.0 > 0 {
        claims.push(Claim::Any(Any { variable, open: Open::Parts, together, runs: runs(elsewhere), every: false }));
    }
}

/// Marks the places of an open part in the text of its variable; none if something that matters shows there too.
fn mark(text: &Tree, part: &Part, all: &[Part], marks: &mut Vec<(usize, Mark)>) {
    let Some(around) = text.around(&part.changed) else { return };
    if part.is_addition() {
        if text.may_have_more(&part.changed) {
            marks.push((around, Mark::More));
        }
        return;
    }
    // Elements that are varied together have a place each.
    let nodes = if part.ranges.len() > 1 { text.items_with(around, &part.changed) } else { vec![around] };
    let mut place = Mark::Any;
    for other in all {
        // Larger parts need not be asked: all their choices are parts, too.
        let matters = matches!(other.kind, Kind::Number | Kind::Loose) && !other.open || other.is_addition();
        if other.variable != part.variable || !matters {
            continue;
        }
        // The length of a text shows where its characters do.
        if other.is_addition() && other.changed.contains(&around) && text.is_text(around) {
            if other.elements != part.ranges.len() {
                return;
            }
            place = Mark::Text { characters: other.elements, more: other.open };
            continue;
        }
        // A collection with any number of more elements may still need those that it has.
        if other.open && !other.is_addition() {
            continue;
        }
        for &node in &nodes {
            for &changed in &other.changed {
                if text.is_inside(changed, node) {
                    return;
                }
            }
        }
    }
    for node in nodes {
        marks.push((node, place.clone()));
    }
}
