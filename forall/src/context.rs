//! The test that is running on this thread: what `note!`, `label!`, `assume!` and their kin find it by. What they call is in
//! `context/speak.rs`.

use crate::choice::Rejected;
use crate::panic;
use crate::statistics::{ByName, Cover, Statistics};
use std::cell::{Cell, RefCell};
use std::panic::resume_unwind;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};
use std::time::Duration;
use std::time::Instant;

pub(crate) mod cancel;
mod clock;
pub(crate) mod draw_times;
mod elsewhere;
pub(crate) mod progress;
mod speak;
pub(crate) mod told;
mod workers;

use cancel::Cancel;
pub(crate) use elsewhere::{Listen, Said, is_serving, serve};
use progress::Progress;
pub(crate) use speak::target_by;
pub use speak::{assume, cover, feature, label, note, tabulate, target, wants_features, wants_notes};

inventory::submit! {
    panic::Around {
        is_shown: wants_notes,
        test: || {
            let test = context();
            (test.property().to_owned(), test.index(), test.seed())
        },
    }
}

thread_local! {
    static CURRENT: RefCell<Option<Context>> = const { RefCell::new(None) };
    /// What tells the current test from others. It can still be read when the process ends, and `CURRENT` is gone.
    static CURRENT_ID: Cell<usize> = const { Cell::new(0) };
}

/// The running test, as a handle that can be given to other threads. See [`context()`].
///
/// ```
/// use forall::prelude::*;
///
/// let property = property! {
///     forall n in 0..1000u64;
///     check {
///         let test = forall::context();
///         // Each worker has a file of its own, and each test leaves a trace that names it.
///         let file = format!("scratch-{}.txt", test.worker());
///         assert_eq!((test.property(), &*file), ("scratch files", "scratch-0.txt"));
///         note!("test {} of seed {} wrote {n} to {file}", test.index(), test.seed());
///     }
/// };
/// forall::check("scratch files", &property);
/// ```
#[derive(Clone, Debug)]
pub struct Context(Arc<Shared>);

#[derive(Debug)]
struct Shared {
    property: String,
    seed: u64,
    worker: usize,
    progress: Progress,
    /// The progress of a child process is where its parent can see it, and this is it.
    published: OnceLock<&'static Progress>,
    /// Hears each note at once: the process may not live until the test ends.
    listener: OnceLock<&'static dyn Listen>,
    /// A test that takes longer is killed.
    time_limit: OnceLock<Duration>,
    /// Tests that seem to hang are given up early.
    hurries: AtomicBool,
    /// The tests of the run are programs that are repeated by themselves.
    repeats: AtomicBool,
    /// After how many repetitions tests have ended processes like this one lately; 0 if that is not known.
    fails_after: AtomicU64,
    /// Tests with a higher index are of no use any more. The workers of a run share it.
    last: Arc<AtomicU64>,
    /// Counts what happens beyond `progress.index`: replays, candidates. Whoever watches for hangs looks at both.
    beats: AtomicU64,
    tests: AtomicU64,
    /// How long a test may take, in nanoseconds; 0 if it may take as long as it likes.
    deadline: AtomicU64,
    born: Instant,
    /// When the running test began, if it has a deadline: in nanoseconds since `born`.
    test_began: AtomicU64,
    /// When the time of the run is over, in the same way; `u64::MAX` if it has no limit.
    ends_at: AtomicU64,
    /// What the run is doing, the beats before that, and how often it got somewhere: for whoever shows how far it is.
    phase: Mutex<(Phase, u64)>,
    steps: AtomicU64,
    cancel: OnceLock<Cancel>,
    in_block: AtomicBool,
    /// The running test, or the one that is about to run, is one that a runner chose, and nothing is known of it yet.
    chosen: AtomicBool,
    /// The running test is waited for whatever happens: its outcome is what the report will say.
    must_end: AtomicBool,
    /// Nobody waits for the running test: it was run in case that it would be asked for, and it was not.
    unwanted: AtomicBool,
    notes_wanted: AtomicBool,
    records_labels: AtomicBool,
    /// Whether any test of the run had a label.
    labelled: AtomicBool,
    /// Whether a test of the run drew more than can be recorded.
    overran: AtomicBool,
    /// The pulse of the last test that a thread of it rejected.
    rejected_at: Mutex<Option<(u64, u64)>>,
    /// A failing input that is being worked on, in words: what to say of it if the process ends meanwhile.
    at_hand: Mutex<String>,
    records: Mutex<Records>,
}

