//! Signals that are unwinding through user code. A property that catches panics also catches these, and continues with
//! a meaningless result. A raised signal is therefore remembered until it arrives at the search, and until then nothing
//! that the property returns counts.

use super::signal::Signal;
use super::trail::Search;
use crate::choice::Rejected;
use crate::panic::{Unwound, catch, drop_quietly};
use crate::property::walk::Walk;
use crate::property::{Failure, Property};
use std::any::Any;
use std::panic::resume_unwind;
use std::thread::panicking;

/// A raised signal that has not arrived yet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Pending {
    /// A signal of the search.
    Signal(Signal),
    /// The choices for a cell of this block lead to no value.
    Rejected(usize),
}

impl Pending {
    #[cold]
    pub(super) fn unwind(self) -> ! {
        match self {
            Pending::Signal(signal) => signal.unwind(),
            Pending::Rejected(_) => resume_unwind(Box::new(Rejected)),
        }
    }
}

impl Search {
    /// Unwinds with a signal, or with an earlier one that is still pending: everything the property did since then is
    /// void.
    #[cold]
    pub(super) fn raise(&self, signal: Signal) -> ! {
        self.remember(Pending::Signal(signal));
        self.pending.get().unwrap_or(Pending::Signal(signal)).unwind()
    }

    /// Remembers a raised signal, unless another one is pending.
    #[cold]
    pub(super) fn remember(&self, pending: Pending) {
        if self.pending.get().is_none() {
            self.pending.set(Some(pending));
            self.guarded.set(true);
        }
    }

    /// Resumes unwinding if the property caught a signal, but not during an unwind: a second one would abort the
    /// process.
    #[inline]
    pub(super) fn raise_again(&self) {
        if let Some(pending) = self.pending.get()
            && !panicking()
        {
            pending.unwind();
        }
    }

    /// Takes the pending signal: it has arrived.
    pub(super) fn arrive(&self) -> Option<Pending> {
        let pending = self.pending.take();
        self.guarded.set(!self.attempts.borrow().is_empty());
        pending
    }

    /// The result of a call of user code for a block, even if it caught a signal: `None` if the block has no such
    /// value.
    pub(super) fn settle<R>(&self, block: usize, ended: Caught<R>) -> Caught<Option<R>> {
        match self.pending.get() {
            None => ended.map(Some),
            Some(Pending::Rejected(of)) if of == block => {
                drop_quietly(ended);
                self.arrive();
                Ok(None)
            }
            Some(pending) => {
                drop_quietly(ended);
                pending.unwind()
            }
        }
    }
}

/// The result of `catch_unwind`.
pub(super) type Caught<R> = Result<R, Box<dyn Any + Send>>;

/// Runs paths of a property. A raised signal unwinds even if the property caught it.
pub(super) fn explore(
    search: &Search,
    property: &dyn Property,
    walk: &mut Walk<'_>,
) -> Result<Option<Box<Failure>>, Unwound> {
    let ended = catch(|| property.explore(walk));
    match search.arrive() {
        Some(pending) => catch(|| pending.unwind()),
        None => ended,
    }
}
