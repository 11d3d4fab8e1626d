//! What the suite `scale` has workers test: the properties are in `tests/campaign.rs`.
