//! What all runners do alike: replay what is stored, run the examples, and turn a failing input into a counterexample.

mod flaky;
mod others;

use super::keeping::{Keeper, Stage};
use super::tester::{Fault, Tested, Tester};
use super::{
    Case, Counterexample, Event, Example, Found, Identity, Observer, Report, Settings, Shrinking, Statistics, Verdict,
    watch,
};
use crate::context::Phase;
use crate::explain::{Explainer, Explanation};
use crate::panic::{Unwound, catch};
use crate::property::{Binding, Failure, FailureKind, Outcome, Printed, Property};
use crate::report::advice;
use crate::shrink::{Improvement, Shrinker};
use crate::store::{Entry, visible};
use std::cell::RefCell;
use std::path::Path;
use std::time::{Duration, Instant};

/// How often an input that failed is run again before it is taken to pass, and to see what else it does.
const RETRIES: u32 = 10;

/// One run of one property.
///
/// [`Run::session`](super::Run::session) begins one; [`finish`](Session::finish) makes it a report.
///
/// ```
/// # use forall::prelude::*;
/// use forall::run::{Run, Settings, Statistics, Store, Tested, Verdict};
/// let property = property! { forall n: u64; check n.count_ones() <= 64 };
/// let settings = Settings::new().seed(7).store(Store::Off);
/// let mut session = Run::new("bits", &property).settings(settings).session().unwrap();
/// assert_eq!(session.tester.record(0, 100).1, Tested::Pass);
/// session.warn("one test is few");
/// let report = session.finish((Verdict::Passed, None), Statistics::default());
/// assert_eq!((report.seed, report.warnings), (7, vec!["one test is few".to_owned()]));
/// ```
pub struct Session<'a> {
    /// Which property.
    pub identity: Identity,
    /// Its settings, the environment included.
    pub settings: Settings,
    /// Its seed.
    pub seed: u64,
    /// Runs its tests.
    pub tester: Tester<'a>,
    observer: Option<&'a mut dyn Observer>,
    keeper: Keeper,
    cannot_keep: bool,
    started: Instant,
    warnings: Vec<String>,
    _watched: watch::Guard,
    /// The property, if it may be shared with other threads.
    pub(super) shared: Option<&'a (dyn Property + Sync)>,
}

/// How a run ends: the verdict, and the counterexample if there is one.
///
/// ```
/// let ending: forall::run::Ending = (forall::run::Verdict::Passed, None);
/// assert!(ending.0.is_success());
/// ```
pub type Ending = (Verdict, Option<Counterexample>);

impl<'a> Session<'a> {
    pub(super) fn new(
        identity: Identity,
        property: &'a dyn Property,
        settings: Settings,
        seed: u64,
        package: &Path,
        mut observer: Option<&'a mut dyn Observer>,
    ) -> Self {
        let tester = Tester::new(&identity.name, property, seed).deadline(settings.deadline);
        let progress = observer.as_ref().is_some_and(|observer| observer.shows_progress());
        let watched = watch::watch(tester.context(), progress);
        tester.context().say_tests(settings.tests);
        if let Some(observer) = &mut observer {
            observer.event(&Event::Started { identity: &identity, seed, tests: settings.tests });
        }
        let keeper = Keeper::new(&identity, &settings, package);
        let (started, warnings, cannot_keep) = (Instant::now(), Vec::new(), false);
        let (shared, _watched) = (None, watched);
        Self { identity, settings, seed, tester, observer, keeper, cannot_keep, started, warnings, _watched, shared }
    }

    /// How long the run has taken.
    ///
    /// ```
    /// # use forall::{prelude::*, run::Run};
    /// # let property = property! { forall n: u8; check n.count_ones() <= 8 };
    /// let session = Run::new("bits", &property).session().unwrap();
    /// assert!(session.elapsed().as_secs() < 60);
    /// ```
    pub fn elapsed(&self) -> Duration {
        self.started.elapsed()
    }

