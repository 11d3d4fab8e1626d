//! What one test comes to, and what the body of a property may return.

use crate::kind::{Kind, NO_NAME};
use std::fmt::{self, Debug};

/// What became of one test.
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
    /// An assumption did not hold, or a generator gave up: the test says nothing.
    Discard,
    /// The check did not hold.
    Fail(Box<Failure>),
}

impl Outcome {
    /// Whether the test failed.
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

/// How a test failed.
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
    /// In which way.
    pub kind: FailureKind,
    /// What was said: the panic's message, the error's text.
    pub message: String,
    /// Where it was said, if that is known.
    pub location: Option<Location>,
    /// The stack of the panic, from the tested code outwards: in the run that is shown, if `RUST_BACKTRACE` asks for it.
    pub backtrace: Option<String>,
}

/// In which way a test failed.
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
    /// The test took longer than its deadline.
    Deadline,
    /// The test ended the process, or would not end.
    Crash,
}

/// A place in source code.
///
/// ```
/// use forall::property::Location;
/// let place = Location { file: "src/lib.rs".into(), line: 3, column: 5 };
/// assert_eq!(place.to_string(), "src/lib.rs:3:5");
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Location {
    /// The file, as the compiler was given it.
    pub file: String,
    /// The line, from 1.
    pub line: u32,
    /// The column, from 1.
    pub column: u32,
}

impl fmt::Display for Location {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}:{}", self.file, self.line, self.column)
    }
}

impl Failure {
    /// A failure without a place.
    ///
    /// ```
    /// use forall::property::{Failure, FailureKind, Outcome};
    /// let outcome = Outcome::Fail(Box::new(Failure::new(FailureKind::Error, "the server said 500")));
    /// assert!(outcome.is_fail());
    /// ```
    pub fn new(kind: FailureKind, message: impl Into<String>) -> Self {
        Self { kind, message: message.into(), location: None, backtrace: None }
    }

    /// Whether `other` is the same bug, as far as can be told: the same kind of failure, at the same place if that is known,
    /// with a message of the same shape.
    ///
    /// What follows the input is no part of the shape: numbers, and what stands in quotes. At one place, where a message is
    /// mostly made from one text, only the word that it begins with counts, so that values may stand behind it in any
    /// form. Errors are told apart by the name that their `Debug` begins with, if it does: also those that are unwrapped.
    ///
    /// ```
    /// use forall::property::{Failure, FailureKind};
    /// let panicked = |message: &str| Failure::new(FailureKind::Panic, message);
    /// let first = panicked("index 7 of \"xs\" is out of range");
    /// assert!(first.same_origin(&panicked("index 12 of \"y\" is out of range")));
    /// assert!(!first.same_origin(&panicked("division by zero")));
    /// ```
    pub fn same_origin(&self, other: &Failure) -> bool {
        self.kind == other.kind
            && match (&self.location, &other.location) {
                (Some(ours), Some(theirs)) => ours == theirs && begin_alike(&self.message, &other.message),
                (None, None) => match self.kind {
                    FailureKind::Falsified | FailureKind::Deadline => true,
                    FailureKind::Crash => end_alike(&self.message, &other.message),
                    FailureKind::Panic => shape(&self.message) == shape(&other.message),
                    FailureKind::Error => match (error_name(&self.message), error_name(&other.message)) {
                        (Some(ours), Some(theirs)) => ours == theirs,
                        (None, None) => shape(&self.message) == shape(&other.message),
                        _ => false,
                    },
                },
                // Somebody else's panic hook saw one of them.
                _ => self.kind == FailureKind::Panic && shape(&self.message) == shape(&other.message),
            }
    }
}

/// What the message of a returned error begins with.
const RETURNED_ERROR: &str = "the property returned an error: ";
/// What the message of a panic begins with when an error is unwrapped.
const UNWRAPPED_ERROR: &str = "called `Result::unwrap()` on an `Err` value: ";

/// Whether two messages from the same place begin with the same word. One that begins with something else, a value
/// perhaps, is taken to be like any other.
fn begin_alike(ours: &str, theirs: &str) -> bool {
    if let (Some(ours), Some(theirs)) = (ours.strip_prefix(UNWRAPPED_ERROR), theirs.strip_prefix(UNWRAPPED_ERROR)) {
        return match (error_name(ours), error_name(theirs)) {
            (Some(ours), Some(theirs)) => ours == theirs,
            _ => true,
        };
    }
    // A second word may be a value: "key x is missing".
    match (plain_word(ours), plain_word(theirs)) {
        (Some(ours), Some(theirs)) => ours == theirs,
        _ => true,
    }
}

/// Whether two processes ended alike. What writes where it should not may end with this signal or with that one, and by how long
/// a test was late means nothing: what was said before the name of the signal, or the first number, counts.
fn end_alike(ours: &str, theirs: &str) -> bool {
    let how = |message: &str| {
        let (signal, digit): (_, Kind) = (message.find("SIG"), |c| c.is_ascii_digit());
        let end = signal.into_iter().chain(message.find(digit)).min().unwrap_or(message.len());
        message[..end].to_owned()
    };
    how(ours) == how(theirs)
}

