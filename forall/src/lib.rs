//! forall
pub mod choice;
pub mod generate;
mod hash;
pub mod property;
