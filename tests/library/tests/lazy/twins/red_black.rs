//! A red-black tree in plain Rust: nothing in it is lazy.

#[derive(Clone, Copy, Debug, PartialEq, forall::Arbitrary)]
#[forall(twin)]
pub enum Color {
    Red,
    Black,
}

#[derive(Clone, Debug, forall::Arbitrary)]
#[forall(twin)]
pub enum Tree {
    Leaf,
    Node(Color, Box<Tree>, i64, Box<Tree>),
}

use Color::{Black, Red};
use Tree::{Leaf, Node};

pub fn insert(key: i64, tree: Tree, faulty: bool) -> Tree {
    match inserted(key, tree, faulty) {
        Node(_, l, v, r) => Node(Black, l, v, r),
        Leaf => unreachable!(),
    }
}

fn inserted(key: i64, tree: Tree, faulty: bool) -> Tree {
    match tree {
        Leaf => Node(Red, Box::new(Leaf), key, Box::new(Leaf)),
        Node(c, l, v, r) if key < v => balance(c, Box::new(inserted(key, *l, faulty)), v, r, faulty),
        Node(c, l, v, r) if key > v => balance(c, l, v, Box::new(inserted(key, *r, faulty)), faulty),
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

/// With the fault of Lazy SmallCheck's benchmark: two subtrees are swapped.
fn balance(c: Color, l: Box<Tree>, v: i64, r: Box<Tree>, faulty: bool) -> Tree {
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
            let (b, c) = if faulty { (c, b) } else { (b, c) };
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

pub fn is_red_black(tree: &TreeTwin) -> bool {
    is_ordered(tree) && blacks(tree).is_some() && has_no_red_pair(tree)
}

/// The invariants over the plain tree, to check the result.
pub fn is_valid(tree: &Tree) -> bool {
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
