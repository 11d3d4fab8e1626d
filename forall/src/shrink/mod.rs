//! Counterexample minimisation: on choices, and on values by the shrinkers that users annotate.
//!
//! Every candidate goes through one gate, `Search::consider` in `search.rs`: it must be simpler than the best so far and
//! its outcome must not be known, it is run, and it becomes the best only if it fails in the same way. So whatever a pass
//! proposes, the result was seen to fail, and the search ends.
//!
//! The passes on choices are one file each, listed in `passes.rs` in the order in which they first run:
//!
//! | file | proposes |
//! | --- | --- |
//! | `simplify.rs` | whole variables and subtrees at their simplest; all numbers of a part at 0 |
//! | `fold.rs` | one element in place of all, with their sum |
//! | `elements.rs` | collections without runs of their elements |
//! | `raise.rs` | fewer and larger elements |
//! | `join.rs` | two neighbouring collections as one |
//! | `descend.rs` | a subtree, from one level down or more, in place of the tree that it is part of |
//! | `plain.rs` | plain characters in place of wide ones |
//! | `lower.rs` | smaller numbers, and equal numbers smaller together |
//! | `branches.rs` | a simpler alternative, and of the rest what fits |
//! | `counts.rs` | a smaller number, and as many elements fewer |
//! | `indices.rs` | fewer elements, and what pointed behind them following |
//! | `together.rs` | several collections without the elements at the same positions |
//! | `pairs.rs` | two numbers that keep their difference, or their sum |
//! | `order.rs` | parts of one kind in order |
//! | `trees.rs` | a subtree swapped with its neighbour, or moved into it |
//! | `signs.rs` | all numbers with the other sign |
//! | `commands.rs` | fewer commands, and others |
//! | `exchange.rs` | two values in the place of each other |
//! | `sieve.rs` | smaller numbers where most are rejected |
//! | `every.rs` | every simpler input, where there are few |
//! | `runs.rs` | fewer choices where no part holds them together |
//!
//! Before them, `resize.rs` puts the case under an ordinary size. What an edit is is in `edit.rs`, how the
//! parts of an input are found in `structure.rs`, how they are fitted into another place in `fit.rs`, and what is known of
//! inputs that were run in `known.rs`. Shrinking on values is in `values.rs`, and on both in `hybrid.rs`. With several threads,
//! what the search will ask for next is found out in `ahead.rs`, and run in `pool.rs`, if `helpers.rs` says that it pays.

mod ahead;
mod branches;
mod commands;
mod counts;
mod descend;
pub(crate) mod edit;
mod elements;
mod every;
mod exchange;
mod fit;
mod fold;
mod helpers;
mod hybrid;
mod indices;
mod join;
mod known;
mod lower;
mod order;
mod pairs;
mod passes;
mod plain;
mod pool;
mod raise;
mod resize;
mod runs;
mod search;
mod sieve;
mod signs;
mod simplify;
pub(crate) mod structure;
#[cfg(test)]
mod tests;
mod together;
mod trees;
mod values;

#[cfg(feature = "guided")]
pub(crate) use edit::splice;

use crate::property::{Failure, Property};
use crate::run::{Case, OwnCwd, ShrinkOn, Shrinking, Tester};
use helpers::Helpers;
use pool::Pool;
use search::Search;
use std::thread::{Builder, scope};
use std::time::Duration;

/// Minimises a failing case.
///
/// ```
/// use forall::property::{Empty, Telescope};
/// use forall::run::{Tested, Tester};
/// use forall::shrink::Shrinker;
/// use std::time::Duration;
///
/// let property = Empty.forall("n", |(), s| s.draw(0..1000u32)).check(|(n, ())| *n < 10);
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
pub struct Shrinker<'a> {
    tester: &'a Tester<'a>,
    case: Case,
    failure: Failure,
    max_evaluations: u64,
    max_time: Duration,
    on: ShrinkOn,
    after_each: Option<&'a mut dyn FnMut()>,
    shared: Option<&'a (dyn Property + Sync)>,
    threads: usize,
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
pub struct Improvement {
    /// How many inputs were run since shrinking began.
    pub evaluations: u64,
    /// The pass that proposed it.
    pub pass: &'static str,
}

impl<'a> Shrinker<'a> {
    /// A shrinker that starts from `case`, which failed with `failure`.
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
            after_each: None,
            shared: None,
            threads: 1,
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
    /// assert_eq!(runs, story.evaluations);
    /// ```
    pub fn after_each(mut self, act: &'a mut dyn FnMut()) -> Self {
        self.after_each = Some(act);
        self
    }

