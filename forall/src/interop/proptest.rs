//! proptest strategies as generators, and generators as strategies.

use crate::choice::{Choice, Item, Rejected, Sequence, Source, shortlex};
use crate::generate::{Generator, GeneratorExt, from_fn};
use ::proptest::strategy::{BoxedStrategy, NewTree, Strategy, ValueTree};
use ::proptest::test_runner::{Config, RngAlgorithm, TestRng, TestRunner};
use std::fmt;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::ops::Deref;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};

/// Returns a generator of the values of a proptest strategy. A strategy that finds no value in a thousand attempts
/// discards the test.
///
/// The generator draws the seed of proptest's random numbers, and a smaller seed produces another value, not a smaller
/// one. The value shrinks as in proptest if the variable has the annotation `shrink |value| value.simpler()`.
///
/// ```
/// use forall::interop::strategy;
/// use forall::{prelude::*, run::{Run, Settings, Store}};
/// let property = property! { forall n in strategy(0..1000u32), shrink |n| n.simpler(); check **n < 500 };
/// let report = Run::new("small", &property).settings(Settings::new().store(Store::Off)).report();
/// assert_eq!(report.counterexample.unwrap().bindings[0].printed.text(), "500");
/// ```
///
/// ```
/// use forall::prelude::*;
/// use forall::interop::strategy;
/// let property = property! { forall n in strategy(10..20u32); check (10..20).contains(&**n) };
/// forall::check("between", &property);
/// ```
pub fn strategy<S: Strategy + 'static>(strategy: S) -> impl GeneratorExt<Value = Sampled<S::Value>> {
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

/// The value tree of a strategy for a seed.
fn tree<T: fmt::Debug>(strategy: &BoxedStrategy<T>, seed: u64) -> Option<Box<dyn ValueTree<Value = T>>> {
    let config = Config { max_local_rejects: 1000, failure_persistence: None, ..Config::default() };
    let rng = TestRng::from_seed(RngAlgorithm::ChaCha, &[seed.to_le_bytes(); 4].concat());
    strategy.new_tree(&mut TestRunner::new_with_rng(config, rng)).ok()
}

/// The identity of a value: the hash of its `Debug`.
fn text(value: &impl fmt::Debug) -> u64 {
    let mut hasher = DefaultHasher::new();
    format!("{value:?}").hash(&mut hasher);
    hasher.finish()
}

/// A value of a strategy with its value tree, so that proptest can simplify it.
///
/// Dereferences to the value, and prints like it.
///
/// ```
/// use forall::choice::Source;
/// use forall::interop::strategy;
/// let text = Source::random(7, 0, 100).draw(strategy("[a-z]{3}"));
/// assert_eq!(text.len(), 3);
/// ```
pub struct Sampled<T> {
    value: T,
    strategy: BoxedStrategy<T>,
    seed: u64,
    moves: Vec<Move>,
    /// The hashes of the values on the path here, this one last.
    way: Vec<u64>,
}

/// A step in proptest's value tree.
#[derive(Clone, Copy)]
enum Move {
    Simplify,
    /// Undoes a part of the last simplification.
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
    /// Returns the values that proptest would try next, one after the other, as long as none of them fails: a simpler
    /// one, then ones that undo more and more of the simplification, then another simplification.
    ///
    /// ```
    /// use forall::choice::Source;
    /// use forall::interop::strategy;
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
                    // That one fails, so proptest would continue from it.
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

/// Wraps a generator as a proptest strategy, for tests that are not migrated yet and for strategies made of both.
///
/// proptest runs one candidate after the other, so only simple shrinking is available: parts are deleted, and choices
/// are lowered. That is more than most strategies do, and less than a run of forall does.
///
/// ```
/// use forall::generate::{any, vec};
/// use forall::interop::as_strategy;
/// use proptest::test_runner::{Config, TestCaseError, TestError, TestRunner};
///
/// let config = Config { failure_persistence: None, ..Config::default() };
/// let short = |list: Vec<u8>| if list.len() < 3 { Ok(()) } else { Err(TestCaseError::fail("long")) };
/// let failed = TestRunner::new(config).run(&as_strategy(vec(any::<u8>())), short).unwrap_err();
/// assert!(matches!(failed, TestError::Fail(_, list) if list == [0, 0, 0]));
/// ```
pub fn as_strategy<G: Generator<Value: fmt::Debug> + Clone>(generator: G) -> GeneratorStrategy<G> {
    GeneratorStrategy { generator }
}

/// The strategy that [`as_strategy`] returns.
#[derive(Clone)]
#[doc(hidden)]
pub struct GeneratorStrategy<G> {
    generator: G,
}

impl<G> fmt::Debug for GeneratorStrategy<G> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "as_strategy({})", std::any::type_name::<G>())
    }
}

