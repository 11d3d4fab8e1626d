//! Other bugs found while shrinking: each is shrunk, saved and reported.

use super::found::{shrinker, stage_of};
use super::{Session, fails_alike};
use crate::property::Failure;
use crate::run::keeping::Stage;
use crate::run::{Case, Counterexample, Found, Shrinking};
use crate::store::Saved;
use std::time::{Duration, Instant};

/// The number of bugs to shrink and report. The others are saved, and the report has their number.
const MAX_SHOWN: usize = 3;

impl Session<'_> {
    /// Shrinks the other bugs that were found while shrinking to `main`, within what is left of the limits. Those that
    /// are not reported stay in `shrinking.others`, and are saved for the next run.
    pub(super) fn other_bugs(&mut self, main: &Failure, shrinking: &mut Shrinking) -> Vec<Counterexample> {
        let mut left = self.settings.shrink_evaluations.saturating_sub(shrinking.evaluations);
        let until = Instant::now().checked_add(self.settings.shrink_time.saturating_sub(shrinking.time));
        let mut met = std::mem::take(&mut shrinking.others);
        let mut shown: Vec<Counterexample> = Vec::new();
        let mut at = 0;
        while at < met.len() {
            let (case, failure) = met[at].clone();
            at += 1;
            let repeats = shown.len() < MAX_SHOWN && fails_alike(&self.tester.run(&case).1, &failure);
            if !repeats {
                self.keep_other(&case, &failure, Stage::Found);
                shrinking.others.push((case, failure));
                continue;
            }
            let (found, more) = self.other_bug(case, failure, left, until);
            left = left.saturating_sub(found.shrinking.evaluations);
            shown.push(found);
            for (case, failure) in more {
                let known = failure.same_origin(main) || met.iter().any(|(_, other)| other.same_origin(&failure));
                if !known {
                    met.push((case, failure));
                }
            }
        }
        shown
    }

    /// Shrinks another bug. Returns it, and further bugs found meanwhile.
    fn other_bug(
        &mut self,
        case: Case,
        failure: Failure,
        evaluations: u64,
        until: Option<Instant>,
    ) -> (Counterexample, Vec<(Case, Failure)>) {
        let original = self.tester.print(&case);
        let mut saved = self.keep_other(&case, &failure, Stage::Shrinking);
        let time =
            if let Some(until) = until { until.saturating_duration_since(Instant::now()) } else { Duration::MAX };
        let shared = self.shrinks_on_several_threads();
        let shrinker = shrinker(&self.tester, &self.settings, shared, (case.clone(), failure));
        let (best, failure, mut shrinking) = shrinker.limits(evaluations, time).shrink(|_, _, _| {});
        let bindings = self.tester.print(&best);
        match self.keeper.keep_beside(saved.as_ref(), &best, &bindings, &failure, stage_of(&shrinking)) {
            Ok(better) => saved = Some(better),
            Err(why) => self.warn_of_store(&why),
        }
        let more = std::mem::take(&mut shrinking.others);
        let original = (best != case).then_some(original);
        let stored = saved.and_then(|saved| saved.path().map(|path| path.display().to_string()));
        (self.shown(best, failure, Found::WhileShrinking, original, shrinking, stored).1, more)
    }

    /// Saves another bug as it was found: the next run replays and shrinks it when the first one is fixed.
    pub(super) fn keep_other(&mut self, case: &Case, failure: &Failure, stage: Stage) -> Option<Saved> {
        let bindings = self.tester.print(case);
        match self.keeper.keep_beside(None, case, &bindings, failure, stage) {
            Ok(saved) => Some(saved),
            Err(why) => {
                self.warn_of_store(&why);
                None
            }
        }
    }
}
