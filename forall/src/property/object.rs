//! A property as runners use it: one object-safe trait with the hot loop inside.
//!
//! Everything outside that loop is compiled once, in this crate, regardless of the number of properties.

use super::Progress;
#[cfg(feature = "full")]
use super::walk::Walk;
use super::{
    Binding, Check, Checking, Conclude, Failure, Generating, Measure, Mutating, Outcome, Printing, Shrinking, Step,
    Stop, Telescope,
};
use crate::choice::{Overrun, SeveralThreads, Shape, Source};
use std::mem::ManuallyDrop;
use std::ops::Range;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::atomic::Ordering;

/// A property that can be run.
///
/// None of the methods catches panics: a panic of the body is a failure, which runners detect by catching it. See
/// [`run::Tester`](crate::run::Tester), which does that and more.
///
/// ```
/// use forall::choice::Source;
/// use forall::property::{self, Outcome, Property, Telescope};
///
/// let property = property::forall("n", |(), s| s.draw(0..10u32)).check(|(n, ())| *n < 10);
/// assert_eq!(property.run(&mut Source::record(1, 0, 100), &[]), Ok(Outcome::Pass));
/// ```
pub trait Property {
    /// The variables and assumptions of the property.
    ///
    /// ```
    /// use forall::{prelude::*, property::Property};
    /// let property = property! { forall n: u8; check n.count_ones() <= 8 };
    /// assert_eq!(property.outline().quantifiers[0].type_name, "u8");
    /// ```
    #[doc(hidden)]
    fn outline(&self) -> Outline;

    /// The literals of the check in source form, one per line, as far as known.
    ///
    /// ```
    /// use forall::property::Property;
    /// #[forall::property]
    /// fn is_no_answer(n: u32) -> bool {
    ///     n != 4242
    /// }
    /// assert_eq!(is_no_answer::property().literals(), "4242");
    /// ```
    #[doc(hidden)]
    fn literals(&self) -> &'static str {
        ""
    }

    /// The name of the property in the registry, if an attribute declared it; else empty.
    #[doc(hidden)]
    fn declared(&self) -> &'static str {
        ""
    }

    /// Runs a block of tests, up to the first failure. Nothing is recorded.
    ///
    /// ```
    /// use forall::{prelude::*, property::{Progress, Property}, run::Schedule};
    /// let property = property! { forall n: u8; check n.count_ones() <= 8 };
    /// let block = Schedule::Constant(50).block(7, 0..100);
    /// assert!(property.run_block(&block, &Progress::default()).failure.is_none());
    /// ```
    #[doc(hidden)]
    fn run_block(&self, block: &Block, progress: &Progress) -> BlockEnd;

    /// Runs one test: generates from `source`, applies `steps` to the values, checks.
    ///
    /// ```
    /// use forall::{choice::Sequence, prelude::*, property::Property};
    /// let property = property! { forall n in 0..10u32; check *n != 3 };
    /// let run = |n| property.run(&mut Source::replay(&Sequence::from_values(100, &[n])), &[]).unwrap();
    /// assert!(run(3).is_fail() && !run(4).is_fail());
    /// ```
    #[doc(hidden)]
    fn run(&self, source: &mut Source, steps: &[Step]) -> Result<Outcome, Stop>;

    /// Generates and prints the values, without checking.
    ///
    /// ```
    /// use forall::{choice::Sequence, prelude::*, property::Property};
    /// let property = property! { forall n in 0..10u32; check *n != 3 };
    /// let bindings = property.print(&mut Source::replay(&Sequence::from_values(100, &[3])), &[]).unwrap();
    /// assert_eq!(bindings[0].printed.text(), "3");
    /// ```
    #[doc(hidden)]
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
    #[doc(hidden)]
    fn generate(&self, source: &mut Source, steps: &[Step]) -> Result<(), Stop>;

    /// Generates and appends a measure of each candidate of one variable's shrinker, without checking. If the shrinker
    /// panics, the measures so far remain.
    ///
    /// ```
    /// use forall::{choice::Sequence, prelude::*, property::Property};
    /// let property = property! { forall n in 0..10u32, shrink |n| 0..*n; check *n != 3 };
    /// let mut source = Source::replay(&Sequence::from_values(100, &[5]));
    /// let mut candidates = Vec::new();
    /// property.candidates(&mut source, &[], 0, &mut candidates).unwrap();
    /// assert_eq!(candidates.len(), 5);
    /// ```
    #[doc(hidden)]
    fn candidates(
        &self,
        source: &mut Source,
        steps: &[Step],
        quantifier: u32,
        candidates: &mut Vec<Measure>,
    ) -> Result<(), Stop>;

    /// Runs the paths of a bounded search, up to the first failure. Panics are not caught: see
    /// [`lazy::explore`](crate::lazy::explore).
    ///
    /// ```
    /// use forall::{lazy::explore, prelude::*};
    /// let property = property! { forall a: bool; forall b: bool; check !(*a && *b) };
    /// assert_eq!(explore(&property, 0).evaluations, 4);
    /// ```
    #[cfg(feature = "full")]
    #[doc(hidden)]
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

