//! Two test suites of published crates, written again with `forall`.
//!
//! `tests/leb128.rs` was moved from quickcheck (`leb128` 0.2.7), `tests/range_set.rs` from proptest (`RangeSet` of `rangemap` 1.8.0). What
//! it took is told where one looks for it who wants to move: in the book, `book/src/quickcheck.md` and `book/src/proptest.md`.
