//! Panics of tested code: caught, kept quiet, remembered.
//!
//! One hook for the whole process, installed once, forwards to the hook before it unless the thread is quiet. Catching
//! costs nothing until a panic happens.

use crate::property::Location;
use std::any::Any;
use std::cell::{Cell, RefCell};
use std::fmt;
use std::panic::{AssertUnwindSafe, catch_unwind, set_hook, take_hook};
use std::sync::Once;

thread_local! {
    static QUIET: Cell<u32> = const { Cell::new(0) };
    static LAST: RefCell<Option<Caught>> = const { RefCell::new(None) };
}

/// A panic: what it said and where.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Caught {
    pub(crate) message: String,
    pub(crate) location: Option<Location>,
    /// The stack, when `RUST_BACKTRACE` asks for it and the run is the one that is shown.
    pub(crate) backtrace: Option<String>,
}

impl fmt::Display for Caught {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.location {
            Some(location) => write!(f, "{}, at {location}", self.message),
            None => f.write_str(&self.message),
        }
    }
}

/// While it lives, panics of this thread print nothing.
pub(crate) struct Quiet(());

impl Quiet {
    pub(crate) fn begin() -> Self {
        static INSTALL: Once = Once::new();
        INSTALL.call_once(|| {
            let before = take_hook();
            set_hook(Box::new(move |info| {
                // At thread exit the locals may be gone; then the panic is none of ours.
                if QUIET.try_with(Cell::get).unwrap_or(0) == 0 {
                    return before(info);
                }
                let location = info.location().map(|place| Location {
                    file: place.file().to_owned(),
                    line: place.line(),
                    column: place.column(),
                });
                let message = text_of(info.payload()).unwrap_or_else(|| "a panic without a message".to_owned());
                let caught = Caught { message, location, backtrace: None };
                let _ = LAST.try_with(|last| last.replace(Some(caught)));
            }));
        });
        QUIET.set(QUIET.get() + 1);
        Self(())
    }
}

impl Drop for Quiet {
    fn drop(&mut self) {
        QUIET.set(QUIET.get() - 1);
    }
}

/// The panic that the hook saw last on this thread.
pub(crate) fn take_last() -> Option<Caught> {
    LAST.take()
}

/// Why a call did not return.
pub(crate) enum Unwound {
    /// It panicked.
    Panic(Caught),
    /// It unwound with something that is no panic: a signal of ours.
    Payload(Box<dyn Any + Send>),
}

/// Calls `body`, quietly, and catches what unwinds out of it.
pub(crate) fn catch<T>(body: impl FnOnce() -> T) -> Result<T, Unwound> {
    let mut body = Some(body);
    let mut value = None;
    match catch_call(&mut || value = body.take().map(|body| body())) {
        Some(unwound) => Err(unwound),
        None => Ok(value.expect("what did not unwind has returned")),
    }
}

/// What unwinds out of `body`. Not generic, so that it is compiled once.
fn catch_call(body: &mut dyn FnMut()) -> Option<Unwound> {
    let _quiet = Quiet::begin();
    LAST.take();
    let payload = catch_unwind(AssertUnwindSafe(body)).err()?;
    Some(match take_last() {
        Some(caught) => Unwound::Panic(caught),
        // The hook was not called: the payload is a signal, or the tested code has replaced the hook.
        None => match text_of(&*payload) {
            Some(message) => Unwound::Panic(Caught { message, location: None, backtrace: None }),
            None => Unwound::Payload(payload),
        },
    })
}

fn text_of(payload: &(dyn Any + Send)) -> Option<String> {
    let text = payload.downcast_ref::<&str>().map(|text| (*text).to_owned());
    text.or_else(|| payload.downcast_ref::<String>().cloned())
}
