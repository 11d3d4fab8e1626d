//! The session: the state and services that all runners share. A session has four parts: listeners
//! (`session/listeners.rs`), saved failures (`keeping.rs`), observations (`session/seen.rs`), and the workplace of
//! tests (`session/workplace.rs`). Examples and saved failures are in `session/replay.rs`; the handling of a failing
//! input is in `session/found.rs`, `others.rs`, `flaky.rs`, `outside.rs` and `tainted.rs`; runs that continue after one
//! are in `known.rs`.

mod crash;
mod flaky;
mod found;
mod hang;
mod known;
mod listeners;
mod others;
mod outside;
mod replay;
mod seen;
mod tainted;
mod unrecorded;
mod workplace;

pub(super) use known::Past;
pub(crate) use replay::run_example;
pub(super) use workplace::Workplace;

use super::keeping::{Keeper, Stage};
use super::{
    Case, Counterexample, Event, Identity, Observer, Report, Settings, Statistics, Verdict, requirements, watch,
};
use crate::context::Phase;
use crate::fact::Fact;
use crate::property::{Binding, Failure, Outcome, Property};
use crate::run::recorders::{Observed, Recorders};
use crate::statistics::{NOT_CONTROLLED, SCHEDULES};
use crate::testing::{Beside, Fault, Tested, Tester};
use listeners::Listeners;
use seen::Seen;
use std::path::Path;
use std::time::{Duration, Instant};

/// How often a failing input is rerun, before it counts as passing or to see its other outcomes.
const RETRIES: u32 = 10;

/// One run of one property.
///
/// [`Run::session`](super::Run::session) creates one; [`finish`](Session::finish) turns it into a report.
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
/// assert_eq!((report.seed, report.warnings), (7, vec!["one test is few".into()]));
/// ```
pub struct Session<'a> {
    /// The identity of the property.
    pub identity: Identity,
    /// The settings, including the environment.
    pub settings: Settings,
    /// The seed of the run.
    pub seed: u64,
    /// The tester that runs its tests.
    pub tester: Tester<'a>,
    /// Receivers of events.
    listeners: Listeners<'a>,
    /// Saved failures.
    pub(super) keeper: Keeper,
    /// Observations for the report.
    pub(crate) seen: Seen,
    /// Threads, directory and processes of the tests.
    pub(super) workplace: Workplace<'a>,
    /// The failures so far, if the run continues past failures.
    pub(super) past: Option<Past>,
    /// Dropped last: the process may end then.
    _under_way: crate::interrupt::UnderWay,
}

