//! Searching text for kinds of characters, with little code to compile.
//!
//! The standard library's searches are compiled for each type of pattern, and each closure has its own type.

/// A kind of characters, as a pattern.
pub(crate) type Kind = fn(char) -> bool;

/// Separators of path components, on any system.
pub(crate) const SLASH: Kind = |c| matches!(c, '/' | '\\');

/// Characters that are not part of a name.
pub(crate) const NO_NAME: Kind = |c| !c.is_alphanumeric() && c != '_';
