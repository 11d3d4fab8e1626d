//! Removes choices that do not belong to a common part.
//!
//! Generators with loops of their own, without spans, produce sequences of choices of which some can be removed. Runs
//! of them are removed, longest first; if that is not possible, together with lowering the number before them, which
//! may be their length. Collections and subtrees are handled by other passes; their choices are skipped here, since
//! removing a single choice from an element leaves nonsense. Loops with a count have `loops.rs`.
//!
//! A loop that draws a "continue" choice each time, and hand-written recursion, produce runs of any length, but what
//! follows a run starts like the run itself. Such runs are removed whatever they contain, provided that the generator
//! uses all remaining choices. When nothing else helps, a run is removed with a number lowered or raised by what the run
//! drew, as where iterations advance a position or divide an amount, or with a number before it doubled or at its maximum, as where
//! commands combine earlier results; zeros are moved to the front, and runs that begin alike change
//! places, as subtrees without spans should. Not covered: subtrees followed by draws with the same maxima.

use super::edit;
use super::lower::MAX_KIND;
use super::random;
use super::search::Search;
use super::structure::{Structure, is_tree};
use crate::choice::{Choice, Item};
use crate::sort::last_below;
use std::ops::Range;

/// The lengths of the runs.
const LENGTHS: [usize; 4] = [8, 4, 2, 1];
/// A length is searched for among this many numbers before the choices it governs.
const REACH: usize = 8;

/// The most choices that one call copies into candidates: proposing each run of a long case takes time that is quadratic
/// in its length, even if most outcomes are known. After progress a pass runs again.
const MAX_COPIED: usize = 50_000_000;

pub(super) fn runs(search: &mut Search<'_>) {
    let mut copied = 0;
    for &length in &LENGTHS {
        let mut end = search.items().len();
        while end >= length && copied < MAX_COPIED && search.may_go_on() {
            end = end.min(search.items().len());
            let Some(start) = end.checked_sub(length) else { break };
            copied += search.items().len();
            if !loose(&search.structure(), start, end) || !remove(search, start, end) {
                end -= 1;
            }
        }
    }
}

/// In cases with more choices, not all runs are looked at.
const MAX_CHOICES: usize = 200;
/// The maximum length of a run that is removed because the choices after it start in the same way.
const LONGEST: usize = 24;
/// The maximum number of generator runs.
const MAX_ASKED: u32 = 1000;
/// The cost of realigning a candidate, in runs: there are seldom more differences.
const REALIGNED: u32 = 4;

/// The number of choices by which the removed run may start earlier, so that its first choice is of the same kind as
/// the one after the run.
const SNAP: usize = 16;

