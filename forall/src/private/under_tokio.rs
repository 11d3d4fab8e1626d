//! Async properties under Tokio (feature `tokio`).
//!
//! Each test has its own runtime: spawned tasks end with their test, and tests do not share tasks, timers or
//! connections. That costs some ten microseconds per test for a current-thread runtime.
//!
//! Deadlines and cancellation use the wall clock, not the runtime's: a test may pause the latter, and would advance to
//! a timer of ours. So a separate thread wakes waiting tests ([`ALARM`]).
//!
//! Panics of tasks are in `under_tokio/tasks.rs`.

mod tasks;

use super::asynchronous::{LOOK, Patience};
use crate::panic::tasks::Tasks;
use crate::property::{Failure, FailureKind, IntoOutcome, Outcome};
use std::future::poll_fn;
use std::pin::pin;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::task::{Poll, Waker};
use std::time::Instant;
pub use tasks::TaskPanics;
use tokio::runtime::Builder;

/// Runs the body of an async property under a new tokio runtime of the current thread.
pub fn run_under_tokio<F: Future<Output: IntoOutcome>>(task_panics: TaskPanics, future: F) -> Outcome {
    run_in(Builder::new_current_thread().enable_all(), task_panics, future)
}

/// Runs the body of an async property under its own runtime.
pub fn run_in<F: Future<Output: IntoOutcome>>(builder: &mut Builder, task_panics: TaskPanics, future: F) -> Outcome {
    let tasks = Tasks::default();
    let runtime = match builder.on_thread_start(tasks.joining()).build() {
        Ok(runtime) => runtime,
        Err(error) => {
            let message = format!(
                "the Tokio runtime could not be created: {error}. Run fewer tests at once (`--test-threads`), or allow \
                 more open files (`ulimit -n`)"
            );
            return Outcome::Fail(Box::new(Failure::new(FailureKind::Error, message)));
        }
    };
    let mut future = pin!(future);
    let mut waiting: Option<(Patience, Woken)> = None;
    let watched = tasks.watch();
    let outcome = runtime.block_on(poll_fn(move |context| {
        if let Poll::Ready(value) = future.as_mut().poll(context) {
            return Poll::Ready(value.into_outcome());
        }
        let (patience, woken) = waiting.get_or_insert_with(|| (Patience::begin(), ALARM.add(context.waker())));
        match patience.left() {
            Ok(left) => {
                woken.at(Instant::now() + left, context.waker());
                Poll::Pending
            }
            Err(missed) => Poll::Ready(missed),
        }
    }));
    watched.judge(outcome, task_panics)
}

/// Wakes waiting tests.
struct Alarm {
    waiting: Mutex<Waiting>,
    changed: Condvar,
}

struct Waiting {
    /// By number.
    tests: Vec<(u64, Instant, Waker)>,
    next: u64,
    is_running: bool,
}

static ALARM: Alarm =
    Alarm { waiting: Mutex::new(Waiting { tests: Vec::new(), next: 0, is_running: false }), changed: Condvar::new() };

/// The registration of a waiting test, until dropped.
struct Woken(u64);

impl Alarm {
    fn lock(&self) -> MutexGuard<'_, Waiting> {
        self.waiting.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn add(&'static self, waker: &Waker) -> Woken {
        let mut waiting = self.lock();
        let number = waiting.next;
        waiting.next += 1;
        waiting.tests.push((number, Instant::now() + LOOK, waker.clone()));
        if !waiting.is_running {
            // Without it tests run as usual, and are not cancelled.
            let thread = std::thread::Builder::new().name("forall-alarm".to_owned());
            waiting.is_running = thread.spawn(|| self.run()).is_ok();
        }
        self.changed.notify_one();
        Woken(number)
    }

    fn run(&self) {
        let mut waiting = self.lock();
        loop {
            let now = Instant::now();
            let mut next = None;
            for (_, at, waker) in &mut waiting.tests {
                if *at <= now {
                    *at = now + LOOK;
                    waker.wake_by_ref();
                }
                next = Some(next.map_or(*at, |next: Instant| next.min(*at)));
            }
            waiting = match next {
                None => self.changed.wait(waiting).unwrap_or_else(PoisonError::into_inner),
                Some(next) => {
                    let left = next.saturating_duration_since(now);
                    self.changed.wait_timeout(waiting, left).unwrap_or_else(PoisonError::into_inner).0
                }
            };
        }
    }
}

impl Woken {
    /// When to wake it next, and its waker.
    fn at(&self, next: Instant, waker: &Waker) {
        let mut waiting = ALARM.lock();
        if let Some((_, at, known)) = waiting.tests.iter_mut().find(|(number, ..)| *number == self.0) {
            if next < *at {
                ALARM.changed.notify_one();
            }
            *at = next;
            known.clone_from(waker);
        }
    }
}

impl Drop for Woken {
    fn drop(&mut self) {
        ALARM.lock().tests.retain(|(number, ..)| *number != self.0);
    }
}
