//! A property as runners meet it: one object-safe trait with the hot loop inside.
//!
//! Everything outside that loop is compiled once, in this crate, whatever the number of properties.

use super::{
    Binding, Check, Checking, Conclude, Failure, Generating, Measure, Mutating, Outcome, Printing, Shrinking, Step,
    Stop, Telescope,
};
use crate::choice::Source;
#[cfg(feature = "lazy")]
use crate::lazy::{Next, Walk};
use std::mem::ManuallyDrop;
use std::ops::Range;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

/// A property that can be run.
///
/// None of the methods catches panics: a panic of the body is a failure, which runners recognise by catching it. See
/// [`run::Tester`](crate::run::Tester), which does that and more.
///
/// ```
/// use forall::choice::Source;
/// use forall::property::{Empty, Outcome, Property, Telescope};
///
/// let property = Empty.forall("n", |(), s| s.draw(0..10u32)).check(|(n, ())| *n < 10);
/// assert_eq!(property.run(&mut Source::record(1, 0, 100), &[]), Ok(Outcome::Pass));
/// ```
pub trait Property {
    /// What the property is made of.
    ///
    /// ```
    /// use forall::{prelude::*, property::Property};
    /// let property = property! { forall n: u8; check n.count_ones() <= 8 };
    /// assert_eq!(property.outline().quantifiers[0].type_name, "u8");
    /// ```
    fn outline(&self) -> Outline;

    /// The literals of the check as they are written, one in each line, as far as they are known. See
    /// [`literals`](crate::literals).
    ///
    /// ```
    /// use forall::property::Property;
    /// #[forall::property]
    /// fn is_no_answer(n: u32) -> bool {
    ///     n != 4242
    /// }
    /// assert_eq!(is_no_answer::property().literals(), "4242");
    /// ```
    #[cfg(feature = "literals")]
    fn literals(&self) -> &'static str {
        ""
    }

    /// Runs a block of tests, and stops at the first that fails. Nothing is recorded.
    ///
    /// ```
    /// use forall::{prelude::*, property::{Progress, Property}, run::Schedule};
    /// let property = property! { forall n: u8; check n.count_ones() <= 8 };
    /// let block = Schedule::Constant(50).block(7, 0..100, 100);
    /// assert!(property.run_block(&block, &Progress::default()).failure.is_none());
    /// ```
    fn run_block(&self, block: &Block, progress: &Progress) -> BlockEnd;

    /// Runs one test: generates from `source`, takes `steps` on the values, checks.
    ///
    /// ```
    /// use forall::{choice::Sequence, prelude::*, property::Property};
    /// let property = property! { forall n in 0..10u32; check *n != 3 };
    /// let run = |n| property.run(&mut Source::replay(&Sequence::from_values(100, &[n])), &[]).unwrap();
    /// assert!(run(3).is_fail() && !run(4).is_fail());
    /// ```
    fn run(&self, source: &mut Source, steps: &[Step]) -> Result<Outcome, Stop>;

    /// Generates and shows the values, without checking.
    ///
    /// ```
    /// use forall::{choice::Sequence, prelude::*, property::Property};
    /// let property = property! { forall n in 0..10u32; check *n != 3 };
    /// let bindings = property.print(&mut Source::replay(&Sequence::from_values(100, &[3])), &[]).unwrap();
    /// assert_eq!(bindings[0].printed.text(), "3");
    /// ```
    fn print(&self, source: &mut Source, steps: &[Step]) -> Result<Vec<Binding>, Stop>;

    /// Generates without checking.
    ///
    /// ```
    /// use forall::{prelude::*, property::Property};
    /// let property = property! { forall n in 0..10u32; check *n != 3 };
    /// let mut source = Source::record(7, 0, 100);
    /// property.generate(&mut source, &[]).unwrap();
    /// assert_eq!(source.into_sequence().len(), 1);
    /// ```
    fn generate(&self, source: &mut Source, steps: &[Step]) -> Result<(), Stop>;

    /// Generates and appends a measure of each candidate of one variable's shrinker, without checking. What was appended
    /// stands when the shrinker panics.
    ///
    /// ```
    /// use forall::{choice::Sequence, prelude::*, property::Property};
    /// let property = property! { forall n in 0..10u32, shrink |n| 0..*n; check *n != 3 };
    /// let mut source = Source::replay(&Sequence::from_values(100, &[5]));
    /// let mut candidates = Vec::new();
    /// property.candidates(&mut source, &[], 0, &mut candidates).unwrap();
    /// assert_eq!(candidates.len(), 5);
    /// ```
    fn candidates(
        &self,
        source: &mut Source,
        steps: &[Step],
        quantifier: u32,
        candidates: &mut Vec<Measure>,
    ) -> Result<(), Stop>;

    /// Runs the paths of a bounded search, up to the first that fails. Nothing is caught: see
    /// [`lazy::explore`](crate::lazy::explore), which does that.
    ///
    /// ```
    /// use forall::{lazy::explore, prelude::*};
    /// let property = property! { forall a: bool; forall b: bool; check !(*a && *b) };
    /// assert_eq!(explore(&property, 0).evaluations, 4);
    /// ```
    #[cfg(feature = "lazy")]
    fn explore(&self, walk: &mut Walk<'_>) -> Option<Box<Failure>> {
        loop {
            let mut source = walk.begin();
            walk.evaluate();
            match self.run(&mut source, &[]) {
                Ok(Outcome::Fail(failure)) => return Some(failure),
                Ok(outcome) => walk.count(&outcome),
                Err(_) => walk.count(&Outcome::Discard),
            }
            if !walk.go_on() {
                return None;
            }
        }
    }
}

