//! Mutants that are activated at run time.
//!
//! The code under test asks `Mutant::Insert1.is_on()` where the mutant changes it: a load and a comparison. One mutant, or
//! none, is on in the whole process, so that runners with threads of their own see it too.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};

/// Says which mutant of a workload is on.
#[derive(Debug)]
pub struct Switch(AtomicUsize);

/// The value of a switch when no mutant is on.
const NONE: usize = usize::MAX;

/// Held while a mutant is on, and while it matters that none is: tests run beside each other.
static IN_USE: Mutex<()> = Mutex::new(());

impl Switch {
    /// No mutant is on.
    pub const fn new() -> Self {
        Self(AtomicUsize::new(NONE))
    }

    /// Whether the mutant with this place in the list of mutants is on.
    #[inline(always)]
    pub fn is_on(&self, mutant: usize) -> bool {
        self.0.load(Ordering::Relaxed) == mutant
    }

    /// The mutant that is on, by its place in the list.
    #[inline(always)]
    pub fn current(&self) -> Option<usize> {
        Some(self.0.load(Ordering::Relaxed)).filter(|&mutant| mutant != NONE)
    }

    /// Runs `body` with this mutant on, or with none.
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
            /// Whether this mutant is on.
            #[inline(always)]
            pub fn is_on(self) -> bool {
                SWITCH.is_on(self as usize)
            }
        }
    };
}

pub(crate) use mutants;
