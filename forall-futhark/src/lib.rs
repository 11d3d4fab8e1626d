//! Property-based testing of Futhark programs, and of any system that speaks the Futhark server protocol.

pub mod blocks;
pub mod client;
pub mod data;
pub mod datum;
pub mod programs;
pub mod properties;
pub mod protocol;
pub mod serve;
