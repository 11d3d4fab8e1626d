//! The protocol between test programs and tools: every message that passes between them, as a type.
//!
//! The library writes and `cargo forall` reads through the types of this module, so both sides agree on each key. What the
//! messages mean is written at `forall::observe` (events, tests) and `forall::run::protocol` (requests, lines on standard output).
//!
//! | message | type | way |
//! | --- | --- | --- |
//! | a request | [`Request`], [`Death`] | the variable `FORALL_DO` |
//! | an event of a run | [`Told`], [`Event`] | a line of the file `FORALL_EVENTS` |
//! | a test with its values | [`TestCase`] | a line of a file in `FORALL_OBSERVE` |
//! | the version, a property, a result, a status, a problem | [`Library`], [`Listed`], [`Answer`], [`Status`], [`Problem`] | a line on standard output |
//! | the input that is running | [`running`] | the file `FORALL_RUNNING` |
//! | a failed test | [`FAILED`] | the exit code |
//!
//! A reader skips fields and events that it does not know, and takes the default for fields that are missing. So a field may be added
//! without a new version; what changes the meaning of one raises [`VERSION`], and then both sides name their versions instead of
//! reading on ([`OtherVersion`]).
//!
//! The module is for the tools of this project, which have the version of the library. It writes and reads, and decides nothing.

mod line;
mod record;
mod request;
pub mod running;

#[cfg(feature = "full")]
mod event;
#[cfg(feature = "full")]
mod test_case;

#[cfg(feature = "full")]
pub use event::{
    Claim, Counterexample, Cover, Drawn, DrawnCommand, Draws, Event, Explained, Failed, Figure, Finished, Found, Kept,
    Kind, Measured, Noticed, Pass, Picture, Profiled, Quoted, Replayed, Replaying, Reruns, Sampled, Searched,
    Shrinking, Shrunk, Started, Step, Told, Tried, Urgent, Value, Warned,
};
pub use line::{Answer, Library, Line, Listed, Phase, Problem, Status, Verdict};
pub use record::{Decode, Encode, Record};
pub use request::{Death, Request};
#[cfg(feature = "full")]
pub use test_case::{Fields, Metadata, Scalar, TestCase};

/// The version of what all messages mean.
pub const VERSION: u64 = 1;

/// The exit code of a test program with a test that failed, or with a request that no test answered: that of Rust's test harness.
pub const FAILED: i32 = 101;

/// The variable with the options of `cargo test` that built a test program: commands in its reports have them.
pub const CARGO_OPTIONS: &str = "FORALL_CARGO_OPTIONS";

/// A message is of another version than this library.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OtherVersion(
    /// The version of the message.
    pub u64,
);

#[doc(hidden)]
pub mod parts {
    //! What the macro `record!` expands to.

    pub use super::record::{field, is_object};
    pub use crate::json::{JsonValue, Object};
}

#[cfg(all(test, feature = "full"))]
mod tests;
