//! A red-black tree as one would write it: nothing in it is lazy. The rewrite is `redblack_repaired`.

use super::Pair;
use crate::programs::red_black;

pub const PAIR: Pair = Pair {
    name: "red-black tree",
    twin: || Box::new(insert_keeps_the_invariants::property()),
    by_hand: red_black::REPAIRED.property,
    depths: (3, 4),
};

#[forall::property(runner = exhaustive)]
fn insert_keeps_the_invariants(k: i64, #[forall(given = is_red_black)] t: Tree) -> bool {
    is_valid(&insert(k, t))
}

#[derive(Clone, Copy, Debug, PartialEq, forall::Arbitrary)]
#[forall(twin)]
enum Color {
    Red,
    Black,
}

#[derive(Clone, Debug, forall::Arbitrary)]
#[forall(twin)]
enum Tree {
    Leaf,
    Node(Color, Box<Tree>, i64, Box<Tree>),
}

use Color::{Black, Red};
use Tree::{Leaf, Node};

fn insert(key: i64, tree: Tree) -> Tree {
    match inserted(key, tree) {
        Node(_, l, v, r) => Node(Black, l, v, r),
        Leaf => unreachable!(),
    }
}

fn inserted(key: i64, tree: Tree) -> Tree {
    match tree {
        Leaf => Node(Red, Box::new(Leaf), key, Box::new(Leaf)),
        Node(c, l, v, r) if key < v => balance(c, Box::new(inserted(key, *l)), v, r),
        Node(c, l, v, r) if key > v => balance(c, l, v, Box::new(inserted(key, *r))),
        same => same,
    }
}

fn parts(tree: Tree) -> (Box<Tree>, i64, Box<Tree>) {
    match tree {
        Node(_, l, v, r) => (l, v, r),
        Leaf => unreachable!(),
    }
}

fn is_red(tree: &Tree) -> bool {
    matches!(tree, Node(Red, ..))
}

fn balance(c: Color, l: Box<Tree>, v: i64, r: Box<Tree>) -> Tree {
    let up = |a, x, b, y, c, z, d| Node(Red, Box::new(Node(Black, a, x, b)), y, Box::new(Node(Black, c, z, d)));
    match (c, &*l, &*r) {
        (Black, Node(Red, ll, ..), _) if is_red(ll) => {
            let (ll, y, lr) = parts(*l);
            let (a, x, b) = parts(*ll);
            up(a, x, b, y, lr, v, r)
        }
        (Black, Node(Red, _, _, lr), _) if is_red(lr) => {
            let (ll, y, lr) = parts(*l);
            let (b, z, c) = parts(*lr);
            up(ll, y, b, z, c, v, r)
        }
        (Black, _, Node(Red, rl, ..)) if is_red(rl) => {
            let (rl, z, rr) = parts(*r);
            let (b, y, c) = parts(*rl);
            up(l, v, b, y, c, z, rr)
        }
        (Black, _, Node(Red, _, _, rr)) if is_red(rr) => {
            let (rl, z, rr) = parts(*r);
            let (c, w, d) = parts(*rr);
            up(l, v, rl, z, c, w, d)
        }
        _ => Node(c, l, v, r),
    }
}

fn every(tree: &TreeTwin, holds: &dyn Fn(i64) -> bool) -> bool {
    match tree {
        TreeTwin::Leaf => true,
        TreeTwin::Node(_, l, v, r) => holds(**v) && every(l, holds) && every(r, holds),
    }
}

fn is_ordered(tree: &TreeTwin) -> bool {
    match tree {
        TreeTwin::Leaf => true,
        TreeTwin::Node(_, l, v, r) => {
            every(l, &|o| o <= **v) && every(r, &|o| o >= **v) && is_ordered(l) && is_ordered(r)
        }
    }
}

fn is_black(tree: &TreeTwin) -> bool {
    !matches!(tree, TreeTwin::Node(c, ..) if **c == Red)
}

fn blacks(tree: &TreeTwin) -> Option<u32> {
    match tree {
        TreeTwin::Leaf => Some(0),
        TreeTwin::Node(_, l, _, r) => {
            let (left, right) = (blacks(l)?, blacks(r)?);
            let height = left + u32::from(is_black(l));
            (height == right + u32::from(is_black(r))).then_some(height)
        }
    }
}

fn has_no_red_pair(tree: &TreeTwin) -> bool {
    match tree {
        TreeTwin::Leaf => true,
        TreeTwin::Node(c, l, _, r) => {
            (**c == Black || is_black(l) && is_black(r)) && has_no_red_pair(l) && has_no_red_pair(r)
        }
    }
}

fn is_red_black(tree: &TreeTwin) -> bool {
    is_ordered(tree) && blacks(tree).is_some() && has_no_red_pair(tree)
}

/// The same over the plain tree, for the result.
fn is_valid(tree: &Tree) -> bool {
    fn heights(tree: &Tree, low: i64, high: i64, under_red: bool) -> Option<u32> {
        match tree {
            Leaf => Some(0),
            Node(Red, ..) if under_red => None,
            Node(c, l, v, r) => {
                let is_red = *c == Red;
                let (left, right) = (heights(l, low, *v, is_red)?, heights(r, *v, high, is_red)?);
                (low <= *v && *v <= high && left == right).then_some(left + u32::from(!is_red))
            }
        }
    }
    heights(tree, i64::MIN, i64::MAX, false).is_some()
}
