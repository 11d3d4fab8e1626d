//! Test blocks: the tests in a program's comments.
//!
//! ```
//! use forall_futhark::blocks::Blocks;
//!
//! let blocks = Blocks::parse("
//! -- ==
//! -- entry: double
//! -- input { 2 } output { 4 }
//!
//! -- ==
//! -- property: doubles_are_even
//! ").unwrap();
//! assert_eq!(blocks.properties().collect::<Vec<_>>(), ["doubles_are_even"]);
//! assert_eq!(blocks.runs(), 2);
//! ```
//!
//! A block begins at a line that is exactly `-- ==`, and ends where the comment does. Only the first block may have
//! tags, expect the compiler to reject the program (`error:`), or describe the compiled program (`structure`,
//! `warning:`).

mod parse;

use crate::data::{Primitive, Value};
use std::fmt;

/// All test blocks of a program.
///
/// ```
/// use forall_futhark::blocks::Blocks;
/// let blocks = Blocks::parse("-- ==\n-- tags { slow }\n-- error: unknown name\n").unwrap();
/// assert_eq!(blocks.tags, ["slow"]);
/// assert_eq!(blocks.compile_error, Some(Some("unknown name".to_owned())));
/// ```
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct Blocks {
    /// Tags by which programs are excluded: `--exclude`.
    pub tags: Vec<String>,
    /// The compiler must reject the program, with a message that matches this regular expression.
    pub compile_error: Option<Option<String>>,
    /// Regular expressions that match the expected compiler warnings.
    pub warnings: Vec<String>,
    /// The expected number of constructs in the compiled program. Only the compiler can check it.
    pub structures: usize,
    /// The tests, in order.
    pub tests: Vec<Test>,
}

/// A test, which runs once per entry point.
///
/// ```
/// use forall_futhark::blocks::{Blocks, Test};
/// let blocks = Blocks::parse("-- ==\n-- property: p q\n").unwrap();
/// assert!(matches!(&blocks.tests[1], Test::Property { name, line: 2 } if name == "q"));
/// ```
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum Test {
    /// Inputs with expected results, for each of some entry points.
    Cases {
        /// The entry points; `main` if none was given.
        entry_points: Vec<String>,
        /// The cases. Without any, the block only checks that the program compiles.
        cases: Vec<Case>,
    },
    /// A property, by the name of its entry point.
    Property {
        /// The entry point.
        name: String,
        /// The line on which it is listed, from 1.
        line: usize,
    },
}

/// An input, and its expected result.
///
/// ```
/// use forall_futhark::blocks::{Blocks, Test};
/// let blocks = Blocks::parse("-- ==\n-- \"two\" input { 2 } output { 4 }\n").unwrap();
/// let Test::Cases { entry_points, cases } = &blocks.tests[0] else { panic!() };
/// assert_eq!((&*entry_points[0], &*cases[0].name), ("main", "two"));
/// ```
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Case {
    /// The given name, or one derived from the input.
    pub name: String,
    /// Words before `input`, such as `nobench` or `no_opencl`.
    pub tags: Vec<String>,
    /// The input.
    pub input: Input,
    /// The expected result.
    pub expected: Expected,
    /// The first line of the case, from 1.
    pub line: usize,
}

/// The input of a case.
///
/// ```
/// use forall_futhark::blocks::{Blocks, Input, Test};
/// let blocks = Blocks::parse("-- ==\n-- random input { [10]i32 }\n").unwrap();
/// let Test::Cases { cases, .. } = &blocks.tests[0] else { panic!() };
/// assert!(matches!(&cases[0].input, Input::Random(kinds) if kinds[0].to_string() == "[10]i32"));
/// ```
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum Input {
    /// Literal values.
    Values(Vec<Value>),
    /// The values in a file, relative to the program.
    File(String),
    /// Random values of these types and shapes.
    Random(Vec<Kind>),
    /// The value of a FutharkScript expression, inline or in a file.
    Script(String),
}

