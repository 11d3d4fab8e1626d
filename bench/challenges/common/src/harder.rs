//! The harder challenges, as `tests/library/tests/shrink/challenges/harder.rs` has them. Forall's order of choices makes one of several
//! equal forms the ideal; a tool with another order may end at any of them, and at the same in mirror image.

use crate::thirteen::holds;
use crate::{Challenge, Outcome};
use std::collections::BTreeSet;

/// A matrix whose numbers of rows and columns are drawn first sums to less than 1500.
pub struct NestedBinds;
impl Challenge for NestedBinds {
    type Value = Vec<Vec<u32>>;
    const NAME: &str = "nested_binds";

    fn check(rows: &Self::Value) -> Outcome {
        holds(rows.iter().flatten().sum::<u32>() < 1500)
    }

    fn ideals() -> Vec<Self::Value> {
        vec![vec![vec![501, 999]], vec![vec![999, 501]], vec![vec![501], vec![999]], vec![vec![999], vec![501]]]
    }
}

/// A square matrix has only numbers below 50 on its diagonal.
pub struct Matrix;
impl Challenge for Matrix {
    type Value = Vec<Vec<u8>>;
    const NAME: &str = "matrix";

    fn check(rows: &Self::Value) -> Outcome {
        holds(rows.iter().enumerate().all(|(i, row)| row[i] < 50))
    }

    fn ideals() -> Vec<Self::Value> {
        vec![vec![vec![50]]]
    }
}

/// The product of two vectors of one length is below 5000.
pub struct DotProduct;
impl Challenge for DotProduct {
    type Value = (Vec<u32>, Vec<u32>);
    const NAME: &str = "dot_product";

    fn check((xs, ys): &Self::Value) -> Outcome {
        holds(xs.iter().zip(ys).map(|(x, y)| x * y).sum::<u32>() < 5000)
    }

    fn ideals() -> Vec<Self::Value> {
        vec![(vec![51], vec![99]), (vec![99], vec![51])]
    }
}

/// Different keys go into different buckets.
pub struct Collision;
impl Challenge for Collision {
    type Value = (u32, u32);
    const NAME: &str = "collision";

    fn check(&(a, b): &Self::Value) -> Outcome {
        holds(a == b || a % 16 != b % 16)
    }

    fn ideals() -> Vec<Self::Value> {
        vec![(0, 16), (16, 0)]
    }
}

/// What was added can be taken away again.
pub struct Cancellation;
impl Challenge for Cancellation {
    type Value = (f64, f64);
    const NAME: &str = "cancellation";

    fn check(&(a, b): &Self::Value) -> Outcome {
        if !(a.abs() <= 1e300 && b.abs() <= 1e300) {
            return Outcome::Discarded;
        }
        holds((a + b) - a == b)
    }

    /// 1 + 2^53 is no float, and nothing smaller is none.
    fn ideals() -> Vec<Self::Value> {
        let large = 9007199254740992.0;
        vec![(1.0, large), (large, 1.0)]
    }
}

/// All numbers are whole.
pub struct Fraction;
impl Challenge for Fraction {
    type Value = f64;
    const NAME: &str = "fraction";

    fn check(x: &Self::Value) -> Outcome {
        holds(x.fract() == 0.0 || !x.is_finite())
    }

    fn ideals() -> Vec<Self::Value> {
        vec![0.5]
    }
}

/// A decoder of chunks, each a length and as many bytes, finds at most one chunk that is not empty.
pub struct Chunks;
impl Challenge for Chunks {
    type Value = Vec<u8>;
    const NAME: &str = "chunks";

    fn check(bytes: &Self::Value) -> Outcome {
        let (mut found, mut rest) = (0, &bytes[..]);
        while let Some((&length, tail)) = rest.split_first() {
            let Some(after) = tail.get(usize::from(length)..) else { break };
            found += usize::from(length > 0);
            rest = after;
        }
        holds(found < 2)
    }

