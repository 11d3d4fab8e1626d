//! Sorting, sifting and finding that cost little to compile.
//!
//! A sort of the standard library is some forty functions for each type and each order that it is used with, and users of
//! this crate would wait for them. Here one plain merge sort of indices serves everybody.

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

/// With what to swap each item in turn, given which item belongs in its place.
fn into_swaps(order: &mut [usize]) {
    for at in 0..order.len() {
        // Where the item is by now that belongs here: what stood in its way was swapped there.
        let mut from = order[at];
        while from < at {
            from = order[from];
        }
        order[at] = from;
    }
}

/// Keeps the items that `wanted` says, in their order.
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

/// The indices below `count` in the order of what they stand for; equal ones keep their order.
pub(crate) fn order(count: usize, compare: &dyn Fn(usize, usize) -> Ordering) -> Vec<usize> {
    let mut order: Vec<usize> = (0..count).collect();
    let mut merged = Vec::with_capacity(count);
    let mut run = 1;
    while run < count {
        // Runs of this length are in order: merges each with the next.
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

/// Whether an order is that in which things are already.
pub(crate) fn is_in_order(order: &[usize]) -> bool {
    for (place, from) in order.iter().enumerate() {
        if place != *from {
            return false;
        }
    }
    true
}

/// The last index below `count` that is one of those wanted.
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
            assert_eq!(last_below(length, &|at| items[at].0 < 16), items.iter().rposition(|item| item.0 < 16));
            assert!(is_in_order(&order(length, &|a, b| items[a].0.cmp(&items[b].0))));
            assert_eq!(is_in_order(&order(length, &|a, b| b.cmp(&a))), length < 2);
            expected.retain(|item| item.0 % 3 == 0);
            retain(&mut items, |item| item.0 % 3 == 0);
            assert_eq!(items, expected);
        }
    }
}