/// What a property is made of.
///
/// ```
/// use forall::prelude::*;
/// use forall::property::Property;
/// let property = property! { forall n in 0..10u32; implies *n != 0; check 10 % n < *n };
/// let outline = property.outline();
/// assert_eq!(outline.quantifiers[0].name, "n");
/// assert_eq!(outline.assumptions, ["*n != 0"]);
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Outline {
    /// Its variables, outermost first.
    pub quantifiers: Vec<Quantifier>,
    /// Its assumptions as their authors wrote them.
    pub assumptions: Vec<&'static str>,
}

/// A variable of a property.
///
/// ```
/// use forall::prelude::*;
/// use forall::property::{Property, Quantifier};
/// let property = property! { forall n in 0..10u32, shrink |n| 0..*n; check *n < 10 };
/// let n = Quantifier { name: "n", type_name: "u32", shrinks: true, mutates: false };
/// assert_eq!(property.outline().quantifiers, [n]);
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Quantifier {
    /// Its name.
    pub name: &'static str,
    /// The name of its type, as the compiler has it.
    pub type_name: &'static str,
    /// Whether it has a shrinker of its own.
    pub shrinks: bool,
    /// Whether it has a mutator of its own.
    pub mutates: bool,
}

/// Tests to run without looking at each.
///
/// [`Schedule::block`](crate::run::Schedule::block) makes one with the sizes of a run. By hand:
///
/// ```
/// use forall::prelude::*;
/// use forall::property::{Block, Progress, Property};
/// let property = property! { forall n: u64; check n.count_ones() <= 64 };
/// // A hundred tests, all at size 50.
/// let block = Block { seed: 7, indices: 0..100, size: 50 << 32, growth: 0 };
/// assert_eq!(property.run_block(&block, &Progress::default()).index, 100);
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Block {
    /// The seed of the run.
    pub seed: u64,
    /// Which tests of the run.
    pub indices: Range<u64>,
    /// The size of the first, times 2^32.
    pub size: u64,
    /// How much the size grows from one test to the next, times 2^32.
    pub growth: u64,
}

