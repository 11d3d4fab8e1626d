//! The generators of red-black trees, one set per strategy. None of them calls the code under test.

use super::tree::Colour::{Black, Red};
use super::tree::{Colour, Entry, NodeOf, Tree};
use crate::search_tree::{self, Generators, MOST_ENTRIES, SPECIFIED_KEYS, any_key, small_key, specified_key};
use crate::strategy::{Strategy, derived_size};
use forall::prelude::*;
use std::cmp::Ordering::{Equal, Greater, Less};

/// The generators of a strategy.
pub fn generators(strategy: Strategy) -> &'static Generators<Tree> {
    match strategy {
        Strategy::Type | Strategy::Fuzzing => &Generators { tree: derived, known_key: small_key, new_key: small_key },
        Strategy::Specification => &Generators { tree: specified, known_key: specified_key, new_key: specified_key },
        Strategy::Bespoke => &Generators { tree: inserted, known_key, new_key },
        Strategy::Plain => &Generators { tree: inserted, known_key: any_key, new_key: any_key },
    }
}

/// Any tree: very few are red-black trees.
fn derived(_: &[&Tree], source: &mut Source) -> Tree {
    source.draw(any().scale(derived_size))
}

/// A tree by the inference rules of the colours, the heights and the order, for a black height up to 3. The rules do
/// not look ahead, so they may leave no key for a node that the height requires: then the test is discarded.
fn specified(_: &[&Tree], source: &mut Source) -> Tree {
    const GREATEST_HEIGHT: u32 = 3;
    fn between(low: i32, high: i32, parent: Colour, height: u32, source: &mut Source) -> Tree {
        let colour = match (height, parent) {
            // The children of a red node are black or empty.
            (0, Red) => return Tree::Empty,
            (_, Red) => Black,
            (0, Black) if source.draw(any()) => return Tree::Empty,
            (0, Black) => Red,
            (_, Black) => source.draw(any()),
        };
        if low > high {
            source.reject();
            return Tree::Empty;
        }
        let key = source.draw(low..=high);
        let below = if colour == Black { height - 1 } else { height };
        let left = between(low, key - 1, colour, below, source);
        let right = between(key + 1, high, colour, below, source);
        Tree::node(colour, left, Entry { key, value: source.draw(any()) }, right)
    }
    let height = source.draw(0..=GREATEST_HEIGHT);
    // As if under a red node: the root is black.
    between(*SPECIFIED_KEYS.start(), *SPECIFIED_KEYS.end(), Red, height, source)
}

fn known_key(trees: &[&Tree], loose: &[i32], source: &mut Source) -> i32 {
    search_tree::known_key(&keys(trees, loose), source)
}

fn new_key(trees: &[&Tree], loose: &[i32], source: &mut Source) -> i32 {
    search_tree::new_key(&keys(trees, loose), source)
}

/// Returns the keys of the trees, and the others.
pub fn keys(trees: &[&Tree], others: &[i32]) -> Vec<i32> {
    let mut keys = others.to_vec();
    for tree in trees {
        add_keys(tree, &mut keys);
    }
    keys
}

fn add_keys(tree: &Tree, keys: &mut Vec<i32>) {
    if let Tree::Node(node) = tree {
        add_keys(&node.left, keys);
        keys.push(node.entry.key);
        add_keys(&node.right, keys);
    }
}

/// A tree of entries inserted one after the other.
fn inserted(_: &[&Tree], source: &mut Source) -> Tree {
    from_entries(source.draw(vec((any(), any())).len(0..=MOST_ENTRIES)))
}

/// Returns a red-black tree with these entries; of equal keys, the last one wins.
pub fn from_entries(entries: Vec<(i32, i32)>) -> Tree {
    let mut tree = Tree::Empty;
    for (key, value) in entries {
        add(&mut tree, Entry { key, value });
        if let Tree::Node(root) = &mut tree {
            root.colour = Black;
        }
    }
    tree
}

fn add(tree: &mut Tree, entry: Entry) {
    let Tree::Node(node) = tree else {
        *tree = Tree::node(Red, Tree::Empty, entry, Tree::Empty);
        return;
    };
    match entry.key.cmp(&node.entry.key) {
        Less => add(&mut node.left, entry),
        Equal => node.entry = entry,
        Greater => add(&mut node.right, entry),
    }
    if node.colour == Black {
        repair(node);
    }
}

/// If a red child of this black node has a red child, rearranges them into a red node with two black children. Uses
/// rotations, to share nothing with the code under test.
fn repair(node: &mut Box<NodeOf>) {
    let is_red = |tree: &Tree| tree.colour() == Red;
    if let Tree::Node(left) = &mut node.left
        && left.colour == Red
    {
        if is_red(&left.right) {
            rotate_left(left);
        }
        if is_red(&left.left) {
            rotate_right(node);
            paint(node);
            return;
        }
    }
    if let Tree::Node(right) = &mut node.right
        && right.colour == Red
    {
        if is_red(&right.left) {
            rotate_right(right);
        }
        if is_red(&right.right) {
            rotate_left(node);
            paint(node);
        }
    }
}

/// Makes the right child the parent.
fn rotate_left(node: &mut Box<NodeOf>) {
    if let Tree::Node(mut right) = std::mem::take(&mut node.right) {
        node.right = std::mem::take(&mut right.left);
        std::mem::swap(node, &mut right);
        node.left = Tree::Node(right);
    }
}

/// Makes the left child the parent.
fn rotate_right(node: &mut Box<NodeOf>) {
    if let Tree::Node(mut left) = std::mem::take(&mut node.left) {
        node.left = std::mem::take(&mut left.right);
        std::mem::swap(node, &mut left);
        node.right = Tree::Node(left);
    }
}

/// Colours the node red and its children black.
fn paint(node: &mut NodeOf) {
    node.colour = Red;
    for child in [&mut node.left, &mut node.right] {
        if let Tree::Node(child) = child {
            child.colour = Black;
        }
    }
}
