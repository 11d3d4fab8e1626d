//! What can go wrong, as a value: what happened, to what, and what to do about it.

use crate::corpus::link;
use forall::protocol::VERSION;
use forall::store::StoreError;
use std::fmt;
use std::io;
use std::path::PathBuf;

/// What is wrong, and what to do about it. Its text is for people, and names both.
#[derive(Debug)]
#[non_exhaustive]
pub enum Error {
    /// A program could not be started, or was lost.
    Program {
        /// What could not be done with it, as in `run cargo`.
        doing: String,
        /// What the system says.
        source: io::Error,
        /// What to do.
        advice: &'static str,
    },
    /// A file or directory could not be used.
    File {
        /// What could not be done with it, as in `write`.
        doing: &'static str,
        /// Which one it is.
        path: PathBuf,
        /// What the system says.
        source: io::Error,
        /// What to do.
        advice: &'static str,
    },
    /// The tests have another version of the library than this program knows.
    Version {
        /// The version of the protocol that they speak.
        version: u64,
        /// The version of their package `forall`; empty if they do not say it.
        package: String,
    },
    /// No property, or more than one, is what was asked for.
    Selection(
        /// With those that there are.
        String,
    ),
    /// A corpus could not be used.
    Corpus {
        /// Which one it is.
        name: String,
        /// What the store says.
        source: StoreError,
    },
    /// What was asked for cannot be done.
    Refused(
        /// Why, and what to do.
        String,
    ),
}

impl Error {
    /// The same with more to do about it, in a line of its own.
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
                write!(f, "{trouble}. Repeat this when that is mended: what was done stays done")
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
        "the tests use {theirs}, which speaks version {version} of the protocol; this is cargo-forall {own}, which speaks \
         version {VERSION}. "
    )?;
    match (version > VERSION, package) {
        (true, "") => f.write_str("Install the tool of that version with `cargo install cargo-forall`"),
        (true, package) => {
            write!(f, "Install the tool of that version: `cargo install cargo-forall --version {package}`")
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
    fn an_error_names_what_it_comes_from_and_what_to_do() {
        let source = || io::Error::from_raw_os_error(2);
        let file = Error::File { doing: "write", path: "target/x".into(), source: source(), advice: "name another" };
        assert_eq!(file.to_string(), "cannot write target/x: No such file or directory (os error 2); name another");
        assert_eq!(file.source().unwrap().to_string(), source().to_string());
        let none = Error::Selection("no property fits `x`".to_owned()).or("Or say --all");
        assert!(matches!(&none, Error::Selection(text) if text == "no property fits `x`\nOr say --all"), "{none:?}");
        assert!(none.source().is_none());
    }
}
