//! The code under test of the suite `scale`: the properties are in `tests/campaign.rs`.