/// The first word, if it is one of a sentence, which a value hardly looks like: lower-case letters, and a mark perhaps.
fn plain_word(message: &str) -> Option<&str> {
    let word = message.split(' ').next().unwrap_or(message);
    let mark: Kind = |c| matches!(c, ',' | ':' | ';' | '.' | '!');
    let plain = word.strip_suffix(mark).unwrap_or(word);
    (!plain.is_empty() && plain.bytes().all(|byte| byte.is_ascii_lowercase())).then_some(plain)
}

/// The name of the type or variant with which the `Debug` of an error begins.
fn error_name(message: &str) -> Option<&str> {
    let debug = message.strip_prefix(RETURNED_ERROR).unwrap_or(message);
    let end = debug.find(NO_NAME).unwrap_or(debug.len());
    let looks_like_a_name = debug.starts_with(char::is_uppercase as Kind) && !debug[end..].starts_with(' ')
        || debug[end..].starts_with(" {");
    (end > 0 && looks_like_a_name).then_some(&debug[..end])
}

/// The beginning of a message without its digits, and without what stands in quotes. Quotes around all of it, or inside of
/// these, where they are escaped, count as such, too.
fn shape(message: &str) -> String {
    const LENGTH: usize = 200;
    let text = message.strip_prefix(RETURNED_ERROR).unwrap_or(message);
    let text = text.strip_prefix('"').and_then(|text| text.strip_suffix('"')).unwrap_or(text);
    let (mut shape, mut length, mut quote, mut before) = (String::new(), 0, None, ' ');
    for c in text.chars() {
        match quote {
            Some(end) if c == end => quote = None,
            Some(_) => {}
            // An apostrophe is inside of a word.
            None if matches!(c, '"' | '`') || c == '\'' && !before.is_alphanumeric() => quote = Some(c),
            None if length < LENGTH && !c.is_ascii_digit() => {
                shape.push(c);
                length += 1;
            }
            None => {}
        }
        before = c;
    }
    shape
}

/// What the body of a property may return: `bool`, `()`, a `Result` of these, or an [`Outcome`].
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
    note = "end the body with a condition, or with assertions and nothing"
)]
pub trait IntoOutcome {
    /// The outcome that the value stands for.
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

#[cfg(test)]
mod tests {
    use super::*;

    fn panicked(message: &str, line: Option<u32>) -> Failure {
        let location = line.map(|line| Location { file: "src/lib.rs".to_owned(), line, column: 5 });
        Failure { location, ..Failure::new(FailureKind::Panic, message) }
    }

    #[test]
    fn values_in_a_message_make_no_other_bug() {
        for (ours, theirs) in [
            (
                "index out of bounds: the len is 3 but the index is 7",
                "index out of bounds: the len is 1 but the index is 1",
            ),
            (
                "assertion `left == right` failed\n  left: [1]\n right: []",
                "assertion `left == right` failed\n  left: []\n right: [2, 3]",
            ),
            ("bad tree Node(Leaf, Leaf)", "bad tree Leaf"),
            ("key x is missing", "key y is missing"),
            ("Node(Leaf, Leaf) is bad", "Leaf is bad"),
            ("no such name: \"x\"", "no such name: \"a b\""),
            ("called `Result::unwrap()` on an `Err` value: 3", "called `Result::unwrap()` on an `Err` value: Io"),
        ] {
            assert!(panicked(ours, Some(3)).same_origin(&panicked(theirs, Some(3))), "{ours} / {theirs}");
        }
        assert!(!panicked("bad tree", Some(3)).same_origin(&panicked("bad tree", Some(4))));
        assert!(panicked("bad tree", Some(3)).same_origin(&panicked("bad tree", None)));
        assert!(!panicked("bad tree", Some(3)).same_origin(&panicked("bad leaf", None)));
    }

    #[test]
    fn another_first_word_at_the_same_place_is_another_bug() {
        for (ours, theirs) in [
            ("parse error at 3", "type error at 3"),
            (
                "called `Result::unwrap()` on an `Err` value: Empty",
                "called `Result::unwrap()` on an `Err` value: Broken { at: 3 }",
            ),
        ] {
            assert!(!panicked(ours, Some(3)).same_origin(&panicked(theirs, Some(3))), "{ours} / {theirs}");
        }
    }

    #[test]
    fn processes_end_alike_by_any_signal_and_after_any_time() {
        let crash = |message: &str| Failure::new(FailureKind::Crash, message);
        let (segfault, abort) = ("the test ended its process: SIGSEGV, a fault", "the test ended its process: SIGABRT");
        assert!(crash(segfault).same_origin(&crash(abort)));
        assert!(!crash(abort).same_origin(&crash("the test ended its process: its stack overflowed (SIGABRT)")));
        let late = |time: &str| crash(&format!("the test did not end within {time}, and its process was killed"));
        assert!(late("1.5 s").same_origin(&late("20 ms")) && !late("2 s").same_origin(&crash(abort)));
    }

    #[test]
    fn without_a_place_the_shape_of_the_message_counts() {
        let error = |text: &str| Failure::new(FailureKind::Error, format!("{RETURNED_ERROR}{text:?}"));
        assert!(error("unknown name \"x\" in line 3").same_origin(&error("unknown name \"long name\" in line 17")));
        assert!(error("can't find `x`").same_origin(&error("can't find `y z`")));
        assert!(!error("unknown name").same_origin(&error("unknown type")));
        assert!(panicked("key 'a' is missing", None).same_origin(&panicked("key 'it' is missing", None)));
    }
}
