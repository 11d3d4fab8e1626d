//! Fewer choices where no part holds them together.
//!
//! Generators that draw in loops of their own, without spans, leave choices side by side of which some may go. Runs of them
//! are removed, long ones first; where that is not possible, together with lowering the number before them that may be
//! their length. Collections and subtrees have passes of their own, and what they draw is left out here, since removing one
//! choice of an element makes no sense of it. Loops with a count have `loops.rs`.
//!
//! A loop that asks each time whether to go on, and recursion by hand, draw runs of any length, but what comes behind a run
//! begins as the run did. Such runs are removed whatever they hold, if the generator has a use for all that is left. What this misses:
//! subtrees that are not the last thing that is drawn.

use super::edit;
use super::search::Search;
use super::structure::{Structure, is_tree};
use crate::sort::last_below;
use std::ops::Range;

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

/// In cases with more choices, not all runs are looked at.
const MAX_CHOICES: usize = 200;
/// The longest run that is removed because what is behind it begins as it did.
const LONGEST: usize = 24;
/// So often the generator is asked.
const MAX_ASKED: u32 = 1000;

/// So far back a run that is to be removed may begin earlier, so that it begins as what comes behind it.
const SNAP: usize = 16;

/// The same for cases with many choices, where not every run can be looked at: long runs first, half of all choices, then shorter ones, each
/// place once for each length.
pub(super) fn long(search: &mut Search<'_>) {
    let mut length = search.items().len() / 2;
    while search.items().len() > MAX_CHOICES && length > 0 {
        let mut end = search.items().len().saturating_sub(1);
        while end >= length && search.may_go_on() {
            let last = end - length;
            let structure = search.structure();
            let same = last_below(SNAP.min(last + 1), &|back| begin_alike(search, &structure, last - back, end));
            let is_removed =
                same.is_some_and(|back| search.consider(edit::replaced(search.items(), last - back..end, &[])));
            end = if is_removed { last.min(search.items().len().saturating_sub(1)) } else { end - length.min(end) };
            if end == 0 {
                break;
            }
        }
        length /= 2;
    }
}

/// Whether two choices are numbers of one kind in the same part.
fn begin_alike(search: &Search<'_>, structure: &Structure, one: usize, other: usize) -> bool {
    search.max(one) == search.max(other)
        && structure.is_number(one)
        && structure.is_number(other)
        && part(structure, one) == part(structure, other)
}

/// Removes runs in front of a choice of the same kind in the same part.
pub(super) fn alike(search: &mut Search<'_>) {
    if search.items().len() > MAX_CHOICES {
        return;
    }
    let mut asked = 0;
    for length in (1..=LONGEST).rev() {
        let mut start = search.items().len();
        while start > 0 && asked < MAX_ASKED {
            start = (start - 1).min(search.items().len());
            let structure = search.structure();
            let next = start + length;
            if next >= search.items().len() || !begin_alike(search, &structure, start, next) {
                continue;
            }
            let candidate = edit::replaced(search.items(), start..next, &[]);
            asked += 1;
            // What draws more than it is given is not shorter.
            let drawn = search.tester.drawn(&edit::candidate(&search.best, candidate.clone()));
            if drawn.items.len() <= candidate.len() {
                search.consider(candidate);
            }
        }
    }
}

/// Where the innermost part around a place is.
fn part(structure: &Structure, place: usize) -> Option<Range<usize>> {
    Some(structure.innermost(place)?.range.clone())
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
