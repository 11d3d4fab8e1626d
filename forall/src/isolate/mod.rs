//! Tests in processes of their own: whatever a test does to its process, the run goes on.
//!
//! A property that ends the process it is tested in (a segmentation fault, an abort, a stack that overflows, memory that runs
//! out, a call of `exit`), or never ends, takes the whole run with it, and the counterexample too. Isolated, it is an ordinary
//! failure: kept, made smaller, explained and shown, with the signal or the deadline named.
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
//! | [`timeout`](crate::run::Settings::timeout) | a test that takes longer is killed, and has failed; 10 s, if not set |
//! | [`memory`](crate::run::Settings::memory) | a test that allocates more than this runs out of memory |
//! | [`stack`](crate::run::Settings::stack) | how much stack a test has |
//!
//! Each of the last three isolates by itself. `FORALL_ISOLATE=1` isolates every property; `FORALL_ISOLATE=0` none, and ignores
//! the limits: for a debugger. It works on Linux.
//!
//! # How it works
//!
//! A child process is this program, started again for exactly this test, where it comes to the same property. It runs a batch of
//! tests and writes the index that it is at into memory that it shares with its parent; the parent looks only when the child dies
//! or stalls. So a run that never crashes costs almost what a plain one does. A child lives until a test ends it; while
//! shrinking, one child tries many candidates.
//!
//! - Each thread of a run with `threads` has a child of its own, so that any property can be tested on several.
//! - Labels, notes and scores are handed over: the report is that of a run without isolation. Notes that a test made before it
//!   ended its process are shown, and so is the last that the process wrote. What tests print otherwise comes out of the
//!   parent's standard error, where a test harness captures it.
//! - A crash that does not happen when the test runs alone in a new process may need what earlier tests left behind. Then those
//!   that its process had run before are run again, and as many are left out as can be; the report shows which it takes, and
//!   they are stored with the counterexample.
//! - A crash that does not happen again at all, such as a kill from outside, is reported as not reproducible.
//! - When a child is killed, the processes that it has started and that are still in its group are killed with it; those that have
//!   left it, when the run ends: they are known by the variable `FORALL_RUNNING` of their environment. When the parent dies, its
//!   children do.
//! - A test that calls `fork` and returns in both processes goes on in the first. The copy is ended when it comes back here, by
//!   returning or by [`note!`](crate::note!).
//! - A test that closes standard output or standard error, or the connection of its process to the run, has failed.
//!
//! # What it does not do
//!
//! What a test does to the rest of the world, to files and to other processes, is not undone. A process that it starts with an
//! empty environment and in a session of its own is not found, and is left. A directory of
//! [`scratch_dir`](crate::scratch_dir) is left behind by a test that ends its process. A reading of the property that is a
//! runner's own ([`Tester::run_block_with`](crate::run::Tester::run_block_with)) runs in the runner's process.
//!
//! A run inside of another property's test runs where that does. If it asks for isolation, the property around it must be isolated,
//! and have limits as tight as its own: then what the inner run does to its process is a counterexample of the outer one. Else it
//! is not run, and its report says why.
//!
//! A child comes to the property by the same way as its parent: what the test does before that, it does in the child, too. Runs of
//! other properties on the way are left out there: they report that they have passed. In a program that is no test, say
//! [`entry`] at the start of `main`, as `examples/isolation.rs` of the repository does.

#[cfg(not(target_os = "linux"))]
#[path = "elsewhere.rs"]
mod platform;
#[cfg(target_os = "linux")]
#[path = "linux/mod.rs"]
mod platform;
mod text;

use crate::run::elsewhere::{Isolating, enter};

/// With less stack this program does not even start again: the system puts its arguments and its environment there, and the
/// harness and the standard library need some of it before the test begins.
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
