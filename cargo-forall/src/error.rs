//! The tool's errors: what happened, to what, and what to do.

use crate::corpus::link;
use forall::protocol::VERSION;
use forall::store::StoreError;
use std::fmt;
use std::io;
use std::path::PathBuf;

/// An error of the tool. Its text says what is wrong and what to do.
#[derive(Debug)]
#[non_exhaustive]
pub enum Error {
    /// A program could not be started or watched.
    Program {
        /// The operation that failed, as in `run cargo`.
        doing: String,
        /// The system's error.
        source: io::Error,
        /// What to do.
        advice: &'static str,
    },
    /// A file or directory could not be used.
    File {
        /// The operation that failed, as in `write`.
        doing: &'static str,
        /// Its path or name.
        path: PathBuf,
        /// The system's error.
        source: io::Error,
        /// What to do.
        advice: &'static str,
    },
    /// The tests use another version of the protocol.
    Version {
        /// Their version of the protocol.
        version: u64,
        /// The version of their package `forall`; empty if unknown.
        package: String,
    },
    /// No property, or more than one, matches.
    Selection(
        /// The message, with the candidates.
        String,
    ),
    /// A corpus could not be used.
    Corpus {
        /// Its path or name.
        name: String,
        /// The store's error.
        source: StoreError,
    },
    /// The command cannot be carried out.
    Refused(
        /// Why, and what to do.
        String,
    ),
}

impl Error {
    /// Adds advice on a separate line.
    pub fn or(self, advice: &str) -> Self {
        let text = format!("{self}\n{advice}");
        match self {
            Error::Selection(_) => Error::Selection(text),
            _ => Error::Refused(text),
        }
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Error::Program { doing, source, advice } => write!(f, "cannot {doing}: {source}; {advice}"),
            Error::File { doing, path, source, advice } => {
                write!(f, "cannot {doing} {}: {source}; {advice}", path.display())
            }
            Error::Version { version, package } => other_version(f, *version, package),
            Error::Corpus { name, source } => {
                let trouble = link::trouble(name, source);
                write!(f, "{trouble}. Fix this and retry; entries already written are kept")
            }
            Error::Selection(text) | Error::Refused(text) => f.write_str(text),
        }
    }
}

fn other_version(f: &mut fmt::Formatter<'_>, version: u64, package: &str) -> fmt::Result {
    let own = env!("CARGO_PKG_VERSION");
    let theirs = match package {
        "" => "another version of forall".to_owned(),
        package => format!("forall {package}"),
    };
    write!(
        f,
        "the tests use {theirs} with version {version} of the protocol; this is cargo-forall {own} with \
         version {VERSION}. "
    )?;
    match (version > VERSION, package) {
        (true, "") => f.write_str("Install the matching tool with `cargo install cargo-forall`"),
        (true, package) => {
            write!(f, "Install the matching tool: `cargo install cargo-forall --version {package}`")
        }
        (false, _) => {
            write!(f, "Update the library with `cargo update -p forall --precise {own}`, or install an older tool")
        }
    }
}

impl std::error::Error for Error {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Error::Program { source, .. } | Error::File { source, .. } => Some(source),
            Error::Corpus { source, .. } => Some(source),
            _ => None,
        }
    }
}

impl From<String> for Error {
    fn from(why: String) -> Self {
        Error::Refused(why)
    }
}

impl From<&str> for Error {
    fn from(why: &str) -> Self {
        Error::Refused(why.to_owned())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::error::Error as _;

    #[test]
    fn an_error_has_a_source_and_advice() {
        let source = || io::Error::from_raw_os_error(2);
        let file = Error::File { doing: "write", path: "target/x".into(), source: source(), advice: "name another" };
        assert_eq!(file.to_string(), "cannot write target/x: No such file or directory (os error 2); name another");
        assert_eq!(file.source().unwrap().to_string(), source().to_string());
        let none = Error::Selection("no property matches `x`".to_owned()).or("Or pass --all");
        assert!(
            matches!(&none, Error::Selection(text) if text == "no property matches `x`\nOr pass --all"),
            "{none:?}"
        );
        assert!(none.source().is_none());
    }
}
