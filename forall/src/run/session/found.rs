//! A failing input: kept, made sure of, made small, explained, shown.

use super::{Ending, Session, fails_alike};
use crate::context::Phase;
use crate::explain::{Explainer, Explanation};
use crate::panic::Hold;
use crate::property::{Binding, Failure, FailureKind};
use crate::report::advice;
use crate::run::keeping::Stage;
use crate::run::{Case, Counterexample, Event, Found, Shrinking, Tested, Verdict};
use crate::shrink::{Improvement, Shrinker};
use std::cell::RefCell;

impl Session<'_> {
    /// A failing input was seen: keeps it, makes sure of it, makes it small, and shows it.
    ///
    /// ```
    /// # use forall::{prelude::*, run::{Found, Run, Settings, Store, Tested, Verdict}};
    /// let property = property! { forall n in 0..1000u32; check *n >= 1000 };
    /// let settings = Settings::new().store(Store::Off);
    /// let mut session = Run::new("none", &property).settings(settings).session().unwrap();
    /// let (case, Tested::Fail(failure)) = session.tester.record(0, 100) else { panic!("all tests fail") };
    /// let (verdict, found) = session.found(case, failure, Found::Random { index: 0, size: 100 });
    /// assert_eq!(verdict, Verdict::Failed);
    /// assert_eq!(found.unwrap().bindings[0].printed.text(), "0", "it was shrunk");
    /// ```
    pub fn found(&mut self, case: Case, failure: Failure, found: Found) -> Ending {
        let hold = Hold::begin();
        let (verdict, mut shown) = self.work_on(case, failure, found);
        self.tell_strays(&hold, shown.as_mut());
        (verdict, shown)
    }

    /// Tells what threads said that did not join a test: with the counterexample, if there is one.
    pub(super) fn tell_strays(&mut self, hold: &Hold, mut shown: Option<&mut Counterexample>) {
        for text in hold.take() {
            match &mut shown {
                Some(shown) => shown.notes.push(text),
                None => self.warn(text),
            }
        }
    }

    fn work_on(&mut self, case: Case, failure: Failure, found: Found) -> Ending {
        self.tester.context().forget();
        self.tester.context().count_labels(false);
        self.say(&Event::Failed { case: &case, failure: &failure });
        self.keep_at_once(&case, &failure);
        if let Some(fault) = self.tester.generator_panics(&case) {
            return self.fault(&case, fault);
        }
        let original = self.tester.print(&case);
        self.keep(&case, &original, &failure, Stage::Found);
        let (drawn, again) = self.tester.run_to_the_end(&case);
        if drawn.sequence != case.sequence {
            self.warn(advice::generator_not_deterministic());
        }
        if !fails_alike(&again, &failure) {
            return self.flaky(case, failure, found, original, again);
        }
        if self.settings.shrink_evaluations > 0 {
            self.keep(&case, &original, &failure, Stage::Shrinking);
        }
        let (best, failure, mut shrinking) = self.shrink(case.clone(), failure);
        for fault in &shrinking.faults {
            self.warn(format!("while shrinking: {fault}"));
        }
        let bindings = self.tester.print(&best);
        self.keep(&best, &bindings, &failure, stage_of(&shrinking));
        let changed = best.sequence != case.sequence || best.steps != case.steps;
        let stored = self.keeper.path();
        let others = self.other_bugs(&failure, &mut shrinking);
        let (verdict, mut shown) = self.shown(best, failure, found, changed.then_some(original), shrinking, stored);
        shown.others = others;
        (verdict, Some(shown))
    }

    fn shrink(&mut self, case: Case, failure: Failure) -> (Case, Failure, Shrinking) {
        if self.settings.shrink_evaluations == 0 {
            return (case, failure, Shrinking::default());
        }
        let shrinker = Shrinker::new(&self.tester, case, failure)
            .limits(self.settings.shrink_evaluations, self.settings.shrink_time)
            .on(self.settings.shrink_on);
        let (observer, tester) = (&mut self.observer, &self.tester);
        let keeper = RefCell::new(&mut self.keeper);
        tester.context().begin(Phase::Shrinking);
        shrinker.after_each(&mut || keeper.borrow_mut().keep_pending(tester)).shrink(|case, failure, improvement| {
            tester.context().step();
            if let Some(observer) = observer {
                let bindings = if observer.wants_values() { tester.print(case) } else { Vec::new() };
                let Improvement { evaluations, pass, .. } = improvement;
                observer.event(&Event::Shrunk { case, evaluations, pass, bindings: &bindings });
            }
            keeper.borrow_mut().improve(case, failure, tester);
        })
    }

    /// What of the smallest case matters. An input that was handed over is run once and no more.
    fn explain(&mut self, shown: &Counterexample) -> Explanation {
        let Counterexample { case, bindings, failure, found, .. } = shown;
        let wanted = self.settings.explain > 0 && *found != Found::Given && !self.tester.context().is_cancelled();
        if !wanted || self.keeper.is_given_up() {
            return Explanation::default();
        }
        // An input that is tried for the explanation may end the process. The next run is to know.
        let marks = self.keeper.has_minimal() && *found != Found::WhileShrinking;
        if marks {
            self.keep(case, bindings, failure, Stage::Explaining);
        }
        self.tester.context().begin(Phase::Explaining);
        let runs = self.settings.explain;
        // Who asks for more runs has more time.
        let time = Explainer::TIME * u32::try_from(runs / Explainer::RUNS).unwrap_or(u32::MAX).max(1);
        let explanation = Explainer::new(&self.tester, case.clone(), failure.clone()).limits(runs, time).explain();
        if marks {
            self.keep(case, bindings, failure, Stage::Minimal);
        }
        self.say(&Event::Explained { explanation: &explanation });
        explanation
    }

    /// Ends with a case that is not to be shrunk.
    pub(super) fn conclude(&mut self, case: Case, failure: Failure, found: Found, stored: Option<String>) -> Ending {
        let (verdict, shown) = self.shown(case, failure, found, None, Shrinking::default(), stored);
        (verdict, Some(shown))
    }

    /// The last runs of the smallest case, of which one is shown.
    pub(super) fn shown(
        &mut self,
        case: Case,
        failure: Failure,
        found: Found,
        original: Option<Vec<Binding>>,
        shrinking: Shrinking,
        stored: Option<String>,
    ) -> (Verdict, Counterexample) {
        let mut shown = Counterexample::new(case, Vec::new(), failure, found);
        (shown.original, shown.shrinking, shown.stored) = (original, shrinking, stored);
        shown.bindings = self.tester.print(&shown.case);
        shown.explanation = self.explain(&shown);
        let (last, notes) = self.run_repeatedly(&shown);
        let verdict = match last {
            Tested::Fail(last) if last.same_origin(&shown.failure) => {
                (shown.failure, shown.notes) = (last, notes);
                Verdict::Failed
            }
            other => {
                // What a part does cannot be told from what happens by chance.
                shown.explanation.claims.clear();
                self.tell_other_runs(&mut shown, &other, notes);
                Verdict::Flaky
            }
        };
        if shown.failure.kind == FailureKind::Panic && shown.failure.location.is_none() {
            self.warn(advice::hook_replaced());
        }
        (verdict, shown)
    }

    /// A process died of this case: keeps and shows it, and does not run it.
    #[cfg(feature = "coverage")]
    pub(crate) fn died(&mut self, case: Case, failure: Failure, found: Found) -> Ending {
        self.keep_at_once(&case, &failure);
        let bindings = self.tester.print(&case);
        self.keep(&case, &bindings, &failure, Stage::Found);
        let mut counterexample = Counterexample::new(case, bindings, failure, found);
        counterexample.stored = self.keeper.path();
        (Verdict::Failed, Some(counterexample))
    }
}

/// How far a case has come that was shrunk.
pub(super) fn stage_of(shrinking: &Shrinking) -> Stage {
    let to_the_end = shrinking.evaluations > 0 && shrinking.cut_short.is_none();
    if to_the_end { Stage::Minimal } else { Stage::CutShort }
}
