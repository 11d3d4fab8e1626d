//! `mirror-cache` (issue 17): replacing a file added its size to that of the cache, but did not subtract the old one.

use crate::Bug;
use std::collections::BTreeMap;

pub fn holds(bug: Bug, files: &[(String, u16)]) -> Option<bool> {
    let mut cache = Cache::default();
    for (name, size) in files {
        cache.insert(bug, name, u64::from(*size));
    }
    Some(cache.size == cache.files.values().sum::<u64>())
}

pub fn witness() -> (Vec<(String, u16)>,) {
    (vec![("index".to_owned(), 7), ("index".to_owned(), 8)],)
}

#[derive(Default)]
struct Cache {
    files: BTreeMap<String, u64>,
    size: u64,
}

impl Cache {
    fn insert(&mut self, bug: Bug, name: &str, size: u64) {
        let replaced = self.files.insert(name.to_owned(), size);
        self.size += size;
        if bug == Bug::Fixed {
            self.size -= replaced.unwrap_or(0);
        }
    }
}
