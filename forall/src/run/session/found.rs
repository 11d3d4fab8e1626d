//! A failing input: saved, confirmed, shrunk, explained, reported.

use super::flaky::TRAIL;
use super::{Ending, RETRIES, Session, fails_alike};
use crate::context::Phase;
use crate::explain::{Explainer, Explanation};
use crate::fact::Fact;
use crate::panic::Hold;
use crate::property::{Binding, Failure, FailureKind, Property};
use crate::run::keeping::{AT_HAND, Stage};
use crate::run::{Case, Counterexample, Earlier, Event, Found, Settings, Shrinking, Tested, Tester, Verdict};
use crate::shrink::{Retries, Shrinker};
use crate::testing::{MOST_BESIDE, summary};
use std::cell::RefCell;
use std::time::{Duration, Instant};

/// Above this many runs, the body's own output floods the terminal.
const A_SCREEN: u64 = 20;

/// Fewer rejected candidates are not reported.
const MANY_REJECTED: u64 = 20;

/// The limits on shrinking.
pub(super) struct Effort {
    /// The limit on evaluations.
    pub(super) evaluations: u64,
    /// The time limit.
    pub(super) time: Duration,
}

/// A failure on several threads counts as a race if the input passes alone in this many times as many runs. A test that
/// fails by chance, regardless of what else runs, passes all of them in less than 2 % of all cases.
const ALONE: u64 = 4;
/// If these runs take longer, the failure is not reported as a race.
const ALONE_TIME: Duration = Duration::from_millis(500);

/// Why a failure is not known to be a race between tests.
enum NoRace {
    /// The input sometimes fails alone.
    FailsByChance,
    /// On several threads at once it did not fail in the same way, or the runs took too long.
    Unknown,
}