/// The variables and assumptions of a property.
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
#[doc(hidden)]
pub struct Outline {
    /// Its variables, outermost first.
    pub quantifiers: Vec<Quantifier>,
    /// The source of its assumptions.
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
#[doc(hidden)]
pub struct Quantifier {
    /// Its name.
    pub name: &'static str,
    /// The compiler's name of its type.
    pub type_name: &'static str,
    /// Whether it has a custom shrinker.
    pub shrinks: bool,
    /// Whether it has a custom mutator.
    pub mutates: bool,
}

/// A block of tests, to run without observing each.
///
/// [`Schedule::block`](crate::run::Schedule::block) creates one with the sizes of a run. To create one by hand:
///
/// ```
/// use forall::prelude::*;
/// use forall::property::{Block, Progress, Property, Sizes};
/// let property = property! { forall n: u64; check n.count_ones() <= 64 };
/// // A hundred tests, all at size 50.
/// let block = Block { seed: 7, indices: 0..100, sizes: Sizes::constant(50) };
/// assert_eq!(property.run_block(&block, &Progress::default()).index, 100);
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[doc(hidden)]
pub struct Block {
    /// The seed of the run.
    pub seed: u64,
    /// The indices of its tests.
    pub indices: Range<u64>,
    /// Their sizes.
    pub sizes: Sizes,
}

/// The sizes of the tests of a block: a function of the index that a loop computes in a few instructions.
///
/// ```
/// use forall::property::Sizes;
/// assert_eq!(Sizes::constant(50).of(1000), 50);
/// // Advances by half of the range with each test, and wraps around.
/// let halves = Sizes::spread(0, 9, 1 << 31);
/// assert_eq!([halves.of(0), halves.of(1), halves.of(2)], [5, 0, 5]);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[doc(hidden)]
pub struct Sizes {
    /// The first size, in units of 2^-32. For decreasing sizes, the fraction bits are all set, so that rounding works
    /// as for increasing ones.
    from: u64,
    /// The number of sizes; negative, in two's complement, if they decrease. This avoids a branch in the loop.
    count: u64,
    /// The step from one test to the next, as a part of 2^32.
    step: u32,
}

impl Sizes {
    /// Creates sizes that are the same for every test.
    ///
    /// ```
    /// use forall::property::Sizes;
    /// assert_eq!(Sizes::constant(7).of(3), 7);
    /// ```
    pub const fn constant(size: u32) -> Self {
        Self::spread(size, size, 0)
    }

    /// Creates sizes from `from` to `to`, inclusive, cyclically: each test advances by `step` / 2^32 of the range. The
    /// first test is one step after `from`: tests of the smallest size are the least likely to find a bug.
    ///
    /// ```
    /// use forall::property::Sizes;
    /// assert_eq!(Sizes::spread(10, 0, 1 << 31).of(0), 5);
    /// ```
    pub const fn spread(from: u32, to: u32, step: u32) -> Self {
        let count = from.abs_diff(to) as u64 + 1;
        let start = (from as u64) << 32;
        if to < from {
            Self { from: start | u32::MAX as u64, count: count.wrapping_neg(), step }
        } else {
            Self { from: start, count, step }
        }
    }

