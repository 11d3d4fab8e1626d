//! The client of the server protocol.
//!
//! [`Connection`] is the server process with the line protocol; [`Server`] adds entry points, and variables that are
//! freed when they are dropped.

mod connection;
mod failures;
mod kinds;
mod parts;
mod pipes;
mod process;
mod script;
mod server;
mod structure;
#[cfg(test)]
mod tests;
mod upkeep;
mod values;
mod variable;
mod watchdog;

pub use connection::{Connection, Options};
pub use failures::{Lost, Refused, Why};
pub use kinds::{Field, Generation, Kind, Parameter, Variant};
pub use process::stop_all;
pub use server::Server;
pub use variable::Variable;

pub(crate) use process::{STOPPED, is_stopping, start as start_process};
pub(crate) use script::{Ended, Got, Made, Script, Wanted, truth};
pub(crate) use watchdog::Watchdog;

use std::fmt;

/// The error of a command.
///
/// ```
/// use forall_futhark::client::{Error, Refused};
/// let refused = Refused { command: "free x".into(), before: vec![], message: vec!["Unknown variable: x".into()] };
/// assert_eq!(Error::from(refused).to_string(), "the server refused `free x`: Unknown variable: x");
/// ```
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum Error {
    /// The server rejected a command, and continues.
    Refused(Refused),
    /// The server was lost.
    Lost(Box<Lost>),
    /// A request that cannot be sent, or that this server does not support.
    Impossible(String),
    /// A file for transferring values could not be written or read.
    File(String),
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Refused(refused) => refused.fmt(f),
            Self::Lost(lost) => lost.fmt(f),
            Self::Impossible(why) | Self::File(why) => f.write_str(why),
        }
    }
}

impl std::error::Error for Error {}

impl From<Refused> for Error {
    fn from(refused: Refused) -> Self {
        Self::Refused(refused)
    }
}

impl From<Lost> for Error {
    fn from(lost: Lost) -> Self {
        Self::Lost(Box::new(lost))
    }
}