/// What a run is doing.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Phase {
    Testing,
    /// Testing with literals of the tested code.
    Quoting,
    Shrinking,
    Explaining,
}

#[derive(Debug, Default)]
struct Records {
    /// What the running test said so far. It counts when the test turns out valid.
    pending: Vec<Record>,
    pending_index: u64,
    statistics: Statistics,
    notes: Vec<String>,
    score: Option<f64>,
}

#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Record {
    Label(String),
    Row { table: String, row: String },
    Cover { label: String, percent: f64, hit: bool },
    Feature { name: String, value: String },
}

/// The test that is running on this thread, to be handed to threads that it spawns.
///
/// Outside of a test the handle does nothing.
///
/// A body that spawns threads hands them the context, or their notes and labels go nowhere, and their panics are nobody's:
/// the first is printed as it happens; those of replays and of shrinking are held back, and the last of them is a note of
/// the counterexample.
///
///
/// ```
/// # use forall::prelude::*;
/// let property = property! {
///     forall n: u8;
///     check {
///         let context = forall::context();
///         let n = *n;
///         std::thread::spawn(move || context.enter(|| forall::note!("n is {n}"))).join().is_ok()
///     }
/// };
/// forall::check("notes from threads", &property);
/// ```
pub fn context() -> Context {
    current().unwrap_or_else(|| Context::new("", 0, 0))
}

/// A number for the test case that runs on this thread, if there is one; another case has another.
pub(crate) fn running_case() -> Option<u64> {
    CURRENT.with_borrow(|current| {
        let current = current.as_ref()?;
        let ((index, beats), mut case) = (current.pulse(), crate::hash::Fnv::default());
        case.mix(current.id() as u64);
        case.mix(index);
        case.mix(beats);
        Some(case.finish())
    })
}

/// The test that runs on this thread, if there is one.
fn current() -> Option<Context> {
    CURRENT.with_borrow(|current| current.clone())
}

impl Context {
    pub(crate) fn new(property: &str, seed: u64, worker: usize) -> Self {
        Self::with_last(property, seed, worker, Arc::new(AtomicU64::new(u64::MAX)))
    }

    fn with_last(property: &str, seed: u64, worker: usize, last: Arc<AtomicU64>) -> Self {
        Self(Arc::new(Shared {
            property: property.to_owned(),
            seed,
            worker,
            progress: Progress::default(),
            published: OnceLock::new(),
            listener: OnceLock::new(),
            time_limit: OnceLock::new(),
            hurries: AtomicBool::new(false),
            repeats: AtomicBool::new(false),
            fails_after: AtomicU64::new(0),
            last,
            beats: AtomicU64::new(0),
            tests: AtomicU64::new(0),
            deadline: AtomicU64::new(0),
            born: Instant::now(),
            test_began: AtomicU64::new(0),
            ends_at: AtomicU64::new(u64::MAX),
            phase: Mutex::new((Phase::Testing, 0)),
            steps: AtomicU64::new(0),
            cancel: OnceLock::new(),
            in_block: AtomicBool::new(false),
            chosen: AtomicBool::new(false),
            must_end: AtomicBool::new(false),
            unwanted: AtomicBool::new(false),
            notes_wanted: AtomicBool::new(false),
            records_labels: AtomicBool::new(true),
            labelled: AtomicBool::new(false),
            overran: AtomicBool::new(false),
            rejected_at: Mutex::new(None),
            at_hand: Mutex::new(String::new()),
            records: Mutex::default(),
        }))
    }

