//! Sorting, compiled once.
//!
//! The sorts of the standard library are some forty functions for each type and order that they are used with, which the
//! users of this crate would wait for. Here one of them sorts indices for everybody.

use std::cmp::Ordering;

/// Sorts items; equal ones keep their order.
pub(crate) fn sort_by<T>(items: &mut [T], compare: impl Fn(&T, &T) -> Ordering) {
    let order = order(items.len(), &|a, b| compare(&items[a], &items[b]));
    for at in 0..items.len() {
        // Where the item is by now that belongs here: what stood in its way was swapped there.
        let mut from = order[at];
        while from < at {
            from = order[from];
        }
        items.swap(at, from);
    }
}

/// The indices below `count` in the order of what they stand for.
pub(crate) fn order(count: usize, compare: &dyn Fn(usize, usize) -> Ordering) -> Vec<usize> {
    let mut order: Vec<usize> = (0..count).collect();
    order.sort_by(|&a, &b| compare(a, b));
    order
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
        }
    }
}