    fn ideals() -> Vec<Self::Value> {
        vec![vec![1, 0, 1, 0]]
    }
}

/// The characters of [`Parses`], simplest first.
pub const SUM_CHARACTERS: [char; 11] = ['0', '1', '2', '3', '4', '5', '6', '7', '8', '9', '+'];

/// Texts that are sums are below 10.
pub struct Parses;
impl Challenge for Parses {
    type Value = String;
    const NAME: &str = "parses";

    fn check(text: &Self::Value) -> Outcome {
        let sum = text.split('+').try_fold(0u64, |sum, number| sum.checked_add(number.parse().ok()?));
        holds(sum.is_none_or(|sum| sum < 10))
    }

    fn ideals() -> Vec<Self::Value> {
        vec!["10".into()]
    }
}

/// A search tree of numbers below 100.
#[derive(Clone, Debug, PartialEq)]
pub struct Tree {
    pub key: u32,
    pub left: Option<Box<Tree>>,
    pub right: Option<Box<Tree>>,
}

impl Tree {
    pub fn new(key: u32, left: Option<Box<Tree>>, right: Option<Box<Tree>>) -> Option<Box<Tree>> {
        Some(Box::new(Tree { key, left, right }))
    }
}

fn height(tree: &Option<Box<Tree>>) -> u32 {
    tree.as_ref().map_or(0, |tree| 1 + height(&tree.left).max(height(&tree.right)))
}

/// Search trees are not higher than 2.
pub struct SearchTree;
impl Challenge for SearchTree {
    type Value = Option<Box<Tree>>;
    const NAME: &str = "search_tree";

    fn check(tree: &Self::Value) -> Outcome {
        holds(height(tree) < 3)
    }

    /// The chains of 0, 1 and 2.
    fn ideals() -> Vec<Self::Value> {
        let leaf = |key| Tree::new(key, None, None);
        vec![
            Tree::new(0, None, Tree::new(1, None, leaf(2))),
            Tree::new(0, None, Tree::new(2, leaf(1), None)),
            Tree::new(2, Tree::new(0, None, leaf(1)), None),
            Tree::new(2, Tree::new(1, leaf(0), None), None),
        ]
    }
}

/// Graphs, as the successors of each node, have no cycle of several nodes.
pub struct Graph;
impl Challenge for Graph {
    type Value = Vec<Vec<usize>>;
    const NAME: &str = "graph";

    fn check(graph: &Self::Value) -> Outcome {
        if graph.iter().flatten().any(|to| *to >= graph.len()) {
            return Outcome::Discarded;
        }
        let mut reach = graph.clone();
        for _ in 0..graph.len() {
            for reached in &mut reach {
                let further: Vec<usize> = reached.iter().flat_map(|&to| graph[to].clone()).collect();
                reached.extend(further);
                reached.sort_unstable();
                reached.dedup();
            }
        }
        let both = |a: usize, b: usize| a != b && reach[a].contains(&b) && reach[b].contains(&a);
        holds(!(0..graph.len()).any(|a| (0..graph.len()).any(|b| both(a, b))))
    }

    fn ideals() -> Vec<Self::Value> {
        vec![vec![vec![1], vec![0]]]
    }
}

#[derive(Clone, Debug, PartialEq)]
pub enum Command {
    Pop,
    Clear,
    Push(i32),
    Swap(u8, u8),
}

/// No number from 100 on is ever popped.
pub struct Commands;
impl Challenge for Commands {
    type Value = Vec<Command>;
    const NAME: &str = "commands";

    fn check(commands: &Self::Value) -> Outcome {
        let mut stack = Vec::new();
        for command in commands {
            match command {
                Command::Push(n) => stack.push(*n),
                Command::Pop => {
                    if stack.pop().is_some_and(|n| n >= 100) {
                        return Outcome::Fails;
                    }
                }
                Command::Clear => stack.clear(),
                Command::Swap(a, b) => {
                    let (a, b) = (usize::from(*a), usize::from(*b));
                    if a.max(b) < stack.len() {
                        stack.swap(a, b);
                    }
                }
            }
        }
        Outcome::Holds
    }

