//! A binary search tree: removing keeps the order.

use super::Pair;
use forall::lazy::Lazy;
use forall::prelude::*;

pub const PAIR: Pair = Pair {
    name: "search tree",
    twin: || Box::new(remove_keeps_the_order::property()),
    by_hand: || {
        Box::new(property! {
            forall k: Lazy<i64>;
            forall t: Lazy<LazyTree>;
            implies lazy_is_ordered(t, None, None);
            check lazy_is_ordered(&lazy_remove(k, t), None, None)
        })
    },
    depths: (3, 4),
};

#[derive(Arbitrary, Clone, Debug)]
#[forall(twin)]
enum Tree {
    Leaf,
    Node(Box<Tree>, i64, Box<Tree>),
}

fn remove(key: i64, tree: Tree) -> Tree {
    match tree {
        Tree::Leaf => Tree::Leaf,
        Tree::Node(l, k, r) if key < k => Tree::Node(Box::new(remove(key, *l)), k, r),
        Tree::Node(l, k, r) if key > k => Tree::Node(l, k, Box::new(remove(key, *r))),
        Tree::Node(l, _, r) => join(*l, *r),
    }
}

fn join(left: Tree, right: Tree) -> Tree {
    match left {
        Tree::Leaf => right,
        Tree::Node(l, k, r) => Tree::Node(l, k, Box::new(join(*r, right))),
    }
}

fn is_ordered(tree: &Tree, low: Option<i64>, high: Option<i64>) -> bool {
    match tree {
        Tree::Leaf => true,
        Tree::Node(l, k, r) => {
            is_between(*k, low, high) && is_ordered(l, low, Some(*k)) && is_ordered(r, Some(*k), high)
        }
    }
}

fn is_between(key: i64, low: Option<i64>, high: Option<i64>) -> bool {
    low.is_none_or(|low| low < key) && high.is_none_or(|high| key < high)
}

fn twin_is_ordered(tree: &TreeTwin, low: Option<i64>, high: Option<i64>) -> bool {
    match tree {
        TreeTwin::Leaf => true,
        TreeTwin::Node(l, k, r) => {
            is_between(**k, low, high) && twin_is_ordered(l, low, Some(**k)) && twin_is_ordered(r, Some(**k), high)
        }
    }
}

#[forall::property(runner = exhaustive)]
fn remove_keeps_the_order(k: i64, #[forall(given = |t| twin_is_ordered(t, None, None))] t: Tree) -> bool {
    is_ordered(&remove(k, t), None, None)
}

#[derive(Arbitrary, Clone, Debug)]
enum LazyTree {
    Leaf,
    Node(Lazy<LazyTree>, Lazy<i64>, Lazy<LazyTree>),
}

fn lazy_remove(key: &Lazy<i64>, tree: &Lazy<LazyTree>) -> Lazy<LazyTree> {
    match &**tree {
        LazyTree::Leaf => tree.clone(),
        LazyTree::Node(l, k, r) if **key < **k => Lazy::new(LazyTree::Node(lazy_remove(key, l), k.clone(), r.clone())),
        LazyTree::Node(l, k, r) if **key > **k => Lazy::new(LazyTree::Node(l.clone(), k.clone(), lazy_remove(key, r))),
        LazyTree::Node(l, _, r) => lazy_join(l, r),
    }
}

fn lazy_join(left: &Lazy<LazyTree>, right: &Lazy<LazyTree>) -> Lazy<LazyTree> {
    match &**left {
        LazyTree::Leaf => right.clone(),
        LazyTree::Node(l, k, r) => Lazy::new(LazyTree::Node(l.clone(), k.clone(), lazy_join(r, right))),
    }
}

fn lazy_is_ordered(tree: &LazyTree, low: Option<i64>, high: Option<i64>) -> bool {
    match tree {
        LazyTree::Leaf => true,
        LazyTree::Node(l, k, r) => {
            is_between(**k, low, high) && lazy_is_ordered(l, low, Some(**k)) && lazy_is_ordered(r, Some(**k), high)
        }
    }
}
