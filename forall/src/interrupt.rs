//! Ctrl-C, for tests that have something to clean up: runs are stopped, as by [`Cancel`](crate::run::Cancel), and the process ends
//! by the signal when they have ended.
//!
//! Nobody is heard here who was not asked for: a test asks by [`graceful`](crate::graceful) or [`scratch_dir`](crate::scratch_dir), a
//! person or a tool by `FORALL_INTERRUPT`.

use std::io::Write;
use std::sync::atomic::{AtomicI32, AtomicU64, AtomicUsize, Ordering};
use std::time::SystemTime;

/// The signal that came, or 0.
static CAME: AtomicI32 = AtomicI32::new(0);

/// When it came, in milliseconds of the system's clock.
static CAME_AT: AtomicU64 = AtomicU64::new(0);

/// How many runs would clean up.
static RUNS: AtomicUsize = AtomicUsize::new(0);

/// A terminal tells a test program and the tool that has started it, and the tool tells the program: what comes so soon after the
/// first, in milliseconds, is the same.
const SAME: u64 = 1000;

/// Whether runs are to stop.
pub(crate) fn came() -> bool {
    CAME.load(Ordering::Relaxed) != 0
}

/// Until the last of these is dropped, the process does not end by a signal that is listened to, unless it comes twice.
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

/// From now on SIGINT, SIGTERM and SIGHUP stop runs, where they would end the process: not those that are ignored, and not those that
/// the program has a handler for.
#[cfg(unix)]
pub(crate) fn listen() {
    static LISTENING: std::sync::Once = std::sync::Once::new();
    LISTENING.call_once(|| {
        for signal in [system::SIGINT, system::SIGTERM, system::SIGHUP] {
            let before = system::on(signal, heard as *const () as usize);
            if before != system::DEFAULT {
                system::on(signal, before);
            }
        }
    });
}

#[cfg(not(unix))]
pub(crate) fn listen() {}

/// What happens when a signal comes. Only what a handler may do: atomics, the clock, and two calls of the system.
#[cfg(unix)]
extern "C" fn heard(signal: std::ffi::c_int) {
    let now = SystemTime::UNIX_EPOCH.elapsed().map_or(0, |time| time.as_millis() as u64);
    let is_again = came() && now.saturating_sub(CAME_AT.load(Ordering::Relaxed)) > SAME;
    if is_again || RUNS.load(Ordering::SeqCst) == 0 {
        end(signal);
    } else if !came() {
        CAME_AT.store(now, Ordering::Relaxed);
        CAME.store(signal, Ordering::Relaxed);
    }
}

/// Ends the process as the signal would have: whoever started it is to know.
#[cfg(unix)]
fn end(signal: i32) {
    system::on(signal, system::DEFAULT);
    system::send_to_oneself(signal);
}

#[cfg(not(unix))]
fn end(_: i32) {}

#[cfg(unix)]
mod system {
    use std::ffi::c_int;

    pub(super) const SIGHUP: c_int = 1;
    pub(super) const SIGINT: c_int = 2;
    pub(super) const SIGTERM: c_int = 15;
    /// What the system does by default.
    pub(super) const DEFAULT: usize = 0;

    /// Sets what happens when a signal comes, and gives what did.
    pub(super) fn on(number: c_int, handler: usize) -> usize {
        // SAFETY: the handler is what was there before, the system's default, or `heard`, which has the type that is asked for and does
        // only what may be done at any moment. Calls of the system that it interrupts are begun again.
        unsafe { signal(number, handler) }
    }

    pub(super) fn send_to_oneself(number: c_int) {
        // SAFETY: `raise` takes a number and has no preconditions.
        unsafe { raise(number) };
    }

    unsafe extern "C" {
        fn signal(number: c_int, handler: usize) -> usize;
        fn raise(number: c_int) -> c_int;
    }
}
