//! The expansion of `#[forall::runner]`.

pub use crate::run::registered::Registered;
pub use inventory;
