//! The current test of a thread, which `note!`, `label!`, `assume!` and related macros find here. The functions that
//! they call are in `context/speak.rs`.

use crate::choice::Rejected;
use crate::panic;
use std::cell::{Cell, RefCell};
use std::panic::resume_unwind;
use std::sync::Arc;
use std::sync::atomic::Ordering;

mod activity;
pub(crate) mod cancel;
mod clock;
mod cpu;
pub(crate) mod draw_times;
mod elsewhere;
pub(crate) mod progress;
mod records;
mod running;
mod speak;
pub(crate) mod told;
mod wanted;
mod workers;

use activity::Activity;
pub(crate) use activity::Phase;
use cancel::Cancel;
use clock::Clock;
use elsewhere::Elsewhere;
pub(crate) use elsewhere::{Listen, is_serving, serve};
use progress::Progress;
use records::Records;
pub(crate) use records::{Record, Said, forget_labels};
use running::Running;
pub(crate) use running::say_overrun;
pub(crate) use speak::target_by;
pub use speak::{assume, cover, feature, label, note, tabulate, target, target_named, wants_features, wants_notes};
use wanted::Wanted;

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
    /// An id of the current test. It can still be read while the process exits, after `CURRENT` was destroyed.
    static CURRENT_ID: Cell<usize> = const { Cell::new(0) };
}

/// A handle to the running test, which can be passed to other threads. See [`context()`].
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

/// Each part has one purpose and its own file, with the methods of [`Context`] that belong to it.
#[derive(Debug)]
struct Shared {
    property: String,
    seed: u64,
    worker: usize,
    progress: Progress,
    running: Running,
    records: Records,
    clock: Clock,
    activity: Activity,
    wanted: Wanted,
    elsewhere: Elsewhere,
}

/// Returns the test that is running on this thread, to pass to threads that it spawns.
///
/// Outside a test the handle does nothing.
///
/// A body that spawns threads must pass them the context. Otherwise their notes and labels are lost, and their panics
/// are not part of the test: the first is printed as it happens; those during replays and shrinking are held back, and
/// the last of them becomes a note of the counterexample.
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

/// A number for the test case on this thread, if there is one; unique for each case.
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

/// The current test of this thread, if there is one.
fn current() -> Option<Context> {
    CURRENT.with_borrow(|current| current.clone())
}

impl Context {
    pub(crate) fn new(property: &str, seed: u64, worker: usize) -> Self {
        Self::wanting(property, seed, worker, Wanted::default())
    }

    fn wanting(property: &str, seed: u64, worker: usize, wanted: Wanted) -> Self {
        Self(Arc::new(Shared {
            property: property.to_owned(),
            seed,
            worker,
            progress: Progress::default(),
            running: Running::default(),
            records: Records::default(),
            clock: Clock::new(),
            activity: Activity::default(),
            wanted,
            elsewhere: Elsewhere::default(),
        }))
    }

    /// Runs `body` as a part of the test. Its panics are captured and reported with the counterexample.
    ///
    /// If an `assume!` in `body` does not hold, it unwinds out of the thread, and the test is discarded if the thread's
    /// panic makes it fail: as with [`std::thread::scope`], or with `unwrap` on the result of `join`.
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

    /// Returns the name of the property under test.
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

    /// Returns the seed of the run.
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

    /// Returns the index of the test in its run.
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

    /// Returns a small number that is unique among the workers of the run, for ports and files. See
    /// [`worker`](crate::worker).
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

    /// Whether this is the current test of this thread. Works even while the process exits.
    pub(crate) fn is_current(&self) -> bool {
        matches!(CURRENT_ID.try_with(Cell::get), Ok(id) if id == self.id())
    }

    fn id(&self) -> usize {
        Arc::as_ptr(&self.0).addr()
    }

    pub(crate) fn is_same(&self, other: &Context) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }
}

/// The payload with which [`checkpoint`](crate::checkpoint) unwinds.
pub(crate) enum Abandoned {
    /// The result of the test is no longer needed.
    Unwanted,
    /// The test exceeded its limit.
    Overdue,
}

/// Makes a test current on this thread until dropped.
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

/// From now on, makes Ctrl-C stop the run gracefully, if a test runs on this thread: the test has something to clean
/// up. Has no effect in a child process, which its parent kills.
pub(crate) fn stop_on_interrupt() {
    CURRENT.with_borrow(|current| {
        let Some(context) = current else { return };
        if !context.0.elsewhere.is_published() {
            crate::interrupt::listen();
        }
    });
}

/// Whether a test runs on this thread.
pub(crate) fn is_active() -> bool {
    CURRENT.with_borrow(Option::is_some)
}
