//! Shrinking on several threads.
//!
//! The search is the same on any number of threads. What it will ask for next is found out in `ahead.rs`, and run in `pool.rs`,
//! if `helpers.rs` says that it pays.

mod ahead;
mod helpers;
mod pool;

use super::{Improved, Shrinker};
use crate::effects::OwnCwd;
use crate::property::{Failure, Property};
use crate::shrink::story::Shrinking;
use crate::testing::Case;
use ahead::Rehearsal;
use helpers::Helpers;
use pool::Pool;
use std::thread::{Builder, scope};

/// What a search has to do with other threads.
#[derive(Default)]
pub(super) struct Threads<'s> {
    /// The threads that run candidates, if there are any.
    helpers: Option<Helpers<'s>>,
    /// The pass that is run only to see what it will ask for.
    rehearsal: Option<Rehearsal>,
}

/// How a shrinker is to use several threads.
#[derive(Clone, Copy)]
pub(super) struct Several<'a> {
    property: &'a (dyn Property + Sync),
    threads: usize,
}

impl<'a> Shrinker<'a> {
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
        self.several = (threads > 1).then_some(Several { property, threads });
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

    /// Minimises, on several threads if they are wanted.
    pub(super) fn shrink_on_threads(self, improved: Improved<'_>) -> (Case, Failure, Shrinking) {
        let Some(Several { property, threads }) = self.several else {
            return self.search(Threads::default(), improved);
        };
        let (tester, greedily, own_cwd) = (self.tester, self.greedily, self.own_cwd);
        let pool = Pool::new(tester.context().clone());
        let (best, failure, mut story) = scope(|scope| {
            let _closed = pool.close_when_dropped();
            let start = |number| {
                // A tester is made by the thread that uses it: its context is that thread's.
                let (make, pool) = (tester.for_candidates(property), &pool);
                let name = format!("forall-shrink-{number}");
                let work = move || match OwnCwd::enter_if(own_cwd) {
                    Ok(_own_cwd) => pool.work(&make(number)),
                    // It would disturb others.
                    Err(_) => pool.remove_worker(),
                };
                Builder::new().name(name).spawn_scoped(scope, work).map(drop)
            };
            let helpers = Helpers::new(&pool, &start, threads, greedily);
            self.search(Threads { helpers: Some(helpers), rehearsal: None }, improved)
        });
        story.wasted = pool.runs().saturating_sub(story.handed_over);
        (best, failure, story)
    }
}
