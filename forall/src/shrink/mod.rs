//! Shrinking: finds a minimal counterexample, on choices, and on values by annotated shrinkers.
//!
//! Every candidate of a pass goes through one gate, `Search::propose` in `search.rs`: it must be simpler than the best so
//! far and its outcome must be unknown; it is run, and it becomes the best only if it fails in the same way. So whatever
//! the passes propose, the result is known to fail, and the search terminates.
//!
//! The passes on choices, by file; `passes.rs` lists them in the order in which they first run:
//!
//! | file | proposes |
//! | --- | --- |
//! | `simplify.rs` | whole variables and subtrees at their simplest; all numbers of a part, or many, at 0 |
//! | `fold.rs` | one element with the sum of all, or of two, in their place; a number moved from one element to another |
//! | `elements.rs` | collections with runs of elements deleted |
//! | `raise.rs` | fewer and larger elements |
//! | `join.rs` | two neighbouring collections as one; elements of one collection in another |
//! | `descend.rs` | a subtree, from one level down or more, in place of the tree that it is part of |
//! | `plain.rs` | plain characters in place of wide ones |
//! | `lower.rs` | smaller numbers, and equal numbers smaller together; fractions with fewer digits, by `floats.rs` |
//! | `branches.rs` | a simpler alternative with as much of the rest as fits; one that draws less; a nested fork in place of its parent |
//! | `counts.rs` | a smaller number, with correspondingly fewer elements or iterations |
//! | `loops.rs` | a smaller count, and the draws of as many iterations fewer; an iteration fewer and a larger number before it |
//! | `indices.rs` | deleted elements, with indices past them decremented |
//! | `together.rs` | several collections without the elements at the same positions |
//! | `pairs.rs` | two numbers that keep their difference, sum, product or exclusive or; for floats from ranges see `floats.rs` |
//! | `order.rs` | parts of one kind, or many numbers, in order |
//! | `trees.rs` | a subtree swapped with its neighbour, or moved into it |
//! | `signs.rs` | all numbers with the other sign |
//! | `offset.rs` | all numbers of a collection shifted by the same amount |
//! | `near.rs` | numbers that are close to each other shifted by the same amount |
//! | `carry.rs` | a number decremented, with all following numbers at their maxima |
//! | `commands.rs` | fewer commands, and different ones |
//! | `exchange.rs` | two values swapped, or the ends of two elements |
//! | `permute.rs` | a permutation with fewer inversions |
//! | `small.rs` | small numbers, one by one; floats that are far apart |
//! | `sieve.rs` | smaller numbers where most are rejected |
//! | `every.rs` | every simpler input, where there are few; of hand-written recursion every simpler shape |
//! | `squares.rs` | square matrices without a row and a column |
//! | `sides.rs` | squares and triangles that loops draw, without a row and its column |
//! | `runs.rs` | fewer choices where no part holds them together, possibly with a larger number before them; runs swapped |
//!
//! When no pass makes progress, `random.rs` spends part of the remaining budget on the rare edits that `passes.rs` lists,
//! and on random candidates.
//!
//! Before the passes, `resize.rs` gives the case an ordinary size. `edit.rs` defines edits, `structure.rs` finds the
//! parts of an input, `fit.rs` fits them into another place, `realign.rs` adapts choices to the draws, and `known.rs`
//! stores the outcomes of earlier runs. Shrinking on values is in `values.rs`, and on both in `hybrid.rs`. Shrinking on
//! several threads is in `threads/`.

mod branches;
mod carry;
mod commands;
mod counts;
mod descend;
pub(crate) mod edit;
mod elements;
mod every;
mod exchange;
mod fit;
mod floats;
mod fold;
mod hybrid;
mod indices;
mod join;
mod known;
mod loops;
mod lower;
mod near;
mod offset;
pub(crate) mod on;
mod order;
mod pairs;
mod passes;
mod permute;
mod plain;
mod raise;
mod random;
mod realign;
mod resize;
mod runs;
mod search;
mod sides;
mod sieve;
mod signs;
mod simplify;
mod small;
mod squares;
pub(crate) mod story;
pub(crate) mod structure;
#[cfg(test)]
mod tests;
#[cfg_attr(not(feature = "full"), path = "../lean/shrinking.rs")]
mod threads;
mod together;
mod trees;
mod values;

pub(crate) use edit::splice;

use crate::property::Failure;
use crate::testing::{Case, Tester};
use on::ShrinkOn;
pub(crate) use search::retries::Retries;
use search::{Improved, Search};
use std::time::Duration;
use story::Shrinking;
use threads::Threads;