    /// Runs `body` as a part of the test. Its panics are kept quiet and shown with the counterexample.
    ///
    /// If an `assume!` in `body` does not hold, it unwinds out of the thread, and the test is discarded when that makes it
    /// fail: as a thread that panicked does in [`std::thread::scope`], or `unwrap` of what `join` returns.
    ///
    /// ```
    /// # use forall::prelude::*;
    /// use forall::run::{Run, Settings, Store};
    /// let property = property! {
    ///     forall n in 0..10u32;
    ///     check {
    ///         let (context, n) = (forall::context(), *n);
    ///         let thread = std::thread::spawn(move || context.enter(|| assert!(n < 5, "{n} is too much")));
    ///         thread.join().is_ok()
    ///     }
    /// };
    /// let report = Run::new("in a thread", &property).settings(Settings::new().store(Store::Off)).report();
    /// assert!(report.counterexample.unwrap().notes[0].contains("5 is too much"));
    /// ```
    pub fn enter<T>(&self, body: impl FnOnce() -> T) -> T {
        let _quiet = panic::Quiet::begin();
        let _entered = self.activate();
        match std::panic::catch_unwind(std::panic::AssertUnwindSafe(body)) {
            Ok(value) => value,
            Err(payload) => {
                if payload.is::<Rejected>() {
                    self.rejected();
                }
                if let Some(caught) = panic::take_last()
                    && self.wants_notes()
                {
                    self.note(format!("a thread of this test panicked: {caught}"));
                }
                resume_unwind(payload)
            }
        }
    }

    /// Makes this the current test of the thread until the guard is dropped.
    pub(crate) fn activate(&self) -> Active {
        let before = CURRENT.replace(Some(self.clone()));
        Active { before, id: CURRENT_ID.replace(self.id()) }
    }

    /// The name of the property under test.
    ///
    /// ```
    /// # use forall::prelude::*;
    /// let property = property! { forall n: u8; check forall::context().property() == "named" };
    /// forall::check("named", &property);
    /// assert_eq!(forall::context().property(), "", "no test runs here");
    /// ```
    pub fn property(&self) -> &str {
        &self.0.property
    }

    /// The seed of the run.
    ///
    /// ```
    /// # use forall::prelude::*;
    /// use forall::run::{Run, Settings};
    /// let property = property! { forall n: u8; check forall::context().seed() == 7 };
    /// assert!(Run::new("seed", &property).settings(Settings::new().seed(7)).report().verdict.is_success());
    /// ```
    pub fn seed(&self) -> u64 {
        self.0.seed
    }

    /// The index of the test in its run.
    ///
    /// ```
    /// # use forall::{prelude::*, run::{Run, Settings}};
    /// let property = property! { forall n: u64; check forall::context().index() < 100 };
    /// let settings = Settings::new().tests(100);
    /// assert!(Run::new("as many tests as asked for", &property).settings(settings).report().verdict.is_success());
    /// ```
    pub fn index(&self) -> u64 {
        self.progress().index.load(Ordering::Relaxed)
    }

    /// A small number that no other worker of the run has: for ports and files. See [`worker`](crate::worker).
    ///
    /// ```
    /// # use forall::prelude::*;
    /// let property = property! {
    ///     forall n: u8;
    ///     check {
    ///         let port = 4000 + forall::context().worker();
    ///         port < 5000
    ///     }
    /// };
    /// forall::check("ports", &property);
    /// ```
    pub fn worker(&self) -> usize {
        self.0.worker
    }

    /// The highest score that `target!` gave since it was last asked for, for runners that search for high scores.
    ///
    /// ```
    /// # use forall::prelude::*;
    /// use forall::run::Tester;
    /// let property = property! { forall n in 7..8u32; check { target!(f64::from(*n)); } };
    /// let tester = Tester::new("high", &property, 1);
    /// tester.record(0, 100);
    /// assert_eq!(tester.context().take_score(), Some(7.0));
    /// assert_eq!(tester.context().take_score(), None, "it was taken");
    /// ```
    #[doc(hidden)]
    pub fn take_score(&self) -> Option<f64> {
        self.records().score.take()
    }

    pub(crate) fn replace_score(&self, score: Option<f64>) {
        self.records().score = score;
    }

    /// Asks the run to stop: it ends before the next block of tests, or the next candidate of shrinking.
    ///
    /// ```
    /// # use forall::prelude::*;
    /// use forall::run::Run;
    /// let property = property! { forall n: u64; check { forall::context().cancel(); } };
    /// assert!(Run::new("once", &property).report().statistics.valid < 256);
    /// ```
    pub fn cancel(&self) {
        self.progress().cancel.store(true, Ordering::Relaxed);
    }