    /// Returns the size of test `index`.
    ///
    /// ```
    /// use forall::property::Sizes;
    /// assert_eq!(Sizes::spread(0, 99, 1 << 30).of(2), 75);
    /// ```
    #[inline(always)]
    pub const fn of(&self, index: u64) -> u32 {
        self.at(self.place(index))
    }

    /// The arguments of [`spread`](Self::spread).
    pub(crate) fn to_words(self) -> [u32; 3] {
        [self.at(0), self.at(u32::MAX), self.step]
    }

    /// The position of test `index` on the circle.
    #[inline(always)]
    const fn place(&self, index: u64) -> u32 {
        (index as u32).wrapping_add(1).wrapping_mul(self.step)
    }

    #[inline(always)]
    const fn at(&self, place: u32) -> u32 {
        (self.from.wrapping_add((place as u64).wrapping_mul(self.count)) >> 32) as u32
    }
}

impl Block {
    /// Runs the tests of the block with `test`, up to the first that fails: the loop of [`Property::run_block`], for
    /// your own interpretation of the property.
    ///
    /// Panics are not caught: [`Tester::run_block_with`](crate::run::Tester::run_block_with) does that.
    ///
    /// ```
    /// use forall::property::{Block, IntoOutcome, Progress, Sizes};
    /// let block = Block { seed: 7, indices: 0..100, sizes: Sizes::constant(50) };
    /// let end = block.run(&Progress::default(), |source| (source.draw(0..10u32) < 10).into_outcome());
    /// assert_eq!((end.index, end.failure), (100, None));
    /// ```
    #[inline]
    pub fn run(&self, progress: &Progress, mut test: impl FnMut(&mut Source) -> Outcome) -> BlockEnd {
        self.run_in_parts(&mut |part| part.run_as_it_is(progress, &mut test))
    }

    /// Whether the tests of the block are shaped; they must be all shaped or all plain.
    fn is_shaped(&self) -> bool {
        Shape::is_due(self.indices.start)
    }

    /// Whether its plain tests make their choices on tape, to detect an endless generator: random choices are not
    /// counted.
    fn is_counted(&self) -> bool {
        Shape::is_counted(self.indices.start)
    }

    /// Runs tests on tape: those that are shaped, and those that are counted.
    #[cold]
    fn run_on_tape(&self, property: &dyn Property, progress: &Progress) -> BlockEnd {
        self.run_as_it_is(progress, &mut |source| {
            let ran = catch_unwind(AssertUnwindSafe(|| property.run(source, &[])));
            // Forks were misused, on some thread: the outcome is inconclusive.
            if source.on_several_threads() {
                resume_unwind(Box::new(SeveralThreads));
            }
            if source.is_overrun() {
                resume_unwind(Box::new(Overrun));
            }
            if source.is_cut_short() {
                crate::context::say_overrun();
                // A shaped test cannot be rerun without its record, so its failure is not reported from this loop.
                return if let Ok(Ok(Outcome::Pass)) = ran { Outcome::Pass } else { Outcome::Discard };
            }
            ran.unwrap_or_else(|payload| resume_unwind(payload)).unwrap_or(Outcome::Discard)
        })
    }

    /// The loop over tests that are all shaped or all plain.
    #[inline]
    fn run_as_it_is(&self, progress: &Progress, test: &mut impl FnMut(&mut Source) -> Outcome) -> BlockEnd {
        let Self { seed, ref indices, sizes } = *self;
        let (is_shaped, is_counted) = (self.is_shaped(), self.is_counted());
        let mut source = Source::random(seed, indices.start, 0);
        for index in indices.clone() {
            if is_shaped {
                source = Source::test_of_block(seed, index, sizes.of(index));
            } else if is_counted {
                source = Source::counted(seed, index, sizes.of(index));
            } else {
                source.restart(seed, index, sizes.of(index));
            }
            progress.index.store(index, Ordering::Relaxed);
            match test(&mut source) {
                Outcome::Pass => {}
                Outcome::Discard => discard(&mut source, progress),
                Outcome::Fail(failure) => return BlockEnd { index, failure: Some(failure) },
            }
        }
        BlockEnd { index: indices.end, failure: None }
    }