/// Minimises a failing case.
///
/// ```
/// use forall::property::{self, Telescope};
/// use forall::run::{Tested, Tester};
/// use forall::shrink::Shrinker;
/// use std::time::Duration;
///
/// let property = property::forall("n", |(), s| s.draw(0..1000u32)).check(|(n, ())| *n < 10);
/// let tester = Tester::new("below ten", &property, 1);
/// let (case, failure) = (0..)
///     .find_map(|index| match tester.record(index, 100) {
///         (case, Tested::Fail(failure)) => Some((case, failure)),
///         _ => None,
///     })
///     .unwrap();
/// let (minimal, _, story) = Shrinker::new(&tester, case, failure).limits(10_000, Duration::from_secs(5)).shrink(|_, _, _| {});
/// assert_eq!(minimal.sequence.values().collect::<Vec<_>>(), [10]);
/// assert!(story.evaluations > 0);
/// ```
#[doc(hidden)]
pub struct Shrinker<'a> {
    tester: &'a Tester<'a>,
    case: Case,
    failure: Failure,
    max_evaluations: u64,
    max_time: Duration,
    on: ShrinkOn,
    random: bool,
    retries: Option<&'a mut Retries>,
    after_each: Option<&'a mut dyn FnMut()>,
    ran: Option<search::Ran<'a>>,
    several: Option<threads::Several<'a>>,
    own_cwd: crate::effects::Cwd,
}

/// One accepted candidate: the pass that proposed it, and the number of evaluations so far.
///
/// ```
/// # use forall::{prelude::*, choice::Sequence, run::{Case, Tested, Tester}, shrink::Shrinker};
/// let property = property! { forall n in 0..1000u32; check *n < 10 };
/// let tester = Tester::new("below ten", &property, 1);
/// let large = Case { sequence: Sequence::from_values(100, &[999]), steps: vec![] };
/// let (large, Tested::Fail(failure)) = tester.run(&large) else { panic!("999 is not below ten") };
/// let mut passes = Vec::new();
/// Shrinker::new(&tester, large, failure).shrink(|_, _, improvement| passes.push(improvement.pass));
/// assert!(passes.contains(&"lower numbers"));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
#[doc(hidden)]
pub struct Improvement {
    /// The number of inputs run since shrinking began.
    pub evaluations: u64,
    /// The pass that proposed it.
    pub pass: &'static str,
}

impl<'a> Shrinker<'a> {
    /// Creates a shrinker that starts from `case`, which failed with `failure`.
    ///
    /// ```
    /// # use forall::{prelude::*, choice::Sequence, run::{Case, Tested, Tester}, shrink::Shrinker};
    /// let property = property! { forall n in 0..1000u32; check *n < 10 };
    /// let tester = Tester::new("below ten", &property, 1);
    /// let large = Case { sequence: Sequence::from_values(100, &[999]), steps: vec![] };
    /// let (large, Tested::Fail(failure)) = tester.run(&large) else { panic!("999 is not below ten") };
    /// let (best, _, _) = Shrinker::new(&tester, large, failure).shrink(|_, _, _| {});
    /// assert_eq!(best.sequence.values().collect::<Vec<_>>(), [10]);
    /// ```
    pub fn new(tester: &'a Tester<'a>, case: Case, failure: Failure) -> Self {
        Self {
            tester,
            case,
            failure,
            max_evaluations: 10_000,
            max_time: Duration::from_secs(30),
            on: ShrinkOn::default(),
            random: true,
            retries: None,
            after_each: None,
            ran: None,
            several: None,
            own_cwd: crate::effects::Cwd::Shared,
        }
    }

    /// Limits the number of evaluations and the time.
    ///
    /// ```
    /// # use forall::{prelude::*, choice::Sequence, run::{Case, Tested, Tester}, shrink::Shrinker};
    /// # use std::time::Duration;
    /// let property = property! { forall n in 0..1000u32; check *n < 10 };
    /// let tester = Tester::new("below ten", &property, 1);
    /// let large = Case { sequence: Sequence::from_values(100, &[999]), steps: vec![] };
    /// let (large, Tested::Fail(failure)) = tester.run(&large) else { panic!("999 is not below ten") };
    /// let shrinker = Shrinker::new(&tester, large, failure).limits(2, Duration::from_secs(5));
    /// let (_, _, story) = shrinker.shrink(|_, _, _| {});
    /// assert!(story.evaluations <= 2);
    /// assert!(story.cut_short.is_some());
    /// ```
    pub fn limits(mut self, evaluations: u64, time: Duration) -> Self {
        self.max_evaluations = evaluations;
        self.max_time = time;
        self
    }

