//! Generators of the standard collections other than `Vec`: sets, maps, queues.

use super::Generator;
use super::lengths::{Lengths, Parts, build};
use super::vec::{VecOf, vec};
use crate::choice::Source;
use std::collections::{BTreeMap, BTreeSet, BinaryHeap, HashMap, HashSet, LinkedList, VecDeque};
use std::fmt;
use std::hash::{BuildHasher, Hash, RandomState};
use std::marker::PhantomData;

/// Collections that are converted vectors.
macro_rules! from_vec {
    ($($function:ident $collection:ident $text:literal;)*) => {$(
        #[doc = concat!("Returns a generator of ", $text, " with elements from `element`; lengths as for [`vec()`].")]
        ///
        /// ```
        /// # use forall::{choice::Source, generate::*};
        #[doc = concat!("let three = Source::random(1, 0, 100).draw(", stringify!($function), "(any::<u8>()).len(3));")]
        /// assert_eq!(three.len(), 3);
        /// ```
        pub fn $function<G: Generator>(element: G) -> SequenceOf<$collection<G::Value>, G> {
            SequenceOf { elements: vec(element), collection: PhantomData }
        }
    )*};
}

from_vec! {
    vec_deque VecDeque "double-ended queues";
    linked_list LinkedList "linked lists";
    binary_heap BinaryHeap "heaps";
}

/// The generator that [`vec_deque`], [`linked_list`] and [`binary_heap`] return, for the collection `C`.
pub struct SequenceOf<C, G> {
    elements: VecOf<G>,
    collection: PhantomData<fn() -> C>,
}

// Derives would put the bounds on the collection instead of its generator.
impl<C, G: Clone> Clone for SequenceOf<C, G> {
    fn clone(&self) -> Self {
        Self { elements: self.elements.clone(), collection: PhantomData }
    }
}

impl<C, G: Copy> Copy for SequenceOf<C, G> {}

impl<C, G: fmt::Debug> fmt::Debug for SequenceOf<C, G> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("SequenceOf").field(&self.elements).finish()
    }
}

impl<C, G> SequenceOf<C, G> {
    /// Sets the number of elements: a number or a range.
    ///
    /// ```
    /// # use forall::{choice::Source, generate::*};
    /// let few = Source::random(1, 0, 100).draw(binary_heap(0..9u8).len(1..=3));
    /// assert!((1..=3).contains(&few.len()));
    /// ```
    pub fn len(mut self, lengths: impl Into<Lengths>) -> Self {
        self.elements = self.elements.len(lengths);
        self
    }
}

impl<C: FromIterator<G::Value>, G: Generator> Generator for SequenceOf<C, G> {
    type Value = C;

    #[inline]
    fn generate(&self, source: &mut Source) -> C {
        self.elements.generate(source).into_iter().collect()
    }
}

/// Returns a generator of `BTreeSet`s with elements from `element`; lengths as for [`vec()`].
///
/// ```
/// # use forall::{choice::Source, generate::*};
/// let set = Source::random(1, 0, 100).draw(btree_set(0..10).len(2..=5));
/// assert!((2..=5).contains(&set.len()));
/// ```
pub fn btree_set<G: Generator<Value: Ord>>(element: G) -> BTreeSetOf<G> {
    BTreeSetOf { element, lengths: Lengths::SIZED }
}

/// The generator that [`btree_set`] returns.
#[derive(Clone, Copy, Debug)]
pub struct BTreeSetOf<G> {
    element: G,
    lengths: Lengths,
}

impl<G> BTreeSetOf<G> {
    /// Sets the number of elements: a number or a range.
    ///
    /// ```
    /// use forall::{choice::Source, generate::btree_set};
    /// assert_eq!(Source::random(1, 0, 100).draw(btree_set(0..100u8).len(3)).len(), 3);
    /// ```
    pub fn len(mut self, lengths: impl Into<Lengths>) -> Self {
        self.lengths = lengths.into();
        self
    }
}