impl Block {
    /// Runs the tests of the block by `test`, up to the first that fails: the loop of [`Property::run_block`], for a reading
    /// of the property that is your own.
    ///
    /// Nothing is caught: [`Tester::run_block_with`](crate::run::Tester::run_block_with) does that.
    ///
    /// ```
    /// use forall::property::{Block, IntoOutcome, Progress};
    /// let block = Block { seed: 7, indices: 0..100, size: 50 << 32, growth: 0 };
    /// let end = block.run(&Progress::default(), |source| (source.draw(0..10u32) < 10).into_outcome());
    /// assert_eq!((end.index, end.failure), (100, None));
    /// ```
    #[inline]
    pub fn run(&self, progress: &Progress, mut test: impl FnMut(&mut Source) -> Outcome) -> BlockEnd {
        let mut source = Source::random(self.seed, self.indices.start, 0);
        let mut size = self.size;
        for index in self.indices.clone() {
            source.restart(self.seed, index, (size >> 32) as u32);
            progress.index.store(index, Ordering::Relaxed);
            size = size.wrapping_add(self.growth);
            match test(&mut source) {
                Outcome::Pass => {}
                Outcome::Discard => discard(&mut source, progress),
                Outcome::Fail(failure) => return BlockEnd { index, failure: Some(failure) },
            }
        }
        BlockEnd { index: self.indices.end, failure: None }
    }
}

/// Where the run stands: written by the loop, read by whoever watches it, and left behind by a panic.
///
/// ```
/// use forall::prelude::*;
/// use forall::property::{Block, Progress, Property};
/// use std::sync::atomic::Ordering;
/// let property = property! { forall n in 0..10u32; implies *n < 5; check *n < 5 };
/// let progress = Progress::default();
/// property.run_block(&Block { seed: 7, indices: 0..100, size: 0, growth: 0 }, &progress);
/// assert_eq!(progress.index.load(Ordering::Relaxed), 99, "the last test");
/// assert!(progress.discarded.load(Ordering::Relaxed) > 0);
/// ```
#[derive(Debug, Default)]
pub struct Progress {
    /// The test that is running.
    pub index: AtomicU64,
    /// How many tests of the block were discarded.
    pub discarded: AtomicU64,
    /// Set to make the run stop before the next block.
    pub cancel: AtomicBool,
}

impl Progress {
    /// Counts the running test as discarded.
    ///
    /// ```
    /// use forall::property::Progress;
    /// use std::sync::atomic::Ordering;
    /// let progress = Progress::default();
    /// progress.discard();
    /// assert_eq!(progress.discarded.load(Ordering::Relaxed), 1);
    /// ```
    pub fn discard(&self) {
        self.discarded.fetch_add(1, Ordering::Relaxed);
    }

    /// Counts tests that were discarded in another process.
    #[cfg(feature = "isolate")]
    pub(crate) fn discard_others(&self, count: u64) {
        self.discarded.fetch_add(count, Ordering::Relaxed);
    }
}

/// How a block ended.
///
/// ```
/// use forall::prelude::*;
/// use forall::property::{Block, Progress, Property};
/// let property = property! { forall n in 0..10u32; check *n >= 10 };
/// let block = Block { seed: 7, indices: 3..100, size: 0, growth: 0 };
/// let end = property.run_block(&block, &Progress::default());
/// assert_eq!(end.index, 3, "the first test fails");
/// assert_eq!(end.failure.unwrap().message, "the property returned false");
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BlockEnd {
    /// The first test that was not run; or, after a failure, the test that failed.
    pub index: u64,
    /// The failure, if there was one.
    pub failure: Option<Box<Failure>>,
}

