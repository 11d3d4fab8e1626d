//! A controlled scheduler: the threads of a test run one at a time, and the places where they switch are data.
//!
//! A [`Plan`] lists the switches of a run: before which access of which command a thread is preempted, and in favour of which other.
//! Everything else follows from it, so a plan that failed once fails again. Plans come from a tape, or from a [`Search`], which tries
//! strategies one after the other and returns the plan of the run that failed.
//!
//! - [`core`](self::core) decides which thread runs. Each thread sleeps on its own futex word while others run.
//! - [`crew`](self::crew) has the threads of the branches, and the caller that watches them.
//! - [`search`](self::search) has the strategies.
//! - `hooks` has the functions that instrumented code calls before loads and stores, and those that replace functions
//!   of the C library. `atomics` has those that instrumented code calls in place of atomic operations. Both exist only
//!   in builds of `cargo forall race`. Without them threads switch only where they block or a command begins.
//!
//! The meaning of a run of branches is up to [`machine`](crate::machine).

// Most of it is for hooks, which exist only in instrumented builds.
#![cfg_attr(not(forall_instrumented = "schedule"), allow(dead_code))]

#[cfg(all(forall_instrumented = "schedule", target_os = "linux", target_arch = "x86_64"))]
mod atomics;
#[cfg(all(target_os = "linux", target_arch = "x86_64"))]
mod core;
#[cfg(all(target_os = "linux", target_arch = "x86_64"))]
mod crew;
#[cfg(all(forall_instrumented = "schedule", target_os = "linux", target_arch = "x86_64"))]
mod hooks;
#[cfg(all(target_os = "linux", target_arch = "x86_64"))]
mod kernel;
#[cfg(all(target_os = "linux", target_arch = "x86_64"))]
mod place;
mod plan;
#[cfg(all(target_os = "linux", target_arch = "x86_64"))]
mod search;
#[cfg(all(target_os = "linux", target_arch = "x86_64"))]
mod state;
#[cfg(all(test, target_os = "linux", target_arch = "x86_64"))]
mod tests;

#[cfg(not(all(target_os = "linux", target_arch = "x86_64")))]
mod elsewhere;

#[cfg(all(target_os = "linux", target_arch = "x86_64"))]
pub(crate) use self::core::{begin_command, between_runs, controlled, preparing, tick};
#[cfg(all(target_os = "linux", target_arch = "x86_64"))]
pub(crate) use crew::{Crew, Job};
#[cfg(not(all(target_os = "linux", target_arch = "x86_64")))]
pub(crate) use elsewhere::{Budget, Crew, Job, Search, begin_command, between_runs, controlled, preparing, tick};
pub(crate) use plan::{End, Happened, Plan, Stuck, Switch, Switched, Waits, name};
#[cfg(all(target_os = "linux", target_arch = "x86_64"))]
pub(crate) use search::{Budget, Search};

use std::sync::atomic::{AtomicBool, Ordering};

/// Whether a part of this program was compiled with hooks for the scheduler. Set before `main` by the instrumented parts.
static INSTRUMENTED: AtomicBool = AtomicBool::new(false);

/// Returns whether interleavings of this program can be controlled: it was built by `cargo forall race`.
pub(crate) fn is_available() -> bool {
    INSTRUMENTED.load(Ordering::Relaxed)
}
