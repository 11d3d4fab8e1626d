//! What the macros expand to. Not part of the public interface.

pub mod attribute;
pub mod derive;
pub mod quantifier;

pub use crate::context::{assume, cover, label, note, tabulate, target, wants_notes};
pub use forall_macros::property_value;

use crate::generate::{Arbitrary, Code};
use crate::property::Printed;
use std::fmt::Debug;
use std::thread::available_parallelism;

/// As many threads as the machine runs at once.
pub fn all_threads() -> usize {
    available_parallelism().map_or(1, |threads| threads.get())
}

/// Picks, for a value of any type, the best way to print it: as code if its type is [`Arbitrary`], and by `Debug` if it
/// has that. (Method resolution prefers the impl that needs fewer references.)
pub struct Probe<'a, T>(pub &'a T);

pub trait ProbeCode {
    fn code(&self) -> Option<String>;
}
impl<T: Arbitrary> ProbeCode for Probe<'_, T> {
    fn code(&self) -> Option<String> {
        Code::of(self.0)
    }
}
pub trait ProbeNoCode {
    fn code(&self) -> Option<String> {
        None
    }
}
impl<T> ProbeNoCode for &Probe<'_, T> {}

pub trait ProbeDebug {
    fn debug(&self) -> Option<String>;
}
impl<T: Debug> ProbeDebug for Probe<'_, T> {
    fn debug(&self) -> Option<String> {
        Some(format!("{:?}", self.0))
    }
}
pub trait ProbeNoDebug {
    fn debug(&self) -> Option<String> {
        None
    }
}
impl<T> ProbeNoDebug for &Probe<'_, T> {}

pub fn printed<T>(value: &T, code: Option<String>, debug: Option<String>) -> Printed {
    Printed { code, debug, ..Printed::type_name(value) }
}

/// What a value looks like, by what its type can do where this is written.
#[doc(hidden)]
#[macro_export]
macro_rules! __print {
    ($value:ident) => {{
        #[allow(unused_imports)]
        use $crate::__private::{Probe, ProbeCode as _, ProbeDebug as _, ProbeNoCode as _, ProbeNoDebug as _};
        let probe = Probe($value);
        $crate::__private::printed($value, (&probe).code(), (&probe).debug())
    }};
}
