//! Where in the text of a variable its open parts are.
//!
//! A part is marked only where it can be told from its neighbours: if a choice that matters shows in the same place of the
//! text, that place is not open.

use super::part::{FEWEST, Part};
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
    let (mut marked, mut elsewhere) = (Evidence::default(), Evidence::default());
    for part in parts {
        if part.variable != variable || !part.open {
            continue;
        }
        let before = marks.len();
        if let Some(text) = text {
            mark(text, part, parts, &mut marks);
        }
        if marks.len() > before {
            marked.add(part);
        } else if part.kind != Kind::Loose && !part.is_addition() {
            // Of a loose part it was guessed what it is made of, so without a place there is nothing to say of it.
            elsewhere.add(part);
        }
    }
    if let Some(text) = text
        && marked.parts > 0
    {
        claims.push(marked.claim(variable, Open::Pattern(text.pattern(&marks)), together));
    }
    // That a few values of something do not matter helps nobody who is not told what it is.
    if elsewhere.some > 0 {
        claims.push(elsewhere.claim(variable, Open::Parts, together));
    }
}

/// What a claim of several parts rests on.
#[derive(Default)]
struct Evidence {
    parts: usize,
    /// How many of the parts have other values than those that were tried, and the fewest runs for one of them.
    some: usize,
    fewest: u64,
    /// The fewest runs for one of which every value was tried.
    fewest_of_all: u64,
}

impl Evidence {
    fn add(&mut self, part: &Part) {
        self.parts += 1;
        let fewest = if part.every { &mut self.fewest_of_all } else { &mut self.fewest };
        *fewest = if *fewest == 0 { part.runs } else { part.runs.min(*fewest) };
        self.some += usize::from(!part.every);
    }

    fn claim(&self, variable: usize, open: Open, together: Option<u64>) -> Claim {
        // Of several parts, every combination was run if they are few.
        let every = self.some == 0 && (self.parts == 1 || together.is_none_or(|runs| runs < FEWEST));
        let runs = match together {
            Some(together) if together > 0 && self.parts > 1 => together,
            _ if self.some == 0 => self.fewest_of_all,
            _ => self.fewest,
        };
        Claim::Any(Any { variable, open, together: together.is_some(), runs, every, up_to_depth: None })
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