impl<P, F> Property for Check<P, F>
where
    P: Telescope + Checking + Generating + Mutating + Printing + Shrinking,
    F: Conclude<P::Env>,
{
    fn outline(&self) -> Outline {
        let mut outline = Outline::default();
        self.previous.outline(&mut outline);
        outline
    }

    #[cfg(feature = "literals")]
    fn literals(&self) -> &'static str {
        F::LITERALS
    }

    fn run_block(&self, block: &Block, progress: &Progress) -> BlockEnd {
        let Block { seed, indices: Range { start, end }, mut size, growth } = *block;
        // It has no tape to drop: without that to clean up, there is less to compile around each call.
        let mut source = ManuallyDrop::new(Source::BLANK);
        let source: &mut Source = &mut source;
        let mut index = start;
        while index < end {
            source.restart(seed, index, (size >> 32) as u32);
            progress.index.store(index, Ordering::Relaxed);
            size = size.wrapping_add(growth);
            match self.previous.generate(source) {
                Some(env) => match self.conclusion.conclude(env) {
                    Outcome::Pass => {}
                    Outcome::Discard => discard(source, progress),
                    Outcome::Fail(failure) => return BlockEnd { index, failure: Some(failure) },
                },
                None => discard(source, progress),
            }
            index = index.wrapping_add(1);
        }
        BlockEnd { index, failure: None }
    }

    fn run(&self, source: &mut Source, steps: &[Step]) -> Result<Outcome, Stop> {
        // `match` rather than `?`: it is less to compile.
        match self.previous.walk(source, steps) {
            Ok(env) => {
                #[cfg(feature = "coverage")]
                crate::coverage::check_begins();
                Ok(self.conclusion.conclude(env))
            }
            Err(stop) => Err(stop),
        }
    }

    fn print(&self, source: &mut Source, steps: &[Step]) -> Result<Vec<Binding>, Stop> {
        show(self.previous.walk(source, steps), self)
    }

    fn generate(&self, source: &mut Source, steps: &[Step]) -> Result<(), Stop> {
        self.previous.walk(source, steps).map(crate::panic::drop_quietly)
    }

    fn candidates(
        &self,
        source: &mut Source,
        steps: &[Step],
        quantifier: u32,
        candidates: &mut Vec<Measure>,
    ) -> Result<(), Stop> {
        measure(self.previous.walk(source, steps), self, quantifier, candidates)
    }

    #[cfg(feature = "lazy")]
    fn explore(&self, walk: &mut Walk<'_>) -> Option<Box<Failure>> {
        loop {
            let mut source = walk.begin();
            let env = match self.previous.walk(&mut source, &[]) {
                Ok(env) => env,
                // An assumption that was looked at while the environment was made: a part of the body.
                Err(_) => {
                    walk.evaluate();
                    walk.count(&Outcome::Discard);
                    if walk.go_on() {
                        continue;
                    }
                    return None;
                }
            };
            let keeps = F::BY_REFERENCE && walk.keeps();
            let mut env = Some(env);
            let next = loop {
                walk.evaluate();
                let outcome = match &env {
                    Some(env) if walk.keeps() && !self.previous.assumptions_hold(env) => Outcome::Discard,
                    Some(env) if keeps => self.conclusion.conclude_by_reference(env),
                    _ => env.take().map_or(Outcome::Discard, |env| self.conclusion.conclude(env)),
                };
                match outcome {
                    Outcome::Fail(failure) => return Some(failure),
                    outcome => walk.count(&outcome),
                }
                match walk.go_on_with_environment(keeps) {
                    Next::Resume => {}
                    next => break next,
                }
            };
            if next == Next::Done {
                return None;
            }
        }
    }
}

/// A property as what tells of environments: properties over the same types share what needs no more.
trait Telling<Env> {
    fn show(&self, env: &Env, bindings: &mut Vec<Binding>);
    fn candidates(&self, env: &Env, quantifier: u32, candidates: &mut Vec<Measure>);
}

impl<P: Printing + Shrinking, F> Telling<P::Env> for Check<P, F> {
    fn show(&self, env: &P::Env, bindings: &mut Vec<Binding>) {
        self.previous.show(env, bindings);
    }

    fn candidates(&self, env: &P::Env, quantifier: u32, candidates: &mut Vec<Measure>) {
        self.previous.candidates(env, quantifier, candidates);
    }
}

fn show<Env>(walked: Result<Env, Stop>, property: &dyn Telling<Env>) -> Result<Vec<Binding>, Stop> {
    let env = walked?;
    let mut bindings = Vec::new();
    property.show(&env, &mut bindings);
    crate::panic::drop_quietly(env);
    Ok(bindings)
}

fn measure<Env>(
    walked: Result<Env, Stop>,
    property: &dyn Telling<Env>,
    quantifier: u32,
    candidates: &mut Vec<Measure>,
) -> Result<(), Stop> {
    let env = walked?;
    property.candidates(&env, quantifier, candidates);
    crate::panic::drop_quietly(env);
    Ok(())
}

#[cold]
fn discard(source: &mut Source, progress: &Progress) {
    source.clear_rejection();
    progress.discard();
    crate::context::forget_labels();
}
