//! `triagebot` (pull request 2501): for a new entry, the cache evicted at most one old entry, which may not free enough
//! space.

use crate::Bug;
use std::collections::VecDeque;

const CAPACITY: u32 = 300;

pub fn holds(bug: Bug, weights: &[u8]) -> Option<bool> {
    let mut cache: VecDeque<u32> = VecDeque::new();
    for weight in weights {
        insert(bug, &mut cache, u32::from(*weight));
        if cache.iter().sum::<u32>() > CAPACITY {
            return Some(false);
        }
    }
    Some(true)
}

pub fn witness() -> (Vec<u8>,) {
    (vec![1, 150, 149, 200],)
}

fn insert(bug: Bug, cache: &mut VecDeque<u32>, weight: u32) {
    let full = |cache: &VecDeque<u32>| cache.iter().sum::<u32>() + weight > CAPACITY;
    match bug {
        Bug::Present if full(cache) => drop(cache.pop_front()),
        Bug::Present => {}
        Bug::Fixed => {
            while full(cache) {
                cache.pop_front();
            }
        }
    }
    cache.push_back(weight);
}
