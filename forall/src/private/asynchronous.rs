//! Async properties: the executor that runs one future on the thread of its test, and cancels it at its deadline or
//! when its result is not needed.
//!
//! A cancelled future is dropped where it waits, so that it cleans up. A future that never waits cannot be cancelled,
//! as little as a synchronous function.

use crate::context::{Context, context, note, wants_notes};
use crate::fact::Fact;
use crate::property::{Failure, FailureKind, IntoOutcome, Outcome};
use crate::within;
use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::pin::pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::task::{Context as Waiting, Poll, Wake, Waker};
use std::thread::Thread;
use std::time::{Duration, Instant};

/// How often a waiting test checks whether it is still needed.
pub(super) const LOOK: Duration = Duration::from_millis(20);

/// Runs the body of an async property on this library's executor.
pub fn run<F: Future<Output: IntoOutcome>>(future: F) -> Outcome {
    let mut future = pin!(future);
    let mut outcome = Outcome::Pass;
    let missed = drive(&mut |waiting| match future.as_mut().poll(waiting) {
        Poll::Ready(value) => {
            outcome = value.into_outcome();
            true
        }
        Poll::Pending => false,
    });
    missed.unwrap_or(outcome)
}

/// Polls until it is ready. Returns the result of the test if it misses its deadline.
#[inline]
fn drive(poll: &mut dyn FnMut(&mut Waiting<'_>) -> bool) -> Option<Outcome> {
    let bell = Arc::new(Bell { thread: std::thread::current(), rung: AtomicBool::new(false) });
    let waker = Waker::from(Arc::clone(&bell));
    let mut poll = |waiting: &mut Waiting<'_>| match catch_unwind(AssertUnwindSafe(|| poll(waiting))) {
        Ok(ready) => ready,
        Err(payload) => {
            if wants_notes() && needs_tokio(&*payload) {
                note(Fact::NeedsTokio.to_string());
            }
            resume_unwind(payload)
        }
    };
    let mut waiting = Waiting::from_waker(&waker);
    if poll(&mut waiting) {
        return None;
    }
    let patience = Patience::begin();
    loop {
        while !bell.rung.swap(false, Ordering::Acquire) {
            std::thread::park_timeout(match patience.left() {
                Ok(left) => left,
                Err(missed) => return Some(missed),
            });
        }
        if let Err(missed) = patience.left() {
            return Some(missed);
        }
        if poll(&mut waiting) {
            return None;
        }
    }
}

/// Whether a panic is Tokio's about a missing runtime.
#[inline]
fn needs_tokio(payload: &dyn Any) -> bool {
    let text = payload.downcast_ref::<&str>().copied().or(payload.downcast_ref::<String>().map(|text| &**text));
    matches!(text, Some(text) if within::contains(text, "Tokio 1.x runtime"))
}

/// Wakes the thread of the test.
struct Bell {
    thread: Thread,
    rung: AtomicBool,
}

impl Wake for Bell {
    fn wake(self: Arc<Self>) {
        self.wake_by_ref();
    }

    fn wake_by_ref(self: &Arc<Self>) {
        self.rung.store(true, Ordering::Release);
        self.thread.unpark();
    }
}

/// The deadline of a waiting test. It starts when a future waits for the first time: many never do.
pub(super) struct Patience {
    context: Context,
    start: Instant,
    deadline: Option<Duration>,
}

impl Patience {
    #[inline]
    pub(super) fn begin() -> Self {
        let context = context();
        Self { deadline: context.deadline(), context, start: Instant::now() }
    }

    /// How long to wait before the next check. Unwinds if the test is no longer needed.
    #[inline]
    pub(super) fn left(&self) -> Result<Duration, Outcome> {
        if self.context.is_abandoned() {
            crate::checkpoint();
        }
        let Some(deadline) = self.deadline else { return Ok(LOOK) };
        let taken = self.start.elapsed();
        match deadline.checked_sub(taken) {
            Some(left) if !left.is_zero() => Ok(left.min(LOOK)),
            _ => {
                let message = Fact::DeadlineMissedWaiting { deadline }.to_string();
                Err(Outcome::Fail(Box::new(Failure::new(FailureKind::Deadline, message))))
            }
        }
    }
}

#[cfg(feature = "tokio")]
pub use super::under_tokio::{TaskPanics, run_in, run_under_tokio};

/// `runtime = tokio`; with the meaning of a task's panic, and an expression for the builder of the runtime, if it is
/// not the default.
#[cfg(feature = "tokio")]
#[doc(hidden)]
#[macro_export]
macro_rules! __under_tokio {
    ($future:expr; $panics:ident;) => {
        $crate::__private::asynchronous::run_under_tokio($crate::__private::asynchronous::TaskPanics::$panics, $future)
    };
    ($future:expr; $panics:ident; $builder:expr) => {
        $crate::__private::asynchronous::run_in($builder, $crate::__private::asynchronous::TaskPanics::$panics, $future)
    };
}

#[cfg(not(feature = "tokio"))]
#[doc(hidden)]
#[macro_export]
macro_rules! __under_tokio {
    ($($anything:tt)*) => {
        compile_error!(
            "`runtime = tokio` requires the feature `tokio` of `forall`: run `cargo add --dev forall --features tokio`"
        )
    };
}
