//! Errors for invalid specifications and hand-written programs.

use crate::context;
use crate::generate::{Misuse, misuse};
use std::any::Any;
use std::panic::resume_unwind;

/// Gives up with a message for the author of the specification. A run reports it; without a run, as in a hand-written
/// test, it is an ordinary panic, so that it is not lost.
#[cold]
#[track_caller]
#[inline]
pub(super) fn misused(message: String) -> ! {
    match context::is_active() {
        true => misuse(message),
        false => panic!("{message}"),
    }
}

/// The same for a specification, with its name if known.
#[cold]
#[track_caller]
#[inline]
pub(super) fn invalid_specification(name: Option<String>, why: &str) -> ! {
    let name = name.map_or(String::new(), |name| format!(" `{name}`"));
    let message = format!("the specification{name} is invalid: {why}");
    match context::is_active() {
        true => resume_unwind(Box::new(Misuse { message, of_specification: true })),
        false => panic!("{message}"),
    }
}

/// Resumes unwinding with a signal that was caught earlier, or on another thread.
#[track_caller]
#[inline]
pub(super) fn go_on(signal: Box<dyn Any + Send>) -> ! {
    match signal.downcast::<Misuse>() {
        Ok(misuse) if context::is_active() => resume_unwind(misuse),
        Ok(misuse) => panic!("{misuse}"),
        Err(signal) => resume_unwind(signal),
    }
}
