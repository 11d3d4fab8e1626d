//! The program under test: binary search trees in functional style, with eight mutants.

use crate::mutant::mutants;
use forall::Arbitrary;
use std::cmp::Ordering::{Equal, Greater, Less};

/// The range of keys in derived trees, as in the measurements of other tools.
pub const SMALL_KEYS: std::ops::RangeInclusive<i32> = -20..=20;

/// A binary tree of keys and values. A search tree if [`is_bst`] holds.
#[derive(Arbitrary, Clone, Debug, Default, PartialEq, Eq)]
pub enum Tree {
    /// No entries.
    #[default]
    Empty,
    /// An entry with two subtrees.
    Node(Box<Node>),
}

/// An entry, and the subtrees of smaller and greater keys.
#[derive(Arbitrary, Clone, Debug, PartialEq, Eq)]
pub struct Node {
    /// The tree of smaller keys.
    pub left: Tree,
    /// The key.
    #[forall(with = SMALL_KEYS)]
    pub key: i32,
    /// The value of the key.
    pub value: i32,
    /// The tree of greater keys.
    pub right: Tree,
}

mutants! {
    /// Inserting into a tree discards the tree.
    Insert1 = "insert_1",
    /// A greater key overwrites the value of the node.
    Insert2 = "insert_2",
    /// An equal key does not change the value.
    Insert3 = "insert_3",
    /// Deleting below a node discards the node and its other side.
    Delete4 = "delete_4",
    /// Deletion searches for greater keys on the left, and for smaller ones on the right.
    Delete5 = "delete_5",
    /// The union does not compare keys.
    Union6 = "union_6",
    /// The union compares the keys of the roots only.
    Union7 = "union_7",
    /// The union prefers values of the left tree only if its root is not the greater one.
    Union8 = "union_8",
}

impl Tree {
    /// Returns a node with an entry and two subtrees.
    pub fn node(left: Tree, key: i32, value: i32, right: Tree) -> Self {
        Tree::Node(Box::new(Node { left, key, value, right }))
    }

    /// Returns a tree with one entry.
    pub fn single(key: i32, value: i32) -> Self {
        Self::node(Tree::Empty, key, value, Tree::Empty)
    }

    /// Returns the value of a key.
    pub fn find(&self, key: i32) -> Option<i32> {
        match self {
            Tree::Empty => None,
            Tree::Node(node) => match key.cmp(&node.key) {
                Less => node.left.find(key),
                Equal => Some(node.value),
                Greater => node.right.find(key),
            },
        }
    }

    /// Returns the entries in the order of the tree.
    pub fn entries(&self) -> Vec<(i32, i32)> {
        fn add(tree: &Tree, entries: &mut Vec<(i32, i32)>) {
            if let Tree::Node(node) = tree {
                add(&node.left, entries);
                entries.push((node.key, node.value));
                add(&node.right, entries);
            }
        }
        let mut entries = Vec::new();
        add(self, &mut entries);
        entries
    }
}

/// Returns whether every key is greater than all keys on its left and smaller than all on its right.
pub fn is_bst(tree: &Tree) -> bool {
    fn between(tree: &Tree, low: Option<i32>, high: Option<i32>) -> bool {
        let Tree::Node(node) = tree else { return true };
        low.is_none_or(|low| low < node.key)
            && high.is_none_or(|high| node.key < high)
            && between(&node.left, low, Some(node.key))
            && between(&node.right, Some(node.key), high)
    }
    between(tree, None, None)
}

/// Adds an entry, or replaces the value of its key.
pub fn insert(key: i32, value: i32, tree: Tree) -> Tree {
    let Tree::Node(mut node) = tree else { return Tree::single(key, value) };
    if Mutant::Insert1.is_on() {
        return Tree::single(key, value);
    }
    match key.cmp(&node.key) {
        Less => node.left = insert(key, value, node.left),
        Greater if !Mutant::Insert2.is_on() => node.right = insert(key, value, node.right),
        Equal if Mutant::Insert3.is_on() => {}
        Equal | Greater => node.value = value,
    }
    Tree::Node(node)
}

/// Removes a key.
pub fn delete(key: i32, tree: Tree) -> Tree {
    let Tree::Node(mut node) = tree else { return Tree::Empty };
    let side = key.cmp(&node.key);
    let side = if Mutant::Delete5.is_on() { side.reverse() } else { side };
    match side {
        Less if Mutant::Delete4.is_on() => return delete(key, node.left),
        Greater if Mutant::Delete4.is_on() => return delete(key, node.right),
        Less => node.left = delete(key, node.left),
        Greater => node.right = delete(key, node.right),
        Equal => return join(node.left, node.right),
    }
    Tree::Node(node)
}

/// Joins two trees; all keys of the first must be smaller than those of the second.
fn join(left: Tree, right: Tree) -> Tree {
    match (left, right) {
        (Tree::Empty, tree) | (tree, Tree::Empty) => tree,
        (Tree::Node(mut left), Tree::Node(mut right)) => {
            right.left = join(left.right, right.left);
            left.right = Tree::Node(right);
            Tree::Node(left)
        }
    }
}

/// Returns the entries of both trees; for keys in both, the value of the first tree.
pub fn union(first: Tree, second: Tree) -> Tree {
    match (first, second) {
        (Tree::Empty, tree) | (tree, Tree::Empty) => tree,
        (Tree::Node(first), Tree::Node(second)) => {
            if Mutant::Union6.is_on() {
                union_without_comparing(first, second)
            } else if Mutant::Union7.is_on() || Mutant::Union8.is_on() {
                union_by_roots(first, second)
            } else {
                let Node { left, key, value, right } = *first;
                let second = Tree::Node(second);
                Tree::node(union(left, below(key, second.clone())), key, value, union(right, above(key, second)))
            }
        }
    }
}

/// The mutant `union_6`.
fn union_without_comparing(mut first: Box<Node>, mut second: Box<Node>) -> Tree {
    second.left = union(first.right, second.left);
    first.right = Tree::Node(second);
    Tree::Node(first)
}

/// The mutants `union_7` and `union_8`.
fn union_by_roots(mut first: Box<Node>, mut second: Box<Node>) -> Tree {
    match first.key.cmp(&second.key) {
        Equal => {
            first.left = union(first.left, second.left);
            first.right = union(first.right, second.right);
            Tree::Node(first)
        }
        Less if Mutant::Union7.is_on() => union_without_comparing(first, second),
        Less => {
            first.left = union(first.left, below(first.key, second.left.clone()));
            second.left = above(first.key, second.left);
            first.right = union(first.right, Tree::Node(second));
            Tree::Node(first)
        }
        Greater => union(Tree::Node(second), Tree::Node(first)),
    }
}

/// Returns the part of a tree with smaller keys.
fn below(key: i32, tree: Tree) -> Tree {
    let Tree::Node(mut node) = tree else { return Tree::Empty };
    if key <= node.key {
        return below(key, node.left);
    }
    node.right = below(key, node.right);
    Tree::Node(node)
}

/// Returns the part of a tree with greater keys.
fn above(key: i32, tree: Tree) -> Tree {
    let Tree::Node(mut node) = tree else { return Tree::Empty };
    if key >= node.key {
        return above(key, node.right);
    }
    node.left = above(key, node.left);
    Tree::Node(node)
}
