//! Choices, sequences of choices, and the [`Source`] that supplies them.
//!
//! A generator is a program that makes choices. Shrinking, mutation, enumeration and replay work on sequences of
//! choices, so every generator supports all of them without extra code. The generators are in
//! [`generate`](crate::generate).
//!
//! ```
//! use forall::choice::{Sequence, Source};
//! use forall::generate::{any, vec};
//!
//! // What was drawn at random can be drawn again.
//! let mut source = Source::record(42, 0, 20);
//! let xs = source.draw(vec(any::<u8>()));
//! let sequence = source.into_sequence();
//! assert_eq!(Source::replay(&sequence).draw(vec(any::<u8>())), xs);
//!
//! // No choices at all make the simplest value.
//! assert!(Source::replay(&Sequence::default()).draw(vec(any::<u8>())).is_empty());
//! ```

mod constructors;
mod encode;
pub(crate) mod generator;
mod journal;
mod literals;
mod random;
mod sequence;
mod shape;
mod shown;
mod source;
mod tape;

pub(crate) use constructors::{Enclosing, constructor, form, leave};
pub use encode::DecodeError;
pub(crate) use encode::VERSION;
pub(crate) use journal::{Drawn, Keep, read as read_journal};
pub(crate) use literals::Literal;
pub use random::{Draw, Random, scale};
pub use sequence::{Choice, Item, Sequence, Span};
pub(crate) use sequence::{lexicographic, shortlex};
pub(crate) use shape::{EARLY_UNTIL, Meaning, ROUND, Shape};
pub(crate) use shown::Shown;
pub(crate) use shown::collect as collect_shown;
pub(crate) use source::Origin;
pub(crate) use source::{DRAW, Overrun, Place, SeveralThreads};
pub use source::{Rejected, Source};
pub use tape::AtEnd;
pub(crate) use tape::MAX_ITEMS;
