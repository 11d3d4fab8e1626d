//! Failed commands: the server rejected the command, or was lost.

use super::process;
use std::fmt;
use std::process::ExitStatus;
use std::time::Duration;

/// The server rejected a command, and continues.
///
/// ```
/// use forall_futhark::client::Refused;
/// let refused = Refused {
///     command: "call f out x".into(),
///     before: vec!["runtime: 12".into()],
///     message: vec!["Error: division by zero".into()],
/// };
/// assert!(refused.is_runtime_error());
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refused {
    /// The command.
    pub command: String,
    /// The output of the command before the failure.
    pub before: Vec<String>,
    /// The error message.
    pub message: Vec<String>,
}

impl Refused {
    /// Returns whether the program itself failed at run time. If so, the server reports the run time before it.
    ///
    /// ```
    /// use forall_futhark::client::Refused;
    /// let unknown = Refused { command: "free x".into(), before: vec![], message: vec!["Unknown variable: x".into()] };
    /// assert!(!unknown.is_runtime_error());
    /// ```
    pub fn is_runtime_error(&self) -> bool {
        self.before.iter().any(|line| line.starts_with("runtime: "))
    }
}

impl fmt::Display for Refused {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "the server refused `{}`: {}", self.command, self.message.join("\n"))
    }
}

/// The reason why a server was lost.
///
/// ```
/// use forall_futhark::client::Why;
/// assert_eq!(Why::Ended.to_string(), "it ended");
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Why {
    /// The server exited, or closed its output.
    Ended,
    /// The server exceeded the time limit of a call, and was killed.
    TimedOut(Duration),
    /// The time limit of the whole run was reached, this long after the last command, and the server was killed.
    OutOfTime(Duration),
    /// The server's answer violated the protocol.
    Garbled(String),
}

impl fmt::Display for Why {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Ended => f.write_str("it ended"),
            Self::TimedOut(after) => {
                write!(f, "it did not answer within {after:.1?} and was killed; --call-timeout raises the limit")
            }
            Self::OutOfTime(after) if *after < Duration::from_millis(1) => {
                f.write_str("the time limit was over, so it was killed; --timeout raises it")
            }
            Self::OutOfTime(after) => {
                write!(f, "the time limit was over {after:.1?} later, so it was killed; --timeout raises it")
            }
            Self::Garbled(what) => write!(f, "its answer violates the protocol: {what}"),
        }
    }
}

/// A lost server.
///
/// ```
/// use forall_futhark::client::{Connection, Error, Options, Why};
/// let Err(Error::Lost(lost)) = Connection::start("false", &Options::default()) else { panic!() };
/// assert_eq!((lost.why, lost.status.unwrap().code()), (Why::Ended, Some(1)));
/// ```
#[derive(Clone, Debug)]
pub struct Lost {
    /// The last command; empty if there was none.
    pub command: String,
    /// The reason.
    pub why: Why,
    /// The exit status of the process; `None` if the client killed it.
    pub status: Option<ExitStatus>,
    /// The part of the answer that was read.
    pub partial: Vec<String>,
    /// The standard error of the server.
    pub stderr: String,
}

impl Lost {
    /// Returns whether the server was killed at a deadline.
    ///
    /// ```
    /// use forall_futhark::client::{Connection, Error, Options};
    /// let hasty = Options::default().timeout(std::time::Duration::from_millis(50)).argument("5");
    /// let Err(Error::Lost(lost)) = Connection::start("sleep", &hasty) else { panic!() };
    /// assert!(lost.is_timeout());
    /// ```
    pub fn is_timeout(&self) -> bool {
        matches!(self.why, Why::TimedOut(_) | Why::OutOfTime(_))
    }
}

impl fmt::Display for Lost {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &*self.command {
            "" => f.write_str("the server was lost when it started")?,
            command => write!(f, "the server was lost after `{}`", shortened(command))?,
        }
        write!(f, ": {}", self.why)?;
        match self.status {
            Some(status) => write!(f, " ({status})")?,
            None if self.why == Why::Ended && !process::is_stopping() => {
                f.write_str(" its output, went on, and was killed")?
            }
            None => {}
        }
        if !self.partial.is_empty() {
            write!(f, "\nIts answer so far:\n{}", self.partial.join("\n"))?;
        }
        if !self.stderr.trim().is_empty() {
            write!(f, "\nServer stderr:\n{}", self.stderr.trim_end())?;
        }
        Ok(())
    }
}

/// Returns the command, truncated if it is long.
fn shortened(command: &str) -> String {
    let words: Vec<&str> = command.split(' ').collect();
    match words.len() {
        0..=12 => command.to_owned(),
        many => format!("{} … ({} words more)", words[..8].join(" "), many - 8),
    }
}