    /// Runs candidates on several threads, as soon as they take long enough for that to pay. The property is the one that
    /// the tester tests, as one that threads can share. What this comes to is the same as on one thread, and takes as many
    /// evaluations; those that nobody asked for in the end are counted as [`wasted`](Shrinking::wasted).
    ///
    /// ```
    /// # use forall::{prelude::*, choice::Sequence, run::{Case, Tested, Tester}, shrink::Shrinker};
    /// # use std::{thread::sleep, time::Duration};
    /// let property = property! { forall n in 0..1000u32; check { sleep(Duration::from_millis(1)); *n < 10 } };
    /// let tester = Tester::new("below ten", &property, 1);
    /// let large = Case { sequence: Sequence::from_values(100, &[999]), steps: vec![] };
    /// let shrunk = |threads| {
    ///     let (large, Tested::Fail(failure)) = tester.run(&large) else { panic!("999 is not below ten") };
    ///     let shrinker = Shrinker::new(&tester, large, failure).threads(&property, threads);
    ///     let (best, _, story) = shrinker.shrink(|_, _, _| {});
    ///     (best, story.evaluations, story.accepted)
    /// };
    /// assert_eq!(shrunk(1), shrunk(2));
    /// ```
    pub fn threads(mut self, property: &'a (dyn Property + Sync), threads: usize) -> Self {
        (self.shared, self.threads) = (Some(property), threads);
        self
    }

    /// With several [`threads`](Shrinker::threads): goes on with whatever fails first, and not with what one thread would have
    /// come to first. Where many candidates fail this is faster; where it ends may differ from run to run.
    ///
    /// ```
    /// # use forall::{prelude::*, choice::Sequence, run::{Case, Tested, Tester}, shrink::Shrinker};
    /// # use std::{thread::sleep, time::Duration};
    /// let property = property! { forall n in 0..1000u32; check { sleep(Duration::from_millis(1)); *n < 10 } };
    /// let tester = Tester::new("below ten", &property, 1);
    /// let large = Case { sequence: Sequence::from_values(100, &[999]), steps: vec![] };
    /// let (large, Tested::Fail(failure)) = tester.run(&large) else { panic!("999 is not below ten") };
    /// let shrinker = Shrinker::new(&tester, large, failure).threads(&property, 2).greedily(true);
    /// let (best, _, _) = shrinker.shrink(|_, _, _| {});
    /// assert_eq!(best.sequence.values().collect::<Vec<_>>(), [10]);
    /// ```
    pub fn greedily(mut self, greedily: bool) -> Self {
        self.greedily = greedily;
        self
    }

    /// Whether each thread has a current directory of its own.
    pub(crate) fn own_cwd(mut self, own_cwd: bool) -> Self {
        self.own_cwd = own_cwd;
        self
    }

    /// Minimises. `improved` hears of each better case, so that it can be kept before the next is tried.
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
        let Some(property) = self.shared.filter(|_| self.threads > 1) else {
            return self.search(None, &mut improved);
        };
        let (tester, threads, greedily, own_cwd) = (self.tester, self.threads, self.greedily, self.own_cwd);
        let pool = Pool::new(tester.context().clone());
        let (best, failure, mut story) = scope(|scope| {
            let _closed = pool.close_when_dropped();
            let start = |number| {
                // A tester is made by the thread that uses it: its context is that thread's.
                let (make, pool) = (tester.for_candidates(property, number), &pool);
                let name = format!("forall-shrink-{number}");
                let work = move || match OwnCwd::enter_if(own_cwd) {
                    Ok(_own_cwd) => pool.work(&make()),
                    // It would disturb others.
                    Err(_) => pool.remove_worker(),
                };
                Builder::new().name(name).spawn_scoped(scope, work).map(drop)
            };
            self.search(Some(Helpers::new(&pool, &start, threads, greedily)), &mut improved)
        });
        story.wasted = pool.runs().saturating_sub(story.handed_over);
        (best, failure, story)
    }

    fn search(
        self,
        helpers: Option<Helpers<'_>>,
        improved: &mut dyn FnMut(&Case, &Failure, Improvement),
    ) -> (Case, Failure, Shrinking) {
        let mut search = Search::new(self.tester, self.case, self.failure, improved);
        search.max_evaluations = self.max_evaluations;
        search.max_time = self.max_time;
        search.helpers = helpers;
        if let Some(act) = self.after_each {
            search.after_each = Some(act);
        }
        search.within_limits(|search| match self.on {
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
        search.finish()
    }
}
