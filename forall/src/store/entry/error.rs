//! Errors in entries, with advice.

use super::super::Id;
use super::{FORMAT, MAX_FILE};
use crate::choice::VERSION;
use std::fmt;

/// The reason why a file is not an entry. Quotes from the file are escaped.
///
/// ```
/// use forall::store::{Entry, EntryError};
/// assert_eq!(Entry::from_bytes(b"\x7fELF"), Err(EntryError::NotAnEntry));
/// let error = Entry::from_bytes(b"forall 2\n").unwrap_err();
/// assert!(error.to_string().contains("a newer forall"));
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
#[doc(hidden)]
pub enum EntryError {
    /// The file does not begin like an entry.
    #[doc(hidden)]
    NotAnEntry,
    /// The file has a different version of the format.
    #[doc(hidden)]
    Format(String),
    /// The input is a sequence in another version of the format.
    #[doc(hidden)]
    Choices(u8),
    /// The entry is of a kind that this version of forall does not support.
    #[doc(hidden)]
    Kind(String),
    /// The file is not UTF-8.
    #[doc(hidden)]
    NotText {
        /// The first such line, from 1.
        line: usize,
    },
    /// An invalid line.
    #[doc(hidden)]
    Line {
        /// Its number, from 1.
        number: usize,
        /// Its beginning, quoted.
        found: String,
        /// The expected content.
        expected: &'static str,
    },
    /// A required line is missing.
    #[doc(hidden)]
    Missing(&'static str),
    /// The case is invalid, with the reason.
    #[doc(hidden)]
    Case(String),
    /// The file is larger than an entry can be.
    #[doc(hidden)]
    TooLarge,
    /// The entry belongs to a different property than its directory.
    #[doc(hidden)]
    Property {
        /// The property of the directory.
        expected: String,
        /// The property in the file, quoted.
        found: String,
    },
    /// The file name is not the hash of the content.
    #[doc(hidden)]
    Name {
        /// The right name.
        expected: Id,
    },
    /// The path is a directory, a link or a device.
    #[doc(hidden)]
    NotAFile,
    /// The file cannot be read, with the system's error.
    #[doc(hidden)]
    Unreadable(String),
    /// This property has more entries than are replayed.
    #[doc(hidden)]
    TooMany {
        /// The number of skipped entries.
        left_out: usize,
    },
}

impl EntryError {
    /// Returns whether the file itself is damaged, so that no version of forall can read it.
    ///
    /// ```
    /// use forall::store::Entry;
    /// assert!(Entry::from_bytes(b"\x7fELF").unwrap_err().is_corrupt());
    /// assert!(!Entry::from_bytes(b"forall 2\n").unwrap_err().is_corrupt(), "a newer forall can read it");
    /// ```
    #[doc(hidden)]
    pub fn is_corrupt(&self) -> bool {
        use EntryError::{Case, Line, Missing, Name, NotAnEntry, NotText, TooLarge};
        matches!(self, NotAnEntry | NotText { .. } | Line { .. } | Missing(_) | Case(_) | TooLarge | Name { .. })
    }
}

impl fmt::Display for EntryError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        const DAMAGED: &str = "restore the file, or delete it";
        match self {
            EntryError::NotAnEntry => {
                write!(f, "not an entry: the first line of one is `forall {FORMAT}`; {DAMAGED}")
            }
            EntryError::Format(found) => write!(
                f,
                "written in format {found}, but this version of forall reads {FORMAT}: use a newer forall, or delete the file"
            ),
            EntryError::Choices(found) if *found < VERSION => write!(
                f,
                "its input has sequence format {found}, but this version of forall reads format {VERSION}, which encodes floats \
                 in ranges differently: it was not replayed, and the file was not changed; add the values that it \
                 lists as an `#[example(…)]` of the property, and delete the file"
            ),
            EntryError::Choices(found) => write!(
                f,
                "its input has sequence format {found}, but this version of forall reads format {VERSION}: use a newer forall, or delete the file"
            ),
            EntryError::Kind(found) => {
                write!(f, "unknown kind of entry {found}: use a newer forall")
            }
            EntryError::NotText { line } => write!(f, "line {line} is not UTF-8 text; {DAMAGED}"),
            EntryError::Line { number, found, expected } => {
                write!(f, "line {number}: expected {expected}, found {found}; {DAMAGED}")
            }
            EntryError::Missing(key) => write!(f, "truncated: no line begins with `{key}`; {DAMAGED}"),
            EntryError::Case(error) => write!(f, "{error}; {DAMAGED}"),
            EntryError::TooLarge => {
                write!(f, "larger than {} MiB, the limit for an entry; delete the file", MAX_FILE >> 20)
            }
            EntryError::Property { expected, found } => write!(
                f,
                "an entry of the property {found} in the directory of {expected:?}: move it to the directory of its \
                 property, or change its `property` line and rename it"
            ),
            EntryError::Name { expected } => write!(
                f,
                "its name does not match its content; if the content is right, rename the file to {expected}.case"
            ),
            EntryError::NotAFile => write!(f, "a directory, link or device where a file was expected; remove it"),
            EntryError::Unreadable(why) => write!(f, "it cannot be read: {why}; make it readable, or delete it"),
            EntryError::TooMany { left_out } => {
                write!(f, "{left_out} more entries are not replayed: fix some failures, or delete files")
            }
        }
    }
}

impl std::error::Error for EntryError {}
