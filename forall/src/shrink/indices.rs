//! Removes elements and adjusts the indices that pointed past them.
//!
//! Numbers inside a collection may be positions in it: edges of a graph, parents in a tree, a permutation. Removing an
//! element shifts everything that pointed past it by one. So when a run of elements is removed, its length is
//! subtracted from all numbers that are at least as large as the index of its end. Not covered: positions that are not
//! counted from 0.

use super::edit;
use super::elements::{Piece, Tried, for_each_group, shorten};
use super::search::Search;
use std::ops::Range;

pub(super) fn indices(search: &mut Search<'_>) {
    for_each_group(search, &mut |search, key| {
        let structure = search.structure();
        let Some(group) = structure.open_group(key) else { return };
        let count = group.elements.len();
        let items = search.items();
        let is_index = |&place: &usize| (1..count as u64).contains(&edit::value(&items[place]));
        if !structure.numbers_in(&group.whole).iter().any(is_index) {
            return;
        }
        let mut tried = Tried::default();
        shorten(search, count, Piece::Single, &mut |search, range| remove(search, key, range, &mut tried));
    });
}

fn remove(search: &mut Search<'_>, key: (usize, usize), range: Range<usize>, tried: &mut Tried) -> bool {
    let structure = search.structure();
    let Some(group) = structure.group(key) else { return false };
    let past_end = |&&place: &&usize| search.value(place) >= range.end as u64;
    let following = structure.numbers.iter().filter(past_end).count();
    if tried.was_tried(search, group, range.clone(), following) {
        return false;
    }
    // First numbers that point inside the collection, then all that look like indices.
    for places in &[structure.numbers_in(&group.whole), &structure.numbers] {
        let mut changes = Vec::new();
        for &place in *places {
            let value = search.value(place);
            if value >= range.end as u64 {
                changes.push((place, value - range.len() as u64));
            }
        }
        let changed = edit::with_values(search.items(), &changes);
        let candidate = changed.and_then(|items| group.without(&items, range.clone()));
        if search.consider_some(candidate) {
            return true;
        }
    }
    false
}
