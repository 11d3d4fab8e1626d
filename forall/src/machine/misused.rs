//! What is said where a specification, or a program that was written by hand, makes no sense.

use crate::context;
use crate::generate::{Misuse, misuse};
use std::any::Any;
use std::panic::resume_unwind;

/// Gives up with a message for the author of the specification. A run reports it by itself; where there is none, as in a test that was
/// written by hand, it is a panic like any other, so that somebody hears it.
#[cold]
#[track_caller]
pub(super) fn misused(message: String) -> ! {
    match context::is_active() {
        true => misuse(message),
        false => panic!("{message}"),
    }
}

/// The same for a specification, which has this name, if it is known.
#[cold]
#[track_caller]
pub(super) fn senseless(name: Option<String>, why: &str) -> ! {
    let name = name.map_or(String::new(), |name| format!(" `{name}`"));
    let message = format!("the specification{name} makes no sense: {why}");
    match context::is_active() {
        true => resume_unwind(Box::new(Misuse { message, of_specification: true })),
        false => panic!("{message}"),
    }
}

/// Goes on unwinding with a signal that was caught on the way, or in another thread.
#[track_caller]
pub(super) fn go_on(signal: Box<dyn Any + Send>) -> ! {
    match signal.downcast::<Misuse>() {
        Ok(misuse) if context::is_active() => resume_unwind(misuse),
        Ok(misuse) => panic!("{misuse}"),
        Err(signal) => resume_unwind(signal),
    }
}
