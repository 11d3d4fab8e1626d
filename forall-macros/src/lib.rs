//! The macros of `forall`. Use them through that crate, which documents them.
