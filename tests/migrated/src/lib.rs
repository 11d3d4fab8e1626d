//! Two test suites of published crates, migrated to `forall`.
//!
//! `tests/leb128.rs` comes from quickcheck (`leb128` 0.2.7), `tests/range_set.rs` from proptest (`RangeSet` of `rangemap` 1.8.0). The
//! book describes both migrations: `book/src/quickcheck.md` and `book/src/proptest.md`.
