//! Elements for testing collections: values that record what a collection does to them.
//!
//! | element | what it finds |
//! | --- | --- |
//! | [`Canary`] | values that are dropped twice, used after they were dropped, or never dropped: without a sanitizer |
//! | [`Unit`] | the same for zero-sized values, which collections handle separately |
//! | [`Colliding`] | bugs of hash tables that appear when hashes collide |
//! | [`Compared`] | how often a collection compares elements |
//! | [`Fused`] | collections that are inconsistent after an element panicked in the middle of an operation |
//! | [`Lying`] | collections that trust the size hint of an iterator |

mod canary;
mod hostile;
mod measured;

pub use canary::{Cage, Canary, Unit};
pub use hostile::{Colliding, Fuse, Fused, Lying};
pub use measured::{Compared, Counter};
