//! Ctrl-C, and being asked to end: the run that is under way ends, and this program says how far it was.
//!
//! A terminal tells the test program and this one at once; others (`kill`, a scheduler, a service manager) tell this one alone. So
//! what is heard here is told to the test program, too.

use std::process::{Child, Command, ExitCode};
use std::sync::atomic::{AtomicI32, Ordering};
use std::time::{Duration, Instant};

/// The signal that came, or none.
static CAME: AtomicI32 = AtomicI32::new(0);

/// A test program that was told to end, and does not, is killed after this: its tests may have something to clean up.
const PATIENCE: Duration = Duration::from_secs(3);

/// Whether this program was told to end since [`notice`].
pub fn came() -> bool {
    CAME.load(Ordering::Relaxed) != 0
}

/// From here on, SIGHUP, SIGINT and SIGTERM do not end this process, but are remembered. Those that it was started to ignore (`nohup`)
/// still are.
pub fn notice() {
    #[cfg(unix)]
    for signal in [system::SIGHUP, system::SIGINT, system::SIGTERM] {
        if system::on(signal, system::remember as *const () as usize) == system::IGNORED {
            system::on(signal, system::IGNORED);
        }
    }
}

/// Tells a test program what this one was told, once it was: to be called now and then.
#[derive(Debug, Default)]
pub struct Telling {
    since: Option<Instant>,
}

impl Telling {
    /// Tells it, if there is something to tell, and sees to it that it ends.
    pub fn tell(&mut self, child: &mut Child) {
        match self.since {
            _ if !came() => {}
            Some(since) if since.elapsed() > PATIENCE => {
                // It may have ended by itself just now; then this fails, and that is well.
                let _ = child.kill();
            }
            Some(_) => {}
            None => {
                self.since = Some(Instant::now());
                #[cfg(unix)]
                system::send(child, CAME.load(Ordering::Relaxed));
            }
        }
    }
}

/// Has a test program end when this one is killed, so that nobody is left who tests on for an hour. Where the system can do that: Linux.
pub fn ends_with_this(command: &mut Command) {
    #[cfg(target_os = "linux")]
    {
        use std::os::unix::process::CommandExt;
        // SAFETY: `prctl` is a call of the system and no more: it takes no lock and no memory, so it may come between fork and exec.
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

/// Ends this process as the signal would have: whoever started it, a shell's loop perhaps, is to know.
pub fn pass_on() -> ExitCode {
    let signal = CAME.load(Ordering::Relaxed);
    #[cfg(unix)]
    {
        system::on(signal, system::DEFAULT);
        // SAFETY: `raise` takes a number and has no preconditions.
        unsafe { system::raise(signal) };
    }
    // 128 and the number of the signal, as shells have it.
    ExitCode::from(128 + signal as u8)
}

#[cfg(unix)]
mod system {
    use super::{CAME, Child, Ordering};
    use std::ffi::c_int;

    pub(super) const SIGHUP: c_int = 1;
    pub(super) const SIGINT: c_int = 2;
    pub(super) const SIGTERM: c_int = 15;
    /// The signal that a process gets when the one that started it ends.
    #[cfg(target_os = "linux")]
    pub(super) const PR_SET_PDEATHSIG: c_int = 1;
    /// What the system does by default.
    pub(super) const DEFAULT: usize = 0;
    pub(super) const IGNORED: usize = 1;

    pub(super) extern "C" fn remember(signal: c_int) {
        CAME.store(signal, Ordering::Relaxed);
    }

    /// Sets what happens when a signal comes, and gives what did.
    pub(super) fn on(number: c_int, handler: usize) -> usize {
        // SAFETY: the handler is one of the system's two, or a function of the type that is asked for, which does nothing but store to an
        // atomic: that may happen at any moment. Calls of the system that it interrupts are begun again.
        unsafe { signal(number, handler) }
    }

    pub(super) fn send(child: &Child, signal: c_int) {
        // SAFETY: `kill` takes numbers. Nobody has waited for the child yet, so its number is still its own.
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
