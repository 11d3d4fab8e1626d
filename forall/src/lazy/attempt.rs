//! Trying whether something can be decided as it is, for connectives.

use super::signal::Signal;
use super::trail::Search;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};

impl Search {
    /// Runs `body`, in which only so many undecided cells may be decided. None if it needed more.
    pub(crate) fn try_with<R>(&self, allowance: u32, body: impl FnOnce() -> R) -> Option<R> {
        struct Leave<'a> {
            search: &'a Search,
            /// What the connective around this one allows, and for which blocks.
            outer: Option<u32>,
            guarded: usize,
            given: u32,
        }
        impl Drop for Leave<'_> {
            fn drop(&mut self) {
                let used = self.given - self.search.allowance.get().unwrap_or(0);
                self.search.allowance.set(self.outer.map(|outer| outer - used.min(outer)));
                self.search.guarded.set(self.guarded);
            }
        }
        let outer = self.allowance.get();
        let given = outer.map_or(allowance, |outer| outer.min(allowance));
        self.allowance.set(Some(given));
        let guarded = self.guarded.replace(self.blocks.borrow().len());
        let _leave = Leave { search: self, outer, guarded, given };
        match catch_unwind(AssertUnwindSafe(body)) {
            Ok(value) => Some(value),
            Err(payload) if Signal::of(&*payload) == Some(Signal::Undecided) => None,
            Err(payload) => resume_unwind(payload),
        }
    }

    /// Whether a connective may have a cell decided.
    pub(crate) fn may_decide(&self) -> bool {
        self.allowance.get() != Some(0)
    }
}
