//! Signals with which a search aborts an evaluation that it cannot continue, by unwinding.

use crate::panic::Guest;
use std::any::Any;

/// The payloads with which a search unwinds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Signal {
    /// The limit on evaluations is reached.
    Spent,
    /// One evaluation forced too many deferred cells.
    Endless,
    /// A cell was needed while nothing may be forced.
    Undecided,
    /// A quantifier needs a search, but none is running.
    NotDecidable,
    /// A part of a search is to be split.
    Cut,
    /// A property does not make the same choices as before.
    Strayed,
    /// A precondition has one answer for the parts of a value that it read, and another for the whole value.
    Unsteady,
}

impl Signal {
    #[cold]
    pub(crate) fn unwind(self) -> ! {
        Guest::unwind(self)
    }

    pub(crate) fn of(payload: &(dyn Any + Send)) -> Option<Self> {
        Guest::signal(payload).copied()
    }
}
