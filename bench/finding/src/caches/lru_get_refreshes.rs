//! `linera-protocol` (pull request 3736) and `parley` (pull request 576): a hit did not make an entry the most recently used
//! one, so entries in use were evicted.

use crate::Bug;

const CAPACITY: usize = 3;

crate::input! {
    pub enum LruOperation { Put(u8, u16), Get(u8) }
}

pub fn holds(bug: Bug, operations: &[LruOperation]) -> Option<bool> {
    let mut cache: Vec<(u8, u16)> = vec![];
    for (time, operation) in operations.iter().enumerate() {
        match operation {
            LruOperation::Put(key, value) => {
                cache.retain(|entry| entry.0 != *key);
                if cache.len() == CAPACITY {
                    cache.remove(0);
                }
                cache.push((*key, *value));
            }
            LruOperation::Get(key) => {
                let place = cache.iter().position(|entry| entry.0 == *key);
                if place.map(|place| cache[place].1) != expected(&operations[..time], *key) {
                    return Some(false);
                }
                if let (Some(place), Bug::Fixed) = (place, bug) {
                    let entry = cache.remove(place);
                    cache.push(entry);
                }
            }
        }
    }
    Some(true)
}

pub fn witness() -> (Vec<LruOperation>,) {
    use LruOperation::*;
    (vec![Put(1, 10), Put(2, 20), Put(3, 30), Get(1), Put(4, 40), Get(1)],)
}

/// The cached value of a key after these operations: a key stays as long as fewer than `CAPACITY` others were used
/// since.
fn expected(before: &[LruOperation], key: u8) -> Option<u16> {
    let mut recent: Vec<(u8, u16)> = vec![];
    for operation in before {
        let (used, value) = match operation {
            LruOperation::Put(used, value) => (*used, *value),
            LruOperation::Get(used) => match recent.iter().find(|entry| entry.0 == *used) {
                Some(entry) => *entry,
                None => continue,
            },
        };
        recent.retain(|entry| entry.0 != used);
        recent.insert(0, (used, value));
        recent.truncate(CAPACITY);
    }
    recent.into_iter().find(|entry| entry.0 == key).map(|entry| entry.1)
}
