//! Elements that count the operations on them.

use std::cmp::Ordering;
use std::hash::{Hash, Hasher};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering as Atomic};

/// A counter of comparisons.
///
/// ```
/// use forall::machine::elements::Counter;
/// let counter = Counter::default();
/// let numbers: Vec<_> = (0..1000).map(|n| counter.wrap(n)).collect();
/// assert!(numbers.binary_search(&counter.wrap(77)).is_ok());
/// assert!(counter.comparisons() <= 11, "it does not look at everything");
/// ```
#[derive(Clone, Debug, Default)]
pub struct Counter(Arc<AtomicU64>);

/// An element whose comparisons are counted by a [`Counter`].
#[derive(Clone, Debug)]
pub struct Compared<T> {
    /// The wrapped value.
    #[doc(hidden)]
    pub value: T,
    counter: Counter,
}

impl Counter {
    /// Creates an element with this counter.
    ///
    /// See [`Counter`].
    pub fn wrap<T>(&self, value: T) -> Compared<T> {
        Compared { value, counter: self.clone() }
    }

    /// Returns the number of comparisons, by order and by equality.
    ///
    /// See [`Counter`].
    #[inline]
    pub fn comparisons(&self) -> u64 {
        self.0.load(Atomic::Relaxed)
    }

    #[inline]
    fn count(&self) {
        self.0.fetch_add(1, Atomic::Relaxed);
    }
}

impl<T: PartialEq> PartialEq for Compared<T> {
    fn eq(&self, other: &Self) -> bool {
        self.counter.count();
        self.value == other.value
    }
}

impl<T: Eq> Eq for Compared<T> {}

impl<T: Ord> PartialOrd for Compared<T> {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl<T: Ord> Ord for Compared<T> {
    fn cmp(&self, other: &Self) -> Ordering {
        self.counter.count();
        self.value.cmp(&other.value)
    }
}

impl<T: Hash> Hash for Compared<T> {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.value.hash(state);
    }
}
