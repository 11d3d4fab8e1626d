//! State machines by example: case studies.
//!
//! The first two follow Midtgaard, "Property-Based Testing of OCaml 5's Runtime System", in Rust.
//!
//! - [`racy_array`]: an array whose operations are safe and whose sorting is not atomic. One specification, used for a
//!   sequential test that passes, a parallel test that must fail, and a stress test that passes.
//! - [`weak_set`]: a set of weak references, whose elements disappear when their owners drop them. The model is the best case, and
//!   postconditions allow for less.
//! - [`collections`]: three collections of the standard library, which pass: a specification must accept correct systems.
//! - [`tickets`]: a planted bug with a window of a few instructions.
//! - [`races`]: six classical concurrency bugs and their fixes, for `cargo forall race`.
//!
//! The third case study of the paper, a memory manager, is in `examples/crates`, with a garbage collector and
//! concurrent collections of published crates: a separate package, since it needs a C compiler.
//!
//! The tests are in `tests/`, one test binary per kind: `cargo test -p forall-example-machines`.

pub mod collections;
pub mod races;
pub mod racy_array;
pub mod tickets;
pub mod weak_set;
