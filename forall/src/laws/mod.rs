//! Laws of common traits and functions, each as a property in one line.
//!
//! The compiler does not check that `==` is symmetric, that `Hash` agrees with it, or that `size_hint` is correct; if
//! it is not, collections, sorting and iterator adapters misbehave. Each function here takes a generator and returns a
//! property:
//!
//! ```
//! use forall::{laws, prelude::*};
//!
//! #[derive(Arbitrary, Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
//! struct Version(u8, u8);
//!
//! // In a crate this is a `#[test]`.
//! fn versions_satisfy_the_laws() {
//!     forall::check("order of versions", &laws::ord(any::<Version>()));
//!     forall::check("hash of versions", &laws::hash(any::<Version>()));
//!     forall::check("clone of versions", &laws::clone(any::<Version>()));
//! }
//! # versions_satisfy_the_laws();
//! ```
//!
//! A violated law is reported by its name, with the minimal values that violate it:
//!
//! ```
//! use forall::{laws, prelude::*, run::{Run, Settings, Store}};
//!
//! #[derive(Arbitrary, Debug)]
//! struct Approximate(i32);
//! impl PartialEq for Approximate {
//!     fn eq(&self, other: &Self) -> bool { self.0.abs_diff(other.0) <= 1 }
//! }
//!
//! let report = Run::new("approximately", &laws::eq(any::<Approximate>()))
//!     .settings(Settings::new().store(Store::Off))
//!     .report();
//! let failure = report.counterexample.unwrap().failure;
//! assert!(failure.message.starts_with("Transitivity: a == b and b == c, but not a == c"), "{}", failure.message);
//! ```
//!
//! | of | laws |
//! | --- | --- |
//! | `PartialEq`, `Eq` | [`eq`], [`partial_eq`] |
//! | `PartialOrd`, `Ord` | [`partial_ord`], [`ord`] |
//! | `Hash` | [`hash`] |
//! | `Clone`, `Default` | [`clone`], [`default`] |
//! | `Iterator` and its subtraits | [`iterator`], [`double_ended`], [`exact_size`], [`fused`] |
//! | `FromIterator`, `Extend` | [`extend`] |
//! | `Display` and `FromStr` | [`display_from_str`] |
//! | formats, such as those of serde | [`round_trip`], [`inverse`] |
//! | operations | [`idempotent`], [`commutative`], [`associative`], [`identity`], [`monoid`] |
//!
//! When a law compares two results, values that are not equal to themselves, such as NaN or values that contain it, are
//! compared by their `Debug` output: `laws::clone(any::<f64>())` holds. Only [`eq`] requires that `==` itself is
//! reflexive.
//!
//! Laws are ordinary properties: any [runner](crate::run) runs them, with any settings and on several threads.

mod collecting;
mod combining;
mod comparing;
mod converting;
mod copying;
mod iterating;
mod near;

pub use collecting::extend;
pub use combining::{associative, commutative, idempotent, identity, monoid};
pub use comparing::{eq, hash, ord, partial_eq, partial_ord};
pub use converting::{display_from_str, inverse, round_trip};
pub use copying::{clone, default};
pub use iterating::{Iterates, double_ended, exact_size, fused, iterator};

use near::few;

use crate::property::{Failure, FailureKind, Outcome};
use std::fmt::{self, Debug, Write};

/// The outcome of a test that violates a law. The name of the law is one capitalised word, by which shrinking
/// distinguishes laws.
#[cold]
#[inline(never)]
fn broken(law: &str, how: fmt::Arguments<'_>, with: &[(&str, &dyn Debug)]) -> Outcome {
    let mut message = format!("{law}: {how}");
    for (name, value) in with {
        // Writing to a `String` does not fail.
        let _ = write!(message, "\n    {name} = {value:?}");
    }
    Outcome::Fail(Box::new(Failure::new(FailureKind::Error, message)))
}

/// Whether two values are the same. Values that do not equal themselves, such as a NaN, are compared by their `Debug`
/// output.
fn same<T: PartialEq + Debug>(a: &T, b: &T) -> bool {
    let is_equal = |a: &T, b: &T| a == b;
    is_equal(a, b) || !is_equal(a, a) && !is_equal(b, b) && format!("{a:?}") == format!("{b:?}")
}

/// Ends a test with a violated law, unless the condition holds.
macro_rules! holds {
    ($condition:expr, $law:literal, $how:literal, $($name:literal = $value:expr),* $(,)?) => {
        if !$condition {
            return $crate::laws::broken($law, ::core::format_args!($how), &[$(($name, &$value)),*]);
        }
    };
}
use holds;
