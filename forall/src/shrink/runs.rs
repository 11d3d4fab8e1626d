//! Fewer choices where no part holds them together.
//!
//! Generators that draw in loops of their own, without spans, leave choices side by side of which some may go. Runs of them
//! are removed, long ones first; where that is not possible, together with lowering the number before them that may be
//! their length. Collections and subtrees have passes of their own, and what they draw is left out here, since removing one
//! choice of an element makes no sense of it. What this misses: loops that draw many choices in each round.

use super::edit;
use super::search::Search;
use super::structure::{Structure, is_tree};
use crate::sort::last_below;

/// The lengths of the runs.
const LENGTHS: [usize; 4] = [8, 4, 2, 1];
/// A length is looked for among so many numbers before what it governs.
const REACH: usize = 8;

pub(super) fn runs(search: &mut Search<'_>) {
    for &length in &LENGTHS {
        let mut end = search.items().len();
        while end >= length && search.may_go_on() {
            end = end.min(search.items().len());
            let Some(start) = end.checked_sub(length) else { break };
            if !loose(&search.structure(), start, end) || !remove(search, start, end) {
                end -= 1;
            }
        }
    }
}

fn remove(search: &mut Search<'_>, start: usize, end: usize) -> bool {
    let removed = edit::replaced(search.items(), start..end, &[]);
    if search.consider(removed.clone()) {
        return true;
    }
    // A length is no larger than what comes after it.
    let length = (end - start) as u64;
    let plausible = length..=search.items().len() as u64;
    let governs = |place: usize| plausible.contains(&edit::value(&removed[place]));
    let near = start.saturating_sub(REACH);
    let Some(place) = last_below(start - near, &|at| governs(near + at)).map(|at| near + at) else { return false };
    if !search.structure().is_number(place) {
        return false;
    }
    let lowered = edit::with_values(&removed, &[(place, edit::value(&removed[place]) - length)]);
    search.consider_some(lowered)
}

/// Whether these choices stand together directly inside one part that is no element, and are not all of it.
fn loose(structure: &Structure, start: usize, end: usize) -> bool {
    let part = structure.innermost(start);
    for place in start..end {
        let other = structure.innermost(place);
        if !structure.is_number(place)
            || matches!(part, Some(part) if other.is_none_or(|other| other.range != part.range))
        {
            return false;
        }
    }
    let Some(part) = part else { return true };
    (part.label >> 31 == 1 || is_tree(part)) && part.range.end >= end && part.range.len() > end - start
}
