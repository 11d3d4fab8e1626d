//! The rarity of planted bugs. Threads take time to start, to warm up and to end, so short searches say little about
//! their gain. For longer searches, a bug may show in only one of many inputs that trigger it.

use std::fmt::Debug;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::atomic::{AtomicU64, Ordering};

static RARITY: AtomicU64 = AtomicU64::new(1);

/// Runs `body` while bugs show in one of `rarity` inputs.
pub fn with_rarity<T>(rarity: u64, body: impl FnOnce() -> T) -> T {
    RARITY.store(rarity, Ordering::Relaxed);
    let result = body();
    RARITY.store(1, Ordering::Relaxed);
    result
}

/// Returns whether the bug stays hidden in an input that triggers it. Called only for such inputs, so that other tests
/// cost the same as before.
pub fn is_spared(input: &impl Debug) -> bool {
    let rarity = RARITY.load(Ordering::Relaxed);
    if rarity == 1 {
        return false;
    }
    let mut hasher = DefaultHasher::new();
    format!("{input:?}").hash(&mut hasher);
    !hasher.finish().is_multiple_of(rarity)
}