    pub(crate) fn wants_notes(&self) -> bool {
        self.0.notes_wanted.load(Ordering::Relaxed)
    }

    /// Whether the run is to stop: a long test may look at this and return.
    ///
    /// ```
    /// let context = forall::context();
    /// assert!(!context.is_cancelled());
    /// context.cancel();
    /// assert!(context.is_cancelled());
    /// ```
    pub fn is_cancelled(&self) -> bool {
        if crate::interrupt::came() {
            return true;
        }
        self.progress().cancel.load(Ordering::Relaxed) || self.0.cancel.get().is_some_and(Cancel::is_cancelled)
    }

    /// The run stops when `cancel` says so, too.
    pub(crate) fn cancel_with(&self, cancel: Cancel) {
        // A run is given one at its beginning, if at all.
        let _ = self.0.cancel.set(cancel);
    }

    /// Something else begins.
    pub(crate) fn begin(&self, phase: Phase) {
        let beats = self.0.beats.load(Ordering::Relaxed);
        *self.0.phase.lock().unwrap_or_else(PoisonError::into_inner) = (phase, beats);
        self.0.steps.store(0, Ordering::Relaxed);
    }

    /// What the run is doing, and how many inputs were run since that began.
    pub(crate) fn phase(&self) -> (Phase, u64) {
        let (phase, before) = *self.0.phase.lock().unwrap_or_else(PoisonError::into_inner);
        (phase, self.0.beats.load(Ordering::Relaxed).saturating_sub(before))
    }

    /// What is being done got somewhere.
    pub(crate) fn step(&self) {
        self.0.steps.fetch_add(1, Ordering::Relaxed);
    }

    pub(crate) fn steps(&self) -> u64 {
        self.0.steps.load(Ordering::Relaxed)
    }

    /// Whether tests are waited for from now on, even if the run was stopped.
    pub(crate) fn wait_for_tests(&self, wait: bool) {
        self.0.must_end.store(wait, Ordering::Relaxed);
    }

    /// Whether nobody waits for the running test any more.
    pub(crate) fn is_abandoned(&self) -> bool {
        let unwanted = self.is_cancelled()
            || self.index() > self.0.last.load(Ordering::Relaxed)
            || self.0.unwanted.load(Ordering::Relaxed);
        unwanted && !self.0.must_end.load(Ordering::Relaxed)
    }

    pub(crate) fn progress(&self) -> &Progress {
        if let Some(published) = self.0.published.get() {
            return published;
        }
        &self.0.progress
    }

    /// How many tests the run is to make: sizes depend on it.
    pub(crate) fn say_tests(&self, tests: u64) {
        self.0.tests.store(tests, Ordering::Relaxed);
    }

    pub(crate) fn tests(&self) -> u64 {
        self.0.tests.load(Ordering::Relaxed)
    }

    /// Whether the running test is one of many, and of no use when the time of the run is over: not one that failed and is run
    /// again, nor one like it.
    pub(crate) fn is_one_of_many(&self) -> bool {
        if self.phase().0 == Phase::Quoting {
            return true;
        }
        self.is_in_block() || self.is_chosen()
    }

    /// Whether a test is under way that a runner chose: it is made, it runs, or it is judged.
    pub(crate) fn is_chosen(&self) -> bool {
        self.0.chosen.load(Ordering::Relaxed)
    }

    pub(crate) fn say_chosen(&self, chosen: bool) {
        self.0.chosen.store(chosen, Ordering::Relaxed);
    }

    /// Whether the running test is one of a block, so that seed and index tell which: not one that is replayed or shrunk.
    pub(crate) fn is_in_block(&self) -> bool {
        self.0.in_block.load(Ordering::Relaxed)
    }

    pub(crate) fn say_in_block(&self, in_block: bool) {
        self.0.in_block.store(in_block, Ordering::Relaxed);
    }

    /// Whether this is the test that runs on this thread. Known even while the process ends.
    pub(crate) fn is_current(&self) -> bool {
        matches!(CURRENT_ID.try_with(Cell::get), Ok(id) if id == self.id())
    }

