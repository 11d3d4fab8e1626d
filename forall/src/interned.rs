//! Names and texts of the program that come from another process, or are made while it runs. There are few, and each is kept
//! for good once.

use std::collections::BTreeSet;
use std::sync::{Mutex, PoisonError};

pub(crate) fn interned(text: &str) -> &'static str {
    static KNOWN: Mutex<BTreeSet<&'static str>> = Mutex::new(BTreeSet::new());
    let mut known = KNOWN.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(same) = known.get(text) {
        return same;
    }
    let text: &'static str = Box::leak(text.to_owned().into_boxed_str());
    known.insert(text);
    text
}