/// The sizes of values: proptest has none, so each is drawn.
const LARGEST: u64 = 100;

/// How often a generator may reject before the strategy fails.
const TRIES: u32 = 1000;

impl<G: Generator<Value: fmt::Debug> + Clone> Strategy for GeneratorStrategy<G> {
    type Tree = GeneratorTree<G>;
    type Value = G::Value;

    fn new_tree(&self, runner: &mut TestRunner) -> NewTree<Self> {
        for _ in 0..TRIES {
            let (seed, size) = (word(runner), word(runner) % (LARGEST + 1));
            let mut source = Source::record(seed, 0, size as u32);
            if let Some(sequence) = drawn(&self.generator, &mut source).then(|| source.into_sequence()) {
                return Ok(GeneratorTree::new(self.generator.clone(), sequence));
            }
        }
        Err(format!("the generator rejected {TRIES} inputs in a row").into())
    }
}

/// 64 bits of proptest's random numbers.
fn word(runner: &mut TestRunner) -> u64 {
    // Through a strategy, since the traits of random number generators change from version to version.
    ::proptest::num::u64::ANY.new_tree(runner).map_or(0, |tree| tree.current())
}

/// Whether the choices of a source produce a value.
fn drawn<G: Generator>(generator: &G, source: &mut Source) -> bool {
    match catch_unwind(AssertUnwindSafe(|| drop(generator.generate(source)))) {
        Ok(()) => !source.is_rejected(),
        Err(signal) if signal.is::<Rejected>() => false,
        Err(payload) => resume_unwind(payload),
    }
}

/// The value tree of [`as_strategy`]: the first value, and simpler ones.
#[derive(Clone, Debug)]
#[doc(hidden)]
pub struct GeneratorTree<G> {
    generator: G,
    /// The simplest one that is known to fail.
    best: Sequence,
    /// The current candidate.
    current: Sequence,
    /// The next change of `best`: first parts are deleted, then choices are lowered.
    next: Change,
    /// Whether a change was accepted since the first of them was tried.
    improved: bool,
}

/// A change of a sequence.
#[derive(Clone, Copy, Debug, Default)]
struct Change {
    part: usize,
    choice: usize,
    /// Lowers it by all of its value, by half of it, by a quarter, and so on.
    halvings: u32,
}

impl<G: Generator> GeneratorTree<G> {
    fn new(generator: G, first: Sequence) -> Self {
        Self { generator, best: first.clone(), current: first, next: Change::default(), improved: false }
    }

    /// The best with the next change; `None` if there are no more.
    fn changed(&mut self) -> Option<Sequence> {
        let Sequence { size, items, spans } = &self.best;
        let Change { part, choice, halvings } = &mut self.next;
        let mut items = items.clone();
        if let Some(span) = spans.get(*part) {
            *part += 1;
            items.drain(span.start as usize..span.end as usize);
        } else {
            match items.get_mut(*choice)? {
                Item::Choice(Choice { value, .. }) if *halvings < u64::BITS && *value >> *halvings > 0 => {
                    *value -= *value >> *halvings;
                    *halvings += 1;
                }
                _ => (*choice, *halvings) = (*choice + 1, 0),
            }
        }
        Some(Sequence { size: *size, items, spans: Vec::new() })
    }

    /// Advances to the next change that produces a simpler value.
    fn advance(&mut self) -> bool {
        loop {
            let Some(changed) = self.changed() else {
                if !std::mem::take(&mut self.improved) {
                    self.current = self.best.clone();
                    return false;
                }
                self.next = Change::default();
                continue;
            };
            let mut source = Source::replay(&changed);
            if !drawn(&self.generator, &mut source) {
                continue;
            }
            let sequence = source.into_sequence();
            if shortlex(&sequence.items, &self.best.items).is_lt() {
                self.current = sequence;
                return true;
            }
        }
    }
}

impl<G: Generator<Value: fmt::Debug>> ValueTree for GeneratorTree<G> {
    type Value = G::Value;

    fn current(&self) -> G::Value {
        self.generator.generate(&mut Source::replay(&self.current))
    }

    /// The last candidate fails.
    fn simplify(&mut self) -> bool {
        if self.current != self.best {
            self.best = self.current.clone();
            self.improved = true;
            // The same position again, for more of the same.
            self.next.part = self.next.part.saturating_sub(1);
            self.next.halvings = 0;
        }
        self.advance()
    }

    /// The last candidate passes.
    fn complicate(&mut self) -> bool {
        self.advance()
    }
}
