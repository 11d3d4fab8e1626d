//! Targets of the macros' expansions. Not part of the public interface.

pub mod asynchronous;
pub mod attribute;
pub mod derive;
pub mod draws;
pub mod quantifier;
pub mod runner;
pub mod search;
#[cfg(feature = "full")]
pub mod twin;
#[cfg(feature = "tokio")]
pub(crate) mod under_tokio;

pub use crate::context::{
    assume, cover, feature, label, note, tabulate, target, target_named, wants_features, wants_notes,
};
pub use crate::json::quoted as json;
pub use forall_macros::property_value;

use crate::generate::Arbitrary;
use crate::property::{Printed, debug_text};
use std::fmt::Debug;
use std::marker::PhantomData;

pub use crate::run::all_threads;

/// Selects the best way to print values of a type: as code if it is [`Arbitrary`], and by `Debug` if it has that. The
/// result is a function that all properties over the type share. (Method resolution prefers the impl for more
/// references, so `(&&&&probe).printer()` finds the first of the impls below that applies.)
pub struct Probe<T>(PhantomData<T>);

impl<T> Probe<T> {
    pub const NEW: Self = Self(PhantomData);

    pub fn of(_: &T) -> Self {
        Self::NEW
    }
}

pub type Printer<T> = fn(&T) -> Printed;

pub trait ByCodeAndDebug<T> {
    fn printer(&self) -> Printer<T>;
}
impl<T: Arbitrary + Debug> ByCodeAndDebug<T> for &&&Probe<T> {
    fn printer(&self) -> Printer<T> {
        |value| Printed { debug: Some(debug_text(value)), ..Printed::code(value) }
    }
}

pub trait ByCode<T> {
    fn printer(&self) -> Printer<T>;
}
impl<T: Arbitrary> ByCode<T> for &&Probe<T> {
    fn printer(&self) -> Printer<T> {
        Printed::code
    }
}

pub trait ByDebug<T> {
    fn printer(&self) -> Printer<T>;
}
impl<T: Debug> ByDebug<T> for &Probe<T> {
    fn printer(&self) -> Printer<T> {
        Printed::debug
    }
}

pub trait ByName<T> {
    fn printer(&self) -> Printer<T>;
}
impl<T> ByName<T> for Probe<T> {
    fn printer(&self) -> Printer<T> {
        Printed::type_name
    }
}

/// The traits of the probe, without names.
pub mod probes {
    pub use super::{ByCode as _, ByCodeAndDebug as _, ByDebug as _, ByName as _};
}

/// The printed value, by the traits that its type has here.
#[doc(hidden)]
#[macro_export]
macro_rules! __print {
    ($value:ident) => {{
        use $crate::__private::probes::*;
        (&&&&$crate::__private::Probe::of($value)).printer()($value)
    }};
}
