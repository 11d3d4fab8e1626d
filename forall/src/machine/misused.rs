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

/// Goes on unwinding with a signal that was caught on the way, or in another thread.
#[track_caller]
pub(super) fn go_on(signal: Box<dyn Any + Send>) -> ! {
    match signal.downcast::<Misuse>() {
        Ok(misuse) => misused(misuse.message().to_owned()),
        Err(signal) => resume_unwind(signal),
    }
}
