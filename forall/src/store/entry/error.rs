//! Why a file is not an entry, in words that say what to do.

use super::super::Id;
use super::{FORMAT, MAX_FILE};
use crate::choice::VERSION;
use std::fmt;

/// Why a file is not an entry. What it quotes of the file is escaped.
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
    /// It does not begin like an entry.
    #[doc(hidden)]
    NotAnEntry,
    /// It has another version of the format.
    #[doc(hidden)]
    Format(String),
    /// Its input is a sequence in another version of the format.
    #[doc(hidden)]
    Choices(u8),
    /// It is of a kind that this forall does not know.
    #[doc(hidden)]
    Kind(String),
    /// It is not UTF-8.
    #[doc(hidden)]
    NotText {
        /// The first line that is not, from 1.
        line: usize,
    },
    /// A line that cannot be.
    #[doc(hidden)]
    Line {
        /// Which, from 1.
        number: usize,
        /// The beginning of it, quoted.
        found: String,
        /// What was expected.
        expected: &'static str,
    },
    /// A line that must be there is not.
    #[doc(hidden)]
    Missing(&'static str),
    /// Its case is not one, and why.
    #[doc(hidden)]
    Case(String),
    /// It is larger than any entry.
    #[doc(hidden)]
    TooLarge,
    /// It belongs to another property than the folder that it is in.
    #[doc(hidden)]
    Property {
        /// The property of the folder.
        expected: String,
        /// The property that it says, quoted.
        found: String,
    },
    /// Its content is not what its name is the hash of.
    #[doc(hidden)]
    Name {
        /// The name that fits the content.
        expected: Id,
    },
    /// It is a directory, a link or a device.
    #[doc(hidden)]
    NotAFile,
    /// It cannot be read, and the system says why.
    #[doc(hidden)]
    Unreadable(String),
    /// There are more entries of this property than are replayed.
    #[doc(hidden)]
    TooMany {
        /// How many were left out.
        left_out: usize,
    },
}

impl EntryError {
    /// Whether the file itself is broken, and no other version of forall can make sense of it.
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
                "written in format {found}, this forall reads {FORMAT}: use a newer forall, or delete the file"
            ),
            EntryError::Choices(found) if *found < VERSION => write!(
                f,
                "its input has sequence format {found}, and this forall reads format {VERSION}, in which floats of ranges have \
                 other codes: it was not replayed, and the file was not changed; write the values that it lists as an \
                 `#[example(…)]` of the property, and delete the file"
            ),
            EntryError::Choices(found) => write!(
                f,
                "its input has sequence format {found}, and this forall reads format {VERSION}: use a newer forall, or delete the file"
            ),
            EntryError::Kind(found) => {
                write!(f, "an entry of kind {found}, which this forall does not know: use a newer forall")
            }
            EntryError::NotText { line } => write!(f, "line {line} is not UTF-8 text; {DAMAGED}"),
            EntryError::Line { number, found, expected } => {
                write!(f, "line {number} is {found}, where {expected} was expected; {DAMAGED}")
            }
            EntryError::Missing(key) => write!(f, "no line begins with `{key}`: it is cut off; {DAMAGED}"),
            EntryError::Case(error) => write!(f, "{error}; {DAMAGED}"),
            EntryError::TooLarge => write!(f, "larger than {} MiB, which no entry is; delete the file", MAX_FILE >> 20),
            EntryError::Property { expected, found } => write!(
                f,
                "an entry of the property {found} in the folder of {expected:?}: move it to the folder of its property, \
                 or change its `property` line and rename it"
            ),
            EntryError::Name { expected } => write!(
                f,
                "its name does not fit its content, so one of them was changed; if the content is as you want it, rename \
                 the file to {expected}.case"
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
