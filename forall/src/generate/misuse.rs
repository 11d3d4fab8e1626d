//! Errors of generators with invalid arguments: an empty range, weights that are all zero.

use std::fmt;
use std::panic::resume_unwind;

/// A generator was built from arguments that leave nothing to generate.
///
/// The signature of a generator has no error type, so the message is propagated by unwinding, without calling the panic
/// hook. Runners catch it and report it with the name of the property; [`sample`](super::sample) and
/// [`check_generator`](super::check_generator) also report it.
///
/// ```
/// use forall::choice::Source;
/// use forall::generate::Misuse;
///
/// let caught = std::panic::catch_unwind(|| Source::random(0, 0, 0).draw(5..5)).unwrap_err();
/// let misuse = caught.downcast_ref::<Misuse>().unwrap();
/// assert_eq!(misuse.message(), "the range 5..5 is empty; the start must be below the end");
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[doc(hidden)]
pub struct Misuse {
    pub(crate) message: String,
    /// Whether the specification of a machine is invalid, rather than a generator.
    pub(crate) of_specification: bool,
}

impl Misuse {
    /// Returns the problem, and how to fix it.
    ///
    /// ```
    /// use forall::{choice::Source, generate::{Misuse, elements}};
    /// let none: [u8; 0] = [];
    /// let caught = std::panic::catch_unwind(|| Source::random(0, 0, 0).draw(elements(none))).unwrap_err();
    /// assert!(!caught.downcast_ref::<Misuse>().unwrap().message().is_empty());
    /// ```
    pub fn message(&self) -> &str {
        &self.message
    }
}

impl fmt::Display for Misuse {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for Misuse {}

/// Ends the run with a message for the author of the generator.
#[cold]
#[inline(never)]
pub(crate) fn misuse(message: String) -> ! {
    resume_unwind(Box::new(Misuse { message, of_specification: false }))
}