/// The same for cases with many choices, where not every run can be tried: long runs first, starting with half of all
/// choices, then shorter ones, each position once per length.
pub(super) fn long(search: &mut Search<'_>) {
    let mut length = search.items().len() / 2;
    let mut copied = 0;
    while search.items().len() > MAX_CHOICES && length > 0 {
        let mut end = search.items().len().saturating_sub(1);
        while end >= length && copied < MAX_COPIED && search.may_go_on() {
            copied += search.items().len();
            let last = end - length;
            let structure = search.structure();
            let same = last_below(SNAP.min(last + 1), &|back| start_alike(search, &structure, last - back, end));
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
fn start_alike(search: &Search<'_>, structure: &Structure, one: usize, other: usize) -> bool {
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
            if next >= search.items().len() || !start_alike(search, &structure, start, next) {
                continue;
            }
            let candidate = edit::replaced(search.items(), start..next, &[]);
            asked += 1;
            // A candidate that draws more than it has is not shorter.
            let drawn = search.tester.drawn(&edit::candidate(&search.best, candidate.clone()));
            if drawn.items.len() <= candidate.len() && search.consider(candidate.clone()) {
                continue;
            }
            let diverges = |at: usize| edit::max(&drawn.items[at]) != edit::max(&candidate[at]);
            if (0..candidate.len().min(drawn.items.len())).any(diverges) {
                asked += REALIGNED;
                search.consider_realigned(&candidate);
            }
        }
    }
}

/// The numbers before a run that are raised.
const MAX_RAISED: usize = 4;
/// The longest run that is traded, and the most candidates.
const MAX_TRADED: usize = 8;
const MAX_TRADES: u32 = 200;

/// Removes a run in front of a choice of the same kind, and raises a number before it by one: what an iteration counts
/// up may be present at the start.
pub(super) fn traded(search: &mut Search<'_>) {
    if search.items().len() > MAX_CHOICES {
        return;
    }
    let mut tried = 0;
    for length in 1..=MAX_TRADED {
        let mut start = search.items().len();
        while start > 0 && tried < MAX_TRADES {
            start = (start - 1).min(search.items().len());
            let structure = search.structure();
            let next = start + length;
            if next >= search.items().len() || !start_alike(search, &structure, start, next) {
                continue;
            }
            let removed = edit::replaced(search.items(), start..next, &[]);
            for &place in structure.numbers_in(&(0..start)).iter().rev().take(MAX_RAISED) {
                let raised = search.value(place).saturating_add(1);
                tried += 1;
                if search.max(place) > MAX_KIND && search.consider_some(edit::with_values(&removed, &[(place, raised)]))
                {
                    break;
                }
            }
        }
    }
}

/// The most evaluations where a number is raised by more, and how many numbers after the run are lowered.
const MAX_RAISES: u64 = 200;
const MAX_LOWERED: usize = 6;

/// Removes an iteration, or a run in front of a choice of the same kind, and doubles a number before it or sets it to its
/// maximum: what an iteration adds up may be present at the start. A number after it may refer to one result fewer.
pub(super) fn traded_for_more(search: &mut Search<'_>) {
    let (structure, end) = (search.structure(), search.spent_after(MAX_RAISES));
    if search.items().len() > MAX_CHOICES || search.items().iter().any(edit::is_fork) {
        return;
    }
    let mut removals: Vec<(usize, Vec<Item>)> = Vec::new();
    for list in random::lists(search) {
        for (at, element) in list.elements.iter().enumerate() {
            let removed = list.without(search.items(), &mut |gone| gone == at);
            removals.extend(removed.map(|removed| (element.start, removed)));
        }
    }
    for length in 1..=MAX_TRADED {
        for start in (1..search.items().len().saturating_sub(length)).rev() {
            if start_alike(search, &structure, start, start + length) {
                removals.push((start, edit::replaced(search.items(), start..start + length, &[])));
            }
        }
    }
    for (start, removed) in removals {
        let before = structure.numbers_in(&(0..start)).iter().rev().filter(|&&place| search.max(place) > MAX_KIND);
        let places: Vec<usize> = before.take(MAX_RAISED).copied().collect();
        for place in places {
            let (value, max) = (edit::value(&removed[place]), edit::max(&removed[place]));
            for more in [value.saturating_mul(2), max] {
                if more <= value || more > max {
                    continue;
                }
                let mut raised = removed.clone();
                edit::set(&mut raised[place], more);
                if search.spent() >= end || search.consider(raised.clone()) {
                    return;
                }
                for after in (start..raised.len()).filter(|&after| edit::value(&raised[after]) > 0).take(MAX_LOWERED) {
                    let lower = edit::value(&raised[after]) - 1;
                    let lowered = edit::with_values(&raised, &[(after, lower)]);
                    if search.spent() >= end || search.consider_some(lowered) {
                        return;
                    }
                }
            }
        }
    }
}

/// The longest run whose amount goes to another number, how many numbers on either side are tried, and the most evaluations.
const MAX_MOVED: usize = 3;
const NEAREST: usize = 3;
const MAX_AMOUNTS: u64 = 200;

/// Removes a run, and lowers or raises a number near it by what the run's first choice stands for.
pub(super) fn amounts(search: &mut Search<'_>) {
    let end = search.spent_after(MAX_AMOUNTS);
    for length in 1..=MAX_MOVED {
        for start in (0..search.items().len().saturating_sub(length - 1)).rev() {
            let structure = search.structure();
            if !loose(&structure, start, start + length) {
                continue;
            }
            let removed = edit::replaced(search.items(), start..start + length, &[]);
            let drawn = search.value(start);
            let before = structure.numbers_in(&(0..start)).iter().rev().take(NEAREST).copied();
            let after = structure.numbers_in(&(start + length..search.items().len())).iter().take(NEAREST);
            let places: Vec<usize> = before.chain(after.map(|place| place - length)).collect();
            for place in places {
                let value = edit::value(&removed[place]);
                // A range may begin at 0 or at 1.
                for amount in [drawn, drawn.saturating_add(1)] {
                    for new in [value.checked_sub(amount), value.checked_add(amount)].into_iter().flatten() {
                        let mut items = removed.clone();
                        edit::set(&mut items[place], new);
                        if search.spent() >= end || search.consider(items) {
                            return;
                        }
                    }
                }
            }
        }
    }
}

/// The most zeros that are moved, and the most evaluations.
const MAX_ZEROS: usize = 4;
const MAX_MOVES: u64 = 200;

/// Moves zeros from behind a choice to the place before it.
pub(super) fn zeros_first(search: &mut Search<'_>) {
    let (structure, end) = (search.structure(), search.spent_after(MAX_MOVES));
    let items = search.items().to_vec();
    for place in (0..items.len()).filter(|&place| edit::value(&items[place]) > 0 && loose(&structure, place, place + 1))
    {
        let zero = Item::Choice(Choice { value: 0, max: edit::max(&items[place]) });
        for count in 1..=MAX_ZEROS {
            for after in place + 1..(items.len() + 1).saturating_sub(count) {
                let moved = after..after + count;
                let ends = items.get(moved.end).is_none_or(|next| edit::value(next) > 0);
                if !ends || items[moved.clone()].iter().any(|item| edit::value(item) > 0) {
                    continue;
                }
                let zeros = vec![zero; count];
                let candidate = edit::changed(&items, &[(place..place, &zeros), (moved, &[])]);
                if search.spent() >= end || search.consider(candidate) {
                    return;
                }
            }
        }
    }
}

/// The most choices of a case in which runs change places, and the most generator runs.
const MAX_SWAPPED: usize = 40;
const MAX_SWAPS: u32 = 300;

/// Swaps two adjacent runs that begin alike, if the generator draws the same of each in the other's place.
pub(super) fn swapped(search: &mut Search<'_>) {
    let (structure, count) = (search.structure(), search.items().len());
    if count > MAX_SWAPPED || search.items().iter().any(edit::is_fork) {
        return;
    }
    let mut asked = 0;
    for start in 0..count {
        for middle in start + 1..count {
            // The second run comes first in the candidate, which is simpler only if its first choices are.
            if !start_alike(search, &structure, start, middle) {
                continue;
            }
            for end in middle + 1..=count {
                let items = search.items();
                let both = [&items[middle..end], &items[start..middle]].concat();
                let candidate = edit::replaced(items, start..end, &both);
                if !edit::simpler(&candidate, items) {
                    continue;
                }
                asked += 1;
                let drawn = search.tester.drawn(&edit::candidate(&search.best, candidate.clone()));
                let fits = |at: usize| drawn.items.get(at).map(edit::max) == Some(edit::max(&candidate[at]));
                if asked > MAX_SWAPS || (0..count).all(fits) && drawn.items.len() == count && search.consider(candidate)
                {
                    return;
                }
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
    // A length is at most the number of choices after it.
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

/// Whether these choices are adjacent, directly inside one part that is not an element, and do not make up all of it.
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