impl<G: Generator<Value: Ord>> Generator for BTreeSetOf<G> {
    type Value = BTreeSet<G::Value>;

    #[inline]
    fn generate(&self, source: &mut Source) -> Self::Value {
        let mut set = BTreeSet::new();
        build(source, self.lengths, Parts::AsDrawn, |source| set.insert(self.element.generate(source)));
        set
    }
}

/// Returns a generator of `BTreeMap`s with keys from `key` and values from `value`; lengths as for [`vec()`].
///
/// ```
/// # use forall::{choice::Source, generate::*};
/// let map = Source::random(1, 0, 100).draw(btree_map('a'..='z', any::<i32>()).len(3));
/// assert_eq!(map.len(), 3);
/// ```
pub fn btree_map<K: Generator<Value: Ord>, V: Generator>(key: K, value: V) -> BTreeMapOf<K, V> {
    BTreeMapOf { key, value, lengths: Lengths::SIZED }
}

/// The generator that [`btree_map`] returns.
#[derive(Clone, Copy, Debug)]
pub struct BTreeMapOf<K, V> {
    key: K,
    value: V,
    lengths: Lengths,
}

impl<K, V> BTreeMapOf<K, V> {
    /// Sets the number of entries: a number or a range.
    ///
    /// ```
    /// use forall::{choice::Source, generate::btree_map};
    /// assert_eq!(Source::random(1, 0, 100).draw(btree_map(0..100u8, 0..9u8).len(3)).len(), 3);
    /// ```
    pub fn len(mut self, lengths: impl Into<Lengths>) -> Self {
        self.lengths = lengths.into();
        self
    }
}

impl<K: Generator<Value: Ord>, V: Generator> Generator for BTreeMapOf<K, V> {
    type Value = BTreeMap<K::Value, V::Value>;

    #[inline]
    fn generate(&self, source: &mut Source) -> Self::Value {
        let mut map = BTreeMap::new();
        build(source, self.lengths, Parts::AsDrawn, |source| {
            let key = self.key.generate(source);
            let new = !map.contains_key(&key);
            if new {
                map.insert(key, self.value.generate(source));
            }
            new
        });
        map
    }
}

/// Returns a generator of `HashSet`s with elements from `element`; lengths as for [`vec()`].
///
/// ```
/// # use forall::{choice::Source, generate::*};
/// let set = Source::random(1, 0, 100).draw(hash_set(0..10).len(2..=5));
/// assert!((2..=5).contains(&set.len()));
/// ```
pub fn hash_set<G: Generator<Value: Eq + Hash>>(element: G) -> HashSetOf<G> {
    HashSetOf { element, lengths: Lengths::SIZED, hasher: PhantomData }
}

/// The generator that [`hash_set`] returns.
pub struct HashSetOf<G, S = RandomState> {
    element: G,
    lengths: Lengths,
    hasher: PhantomData<fn() -> S>,
}

impl<G, S> HashSetOf<G, S> {
    /// Sets the number of elements: a number or a range.
    ///
    /// ```
    /// use forall::{choice::Source, generate::hash_set};
    /// assert_eq!(Source::random(1, 0, 100).draw(hash_set(0..100u8).len(3)).len(), 3);
    /// ```
    pub fn len(mut self, lengths: impl Into<Lengths>) -> Self {
        self.lengths = lengths.into();
        self
    }

    /// Uses another hasher.
    ///
    /// ```
    /// # use forall::{choice::Source, generate::*};
    /// use std::hash::{BuildHasherDefault, DefaultHasher};
    /// type Fixed = BuildHasherDefault<DefaultHasher>;
    /// let set = Source::random(1, 0, 100).draw(hash_set(0..10).len(2).hasher::<Fixed>());
    /// assert_eq!(set.len(), 2);
    /// ```
    pub fn hasher<R>(self) -> HashSetOf<G, R> {
        HashSetOf { element: self.element, lengths: self.lengths, hasher: PhantomData }
    }
}