/// The type and shape of a random input; or a value that is not random.
///
/// ```
/// use forall_futhark::blocks::Kind;
/// use forall_futhark::data::Primitive;
/// let matrix = Kind::Shaped { shape: vec![2, 3], primitive: Primitive::F32 };
/// assert_eq!(matrix.to_string(), "[2][3]f32");
/// ```
#[derive(Clone, Debug, PartialEq)]
pub enum Kind {
    /// A random value: an array, or a scalar if the shape is empty.
    Shaped {
        /// The length of each dimension.
        shape: Vec<usize>,
        /// The type of the elements.
        primitive: Primitive,
    },
    /// Exactly this value.
    Given(Value),
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Shaped { shape, primitive } => {
                for length in shape {
                    write!(f, "[{length}]")?;
                }
                write!(f, "{primitive}")
            }
            Self::Given(value) => value.fmt(f),
        }
    }
}

/// The expected result of a case.
///
/// ```
/// use forall_futhark::blocks::{Blocks, Expected, Test};
/// let blocks = Blocks::parse("-- ==\n-- input { 0 } error: division\n").unwrap();
/// let Test::Cases { cases, .. } = &blocks.tests[0] else { panic!() };
/// assert!(matches!(&cases[0].expected, Expected::Error(Some(regex)) if regex == "division"));
/// ```
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum Expected {
    /// Success.
    Success,
    /// Exactly these values.
    Values(Vec<Value>),
    /// The values in a file, relative to the program.
    File(String),
    /// The result of the reference implementation.
    Auto,
    /// A run-time error, with a message that matches this regular expression.
    Error(Option<String>),
}

impl Blocks {
    /// Parses the test blocks of a program.
    ///
    /// ```
    /// use forall_futhark::blocks::Blocks;
    /// let error = Blocks::parse("-- ==\n-- property: p\n-- input { 1 }\n").unwrap_err();
    /// assert_eq!(error.to_string(), "line 3, column 4: a block has either properties or cases: begin another one, with `-- ==`");
    /// ```
    pub fn parse(text: &str) -> Result<Self, BlockError> {
        parse::blocks(text)
    }

    /// Returns the listed properties, including repetitions.
    ///
    /// ```
    /// use forall_futhark::blocks::Blocks;
    /// let blocks = Blocks::parse("-- ==\n-- property: p p\n").unwrap();
    /// assert_eq!(blocks.properties().count(), 2);
    /// ```
    pub fn properties(&self) -> impl Iterator<Item = &str> {
        self.tests.iter().filter_map(|test| match test {
            Test::Property { name, .. } => Some(&**name),
            Test::Cases { .. } => None,
        })
    }

    /// Returns the number of runs: one per listed property, and one per case and entry point.
    ///
    /// ```
    /// use forall_futhark::blocks::Blocks;
    /// let blocks = Blocks::parse("-- ==\n-- entry: f g\n-- input { 1 }\n-- input { 2 }\n").unwrap();
    /// assert_eq!(blocks.runs(), 4);
    /// ```
    pub fn runs(&self) -> usize {
        self.tests.iter().map(Test::runs).sum()
    }
}

impl Test {
    /// Returns the number of runs.
    ///
    /// ```
    /// use forall_futhark::blocks::Blocks;
    /// let blocks = Blocks::parse("-- ==\n-- entry: f g\n-- input { 1 }\n").unwrap();
    /// assert_eq!(blocks.tests[0].runs(), 2);
    /// ```
    pub fn runs(&self) -> usize {
        match self {
            Self::Cases { entry_points, cases } => entry_points.len() * cases.len(),
            Self::Property { .. } => 1,
        }
    }
}

/// A syntax error in a block: its position, and a suggestion.
///
/// ```
/// let error = forall_futhark::blocks::Blocks::parse("-- ==\n-- input { 1\n").unwrap_err();
/// assert_eq!((error.line, error.column), (2, 13));
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BlockError {
    /// The line, from 1.
    pub line: usize,
    /// The column, from 1, in characters.
    pub column: usize,
    /// The message.
    pub message: String,
}

impl fmt::Display for BlockError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}, column {}: {}", self.line, self.column, self.message)
    }
}

impl std::error::Error for BlockError {}
