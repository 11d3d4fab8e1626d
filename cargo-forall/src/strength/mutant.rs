//! Mutants: small changes of functions, each a branch of the rewritten source.

use super::cfg::Condition;
use std::ops::Range;
use std::path::PathBuf;

/// A source file of a mutated library.
#[derive(Clone, Debug)]
pub struct File {
    /// The absolute path in the workspace.
    pub path: PathBuf,
    /// The path from the root of the workspace, for display.
    pub name: String,
    /// The contents of the file.
    pub text: String,
    /// The `cfg` conditions under which the file is compiled.
    pub conditions: Vec<Condition>,
    /// The edition of the file's crate.
    pub edition: Edition,
}

/// The edition of a crate, as far as it matters for rewriting.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Edition {
    /// `::name` is a crate.
    Since2018,
    /// `::name` is an item of the crate's root.
    Of2015,
    /// The root of a crate of the 2015 edition, with the position of its first item: other crates are declared here.
    RootOf2015(usize),
}

/// A function that has mutants.
#[derive(Clone, Debug)]
pub struct Function {
    /// The index of the function's file.
    pub file: usize,
    /// The function's name, with its type or trait.
    pub name: String,
    /// The byte range of the function in its file.
    pub range: Range<usize>,
    /// The `cfg` conditions under which the function is compiled.
    pub conditions: Vec<Condition>,
    /// The signature for generated calls; `None` if arguments cannot be generated.
    pub signature: Option<super::differ::Signature>,
    /// The position of the first statement.
    pub start: usize,
    /// Expressions for the string arguments.
    pub notes: Vec<String>,
    /// The code that compares calls in tests; `None` if the arguments cannot be copied.
    pub observed: Option<super::differ::Observed>,
}

/// A change of a function.
#[derive(Clone, Debug)]
pub struct Mutant {
    /// The mutant's number in rewritten code, from 1.
    pub id: u32,
    /// The index of the function.
    pub function: usize,
    /// The changed range, in bytes of the file.
    pub range: Range<usize>,
    /// The replacement, for display.
    pub replacement: String,
    /// The description, for display.
    pub what: String,
    /// How the source is rewritten.
    pub edit: Edit,
}

/// How the source is rewritten so that a mutant can be active or not. Ranges are in bytes of the file.
#[derive(Clone, Debug)]
pub enum Edit {
    /// Replaces an expression.
    Instead(Range<usize>, String),
    /// Returns this value at the start of the function.
    Return(usize, String),
    /// Removes a statement.
    Without(Range<usize>),
    /// Replaces a statement.
    Statement(Range<usize>, String),
    /// Negates a condition.
    Not(Range<usize>),
    /// Adds one to a number.
    OneMore(Range<usize>),
    /// Prevents a pattern without a guard from matching.
    NoMatch(usize),
    /// Makes a guard false.
    NoGuard(Range<usize>),
    /// Changes nothing: inserts code that compares mutants of a function with the original, after it or at its start.
    Beside(usize, String),
}
