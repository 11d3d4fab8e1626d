//! The generators of binary search trees, one set per strategy. None of them calls the code under test.

use super::tree::{Node, Tree};
use crate::search_tree::{self, Generators, MOST_ENTRIES, SPECIFIED_KEYS, any_key, small_key, specified_key};
use crate::strategy::{Strategy, derived_size};
use forall::prelude::*;
use std::cmp::Ordering::{Equal, Greater, Less};

/// The generators of a strategy.
pub fn generators(strategy: Strategy) -> &'static Generators<Tree> {
    match strategy {
        Strategy::Type | Strategy::Fuzzing => &Generators { tree: derived, known_key: small_key, new_key: small_key },
        Strategy::Specification => &Generators { tree: specified, known_key: specified_key, new_key: specified_key },
        Strategy::Bespoke => &Generators { tree: bespoke, known_key, new_key },
        Strategy::Plain => &Generators { tree: plain, known_key: any_key, new_key: any_key },
    }
}

/// Any tree: few of them are search trees.
fn derived(_: &[&Tree], source: &mut Source) -> Tree {
    source.draw(any().scale(derived_size))
}

/// A tree by the inference rules of the order: an empty tree is between any two keys; a node is, if its key is, its
/// left tree is between the lower bound and the key, and its right tree is between the key and the upper bound.
fn specified(_: &[&Tree], source: &mut Source) -> Tree {
    const DEPTH: u32 = 10;
    fn between(low: i32, high: i32, depth: u32, source: &mut Source) -> Tree {
        // A node is likelier the deeper the tree may still get.
        if low > high || source.draw(0..=depth) == 0 {
            return Tree::Empty;
        }
        let key = source.draw(low..=high);
        let left = between(low, key - 1, depth - 1, source);
        let right = between(key + 1, high, depth - 1, source);
        Tree::node(left, key, source.draw(any()), right)
    }
    between(*SPECIFIED_KEYS.start(), *SPECIFIED_KEYS.end(), DEPTH, source)
}

/// A tree of entries inserted one after the other, some with a key of an earlier tree.
fn bespoke(trees: &[&Tree], source: &mut Source) -> Tree {
    let seen = keys(trees, &[]);
    let key = from_fn(|source| search_tree::new_key(&seen, source));
    from_entries(source.draw(vec((key, any())).len(0..=MOST_ENTRIES)))
}

fn known_key(trees: &[&Tree], loose: &[i32], source: &mut Source) -> i32 {
    search_tree::known_key(&keys(trees, loose), source)
}

fn new_key(trees: &[&Tree], loose: &[i32], source: &mut Source) -> i32 {
    search_tree::new_key(&keys(trees, loose), source)
}

/// A tree of entries inserted one after the other.
fn plain(_: &[&Tree], source: &mut Source) -> Tree {
    from_entries(source.draw(vec((any(), any())).len(0..=MOST_ENTRIES)))
}

/// Returns the keys of the trees, and the others.
pub fn keys(trees: &[&Tree], others: &[i32]) -> Vec<i32> {
    fn add(tree: &Tree, keys: &mut Vec<i32>) {
        if let Tree::Node(node) = tree {
            add(&node.left, keys);
            keys.push(node.key);
            add(&node.right, keys);
        }
    }
    let mut keys = others.to_vec();
    for tree in trees {
        add(tree, &mut keys);
    }
    keys
}

/// Returns the search tree with these entries; of equal keys, the last one wins.
pub fn from_entries(entries: Vec<(i32, i32)>) -> Tree {
    fn add(tree: &mut Tree, key: i32, value: i32) {
        let Tree::Node(node) = tree else {
            *tree = Tree::single(key, value);
            return;
        };
        let Node { left, key: here, value: old, right } = &mut **node;
        match key.cmp(here) {
            Less => add(left, key, value),
            Equal => *old = value,
            Greater => add(right, key, value),
        }
    }
    let mut tree = Tree::Empty;
    for (key, value) in entries {
        add(&mut tree, key, value);
    }
    tree
}
