//! Tests in child processes: a crash, a hang or a timeout of a test does not end the run.
//!
//! A property that ends its process (a segmentation fault, an abort, a stack overflow, running out of memory, a call of
//! `exit`), or that hangs, normally ends the whole run and loses the counterexample. Isolated, it is an ordinary
//! failure: saved, shrunk, explained and reported, with the signal or the timeout.
//!
//! ```no_run
//! #[forall::test(isolate, timeout = "2s", memory = "512MB")]
//! fn decoding_never_crashes(bytes: Vec<u8>) {
//!     # mod ffi { pub fn decode(_: &[u8]) {} }
//!     ffi::decode(&bytes);
//! }
//! # fn main() {}
//! ```
//!
//! | setting | what it does |
//! | --- | --- |
//! | [`isolate`](crate::run::Settings::isolate) | tests run in child processes |
//! | [`timeout`](crate::run::Settings::timeout) | a test that takes longer is killed and fails; 10 s by default |
//! | [`memory`](crate::run::Settings::memory) | a test that allocates more than this runs out of memory |
//! | [`stack`](crate::run::Settings::stack) | the stack size of a test |
//!
//! Each of the last three enables isolation. `FORALL_ISOLATE=1` isolates every property. `FORALL_ISOLATE=0` isolates
//! none and ignores the limits, for use in a debugger. Isolation works on Linux.
//!
//! # How it works
//!
//! A child process is the same program, restarted for exactly this test, where it reaches the same property. It runs a
//! batch of tests and writes the current index into memory shared with its parent, which reads it only when the child
//! crashes or stalls. A run without crashes therefore costs little more than a plain one. A child lives until a test
//! ends it; while shrinking, one child runs many candidates.
//!
//! - Each thread of a run with `threads` has its own child, so that any property can be tested on several threads.
//! - Labels, notes and scores are transferred: the report is that of a run without isolation. It includes the notes of
//!   a test that crashed its process, and the last output of the process. Other output of tests goes to the parent's
//!   standard error, where a test harness captures it.
//! - A crash that does not recur when the test runs alone in a new process may depend on state that earlier tests left behind. The
//!   earlier tests of its process are then rerun, and as many as possible are removed; the report prints the remaining ones, and
//!   they are saved with the counterexample.
//! - A crash that does not recur at all, such as a kill from outside, is reported as not reproducible.
//! - When a child is killed, the processes of its group are killed with it. Processes that left the group are killed when the run
//!   ends; the variable `FORALL_RUNNING` of their environment identifies them. When the parent dies, its
//!   children are killed.
//! - A test that calls `fork` and returns in both processes continues in the first. The copy is terminated when it
//!   returns or calls [`note!`](crate::note!).
//! - A test that closes standard output or standard error, or the connection of its process to the run, fails.
//!
//! # Limitations
//!
//! Side effects of a test on files and other processes are not undone. A process that it starts with an empty
//! environment and in its own session is not found, and keeps running. A test that crashes its process leaves its
//! [`scratch_dir`](crate::scratch_dir) behind. A runner's own interpretation of the property
//! ([`Tester::run_block_with`](crate::run::Tester::run_block_with)) runs in the runner's process.
//!
//! A run inside another property's test runs in that test's process. If it requests isolation, the outer property must
//! be isolated, with limits that are at least as tight: a crash of the inner run is then a counterexample of the outer
//! one. Otherwise it is not run, and its report says why.
//!
//! A child reaches the property in the same way as its parent: code of the test before that point runs in the child as
//! well. Runs of other properties on the way are skipped there and report success. A program that is not a test calls
//! [`entry`] at the start of `main`, as `examples/isolation.rs` of the repository does.

#[cfg(not(target_os = "linux"))]
#[path = "elsewhere.rs"]
mod platform;
#[cfg(target_os = "linux")]
#[path = "linux/mod.rs"]
mod platform;
mod text;

use crate::run::elsewhere::{Isolating, enter};

/// With a smaller stack this program does not start: the system puts its arguments and its environment there, and the
/// harness and the standard library need some of it before the test starts.
const LEAST_STACK: u64 = 128 << 10;

inventory::submit! { Isolating { begin: platform::begin, is_offered: platform::is_offered } }

/// Declares, at the start of `main`, that this program can be restarted as a child process: with the same arguments, it
/// reaches the same properties. Not needed in a test. Reports then print how to start this program to replay a
/// counterexample.
///
/// ```
/// use forall::prelude::*;
/// use forall::run::{Run, Settings, Store, Verdict};
///
/// fn main() {
///     forall::isolate::entry();
///     let property = property! { forall n in 0..1000u32; check { if *n >= 10 { std::process::abort() } } };
///     let settings = Settings::new().isolate(true).store(Store::Off);
///     let report = Run::new("never aborts", &property).settings(settings).report();
///     assert_eq!(report.verdict, Verdict::Failed);
///     # let shown = forall::report::render(&report, &forall::report::Style::plain());
///     # assert!(shown.contains("replay:") && !shown.contains("cargo test"), "{shown}");
///     let found = report.counterexample.unwrap();
///     assert_eq!(found.bindings[0].printed.text(), "10");
///     assert!(found.failure.message.contains("SIGABRT"));
/// }
/// ```
pub fn entry() {
    enter();
}
