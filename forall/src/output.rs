//! Output to stderr: as part of the running test, past the capture of the harness, and the progress line.
//!
//! Only this module writes to the terminal; most of the text comes from `report`.

pub(crate) mod progress;

use std::io::Write;
use std::panic::{AssertUnwindSafe, catch_unwind};

/// Prints to stderr as part of the running test's output. Never panics.
///
/// The test harness captures only the output of `print!` and `eprint!`, so this must use one of them. They panic if
/// stderr is gone (a closed pipe, a full disk); that panic is caught.
///
/// ```
/// forall::report::say("shown with the output of the test that says it\n");
/// ```
#[doc(hidden)]
pub fn say(text: &str) {
    progress::clear();
    let _ = catch_unwind(AssertUnwindSafe(|| eprint!("{text}")));
}

/// Prints to the stderr of the process, past the capture of the test harness. Never panics.
///
/// ```
/// forall::report::shout("seen at once\n");
/// ```
#[doc(hidden)]
pub fn shout(text: &str) {
    progress::clear();
    let mut stderr = std::io::stderr().lock();
    let _ = stderr.write_all(text.as_bytes()).and_then(|()| stderr.flush());
}