    /// Runs the block in parts that are all shaped or all plain, up to the first failure.
    #[inline(never)]
    fn run_in_parts(&self, run: &mut dyn FnMut(&Self) -> BlockEnd) -> BlockEnd {
        let Range { start, end } = self.indices;
        let mut next = start;
        while next < end {
            let part = next..Shape::end_of_run(next..end);
            next = part.end;
            let ended = run(&Self { indices: part, ..self.clone() });
            if ended.failure.is_some() || ended.index < next {
                return ended;
            }
        }
        BlockEnd { index: next, failure: None }
    }
}

/// How a block ended.
///
/// ```
/// use forall::prelude::*;
/// use forall::property::{Block, Progress, Property, Sizes};
/// let property = property! { forall n in 0..10u32; check *n >= 10 };
/// let block = Block { seed: 7, indices: 3..100, sizes: Sizes::constant(0) };
/// let end = property.run_block(&block, &Progress::default());
/// assert_eq!(end.index, 3, "the first test fails");
/// assert_eq!(end.failure.unwrap().message, "the property returned false");
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[doc(hidden)]
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

    fn literals(&self) -> &'static str {
        F::LITERALS
    }

    fn declared(&self) -> &'static str {
        F::DECLARED
    }

    fn run_block(&self, block: &Block, progress: &Progress) -> BlockEnd {
        block.run_in_parts(&mut |part| {
            if part.is_shaped() || part.is_counted() {
                part.run_on_tape(self, progress)
            } else {
                self.run_plain(part, progress)
            }
        })
    }

    fn run(&self, source: &mut Source, steps: &[Step]) -> Result<Outcome, Stop> {
        // `match` rather than `?`: it is less code to compile.
        match self.previous.walk(source, steps) {
            Ok(env) => {
                #[cfg(feature = "coverage")]
                crate::compared::check_begins();
                Ok(self.conclusion.conclude(env))
            }
            Err(stop) => Err(stop),
        }
    }

    fn print(&self, source: &mut Source, steps: &[Step]) -> Result<Vec<Binding>, Stop> {
        source.print_discarded();
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

    #[cfg(feature = "full")]
    fn explore(&self, walk: &mut Walk<'_>) -> Option<Box<Failure>> {
        super::walk::explore(self, F::BY_REFERENCE, walk)
    }
}

impl<P, F> Check<P, F>
where
    P: Telescope + Generating,
    F: Conclude<P::Env>,
{
    /// The hot loop: plain tests.
    fn run_plain(&self, block: &Block, progress: &Progress) -> BlockEnd {
        let Block { seed, indices: Range { start, end }, sizes } = *block;
        // It has no tape to drop: without cleanup, there is less code around each call.
        let mut source = ManuallyDrop::new(Source::BLANK);
        let source: &mut Source = &mut source;
        let mut place = sizes.place(start);
        let mut index = start;
        while index < end {
            source.restart_plain(seed, index, sizes.at(place));
            progress.index.store(index, Ordering::Relaxed);
            place = place.wrapping_add(sizes.step);
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
}

/// The parts of a property that printing and shrinking need, with the type erased: properties over the same types share
/// this code.
trait PrintAndShrink<Env> {
    fn show(&self, env: &Env, bindings: &mut Vec<Binding>);
    fn candidates(&self, env: &Env, quantifier: u32, candidates: &mut Vec<Measure>);
}

impl<P: Printing + Shrinking, F> PrintAndShrink<P::Env> for Check<P, F> {
    fn show(&self, env: &P::Env, bindings: &mut Vec<Binding>) {
        self.previous.show(env, bindings);
    }

    fn candidates(&self, env: &P::Env, quantifier: u32, candidates: &mut Vec<Measure>) {
        self.previous.candidates(env, quantifier, candidates);
    }
}

fn show<Env>(walked: Result<Env, Stop>, property: &dyn PrintAndShrink<Env>) -> Result<Vec<Binding>, Stop> {
    let env = walked?;
    let mut bindings = Vec::new();
    property.show(&env, &mut bindings);
    crate::panic::drop_quietly(env);
    Ok(bindings)
}

fn measure<Env>(
    walked: Result<Env, Stop>,
    property: &dyn PrintAndShrink<Env>,
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
