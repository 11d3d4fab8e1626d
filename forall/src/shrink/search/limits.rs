//! The limits of a search.

use super::Search;
use crate::fact::Fact;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};

/// The payload with which a search unwinds when it reaches a limit.
pub(in crate::shrink) struct LimitReached;

impl Search<'_> {
    /// Unwinds out of all passes, to [`Search::within_limits`], when a limit is reached: on a large input, even
    /// proposing candidates that will not be tried takes long, and a pass may propose many.
    pub(in crate::shrink) fn stop_at_the_limits(&mut self) {
        if !self.may_go_on() {
            resume_unwind(Box::new(LimitReached));
        }
    }

    /// Runs a part of the search, until it ends or a limit is reached. The best case so far is kept.
    pub(in crate::shrink) fn within_limits(&mut self, search: &mut dyn FnMut(&mut Self)) {
        if let Err(payload) = catch_unwind(AssertUnwindSafe(|| search(self))) {
            self.end_journal();
            if !payload.is::<LimitReached>() {
                resume_unwind(payload);
            }
        }
    }

    /// Runs a part of the search for at most this many evaluations. Returns whether a better case was found.
    pub(in crate::shrink) fn for_at_most(&mut self, evaluations: u64, part: fn(&mut Self)) -> bool {
        let before = self.accepted();
        self.pause_at = self.evaluations().saturating_add(evaluations);
        self.within_limits(&mut { part });
        self.pause_at = u64::MAX;
        self.accepted() > before
    }

    /// The number of inputs that may still be run before the search is cut short.
    pub(in crate::shrink) fn left(&self) -> u64 {
        self.max_evaluations.saturating_sub(self.spent() + 1)
    }

    /// The number of inputs run when a pass that may run this many ends, before the search is cut short.
    pub(in crate::shrink) fn spent_after(&self, most: u64) -> u64 {
        self.spent() + self.left().min(most)
    }

    /// Whether neither the limits are reached nor the run was stopped.
    pub(in crate::shrink) fn may_go_on(&mut self) -> bool {
        if self.is_rehearsal() {
            return true;
        }
        if self.story.cut_short.is_none() {
            if self.spent() >= self.max_evaluations {
                self.story.cut_short = Some(Fact::EvaluationsSpent { evaluations: self.spent() });
            } else if self.started.elapsed() >= self.max_time {
                self.story.cut_short = Some(Fact::ShrinkTimeSpent { taken: self.started.elapsed() });
            } else if self.tester.context().is_cancelled() {
                self.story.cut_short = Some(Fact::RunStopped);
            }
        }
        self.story.cut_short.is_none() && self.story.evaluations < self.pause_at
    }
}
