//! An observer that several tests use.

use forall::run::{Cancel, Event, Observer};

/// Cancels when shrinking has got somewhere, as a handler of Ctrl-C would.
pub struct AfterTwo {
    cancel: Cancel,
    steps: u64,
}

impl AfterTwo {
    pub fn new(cancel: &Cancel) -> Self {
        Self { cancel: cancel.clone(), steps: 0 }
    }
}

impl Observer for AfterTwo {
    fn event(&mut self, event: &Event<'_>) {
        if let Event::Shrunk { .. } = event {
            self.steps += 1;
            if self.steps == 2 {
                self.cancel.cancel();
            }
        }
    }
}