impl<G: Clone, S> Clone for HashSetOf<G, S> {
    fn clone(&self) -> Self {
        Self { element: self.element.clone(), ..*self }
    }
}

impl<G: fmt::Debug, S> fmt::Debug for HashSetOf<G, S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("HashSetOf").field("element", &self.element).field("lengths", &self.lengths).finish()
    }
}

impl<G: Generator<Value: Eq + Hash>, S: BuildHasher + Default> Generator for HashSetOf<G, S> {
    type Value = HashSet<G::Value, S>;

    #[inline]
    fn generate(&self, source: &mut Source) -> Self::Value {
        let mut set = HashSet::default();
        build(source, self.lengths, Parts::AsDrawn, |source| set.insert(self.element.generate(source)));
        set
    }
}

/// Returns a generator of `HashMap`s with keys from `key` and values from `value`; lengths as for [`vec()`].
///
/// ```
/// # use forall::{choice::Source, generate::*};
/// let map = Source::random(1, 0, 100).draw(hash_map('a'..='z', any::<i32>()).len(3));
/// assert_eq!(map.len(), 3);
/// ```
pub fn hash_map<K: Generator<Value: Eq + Hash>, V: Generator>(key: K, value: V) -> HashMapOf<K, V> {
    HashMapOf { key, value, lengths: Lengths::SIZED, hasher: PhantomData }
}

/// The generator that [`hash_map`] returns.
pub struct HashMapOf<K, V, S = RandomState> {
    key: K,
    value: V,
    lengths: Lengths,
    hasher: PhantomData<fn() -> S>,
}

impl<K, V, S> HashMapOf<K, V, S> {
    /// Sets the number of entries: a number or a range.
    ///
    /// ```
    /// use forall::{choice::Source, generate::hash_map};
    /// assert_eq!(Source::random(1, 0, 100).draw(hash_map(0..100u8, 0..9u8).len(3)).len(), 3);
    /// ```
    pub fn len(mut self, lengths: impl Into<Lengths>) -> Self {
        self.lengths = lengths.into();
        self
    }

    /// Uses another hasher.
    ///
    /// ```
    /// # use forall::{choice::Source, generate::*};
    /// use std::hash::{BuildHasherDefault, DefaultHasher};
    /// type Fixed = BuildHasherDefault<DefaultHasher>;
    /// let map = Source::random(1, 0, 100).draw(hash_map(0..10, any::<bool>()).len(2).hasher::<Fixed>());
    /// assert_eq!(map.len(), 2);
    /// ```
    pub fn hasher<R>(self) -> HashMapOf<K, V, R> {
        HashMapOf { key: self.key, value: self.value, lengths: self.lengths, hasher: PhantomData }
    }
}

impl<K: Clone, V: Clone, S> Clone for HashMapOf<K, V, S> {
    fn clone(&self) -> Self {
        Self { key: self.key.clone(), value: self.value.clone(), ..*self }
    }
}

impl<K: fmt::Debug, V: fmt::Debug, S> fmt::Debug for HashMapOf<K, V, S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut text = f.debug_struct("HashMapOf");
        text.field("key", &self.key).field("value", &self.value).field("lengths", &self.lengths).finish()
    }
}

impl<K: Generator<Value: Eq + Hash>, V: Generator, S: BuildHasher + Default> Generator for HashMapOf<K, V, S> {
    type Value = HashMap<K::Value, V::Value, S>;

    #[inline]
    fn generate(&self, source: &mut Source) -> Self::Value {
        let mut map = HashMap::default();
        build(source, self.lengths, Parts::AsDrawn, |source| {
            let key = self.key.generate(source);
            let new = !map.contains_key(&key);
            if new {
                map.insert(key, self.value.generate(source));
            }
            new
        });
        map
    }
}
