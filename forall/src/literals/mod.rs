//! Literals of the tested code as test data: the number that a branch tests for, the keyword of a parser.
//!
//! Random testing almost never generates `0x5eed_cafe` or `"magic header"`, but the tested code, and often the test,
//! contains them as literals. A run begins with some tests that use such literals in place of random numbers,
//! characters, strings and bytes; the random tests that follow are the same as without literals.
//!
//! ```
//! # fn main() {
//! # use forall::run::{Run, Settings, Store};
//! # let property = numbers_are_fine::property();
//! # let report = Run::new("numbers", &property).settings(Settings::new().seed(1).store(Store::Off)).report();
//! # assert_eq!(report.counterexample.unwrap().bindings[0].printed.text(), "1592642302");
//! # }
//! #[forall::test]
//! fn numbers_are_fine(n: u32) {
//!     assert!(n != 0x5eed_cafe); // Fails: with 4,294,967,296 numbers to draw, and 256 tests.
//! }
//! ```
//!
//! Two sources of literals:
//!
//! - the body of a `#[forall::test]` or `#[forall::property]`, including macro calls; the attribute collects them;
//! - the sources of its package, in `src/` and `tests/`, and of the workspace packages that it depends on:
//!   `cargo forall run` collects them, those of the property's own file first. Manually: `FORALL_LITERALS=FILE`, where the file has one Rust literal per line, below the path of the
//!   source after a `#`. `FORALL_LITERALS=off` disables all literals, including those of the body.
//!
//! An integer literal replaces integers whose range contains it, with its neighbours and its negation; a
//! float or integer literal replaces floats; a character replaces characters; a string or byte string replaces the whole, the beginning or a part of a string or a
//! collection of bytes. Numbers up to 16 are left out, because random tests generate them anyway.
//!
//! If there are literals, a run has a quarter of the number of [`tests`](crate::run::Settings::tests) in addition: 64 by default, and at most 256
//! for each literal. Their labels are not counted. They are deterministic for the same seed and sources. Their counterexamples
//! are saved, replayed and shrunk as any other: a counterexample consists of the generated values, and does not depend on
//! the literals.

mod pool;
mod running;

pub(crate) use pool::Pool;
