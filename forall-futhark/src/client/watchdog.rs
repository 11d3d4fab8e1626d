//! Deadlines: a thread that kills the server when one passes.
//!
//! The thread that waits for an answer is not notified; it sees the end of the server's output. So no command is ever
//! sent to a server past its deadline, and no clean-up waits for one that does not answer.

use rustix::process::{Pid, Signal, kill_process_group};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Instant;

#[derive(Default)]
struct State {
    deadline: Option<Instant>,
    /// The time at which the thread wakes up by itself; none if it waits for a notification.
    looks_at: Option<Instant>,
    has_passed: bool,
    is_over: bool,
}

struct Shared {
    state: Mutex<State>,
    changed: Condvar,
}

/// Kills the process group when the deadline passes. Ends when dropped.
pub(crate) struct Watchdog(Arc<Shared>);

impl Watchdog {
    pub(crate) fn new(group: Pid) -> Self {
        let shared = Arc::new(Shared { state: Mutex::default(), changed: Condvar::new() });
        let own = shared.clone();
        let watching = std::thread::Builder::new().name("server deadline".into()).spawn(move || watch(&own, group));
        // Without the thread, deadlines are not enforced; testing continues.
        drop(watching);
        Self(shared)
    }

    /// Sets or clears the deadline.
    ///
    /// The thread is notified only if it would wake up too late: most deadlines are set shortly after another one, and
    /// never pass.
    pub(crate) fn set(&self, deadline: Option<Instant>) {
        let mut state = lock(&self.0);
        state.deadline = deadline;
        let is_too_late = deadline.is_some_and(|deadline| state.looks_at.is_none_or(|looks_at| looks_at > deadline));
        drop(state);
        if is_too_late {
            self.0.changed.notify_one();
        }
    }

    /// Returns whether the deadline passed and the server was killed.
    pub(crate) fn has_passed(&self) -> bool {
        lock(&self.0).has_passed
    }
}

impl Drop for Watchdog {
    fn drop(&mut self) {
        lock(&self.0).is_over = true;
        self.0.changed.notify_one();
    }
}

fn lock(shared: &Shared) -> MutexGuard<'_, State> {
    shared.state.lock().unwrap_or_else(PoisonError::into_inner)
}

fn watch(shared: &Shared, group: Pid) {
    let mut state = lock(shared);
    while !state.is_over {
        let left = state.deadline.map(|deadline| deadline.saturating_duration_since(Instant::now()));
        state.looks_at = state.deadline;
        state = match left {
            None => shared.changed.wait(state).unwrap_or_else(PoisonError::into_inner),
            Some(left) if left.is_zero() => {
                state.has_passed = true;
                state.deadline = None;
                // The process group may have ended by itself in the meantime.
                let _ = kill_process_group(group, Signal::KILL);
                state
            }
            Some(left) => shared.changed.wait_timeout(state, left).unwrap_or_else(PoisonError::into_inner).0,
        };
    }
}
