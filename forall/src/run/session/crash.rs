//! Tests that end their process: run again alone, and if that does nothing, after what their process had run before.

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
    /// A test that failed runs in a new process next: in one that others have used, or the same test before, it may meet what they
    /// left behind. But parallel state machines learn in a process how often to repeat, unless they end it.
    pub(super) fn begin_anew(&self, failure: &Failure) {
        if let Some(isolation) = &self.workplace.isolation
            && (failure.kind.takes_the_process() || !isolation.repeats())
        {
            isolation.begin_anew();
        }
    }

    /// A test ended its process, and does not when it runs alone: what `again` came to. Finds out which of the tests that the
    /// process had run before are needed, and runs the case after these from here on: what it comes to then.
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
            // Where no process can be started, nothing is found out.
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

    /// Whether a test that did not end its process when it ran alone does so in one of a few runs more. Then it is flaky. A search for
    /// tests that it needs would find some by chance, and after these it fails even less often, since they may end the process as well.
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

    /// Makes the tests smaller that the smallest case needs before it, one after the other.
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