    /// Whether to run tests one by one: because someone watches each, or each has a deadline.
    ///
    /// ```
    /// # use forall::{prelude::*, run::{Run, Settings}};
    /// # let property = property! { forall n: u8; check n.count_ones() <= 8 };
    /// let session = |settings| Run::new("bits", &property).settings(settings).session().unwrap();
    /// assert!(!session(Settings::new()).one_by_one());
    /// assert!(session(Settings::new().deadline("1s")).one_by_one());
    /// ```
    pub fn one_by_one(&self) -> bool {
        self.observer.as_ref().is_some_and(|observer| observer.wants_tests()) || self.settings.deadline.is_some()
    }

    /// The property, if it is to be tested on several threads and can be. An observer that wants tests hears them in their
    /// order, from one thread.
    pub(super) fn on_several_threads(&self) -> Option<&'a (dyn Property + Sync)> {
        let is_heard = self.observer.as_ref().is_some_and(|observer| observer.wants_tests());
        self.shared.filter(|_| self.settings.threads > 1 && !is_heard)
    }

    /// Tells the observer.
    ///
    /// ```
    /// # use forall::{prelude::*, run::{Event, Observer, Run}};
    /// # let property = property! { forall n: u8; check n.count_ones() <= 8 };
    /// struct Hears(Vec<String>);
    /// impl Observer for Hears {
    ///     fn event(&mut self, event: &Event<'_>) {
    ///         if let Event::Kept { path } = event { self.0.push(path.to_string()); }
    ///     }
    /// }
    /// let mut hears = Hears(Vec::new());
    /// Run::new("bits", &property).observer(&mut hears).session().unwrap().say(&Event::Kept { path: "here" });
    /// assert_eq!(hears.0, ["here"]);
    /// ```
    pub fn say(&mut self, event: &Event<'_>) {
        if let Some(observer) = &mut self.observer {
            observer.event(event);
        }
    }

    /// Says something that a person should know; it is in the report, too.
    ///
    /// ```
    /// # use forall::{prelude::*, run::{Run, Statistics, Verdict}};
    /// # let property = property! { forall n: u8; check n.count_ones() <= 8 };
    /// let mut session = Run::new("bits", &property).session().unwrap();
    /// session.warn("the disk is slow");
    /// assert_eq!(session.finish((Verdict::Passed, None), Statistics::default()).warnings, ["the disk is slow"]);
    /// ```
    pub fn warn(&mut self, text: impl Into<String>) {
        let text = text.into();
        self.say(&Event::Warned { text: &text });
        self.warnings.push(text);
    }

    /// Says something once, however often it comes up.
    pub(super) fn warn_once(&mut self, text: String) {
        if !self.warnings.contains(&text) {
            self.warn(text);
        }
    }

    /// Whether the run is to end whatever is left to do: its time is up, or someone asked for it.
    ///
    /// ```
    /// # use forall::{prelude::*, run::Run};
    /// # let property = property! { forall n: u8; check n.count_ones() <= 8 };
    /// let session = Run::new("bits", &property).session().unwrap();
    /// assert!(!session.is_over());
    /// session.tester.context().cancel();
    /// assert!(session.is_over());
    /// ```
    pub fn is_over(&self) -> bool {
        self.tester.context().is_cancelled() || self.settings.time.is_some_and(|budget| self.elapsed() >= budget)
    }

    /// The size of test `index`, by the schedule of the settings.
    ///
    /// ```
    /// # use forall::{prelude::*, run::{Run, Settings}};
    /// # let property = property! { forall n: u8; check n.count_ones() <= 8 };
    /// let session = Run::new("bits", &property).settings(Settings::new().tests(101)).session().unwrap();
    /// assert_eq!((session.size(0), session.size(50), session.size(100)), (0, 50, 100));
    /// ```
    pub fn size(&self, index: u64) -> u32 {
        self.settings.size.size(index, self.settings.tests)
    }

    /// Goes on after a failure was [`found`](Session::found), for runners that do not stop at the first: what is found next
    /// is kept beside it and not in its place, and labels count again.
    ///
    /// ```
    /// # use forall::{prelude::*, run::{Found, Run, Settings, Store, Tested}};
    /// # let finds = std::env::temp_dir().join(format!("forall-doc-go-on-{}", std::process::id()));
    /// let property = property! { forall n in 1..=2u32; check { assert!(*n != 1, "one"); assert!(*n != 2, "two") } };
    /// let settings = Settings::new().seed(7).store(Store::Directory(finds.clone()));
    /// let mut session = Run::new("none", &property).settings(settings).session().unwrap();
    /// for index in 0..20 {
    ///     let (case, Tested::Fail(failure)) = session.tester.record(index, 100) else { panic!("all tests fail") };
    ///     session.found(case, failure, Found::Random { index, size: 100 });
    ///     session.go_on();
    /// }
    /// assert_eq!(session.replay_all_stored().len(), 2);
    /// # std::fs::remove_dir_all(&finds).unwrap();
    /// ```
    pub fn go_on(&mut self) {
        self.keeper.begin_another();
        self.tester.context().count_labels(true);
    }

    /// Tells the observer of a test.
    ///
    /// ```
    /// # use forall::{prelude::*, run::{Event, Observer, Run, Tested}};
    /// # let property = property! { forall n: u8; check n.count_ones() <= 8 };
    /// struct Count(u64);
    /// impl Observer for Count {
    ///     fn event(&mut self, event: &Event<'_>) {
    ///         if let Event::Tested { .. } = event { self.0 += 1; }
    ///     }
    /// }
    /// let mut count = Count(0);
    /// let mut session = Run::new("bits", &property).observer(&mut count).session().unwrap();
    /// session.tell(0, 100, &Tested::Pass, std::time::Duration::ZERO);
    /// drop(session);
    /// assert_eq!(count.0, 1);
    /// ```
    pub fn tell(&mut self, index: u64, size: u32, tested: &Tested, time: Duration) {
        let (outcome, discarded_by) = match tested {
            Tested::Pass => (Outcome::Pass, None),
            Tested::Fail(failure) => (Outcome::Fail(Box::new(failure.clone())), None),
            Tested::Discard(by) => (Outcome::Discard, by.as_ref()),
            Tested::Fault(_) | Tested::NoSuchStep => (Outcome::Discard, None),
        };
        self.say(&Event::Tested { index, size, outcome: &outcome, discarded_by, time });
    }

    /// Runs the explicit examples. The ending, if one of them fails.
    ///
    /// ```
    /// # use forall::{prelude::*, property::IntoOutcome, run::{Example, Run}};
    /// # let property = property! { forall n: u8; check n.count_ones() <= 8 };
    /// let fails = Example { bindings: &[("n", "u8", "255")], run: || false.into_outcome() };
    /// let (_, found) = Run::new("bits", &property).session().unwrap().run_examples(&[fails]).unwrap();
    /// assert_eq!(found.unwrap().bindings[0].printed.text(), "255");
    /// ```
    pub fn run_examples(&mut self, examples: &[Example]) -> Option<Ending> {
        for (place, example) in examples.iter().enumerate() {
            let _active = self.tester.context().activate();
            self.tester.context().want_notes(true);
            self.tester.context().count_labels(false);
            let tested = run_example(example);
            self.tester.context().count_labels(true);
            if let Tested::Discard(_) = tested {
                self.warn(advice::example_discarded(place));
            }
            if let Tested::Fail(failure) = tested {
                let mut bindings = Vec::new();
                for &(name, type_text, code) in example.bindings {
                    let printed = Printed { code: Some(code.to_owned()), debug: None, type_name: "" };
                    bindings.push(Binding { name, type_text: Some(type_text), printed });
                }
                let mut counterexample = Counterexample::new(Case::default(), bindings, failure, Found::Example(place));
                counterexample.notes = self.tester.context().take_notes();
                return Some((Verdict::Failed, Some(counterexample)));
            }
            self.tester.context().want_notes(false);
        }
        None
    }

    /// Tries what is kept for this property before anything else. The ending, if one of the cases still fails.
    ///
    /// ```
    /// # use forall::{prelude::*, run::{Run, Settings, Store}};
    /// # let property = property! { forall n: u8; check n.count_ones() <= 8 };
    /// let settings = Settings::new().store(Store::Off);
    /// let ending = Run::new("bits", &property).settings(settings).session().unwrap().replay_stored();
    /// assert!(ending.is_none(), "nothing is stored, so nothing fails");
    /// ```
    pub fn replay_stored(&mut self) -> Option<Ending> {
        self.replay_up_to(1).pop()
    }

    /// As [`Session::replay_stored`], but goes on when a case fails: the endings of all that still do.
    ///
    /// ```
    /// # use forall::{prelude::*, run::{Run, Settings, Store}};
    /// # let property = property! { forall n: u8; check n.count_ones() <= 8 };
    /// let settings = Settings::new().store(Store::Off);
    /// let endings = Run::new("bits", &property).settings(settings).session().unwrap().replay_all_stored();
    /// assert!(endings.is_empty(), "nothing is stored, so nothing fails");
    /// ```
    pub fn replay_all_stored(&mut self) -> Vec<Ending> {
        self.replay_up_to(usize::MAX)
    }

    /// Tries what is kept, up to the `most`-th case that fails.
    fn replay_up_to(&mut self, most: usize) -> Vec<Ending> {
        self.tester.context().count_labels(false);
        let mut endings = Vec::new();
        for (origin, entry) in &self.keeper.stored() {
            match entry {
                Ok(entry) => {
                    if let Some(ending) = self.replay_entry(origin, entry) {
                        endings.push(ending);
                    }
                }
                Err(error) => {
                    self.warn(advice::store_unreadable(origin, &error.to_string()));
                    // If it is the directory that cannot be read, it cannot be written either; once is enough.
                    self.cannot_keep |= !origin.ends_with(".case");
                }
            }
            if endings.len() == most {
                break;
            }
            self.keeper.begin_another();
        }
        self.tester.context().count_labels(true);
        endings
    }

    fn replay_entry(&mut self, origin: &str, entry: &Entry) -> Option<Ending> {
        self.say(&Event::Replaying { origin });
        let (case, tested) = self.run_until_it_fails(&entry.case);
        let changed = case.sequence.shape() != entry.shape || matches!(tested, Tested::NoSuchStep);
        let outcome = match tested {
            Tested::Fail(failure) => {
                self.say(&Event::Replayed { origin, outcome: &advice::still_fails(origin) });
                let found = Found::Stored(origin.to_owned());
                self.keeper.go_on_with(origin, entry, !changed);
                if self.keeper.is_given_up() {
                    self.warn(advice::shrinking_ended_the_process(origin));
                }
                // What shrinking had come to the end of, under these generators, is shown at once.
                if self.keeper.is_given_up() || entry.minimal && !changed {
                    return Some(self.conclude(case, failure, found, Some(origin.to_owned())));
                }
                if changed {
                    self.warn(advice::generator_changed(origin, &was(entry)));
                }
                return Some(self.found(case, failure, found));
            }
            _ if changed => {
                self.warn(advice::generator_changed(origin, &was(entry)));
                return None;
            }
            Tested::Fault(fault) => return Some(self.fault(&case, fault)),
            Tested::Discard(_) | Tested::NoSuchStep => {
                self.warn(advice::now_discarded(origin));
                return None;
            }
            Tested::Pass => match self.keeper.forget(origin) {
                Ok(true) => advice::no_longer_fails(origin, advice::Kept::Local),
                Ok(false) => advice::no_longer_fails(origin, advice::Kept::Committed),
                Err(error) => {
                    self.warn(error);
                    return None;
                }
            },
        };
        self.say(&Event::Replayed { origin, outcome: &outcome });
        None
    }

    /// Runs a case, and if it passes, a few times more: what failed only now and then is not forgotten too soon.
    fn run_until_it_fails(&self, case: &Case) -> (Case, Tested) {
        let mut last = self.tester.run(case);
        for _ in 0..RETRIES {
            if !matches!(last.1, Tested::Pass) {
                break;
            }
            last = self.tester.run(case);
        }
        last
    }

    /// Keeps a failing case before any more of the user's code runs: a `Debug` may hang, too.
    ///
    /// ```
    /// # use forall::{prelude::*, run::{Run, Settings, Store, Tested}};
    /// # let finds = std::env::temp_dir().join(format!("forall-doc-at-once-{}", std::process::id()));
    /// let property = property! { forall n in 0..1000u32; check *n >= 1000 };
    /// let settings = Settings::new().store(Store::Directory(finds.clone()));
    /// let mut session = Run::new("none", &property).settings(settings).session().unwrap();
    /// let (case, Tested::Fail(failure)) = session.tester.record(0, 100) else { panic!("all tests fail") };
    /// session.keep_at_once(&case, &failure);
    /// assert!(finds.is_dir());
    /// # std::fs::remove_dir_all(&finds).unwrap();
    /// ```
    pub fn keep_at_once(&mut self, case: &Case, failure: &Failure) {
        self.keep(case, &[], failure, Stage::Found);
    }

    /// Keeps a failing case. Trouble with the disk is told once, and does not change the verdict.
    fn keep(&mut self, case: &Case, bindings: &[Binding], failure: &Failure, stage: Stage) {
        if let Err(why) = self.keeper.keep(case, bindings, failure, stage) {
            self.warn_of_store(&why);
        }
    }

    fn warn_of_store(&mut self, why: &str) {
        if !std::mem::replace(&mut self.cannot_keep, true) {
            self.warn(advice::store_unwritable(why));
        }
    }

    /// Moves the local finds to the regressions that are committed. Runs nothing.
    pub(super) fn keep_for_good(mut self) -> Report {
        let mut kept = 0;
        for outcome in self.keeper.keep_for_good() {
            match outcome {
                Ok(path) => {
                    kept += 1;
                    self.say(&Event::Kept { path: &path });
                }
                Err(error) => self.warn(error),
            }
        }
        let verdict = if kept > 0 { Verdict::Passed } else { Verdict::Misconfigured(advice::nothing_to_keep()) };
        self.finish((verdict, None), Statistics::default())
    }

    /// Runs one input that somebody handed over.
    pub(super) fn replay_given(mut self, case: &Case, shape: u64) -> Report {
        let (case, tested) = self.tester.run(case);
        let changed = case.sequence.shape() != shape;
        let mut statistics = Statistics::default();
        let ending = match tested {
            Tested::Fail(failure) => self.conclude(case, failure, Found::Given, None),
            Tested::Fault(fault) => self.fault(&case, fault),
            Tested::Pass if !changed => {
                statistics.valid = 1;
                (Verdict::Passed, None)
            }
            Tested::Pass | Tested::Discard(_) | Tested::NoSuchStep => {
                statistics.discarded = 1;
                (Verdict::GaveUp(advice::given_input_means_nothing(changed)), None)
            }
        };
        self.finish(ending, statistics)
    }

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
        self.tester.context().forget();
        self.tester.context().count_labels(false);
        self.say(&Event::Failed { case: &case, failure: &failure });
        self.keep_at_once(&case, &failure);
        if let Some(fault) = self.tester.generator_panics(&case) {
            return self.fault(&case, fault);
        }
        let original = self.tester.print(&case);
        self.keep(&case, &original, &failure, Stage::Found);
        let (drawn, again) = self.tester.run(&case);
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
    fn conclude(&mut self, case: Case, failure: Failure, found: Found, stored: Option<String>) -> Ending {
        let (verdict, shown) = self.shown(case, failure, found, None, Shrinking::default(), stored);
        (verdict, Some(shown))
    }

    /// The last run of the smallest case, the one that is shown.
    fn shown(
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
        let (last, notes) = self.run_with_notes(&shown.case);
        let verdict = match last {
            Tested::Fail(last) if last.same_origin(&shown.failure) => {
                (shown.failure, shown.notes) = (last, notes);
                Verdict::Failed
            }
            other => {
                self.tell_other_runs(&mut shown, &other, notes);
                Verdict::Flaky
            }
        };
        if shown.failure.kind == FailureKind::Panic && shown.failure.location.is_none() {
            self.warn(advice::hook_replaced());
        }
        (verdict, shown)
    }

    /// The ending when a generator, a shrinker or a mutator is at fault.
    ///
    /// ```
    /// # use forall::{prelude::*, run::{Case, Fault, Run, Verdict}};
    /// # let property = property! { forall n: u8; check n.count_ones() <= 8 };
    /// let mut session = Run::new("bits", &property).session().unwrap();
    /// let (verdict, _) = session.fault(&Case::default(), Fault::TooLarge { quantifier: Some("n") });
    /// assert!(matches!(verdict, Verdict::Faulty(why) if why.contains("`n`")));
    /// ```
    pub fn fault(&mut self, case: &Case, fault: Fault) -> Ending {
        // The loop that records nothing knows neither variable nor values; running the case again does.
        let fault = match self.tester.run(case).1 {
            Tested::Fault(again) => again,
            _ => fault,
        };
        (Verdict::Faulty(fault.to_string()), None)
    }

    /// The report of the run.
    ///
    /// ```
    /// # use forall::{prelude::*, run::{Run, Statistics, Verdict}};
    /// # let property = property! { forall n: u8; check n.count_ones() <= 8 };
    /// let session = Run::new("bits", &property).session().unwrap();
    /// let report = session.finish((Verdict::Passed, None), Statistics::default());
    /// assert_eq!((&*report.identity.name, report.verdict), ("bits", Verdict::Passed));
    /// ```
    pub fn finish(mut self, (verdict, counterexample): Ending, statistics: Statistics) -> Report {
        for (label, cover) in statistics.covers.iter().filter(|_| verdict.is_success()) {
            if (cover.hits as f64) < cover.percent / 100.0 * statistics.valid as f64 {
                self.warn(advice::cover_unmet(label, cover.percent, cover.hits, statistics.valid));
            }
        }
        let report = Report {
            identity: self.identity.clone(),
            verdict,
            counterexample,
            statistics,
            test: test_of_this_thread(),
            seed: self.seed,
            time: self.elapsed(),
            warnings: std::mem::take(&mut self.warnings),
        };
        self.say(&Event::Finished { report: &report });
        report
    }
}

