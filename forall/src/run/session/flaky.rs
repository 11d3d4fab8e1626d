//! Failures that do not repeat: what one run of an input came to, and what others did.

use super::{Ending, RETRIES, Session, fails_alike};
use crate::property::{Binding, Failure, FailureKind};
use crate::report::advice;
use crate::run::{Case, Counterexample, Found, Tested, Verdict};
use std::time::{Duration, Instant};

/// So often a case is run again before it is said to fail: what fails nineteen times in twenty passes once in these, most
/// likely.
const REPEATS: u32 = 100;
/// So often if its body prints: each run is more to read before the report.
const REPEATS_PRINTING: u32 = 5;
/// Only if a run takes no longer than this.
const FAST: Duration = Duration::from_millis(1);
/// And only as long as all take no longer than this.
const REPEATS_TIME: Duration = Duration::from_millis(20);
/// What is said of a run that passed.
const PASSED: &str = "passed";
/// And of one that failed like the first.
const FAILED_AGAIN: &str = "failed again";

/// The last of several runs of a case.
pub(super) struct LastRun {
    pub(super) tested: Tested,
    /// What it noted.
    pub(super) notes: Vec<String>,
    /// How many runs before it failed.
    before: u32,
    /// How many runs there were.
    pub(super) runs: u32,
}

impl Session<'_> {
    /// Ends with a failure that did not repeat: the second run of the same input came to something else.
    pub(super) fn flaky(
        &mut self,
        case: Case,
        failure: Failure,
        found: Found,
        bindings: Vec<Binding>,
        second: Tested,
    ) -> Ending {
        if let Tested::Fault(fault) = second {
            return self.fault(&case, fault);
        }
        let mut shown = Counterexample::new(case, bindings, failure, found);
        self.look_again(&mut shown);
        let second = LastRun { tested: second, notes: Vec::new(), before: 0, runs: 1 };
        let passes = self.tell_other_runs(&mut shown, second);
        let ran_beside_others = match shown.found {
            Found::Random { .. } => true,
            #[cfg(feature = "literals")]
            Found::Literals { .. } => true,
            _ => false,
        };
        if passes && ran_beside_others && self.on_several_threads().is_some() {
            self.warn(advice::race_with_itself(self.settings.threads));
        }
        (Verdict::Flaky, Some(shown))
    }

    /// Runs a failing case again, and as often as that takes no time: the run that did not fail alike, or else the first.
    ///
    /// An input that was handed over is not repeated, and whether a deadline is missed is not the same in each run.
    pub(super) fn run_repeatedly(&self, shown: &Counterexample) -> LastRun {
        #[cfg(feature = "isolate")]
        self.begin_anew(&shown.failure);
        let started = Instant::now();
        let (tested, notes) = self.run_with_notes(&shown.case);
        let mut first = LastRun { tested, notes, before: 0, runs: 1 };
        let once = shown.found == Found::Given || shown.failure.kind == FailureKind::Deadline;
        if once || !fails_alike(&first.tested, &shown.failure) || started.elapsed() >= FAST {
            return first;
        }
        for before in 1..if self.settings.prints { REPEATS_PRINTING } else { REPEATS } {
            if started.elapsed() >= REPEATS_TIME || self.tester.context().is_cancelled() {
                break;
            }
            let (tested, notes) = self.run_with_notes(&shown.case);
            first.runs += 1;
            if !fails_alike(&tested, &shown.failure) {
                return LastRun { tested, notes, before, runs: first.runs };
            }
        }
        first
    }

    /// Runs a case and listens to what it notes.
    pub(super) fn run_with_notes(&self, case: &Case) -> (Tested, Vec<String>) {
        self.tester.context().want_notes(true);
        let (_, tested) = self.tester.run_to_the_end(case);
        let notes = self.tester.context().take_notes();
        self.tester.context().want_notes(false);
        (tested, notes)
    }

    /// Tells what else the input of a failure does, and how often, after a run that did not fail like it. Whether it always
    /// passes now.
    pub(super) fn tell_other_runs(&self, shown: &mut Counterexample, other: LastRun) -> bool {
        let LastRun { tested, notes, before, .. } = other;
        let mut runs = vec![(told(&tested), 1)];
        if before > 0 {
            runs.push((FAILED_AGAIN.to_owned(), u64::from(before)));
        }
        shown.other_notes = notes;
        for _ in 0..RETRIES {
            let (tested, notes) = self.run_with_notes(&shown.case);
            let alike = fails_alike(&tested, &shown.failure);
            let said = if alike { &mut shown.notes } else { &mut shown.other_notes };
            if said.is_empty() {
                *said = notes;
            }
            let told = if alike { FAILED_AGAIN.to_owned() } else { told(&tested) };
            match runs.iter_mut().find(|(other, _)| *other == told) {
                Some((_, count)) => *count += 1,
                None => runs.push((told, 1)),
            }
        }
        let passes = runs.iter().all(|(told, _)| told == PASSED);
        let mut text = String::new();
        for (told, count) in &runs {
            text += &format!("{}{told} ({count} of {})", if text.is_empty() { "" } else { "; " }, before + 1 + RETRIES);
        }
        shown.other_run = Some(text);
        passes
    }
}

/// What became of a run, in words.
pub(super) fn told(tested: &Tested) -> String {
    match tested {
        Tested::Pass => PASSED.to_owned(),
        Tested::Discard(_) => "was discarded".to_owned(),
        Tested::Fail(failure) => {
            let place = if let Some(location) = &failure.location { format!(", at {location}") } else { String::new() };
            format!("failed in another way{place}: {}", failure.message)
        }
        Tested::Fault(_) => "met a fault of the generator".to_owned(),
        Tested::NoSuchStep => "took another path".to_owned(),
    }
}
