//! Panics of the system as responses.

use crate::panic::{self, Unwound};
use std::fmt;
use std::panic::resume_unwind;

/// A panic of the system, as a response.
///
/// See [`protect`].
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Panicked {
    /// The panic's message.
    pub message: String,
}

impl fmt::Display for Panicked {
    #[inline]
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "panicked: {}", self.message)
    }
}

impl std::error::Error for Panicked {}

/// Runs a part of the system and turns a panic into a response, for systems that are expected to panic.
///
/// ```
/// use forall::machine::protect;
/// let xs = [1, 2, 3];
/// assert_eq!(protect(|| xs[1]), Ok(2));
/// let panicked = protect(|| xs[std::hint::black_box(7)]).unwrap_err();
/// assert_eq!(panicked.message, "index out of bounds: the len is 3 but the index is 7");
/// ```
pub fn protect<T>(body: impl FnOnce() -> T) -> Result<T, Panicked> {
    match panic::catch_once(body) {
        Ok(value) => Ok(value),
        Err(Unwound::Panic(caught)) => Err(Panicked { message: caught.message }),
        Err(Unwound::Signal(signal)) => resume_unwind(signal),
    }
}