/// How far a case has come that was shrunk.
fn stage_of(shrinking: &Shrinking) -> Stage {
    let to_the_end = shrinking.evaluations > 0 && shrinking.cut_short.is_none();
    if to_the_end { Stage::Minimal } else { Stage::CutShort }
}

/// The harness runs each test in a thread of its name.
fn test_of_this_thread() -> Option<String> {
    std::thread::current().name().filter(|name| *name != "main").map(str::to_owned)
}

fn run_example(example: &Example) -> Tested {
    match catch(example.run) {
        Ok(Outcome::Pass) => Tested::Pass,
        Ok(Outcome::Fail(failure)) => Tested::Fail(*failure),
        Ok(Outcome::Discard) | Err(Unwound::Signal(_)) => Tested::Discard(None),
        Err(Unwound::Panic(caught)) => Tested::Fail(caught.into()),
    }
}

/// The value that a stored case was when it was stored.
fn was(entry: &Entry) -> String {
    let mut was = String::new();
    for variable in &entry.printed {
        let comma = if was.is_empty() { "" } else { ", " };
        was += &format!("{comma}{} = {}", variable.name, visible(&variable.text));
    }
    was
}

fn fails_alike(tested: &Tested, failure: &Failure) -> bool {
    matches!(tested, Tested::Fail(other) if other.same_origin(failure))
}
