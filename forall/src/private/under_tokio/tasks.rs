//! Panics of tasks that a test spawned.
//!
//! Tokio keeps such a panic for whoever awaits the task. Where nobody does, the test would pass, and nothing would be seen of it: so the
//! panic hook remembers it, and a test whose body passed fails with it. Whether somebody awaits a task cannot be seen from here, nor
//! whether the task itself caught the panic. Tests in which tasks are meant to panic say so (`allow_task_panics`).
//!
//! What happens after the body ended does not count: tasks that find their channels closed by then are no bug of anybody's.

use crate::context::{context, note, wants_notes};
use crate::fact::Fact;
use crate::panic::tasks::Tasks;
use crate::panic::{Caught, Quiet};
use crate::property::Outcome;
use std::mem::forget;

/// What a panic in a task means for its test.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TaskPanics {
    /// The test fails.
    Fail,
    /// Nothing, if the body passes.
    Allowed,
}

impl Tasks {
    /// What makes a thread of the runtime one of the test: notes and labels of its tasks count, and their panics are kept quiet.
    pub(super) fn joining(&self) -> impl Fn() + Send + Sync + 'static {
        let (tasks, test) = (self.clone(), context());
        move || {
            // For as long as the thread lives.
            forget(Quiet::begin());
            forget(test.activate());
            tasks.clone().enter();
        }
    }

    /// Watches over the tasks that run on this thread.
    pub(super) fn watch(self) -> Watched {
        let before = self.clone().enter();
        Watched { tasks: self, before, is_judged: false }
    }
}

/// Until it is dropped, tasks that run on this thread are those of a test.
pub(super) struct Watched {
    tasks: Tasks,
    before: Option<Tasks>,
    is_judged: bool,
}

impl Watched {
    /// What becomes of the test, whose body came to this outcome.
    pub(super) fn judge(mut self, outcome: Outcome, task_panics: TaskPanics) -> Outcome {
        if !matches!(outcome, Outcome::Pass) || task_panics == TaskPanics::Allowed || self.tasks.lock().is_empty() {
            return outcome;
        }
        self.is_judged = true;
        let mut panics = std::mem::take(&mut *self.tasks.lock());
        let first = panics.remove(0);
        if wants_notes() {
            note(Fact::TaskPanicked.to_string());
            panics.into_iter().for_each(tell);
        }
        Outcome::Fail(Box::new(first.into()))
    }
}

impl Drop for Watched {
    fn drop(&mut self) {
        let before = self.before.take();
        Tasks::leave(before);
        // The body failed: what its tasks said may be why.
        if !self.is_judged && wants_notes() {
            std::mem::take(&mut *self.tasks.lock()).into_iter().for_each(tell);
        }
    }
}

fn tell(panic: Caught) {
    note(format!("a task of this test panicked: {panic}"));
}
