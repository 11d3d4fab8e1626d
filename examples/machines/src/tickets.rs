//! A planted bug with a window of a few instructions: a counter that is read and written back instead of incremented
//! atomically.

use forall::machine::{Provoke, Tuning};
use std::sync::atomic::{AtomicU64, Ordering};

/// A dispenser of numbers; each should be issued once.
#[derive(Debug, Default)]
pub struct Tickets<const FIXED: bool>(AtomicU64);

impl<const FIXED: bool> Tickets<FIXED> {
    /// Returns the next number.
    pub fn take(&self) -> u64 {
        if FIXED {
            return self.0.fetch_add(1, Ordering::SeqCst);
        }
        let ticket = self.0.load(Ordering::SeqCst);
        self.0.store(ticket + 1, Ordering::SeqCst);
        ticket
    }

    /// Returns how many numbers were issued.
    pub fn taken(&self) -> u64 {
        self.0.load(Ordering::SeqCst)
    }
}

/// Interrupts commands in the middle, the most effective way to get between two instructions.
pub fn interrupted() -> Tuning {
    Tuning { provoke: Provoke { signals: true, ..Provoke::default() }, ..Tuning::default() }
}

/// A number.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Plain(u64);

impl Plain {
    fn take(&mut self) -> u64 {
        self.0 += 1;
        self.0 - 1
    }

    fn taken(&self) -> u64 {
        self.0
    }
}

forall::machine! {
    /// The dispenser with the bug.
    pub spec RacySpec for shared Tickets<false> = Tickets::default(), like Plain = Plain::default();
    tuning interrupted();
    fn take() -> u64;
    fn taken() -> u64;
}

forall::machine! {
    /// The dispenser without it.
    pub spec FixedSpec for shared Tickets<true> = Tickets::default(), like Plain = Plain::default();
    fn take() -> u64;
    fn taken() -> u64;
}
