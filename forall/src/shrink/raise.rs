//! Fewer elements, and larger ones.
//!
//! A list whose sum must be large has many elements that matter a little each, and none can go alone. But shorter is
//! simpler whatever the numbers are: so some elements go, and all numbers of those that stay become as large as they may
//! be. How many must stay is found by bisection. For signed numbers the largest positive one stands before the largest of
//! all. What this misses: numbers that must be large and different.

use super::edit;
use super::elements::{for_each_group, keep};
use super::search::Search;
use super::structure::Structure;
use crate::choice::Item;

/// Shorter collections are left to the passes that look at each element, which need no more runs then.
const LONG: usize = 24;

pub(super) fn raise(search: &mut Search<'_>) {
    for_each_group(search, &mut |search, key| {
        for below in 0..=1 {
            let structure = search.structure();
            let Some(group) = structure.open_group(key) else { return };
            let count = group.elements.len();
            let raise = &mut |search: &mut Search<'_>, count: usize, kept: usize| {
                let candidate = raised(&search.structure(), search.items(), key, count - kept, below);
                search.consider_some(candidate)
            };
            if count >= LONG && raise(search, count, count - 1) {
                keep(search, count - 1, raise);
                return;
            }
        }
    });
}

/// The items without the first elements of a group, and with all numbers of the others `below` their maximum.
fn raised(structure: &Structure, items: &[Item], key: (usize, usize), without: usize, below: u64) -> Option<Vec<Item>> {
    let group = structure.group(key)?;
    let mut raised = items.to_vec();
    for &place in structure.numbers_in(&group.whole) {
        if let Item::Choice(choice) = &mut raised[place] {
            choice.value = edit::max(&items[place]).saturating_sub(below);
        }
    }
    group.without(&raised, 0..without)
}
