//! Panics of tasks that a test spawned, which their runtime catches: remembered for the test.

use super::Caught;
use std::cell::RefCell;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// As many panics of one test are remembered.
const REMEMBERED: usize = 10;

thread_local! {
    /// The tasks of the test to which this thread belongs.
    static HERE: RefCell<Option<Tasks>> = const { RefCell::new(None) };
}

/// The tasks of one test: how they panicked.
#[derive(Clone, Default)]
pub(crate) struct Tasks(Arc<Mutex<Vec<Caught>>>);

impl Tasks {
    pub(crate) fn lock(&self) -> MutexGuard<'_, Vec<Caught>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// From now on tasks that run on this thread are these; which they were before.
    pub(crate) fn enter(self) -> Option<Tasks> {
        HERE.replace(Some(self))
    }

    /// They are those again.
    pub(crate) fn leave(before: Option<Tasks>) {
        HERE.set(before);
    }
}

/// Whether a task of tokio runs on this thread.
pub(crate) fn in_a_task() -> bool {
    tokio::task::try_id().is_some()
}

/// This thread panics.
pub(crate) fn panicked(caught: &Caught) {
    if !in_a_task() {
        return;
    }
    // At the exit of a thread there may be no local any more.
    let tasks = HERE.try_with(|here| here.try_borrow().ok().and_then(|here| here.clone()));
    if let Ok(Some(tasks)) = tasks {
        let mut panics = tasks.lock();
        if panics.len() < REMEMBERED {
            panics.push(caught.clone());
        }
    }
}
