//! Trying whether something can be decided as it is, for connectives.

use super::signal::Signal;
use super::trail::Search;
use crate::choice::Rejected;
use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};

/// An attempt under way: a side of a connective is tried.
#[derive(Clone, Copy, Debug)]
pub(super) struct Attempt {
    /// How many cells may still be decided for it.
    left: u32,
    /// Of which blocks: those that were open when it began. A quantifier inside of the side has its cells for itself.
    guarded: usize,
}

impl Search {
    /// Runs `body`, in which only so many undecided cells may be decided. None if it needed more.
    pub(crate) fn try_with(&self, allowance: u32, body: &dyn Fn() -> bool) -> Option<bool> {
        match self.attempt(allowance, body) {
            Ok(value) => Some(value),
            // With some of the allowance left it was an attempt around this one that did not let a cell be decided.
            Err((payload, 0)) if Signal::of(&*payload) == Some(Signal::Undecided) => self.is_open(),
            Err((payload, _)) => resume_unwind(payload),
        }
    }

    /// Runs `body` ahead of its turn: nothing may be decided for it, and what it does may be in vain. If it panics or discards the
    /// test nothing is known either: it may be that it should not have been run.
    pub(crate) fn try_ahead(&self, body: &dyn Fn() -> bool) -> Option<bool> {
        match self.attempt(0, body) {
            Ok(value) => Some(value),
            Err((payload, _)) => match Signal::of(&*payload) {
                Some(Signal::Undecided) => self.is_open(),
                None if payload.is::<Rejected>() || crate::panic::is_panic(&*payload) => self.is_open(),
                _ => resume_unwind(payload),
            },
        }
    }

    /// What an attempt comes to that was given up: whatever could not be decided in it is forgotten.
    fn is_open(&self) -> Option<bool> {
        self.failed_in.set(None);
        None
    }

    /// What unwinds out of the body comes with what was left of the allowance.
    fn attempt(&self, allowance: u32, body: &dyn Fn() -> bool) -> Result<bool, (Box<dyn Any + Send>, u32)> {
        let guarded = self.blocks.borrow().len();
        self.attempts.borrow_mut().push(Attempt { left: allowance, guarded });
        self.attempting.set(true);
        let ended = catch_unwind(AssertUnwindSafe(body));
        let mut attempts = self.attempts.borrow_mut();
        let left = attempts.pop().map_or(0, |attempt| attempt.left);
        self.attempting.set(!attempts.is_empty());
        ended.map_err(|payload| (payload, left))
    }

    /// Takes the decision of a cell of a block from the allowance of those who try. False if one of them does not let it be.
    #[cold]
    pub(super) fn charge(&self, block: usize) -> bool {
        let mut attempts = self.attempts.borrow_mut();
        // Those further in have opened more blocks.
        let first = attempts.partition_point(|attempt| attempt.guarded <= block);
        if attempts[first..].iter().any(|attempt| attempt.left == 0) {
            return false;
        }
        for attempt in &mut attempts[first..] {
            attempt.left -= 1;
        }
        true
    }
}
