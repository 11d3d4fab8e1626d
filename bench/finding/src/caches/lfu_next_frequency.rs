//! `lfu-cache` (pull request 3): repeatedly removing the least frequently used entry ended early, since the first
//! frequency stayed in front after its last entry was removed.

use crate::Bug;
use std::collections::{BTreeMap, BTreeSet};

pub fn holds(bug: Bug, uses: &[u8]) -> Option<bool> {
    let mut cache = Cache::default();
    for key in uses {
        cache.touch(*key);
    }
    let popped: Vec<u8> = std::iter::from_fn(|| cache.pop(bug)).collect();
    let keys: BTreeSet<u8> = uses.iter().copied().collect();
    Some(popped.len() == keys.len() && popped.into_iter().collect::<BTreeSet<_>>() == keys)
}

pub fn witness() -> (Vec<u8>,) {
    (vec![1, 2, 2],)
}

#[derive(Default)]
struct Cache {
    frequencies: BTreeMap<u8, usize>,
    /// Keys by frequency, in the order in which they reached it.
    buckets: BTreeMap<usize, Vec<u8>>,
}

impl Cache {
    fn touch(&mut self, key: u8) {
        let frequency = self.frequencies.entry(key).or_insert(0);
        if let Some(bucket) = self.buckets.get_mut(frequency) {
            bucket.retain(|other| *other != key);
            if bucket.is_empty() {
                self.buckets.remove(frequency);
            }
        }
        *frequency += 1;
        self.buckets.entry(*frequency).or_default().push(key);
    }

    fn pop(&mut self, bug: Bug) -> Option<u8> {
        let mut head = self.buckets.first_entry()?;
        if head.get().is_empty() {
            return None;
        }
        let key = head.get_mut().remove(0);
        if bug == Bug::Fixed && head.get().is_empty() {
            head.remove();
        }
        Some(key)
    }
}
