//! How often does one default run of a tool find an everyday bug?
//!
//! A task is a small module with a bug, modelled on one that users of a real crate hit, and a property that a user would
//! write for it. The inputs come from what each tool generates for the types alone: nothing is tuned to a bug.
//!
//! # Adding a task
//!
//! One file per task, `src/<area>/<task>.rs`, with a doc comment that names the crate and the report or release note, and
//! two functions:
//!
//! ```
//! use finding::Bug;
//!
//! /// Some(true): the property holds. Some(false) or a panic: a failure. None: the input is discarded.
//! pub fn holds(bug: Bug, xs: &[u8], n: &u32) -> Option<bool> {
//!     let last = match bug {
//!         Bug::Present => xs.len() - 1,
//!         Bug::Fixed => xs.len().saturating_sub(1),
//!     };
//!     Some(last <= xs.len() + *n as usize)
//! }
//!
//! /// An input that shows the bug: the tuple of the arguments.
//! pub fn witness() -> (Vec<u8>, u32) {
//!     (vec![], 0)
//! }
//! ```
//!
//! and one line in [`tasks!`] of `src/<area>/mod.rs`, in alphabetical order: `last_index(xs: Vec<u8>, n: u32);`. The types
//! there are the owned ones; `holds` takes references to them (`&[u8]` for a `Vec<u8>`, `&str` for a `String`).
//!
//! - Structs and enums are declared with [`input!`], which derives what every tool needs. Recursive types implement the
//!   traits of the tools by hand, as [`shapes`] does.
//! - Arithmetic that overflows panics, in release builds as well: the workspace enables the checks for this package.
//! - No test may run forever or exhaust the stack: the tools run it in their own process.
//!
//! # Running
//!
//! `cargo run --release -p bench-finding -- --tool forall --seeds 50 --mode default` prints a line per task and seed; without
//! `--tool`, all tools run. `default` is what one plain `#[test]` of the tool does, `256` is as many tests with every tool.
//! Numbers of forall come from [`tools::forall::forall_default_settings`].
//!
//! The same with `--bug fixed --mode 20000` looks for mistakes in the tasks: nothing may be found.
//!
//! # Halves
//!
//! Half of the tasks are for tuning, half are held out: see [`Task::half`].

pub mod arithmetic;
pub mod caches;
pub mod dates;
pub mod encoders;
pub mod graphs;
pub mod parsers;
pub mod text;
pub mod trees;

mod input;
pub mod shapes;
mod task;
pub mod tools;
mod trial;

pub use task::{Bug, Half, Task, all};
pub use tools::{Plan, Tool};
pub use trial::{Search, Trial, cpu_time};

/// Support code for the macros of this crate.
#[doc(hidden)]
pub mod private {
    pub use forall::prelude::property;
    pub use {forall, hegel, proptest, proptest_derive, quickcheck};
}
