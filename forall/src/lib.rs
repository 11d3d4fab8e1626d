//! forall
// The macros name this crate by its own name, inside it too.
extern crate self as forall;

#[doc(hidden)]
#[path = "private/mod.rs"]
pub mod __private;
pub mod choice;
mod context;
pub mod generate;
mod hash;
pub mod property;
pub mod registry;
pub mod run;
