//! Strategies of proptest.

use forall::choice::Source;
use forall::generate::{Generator, from_fn};
use proptest::strategy::{BoxedStrategy, Strategy, ValueTree};
use proptest::test_runner::{Config, RngAlgorithm, TestRng, TestRunner};
use std::fmt;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::ops::Deref;

/// The values of a proptest strategy. A strategy that finds no value after a thousand tries discards the test.
///
/// ```
/// use forall::prelude::*;
/// use foreign_generators::strategy;
/// let property = property! { forall n in strategy(10..20u32); check (10..20).contains(&**n) };
/// forall::check("between", &property);
/// ```
pub fn strategy<S: Strategy + 'static>(strategy: S) -> impl Generator<Value = Sampled<S::Value>> {
    let strategy = strategy.boxed();
    from_fn(move |source: &mut Source| {
        let seed = source.choice(u64::MAX);
        match tree(&strategy, seed) {
            Some(tree) => {
                let value = tree.current();
                Sampled { way: vec![text(&value)], value, strategy: strategy.clone(), seed, moves: Vec::new() }
            }
            None => source.reject_now(),
        }
    })
}

/// The tree of values that a strategy makes of a seed: the first one, and the ways to simpler ones.
fn tree<T: fmt::Debug>(strategy: &BoxedStrategy<T>, seed: u64) -> Option<Box<dyn ValueTree<Value = T>>> {
    let config = Config { max_local_rejects: 1000, failure_persistence: None, ..Config::default() };
    let rng = TestRng::from_seed(RngAlgorithm::ChaCha, &[seed.to_le_bytes(); 4].concat());
    strategy.new_tree(&mut TestRunner::new_with_rng(config, rng)).ok()
}

/// What tells values apart: the hash of how they look.
fn text(value: &impl fmt::Debug) -> u64 {
    let mut hasher = DefaultHasher::new();
    format!("{value:?}").hash(&mut hasher);
    hasher.finish()
}

/// A value of a strategy, which knows where it came from: so it can be made simpler as proptest would.
///
/// It can be used like the value itself, and is printed like it.
///
/// ```
/// use forall::choice::Source;
/// use foreign_generators::strategy;
/// let text = Source::random(7, 0, 100).draw(strategy("[a-z]{3}"));
/// assert_eq!(text.len(), 3);
/// ```
pub struct Sampled<T> {
    value: T,
    strategy: BoxedStrategy<T>,
    seed: u64,
    moves: Vec<Move>,
    /// The hashes of the values on the way here, this one last.
    way: Vec<u64>,
}

/// How one gets from a value to the next in proptest's tree of values.
#[derive(Clone, Copy)]
enum Move {
    Simplify,
    /// Takes a part of the last simplification back.
    Complicate,
}

impl Move {
    fn make(self, tree: &mut impl ValueTree) -> bool {
        match self {
            Move::Simplify => tree.simplify(),
            Move::Complicate => tree.complicate(),
        }
    }
}

impl<T: fmt::Debug> Sampled<T> {
    /// The values that proptest would try next, one after the other, as long as none of them fails: a simpler one, then ones
    /// that take back more and more of what was simplified; and when it is all taken back, something else is simplified.
    ///
    /// ```
    /// use forall::choice::Source;
    /// use foreign_generators::strategy;
    /// let n = Source::random(7, 0, 100).draw(strategy(0..1000u32));
    /// let tried: Vec<u32> = n.simpler().map(|simpler| *simpler).collect();
    /// assert!(tried.is_sorted() && tried.iter().all(|simpler| *simpler < *n));
    /// ```
    pub fn simpler(&self) -> impl Iterator<Item = Self> + use<T> {
        let (strategy, seed, mut moves) = (self.strategy.clone(), self.seed, self.moves.clone());
        let mut tree = tree(&strategy, seed);
        if let Some(tree) = &mut tree {
            moves.iter().for_each(|step| _ = step.make(tree));
        }
        let way = self.way.clone();
        let mut next = Move::Simplify;
        std::iter::from_fn(move || {
            let tree = tree.as_mut()?;
            while next.make(tree) {
                moves.push(next);
                let value = tree.current();
                let text = text(&value);
                if way.contains(&text) {
                    // That one fails, so proptest would go on from it.
                    next = Move::Simplify;
                    continue;
                }
                next = Move::Complicate;
                let way = [&*way, &[text]].concat();
                return Some(Sampled { value, strategy: strategy.clone(), seed, moves: moves.clone(), way });
            }
            None
        })
    }
}

impl<T> Deref for Sampled<T> {
    type Target = T;

    fn deref(&self) -> &T {
        &self.value
    }
}

impl<T: fmt::Debug> fmt::Debug for Sampled<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.value.fmt(f)
    }
}
