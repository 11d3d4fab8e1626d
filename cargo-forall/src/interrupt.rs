//! Ctrl-C and termination: the current run ends, and its progress is printed.
//!
//! A terminal sends a signal to the test program and to this one; `kill`, schedulers and service managers signal this one
//! only, so signals are forwarded to the test program.

use std::process::{Child, Command, ExitCode};
use std::sync::atomic::{AtomicI32, AtomicU32, Ordering};
use std::time::{Duration, Instant};

/// The signal that was received, or 0.
static CAME: AtomicI32 = AtomicI32::new(0);

/// How often Ctrl-C was pressed.
static PRESSED: AtomicU32 = AtomicU32::new(0);

/// The time a test program has to clean up before it is killed.
const PATIENCE: Duration = Duration::from_secs(3);

/// Whether a signal was received since [`notice`].
pub fn came() -> bool {
    CAME.load(Ordering::Relaxed) != 0
}

/// How often Ctrl-C was pressed since [`notice`]. Schedulers, which send SIGTERM, wait a while for a process to end; a user who
/// presses Ctrl-C again does not.
pub fn pressed() -> u32 {
    PRESSED.load(Ordering::Relaxed)
}

/// Installs handlers that record SIGHUP, SIGINT and SIGTERM. Signals that are ignored (`nohup`) stay ignored.
pub fn notice() {
    #[cfg(unix)]
    for signal in [system::SIGHUP, system::SIGINT, system::SIGTERM] {
        if system::on(signal, system::remember as *const () as usize) == system::IGNORED {
            system::on(signal, system::IGNORED);
        }
    }
}

/// Forwards a received signal to a test program; to be called periodically.
#[derive(Debug, Default)]
pub struct SignalForwarder {
    since: Option<Instant>,
}

impl SignalForwarder {
    /// Forwards the signal, and kills the program if it does not exit in time. `stop` is as if the user pressed Ctrl-C, for
    /// this program only.
    pub fn forward(&mut self, child: &mut Child, stop: bool) {
        match self.since {
            _ if !came() && !stop => {}
            Some(since) if since.elapsed() > PATIENCE => {
                // Fails if the process has just exited, which is fine.
                let _ = child.kill();
            }
            Some(_) => {}
            None => {
                self.since = Some(Instant::now());
                #[cfg(unix)]
                system::send(child, if came() { CAME.load(Ordering::Relaxed) } else { system::SIGINT });
            }
        }
    }
}

/// Makes a test program exit when this process is killed, so that none is left running. Linux only.
pub fn ends_with_this(command: &mut Command) {
    #[cfg(target_os = "linux")]
    {
        use std::os::unix::process::CommandExt;
        // SAFETY: `prctl` is async-signal-safe (a plain system call, no locks or allocation), so it may be called between fork and exec.
        unsafe {
            command.pre_exec(|| {
                system::prctl(system::PR_SET_PDEATHSIG, system::SIGTERM);
                Ok(())
            });
        }
    }
    #[cfg(not(target_os = "linux"))]
    let _ = command;
}

/// Exits as if killed by the signal, so that a shell loop stops as well.
pub fn pass_on() -> ExitCode {
    let signal = CAME.load(Ordering::Relaxed);
    #[cfg(unix)]
    {
        system::on(signal, system::DEFAULT);
        // SAFETY: `raise` takes a number and has no preconditions.
        unsafe { system::raise(signal) };
    }
    // 128 plus the signal, as in shells.
    ExitCode::from(128 + signal as u8)
}

#[cfg(unix)]
mod system {
    use super::{CAME, Child, Ordering, PRESSED};
    use std::ffi::c_int;

    pub(super) const SIGHUP: c_int = 1;
    pub(super) const SIGINT: c_int = 2;
    pub(super) const SIGTERM: c_int = 15;
    /// The `prctl` option for the signal at the parent's death.
    #[cfg(target_os = "linux")]
    pub(super) const PR_SET_PDEATHSIG: c_int = 1;
    /// The default action.
    pub(super) const DEFAULT: usize = 0;
    pub(super) const IGNORED: usize = 1;

    pub(super) extern "C" fn remember(signal: c_int) {
        CAME.store(signal, Ordering::Relaxed);
        PRESSED.fetch_add(u32::from(signal == SIGINT), Ordering::Relaxed);
    }

    /// Sets the action of a signal and returns the previous one.
    pub(super) fn on(number: c_int, handler: usize) -> usize {
        // SAFETY: the handler is SIG_DFL, SIG_IGN, or a function of the required type that only stores to an atomic, which is
        // async-signal-safe. Interrupted system calls are restarted.
        unsafe { signal(number, handler) }
    }

    pub(super) fn send(child: &Child, signal: c_int) {
        // SAFETY: `kill` takes numbers. The child has not been waited for, so its PID cannot have been reused.
        unsafe { kill(child.id() as c_int, signal) };
    }

    unsafe extern "C" {
        fn signal(number: c_int, handler: usize) -> usize;
        fn kill(process: c_int, signal: c_int) -> c_int;
        pub(super) fn raise(number: c_int) -> c_int;
        #[cfg(target_os = "linux")]
        pub(super) fn prctl(option: c_int, ...) -> c_int;
    }
}
