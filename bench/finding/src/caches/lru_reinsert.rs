//! `cached` (pull request 138): setting a key that is already in a full cache evicted the oldest entry, though nothing
//! was added.

use crate::Bug;
use std::collections::BTreeSet;

const CAPACITY: usize = 4;

pub fn holds(bug: Bug, keys: &[u8]) -> Option<bool> {
    let mut cache: Vec<u8> = vec![];
    for key in keys {
        set(bug, &mut cache, *key);
    }
    let mut recent = vec![];
    for key in keys.iter().rev() {
        if recent.len() < CAPACITY && !recent.contains(key) {
            recent.push(*key);
        }
    }
    Some(cache.into_iter().collect::<BTreeSet<_>>() == recent.into_iter().collect())
}

pub fn witness() -> (Vec<u8>,) {
    (vec![1, 2, 3, 4, 4],)
}

/// Sets a key: the most recently used key is the last one.
fn set(bug: Bug, cache: &mut Vec<u8>, key: u8) {
    if bug == Bug::Present && cache.len() == CAPACITY {
        cache.remove(0);
    }
    cache.retain(|other| *other != key);
    cache.push(key);
    if cache.len() > CAPACITY {
        cache.remove(0);
    }
}