    /// Sets how variables with their own shrinkers are shrunk. Default: on values.
    ///
    /// ```
    /// # use forall::{prelude::*, choice::Sequence, run::{Case, ShrinkOn, Tested, Tester}, shrink::Shrinker};
    /// let property = property! { forall n in 0..1000u32, shrink |n| [n / 2]; check *n < 10 };
    /// let tester = Tester::new("below ten", &property, 1);
    /// let large = Case { sequence: Sequence::from_values(100, &[992]), steps: vec![] };
    /// let shrunk = |on| {
    ///     let (large, Tested::Fail(failure)) = tester.run(&large) else { panic!("992 is not below ten") };
    ///     let (best, _, _) = Shrinker::new(&tester, large, failure).on(on).shrink(|_, _, _| {});
    ///     tester.print(&best)[0].printed.text().to_owned()
    /// };
    /// assert_eq!(shrunk(ShrinkOn::Values), "15");
    /// assert_eq!(shrunk(ShrinkOn::Choices), "10");
    /// ```
    pub fn on(mut self, on: ShrinkOn) -> Self {
        self.on = on;
        self
    }

    /// Calls `act` after each evaluation, whatever its outcome.
    ///
    /// ```
    /// # use forall::{prelude::*, choice::Sequence, run::{Case, Tested, Tester}, shrink::Shrinker};
    /// let property = property! { forall n in 0..1000u32; check *n < 10 };
    /// let tester = Tester::new("below ten", &property, 1);
    /// let large = Case { sequence: Sequence::from_values(100, &[999]), steps: vec![] };
    /// let (large, Tested::Fail(failure)) = tester.run(&large) else { panic!("999 is not below ten") };
    /// let mut runs = 0;
    /// let mut count = || runs += 1;
    /// let (_, _, story) = Shrinker::new(&tester, large, failure).after_each(&mut count).shrink(|_, _, _| {});
    /// assert_eq!(runs, story.evaluations + story.at_random);
    /// ```
    pub fn after_each(mut self, act: &'a mut dyn FnMut()) -> Self {
        self.after_each = Some(act);
        self
    }

    /// Shrinks the case. `improved` is called for each better case, so that it can be saved before the next candidate
    /// runs.
    ///
    /// ```
    /// # use forall::{prelude::*, choice::Sequence, run::{Case, Tested, Tester}, shrink::Shrinker};
    /// let property = property! { forall n in 0..1000u32; check *n < 10 };
    /// let tester = Tester::new("below ten", &property, 1);
    /// let large = Case { sequence: Sequence::from_values(100, &[999]), steps: vec![] };
    /// let (large, Tested::Fail(failure)) = tester.run(&large) else { panic!("999 is not below ten") };
    /// let mut better = Vec::new();
    /// let (best, _, _) = Shrinker::new(&tester, large, failure).shrink(|case, _, _| better.push(case.clone()));
    /// assert_eq!(better.last(), Some(&best));
    /// ```
    pub fn shrink(self, mut improved: impl FnMut(&Case, &Failure, Improvement)) -> (Case, Failure, Shrinking) {
        self.shrink_on_threads(&mut improved)
    }

    /// Whether random candidates follow the passes, which takes many runs. Default: true.
    pub(crate) fn random(mut self, random: bool) -> Self {
        self.random = random;
        self
    }

    /// Reruns a candidate that passes, because the failure is flaky. For a search on one thread. Default: each runs
    /// once.
    pub(crate) fn retries(mut self, retries: &'a mut Retries) -> Self {
        self.retries = Some(retries);
        self
    }

    /// Calls `ran` with the outcome of each evaluation.
    pub(crate) fn tell_each(mut self, ran: search::Ran<'a>) -> Self {
        self.ran = Some(ran);
        self
    }

    fn search(self, threads: Threads<'_>, improved: Improved<'_>) -> (Case, Failure, Shrinking) {
        let mut search = Search::new(self.tester, self.case, self.failure, improved);
        search.max_evaluations = self.max_evaluations;
        search.max_time = self.max_time;
        search.retries = self.retries;
        search.threads = threads;
        if let Some(act) = self.after_each {
            search.after_each = Some(act);
        }
        if let Some(ran) = self.ran {
            search.ran = Some(ran);
        }
        search.within_limits(&mut |search| match self.on {
            ShrinkOn::Choices => {
                search.resize();
                search.shrink_choices();
            }
            ShrinkOn::Values => {
                search.resize();
                search.freeze();
                // Choices first: the values that a variable with its own shrinker depends on should be simple before
                // its shrink path is started.
                search.shrink_choices();
                while search.has_frozen() && search.shrink_values() && search.shrink_choices() {}
            }
            ShrinkOn::Both => search.shrink_both(),
        });
        if self.random {
            search.within_limits(&mut |search| search.descend_at_random());
        }
        search.finish()
    }
}
