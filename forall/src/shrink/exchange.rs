//! Two values in the place of each other.
//!
//! Where a bug needs two values that differ and does not care which, as in `[1, 0, 1]`, none can be lowered: it would become
//! equal to the other. But `[0, 1, 0]` is simpler. So all numbers of one value become the other, and the other way round, if
//! the larger stands first. If the larger stands more often, elements have to change places as well: `[0, 1, 1, 1]` is simplest
//! as `[0, 0, 0, 1]`. Neighbouring numbers change places by themselves: in a permutation it may not matter what is out of
//! place, and in a command not which of two ids comes first. The ends of elements and of iterations change places: of two
//! names in two commands the shorter should be the first. What this misses: more than two values that change places at once.

use super::edit;
use super::loops;
use super::order;
use super::search::Search;
use crate::choice::Item;
use crate::sort::sort_by;

/// Inputs with more numbers are left as they are: all of them are looked at for each.
const MAX_NUMBERS: usize = 200;
/// Collections with more elements are left as they are, where each is looked at with each.
const MAX_UNITS: usize = 16;
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
    more_of_the_smaller(search);
}

/// Exchanges the ends of two elements or iterations, from each place on: a name in them may have no span.
pub(super) fn ends(search: &mut Search<'_>) {
    if search.structure().numbers.len() > MAX_NUMBERS {
        return;
    }
    let mut all = order::units(&search.structure());
    loops::for_each_loop(search, &mut |_, _, iterations| all.push(iterations.to_vec()));
    let mut pairs = 0;
    for units in all.iter().filter(|units| units.len() <= MAX_UNITS) {
        for (second, other) in units.iter().enumerate() {
            for one in &units[..second] {
                search.stop_at_the_limits();
                for from in 1..one.len().min(other.len()) {
                    let items = search.items();
                    let (one, other) = (one.start + from..one.end, other.start + from..other.end);
                    let changes = [(one.clone(), &items[other.clone()]), (other, &items[one])];
                    let exchanged = edit::changed(items, &changes);
                    if !edit::simpler(&exchanged, items) {
                        continue;
                    }
                    pairs += 1;
                    // Where the parts are now is for the next round.
                    if pairs > MAX_PAIRS || search.consider(exchanged) {
                        return;
                    }
                }
            }
        }
    }
}

/// Exchanges a value with a smaller one that stands less often, and sorts the elements of a collection.
fn more_of_the_smaller(search: &mut Search<'_>) {
    let structure = search.structure();
    // Values with their maxima, and how often they stand there.
    let mut values: Vec<(u64, u64, usize)> = Vec::new();
    for &place in &structure.numbers {
        let (max, value) = (search.max(place), search.value(place));
        match values.iter_mut().find(|known| (known.0, known.1) == (max, value)) {
            Some(known) => known.2 += 1,
            None => values.push((max, value, 1)),
        }
    }
    let mut pairs = 0;
    for &(max, larger, often) in &values {
        for &(_, smaller, _) in values.iter().filter(|other| other.0 == max && other.1 < larger && other.2 < often) {
            pairs += 1;
            if pairs > MAX_PAIRS {
                return;
            }
            let mut units = order::units(&search.structure());
            loops::for_each_loop(search, &mut |_, _, iterations| units.push(iterations.to_vec()));
            let Some(swapped) = swapped(search, max, larger, smaller) else { continue };
            for units in &units {
                if search.consider_some(order::in_order(&swapped, units)) {
                    return;
                }
            }
        }
    }
}

/// Exchanges two values of numbers with one maximum.
fn swap(search: &mut Search<'_>, max: u64, one: u64, other: u64) -> bool {
    let candidate = swapped(search, max, one, other);
    search.consider_some(candidate)
}

/// The best case with two values of numbers with one maximum exchanged.
fn swapped(search: &mut Search<'_>, max: u64, one: u64, other: u64) -> Option<Vec<Item>> {
    let mut changes = Vec::new();
    for &place in &search.structure().numbers {
        let value = search.value(place);
        if search.max(place) == max && (value == one || value == other) {
            changes.push((place, if value == one { other } else { one }));
        }
    }
    edit::with_values(search.items(), &changes)
}