    fn id(&self) -> usize {
        Arc::as_ptr(&self.0).addr()
    }

    /// Says that the tests of the run are programs that are repeated by themselves.
    pub(crate) fn say_it_repeats(&self) {
        self.0.repeats.store(true, Ordering::Relaxed);
    }

    pub(crate) fn repeats(&self) -> bool {
        self.0.repeats.load(Ordering::Relaxed)
    }

    pub(crate) fn is_same(&self, other: &Context) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }

    pub(crate) fn beat(&self) {
        self.0.beats.fetch_add(1, Ordering::Relaxed);
    }

    /// Changes whenever something new begins.
    pub(crate) fn pulse(&self) -> (u64, u64) {
        (self.index(), self.0.beats.load(Ordering::Relaxed))
    }

    /// An assumption does not hold, in a thread or a task of the test that runs.
    fn rejected(&self) {
        *self.0.rejected_at.lock().unwrap_or_else(PoisonError::into_inner) = Some(self.pulse());
    }

    /// Whether an assumption did not hold in a thread of the test that runs, or that ran last.
    pub(crate) fn was_rejected_by_a_thread(&self) -> bool {
        *self.0.rejected_at.lock().unwrap_or_else(PoisonError::into_inner) == Some(self.pulse())
    }

    /// This is the failing input that is being worked on.
    pub(crate) fn put_at_hand(&self, input: String) {
        *self.0.at_hand.lock().unwrap_or_else(PoisonError::into_inner) = input;
    }

    pub(crate) fn at_hand(&self) -> String {
        self.0.at_hand.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    pub(crate) fn want_notes(&self, wanted: bool) {
        self.0.notes_wanted.store(wanted, Ordering::Relaxed);
        self.records().notes.clear();
    }

    /// Whether notes are wanted, from now on and before. Those that there are stay.
    pub(crate) fn replace_notes_wanted(&self, wanted: bool) -> bool {
        self.0.notes_wanted.swap(wanted, Ordering::Relaxed)
    }

    pub(crate) fn take_notes(&self) -> Vec<String> {
        std::mem::take(&mut self.records().notes)
    }

    /// Whether labels count from now on: those of random tests do, those of replays and of shrinking do not.
    pub(crate) fn count_labels(&self, count: bool) {
        self.0.records_labels.store(count, Ordering::Relaxed);
    }

    pub(crate) fn counts_labels(&self) -> bool {
        self.0.records_labels.load(Ordering::Relaxed)
    }

    /// The labels of the tests so far, the pending ones of the last test included.
    pub(crate) fn take_statistics(&self) -> Statistics {
        let mut records = self.records();
        records.commit();
        std::mem::take(&mut records.statistics)
    }

    /// What `cover!` demanded so far, and how often that was there.
    pub(crate) fn covers(&self) -> ByName<Cover> {
        let mut records = self.records();
        records.commit();
        records.statistics.covers.clone()
    }

    /// Whether a test of the run drew more than can be recorded.
    pub(crate) fn overran(&self) -> bool {
        self.0.overran.load(Ordering::Relaxed)
    }

    /// What the running test said does not count.
    pub(crate) fn forget(&self) {
        let index = self.index();
        let mut records = self.records();
        if records.pending_index == index {
            records.pending.clear();
        } else {
            // That was said by an earlier test, which was valid.
            records.commit();
        }
    }

    /// One path of a search has come to its end: what it said counts, if it was valid, apart from what the next one says.
    #[inline]
    pub(crate) fn settle(&self, is_valid: bool) {
        // Most properties say nothing, and this must cost next to nothing for them.
        if self.0.labelled.load(Ordering::Relaxed) {
            self.settle_labels(is_valid);
        }
    }

    #[cold]
    fn settle_labels(&self, is_valid: bool) {
        let mut records = self.records();
        if is_valid {
            records.commit();
        } else {
            records.pending.clear();
        }
    }

    /// What the last test said of itself, as far as it still counts, and how near it came to its target.
    pub(crate) fn said_by_last_test(&self) -> (Vec<Record>, Option<f64>) {
        let index = self.index();
        let records = self.records();
        let is_its = records.pending_index == index;
        (if is_its { records.pending.clone() } else { Vec::new() }, records.score)
    }

    fn note(&self, text: String) {
        let mut records = self.records();
        if let Some(listener) = self.0.listener.get() {
            listener.note(&text);
        }
        records.notes.push(text);
    }

    fn record(&self, record: Record) {
        if self.0.records_labels.load(Ordering::Relaxed) {
            let index = self.index();
            let mut records = self.records();
            if records.pending_index != index {
                records.commit();
                records.pending_index = index;
            }
            records.pending.push(record);
            self.0.labelled.store(true, Ordering::Relaxed);
        }
    }

    fn records(&self) -> MutexGuard<'_, Records> {
        self.0.records.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Context {
    /// Whether tests that seem to hang are given up early from now on: while many are tried. Who does this makes sure of what comes
    /// out.
    pub(crate) fn hurry(&self, hurry: bool) {
        self.0.hurries.store(hurry, Ordering::Relaxed);
    }

    pub(crate) fn hurries(&self) -> bool {
        self.0.hurries.load(Ordering::Relaxed)
    }
}

impl Records {
    /// The test that spoke last was valid: what it said counts.
    fn commit(&mut self) {
        let said = std::mem::take(&mut self.pending);
        self.statistics.count(said);
    }
}

impl Statistics {
    fn count(&mut self, said: Vec<Record>) {
        // A test that bears a label twice counts once.
        let (mut seen, mut covered) = (Vec::new(), Vec::new());
        for record in said {
            match record {
                Record::Label(label) => {
                    if !seen.contains(&label) {
                        *self.labels.entry(label.clone(), 0) += 1;
                        seen.push(label);
                    }
                }
                Record::Row { table, row } => {
                    *self.tables.entry(table, ByName::default()).entry(row, 0) += 1;
                }
                Record::Cover { label, percent, hit } => {
                    let cover = self.covers.entry(label.clone(), Cover { percent, hits: 0 });
                    // Of two demands of one name the higher one counts.
                    cover.percent = cover.percent.max(percent);
                    if hit && !covered.contains(&label) {
                        cover.hits += 1;
                        covered.push(label);
                    }
                }
                Record::Feature { name, value } => {
                    let values = self.features.entry(name, ByName::default());
                    let is_counted = values.len() < told::FEATURE_VALUES || values.get(&value).is_some();
                    *values.entry(if is_counted { value } else { told::OTHERS.to_owned() }, 0) += 1;
                }
            }
        }
    }
}

/// The payload with which [`checkpoint`](crate::checkpoint) unwinds.
pub(crate) enum Abandoned {
    /// Nobody waits for the test.
    Unwanted,
    /// The test has taken longer than it may.
    Overdue,
}

/// Until dropped, a test is current on this thread.
pub(crate) struct Active {
    before: Option<Context>,
    id: usize,
}

impl Drop for Active {
    fn drop(&mut self) {
        CURRENT.replace(self.before.take());
        CURRENT_ID.set(self.id);
    }
}

/// Ctrl-C is to stop the run from now on, if a test runs on this thread: it has something to clean up. Not in a process that runs
/// tests for another: that one kills it.
pub(crate) fn stop_on_interrupt() {
    CURRENT.with_borrow(|current| {
        let Some(context) = current else { return };
        if context.0.published.get().is_some() {
            return;
        }
        let _ = context;
        crate::interrupt::listen();
    });
}

/// Whether a test runs on this thread.
pub(crate) fn is_active() -> bool {
    CURRENT.with_borrow(Option::is_some)
}

/// The test that runs on this thread drew more than can be recorded.
#[cold]
pub(crate) fn say_overrun() {
    if let Some(context) = current() {
        context.0.overran.store(true, Ordering::Relaxed);
    }
}

/// What the running test said does not count: it was discarded.
pub(crate) fn forget_labels() {
    CURRENT.with_borrow(|current| {
        // Most tests say nothing, and this must cost next to nothing for them.
        if let Some(context) = current
            && context.0.labelled.load(Ordering::Relaxed)
        {
            context.forget();
        }
    });
}
