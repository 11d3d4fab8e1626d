//! Output to stderr: as part of the running test, past the capture of the harness, and the progress line.
//!
//! All output to the terminal goes through this module, except that of child processes, which `isolate` forwards. Most of
//! the text comes from `report`.

pub(crate) mod progress;

use std::io::Write;
use std::panic::{AssertUnwindSafe, catch_unwind};

/// Prints to stderr as part of the running test's output. Never panics.
///
/// The test harness captures only the output of `print!` and `eprint!`, so this must use one of them. They panic if
/// stderr is gone (a closed pipe, a full disk); that panic is caught.
///
/// ```
/// forall::report::print_captured("part of the output of the running test\n");
/// ```
#[doc(hidden)]
pub fn print_captured(text: &str) {
    progress::clear();
    let _ = catch_unwind(AssertUnwindSafe(|| eprint!("{text}")));
}

/// Prints to the stderr of the process, past the capture of the test harness. Never panics.
///
/// ```
/// forall::report::print_uncaptured("printed immediately\n");
/// ```
#[doc(hidden)]
pub fn print_uncaptured(text: &str) {
    progress::clear();
    let mut stderr = std::io::stderr().lock();
    let _ = stderr.write_all(text.as_bytes()).and_then(|()| stderr.flush());
}