/// The end of a run: the verdict, and the counterexample if there is one.
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
        observer: Option<&'a mut dyn Observer>,
        workplace: Workplace<'a>,
    ) -> Self {
        let mut tester = Tester::new(&identity.name, property, seed).deadline(settings.deadline);
        if workplace.isolation.is_some() {
            // Child processes measure deadlines themselves, without the communication.
            tester.forget_deadline();
        }
        tester.context().say_tests(settings.tests);
        if let Some(time) = settings.max_time {
            let seconds = time.as_secs().saturating_mul(1_000_000_000);
            tester.context().end_in(seconds.saturating_add(u64::from(time.subsec_nanos())));
        }
        let mut listeners = Listeners::of(&identity, &settings, &tester, package, observer);
        listeners.event(&Event::Started { identity: &identity, seed, tests: settings.tests_here() });
        let keeper = Keeper::new(&identity, &settings, package);
        let (seen, _under_way) = (Seen::nothing(), crate::interrupt::UnderWay::begin());
        Self { identity, settings, seed, tester, listeners, keeper, seen, workplace, past: None, _under_way }
    }

    /// From here on, each input runs on this many threads at once, if threads may share the property.
    pub(super) fn run_beside(&mut self, threads: usize) {
        // Child processes start the threads themselves, as many as the settings say.
        let is_isolated = self.workplace.isolation.is_some();
        let threads = if is_isolated { self.settings.beside } else { threads };
        let shared = self.workplace.shared.filter(|_| threads > 1);
        self.keeper.beside = if shared.is_some() { threads } else { 1 };
        let shared = shared.filter(|_| !is_isolated);
        let beside = shared.map(|property| Beside { property, threads, own_cwd: self.settings.own_cwd });
        self.tester.run_beside(beside);
    }

    /// Returns the duration of the run so far.
    ///
    /// ```
    /// # use forall::{prelude::*, run::Run};
    /// # let property = property! { forall n: u8; check n.count_ones() <= 8 };
    /// let session = Run::new("bits", &property).session().unwrap();
    /// assert!(session.elapsed().as_secs() < 60);
    /// ```
    #[doc(hidden)]
    pub fn elapsed(&self) -> Duration {
        self.seen.elapsed()
    }

    /// Returns whether to run tests one by one: because an observer wants each, or each has a deadline.
    ///
    /// ```
    /// # use forall::{prelude::*, run::{Run, Settings}};
    /// # let property = property! { forall n: u8; check n.count_ones() <= 8 };
    /// let session = |settings| Run::new("bits", &property).settings(settings).session().unwrap();
    /// assert!(!session(Settings::new()).one_by_one());
    /// assert!(session(Settings::new().deadline("1s")).one_by_one());
    /// ```
    #[doc(hidden)]
    pub fn one_by_one(&self) -> bool {
        self.is_observed() || self.settings.deadline.is_some()
    }

    /// The property, if it can and should be tested on several threads. An observer that wants tests receives them in
    /// order, from one thread.
    pub(crate) fn on_several_threads(&self) -> Option<&'a (dyn Property + Sync)> {
        if (self.settings.threads > 1 || self.workplace.by_workers) && !self.is_observed() {
            self.workplace.shared
        } else {
            None
        }
    }

    /// Whether an observer wants each test.
    fn is_observed(&self) -> bool {
        self.listeners.want_tests()
    }

    /// The property, if shrinking candidates may run on several threads.
    pub(super) fn shrinks_on_several_threads(&self) -> Option<&'a (dyn Property + Sync)> {
        let runs_alone = self.tester.writes_down() || self.keeper.beside > 1 || self.seen.races;
        if self.settings.threads > 1 && !runs_alone { self.workplace.shared } else { None }
    }

    /// Notifies the observers.
    ///
    /// ```
    /// # use forall::{prelude::*, run::{Event, Observer, Run}};
    /// # let property = property! { forall n: u8; check n.count_ones() <= 8 };
    /// struct Paths(Vec<String>);
    /// impl Observer for Paths {
    ///     fn event(&mut self, event: &Event<'_>) {
    ///         if let Event::Kept { path } = event { self.0.push(path.to_string()); }
    ///     }
    /// }
    /// let mut paths = Paths(Vec::new());
    /// Run::new("bits", &property).observer(&mut paths).session().unwrap().emit(&Event::Kept { path: "here" });
    /// assert_eq!(paths.0, ["here"]);
    /// ```
    #[doc(hidden)]
    pub fn emit(&mut self, event: &Event<'_>) {
        self.listeners.event(event);
    }

    /// Adds a warning, which is printed and in the report.
    ///
    /// ```
    /// # use forall::{prelude::*, run::{Run, Statistics, Verdict}};
    /// # let property = property! { forall n: u8; check n.count_ones() <= 8 };
    /// let mut session = Run::new("bits", &property).session().unwrap();
    /// session.warn("the disk is slow");
    /// assert_eq!(session.finish((Verdict::Passed, None), Statistics::default()).warnings, ["the disk is slow".into()]);
    /// ```
    pub fn warn(&mut self, fact: impl Into<Fact>) {
        self.listeners.warn(fact.into());
    }

    /// The recorders that the environment requests.
    pub(crate) fn recorders(&mut self) -> &mut Recorders {
        &mut self.listeners.recorders
    }

    /// Disables the progress line and the messages about slow tests.
    pub(super) fn leave_unwatched(&self) {
        watch::forget(self.tester.context());
    }

    /// Adds a warning only once, however often it is called.
    pub(crate) fn warn_once(&mut self, fact: Fact) {
        if !self.listeners.has_warned(&fact) {
            self.warn(fact);
        }
    }

    /// Returns whether the run should end now: its time is up, or it was cancelled.
    ///
    /// ```
    /// # use forall::{prelude::*, run::Run};
    /// # let property = property! { forall n: u8; check n.count_ones() <= 8 };
    /// let session = Run::new("bits", &property).session().unwrap();
    /// assert!(!session.is_over());
    /// session.tester.context().cancel();
    /// assert!(session.is_over());
    /// ```
    #[doc(hidden)]
    pub fn is_over(&self) -> bool {
        self.tester.context().is_cancelled()
            || matches!(self.settings.max_time, Some(budget) if self.elapsed() >= budget)
    }

    /// Returns the size of test `index`, by the schedule of the settings.
    ///
    /// ```
    /// # use forall::{prelude::*, run::Run};
    /// # let property = property! { forall n: u8; check n.count_ones() <= 8 };
    /// let session = Run::new("bits", &property).session().unwrap();
    /// assert_eq!((session.size(0), session.size(5), session.size(10)), (92, 94, 96));
    /// ```
    pub fn size(&self, index: u64) -> u32 {
        self.settings.size.size(index)
    }

    /// Continues after a failure was [`found`](Session::found), for runners that do not stop at the first. The next
    /// failure is saved beside it, not in its place, and labels are counted again.
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
        self.begin_another();
        self.run_after(Vec::new());
        // A failure may have changed it.
        self.run_beside(self.settings.beside);
        self.tester.context().count_labels(true);
        self.tester.context().put_at_hand(String::new());
        self.tester.context().begin(Phase::Testing);
    }

    /// Notifies the observer of a test.
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
    /// session.emit_test(0, 100, &Tested::Pass, std::time::Duration::ZERO);
    /// drop(session);
    /// assert_eq!(count.0, 1);
    /// ```
    #[doc(hidden)]
    pub fn emit_test(&mut self, index: u64, size: u32, tested: &Tested, time: Duration) {
        let (outcome, discarded_by) = match tested {
            Tested::Pass => (Outcome::Pass, None),
            Tested::Fail(failure) => (Outcome::Fail(Box::new(failure.clone())), None),
            Tested::Discard(by) => (Outcome::Discard, by.as_ref()),
            Tested::Fault(_) | Tested::NoSuchStep => (Outcome::Discard, None),
        };
        self.emit(&Event::Tested { index, size, outcome: &outcome, discarded_by, time });
    }

    /// Subtracts time that was spent on recording from the duration of the run.
    pub(crate) fn leave_out(&mut self, time: Duration) {
        self.seen.leave_out(time);
    }

    /// Records the values of a case after each step of a shrinker or mutator.
    pub(super) fn show_steps(&mut self, case: &Case) {
        if let Some(recorder) = self.listeners.recorders.get() {
            recorder.show_steps(&self.tester, case);
        }
    }

    /// Sends a test with its values to the recorders: those of `case`, or of test `index` at random, and how it was
    /// generated.
    pub(crate) fn record(
        &mut self,
        index: u64,
        case: Option<&Case>,
        size: u32,
        tested: &Tested,
        time: Duration,
        how: &'static str,
    ) {
        use crate::choice::{Shape, Source};
        if let Some(recorder) = self.listeners.recorders.get() {
            recorder.count_reached();
        }
        let Some(stands_for) = self.listeners.recorders.wants(index, tested) else { return };
        let (said, score) = self.tester.context().said_by_last_test();
        let source = || match case {
            Some(case) => Source::replay(&case.sequence),
            None => Source::test(self.seed, index, size),
        };
        let steps: &[_] = if let Some(case) = case { &case.steps } else { &[] };
        // Generated in the same way as the first time; otherwise generation would seem to take longer than the whole
        // test.
        let on_tape = case.is_some() || Shape::is_due(index);
        let again = if on_tape { source() } else { Source::random(self.seed, index, size) };
        let (mut again, began) = (again, Instant::now());
        let draws = &crate::context::draw_times::timed(|| {
            let _ = self.tester.generate(&mut again, steps);
        });
        let generating = began.elapsed().min(time);
        let values = &self.tester.print_source(source(), steps);
        let said = &said[..];
        let test = Observed { tested, size, how, stands_for, time, generating, draws, values, said, score };
        if let Some(recorder) = self.listeners.recorders.get() {
            recorder.tested(&test);
        }
    }

    /// Saves a failing case before any more of the user's code runs: a `Debug` may hang as well.
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
    #[doc(hidden)]
    pub fn keep_at_once(&mut self, case: &Case, failure: &Failure) {
        self.keep(case, &[], failure, Stage::Found);
    }

    /// Like [`Session::keep_at_once`], for a case that is shrunk next: the file is marked, in case the process ends
    /// meanwhile.
    pub(super) fn begin_work(&mut self, case: &Case, failure: &Failure) {
        if let Err(why) = self.keeper.begin_work(case, failure) {
            self.warn_of_store(&why);
        }
        self.trace();
    }

    /// From now on, records which input runs, if earlier attempts at the saved case ended the process.
    fn trace(&mut self) {
        if !self.tester.writes_down()
            && let Some(trace) = self.keeper.trace()
        {
            self.tester.write_down(trace);
            self.keeper.is_traced = true;
        }
    }

    /// Leaves the saved case in place: the next one belongs to another failure.
    fn begin_another(&mut self) {
        if std::mem::take(&mut self.keeper.is_traced) {
            self.tester.write_nothing();
        }
        self.keeper.begin_another();
    }

    /// Saves a failing case. Disk errors are reported once, and do not change the verdict.
    fn keep(&mut self, case: &Case, bindings: &[Binding], failure: &Failure, stage: Stage) {
        if let Err(why) = self.keeper.keep(case, bindings, failure, stage) {
            self.warn_of_store(&why);
        }
        if stage == Stage::Explaining {
            self.trace();
        }
    }

    fn warn_of_store(&mut self, why: &str) {
        if self.keeper.is_first_trouble() {
            self.warn(Fact::StoreUnwritable { error: why.to_owned() });
        }
    }

    /// Moves the local failures to the committed regressions. Runs nothing.
    pub(super) fn keep_for_good(mut self) -> Report {
        let mut kept = 0;
        for outcome in &self.keeper.keep_for_good() {
            match outcome {
                Ok(path) => {
                    kept += 1;
                    self.emit(&Event::Kept { path });
                }
                Err(error) => self.warn(Fact::StoreTrouble { error: error.clone() }),
            }
        }
        let verdict = if kept > 0 { Verdict::Passed } else { Verdict::Misconfigured(Fact::NothingToKeep) };
        self.finish((verdict, None), Statistics::default())
    }

    /// The corpus of the property; `None` if the store is off.
    #[cfg(feature = "coverage")]
    pub(crate) fn corpus(&self) -> Option<crate::store::Seeds> {
        self.keeper.corpus()
    }

    /// Returns the ending for an invalid generator, shrinker or mutator.
    ///
    /// ```
    /// # use forall::{prelude::*, run::{Case, Fault, Run, Verdict}};
    /// # let property = property! { forall n: u8; check n.count_ones() <= 8 };
    /// let mut session = Run::new("bits", &property).session().unwrap();
    /// let (verdict, _) = session.fault(&Case::default(), Fault::TooLarge { quantifier: Some("n") });
    /// assert!(matches!(verdict, Verdict::Faulty(why) if why.to_string().contains("`n`")));
    /// ```
    pub fn fault(&mut self, case: &Case, fault: Fault) -> Ending {
        // The unrecorded loop knows neither the variable nor the values; rerunning the case finds them.
        let fault = match self.tester.run(case).1 {
            Tested::Fault(again) => again,
            _ => fault,
        };
        let verdict = if let Fault::NotDecidable = fault { Verdict::NotDecidable } else { Verdict::Faulty };
        (verdict(fault.fact()), None)
    }

    /// Returns the report of the run.
    ///
    /// ```
    /// # use forall::{prelude::*, run::{Run, Statistics, Verdict}};
    /// # let property = property! { forall n: u8; check n.count_ones() <= 8 };
    /// let session = Run::new("bits", &property).session().unwrap();
    /// let report = session.finish((Verdict::Passed, None), Statistics::default());
    /// assert_eq!((&*report.identity.name, report.verdict), ("bits", Verdict::Passed));
    /// ```
    pub fn finish(mut self, ending: Ending, statistics: Statistics) -> Report {
        let (verdict, mut counterexample) = ending;
        if let Some(shown) = &mut counterexample {
            shown.beside = self.keeper.beside;
        }
        let (verdict, counterexample) = self.with_past((verdict, counterexample));
        let may_be_unmet = verdict.is_success() && !matches!(verdict, Verdict::Exhausted { .. });
        for (label, cover) in &statistics.covers {
            if may_be_unmet && !requirements::is_enough(cover, statistics.valid) {
                let (label, valid) = (label.clone(), statistics.valid);
                self.warn(Fact::CoverUndecided { label, percent: cover.percent, hits: cover.hits, valid });
            }
        }
        if verdict.is_success()
            && let Some((times, last)) = self.seen.strays()
        {
            self.warn(Fact::ThreadsPanicked { times, last: last.to_string() });
        }
        if verdict.is_success()
            && self.is_controlled()
            && let Some(warning) = not_controlled(&statistics)
        {
            self.warn(warning);
        }
        let report = Report {
            identity: self.identity.clone(),
            verdict,
            counterexample,
            statistics,
            searched: std::mem::take(&mut self.seen.searched),
            test: test_of_this_thread(),
            seed: self.seed,
            time: self.elapsed(),
            warnings: self.listeners.take_warnings(),
            workers: std::mem::take(&mut self.seen.workers),
            runner: self.settings.runner.clone(),
        };
        self.seen.finish();
        // Events from here on are sent from the directory in which the run started.
        self.workplace.own_cwd = None;
        self.emit(&Event::Finished { report: &report });
        report
    }
}

/// The tests whose threads a scheduler did not control throughout, if there are any.
fn not_controlled(statistics: &Statistics) -> Option<Fact> {
    let (mut tests, mut threads) = (0, Vec::new());
    for (row, hits) in statistics.tables.get(SCHEDULES)?.iter() {
        let Some(names) = row.strip_prefix(NOT_CONTROLLED) else { continue };
        tests += hits;
        for name in names.split(", ") {
            if !threads.iter().any(|known| known == name) {
                threads.push(name.to_owned());
            }
        }
    }
    (tests > 0).then_some(Fact::NotControlled { tests, threads })
}

/// The harness runs each test in a thread named after it.
pub(super) fn test_of_this_thread() -> Option<String> {
    std::thread::current().name().filter(|name| *name != "main").map(str::to_owned)
}

fn fails_alike(tested: &Tested, failure: &Failure) -> bool {
    matches!(tested, Tested::Fail(other) if other.same_origin(failure))
}
