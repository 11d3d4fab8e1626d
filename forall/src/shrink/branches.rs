//! A simpler alternative, with as much of the rest as fits.
//!
//! A small choice is often which of several alternatives comes next. Lowering it alone leaves the choices of the old
//! alternative to the new one, which may not need them, or at least not the first of them. So together with lowering
//! the choice, some of the choices after it in the same part are removed, or all of them are set to 0. When a map
//! becomes a list, its key is left over, right after the "has another element" choice. A later alternative that draws
//! less is simpler as well. Late draws are stored in forks: a function that distinguishes cases becomes one that does
//! not, with the fork of one of its cases. When nothing else helps, a simpler alternative gets a larger value among its first two
//! choices: this missed `Err("")` in the place of `Ok(1)`. Not covered: alternatives that need several other values, and
//! maps of several elements that become lists.

use super::edit;
use super::realign::{MAX_ITEMS, Repair, realigned};
use super::search::Search;
use crate::choice::Item;

/// Choices with no more values than this may be alternatives.
const MAX_ALTERNATIVE: u64 = 15;
/// The largest number of the following choices that are removed.
const MAX_REMOVED: usize = 3;
/// After at most this many kept choices: the maximum length of the collection, and that it has an element.
const MAX_KEPT: usize = 2;

pub(super) fn branches(search: &mut Search<'_>) {
    let mut at = 0;
    while let Some(&place) = search.structure().numbers.get(at) {
        at += 1;
        let value = search.value(place);
        if search.max(place) > MAX_ALTERNATIVE {
            continue;
        }
        for lower in 0..value {
            if with_rest(search, place, lower) {
                break;
            }
        }
    }
}

/// The largest number of later alternatives: the generator runs for each.
const MAX_LATER: usize = 100;

/// A later alternative that draws less.
pub(super) fn shorter(search: &mut Search<'_>) {
    if search.items().len() > MAX_ITEMS {
        return;
    }
    let (mut at, mut tried) = (0, 0);
    while let Some(&place) = search.structure().numbers.get(at) {
        at += 1;
        if search.max(place) > MAX_ALTERNATIVE {
            continue;
        }
        for later in search.value(place) + 1..=search.max(place) {
            search.stop_at_the_limits();
            tried += 1;
            if tried > MAX_LATER {
                return;
            }
            let raised = edit::with_values(search.items(), &[(place, later)]);
            let candidate = raised.and_then(|items| realigned(search, items, Repair::Cut));
            if search.consider_some(candidate) || with_number_moved(search, place, later) {
                break;
            }
        }
    }
}

/// The number of earlier numbers that may take over the value of one that the new alternative does not draw.
const MAX_MOVED: usize = 4;

/// A later alternative that does not draw the number after it, with that number replacing a smaller one before it:
/// `[Push(0), Push(11), Add]` becomes `[Push(11), Dup, Add]`.
fn with_number_moved(search: &mut Search<'_>, place: usize, later: u64) -> bool {
    let Some(&Item::Choice(number)) = search.items().get(place + 1) else { return false };
    if number.value == 0 || number.max <= MAX_ALTERNATIVE {
        return false;
    }
    let structure = search.structure();
    let before = structure.numbers_in(&(0..place));
    let smaller = |at: usize| search.max(at) == number.max && search.value(at) < number.value;
    let places: Vec<_> = before.iter().rev().copied().filter(|at| smaller(*at)).take(MAX_MOVED).collect();
    for at in places {
        let raised = edit::with_values(search.items(), &[(at, number.value), (place, later)]);
        if search.consider_some(raised.map(|items| edit::replaced(&items, place + 1..place + 2, &[]))) {
            return true;
        }
    }
    false
}

/// A lower choice, with the fork after it replaced by one nested in it.
pub(super) fn forks(search: &mut Search<'_>) {
    let mut at = 0;
    while let Some(&place) = search.structure().numbers.get(at) {
        at += 1;
        let Some(Item::Fork { len }) = search.items().get(place + 1).copied() else { continue };
        if search.value(place) == 0 || search.max(place) > MAX_ALTERNATIVE {
            continue;
        }
        let fork = place + 1..place + 2 + len as usize;
        for inner in fork.start + 1..fork.end {
            let Some(Item::Fork { len }) = search.items().get(inner).copied() else { continue };
            let Some(lowered) = edit::with_values(search.items(), &[(place, 0)]) else { continue };
            let lifted = lowered[inner..inner + 1 + len as usize].to_vec();
            if search.consider(edit::replaced(&lowered, fork.clone(), &lifted)) {
                break;
            }
        }
    }
}

/// The most evaluations for alternatives with other contents, and how many choices after an alternative are changed.
const MAX_OTHERS: u64 = 100;
const MAX_AFTER: usize = 2;

/// A lower choice, with a larger value soon after it: the simplest contents of the simpler alternative may not fail.
pub(super) fn others(search: &mut Search<'_>) {
    let (structure, end) = (search.structure(), search.spent_after(MAX_OTHERS));
    for &place in &structure.numbers {
        let most = if search.max(place) <= MAX_ALTERNATIVE { search.value(place) } else { 0 };
        for lower in 0..most {
            for after in place + 1..(place + 1 + MAX_AFTER).min(search.items().len()) {
                let mut items = search.items().to_vec();
                edit::set(&mut items[place], lower);
                let raised = edit::value(&items[after]).saturating_add(1);
                edit::set(&mut items[after], raised);
                if search.spent() >= end || search.consider(items) {
                    return;
                }
            }
        }
    }
}

/// Tries the lower choice with the remaining choices of the part after it.
fn with_rest(search: &mut Search<'_>, place: usize, lower: u64) -> bool {
    let structure = search.structure();
    let end = if let Some(part) = structure.innermost(place) { part.range.end } else { search.items().len() };
    let rest = place + 1..end;
    if rest.is_empty() {
        return false;
    }
    let Some(lowered) = edit::with_values(search.items(), &[(place, lower)]) else { return false };
    for count in 1..=rest.len().min(MAX_REMOVED + 1) {
        let count = if count > MAX_REMOVED { rest.len() } else { count };
        let items = edit::replaced(&lowered, rest.start..rest.start + count, &[]);
        if search.consider(items) {
            return true;
        }
    }
    for kept in 1..=MAX_KEPT {
        for count in 1..=MAX_REMOVED {
            let removed = rest.start + kept..rest.start + kept + count;
            if removed.end <= rest.end && search.consider(edit::replaced(&lowered, removed, &[])) {
                return true;
            }
        }
    }
    let mut zeros = Vec::new();
    for &place in structure.numbers_in(&rest) {
        zeros.push((place, 0));
    }
    search.consider_some(edit::with_values(&lowered, &zeros))
}
