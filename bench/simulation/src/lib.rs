//! What the store of a campaign sees of ten thousand workers.
//!
//! Nobody here has ten thousand workers. What we have is logs of real campaigns of one worker (`campaigns/`), which say how a corpus
//! grows ([`curve`]), and a model of workers that exchange what they find over a store of so many operations a second ([`fleet`]). It is
//! held against a campaign of eight workers that was run. [`document`] puts the figures into
//! `docs/campaigns/ten-thousand-workers.md`, and [`drawing`] draws them.

pub mod curve;
pub mod document;
pub mod drawing;
pub mod fleet;
