//! forall
pub mod choice;
mod context;
pub mod generate;
mod hash;
pub mod property;
