//! How a search ends what it cannot go on with: by unwinding.

use crate::panic::Guest;
use std::any::Any;

/// The payloads with which a search unwinds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Signal {
    /// There have been as many evaluations as there may be.
    Spent,
    /// One evaluation forced more deferred cells than it may.
    Endless,
    /// A cell was needed while nothing may be forced.
    Undecided,
    /// A quantifier needs a search, and there is none.
    NotDecidable,
    /// A part of a search is large enough to be cut.
    Cut,
    /// A property does not choose as it did before.
    Strayed,
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
