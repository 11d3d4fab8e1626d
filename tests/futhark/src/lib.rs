//! Rust twins of the recorded Futhark programs: the same entry points, served by `forall_futhark::serve`.

mod twins;

pub use twins::{TWINS, twin};
