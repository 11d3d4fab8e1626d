//! Skew heaps: merging two keeps the order. Both parameters have a precondition.

use super::Pair;
use forall::lazy::Lazy;
use forall::prelude::*;

pub const PAIR: Pair = Pair {
    name: "skew heap",
    twin: || Box::new(merge_keeps_the_order::property()),
    by_hand: || {
        Box::new(property! {
            forall a: Lazy<LazyHeap>;
            implies lazy_is_ordered(a, 0);
            forall b: Lazy<LazyHeap>;
            implies lazy_is_ordered(b, 0);
            check lazy_is_ordered(&lazy_merge(a, b), 0)
        })
    },
    depths: (6, 12),
};

#[derive(Arbitrary, Clone, Debug)]
#[forall(twin)]
struct Heap {
    root: Option<Box<Node>>,
}

#[derive(Arbitrary, Clone, Debug)]
#[forall(twin)]
struct Node {
    value: bool,
    left: Heap,
    right: Heap,
}

fn merge(a: Heap, b: Heap) -> Heap {
    match (a.root, b.root) {
        (None, root) | (root, None) => Heap { root },
        (Some(x), Some(y)) => {
            let (top, other) = if x.value <= y.value { (x, y) } else { (y, x) };
            let Node { value, left, right } = *top;
            let left_below = merge(right, Heap { root: Some(other) });
            Heap { root: Some(Box::new(Node { value, left: left_below, right: left })) }
        }
    }
}

fn is_ordered(heap: &Heap, least: u8) -> bool {
    heap.root.as_ref().is_none_or(|node| {
        let value = u8::from(node.value);
        least <= value && is_ordered(&node.left, value) && is_ordered(&node.right, value)
    })
}

fn twin_is_ordered(heap: &HeapTwin, least: u8) -> bool {
    heap.root.as_ref().is_none_or(|node| {
        let value = u8::from(*node.value);
        least <= value && twin_is_ordered(&node.left, value) && twin_is_ordered(&node.right, value)
    })
}

#[forall::property(runner = exhaustive)]
fn merge_keeps_the_order(
    #[forall(given = |a| twin_is_ordered(a, 0))] a: Heap,
    #[forall(given = |b| twin_is_ordered(b, 0))] b: Heap,
) -> bool {
    is_ordered(&merge(a, b), 0)
}

#[derive(Arbitrary, Clone, Debug)]
struct LazyHeap {
    root: Lazy<Option<Lazy<LazyNode>>>,
}

#[derive(Arbitrary, Clone, Debug)]
struct LazyNode {
    value: Lazy<bool>,
    left: Lazy<LazyHeap>,
    right: Lazy<LazyHeap>,
}

fn lazy_merge(a: &LazyHeap, b: &LazyHeap) -> LazyHeap {
    match (&*a.root, &*b.root) {
        (None, _) => b.clone(),
        (_, None) => a.clone(),
        (Some(x), Some(y)) => {
            let (top, other) = if x.value <= y.value { (x, y) } else { (y, x) };
            let other = LazyHeap { root: Lazy::new(Some(other.clone())) };
            let left = Lazy::new(lazy_merge(&top.right, &other));
            let node = LazyNode { value: top.value.clone(), left, right: top.left.clone() };
            LazyHeap { root: Lazy::new(Some(Lazy::new(node))) }
        }
    }
}

fn lazy_is_ordered(heap: &LazyHeap, least: u8) -> bool {
    heap.root.as_ref().is_none_or(|node| {
        let value = u8::from(*node.value);
        least <= value && lazy_is_ordered(&node.left, value) && lazy_is_ordered(&node.right, value)
    })
}
