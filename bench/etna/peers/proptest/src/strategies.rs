//! The inputs of the tasks as users of proptest generate them: one strategy for each type, by its structure alone, and one
//! for each variable of a property. All variables are drawn before the body discards.

use crate::{capped, config, search};
use etna::bst::tree::{SMALL_KEYS, Tree};
use etna::rbt::tree::{Colour, Entry, Tree as ColouredTree};
use etna::runner::Search;
use etna::search_tree::Inputs;
use etna::stlc::term::{Term, Type, up_to_size};
use etna::{Workload, bst, rbt, stlc};
use etna_peers::Generated;
use proptest::num::i32::BinarySearch;
use proptest::prelude::*;
use proptest::strategy::{NewTree, ValueTree};
use proptest::test_runner::{Reason, RngAlgorithm, TestRng, TestRunner};
use std::fmt::Debug;

/// The depth and the number of nodes that recursive strategies aim for: of the pairs 8 and 256 (as in proptest's
/// documentation), 5 and 32, 4 and 16, 4 and 8, 3 and 8, 3 and 4, and 2 and 4, the one that finds the most bugs.
const DEPTH: u32 = 3;
const NODES: u32 = 8;
/// A node has up to two subtrees.
const BRANCHES: u32 = 2;

/// The greatest index of a variable: that of forall's terms.
const MOST_INDEX: u32 = 10;

/// Prepares a task.
pub fn prepare(workload: &Workload, property: &str) -> Option<Generated> {
    Some(match workload.name {
        "bst" => over_trees(trees(), bst::shallow::closure(property)),
        "rbt" => over_trees(coloured_trees(), rbt::shallow::closure(property)),
        "stlc" => {
            let holds = stlc::shallow::closure(property);
            prepared(terms(), move |term: Term| holds(&term))
        }
        _ => return None,
    })
}

fn prepared<S: Strategy + 'static>(strategy: S, holds: impl Fn(S::Value) -> Option<bool> + 'static) -> Generated {
    Box::new(move |seed, most| run(&strategy, &holds, seed, most))
}

fn run<S: Strategy>(strategy: &S, holds: impl Fn(S::Value) -> Option<bool>, seed: u64, most: Option<u64>) -> Search {
    let mut bytes = [0; 32];
    bytes[..8].copy_from_slice(&seed.to_le_bytes());
    // Proptest's default algorithm.
    let random = TestRng::from_seed(RngAlgorithm::ChaCha, &bytes);
    let runner = TestRunner::new_with_rng(most.map_or_else(config, capped), random);
    search(runner, strategy, holds, most.unwrap_or(u64::MAX))
}

/// A tree of any shape. Few are search trees.
fn trees() -> BoxedStrategy<Tree> {
    let node = |inner: BoxedStrategy<Tree>| {
        let fields = (inner.clone(), SMALL_KEYS, any::<i32>(), inner);
        fields.prop_map(|(left, key, value, right)| Tree::node(left, key, value, right))
    };
    Just(Tree::Empty).prop_recursive(DEPTH, NODES, BRANCHES, node).boxed()
}

/// A coloured tree of any shape. Few are red-black trees.
fn coloured_trees() -> BoxedStrategy<ColouredTree> {
    let node = |inner: BoxedStrategy<ColouredTree>| {
        let colour = prop_oneof![Just(Colour::Red), Just(Colour::Black)];
        let entry = (SMALL_KEYS, any::<i32>()).prop_map(|(key, value)| Entry { key, value });
        let fields = (colour, inner.clone(), entry, inner);
        fields.prop_map(|(colour, left, entry, right)| ColouredTree::node(colour, left, entry, right))
    };
    Just(ColouredTree::Empty).prop_recursive(DEPTH, NODES, BRANCHES, node).boxed()
}

fn types() -> impl Strategy<Value = Type> {
    let function = |inner: BoxedStrategy<Type>| (inner.clone(), inner).prop_map(|(from, to)| Type::fun(from, to));
    Just(Type::Bool).prop_recursive(DEPTH, NODES, BRANCHES, function)
}

