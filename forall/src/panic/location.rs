//! A location in a source file.

use std::fmt;

/// A location in source code.
///
/// ```
/// use forall::property::Location;
/// let place = Location { file: "src/lib.rs".into(), line: 3, column: 5 };
/// assert_eq!(place.to_string(), "src/lib.rs:3:5");
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Location {
    /// The path of the file, as it was passed to the compiler.
    pub file: String,
    /// The line, from 1.
    pub line: u32,
    /// The column, from 1.
    #[doc(hidden)]
    pub column: u32,
}

impl fmt::Display for Location {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}:{}", self.file, self.line, self.column)
    }
}
