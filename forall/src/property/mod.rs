//! The property language: a telescope of quantifiers and assumptions, then a check.
//!
//! A property is data. Each clause is a public struct that holds the previous clause. The environment so far is an owned
//! nested tuple, which each clause's closure takes as its argument. This is *deferred binding abstract syntax* (Keleş et
//! al., "Programmable Property-Based Testing") in Rust.
//!
//! ```
//! use forall::property::{self, Telescope};
//! use forall::generate::{any, vec};
//!
//! let property = property::forall("xs", |(), s| s.draw(vec(any::<i32>())))
//!     .implies(|(xs, ())| !xs.is_empty())
//!     .forall("n", |(xs, ()), s| s.draw(0..xs.len()))
//!     .check(|(n, (xs, ()))| xs.get(*n).is_some());
//! # let _ = property;
//! ```
//!
//! [`property!`](crate::prelude::property!) and [`#[forall::test]`](macro@crate::test) expand to this, with names in
//! place of nested tuples.
//!
//! # Interpretations
//!
//! An interpretation is a trait with one impl per clause, where other languages would recurse by pattern matching.
//! [`Generating`], [`Mutating`], [`Checking`], [`Shrinking`] and [`Printing`] are five of them, none
//! privileged. You can write a sixth, outside this crate:
//!
//! ```
//! use forall::property::*;
//!
//! /// The number of assumptions of a property.
//! trait Assumptions {
//!     fn assumptions(&self) -> usize;
//! }
//! impl Assumptions for Empty {
//!     fn assumptions(&self) -> usize { 0 }
//! }
//! impl<P: Telescope + Assumptions, Q: Quantify<P::Env>> Assumptions for Forall<P, Q> {
//!     fn assumptions(&self) -> usize { self.previous.assumptions() }
//! }
//! impl<P: Assumptions, F> Assumptions for Implies<P, F> {
//!     fn assumptions(&self) -> usize { 1 + self.previous.assumptions() }
//! }
//! impl<P: Assumptions, F> Assumptions for Check<P, F> {
//!     fn assumptions(&self) -> usize { self.previous.assumptions() }
//! }
//!
//! let property = Empty
//!     .forall("n", |(), s| s.draw(0..10usize))
//!     .implies(|(n, ())| *n != 3)
//!     .implies(|(n, ())| *n != 7)
//!     .check(|(n, ())| *n < 10);
//! assert_eq!(property.assumptions(), 2);
//! ```
//!
//! Runners use a property through the object-safe [`Property`], so that everything except the innermost loop is
//! compiled once; see [`run`](crate::run) for how to write one.

mod annotation;
mod checking;
mod clause;
mod draws;
mod generating;
pub(crate) mod identity;
mod mutating;
mod object;
mod origin;
mod outcome;
mod printing;
mod qualify;
mod shrinking;
#[cfg(feature = "full")]
pub(crate) mod walk;

#[doc(hidden)]
pub use crate::context::progress::Progress;
pub use crate::panic::location::Location;

pub use annotation::{Annotations, FeedbackFn, MutateFn, PrintFn, ShrinkFn};
pub use checking::{Checking, Conclude};
pub use clause::{Check, CheckOwned, Contract, Empty, Forall, Implies, Predicate, Quantify, Telescope, forall};
pub use draws::Draws;
pub use generating::{ContractBroken, Generating, Maker, Named};
pub use mutating::{Discarded, Mutating, Step, Stop};
pub use object::{Block, BlockEnd, Outline, Property, Quantifier, Sizes};
pub use outcome::{Failure, FailureKind, IntoOutcome, Outcome};
pub(crate) use printing::debug_text;
pub use printing::{Binding, Printed, Printing};
pub use shrinking::{MAX_CANDIDATES, Measure, Shrinking};
