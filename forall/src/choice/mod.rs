//! The one currency: choices, sequences of them, and the [`Source`] that supplies them.
//!
//! A generator is a program that makes choices. Everything that searches (shrinking, mutation, enumeration, replay from
//! disk) works on sequences of choices, so every generator gets all of it for nothing. What the choices are *for* is the
//! business of [`generate`](crate::generate).

mod encode;
mod random;
mod sequence;
mod source;
mod tape;

pub use encode::DecodeError;
pub use random::{Draw, Random, scale};
pub(crate) use sequence::shortlex;
pub use sequence::{Choice, Item, Sequence, Span};
pub use source::{Rejected, Source};
pub use tape::AtEnd;
pub(crate) use tape::MAX_ITEMS;