/// A term of any shape. Few are well typed.
fn terms() -> impl Strategy<Value = Term> {
    let leaf = prop_oneof![up_to_size(MOST_INDEX).prop_map(Term::Var), any::<bool>().prop_map(Term::Bool)];
    leaf.prop_recursive(DEPTH, NODES, BRANCHES, |inner| {
        prop_oneof![
            (types(), inner.clone()).prop_map(|(ty, body)| Term::abs(ty, body)),
            (inner.clone(), inner).prop_map(|(function, argument)| Term::app(function, argument)),
        ]
    })
}

/// A property over trees, keys and values, each from its strategy.
fn over_trees<T>(tree: BoxedStrategy<T>, holds: fn(&Drawn, &mut Values<T>) -> Option<bool>) -> Generated
where
    T: Clone + Debug + Default + 'static,
{
    // Empty trees are valid, so this takes one value of each variable.
    let mut counted = Values::default();
    holds(&Drawn, &mut counted);
    prepared(Variables { tree, counts: counted.taken }, move |mut values| holds(&Drawn, &mut values))
}

/// The number of variables of each kind.
#[derive(Clone, Copy, Debug, Default)]
struct Counts {
    trees: usize,
    keys: usize,
    values: usize,
}

/// No property has more variables of a kind.
const MOST: usize = 3;

/// The values of a property's variables.
#[derive(Clone, Debug, Default)]
struct Values<T> {
    trees: [Option<T>; MOST],
    keys: [i32; MOST],
    values: [i32; MOST],
    taken: Counts,
}

/// Takes values that were drawn before.
struct Drawn;

impl Drawn {
    fn key<T>(source: &mut Values<T>) -> i32 {
        source.taken.keys += 1;
        source.keys[source.taken.keys - 1]
    }
}

impl<T: Default> Inputs<T> for Drawn {
    type Source = Values<T>;

    fn tree(&self, _: &[&T], source: &mut Values<T>) -> Option<T> {
        source.taken.trees += 1;
        Some(source.trees[source.taken.trees - 1].take().unwrap_or_default())
    }

    fn known_key(&self, _: &[&T], _: &[i32], source: &mut Values<T>) -> i32 {
        Self::key(source)
    }

    fn new_key(&self, _: &[&T], _: &[i32], source: &mut Values<T>) -> i32 {
        Self::key(source)
    }

    fn value(&self, source: &mut Values<T>) -> i32 {
        source.taken.values += 1;
        source.values[source.taken.values - 1]
    }
}

/// The variables of a property: a tuple of strategies, with as many of each kind as the property has.
#[derive(Debug)]
struct Variables<T: Debug> {
    tree: BoxedStrategy<T>,
    counts: Counts,
}

struct Tuple<T: Debug> {
    trees: [Option<<BoxedStrategy<T> as Strategy>::Tree>; MOST],
    keys: [Option<BinarySearch>; MOST],
    values: [Option<BinarySearch>; MOST],
}

impl<T: Clone + Debug + Default + 'static> Strategy for Variables<T> {
    type Tree = Tuple<T>;
    type Value = Values<T>;

    fn new_tree(&self, runner: &mut TestRunner) -> NewTree<Self> {
        fn draw<S: Strategy>(count: usize, strategy: &S, runner: &mut TestRunner) -> Drawing<S> {
            let mut drawn = [const { None }; MOST];
            for one in &mut drawn[..count] {
                *one = Some(strategy.new_tree(runner)?);
            }
            Ok(drawn)
        }
        Ok(Tuple {
            trees: draw(self.counts.trees, &self.tree, runner)?,
            keys: draw(self.counts.keys, &SMALL_KEYS, runner)?,
            values: draw(self.counts.values, &any::<i32>(), runner)?,
        })
    }
}

type Drawing<S> = Result<[Option<<S as Strategy>::Tree>; MOST], Reason>;

/// Without shrinking, which no run here does.
impl<T: Clone + Debug + Default + 'static> ValueTree for Tuple<T> {
    type Value = Values<T>;

    fn current(&self) -> Values<T> {
        let number = |one: &Option<BinarySearch>| one.as_ref().map_or(0, ValueTree::current);
        Values {
            trees: self.trees.each_ref().map(|tree| tree.as_ref().map(ValueTree::current)),
            keys: self.keys.each_ref().map(number),
            values: self.values.each_ref().map(number),
            taken: Counts::default(),
        }
    }

    fn simplify(&mut self) -> bool {
        false
    }

    fn complicate(&mut self) -> bool {
        false
    }
}
