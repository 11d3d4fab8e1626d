//! Code shared by the generators of both kinds of search trees: requests for trees, keys and values, and how each
//! strategy draws integers.

use crate::bst::tree::SMALL_KEYS;
use forall::prelude::*;
use std::ops::RangeInclusive;

/// The most entries that are inserted into a bespoke tree.
pub const MOST_ENTRIES: usize = 32;

/// The keys of trees that are drawn by the specification.
pub const SPECIFIED_KEYS: RangeInclusive<i32> = 1..=100;

/// The generators of one strategy. Each is told what the property has drawn before: other trees, and loose keys.
#[derive(Debug)]
pub struct Generators<T> {
    /// Draws a tree.
    pub tree: fn(&[&T], &mut Source) -> T,
    /// Draws a key to look for or to delete.
    pub known_key: Key<T>,
    /// Draws a key to insert.
    pub new_key: Key<T>,
}

/// Draws a key, beside trees and loose keys.
pub type Key<T> = fn(&[&T], &[i32], &mut Source) -> i32;

impl<T> Generators<T> {
    /// A tree, beside these trees.
    pub fn tree<'a>(&self, trees: &'a [&'a T]) -> impl Generator<Value = T> + 'a {
        let tree = self.tree;
        from_fn(move |source| tree(trees, source))
    }

    /// A key to look for or to delete, beside these trees and keys.
    pub fn known_key<'a>(&self, trees: &'a [&'a T], keys: &'a [i32]) -> impl Generator<Value = i32> + 'a {
        let key = self.known_key;
        from_fn(move |source| key(trees, keys, source))
    }

    /// A key to insert, beside these trees and keys.
    pub fn new_key<'a>(&self, trees: &'a [&'a T], keys: &'a [i32]) -> impl Generator<Value = i32> + 'a {
        let key = self.new_key;
        from_fn(move |source| key(trees, keys, source))
    }
}

/// The draws of the closures in `shallow.rs`: from forall, or from another tool.
pub trait Inputs<T> {
    /// Where the choices come from.
    type Source;

    /// Draws a tree, beside these; none if that led nowhere.
    fn tree(&self, trees: &[&T], source: &mut Self::Source) -> Option<T>;

    /// Draws a key to look for or to delete, beside these trees and keys.
    fn known_key(&self, trees: &[&T], keys: &[i32], source: &mut Self::Source) -> i32;

    /// Draws a key to insert, beside these trees and keys.
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

/// A key to look up or delete: usually a present one. Two integers out of four thousand million hardly ever meet by
/// chance.
pub fn known_key(seen: &[i32], source: &mut Source) -> i32 {
    if seen.is_empty() { source.draw(any::<i32>()) } else { source.draw(frequency![7 => elements(seen), 1 => any()]) }
}

/// A key to insert: a present one, a neighbour of a present one (so that all positions in a tree are equally likely),
/// or any.
pub fn new_key(seen: &[i32], source: &mut Source) -> i32 {
    if seen.is_empty() {
        return source.draw(any());
    }
    let next = elements(seen).map(|key: i32| key.saturating_add(1));
    source.draw(frequency![1 => elements(seen), 2 => next, 1 => any()])
}

/// A key of derived trees.
pub fn small_key<T>(_: &[&T], _: &[i32], source: &mut Source) -> i32 {
    source.draw(SMALL_KEYS)
}

/// A key of trees that are drawn by the specification.
pub fn specified_key<T>(_: &[&T], _: &[i32], source: &mut Source) -> i32 {
    source.draw(SPECIFIED_KEYS)
}

/// Any integer.
pub fn any_key<T>(_: &[&T], _: &[i32], source: &mut Source) -> i32 {
    source.draw(any::<i32>())
}
