//! State machines of published crates, as they are: none was rebuilt or changed for it.
//!
//! - [`jemalloc`]: a memory manager, whose control knobs are the model. It is the allocator of these test programs too, so the tester
//!   depends on what it tests. After the third case study of Midtgaard, "Property-Based Testing of OCaml 5's Runtime System".
//! - [`collector`]: the concurrent garbage collector of the crate `dumpster`. The model is the graph of what can be reached: nothing
//!   in it may be gone, and what is not may linger.
//! - [`collections`]: queues and maps of `crossbeam` and `dashmap`, which must pass; and an operation of one of them that is less
//!   atomic than one would think.
//!
//! The tests are in `tests/`, each kind in a program of its own, and isolated: a crash is a counterexample. Both builds find bugs of
//! their own, so run `cargo test` and `cargo test --release` here.

pub mod collections;
pub mod collector;
pub mod jemalloc;

/// Everything is allocated by the system under test: commands, models, and what the tester needs.
#[global_allocator]
static ALLOCATOR: tikv_jemallocator::Jemalloc = tikv_jemallocator::Jemalloc;
