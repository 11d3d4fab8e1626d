//! Swaps two values.
//!
//! If a bug needs two different values but does not care which, as in `[1, 0, 1]`, neither can be lowered, because it
//! would become equal to the other. But `[0, 1, 0]` is simpler. So all occurrences of one value are replaced by the
//! other and vice versa, if the larger one comes first. If the larger one is more frequent, elements have to be
//! reordered as well: `[0, 1, 1, 1]` is simplest as `[0, 0, 0, 1]`. Neighbouring numbers are also swapped individually:
//! in a permutation it may not matter which element is out of place, and in a command not which of two ids comes first.
//! The same two numbers are swapped everywhere at once. The tails of two elements or iterations are swapped: of two
//! names in two commands, the shorter should come first. Where a range is drawn and then numbers in it, the range cannot
//! move to 0 alone: numbers at its simplest end and numbers at a distance from it change places. A number that refers to another one by
//! its value may refer to a smaller one. Not covered: more than two values that change places at once.

use super::edit;
use super::loops;
use super::lower::MAX_KIND;
use super::order;
use super::search::Search;
use crate::choice::Item;
use crate::sort::sort_by;

/// Inputs with more numbers are skipped: the cost is quadratic.
const MAX_NUMBERS: usize = 200;
/// Collections with more elements are skipped where all pairs are tried.
const MAX_UNITS: usize = 16;
/// The maximum number of pairs of values.
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
            && (search.consider_values(&[(first, search.value(next)), (next, larger)]) || swap_equal(search, at - 1))
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
        // The same values were already tried where the larger one came first.
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

/// Swaps two neighbouring numbers wherever the same pair occurs: a position that is mentioned twice stays consistent.
fn swap_equal(search: &mut Search<'_>, first: usize) -> bool {
    let structure = search.structure();
    let number = |at: usize| structure.numbers.get(at).map(|&place| (search.value(place), search.max(place)));
    let pair = (number(first), number(first + 1));
    let (mut changes, mut at) = (Vec::new(), 0);
    while let (Some(one), Some(two)) = (number(at), number(at + 1)) {
        if (Some(one), Some(two)) == pair {
            changes.extend([(structure.numbers[at], two.0), (structure.numbers[at + 1], one.0)]);
            at += 1;
        }
        at += 1;
    }
    changes.len() > 2 && search.consider_values(&changes)
}

/// Swaps the tails of two elements or iterations, from each position on: a name in them may have no span.
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
                    // The new positions of the parts are left to the next round.
                    if pairs > MAX_PAIRS || search.consider(exchanged) {
                        return;
                    }
                }
            }
        }
    }
}

/// The most evaluations for ranges that move.
const MAX_MIRRORED: u64 = 100;
/// Inputs with more numbers have other passes.
const MAX_MIRRORED_NUMBERS: usize = 16;

/// Sets a number to 0, and of the numbers after it those that are 0 to one of their other values, and vice versa.
pub(super) fn mirrored(search: &mut Search<'_>) {
    let (structure, end) = (search.structure(), search.spent_after(MAX_MIRRORED));
    if structure.numbers.len() > MAX_MIRRORED_NUMBERS {
        return;
    }
    for (at, &place) in structure.numbers.iter().enumerate() {
        if search.value(place) == 0 {
            continue;
        }
        let later = &structure.numbers[at + 1..];
        let mut distances: Vec<u64> = Vec::new();
        for distance in later.iter().map(|&place| search.value(place)) {
            if distance > 0 && !distances.contains(&distance) {
                distances.push(distance);
            }
        }
        for &distance in &distances {
            let mut items = search.items().to_vec();
            edit::set(&mut items[place], 0);
            for &place in later {
                match search.value(place) {
                    0 => edit::set(&mut items[place], distance),
                    value if value == distance => edit::set(&mut items[place], 0),
                    _ => {}
                }
            }
            if search.spent() >= end || search.consider(items) {
                return;
            }
        }
    }
}

/// The most evaluations for numbers that refer to others.
const MAX_REFERRED: u64 = 100;

/// Sets one of several equal numbers to a smaller value that another number has.
pub(super) fn referred(search: &mut Search<'_>) {
    let (structure, end) = (search.structure(), search.spent_after(MAX_REFERRED));
    let numbers = &structure.numbers[..structure.numbers.len().min(MAX_NUMBERS)];
    for &place in numbers {
        let (value, max) = (search.value(place), search.max(place));
        let is_equal = |other: usize| other != place && (search.value(other), search.max(other)) == (value, max);
        if max <= MAX_KIND || !numbers.iter().any(|&other| is_equal(other)) {
            continue;
        }
        for &other in numbers {
            let smaller = search.value(other);
            if search.max(other) == max
                && smaller < value
                && (search.spent() >= end || search.consider_values(&[(place, smaller)]))
            {
                return;
            }
        }
    }
}

/// Swaps a value with a smaller, less frequent one, and sorts the elements of a collection.
fn more_of_the_smaller(search: &mut Search<'_>) {
    let structure = search.structure();
    // Values with their maxima, and how often they occur.
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
