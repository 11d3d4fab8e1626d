//! Signals on their way through the user's code. A property that catches panics catches them as well, and goes on with an answer that
//! means nothing. So what was raised is remembered until it arrives, and until then nothing that the property says counts.

use super::signal::Signal;
use super::trail::Search;
use crate::choice::Rejected;
use crate::panic::{Unwound, catch, drop_quietly};
use crate::property::walk::Walk;
use crate::property::{Failure, Property};
use std::any::Any;
use std::panic::resume_unwind;
use std::thread::panicking;

/// What was raised and has not arrived.
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
    /// Unwinds with a signal, or with what was raised before it: whatever the property did since then is in vain.
    #[cold]
    pub(super) fn raise(&self, signal: Signal) -> ! {
        self.remember(Pending::Signal(signal));
        self.pending.get().unwrap_or(Pending::Signal(signal)).unwind()
    }

    /// Remembers what is raised, unless something else is on its way.
    #[cold]
    pub(super) fn remember(&self, pending: Pending) {
        if self.pending.get().is_none() {
            self.pending.set(Some(pending));
            self.guarded.set(true);
        }
    }

    /// Goes on unwinding if the property caught a signal. Not while something unwinds: a second one would end the process.
    #[inline]
    pub(super) fn raise_again(&self) {
        if let Some(pending) = self.pending.get()
            && !panicking()
        {
            pending.unwind();
        }
    }

    /// What was raised has arrived.
    pub(super) fn arrive(&self) -> Option<Pending> {
        let pending = self.pending.take();
        self.guarded.set(!self.attempts.borrow().is_empty());
        pending
    }

    /// What a call of the user's code for a block came to, whatever it caught: none if there is no such value of the block.
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

/// What `catch_unwind` returns.
pub(super) type Caught<R> = Result<R, Box<dyn Any + Send>>;

/// Runs paths of a property. What was raised unwinds also if the property caught it.
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
