//! State machines of published crates, unmodified.
//!
//! - [`jemalloc`]: a memory allocator, whose control knobs are the model. It is also the allocator of these test programs, so the tester
//!   depends on the system under test. After the third case study of Midtgaard, "Property-Based Testing of OCaml 5's Runtime System".
//! - [`collector`]: the concurrent garbage collector of the crate `dumpster`. The model is the graph of reachable objects: they
//!   must exist, and unreachable ones may linger.
//! - [`collections`]: queues and maps of `crossbeam` and `dashmap`, which must pass; and three operations that are less atomic than they
//!   seem.
//!
//! The tests are in `tests/`, one test binary per kind, and isolated: a crash is a counterexample. Debug and release builds find different
//! bugs, so run `cargo test` and `cargo test --release` here.

pub mod collections;
pub mod collector;
pub mod jemalloc;

/// The system under test allocates everything: commands, models, and the tester's own data.
#[global_allocator]
static ALLOCATOR: tikv_jemallocator::Jemalloc = tikv_jemallocator::Jemalloc;
