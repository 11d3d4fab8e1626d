//! Where in the text of a variable its open parts are.
//!
//! A part is marked only if it can be distinguished from its neighbours: if a choice that matters shows up in the same
//! place of the text, that place is not open. Nothing is said about a part that cannot be marked: a claim that
//! something can be anything is useless without saying what.

use super::joint::Joint;
use super::part::Part;
use super::tree::{Mark, Tree};
use super::vary::Kind;
use super::{Any, Claim, Open};

/// The claim about the open parts of a variable, if any.
pub(super) fn claim(text: &Tree, variable: usize, parts: &[Part], joint: &Joint) -> Option<Claim> {
    let mut marks = Vec::new();
    // The smallest number of runs of any part, separately for parts with untried values and for those without.
    let (mut some, mut every) = (u64::MAX, u64::MAX);
    for part in parts {
        if part.variable != variable || !part.open {
            continue;
        }
        let before = marks.len();
        mark(text, part, parts, &mut marks);
        if marks.len() > before {
            let fewest = if part.every { &mut every } else { &mut some };
            *fewest = part.runs.min(*fewest);
        }
    }
    if !joint.together {
        keep_one_at_a_time(&mut marks);
    }
    if marks.is_empty() {
        return None;
    }
    let has_others = some < u64::MAX;
    let (runs, every) = joint.evidence(if has_others { some } else { every }, !has_others);
    let open = Open::Pattern(text.pattern(&marks));
    Some(Claim::Any(Any { variable, open, together: joint.together, runs, every, up_to_depth: None }))
}

/// Keeps only marks that hold one at a time: either places that can be anything, or a single mark of another kind. A place that shows
/// several parts, such as the digits of a string, cannot be anything because each of them can.
fn keep_one_at_a_time(marks: &mut Vec<(usize, Mark)>) {
    let (mut kept, all) = (Vec::new(), marks.clone());
    marks.retain(|(node, mark)| *mark != Mark::Any || all.iter().filter(|(other, _)| other == node).count() == 1);
    for (node, mark) in &mut *marks {
        if *mark == Mark::Any {
            kept.push((*node, Mark::Any));
        } else if let Mark::Text { more, .. } = mark {
            *more = false;
        }
    }
    if kept.is_empty() {
        marks.truncate(1);
    } else {
        *marks = kept;
    }
}

/// Marks the places of an open part in the text of its variable; none if something that matters also shows there.
fn mark(text: &Tree, part: &Part, all: &[Part], marks: &mut Vec<(usize, Mark)>) {
    let Some(around) = text.around(&part.changed) else { return };
    if part.is_addition() {
        if text.may_have_more(&part.changed) {
            marks.push((around, Mark::More));
        }
        return;
    }
    // Elements that are varied together each have their own place.
    let nodes = if part.ranges.len() > 1 { text.items_with(around, &part.changed) } else { vec![around] };
    let mut place = Mark::Any;
    for other in all {
        // Larger parts need not be checked: their choices are parts as well.
        let matters = matches!(other.kind, Kind::Number | Kind::Loose) && !other.open || other.is_addition();
        if other.variable != part.variable || !matters {
            continue;
        }
        // The length of a text shows in the same place as its characters.
        if other.is_addition() && other.changed.contains(&around) && text.is_text(around) {
            // A text may consist of elements that are not characters: words, numbers.
            if other.elements != part.ranges.len() || other.elements != text.characters(around) {
                return;
            }
            place = Mark::Text { characters: other.elements, more: other.open };
            continue;
        }
        // A collection that can have any number of additional elements may still need the existing ones.
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
    // Parts are examined only if the whole is not open: some value of it passed.
    if place == Mark::Any && nodes.contains(&0) {
        return;
    }
    for &node in &nodes {
        marks.push((node, place.clone()));
    }
}
