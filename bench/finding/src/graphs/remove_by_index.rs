//! uv (pull request 4649): edges are removed by their indices, in any order. But removing one moves the last edge into its
//! place, so later indices mean other edges.

use crate::Bug;
use std::collections::BTreeSet;

/// The remaining items are those at other indices.
pub fn holds(bug: Bug, items: &[u16], removed: &[usize]) -> Option<bool> {
    if items.is_empty() {
        return None;
    }
    let removed: Vec<usize> = removed.iter().map(|index| index % items.len()).collect();
    let mut expected: Vec<u16> =
        (0..items.len()).filter(|index| !removed.contains(index)).map(|index| items[index]).collect();
    let mut left = remove(bug, items, &removed);
    expected.sort_unstable();
    left.sort_unstable();
    Some(left == expected)
}

pub fn witness() -> (Vec<u16>, Vec<usize>) {
    (vec![10, 20, 30], vec![0, 1, 2])
}

fn remove(bug: Bug, items: &[u16], removed: &[usize]) -> Vec<u16> {
    let mut items = items.to_vec();
    let ascending: BTreeSet<usize> = removed.iter().copied().collect();
    let order: Vec<usize> = match bug {
        Bug::Present => ascending.into_iter().collect(),
        Bug::Fixed => ascending.into_iter().rev().collect(),
    };
    for index in order {
        items.swap_remove(index);
    }
    items
}
