//! The protocol between test programs and tools: every message between them, as a type.
//!
//! The library writes and `cargo forall` reads through the types of this module, so both sides agree on each key. The
//! meaning of the messages is documented at `forall::observe` (events, tests) and `forall::run::protocol` (requests,
//! lines on standard output).
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
//! A reader skips unknown fields and events, and uses the default for missing fields. So a field may be added without a
//! new version; a change of meaning increments [`VERSION`], and then both sides report their versions instead of
//! reading on ([`OtherVersion`]).
//!
//! The module is for this project's tools, which have the version of the library. It encodes and decodes, without
//! policy.

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

/// The version of the messages.
pub const VERSION: u64 = 1;

/// The exit code of a test program with a test that failed, or with a request that no test answered: that of Rust's test harness.
pub const FAILED: i32 = 101;

/// Bytes of a program that may run properties which are values: those that no attribute declares. They end with a byte
/// that is rare in programs.
pub const VALUES: &[u8] = b"forall: may run property values\xd9";

/// The variable with the options of the `cargo test` that built a test program: commands in its reports include them.
pub const CARGO_OPTIONS: &str = "FORALL_CARGO_OPTIONS";
/// The variable with the options of `cargo forall race`, if it runs the test: failures are then replayed by the same
/// command.
pub const RACE_OPTIONS: &str = "FORALL_RACE_OPTIONS";

/// The version of a message differs from that of this library.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OtherVersion(
    /// The version of the message.
    pub u64,
);

#[doc(hidden)]
pub mod parts {
    //! The expansion of the macro `record!`.

    pub use super::record::{field, is_object};
    pub use crate::json::{JsonValue, Object};
}

#[cfg(all(test, feature = "full"))]
mod tests;
