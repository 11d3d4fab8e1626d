//! The outcome of one test, and the return types of a property's body.

use super::origin::{self, RETURNED_ERROR, Template};
use super::printing::Binding;
use crate::panic::Caught;
use crate::panic::location::Location;
use std::fmt::Debug;

/// The outcome of one test.
///
/// ```
/// use forall::property::{IntoOutcome, Outcome};
/// assert!(matches!(true.into_outcome(), Outcome::Pass));
/// assert!(matches!(Err::<(), _>("no").into_outcome(), Outcome::Fail(_)));
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// The check held.
    Pass,
    /// The test was discarded: an assumption did not hold, or a generator rejected it.
    Discard,
    /// The check failed.
    Fail(Box<Failure>),
}

impl Outcome {
    /// Returns whether the test failed.
    ///
    /// ```
    /// use forall::property::{IntoOutcome, Outcome};
    /// assert!(false.into_outcome().is_fail());
    /// assert!(!Outcome::Discard.is_fail());
    /// ```
    pub fn is_fail(&self) -> bool {
        matches!(self, Outcome::Fail(_))
    }
}

/// A failure of a test.
///
/// ```
/// use forall::property::{FailureKind, IntoOutcome, Outcome};
/// let Outcome::Fail(failure) = "x".parse::<u8>().map(drop).into_outcome() else { panic!("it parses") };
/// assert_eq!(failure.kind, FailureKind::Error);
/// assert!(failure.message.contains("InvalidDigit"));
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Failure {
    /// The kind of failure.
    pub kind: FailureKind,
    /// The panic's message or the error's text.
    pub message: String,
    /// The location of the failure, if known.
    pub location: Option<Location>,
    /// The stack of the panic, from the code under test outwards: in the reported run, if `RUST_BACKTRACE` is set.
    #[doc(hidden)]
    pub backtrace: Option<String>,
    /// The message without the parts that quote the input, if there are any.
    pub(crate) template: Option<Box<Template>>,
}

/// The kinds of failures.
///
/// ```
/// use forall::property::{Empty, FailureKind, Telescope};
/// use forall::run::{Tested, Tester};
/// let property = Empty.check(|()| assert!(1 > 2));
/// let (_, tested) = Tester::new("panics", &property, 1).record(0, 0);
/// assert!(matches!(tested, Tested::Fail(failure) if failure.kind == FailureKind::Panic));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum FailureKind {
    /// The body returned `false`.
    Falsified,
    /// The body returned an error.
    Error,
    /// The body panicked.
    Panic,
    /// The test missed its deadline.
    Deadline,
    /// The test crashed the process.
    Crash,
    /// The test hung: it did not end before its timeout.
    Hang,
}

impl FailureKind {
    /// Whether a test that fails like this takes its process with it, so that it must run in a separate one.
    pub(crate) fn takes_the_process(self) -> bool {
        matches!(self, Self::Crash | Self::Hang)
    }
}

impl Failure {
    /// Creates a failure without a location.
    ///
    /// ```
    /// use forall::property::{Failure, FailureKind, Outcome};
    /// let outcome = Outcome::Fail(Box::new(Failure::new(FailureKind::Error, "the server said 500")));
    /// assert!(outcome.is_fail());
    /// ```
    pub fn new(kind: FailureKind, message: impl Into<String>) -> Self {
        Self { kind, message: message.into(), location: None, backtrace: None, template: None }
    }

    /// Sets the input of this failure: words of it in the message do not distinguish bugs.
    pub(crate) fn quoting(self, input: &[Binding]) -> Self {
        Self { template: Template::new(&self, input).map(Box::new), ..self }
    }

    /// Another failure of the same bug.
    pub(crate) fn again(&self, failure: Failure) -> Self {
        Self { template: self.template.clone(), ..failure }
    }

    /// Returns whether `other` is most likely the same bug: the same kind of failure, at the same location if known,
    /// with a message of the same shape.
    ///
    /// Parts that depend on the input do not belong to the shape: numbers, quoted text, and, for a failure that is
    /// being shrunk, words of its input. At one location, where messages usually have one format, only the first word
    /// counts, so that values may follow in any form. Errors are distinguished by the name with which their `Debug`
    /// begins, if there is one, including errors that are unwrapped.
    ///
    /// ```
    /// use forall::property::{Failure, FailureKind};
    /// let panicked = |message: &str| Failure::new(FailureKind::Panic, message);
    /// let first = panicked("index 7 of \"xs\" is out of range");
    /// assert!(first.same_origin(&panicked("index 12 of \"y\" is out of range")));
    /// assert!(!first.same_origin(&panicked("division by zero")));
    /// ```
    #[doc(hidden)]
    pub fn same_origin(&self, other: &Failure) -> bool {
        origin::alike(self, other)
    }
}

impl From<Caught> for Failure {
    fn from(Caught { message, location, backtrace }: Caught) -> Self {
        Failure { location, backtrace, ..Failure::new(FailureKind::Panic, message) }
    }
}

/// The return types of a property's body: `bool`, `()`, a `Result` of these, or an [`Outcome`].
///
/// ```
/// use forall::property::{IntoOutcome, Outcome};
/// fn parses(text: &str) -> Result<(), std::num::ParseIntError> {
///     text.parse::<i32>().map(drop)
/// }
/// assert_eq!(parses("1").into_outcome(), Outcome::Pass);
/// assert!(parses("x").into_outcome().is_fail());
/// ```
#[diagnostic::on_unimplemented(
    message = "the body of a property cannot return `{Self}`",
    label = "return `bool`, `()`, `Result<_, E>` with `E: Debug`, or `forall::property::Outcome`",
    note = "end the body with a condition, or with assertions and `;`"
)]
pub trait IntoOutcome {
    /// Converts the value into an outcome.
    ///
    /// ```
    /// use forall::property::{IntoOutcome, Outcome};
    /// assert_eq!(().into_outcome(), Outcome::Pass);
    /// assert!(Ok::<bool, ()>(false).into_outcome().is_fail());
    /// ```
    fn into_outcome(self) -> Outcome;
}

impl IntoOutcome for Outcome {
    #[inline(always)]
    fn into_outcome(self) -> Outcome {
        self
    }
}

impl IntoOutcome for () {
    #[inline(always)]
    fn into_outcome(self) -> Outcome {
        Outcome::Pass
    }
}

impl IntoOutcome for bool {
    #[inline(always)]
    fn into_outcome(self) -> Outcome {
        if self { Outcome::Pass } else { falsified() }
    }
}

impl<T: IntoOutcome, E: Debug> IntoOutcome for Result<T, E> {
    #[inline(always)]
    fn into_outcome(self) -> Outcome {
        match self {
            Ok(value) => value.into_outcome(),
            Err(error) => returned_error(&error),
        }
    }
}

#[cold]
fn falsified() -> Outcome {
    Outcome::Fail(Box::new(Failure::new(FailureKind::Falsified, "the property returned false")))
}

#[cold]
fn returned_error(error: &dyn Debug) -> Outcome {
    Outcome::Fail(Box::new(Failure::new(FailureKind::Error, format!("{RETURNED_ERROR}{error:?}"))))
}
