//! Tests of `forall` together with other crates are in `tests/`, so that a build of `forall` does not include these
//! crates.
