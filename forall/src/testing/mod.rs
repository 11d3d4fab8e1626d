//! One test: the case that determines its input, what runs it, and what became of it.
//!
//! Everything that searches is built on these: runners, shrinking, explaining, replay. Their users meet them as part of
//! [`run`](crate::run).

mod case;
pub(crate) mod guest;
mod input;
mod summary;
mod tester;

pub use case::{Case, CaseError};
pub(crate) use input::Input;
pub(crate) use summary::{shown, summary};
pub(crate) use tester::MORE;
pub use tester::{BlockTested, Fault, Tested, Tester};

/// A collection has about as many elements as the size says, and no more choices can be recorded than this.
pub(crate) const MAX_SIZE: u32 = 1_000_000;
