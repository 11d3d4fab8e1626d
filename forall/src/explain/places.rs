//! Where in the text of a variable its open parts are.
//!
//! A part is marked only where it can be told from its neighbours: if a choice that matters shows in the same place of the
//! text, that place is not open.

use super::part::Part;
use super::tree::{Mark, Tree};
use super::vary::{Kind, Vary};
use super::{Any, Claim, Open};

/// What can be said of the parts of a variable: where they are in its text, if that can be told.
pub(super) fn located(
    vary: &Vary<'_>,
    variable: usize,
    parts: &[&Part],
    told: bool,
    together: Option<u64>,
) -> Vec<Claim> {
    let text = vary.texts[variable].as_ref().filter(|_| told);
    let (mut marks, mut marked, mut elsewhere) = (Vec::new(), Vec::new(), Vec::new());
    for part in parts.iter().filter(|part| part.open) {
        match text.and_then(|text| places(text, part, parts)) {
            Some(places) => {
                marks.extend_from_slice(&places);
                marked.push(part.runs);
            }
            // What such a part is made of was guessed by its place.
            None if part.kind == Kind::Loose => {}
            None => elsewhere.push(part.runs),
        }
    }
    let mut claims = Vec::new();
    let mut claim = |open: Open, runs: &[u64]| {
        let Some(&fewest) = runs.iter().min() else { return };
        let runs = together.filter(|&together| together > 0 && runs.len() > 1).unwrap_or(fewest);
        claims.push(Claim::Any(Any { variable, open, together: together.is_some(), runs, every: false }));
    };
    if let Some(text) = text {
        claim(Open::Pattern(text.pattern(&marks)), &marked);
    }
    claim(Open::Parts, &elsewhere);
    claims
}

/// Where an open part is in the text of its variable; nothing if something that matters shows in the same place.
fn places(text: &Tree, part: &Part, all: &[&Part]) -> Option<Vec<(usize, Mark)>> {
    let around = text.around(&part.changed)?;
    if part.is_addition() {
        return Some(vec![(around, Mark::More)]);
    }
    // Elements that are varied together have a place each.
    let nodes = if part.ranges.len() > 1 { text.items_with(around, &part.changed) } else { vec![around] };
    for other in all {
        // Larger parts need not be asked: all their choices are parts, too.
        let matters = !other.open && (matches!(other.kind, Kind::Number | Kind::Loose) || other.is_addition());
        for &node in nodes.iter().filter(|_| matters) {
            if other.changed.iter().any(|&changed| text.is_inside(changed, node)) {
                return None;
            }
        }
    }
    let mut places = Vec::new();
    for node in nodes {
        places.push((node, Mark::Replace("_")));
    }
    Some(places)
}
