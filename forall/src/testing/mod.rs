//! One test: its input, the tester, and its result.
//!
//! The basis of runners, shrinking, explaining and replay. Their public names are in [`run`](crate::run).

mod case;
#[cfg(feature = "full")]
pub(crate) mod cores;
pub(crate) mod guest;
mod input;
#[cfg(feature = "full")]
pub(crate) mod pool;
mod summary;
mod tester;

pub use case::{Case, CaseError};
pub(crate) use input::Input;
pub(crate) use summary::{shown, summary};
pub(crate) use tester::{Beside, MORE, MOST_BESIDE};
pub use tester::{BlockTested, Fault, Tested, Tester};

/// The largest size: a collection has up to about as many elements as the size, and no more choices than this can be
/// recorded.
pub(crate) const MAX_SIZE: u32 = 1_000_000;
