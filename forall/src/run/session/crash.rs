//! Crashes: rerun alone, and if that passes, after the tests that their process had run before.

use super::{RETRIES, Session, fails_alike};
use crate::context::Phase;
use crate::fact::Fact;
use crate::panic::catch;
use crate::property::Failure;
use crate::run::elsewhere::Needed;
use crate::run::{Case, Tested};
use crate::shrink::Shrinker;
use std::time::Instant;

impl Session<'_> {
    /// A failed test runs in a new process next: in a used one it may meet state that other tests, or itself, left
    /// behind. But parallel state machines, unless they crash, learn within one process how often to repeat.
    pub(super) fn begin_anew(&self, failure: &Failure) {
        if let Some(isolation) = &self.workplace.isolation
            && (failure.kind.takes_the_process() || !isolation.repeats())
        {
            isolation.begin_anew();
        }
    }

    /// Handles a test that crashed its process, but not when it ran alone: `again` is the outcome of that run. Finds
    /// out which of the process's earlier tests are needed, and from here on runs the case after them. Returns its
    /// outcome.
    pub(super) fn after_what_it_needs(&mut self, case: &Case, failure: &Failure, again: Tested) -> Tested {
        let Some(isolation) = &self.workplace.isolation else { return again };
        let history = isolation.take_history();
        if fails_alike(&again, failure) || !failure.kind.takes_the_process() {
            return again;
        }
        let until = Instant::now().checked_add(self.settings.shrink_time);
        if self.fails_alone_at_times(case, failure, until) {
            return again;
        }
        let needed = match &history {
            // If no process can be started, the search is inconclusive.
            Some(history) => {
                catch(|| history.needed(self.tester.context(), case, failure, until)).unwrap_or(Needed::Unknown(0))
            }
            None => Needed::Nothing(0),
        };
        let warning = match needed {
            Needed::Tests(before) => {
                let count = before.len();
                self.run_after(before);
                let after = self.tester.run_to_the_end(case).1;
                if fails_alike(&after, failure) {
                    return after;
                }
                self.run_after(Vec::new());
                Fact::CrashDidNotRepeat { earlier: count as u64 }
            }
            Needed::Nothing(count) => Fact::CrashDidNotRepeat { earlier: count as u64 },
            Needed::Unknown(count) => Fact::CrashHistoryTooLong { earlier: count as u64 },
        };
        self.warn(warning);
        again
    }

    /// Whether a test that did not crash when it ran alone crashes in one of a few more runs: then it is flaky. A
    /// search for the tests that it needs would find some by chance, and after those it would fail even less often,
    /// since they may crash as well.
    fn fails_alone_at_times(&self, case: &Case, failure: &Failure, until: Option<Instant>) -> bool {
        for _ in 0..RETRIES {
            if until.is_some_and(|until| Instant::now() >= until) || self.tester.context().is_cancelled() {
                return false;
            }
            self.begin_anew(failure);
            if fails_alike(&self.tester.run_to_the_end(case).1, failure) {
                return true;
            }
        }
        false
    }

    /// Shrinks the tests that the minimal case needs before it, one by one.
    pub(super) fn shrink_what_it_needs(&mut self, case: &Case, failure: &Failure) {
        let mut before = self.keeper.before().to_vec();
        let (evaluations, time) = (self.settings.shrink_evaluations, self.settings.shrink_time);
        let until = Instant::now().checked_add(time);
        let Some(isolation) = self.workplace.isolation.as_ref().filter(|_| !before.is_empty() && evaluations > 0)
        else {
            return;
        };
        self.tester.context().begin(Phase::Shrinking);
        for place in 0..before.len() {
            let mut after = before[place + 1..].to_vec();
            after.push(case.clone());
            isolation.run_among_others(before[..place].to_vec(), after);
            let left = until.map_or(time, |until| until.saturating_duration_since(Instant::now()));
            let shrinker =
                Shrinker::new(&self.tester, before[place].clone(), failure.clone()).limits(evaluations, left);
            before[place] = shrinker.on(self.settings.shrink_on).shrink(|_, _, _| {}).0;
        }
        self.run_after(before);
    }
}
