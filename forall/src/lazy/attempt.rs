//! Trying whether something can be decided as it is, for connectives.

use super::pending::{Caught, Pending};
use super::signal::Signal;
use super::trail::Search;
use crate::choice::Rejected;
use crate::panic::{drop_quietly, is_panic};
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::thread::panicking;

/// An attempt under way: a side of a connective is tried.
#[derive(Clone, Copy, Debug)]
pub(super) struct Attempt {
    /// How many cells may still be decided for it.
    left: u32,
    /// Of which blocks: those that were open when it began. A quantifier inside of the side has its cells for itself.
    guarded: usize,
}

/// How an attempt ended.
enum Ended {
    /// With what the side says, or what unwound out of it.
    Itself(Caught<bool>),
    /// Something was raised in it, with so much of the allowance left. Whatever the side says or panics with means nothing.
    Interrupted(Pending, u32),
}

impl Search {
    /// Runs `body`, in which only so many undecided cells may be decided. None if it needed more.
    pub(crate) fn try_with(&self, allowance: u32, body: &dyn Fn() -> bool) -> Option<bool> {
        match self.attempt(allowance, body) {
            Ended::Itself(ended) => Some(ended.unwrap_or_else(|payload| resume_unwind(payload))),
            // With some of the allowance left it was an attempt around this one that did not let a cell be decided.
            Ended::Interrupted(Pending::Signal(Signal::Undecided), 0) => {
                self.arrive();
                None
            }
            Ended::Interrupted(pending, _) => pending.unwind(),
        }
    }

    /// Runs `body` ahead of its turn: nothing may be decided for it, and what it does may be in vain. If it panics or discards the
    /// test nothing is known either: it may be that it should not have been run.
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

    /// Whether a cell of a block must not be decided: an attempt does not let it be, or a signal is on its way. What was decided at
    /// this place before may be again; any other cell was passed over then, and has to be now. While something unwinds, a `Drop`
    /// asks: it gets what it wants, since nothing else can unwind.
    #[cold]
    pub(super) fn refuses(&self, block: usize, is_expected: bool) -> bool {
        let refuses = self.pending.get().is_some() || !is_expected && !self.charge(block);
        refuses && !panicking()
    }

    /// Takes the decision of a cell of a block from the allowance of those who try. False if one of them does not let it be.
    fn charge(&self, block: usize) -> bool {
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
