//! Code shared by the generators of both kinds of search trees: the generator functions for trees, keys and values, and
//! how each strategy draws integers.

use crate::bst::tree::SMALL_KEYS;
use forall::prelude::*;
use std::ops::RangeInclusive;

/// The maximum number of entries inserted into a bespoke tree.
pub const MOST_ENTRIES: usize = 32;

/// The range of keys in trees drawn by the specification.
pub const SPECIFIED_KEYS: RangeInclusive<i32> = 1..=100;

/// The generators of one strategy. Each is given the trees and loose keys that the property drew earlier.
#[derive(Debug)]
pub struct Generators<T> {
    /// Draws a tree.
    pub tree: fn(&[&T], &mut Source) -> T,
    /// Draws a key to look up or to delete.
    pub known_key: Key<T>,
    /// Draws a key to insert.
    pub new_key: Key<T>,
}

/// Draws a key, given earlier trees and loose keys.
pub type Key<T> = fn(&[&T], &[i32], &mut Source) -> i32;

impl<T> Generators<T> {
    /// Generates a tree, given earlier trees.
    pub fn tree<'a>(&self, trees: &'a [&'a T]) -> impl Generator<Value = T> + 'a {
        let tree = self.tree;
        from_fn(move |source| tree(trees, source))
    }

    /// Generates a key to look up or to delete, given earlier trees and keys.
    pub fn known_key<'a>(&self, trees: &'a [&'a T], keys: &'a [i32]) -> impl Generator<Value = i32> + 'a {
        let key = self.known_key;
        from_fn(move |source| key(trees, keys, source))
    }

    /// Generates a key to insert, given earlier trees and keys.
    pub fn new_key<'a>(&self, trees: &'a [&'a T], keys: &'a [i32]) -> impl Generator<Value = i32> + 'a {
        let key = self.new_key;
        from_fn(move |source| key(trees, keys, source))
    }
}

/// The draws of the closures in `shallow.rs`: from forall, or from another tool.
pub trait Inputs<T> {
    /// The source of choices.
    type Source;

    /// Draws a tree, given earlier trees; `None` if the draw is rejected.
    fn tree(&self, trees: &[&T], source: &mut Self::Source) -> Option<T>;

    /// Draws a key to look up or to delete, given earlier trees and keys.
    fn known_key(&self, trees: &[&T], keys: &[i32], source: &mut Self::Source) -> i32;

    /// Draws a key to insert, given earlier trees and keys.
    fn new_key(&self, trees: &[&T], keys: &[i32], source: &mut Self::Source) -> i32;

    /// Draws a value.
    fn value(&self, source: &mut Self::Source) -> i32;
}

impl<T> Inputs<T> for Generators<T> {
    type Source = Source;

    fn tree(&self, trees: &[&T], source: &mut Source) -> Option<T> {
        let tree = (self.tree)(trees, source);
        (!source.is_rejected()).then_some(tree)
    }

    fn known_key(&self, trees: &[&T], keys: &[i32], source: &mut Source) -> i32 {
        (self.known_key)(trees, keys, source)
    }

    fn new_key(&self, trees: &[&T], keys: &[i32], source: &mut Source) -> i32 {
        (self.new_key)(trees, keys, source)
    }

    fn value(&self, source: &mut Source) -> i32 {
        source.draw(any())
    }
}

/// Draws a key to look up or delete: usually one that is present, since two random 32-bit integers are almost never
/// equal.
pub fn known_key(seen: &[i32], source: &mut Source) -> i32 {
    if seen.is_empty() { source.draw(any::<i32>()) } else { source.draw(frequency![7 => elements(seen), 1 => any()]) }
}

/// Draws a key to insert: one that is present, the successor of one (so that new nodes appear everywhere in a tree), or
/// any.
pub fn new_key(seen: &[i32], source: &mut Source) -> i32 {
    if seen.is_empty() {
        return source.draw(any());
    }
    let next = elements(seen).map(|key: i32| key.saturating_add(1));
    source.draw(frequency![1 => elements(seen), 2 => next, 1 => any()])
}

/// Draws a key for derived trees.
pub fn small_key<T>(_: &[&T], _: &[i32], source: &mut Source) -> i32 {
    source.draw(SMALL_KEYS)
}

/// Draws a key for trees drawn by the specification.
pub fn specified_key<T>(_: &[&T], _: &[i32], source: &mut Source) -> i32 {
    source.draw(SPECIFIED_KEYS)
}

/// Draws any integer.
pub fn any_key<T>(_: &[&T], _: &[i32], source: &mut Source) -> i32 {
    source.draw(any::<i32>())
}
