//! Shrinking on several threads.
//!
//! The search is the same on any number of threads. `ahead.rs` predicts the candidates that it may request next, and a
//! [`Pool`] runs them, if `helpers.rs` says that it pays.

mod ahead;
mod helpers;
mod plan;

use super::{Improved, Shrinker};
use crate::effects::Cwd;
use crate::property::{Failure, Property};
use crate::shrink::story::Shrinking;
use crate::testing::Case;
use crate::testing::cores::Sharing;
use crate::testing::pool::Pool;
use ahead::Rehearsal;
use helpers::Helpers;
use std::thread::scope;

/// The part of a search that deals with other threads.
#[derive(Default)]
pub(super) struct Threads<'s> {
    /// The threads that run candidates, if there are any.
    helpers: Option<Helpers<'s>>,
    /// The rehearsal in progress, if any.
    rehearsal: Option<Rehearsal>,
}

/// How a shrinker uses several threads.
#[derive(Clone, Copy)]
pub(super) struct Several<'a> {
    property: &'a (dyn Property + Sync),
    threads: usize,
}

impl<'a> Shrinker<'a> {
    /// Runs candidates on several threads, as soon as they take long enough for that to pay. `property` must be the one
    /// that the tester tests, as a `Sync` reference. The result and the number of evaluations are the same as on one
    /// thread; runs whose results were not needed are counted as [`wasted`](Shrinking::wasted).
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

    /// Which candidates share a current directory.
    pub(crate) fn own_cwd(mut self, own_cwd: Cwd) -> Self {
        self.own_cwd = own_cwd;
        self
    }

    /// Minimises, on several threads if they are wanted.
    pub(super) fn shrink_on_threads(self, improved: Improved<'_>) -> (Case, Failure, Shrinking) {
        let Some(Several { property, threads }) = self.several else {
            return self.search(Threads::default(), improved);
        };
        let (tester, own_cwd) = (self.tester, self.own_cwd);
        let pool = Pool::new(tester.context().clone());
        let _sharing = Sharing::begin(threads);
        let (best, failure, mut story) = scope(|scope| {
            let _closed = pool.close_when_dropped();
            let start = |number| {
                let make = tester.for_candidates(property);
                pool.start(scope, format!("forall-shrink-{number}"), own_cwd, move || make(number))
            };
            let helpers = Helpers::new(&pool, &start, threads);
            self.search(Threads { helpers: Some(helpers), rehearsal: None }, improved)
        });
        story.wasted = pool.runs().saturating_sub(story.handed_over);
        (best, failure, story)
    }
}
