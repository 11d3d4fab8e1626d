//! Mutants that are activated at run time.
//!
//! The code under test checks `Mutant::Insert1.is_on()` where the mutant changes it: a load and a comparison. At most
//! one mutant is active in the whole process, so that runners with several threads see it as well.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};

/// The active mutant of a workload.
#[derive(Debug)]
pub struct Switch(AtomicUsize);

/// The value of a switch without an active mutant.
const NONE: usize = usize::MAX;

/// Held while a mutant is active, and while none may be: tests run concurrently.
static IN_USE: Mutex<()> = Mutex::new(());

impl Switch {
    /// Creates a switch without an active mutant.
    pub const fn new() -> Self {
        Self(AtomicUsize::new(NONE))
    }

    /// Returns whether the mutant with this index is active.
    #[inline(always)]
    pub fn is_on(&self, mutant: usize) -> bool {
        self.0.load(Ordering::Relaxed) == mutant
    }

    /// Returns the index of the active mutant.
    #[inline(always)]
    pub fn current(&self) -> Option<usize> {
        Some(self.0.load(Ordering::Relaxed)).filter(|&mutant| mutant != NONE)
    }

    /// Runs `body` with this mutant activated, or with none.
    pub fn with<T>(&self, mutant: Option<usize>, body: impl FnOnce() -> T) -> T {
        struct Off<'a>(&'a Switch);
        impl Drop for Off<'_> {
            fn drop(&mut self) {
                self.0.0.store(NONE, Ordering::Relaxed);
            }
        }
        let _in_use = IN_USE.lock().unwrap_or_else(PoisonError::into_inner);
        let _off = Off(self);
        self.0.store(mutant.unwrap_or(NONE), Ordering::Relaxed);
        body()
    }
}

impl Default for Switch {
    fn default() -> Self {
        Self::new()
    }
}

/// Declares the mutants of a workload: the enum `Mutant`, the list `MUTANTS` of their names, and their `SWITCH`.
macro_rules! mutants {
    ($($(#[$doc:meta])* $variant:ident = $name:literal,)*) => {
        /// A mutant that can be activated.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub enum Mutant {
            $($(#[$doc])* $variant,)*
        }

        /// The names of the mutants, in the order of the enum.
        pub const MUTANTS: &[&str] = &[$($name),*];

        /// The active mutant.
        pub static SWITCH: $crate::mutant::Switch = $crate::mutant::Switch::new();

        impl Mutant {
            /// Returns whether this mutant is active.
            #[inline(always)]
            pub fn is_on(self) -> bool {
                SWITCH.is_on(self as usize)
            }
        }
    };
}

pub(crate) use mutants;
