//! Panics of tasks that a test spawned. Their runtime catches them, so they are recorded here for the test.

use super::Caught;
use std::cell::RefCell;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// The number of panics to record for one test.
const REMEMBERED: usize = 10;

thread_local! {
    /// The tasks of the test to which this thread belongs.
    static HERE: RefCell<Option<Tasks>> = const { RefCell::new(None) };
}

/// The panics of one test's tasks.
#[derive(Clone, Default)]
pub(crate) struct Tasks(Arc<Mutex<Vec<Caught>>>);

impl Tasks {
    pub(crate) fn lock(&self) -> MutexGuard<'_, Vec<Caught>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Sets the tasks of this thread; returns the previous ones.
    pub(crate) fn enter(self) -> Option<Tasks> {
        HERE.replace(Some(self))
    }

    /// Restores the previous tasks of this thread.
    pub(crate) fn leave(before: Option<Tasks>) {
        HERE.set(before);
    }
}

/// Whether a Tokio task runs on this thread.
pub(crate) fn in_a_task() -> bool {
    tokio::task::try_id().is_some()
}

/// Records a panic of this thread.
pub(crate) fn panicked(caught: &Caught) {
    if !in_a_task() {
        return;
    }
    // At thread exit the locals may be gone.
    let tasks = HERE.try_with(|here| here.try_borrow().ok().and_then(|here| here.clone()));
    if let Ok(Some(tasks)) = tasks {
        let mut panics = tasks.lock();
        if panics.len() < REMEMBERED {
            panics.push(caught.clone());
        }
    }
}
