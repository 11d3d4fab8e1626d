//! Interned names and texts that come from another process, or are created at run time. There are few, and each is
//! leaked once.

use std::sync::{Mutex, PoisonError};

pub(crate) fn interned(text: &str) -> &'static str {
    /// Sorted.
    static KNOWN: Mutex<Vec<&'static str>> = Mutex::new(Vec::new());
    let mut known = KNOWN.lock().unwrap_or_else(PoisonError::into_inner);
    let at = known.partition_point(|other| *other < text);
    if at == known.len() || known[at] != text {
        known.insert(at, Box::leak(text.to_owned().into_boxed_str()));
    }
    known[at]
}
