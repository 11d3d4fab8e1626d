//! Flaky failures: a candidate that passes is run again, since it may fail the next time.

use super::Search;
use crate::testing::{Case, Tested};

/// A candidate counts if it fails once in this many runs: a failure that shows in half of the runs is missed once in a thousand times.
const RUNS: u64 = 10;

impl Search<'_> {
    /// What a candidate comes to after it ended with `first`: runs it again until it fails like the best, as often as is left.
    pub(super) fn retry(&mut self, case: &Case, items: usize, first: (Case, Tested, bool)) -> (Case, Tested, bool) {
        if self.max_retries == 0 || !self.may_fail_later(&first.1) {
            return first;
        }
        for _ in 1..RUNS {
            let has_time = self.started.elapsed() < self.max_time && !self.tester.context().is_cancelled();
            if self.story.retries >= self.max_retries || !has_time {
                break;
            }
            self.story.retries += 1;
            let again = self.tester.run_within(case, items);
            if let Some(act) = &mut self.after_each {
                act();
            }
            if matches!(&again.1, Tested::Fail(failure) if failure.same_origin(&self.failure)) {
                return again;
            }
        }
        first
    }

    /// Whether a run that ended like this may fail like the best next time. What a generator or an assumption rejects does not.
    fn may_fail_later(&self, tested: &Tested) -> bool {
        match tested {
            Tested::Pass => true,
            Tested::Fail(failure) => !failure.same_origin(&self.failure),
            _ => false,
        }
    }

    /// Says that retries ran out, if they did. Candidates ran once each from there on.
    pub(super) fn tell_retries(&mut self) {
        if self.max_retries > 0 && self.story.retries >= self.max_retries && self.story.cut_short.is_none() {
            let why = format!("retrying candidates that pass after {} extra runs", self.story.retries);
            self.story.cut_short = Some(why);
        }
    }
}
