//! Literals of the tested code as test data: the number with which a branch begins, the word that a parser knows.
//!
//! Nobody draws `0x5eed_cafe` at random, and hardly anybody `"magic header"`. But whoever wrote the code wrote them down, and
//! so did often enough whoever wrote the test. With this feature a run begins with some tests in which such values stand where
//! numbers, characters, texts and bytes are drawn; behind them come the random tests, the same as without the feature.
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
//! Which literals those are:
//!
//! - those in the body of a `#[forall::test]` or `#[forall::property]`, also in calls of macros. They are seen by the attribute;
//! - those of the sources of its package, in `src/` and `tests/`, and of packages of the workspace that it depends on:
//!   `cargo forall run` reads them, and hands them over. Those of the property's own file come first. By hand: `FORALL_LITERALS=FILE`, where the file has a literal of Rust in each line, below the path of the
//!   source behind a `#`; `FORALL_LITERALS=off` leaves all literals alone, those of the body too.
//!
//! What they are good for: an integer wherever it is in the range of an integer, with its neighbours and its negation; a
//! float or an integer where a float is drawn; a character; a text or a byte string as the whole, the beginning or a part of a text or a
//! collection of bytes. Numbers up to 16 are left out, because random tests have them anyway.
//!
//! If there are any, a quarter of the number of [`tests`](crate::run::Settings::tests) is run on top of it: 64 by default, and at most 256
//! for each literal. Their labels are not counted. With the same seed and the same sources they are the same. What they find
//! is stored, replayed and made small as any other counterexample is: it consists of the values that were drawn, and does not depend on
//! where they came from.

mod pool;
mod quoting;

pub(crate) use pool::Pool;
