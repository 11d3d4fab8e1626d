//! A simpler alternative, and of the rest what fits.
//!
//! A small choice is often which of several alternatives comes next. Lowering it alone leaves the choices of the old
//! alternative to the new one, which may have no use for them, or not for the first ones. So with the lower choice some of
//! what follows it inside its part is removed, or all of it set to 0. Where a map becomes a list, it is the key that nobody
//! has a use for: it comes behind the choice that there is an element. A later alternative that draws less is simpler, too. What is
//! drawn late stands in forks: a function that tells cases apart becomes one that does not, with the fork of one of its cases. What this
//! misses: alternatives that need other values than those that were there, and maps of several elements that become lists.

use super::edit;
use super::loops::{MAX_ITEMS, realigned};
use super::search::Search;
use crate::choice::Item;

/// Choices with no more values than this may be alternatives.
const MAX_ALTERNATIVE: u64 = 15;
/// So many of the following choices are removed at most.
const MAX_REMOVED: usize = 3;
/// Behind so many at most: how large the collection may be, and that it has an element.
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

/// So many later alternatives are tried: the generator runs for each.
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
            let candidate = raised.and_then(|items| realigned(search, items));
            if search.consider_some(candidate) || with_number_moved(search, place, later) {
                break;
            }
        }
    }
}

/// So many of the last numbers before an alternative are tried in place of the one that it has no use for.
const MAX_MOVED: usize = 4;

/// A later alternative that does not draw the number behind it, and the number in place of a smaller one before it: `[Push(0), Push(11),
/// Add]` becomes `[Push(11), Dup, Add]`.
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

/// A lower choice, and in place of the fork behind it one from inside of it.
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

/// Tries the lower choice with what is left of the part behind it.
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
