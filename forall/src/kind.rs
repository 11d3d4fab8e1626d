//! Searching text for kinds of characters, at little cost to compile.
//!
//! The searches of the standard library are compiled for each type of pattern, and each closure has a type of its own.

/// A kind of characters, as a pattern.
pub(crate) type Kind = fn(char) -> bool;

/// What parts the names of a path, on any system.
pub(crate) const SLASH: Kind = |c| matches!(c, '/' | '\\');

/// What is no part of a name.
pub(crate) const NO_NAME: Kind = |c| !c.is_alphanumeric() && c != '_';
