//! Ctrl-C, for tests that have something to clean up: stops runs, as [`Cancel`](crate::run::Cancel) does, and ends the
//! process by the signal after they have ended.
//!
//! Handlers are installed only on request: of a test by [`graceful`](crate::graceful) or
//! [`scratch_dir`](crate::scratch_dir), of a property by `own_cwd`, of a user or a tool by `FORALL_INTERRUPT`.

use std::io::Write;
use std::sync::atomic::{AtomicBool, AtomicI32, AtomicU64, AtomicUsize, Ordering};
use std::time::SystemTime;

/// The received signal, or 0.
static CAME: AtomicI32 = AtomicI32::new(0);

/// When it was received, in milliseconds of the system clock.
static CAME_AT: AtomicU64 = AtomicU64::new(0);

/// The number of runs that would clean up.
static RUNS: AtomicUsize = AtomicUsize::new(0);

/// The signal that was received again while there were directories to remove, or 0.
static CAME_AGAIN: AtomicI32 = AtomicI32::new(0);

/// The number of directories that the process should not leave behind.
static DIRECTORIES: AtomicUsize = AtomicUsize::new(0);

/// Whether a thread removes them when a signal is received again, which a handler cannot do.
static WATCHED: AtomicBool = AtomicBool::new(false);

/// A terminal signals both a test program and the tool that started it, and the tool signals the program again: signals
/// within this many milliseconds count as one.
const SAME: u64 = 1000;

/// The parent process when the handlers were installed.
#[cfg(unix)]
static PARENT: AtomicI32 = AtomicI32::new(0);

/// The seconds that runs have to end and clean up once the parent is gone. Nothing else kills a program whose test hangs.
#[cfg(unix)]
const ALONE: u32 = 5;

/// The seconds to remove directories when a signal is received again.
#[cfg(unix)]
const REMOVING: u32 = 2;

/// Whether runs should stop.
pub(crate) fn came() -> bool {
    CAME.load(Ordering::Relaxed) != 0
}

/// Adds to the directories that the process should not leave behind.
pub(crate) fn add_directory() {
    DIRECTORIES.fetch_add(1, Ordering::SeqCst);
}

/// Declares that one of these directories is gone.
pub(crate) fn remove_directory() {
    DIRECTORIES.fetch_sub(1, Ordering::SeqCst);
}

/// Declares whether a thread looks for [`came_again`].
pub(crate) fn watched(is_watched: bool) {
    WATCHED.store(is_watched, Ordering::SeqCst);
}

/// The signal by which the process should end as soon as its directories are removed.
pub(crate) fn came_again() -> Option<i32> {
    Some(CAME_AGAIN.load(Ordering::SeqCst)).filter(|signal| *signal != 0)
}

/// While one exists, the process does not end by a handled signal, unless it is received twice.
pub(crate) struct UnderWay(());

impl UnderWay {
    pub(crate) fn begin() -> Self {
        RUNS.fetch_add(1, Ordering::SeqCst);
        Self(())
    }
}

impl Drop for UnderWay {
    fn drop(&mut self) {
        if RUNS.fetch_sub(1, Ordering::SeqCst) == 1 && came() {
            let _ = std::io::stdout().flush();
            end(CAME.load(Ordering::Relaxed));
        }
    }
}

/// Makes SIGINT, SIGTERM and SIGHUP stop runs, if they would end the process: not those that are ignored, and not those
/// with a handler of the program.
#[cfg(unix)]
pub(crate) fn listen() {
    static LISTENING: std::sync::Once = std::sync::Once::new();
    LISTENING.call_once(|| {
        PARENT.store(system::parent(), Ordering::Relaxed);
        for signal in [system::SIGINT, system::SIGTERM, system::SIGHUP] {
            let before = system::on(signal, handle as *const () as usize);
            if before != system::DEFAULT {
                system::on(signal, before);
            }
        }
    });
}

#[cfg(not(unix))]
pub(crate) fn listen() {}

/// The signal handler. It uses only what a handler may: atomics, the clock, and a few system calls.
#[cfg(unix)]
extern "C" fn handle(signal: std::ffi::c_int) {
    let now = SystemTime::UNIX_EPOCH.elapsed().map_or(0, |time| time.as_millis() as u64);
    let is_again = came() && now.saturating_sub(CAME_AT.load(Ordering::Relaxed)) > SAME;
    let are_directories_removed = DIRECTORIES.load(Ordering::SeqCst) > 0 && WATCHED.load(Ordering::SeqCst);
    if is_again && are_directories_removed && came_again().is_none() {
        CAME_AT.store(now, Ordering::Relaxed);
        CAME_AGAIN.store(signal, Ordering::SeqCst);
        system::end_after(REMOVING);
        return;
    }
    if is_again || RUNS.load(Ordering::SeqCst) == 0 {
        end(signal);
        return;
    }
    if !came() {
        CAME_AT.store(now, Ordering::Relaxed);
        CAME.store(signal, Ordering::Relaxed);
    }
    if system::parent() != PARENT.load(Ordering::Relaxed) {
        system::end_after(ALONE);
    }
}

/// Ends the process by the signal, so that its parent sees it.
#[cfg(unix)]
pub(crate) fn end(signal: i32) {
    system::on(signal, system::DEFAULT);
    system::send_to_oneself(signal);
}

#[cfg(not(unix))]
pub(crate) fn end(_: i32) {}

#[cfg(unix)]
mod system {
    use std::ffi::c_int;

    pub(super) const SIGHUP: c_int = 1;
    pub(super) const SIGINT: c_int = 2;
    pub(super) const SIGTERM: c_int = 15;
    /// The default action.
    pub(super) const DEFAULT: usize = 0;

    /// Sets the handler of a signal, and returns the previous one.
    pub(super) fn on(number: c_int, handler: usize) -> usize {
        // SAFETY: the handler is the previous one, the default, or `handle`, which has the required type and is
        // async-signal-safe. Interrupted system calls are restarted.
        unsafe { signal(number, handler) }
    }

    pub(super) fn send_to_oneself(number: c_int) {
        // SAFETY: `raise` takes a number and has no preconditions.
        unsafe { raise(number) };
    }

    pub(super) fn parent() -> c_int {
        // SAFETY: `getppid` has no preconditions and always succeeds.
        unsafe { getppid() }
    }

    /// Ends the process after this many seconds, by SIGALRM.
    pub(super) fn end_after(seconds: u32) {
        // SAFETY: `alarm` takes a number and has no preconditions.
        unsafe { alarm(seconds) };
    }

    unsafe extern "C" {
        fn signal(number: c_int, handler: usize) -> usize;
        fn raise(number: c_int) -> c_int;
        fn getppid() -> c_int;
        fn alarm(seconds: u32) -> u32;
    }
}
