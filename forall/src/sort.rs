//! Sorting, filtering and searching with little code to compile.
//!
//! A sort of the standard library is some forty functions for each type and each order, and users of this crate would
//! wait for them. Here one plain merge sort of indices serves all types.

use std::cmp::Ordering;

/// Sorts items; equal ones keep their order.
pub(crate) fn sort_by<T>(items: &mut [T], compare: impl Fn(&T, &T) -> Ordering) {
    let mut swaps = order(items.len(), &|a, b| compare(&items[a], &items[b]));
    into_swaps(&mut swaps);
    let mut at = 0;
    while at < swaps.len() {
        items.swap(at, swaps[at]);
        at += 1;
    }
}

/// Sorts numbers in place, for searches that do so for each test: [`sort_by`] allocates.
///
/// Shell's sort, whose steps are 2.2 times as long each as the next.
pub(crate) fn sort_numbers(numbers: &mut [u64]) {
    let mut step = numbers.len() / 2;
    while step > 0 {
        let mut at = step;
        while at < numbers.len() {
            let number = numbers[at];
            let mut to = at;
            while to >= step && numbers[to - step] > number {
                numbers[to] = numbers[to - step];
                to -= step;
            }
            numbers[to] = number;
            at += 1;
        }
        step = if step == 2 { 1 } else { step * 5 / 11 };
    }
}

/// The item to swap each item with in turn, given which item belongs in its place.
fn into_swaps(order: &mut [usize]) {
    for at in 0..order.len() {
        // The current position of the item that belongs here: it was swapped with an earlier one.
        let mut from = order[at];
        while from < at {
            from = order[from];
        }
        order[at] = from;
    }
}

/// Keeps the `wanted` items, in order.
pub(crate) fn retain<T>(items: &mut Vec<T>, wanted: impl Fn(&T) -> bool) {
    let mut kept = 0;
    let mut at = 0;
    while at < items.len() {
        if wanted(&items[at]) {
            items.swap(kept, at);
            kept += 1;
        }
        at += 1;
    }
    items.truncate(kept);
}

/// The indices below `count`, sorted by their items; equal ones keep their order.
pub(crate) fn order(count: usize, compare: &dyn Fn(usize, usize) -> Ordering) -> Vec<usize> {
    let mut order: Vec<usize> = (0..count).collect();
    let mut merged = Vec::with_capacity(count);
    let mut run = 1;
    while run < count {
        // Runs of this length are sorted: merges each with the next.
        while merged.len() < count {
            let (mut a, middle) = (merged.len(), count.min(merged.len() + run));
            let (mut b, end) = (middle, count.min(middle + run));
            while a < middle || b < end {
                let second = a == middle || b < end && compare(order[b], order[a]).is_lt();
                let next = if second { &mut b } else { &mut a };
                merged.push(order[*next]);
                *next += 1;
            }
        }
        std::mem::swap(&mut order, &mut merged);
        merged.clear();
        run *= 2;
    }
    order
}

/// Whether the order is the identity.
pub(crate) fn is_in_order(order: &[usize]) -> bool {
    for (place, from) in order.iter().enumerate() {
        if place != *from {
            return false;
        }
    }
    true
}

/// The last index below `count` that is wanted.
pub(crate) fn last_below(count: usize, wanted: &dyn Fn(usize) -> bool) -> Option<usize> {
    let mut at = count;
    while at > 0 {
        at -= 1;
        if wanted(at) {
            return Some(at);
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sorts_as_the_standard_library_does() {
        let mut word = 1u32;
        for length in 0..200 {
            let mut items: Vec<(u32, usize)> = (0..length)
                .map(|i| {
                    word = word.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
                    (word >> 27, i)
                })
                .collect();
            let mut expected = items.clone();
            expected.sort_by_key(|item| item.0);
            sort_by(&mut items, |a, b| a.0.cmp(&b.0));
            assert_eq!(items, expected);
            let mut numbers: Vec<u64> = items.iter().map(|item| u64::from(item.0) * 7 % 23).collect();
            let mut sorted = numbers.clone();
            sorted.sort_unstable();
            sort_numbers(&mut numbers);
            assert_eq!(numbers, sorted);
            assert_eq!(last_below(length, &|at| items[at].0 < 16), items.iter().rposition(|item| item.0 < 16));
            assert!(is_in_order(&order(length, &|a, b| items[a].0.cmp(&items[b].0))));
            assert_eq!(is_in_order(&order(length, &|a, b| b.cmp(&a))), length < 2);
            expected.retain(|item| item.0 % 3 == 0);
            retain(&mut items, |item| item.0 % 3 == 0);
            assert_eq!(items, expected);
        }
    }
}
