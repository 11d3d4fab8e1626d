//! The load of ten thousand workers on the store of a campaign.
//!
//! We do not have ten thousand workers. This crate extrapolates from logs of real campaigns of one worker
//! (`campaigns/`), which show how a corpus grows ([`curve`]), with a model of workers that exchange inputs over a store
//! of limited throughput ([`fleet`]). It is held against a campaign of eight workers that was run. [`document`] puts
//! the figures into `docs/campaigns/ten-thousand-workers.md`, and [`drawing`] draws them.

pub mod curve;
pub mod document;
pub mod drawing;
pub mod fleet;
