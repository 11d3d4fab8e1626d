//! Ctrl-C: the terminal tells the test program and this one at once. The test program ends of it; this one says how far it was.

use std::process::ExitCode;
use std::sync::atomic::{AtomicBool, Ordering};

static CAME: AtomicBool = AtomicBool::new(false);

/// Whether Ctrl-C was pressed since [`notice`].
pub fn came() -> bool {
    CAME.load(Ordering::Relaxed)
}

/// From here on, Ctrl-C does not end this process, but is remembered.
pub fn notice() {
    #[cfg(unix)]
    system::on_interrupt(system::remember as *const () as usize);
}

/// Ends this process as Ctrl-C would have: whoever started it, a shell's loop perhaps, is to know.
pub fn pass_on() -> ExitCode {
    #[cfg(unix)]
    {
        system::on_interrupt(system::DEFAULT);
        // SAFETY: `raise` takes a number and has no preconditions.
        unsafe { system::raise(system::SIGINT) };
    }
    // 128 and the number of the signal, as shells have it.
    ExitCode::from(130)
}

#[cfg(unix)]
mod system {
    use super::{CAME, Ordering};
    use std::ffi::c_int;

    pub(super) const SIGINT: c_int = 2;
    /// What the system does by default.
    pub(super) const DEFAULT: usize = 0;

    pub(super) extern "C" fn remember(_: c_int) {
        CAME.store(true, Ordering::Relaxed);
    }

    pub(super) fn on_interrupt(handler: usize) {
        // SAFETY: the handler is the default one, or a function of the type that is asked for, which does nothing but store to an
        // atomic: that may happen at any moment. Calls of the system that it interrupts are begun again.
        unsafe { signal(SIGINT, handler) };
    }

    unsafe extern "C" {
        fn signal(number: c_int, handler: usize) -> usize;
        pub(super) fn raise(number: c_int) -> c_int;
    }
}
