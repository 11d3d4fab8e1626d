//! Tests of `forall` together with other crates are in `tests/`: whoever builds `forall` builds none of them.
