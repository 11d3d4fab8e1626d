//! Elements whose behavior is allowed but rare.

use std::cmp::Ordering;
use std::hash::{BuildHasher, BuildHasherDefault, DefaultHasher, Hash, Hasher};
use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering as Atomic};

/// A key with few different hashes: `HASHES` of them.
///
/// ```
/// use forall::machine::elements::Colliding;
/// use std::collections::HashMap;
/// let mut map: HashMap<Colliding<u32, 2>, u32> = (0..100).map(|n| (Colliding(n), n)).collect();
/// assert_eq!(map.remove(&Colliding(70)), Some(70));
/// assert_eq!(map.len(), 99);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Colliding<K, const HASHES: u64>(#[doc(hidden)] pub K);

impl<K: Hash, const HASHES: u64> Hash for Colliding<K, HASHES> {
    fn hash<H: Hasher>(&self, state: &mut H) {
        let hash = BuildHasherDefault::<DefaultHasher>::default().hash_one(&self.0);
        state.write_u64(hash % HASHES.max(1));
    }
}

/// A fuse that burns down as its elements are compared, hashed and cloned; when it has burnt down, one of them panics.
///
/// ```
/// use forall::machine::{elements::Fuse, protect};
/// let fuse = Fuse::new();
/// let mut numbers: Vec<_> = (0..20).rev().map(|n| fuse.wrap(n)).collect();
/// fuse.light(10);
/// assert!(protect(|| numbers.sort()).is_err(), "the tenth comparison panics");
/// fuse.put_out();
/// numbers.sort();
/// assert_eq!(numbers.iter().map(|n| n.value).collect::<Vec<_>>(), (0..20).collect::<Vec<_>>(), "nothing was lost");
/// ```
#[derive(Clone, Debug)]
pub struct Fuse(Arc<AtomicI64>);

/// An element that panics when its [`Fuse`] has burnt down.
#[derive(Debug)]
pub struct Fused<T> {
    /// The wrapped value.
    #[doc(hidden)]
    pub value: T,
    fuse: Fuse,
}

/// The value of an unlit fuse.
const OUT: i64 = i64::MAX / 2;

impl Fuse {
    /// Creates an unlit fuse.
    ///
    /// See [`Fuse`].
    #[allow(clippy::new_without_default, reason = "each is another one")]
    #[inline]
    pub fn new() -> Self {
        Self(Arc::new(AtomicI64::new(OUT)))
    }

    /// Lights the fuse: after this many operations one panics, and then none until it is lit again.
    ///
    /// See [`Fuse`].
    #[inline]
    pub fn light(&self, operations: u32) {
        self.0.store(i64::from(operations.max(1)), Atomic::Relaxed);
    }

    /// Extinguishes the fuse: nothing panics any more.
    ///
    /// See [`Fuse`].
    #[inline]
    pub fn put_out(&self) {
        self.0.store(OUT, Atomic::Relaxed);
    }

    /// Creates an element with this fuse.
    ///
    /// See [`Fuse`].
    pub fn wrap<T>(&self, value: T) -> Fused<T> {
        Fused { value, fuse: self.clone() }
    }

    #[inline]
    fn burn(&self) {
        if self.0.fetch_sub(1, Atomic::Relaxed) == 1 {
            self.put_out();
            panic!("the fuse has burnt down");
        }
    }
}

impl<T: Clone> Clone for Fused<T> {
    fn clone(&self) -> Self {
        self.fuse.burn();
        Self { value: self.value.clone(), fuse: self.fuse.clone() }
    }
}

impl<T: PartialEq> PartialEq for Fused<T> {
    fn eq(&self, other: &Self) -> bool {
        self.fuse.burn();
        self.value == other.value
    }
}

impl<T: Eq> Eq for Fused<T> {}

impl<T: Ord> PartialOrd for Fused<T> {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl<T: Ord> Ord for Fused<T> {
    fn cmp(&self, other: &Self) -> Ordering {
        self.fuse.burn();
        self.value.cmp(&other.value)
    }
}

impl<T: Hash> Hash for Fused<T> {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.fuse.burn();
        self.value.hash(state);
    }
}

/// An iterator with a wrong size hint of your choice, which safe code must survive.
///
/// ```
/// use forall::machine::elements::Lying;
/// let numbers: Vec<u8> = Lying::new([1, 2, 3], 0, Some(1)).collect();
/// assert_eq!(numbers, [1, 2, 3]);
/// ```
#[derive(Clone, Debug)]
pub struct Lying<I> {
    items: I,
    at_least: usize,
    at_most: Option<usize>,
}

impl<I: Iterator> Lying<I> {
    /// Creates the iterator with this size hint.
    ///
    /// See [`Lying`].
    pub fn new(items: impl IntoIterator<IntoIter = I>, at_least: usize, at_most: Option<usize>) -> Self {
        Self { items: items.into_iter(), at_least, at_most }
    }
}

impl<I: Iterator> Iterator for Lying<I> {
    type Item = I::Item;

    fn next(&mut self) -> Option<I::Item> {
        self.items.next()
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        (self.at_least, self.at_most)
    }
}

impl<I: Iterator> ExactSizeIterator for Lying<I> {
    fn len(&self) -> usize {
        self.at_least
    }
}