impl Session<'_> {
    /// Processes a failing input: saves it, confirms it, shrinks it, and prints it.
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
    #[doc(alias("shrink", "minimal"))]
    pub fn found(&mut self, case: Case, failure: Failure, found: Found) -> Ending {
        let hold = Hold::begin();
        let (verdict, mut shown) = self.work_on(case, failure, found);
        self.tell_strays(&hold, shown.as_mut());
        (verdict, shown)
    }

    /// Reports panics of threads that belong to no test: with the counterexample, if there is one.
    pub(super) fn tell_strays(&mut self, hold: &Hold, mut shown: Option<&mut Counterexample>) {
        for panics in hold.take() {
            match &mut shown {
                Some(shown) => shown.notes.push(panics.to_string()),
                None => self.warn(panics),
            }
        }
    }

    fn work_on(&mut self, case: Case, mut failure: Failure, found: Found) -> Ending {
        self.tester.context().forget();
        self.tester.context().count_labels(false);
        self.emit(&Event::Failed { case: &case, failure: &failure });
        self.begin_work(&case, &failure);
        if let Some(fault) = self.tester.generator_panics(&case) {
            self.keep(&case, &[], &failure, Stage::Found);
            return self.fault(&case, fault);
        }
        let original = self.tester.print(&case);
        self.tester.context().put_at_hand(summary(&original, AT_HAND));
        // If the process ends from here on, the next run can print the values.
        self.keep(&case, &original, &failure, Stage::Shrinking);
        self.begin_anew(&failure);
        let beside = self.keeper.beside;
        if let Some(alone) = self.fails_alone(&case) {
            failure = self.turn_to(alone, &case, &original, failure, beside);
        }
        let (mut drawn, mut again) = self.tester.run_to_the_end(&case);
        let passed_once = self.is_controlled() && matches!(again, Tested::Pass);
        if passed_once {
            // One failing replay confirms it: the interleaving is the same in all of them.
            (drawn, again) = self.run_until_it_fails(&case);
        }
        let draws_alike = drawn.sequence == case.sequence;
        let mut again = self.after_what_it_needs(&case, &failure, again);
        let (threads, mut may_race) = (self.settings.threads, self.ran_beside_others(&found, &failure));
        if may_race && !fails_alike(&again, &failure) {
            match self.always_fails(&case, &again) {
                Some(alone) => failure = self.turn_to(alone, &case, &original, failure, threads),
                None => match self.run_beside_itself(&case, &failure) {
                    Ok(raced) => again = raced,
                    Err(NoRace::FailsByChance) => may_race = false,
                    Err(NoRace::Unknown) => {}
                },
            }
        }
        if !fails_alike(&again, &failure) {
            let (verdict, mut shown) = self.flaky(case, failure, found, original, again, may_race);
            if let Some(shown) = &mut shown
                && !draws_alike
            {
                shown.caveats.insert(0, Fact::NotDeterministic);
            }
            return (verdict, shown);
        }
        // Inputs that sometimes pass on several threads say nothing about each other.
        let may_be_tainted = self.keeper.beside == 1;
        if may_be_tainted && let Some(tainted) = self.tainted(&failure) {
            return self.show_tainted((case, failure, original), found, &tainted);
        }
        let first = failure.clone();
        let (best, failure, mut shrinking) = self.shrink_in_a_hurry(case.clone(), failure);
        self.shrink_what_it_needs(&best, &failure);
        let changed = best.sequence != case.sequence || best.steps != case.steps;
        if changed
            && may_be_tainted
            && let Some(tainted) = self.tainted(&failure)
        {
            return self.show_tainted((case, first, original), found, &tainted);
        }
        let bindings = self.tester.print(&best);
        self.tester.context().put_at_hand(summary(&bindings, AT_HAND));
        let stage = if best.searched_to().is_some() { Stage::Minimal } else { stage_of(&shrinking) };
        self.keep(&best, &bindings, &failure, stage);
        let stored = self.keeper.path();
        let others = self.other_bugs(&failure, &mut shrinking);
        let (verdict, mut shown) = self.shown(best, failure, found, changed.then_some(original), shrinking, stored);
        shown.others = others;
        if verdict == Verdict::Flaky {
            self.reconsider(&mut shown, (case, first));
        } else if passed_once && shown.reruns.runs == 0 {
            self.advise_on_race(&mut shown);
        }
        if !draws_alike {
            shown.caveats.insert(0, Fact::NotDeterministic);
        }
        (verdict, Some(shown))
    }

    /// Whether a failure may be a race between tests: others ran on other threads, and it is not a missed deadline,
    /// since a test that missed its deadline was run alone before it failed.
    fn ran_beside_others(&self, found: &Found, failure: &Failure) -> bool {
        matches!(found, Found::Random { .. } | Found::Literals { .. } | Found::Enumerated)
            && self.on_several_threads().is_some()
            && failure.kind != FailureKind::Deadline
    }

    /// For an input that failed on several threads at once: how it fails on one, if it always does. From then on it
    /// runs on one.
    fn fails_alone(&mut self, case: &Case) -> Option<Failure> {
        // The threads of an isolated test are in its child process.
        if self.keeper.beside == 1 || self.workplace.isolation.is_some() {
            return None;
        }
        let beside = self.keeper.beside;
        self.run_beside(1);
        let tested = self.tester.run_to_the_end(case).1;
        let alone = self.always_fails(case, &tested);
        if alone.is_none() {
            self.run_beside(beside);
        }
        alone
    }

    /// How an input that ended in this way on one thread fails there, if it always does, and the cause is not state
    /// that earlier tests left behind. Then it is a separate bug, regardless of what happened on several threads.
    fn always_fails(&self, case: &Case, tested: &Tested) -> Option<Failure> {
        let Tested::Fail(failure) = tested else { return None };
        if self.workplace.isolation.is_some() {
            return None;
        }
        let started = Instant::now();
        for _ in 0..RETRIES {
            if !fails_alike(&self.tester.run_to_the_end(case).1, failure) {
                return None;
            }
            if started.elapsed() > ALONE_TIME {
                break;
            }
        }
        // Without an earlier test that passed, the simplest input is compared.
        let is_left_behind = match self.seen.has_passing() {
            true => self.tainted(failure).is_some(),
            false => fails_alike(&self.tester.run_to_the_end(&Case::default()).1, failure),
        };
        (!is_left_behind).then(|| failure.clone())
    }

    /// Continues with the failure of an input on one thread, after it failed on several. Returns that failure.
    fn turn_to(
        &mut self,
        alone: Failure,
        case: &Case,
        original: &[Binding],
        raced: Failure,
        threads: usize,
    ) -> Failure {
        if !alone.same_origin(&raced) {
            // On several threads, candidates would fail by the race.
            self.seen.races = true;
            self.warn(Fact::FailedInAnotherWay { threads: threads as u64, message: raced.message });
        }
        self.keep(case, original, &alone, Stage::Shrinking);
        alone
    }

    /// Takes an input that failed while other tests ran but not alone, and runs it on several threads at once. If it
    /// fails there in the same way, it is shrunk, replayed and shown in this way from then on.
    fn run_beside_itself(&mut self, case: &Case, failure: &Failure) -> Result<Tested, NoRace> {
        // The tests of a child process can only run beside those of others.
        if self.workplace.isolation.is_some() {
            return Err(NoRace::Unknown);
        }
        let threads = self.settings.threads.min(MOST_BESIDE);
        self.run_beside(threads);
        let before = self.tester.runs_beside();
        let tested = self.run_until_it_fails(case).1;
        let runs = self.tester.runs_beside() - before;
        self.run_beside(self.settings.beside);
        if !fails_alike(&tested, failure) {
            return Err(NoRace::Unknown);
        }
        match self.passes_alone(case, runs) {
            None => return Err(NoRace::Unknown),
            Some(false) => return Err(NoRace::FailsByChance),
            Some(true) => {}
        }
        self.run_beside(threads);
        self.warn(Fact::RaceWithItself { threads: threads as u64 });
        Ok(tested)
    }

    /// Whether an input that failed once in `runs` runs on several threads passes alone, in so many runs that this is
    /// not by chance; `None` if they take too long.
    fn passes_alone(&self, case: &Case, runs: u64) -> Option<bool> {
        let started = Instant::now();
        for _ in 0..runs.max(1).saturating_mul(ALONE) {
            if started.elapsed() > ALONE_TIME {
                return None;
            }
            if !matches!(self.tester.run_to_the_end(case).1, Tested::Pass) {
                return Some(false);
            }
        }
        Some(true)
    }

    pub(super) fn shrink(&mut self, case: Case, failure: Failure) -> (Case, Failure, Shrinking) {
        let Settings { shrink_evaluations: evaluations, shrink_time: time, .. } = self.settings;
        self.shrink_by(case, failure, &Effort { evaluations, time }, None)
    }

    /// Shrinks within limits. A flaky failure is shrunk with retries, and the last accepted candidates are added to the
    /// trail.
    pub(super) fn shrink_by(
        &mut self,
        case: Case,
        failure: Failure,
        effort: &Effort,
        flaky: Option<(&mut Retries, &mut Vec<(Case, Failure)>)>,
    ) -> (Case, Failure, Shrinking) {
        // An exhaustive search finds the simplest failure first.
        if self.settings.shrink_evaluations == 0 || case.searched_to().is_some() {
            return (case, failure, Shrinking::default());
        }
        let failure = failure.quoting(&self.tester.print(&case));
        // A flaky failure is shrunk on one thread: it may be a race with other tests.
        let shared = if flaky.is_some() { None } else { self.shrinks_on_several_threads() };
        let shrinker = shrinker(&self.tester, &self.settings, shared, (case, failure));
        let shrinker = shrinker.limits(effort.evaluations, effort.time);
        let (shrinker, mut trail) = match flaky {
            Some((retries, trail)) => (shrinker.retries(retries).random(false), Some(trail)),
            // A race occurs by chance, and a candidate takes up to a second: random candidates are too expensive.
            None if self.repeats_by_itself() => (shrinker.random(false), None),
            None => (shrinker, None),
        };
        let tester = &self.tester;
        let wants_values = self.listeners.recorders.wants_values();
        let listeners = RefCell::new(&mut self.listeners);
        let keeper = RefCell::new(&mut self.keeper);
        tester.context().begin(Phase::Shrinking);
        let mut keep_pending = || keeper.borrow_mut().keep_pending(tester);
        let shrinker = shrinker.after_each(&mut keep_pending);
        let mut ran = |case: &Case, tested: &Tested, by: (&'static str, u64)| {
            if let Some(recorder) = listeners.borrow_mut().recorders.get() {
                recorder.tried(tester, case, tested, by);
            }
        };
        let shrinker = if wants_values { shrinker.tell_each(&mut ran) } else { shrinker };
        let shrunk = shrinker.shrink(|case, failure, improvement| {
            tester.context().step();
            if let Some(trail) = &mut trail {
                if trail.len() == TRAIL {
                    trail.remove(0);
                }
                trail.push((case.clone(), failure.clone()));
            }
            listeners.borrow_mut().shrunk(tester, case, improvement);
            keeper.borrow_mut().improve(case, failure, tester);
        });
        if let Some(recorder) = listeners.into_inner().recorders.get() {
            recorder.shrunk(tester);
        }
        shrunk
    }

    /// Explains the minimal case. A given input runs only once.
    fn explain(&mut self, shown: &Counterexample) -> Explanation {
        let Counterexample { case, bindings, failure, found, .. } = shown;
        let wanted = self.settings.explain > 0 && *found != Found::Given && !self.tester.context().is_cancelled();
        if !wanted || self.keeper.is_given_up() {
            return Explanation::default();
        }
        // Explaining may end the process. A mark tells the next run.
        let marks = self.keeper.has_minimal() && *found != Found::WhileShrinking;
        if marks {
            self.keep(case, bindings, failure, Stage::Explaining);
        }
        self.tester.context().begin(Phase::Explaining);
        let runs = self.settings.explain;
        // A larger limit on runs implies a larger time limit.
        let time = Explainer::TIME * u32::try_from(runs / Explainer::RUNS).unwrap_or(u32::MAX).max(1);
        let explainer = Explainer::new(&self.tester, case.clone(), failure.clone()).limits(runs, time);
        let explainer = explainer.briefly(self.settings.prints);
        let explainer = match self.shrinks_on_several_threads() {
            Some(property) => explainer.threads(property, self.settings.threads, self.settings.own_cwd),
            None => explainer,
        };
        let explanation = explainer.explain();
        if marks {
            self.keep(case, bindings, failure, Stage::Minimal);
        }
        self.emit(&Event::Explained { explanation: &explanation });
        explanation
    }

    /// Ends with a case that is not shrunk.
    pub(super) fn conclude(&mut self, case: Case, failure: Failure, found: Found, stored: Option<String>) -> Ending {
        let (verdict, shown) = self.shown(case, failure, found, None, Shrinking::default(), stored);
        (verdict, Some(shown))
    }

    /// The last runs of the minimal case, one of which is reported.
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
        for case in self.keeper.before() {
            shown.before.push(Earlier { case: case.clone(), bindings: self.tester.print(case) });
        }
        self.look_again(&mut shown);
        shown.caveats.extend_from_slice(&shown.shrinking.faults);
        let Shrinking { rejected, evaluations: tried, .. } = shown.shrinking;
        if rejected >= MANY_REJECTED && rejected > tried / 2 {
            shown.caveats.push(Fact::MostlyRejected { rejected, tried });
        }
        shown.explanation = self.explain(&shown);
        if shown.explanation.slow {
            shown.caveats.push(Fact::ExplanationSlow { runs: shown.explanation.evaluations });
        }
        let last = self.run_repeatedly(&shown);
        shown.repeats = u64::from(last.runs);
        let runs = shown.shrinking.evaluations + shown.explanation.evaluations + shown.repeats;
        if self.settings.prints && runs > A_SCREEN {
            shown.caveats.push(Fact::BodyPrints { runs });
        }
        let verdict = match last.tested {
            Tested::Fail(failure) if failure.same_origin(&shown.failure) => {
                (shown.failure, shown.notes) = (failure, last.notes);
                if self.never_passed(&shown) {
                    shown.caveats.push(Fact::NeverPassed);
                }
                Verdict::Failed
            }
            _ => {
                // The effect of a part cannot be separated from chance.
                shown.explanation.claims.clear();
                let passes = self.tell_other_runs(&mut shown, last);
                if passes && shown.shrinking.handed_over > 0 {
                    self.warn(Fact::RaceWithItself { threads: self.settings.threads as u64 });
                }
                self.advise_on_race(&mut shown);
                // It failed when it was found, when that was confirmed or replayed, and now.
                let is_certain = self.is_controlled() && shown.reruns.failed > 0;
                if is_certain { Verdict::Failed } else { Verdict::Flaky }
            }
        };
        if shown.failure.kind == FailureKind::Panic && shown.failure.location.is_none() {
            self.warn(Fact::HookReplaced);
        }
        (verdict, shown)
    }

    /// Saves the case that crashed a process. If it crashes another one as well, shrinks it; otherwise reports it
    /// unshrunk.
    #[cfg(feature = "coverage")]
    pub(crate) fn died(&mut self, case: Case, failure: Failure, found: Found) -> Ending {
        self.begin_work(&case, &failure);
        if self.workplace.isolation.is_some()
            && let (case, Tested::Fail(failure)) = self.tester.run_to_the_end(&case)
        {
            return self.found(case, failure, found);
        }
        let bindings = self.tester.print(&case);
        self.keep(&case, &bindings, &failure, Stage::Found);
        let mut counterexample = Counterexample::new(case, bindings, failure, found);
        counterexample.stored = self.keeper.path();
        (Verdict::Failed, Some(counterexample))
    }
}

/// A shrinker as set in the settings, on several threads if its property can be shared.
pub(super) fn shrinker<'s>(
    tester: &'s Tester<'s>,
    settings: &Settings,
    shared: Option<&'s (dyn Property + Sync)>,
    (case, failure): (Case, Failure),
) -> Shrinker<'s> {
    // More runs would flood the terminal with the body's output.
    let shrinker = Shrinker::new(tester, case, failure).on(settings.shrink_on).random(!settings.prints);
    if let Some(property) = shared {
        return shrinker.threads(property, settings.threads).own_cwd(settings.own_cwd);
    }
    shrinker
}

/// The progress on a case after shrinking.
pub(super) fn stage_of(shrinking: &Shrinking) -> Stage {
    let to_the_end = shrinking.evaluations > 0 && shrinking.cut_short.is_none();
    if to_the_end { Stage::Minimal } else { Stage::CutShort }
}