    fn ideals() -> Vec<Self::Value> {
        vec![vec![Command::Push(100), Command::Pop]]
    }
}

/// A text may be cut anywhere.
pub struct CutText;
impl Challenge for CutText {
    type Value = (String, usize);
    const NAME: &str = "cut_text";

    fn check((text, limit): &Self::Value) -> Outcome {
        holds(text.is_char_boundary((*limit).min(text.len())))
    }

    /// The first character of two bytes: of all, of those that can be seen, or of the letters.
    fn ideals() -> Vec<Self::Value> {
        ["\u{80}", "¡", "À"].map(|text| (text.into(), 1)).into()
    }
}

/// Sets sum to less than 100.
pub struct Set;
impl Challenge for Set {
    type Value = BTreeSet<u32>;
    const NAME: &str = "set";

    fn check(set: &Self::Value) -> Outcome {
        holds(set.iter().sum::<u32>() < 100)
    }

    fn ideals() -> Vec<Self::Value> {
        vec![BTreeSet::from([1, 99])]
    }
}

/// A shuffled list begins with something below 5.
pub struct Permutation;
impl Challenge for Permutation {
    type Value = Vec<u8>;
    const NAME: &str = "permutation";

    fn check(order: &Self::Value) -> Outcome {
        holds(order[0] < 5)
    }

    /// The 5 changed places with the first, or went there.
    fn ideals() -> Vec<Self::Value> {
        vec![vec![5, 1, 2, 3, 4, 0, 6, 7], vec![5, 0, 1, 2, 3, 4, 6, 7]]
    }
}

/// Three numbers sum to at most 1000.
pub struct ThreeSum;
impl Challenge for ThreeSum {
    type Value = (u32, u32, u32);
    const NAME: &str = "three_sum";

    fn check(&(a, b, c): &Self::Value) -> Outcome {
        holds(a + b + c <= 1000)
    }

    /// In any order.
    fn ideals() -> Vec<Self::Value> {
        vec![(0, 401, 600), (0, 600, 401), (401, 0, 600), (401, 600, 0), (600, 0, 401), (600, 401, 0)]
    }
}

#[derive(Clone, Debug, PartialEq)]
pub enum Json {
    Null,
    Bool(bool),
    Number(i32),
    Text(String),
    Array(Vec<Json>),
}

fn arrays(json: &Json) -> usize {
    match json {
        Json::Array(items) => 1 + items.iter().map(arrays).sum::<usize>(),
        Json::Null | Json::Bool(_) | Json::Number(_) | Json::Text(_) => 0,
    }
}

/// No value has more than two arrays.
pub struct Jsons;
impl Challenge for Jsons {
    type Value = Json;
    const NAME: &str = "json";

    fn check(json: &Self::Value) -> Outcome {
        holds(arrays(json) <= 2)
    }

    /// Side by side, or inside each other.
    fn ideals() -> Vec<Self::Value> {
        let empty = || Json::Array(vec![]);
        vec![Json::Array(vec![empty(), empty()]), Json::Array(vec![Json::Array(vec![empty()])])]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_ideal_counterexample_fails() {
        fn fail<C: Challenge>() {
            assert!(!C::ideals().is_empty(), "{}", C::NAME);
            for ideal in C::ideals() {
                assert_eq!(C::check(&ideal), Outcome::Fails, "{}: {ideal:?}", C::NAME);
            }
        }
        fail::<NestedBinds>();
        fail::<Matrix>();
        fail::<DotProduct>();
        fail::<Collision>();
        fail::<Cancellation>();
        fail::<Fraction>();
        fail::<Chunks>();
        fail::<Parses>();
        fail::<SearchTree>();
        fail::<Graph>();
        fail::<Commands>();
        fail::<CutText>();
        fail::<Set>();
        fail::<Permutation>();
        fail::<ThreeSum>();
        fail::<Jsons>();
    }
}
