//! Two values in the place of each other.
//!
//! Where a bug needs two values that differ and does not care which, as in `[1, 0, 1]`, none can be lowered: it would become
//! equal to the other. But `[0, 1, 0]` is simpler. So all numbers of one value become the other, and the other way round, if
//! the larger stands first. Numbers of different kinds change places with their neighbours, if they can: as in a permutation,
//! of which it may not matter what is out of place. What this misses: more than two values that change places at once.

use super::edit;
use super::search::Search;
use crate::sort::sort_by;

/// Inputs with more numbers are left as they are: all of them are looked at for each.
const MAX_NUMBERS: usize = 200;
/// No more pairs of values are tried.
const MAX_PAIRS: usize = 20;

pub(super) fn exchange(search: &mut Search<'_>) {
    if search.structure().numbers.len() > MAX_NUMBERS {
        return;
    }
    let mut at = 0;
    let mut pairs = 0;
    while let Some(&first) = search.structure().numbers.get(at) {
        at += 1;
        let structure = search.structure();
        let (larger, max) = (search.value(first), search.max(first));
        if let Some(&next) = structure.numbers.get(at)
            && search.max(next) != max
            && search.value(next) < larger
            && search.consider_values(&[(first, search.value(next)), (next, larger)])
        {
            continue;
        }
        let mut others: Vec<u64> = Vec::new();
        for &place in &structure.numbers[at..] {
            let other = search.value(place);
            if search.max(place) == max && other < larger && !others.contains(&other) {
                others.push(other);
            }
        }
        // The same values were tried where the larger one stood first.
        if structure.numbers[..at - 1].iter().any(|&place| search.max(place) == max && search.value(place) == larger) {
            continue;
        }
        sort_by(&mut others, u64::cmp);
        for &smaller in &others {
            pairs += 1;
            if pairs > MAX_PAIRS || swap(search, max, larger, smaller) {
                break;
            }
        }
    }
}

/// Exchanges two values of numbers with one maximum.
fn swap(search: &mut Search<'_>, max: u64, one: u64, other: u64) -> bool {
    let mut changes = Vec::new();
    for &place in &search.structure().numbers {
        let value = search.value(place);
        if search.max(place) == max && (value == one || value == other) {
            changes.push((place, if value == one { other } else { one }));
        }
    }
    let candidate = edit::with_values(search.items(), &changes);
    search.consider_some(candidate)
}
