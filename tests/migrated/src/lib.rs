//! Two test suites of published crates, written again with `forall`: what it takes to move.
//!
//! # From quickcheck: `leb128` 0.2.7
//!
//! Its `tests/quickchecks.rs` has four properties, each a function inside of a test and a call that casts it to a pointer. Moved:
//! `tests/leb128.rs`.
//!
//! - A property is the test: the inner function, the cast and the call go away. For the same four properties, 45 lines became 23.
//! - `io::Result<bool>` stays as it is: bodies may return `Result<bool, E>`, and `?` works on any error with `Debug`. The two
//!   conversions of errors that were there for the compiler go away.
//! - A round trip is a law: `laws::round_trip` says it in a line.
//! - That an encoding which is cut short is refused was added, since it took one line.
//!
//! # From proptest: `RangeSet` of `rangemap` 1.8.0
//!
//! Its tests use `proptest` with `test-strategy`, an `Arbitrary` for the set, and nine properties. Moved: `tests/range_set.rs`.
//!
//! - `impl Arbitrary for RangeSet<T>` with two associated types and a boxed strategy became a generator of three lines. Since the
//!   set is a type of another crate here, the generator stands in the parameter, `#[forall(sets())]`; in the crate itself it would
//!   be the `arbitrary` of the type.
//! - `#[proptest]` became `#[forall::test]`, and the bodies stayed as they were.
//! - `test_hash` and `test_ord` compare two sets that are drawn independently of each other: of 256 pairs, hardly any are equal,
//!   so the interesting half of each is hardly tested. `laws::ord` and `laws::hash` draw
//!   sets that are like each other; and test transitivity, the operators, and that `==` is symmetric besides. Nothing was found
//!   to be wrong.
//! - The three tests that iterators can be reversed became `laws::double_ended`, which takes items
//!   from both ends by turns, too.
//! - `proptest-regressions/` has no counterpart to be kept by hand: what fails is in `.forall/`, and is tried first by the next run.
//!
//! What neither suite used, and what therefore was not moved: `prop_compose!` (a `from_fn`), `prop_assume!` (`assume!`),
//! `TestResult::discard` (`assume!`), `prop_oneof!` (`one_of!`), shrinkers written by hand (leave them out).
