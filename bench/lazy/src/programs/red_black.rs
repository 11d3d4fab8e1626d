//! Okasaki's red-black trees, with a fault in their balancing.

use crate::Program;
use forall::lazy::Lazy;
use forall::prelude::*;
use std::cmp::Ordering;

/// Inserting keeps the invariants; it does not, since a clause of `balance` has two subtrees in each other's place.
pub const FAULTY: Program = Program {
    name: "redblack",
    property: || {
        Box::new(
            property! { forall x: Lazy<i64>; forall t: T; implies is_red_black(t); check is_red_black(&insert(x, t, true)) },
        )
    },
    recorded: &[4, 21, 136, 3050, 19910],
    fails_at: Some(4),
    counterexample: &[
        "-1",
        "Node(B, Node(B, Leaf, -2, Leaf), -2, Node(R, Node(B, Node(R, Leaf, 0, Leaf), 0, Leaf), 0, Node(B, Leaf, 0, Leaf)))",
    ],
    space: Some((4, 1.2e11)),
    suite: None,
};

/// The same without the fault.
pub const REPAIRED: Program = Program {
    name: "redblack_repaired",
    property: || {
        Box::new(
            property! { forall x: Lazy<i64>; forall t: T; implies is_red_black(t); check is_red_black(&insert(x, t, false)) },
        )
    },
    recorded: &[4, 21, 136, 3050, 656211],
    fails_at: None,
    counterexample: &[],
    space: Some((4, 1.2e11)),
    suite: Some((4, 879.0)),
};

#[derive(Arbitrary, Clone, Copy, Debug, PartialEq)]
enum Colour {
    R,
    B,
}

use Colour::{B, R};

#[derive(Arbitrary, Debug)]
enum Tree {
    Leaf,
    Node(Lazy<Colour>, T, Lazy<i64>, T),
}

use Tree::{Leaf, Node};

type T = Lazy<Tree>;

impl Clone for Tree {
    fn clone(&self) -> Self {
        match self {
            Leaf => Leaf,
            Node(colour, left, value, right) => Node(colour.clone(), left.clone(), value.clone(), right.clone()),
        }
    }
}

fn insert(value: &Lazy<i64>, tree: &T, faulty: bool) -> Tree {
    match insert_below(value, tree, faulty) {
        Node(_, left, value, right) => Node(Lazy::new(B), left, value, right),
        Leaf => unreachable!("a value was inserted"),
    }
}

fn insert_below(value: &Lazy<i64>, tree: &T, faulty: bool) -> Tree {
    match &**tree {
        Leaf => Node(Lazy::new(R), tree.clone(), value.clone(), tree.clone()),
        Node(colour, left, own, right) => match value.cmp(own) {
            Ordering::Less => balance(colour, Lazy::new(insert_below(value, left, faulty)), own, right.clone(), faulty),
            Ordering::Greater => {
                balance(colour, left.clone(), own, Lazy::new(insert_below(value, right, faulty)), faulty)
            }
            Ordering::Equal => (**tree).clone(),
        },
    }
}

/// The parts of a red node.
fn red(tree: &Tree) -> Option<(&T, &Lazy<i64>, &T)> {
    match tree {
        Node(colour, left, value, right) if **colour == R => Some((left, value, right)),
        _ => None,
    }
}

fn balance(colour: &Lazy<Colour>, left: T, value: &Lazy<i64>, right: T, faulty: bool) -> Tree {
    if **colour == B {
        if let Some((ll, y, lr)) = red(&left) {
            if let Some((a, x, b)) = red(ll) {
                return balanced(a, x, b, y, lr, value, &right);
            }
            if let Some((b, z, c)) = red(lr) {
                return balanced(ll, y, b, z, c, value, &right);
            }
        }
        if let Some((rl, z, rr)) = red(&right) {
            if let Some((b, y, c)) = red(rl) {
                let (b, c) = if faulty { (c, b) } else { (b, c) };
                return balanced(&left, value, b, y, c, z, rr);
            }
            if let Some((c, w, d)) = red(rr) {
                return balanced(&left, value, rl, z, c, w, d);
            }
        }
    }
    Node(colour.clone(), left, value.clone(), right)
}

/// A red node with two black ones below.
fn balanced(a: &T, x: &Lazy<i64>, b: &T, y: &Lazy<i64>, c: &T, z: &Lazy<i64>, d: &T) -> Tree {
    let black = |left: &T, value: &Lazy<i64>, right: &T| {
        Lazy::new(Node(Lazy::new(B), left.clone(), value.clone(), right.clone()))
    };
    Node(Lazy::new(R), black(a, x, b), y.clone(), black(c, z, d))
}

fn is_red_black(tree: &Tree) -> bool {
    is_ordered(tree) && is_black_balanced(tree) && has_no_red_pair(tree)
}

fn has_no_red_pair(tree: &Tree) -> bool {
    let Node(colour, left, _, right) = tree else { return true };
    let has_black_root = |tree: &Tree| matches!(tree, Leaf) || matches!(tree, Node(colour, ..) if **colour == B);
    (**colour == B || has_black_root(left) && has_black_root(right)) && has_no_red_pair(left) && has_no_red_pair(right)
}

fn is_black_balanced(tree: &Tree) -> bool {
    black_nodes_below(tree).is_some()
}

/// How many black nodes there are on each path below a node, if they are the same on all. Whether the node itself is black
/// is not looked at before its sibling is known to be balanced.
fn black_nodes_below(tree: &Tree) -> Option<u32> {
    let Node(_, left, _, right) = tree else { return Some(0) };
    let (below_left, below_right) = (black_nodes_below(left)?, black_nodes_below(right)?);
    let own = |tree: &Tree| matches!(tree, Leaf) || matches!(tree, Node(colour, ..) if **colour == B);
    let nodes = below_left + u32::from(own(left));
    (nodes == below_right + u32::from(own(right))).then_some(nodes)
}

fn every(tree: &Tree, holds: impl Fn(i64) -> bool + Copy) -> bool {
    match tree {
        Leaf => true,
        Node(_, left, value, right) => holds(**value) && every(left, holds) && every(right, holds),
    }
}

fn is_ordered(tree: &Tree) -> bool {
    let Node(_, left, value, right) = tree else { return true };
    every(left, |other| other <= **value)
        && every(right, |other| other >= **value)
        && is_ordered(left)
        && is_ordered(right)
}
