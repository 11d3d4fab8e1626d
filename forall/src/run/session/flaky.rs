//! Failures that do not repeat: what one run of an input came to, and what others did.

use super::{Ending, RETRIES, Session, fails_alike};
use crate::property::{Binding, Failure, FailureKind};
use crate::report::advice;
use crate::run::{Case, Counterexample, Found, Tested, Verdict};
use std::time::{Duration, Instant};

/// So often a case is run again before it is said to fail: what fails nine times in ten passes once in these, most likely.
const REPEATS: u32 = 20;
/// Only if a run takes no longer than this.
const FAST: Duration = Duration::from_millis(1);
/// What is said of a run that passed.
const PASSED: &str = "passed";

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
        let passes = self.tell_other_runs(&mut shown, &second, Vec::new());
        // Only random tests run side by side.
        let was_at_random = matches!(shown.found, Found::Random { .. });
        if passes && was_at_random && self.on_several_threads().is_some() {
            self.warn(advice::race_with_itself(self.settings.threads));
        }
        (Verdict::Flaky, Some(shown))
    }

    /// Runs a failing case again, and as often as that takes no time: the run that did not fail alike, or else the first.
    ///
    /// An input that was handed over is not repeated, and whether a deadline is missed is not the same in each run.
    pub(super) fn run_repeatedly(&self, shown: &Counterexample) -> (Tested, Vec<String>) {
        #[cfg(feature = "isolate")]
        self.begin_anew(&shown.failure);
        let started = Instant::now();
        let first = self.run_with_notes(&shown.case);
        let once = shown.found == Found::Given || shown.failure.kind == FailureKind::Deadline;
        if once || !fails_alike(&first.0, &shown.failure) || started.elapsed() >= FAST {
            return first;
        }
        for _ in 1..REPEATS {
            if started.elapsed() >= REPEATS * FAST || self.tester.context().is_cancelled() {
                break;
            }
            let again = self.run_with_notes(&shown.case);
            if !fails_alike(&again.0, &shown.failure) {
                return again;
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

    /// Tells what else the input of a failure does, and how often, after a run that did not fail like it and noted `notes`.
    /// Whether it always passes now.
    pub(super) fn tell_other_runs(&self, shown: &mut Counterexample, other: &Tested, notes: Vec<String>) -> bool {
        let mut runs = vec![(told(other), 1)];
        shown.other_notes = notes;
        for _ in 0..RETRIES {
            let (tested, notes) = self.run_with_notes(&shown.case);
            let alike = fails_alike(&tested, &shown.failure);
            let said = if alike { &mut shown.notes } else { &mut shown.other_notes };
            if said.is_empty() {
                *said = notes;
            }
            let told = if alike { "failed again".to_owned() } else { told(&tested) };
            match runs.iter_mut().find(|(other, _)| *other == told) {
                Some((_, count)) => *count += 1,
                None => runs.push((told, 1)),
            }
        }
        let passes = runs.iter().all(|(told, _)| told == PASSED);
        let mut text = String::new();
        for (told, count) in runs {
            text += &format!("{}{told} ({count} of {})", if text.is_empty() { "" } else { "; " }, RETRIES + 1);
        }
        shown.other_run = Some(text);
        passes
    }
}

/// What became of a run, in words.
fn told(tested: &Tested) -> String {
    match tested {
        Tested::Pass => PASSED.to_owned(),
        Tested::Discard(_) => "was discarded".to_owned(),
        Tested::Fail(failure) => {
            let place = failure.location.as_ref().map_or(String::new(), |location| format!(", at {location}"));
            format!("failed in another way{place}: {}", failure.message)
        }
        Tested::Fault(_) => "met a fault of the generator".to_owned(),
        Tested::NoSuchStep => "took another path".to_owned(),
    }
}
