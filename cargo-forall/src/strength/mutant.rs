//! Mutants: small changes of functions, each a branch of the rewritten source.

use super::cfg::Condition;
use std::ops::Range;
use std::path::PathBuf;

/// A source file of a library that is mutated.
#[derive(Clone, Debug)]
pub struct File {
    /// Where it is, in the workspace.
    pub path: PathBuf,
    /// The same for people: from the root of the workspace.
    pub name: String,
    /// Its text.
    pub text: String,
    /// The `cfg` conditions under which it is compiled.
    pub conditions: Vec<Condition>,
}

/// A function that has mutants.
#[derive(Clone, Debug)]
pub struct Function {
    /// The file that it is in.
    pub file: usize,
    /// Its name, with the type or trait it belongs to.
    pub name: String,
    /// Where its item is, in bytes of the file.
    pub range: Range<usize>,
    /// The `cfg` conditions under which it is compiled.
    pub conditions: Vec<Condition>,
    /// How its arguments can be generated; none if unknown.
    pub signature: Option<super::differ::Signature>,
    /// Where its first statement begins.
    pub start: usize,
    /// The strings that it is called with, as expressions.
    pub notes: Vec<String>,
    /// How the calls that tests make are compared; none where its arguments cannot be copied.
    pub observed: Option<super::differ::Observed>,
}

/// A change of a function.
#[derive(Clone, Debug)]
pub struct Mutant {
    /// Its number in rewritten code, from 1.
    pub id: u32,
    /// The function.
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
    /// Another expression.
    Instead(Range<usize>, String),
    /// The function returns this at once.
    Return(usize, String),
    /// A statement is left out.
    Without(Range<usize>),
    /// A condition is negated.
    Not(Range<usize>),
    /// A number is one more.
    OneMore(Range<usize>),
    /// A pattern without a guard does not match.
    NoMatch(usize),
    /// A guard is false.
    NoGuard(Range<usize>),
    /// No change: code that compares mutants of a function with the original, beside it or at its beginning.
    Beside(usize, String),
}
