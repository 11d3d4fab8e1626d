//! Elements for testing collections: values that notice what a collection does to them.
//!
//! | element | what it finds |
//! | --- | --- |
//! | [`Canary`] | values that are dropped twice, used after they were dropped, or never dropped: without a sanitizer |
//! | [`Unit`] | the same for values without size, which collections treat in their own way |
//! | [`Colliding`] | mistakes of hash tables that show when hashes collide |
//! | [`Compared`] | how often a collection compares |
//! | [`Fused`] | what is left of a collection when an element panics in the middle of an operation |
//! | [`Lying`] | collections that believe what iterators say about their length |

mod canary;
mod hostile;
mod measured;

pub use canary::{Cage, Canary, Unit};
pub use hostile::{Colliding, Fuse, Fused, Lying};
pub use measured::{Compared, Counter};
