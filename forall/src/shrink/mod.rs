//! Shrinking: finds a minimal counterexample, on choices, and on values by annotated shrinkers.
//!
//! Every candidate passes one gate, `Search::consider` in `search.rs`: it must be simpler than the best so far and its
//! outcome must be unknown; it is run, and it becomes the best only if it fails in the same way. So whatever a pass
//! proposes, the result failed, and the search terminates.
//!
//! The passes on choices are one file each, listed in `passes.rs` in the order in which they first run:
//!
//! | file | proposes |
//! | --- | --- |
//! | `simplify.rs` | whole variables and subtrees at their simplest; all numbers of a part, or many, at 0 |
//! | `fold.rs` | one element in place of all, with their sum, or of two |
//! | `elements.rs` | collections with runs of elements deleted |
//! | `raise.rs` | fewer and larger elements |
//! | `join.rs` | two neighbouring collections as one; elements of one collection in another |
//! | `descend.rs` | a subtree, from one level down or more, in place of the tree that it is part of |
//! | `plain.rs` | plain characters in place of wide ones |
//! | `lower.rs` | smaller numbers, and equal numbers smaller together; fractions with fewer digits, by `floats.rs` |
//! | `branches.rs` | a simpler alternative with as much of the rest as fits; one that draws less; a fork out of a fork |
//! | `counts.rs` | a smaller number, and as many elements or iterations fewer |
//! | `loops.rs` | a smaller count, and the draws of as many iterations fewer |
//! | `indices.rs` | deleted elements, with indices past them decremented |
//! | `together.rs` | several collections without the elements at the same positions |
//! | `pairs.rs` | two numbers with the same difference, or the same sum; for floats of ranges see `floats.rs` |
//! | `order.rs` | parts of one kind, or many numbers, in order |
//! | `trees.rs` | a subtree swapped with its neighbour, or moved into it |
//! | `signs.rs` | all numbers with the other sign |
//! | `offset.rs` | all numbers of a collection shifted by the same amount |
//! | `carry.rs` | a number one lower, and all after it at their maximum |
//! | `commands.rs` | fewer commands, and different ones |
//! | `exchange.rs` | two values swapped, or the ends of two elements |
//! | `permute.rs` | a permutation with fewer inversions |
//! | `small.rs` | small numbers, one by one; floats that are far apart |
//! | `sieve.rs` | smaller numbers where most are rejected |
//! | `every.rs` | every simpler input, where there are few |
//! | `sides.rs` | squares and triangles that loops draw, without a row and its column |
//! | `runs.rs` | fewer choices where no part holds them together |
//!
//! When no pass makes progress, `random.rs` spends a part of the remaining limits on random candidates.
//!
//! Before the passes, `resize.rs` gives the case an ordinary size. `edit.rs` defines edits, `structure.rs` finds the
//! parts of an input, `fit.rs` fits them into another place, and `known.rs` has the outcomes of earlier runs. Shrinking
//! on values is in `values.rs`, and on both in `hybrid.rs`. Shrinking on several threads is in `threads/`.

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
    greedily: bool,
    own_cwd: bool,
}

/// How a better case was come by.
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
            greedily: false,
            own_cwd: false,
        }
    }

    /// Stops after so many evaluations, or so long.
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

    /// What variables with shrinkers of their own are shrunk on. Default: values.
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

    /// Calls `act` after each run, whatever came of it: for what must not wait for the next better case.
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

    /// Runs a candidate that passes several times: the failure is flaky. For a search on one thread. Default: each runs once.
    pub(crate) fn retries(mut self, retries: &'a mut Retries) -> Self {
        self.retries = Some(retries);
        self
    }

    /// Says of each input that was run what came of it.
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
                // Choices first: what a variable with its own shrinker depends on should be simple before its path is laid.
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
