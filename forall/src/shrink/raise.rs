//! Fewer elements, and larger ones.
//!
//! In a list whose sum must be large, every element contributes a little, and none can be removed alone. But a shorter
//! list is simpler whatever its numbers are: so some elements are removed, and all numbers of the remaining ones are
//! set to their maxima. How many must stay is found by bisection. For signed numbers, the largest positive value comes
//! just before the maximum code. Not covered: numbers that must be large and different.

use super::edit;
use super::elements::{for_each_group, keep};
use super::search::Search;
use super::structure::Structure;
use crate::choice::Item;

/// Shorter collections are left to the passes that try each element, which need no more runs.
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
