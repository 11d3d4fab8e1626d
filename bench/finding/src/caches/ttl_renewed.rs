//! `tiny-lru` (issue 37) and `expiring_dict` (pull request 8): setting a key again did not renew its expiry time.

use crate::Bug;
use std::collections::BTreeMap;

const TIME_TO_LIVE: u32 = 300;

crate::input! {
    pub enum TtlOperation { Set(u8, u16), Wait(u8), Get(u8) }
}

pub fn holds(bug: Bug, operations: &[TtlOperation]) -> Option<bool> {
    let (mut now, mut cache, mut last_set) = (0, BTreeMap::new(), BTreeMap::new());
    for operation in operations {
        match operation {
            TtlOperation::Set(key, value) => {
                set(bug, &mut cache, *key, *value, now);
                last_set.insert(*key, (*value, now));
            }
            TtlOperation::Wait(time) => now += u32::from(*time),
            TtlOperation::Get(key) => {
                let live = |entry: &&(u16, u32)| now < entry.1 + TIME_TO_LIVE;
                let found = cache.get(key).filter(|entry: &&(u16, u32)| now < entry.1).map(|entry| entry.0);
                if found != last_set.get(key).filter(live).map(|entry| entry.0) {
                    return Some(false);
                }
            }
        }
    }
    Some(true)
}

pub fn witness() -> (Vec<TtlOperation>,) {
    use TtlOperation::*;
    (vec![Set(1, 10), Wait(200), Set(1, 20), Wait(200), Get(1)],)
}

/// Sets a key: an entry is its value and its expiry time.
fn set(bug: Bug, cache: &mut BTreeMap<u8, (u16, u32)>, key: u8, value: u16, now: u32) {
    match cache.get_mut(&key) {
        Some(entry) if bug == Bug::Present && now < entry.1 => entry.0 = value,
        _ => {
            cache.insert(key, (value, now + TIME_TO_LIVE));
        }
    }
}
