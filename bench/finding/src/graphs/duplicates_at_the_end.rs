//! cargo-deny (pull request 418): duplicate versions are reported when the next name begins, so those of the last name
//! are never reported.

use crate::Bug;
use std::collections::{BTreeMap, BTreeSet};

/// The reported names are those with several versions.
pub fn holds(bug: Bug, versions: &[(u8, u8)]) -> Option<bool> {
    let mut by_name: BTreeMap<u8, BTreeSet<u8>> = BTreeMap::new();
    versions.iter().for_each(|&(name, version)| {
        by_name.entry(name).or_default().insert(version);
    });
    let expected = by_name.iter().filter(|(_, versions)| versions.len() > 1).map(|(name, _)| *name);
    Some(duplicates(bug, versions).into_iter().eq(expected))
}

pub fn witness() -> (Vec<(u8, u8)>,) {
    (vec![(7, 1), (7, 2)],)
}

fn duplicates(bug: Bug, versions: &[(u8, u8)]) -> Vec<u8> {
    let mut sorted = versions.to_vec();
    sorted.sort_unstable();
    sorted.dedup();
    let (mut duplicates, mut start) = (vec![], 0);
    for index in 1..sorted.len() {
        if sorted[index].0 != sorted[start].0 {
            if index - start > 1 {
                duplicates.push(sorted[start].0);
            }
            start = index;
        }
    }
    if bug == Bug::Fixed && sorted.len() - start > 1 {
        duplicates.push(sorted[start].0);
    }
    duplicates
}
