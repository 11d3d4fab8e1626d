//! How rare a planted bug is. Threads take time to start, to get warm and to end; a search that is over sooner says little of what
//! they gain. So that there are longer ones, a bug may show in one of so many inputs that have it.

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

/// Whether the bug does not show in this input, which has it. Asked only then: a test without it costs what it did.
pub fn is_spared(input: &impl Debug) -> bool {
    let rarity = RARITY.load(Ordering::Relaxed);
    if rarity == 1 {
        return false;
    }
    let mut hasher = DefaultHasher::new();
    format!("{input:?}").hash(&mut hasher);
    !hasher.finish().is_multiple_of(rarity)
}
