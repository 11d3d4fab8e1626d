//! Panics of tasks that a test spawned.
//!
//! Tokio stores such a panic for the code that awaits the task. If none does, the test would pass, and the panic would
//! go unnoticed: so the panic hook records it, and a test whose body passed fails with it. Whether a task is awaited
//! cannot be seen from here, nor whether the task itself caught the panic. Tests in which tasks may panic set
//! `allow_task_panics`.
//!
//! Panics after the end of the body do not count: tasks that find their channels closed by then are not a bug.

use crate::context::{context, note, wants_notes};
use crate::fact::Fact;
use crate::panic::tasks::Tasks;
use crate::panic::{Caught, Quiet};
use crate::property::Outcome;
use std::mem::forget;

/// The meaning of a task's panic for its test.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TaskPanics {
    /// The test fails.
    Fail,
    /// Nothing, if the body passes.
    Allowed,
}

impl Tasks {
    /// Attaches a runtime's thread to the test: notes and labels of its tasks count, and their panics are silenced.
    pub(super) fn joining(&self) -> impl Fn() + Send + Sync + 'static {
        let (tasks, test) = (self.clone(), context());
        move || {
            // As long as the thread lives.
            forget(Quiet::begin());
            forget(test.activate());
            tasks.clone().enter();
        }
    }

    /// Records the panics of tasks on this thread.
    pub(super) fn watch(self) -> Watched {
        let before = self.clone().enter();
        Watched { tasks: self, before, is_judged: false }
    }
}

/// Attributes tasks on this thread to a test until dropped.
pub(super) struct Watched {
    tasks: Tasks,
    before: Option<Tasks>,
    is_judged: bool,
}

impl Watched {
    /// The result of the test, whose body had this outcome.
    pub(super) fn judge(mut self, outcome: Outcome, task_panics: TaskPanics) -> Outcome {
        if !matches!(outcome, Outcome::Pass) || task_panics == TaskPanics::Allowed || self.tasks.lock().is_empty() {
            return outcome;
        }
        self.is_judged = true;
        let mut panics = std::mem::take(&mut *self.tasks.lock());
        let first = panics.remove(0);
        if wants_notes() {
            note(Fact::TaskPanicked.to_string());
            panics.into_iter().for_each(announce);
        }
        Outcome::Fail(Box::new(first.into()))
    }
}

impl Drop for Watched {
    fn drop(&mut self) {
        let before = self.before.take();
        Tasks::leave(before);
        // The body failed: its tasks' panics may be the cause.
        if !self.is_judged && wants_notes() {
            std::mem::take(&mut *self.tasks.lock()).into_iter().for_each(announce);
        }
    }
}

fn announce(panic: Caught) {
    note(format!("a task of this test panicked: {panic}"));
}
