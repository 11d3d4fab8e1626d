//! Attempts to evaluate one side of a connective without deciding more cells.

use super::pending::{Caught, Pending};
use super::signal::Signal;
use super::trail::Search;
use crate::choice::Rejected;
use crate::panic::{drop_quietly, is_panic};
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::thread::panicking;

/// An attempt in progress: one side of a connective is being evaluated.
#[derive(Clone, Copy, Debug)]
pub(super) struct Attempt {
    /// The number of cells that may still be decided for it.
    left: u32,
    /// The number of blocks that were open when it began; only their cells count. A quantifier nested in the side
    /// decides its own cells freely.
    guarded: usize,
}

/// How an attempt ended.
enum Ended {
    /// With the result of the side, or with whatever unwound out of it.
    Itself(Caught<bool>),
    /// A signal was raised during it, with this much of the allowance left. The side's result or panic is then
    /// meaningless.
    Interrupted(Pending, u32),
}

impl Search {
    /// Runs `body`, which may decide at most `allowance` undecided cells. Returns `None` if it needed more.
    pub(crate) fn try_with(&self, allowance: u32, body: &dyn Fn() -> bool) -> Option<bool> {
        match self.attempt(allowance, body) {
            Ended::Itself(ended) => Some(ended.unwrap_or_else(|payload| resume_unwind(payload))),
            // If some of the allowance is left, an enclosing attempt refused the decision.
            Ended::Interrupted(Pending::Signal(Signal::Undecided), 0) => {
                self.arrive();
                None
            }
            Ended::Interrupted(pending, _) => pending.unwind(),
        }
    }

    /// Runs `body` speculatively: it must not decide anything, and its work may be wasted. If it panics or discards the
    /// test, the result is unknown too, because it might not have been run in normal order.
    pub(crate) fn try_ahead(&self, body: &dyn Fn() -> bool) -> Option<bool> {
        match self.attempt(0, body) {
            Ended::Itself(Ok(value)) => Some(value),
            Ended::Itself(Err(payload)) if payload.is::<Rejected>() || is_panic(&*payload) => {
                Rejected::was_raised();
                drop_quietly(payload);
                None
            }
            Ended::Itself(Err(payload)) => resume_unwind(payload),
            Ended::Interrupted(Pending::Signal(Signal::Undecided) | Pending::Rejected(_), _) => {
                self.arrive();
                None
            }
            Ended::Interrupted(pending, _) => pending.unwind(),
        }
    }

    fn attempt(&self, allowance: u32, body: &dyn Fn() -> bool) -> Ended {
        let guarded = self.blocks.borrow().len();
        self.attempts.borrow_mut().push(Attempt { left: allowance, guarded });
        self.guarded.set(true);
        let ended = catch_unwind(AssertUnwindSafe(body));
        let left = self.attempts.borrow_mut().pop().map_or(0, |attempt| attempt.left);
        self.guarded.set(self.pending.get().is_some() || !self.attempts.borrow().is_empty());
        match self.pending.get() {
            None => Ended::Itself(ended),
            Some(pending) => {
                drop_quietly(ended);
                Ended::Interrupted(pending, left)
            }
        }
    }

    /// Whether a cell of a block must not be decided, because an attempt does not permit it or a signal is pending. A
    /// cell decided at this point before may be decided again; any other cell was refused then and must be refused now.
    /// During unwinding, only a `Drop` can ask for a cell; it gets one, since a second unwind would abort.
    #[cold]
    pub(super) fn refuses(&self, block: usize, is_expected: bool) -> bool {
        let refuses = self.pending.get().is_some() || !is_expected && !self.charge(block);
        refuses && !panicking()
    }

    /// Charges the decision of a cell of a block to the allowances of the attempts in progress. Returns false if one of
    /// them is used up.
    fn charge(&self, block: usize) -> bool {
        let mut attempts = self.attempts.borrow_mut();
        // Inner attempts started with more blocks open.
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
