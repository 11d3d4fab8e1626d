//! Ways to provoke races: staggered starts of branches, pauses between commands, separate cores, interrupts.
//!
//! All of it uses a separate random stream: the timing of threads is not part of a test's input, and cannot be
//! replayed.

use super::Provoke;
use std::hint::spin_loop;

/// A stream of random numbers, for timing alone.
pub(super) struct Dice(u64);

impl Dice {
    #[inline]
    pub(super) fn new(seed: u64) -> Self {
        Self(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1)
    }

    /// A number below `end`.
    #[inline]
    pub(super) fn below(&mut self, end: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 33) % end.max(1)
    }
}

impl Provoke {
    /// Between the barrier and the first command.
    pub(super) fn before_branch(&self, dice: &mut Dice) {
        if self.jitter {
            // Mostly about as long as a few commands take, now and then much longer.
            let most = 1 << dice.below(11);
            spin(dice.below(most));
        }
    }

    /// Between two commands.
    pub(super) fn between_commands(&self, dice: &mut Dice) {
        if !self.pauses {
            return;
        }
        match dice.below(64) {
            0 => std::thread::yield_now(),
            1..16 => {
                let most = 1 << dice.below(9);
                spin(dice.below(most));
            }
            _ => {}
        }
    }
}

#[inline]
fn spin(times: u64) {
    for _ in 0..times {
        spin_loop();
    }
}

#[cfg(all(target_os = "linux", target_pointer_width = "64"))]
pub(super) use linux::{Disturbed, Noise, pin};
#[cfg(not(all(target_os = "linux", target_pointer_width = "64")))]
pub(super) use others::{Disturbed, Noise, pin};

/// Calls of the system's C library, which every Rust program on Linux is linked with.
#[cfg(all(target_os = "linux", target_pointer_width = "64"))]
mod linux {
    use super::Dice;
    use std::ffi::{c_int, c_long, c_ulong};
    use std::sync::atomic::{AtomicBool, Ordering};
    use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
    use std::thread;
    use std::time::Duration;

    unsafe extern "C" {
        fn sched_getaffinity(thread: c_int, size: usize, mask: *mut u64) -> c_int;
        fn sched_setaffinity(thread: c_int, size: usize, mask: *const u64) -> c_int;
        fn pthread_self() -> c_ulong;
        fn pthread_kill(thread: c_ulong, signal: c_int) -> c_int;
        fn signal(signal: c_int, handler: usize) -> usize;
        fn nanosleep(time: *const Timespec, left: *mut Timespec) -> c_int;
    }

    #[repr(C)]
    struct Timespec {
        seconds: c_long,
        nanoseconds: c_long,
    }

    /// Words of a mask of cores: 1024 of them.
    type Mask = [u64; 16];

    /// While it lives, the thread stays on one core.
    pub(crate) struct Pinned(Mask);

    /// Pins the calling thread to the `number`-th of the cores that it may use. Returns `None` if that is impossible.
    #[inline]
    pub(crate) fn pin(number: usize) -> Option<Pinned> {
        let (mut before, size): (Mask, usize) = ([0; 16], size_of::<Mask>());
        // SAFETY: the mask is `size` bytes long, and 0 is the calling thread.
        if unsafe { sched_getaffinity(0, size, before.as_mut_ptr()) } < 0 {
            return None;
        }
        let mut cores = Vec::new();
        for core in 0..64 * before.len() {
            if before[core / 64] >> (core % 64) & 1 == 1 {
                cores.push(core);
            }
        }
        let core = *cores.get(number % cores.len().max(1))?;
        let mut mask: Mask = [0; 16];
        mask[core / 64] |= 1 << (core % 64);
        // SAFETY: as above.
        (unsafe { sched_setaffinity(0, size, mask.as_ptr()) } == 0).then_some(Pinned(before))
    }

    impl Drop for Pinned {
        #[inline]
        fn drop(&mut self) {
            // SAFETY: the mask is as long as is said, and 0 is the calling thread.
            unsafe { sched_setaffinity(0, size_of::<Mask>(), self.0.as_ptr()) };
        }
    }

    const SIGURG: c_int = 23;

    /// The threads that may be interrupted. The interrupting thread holds the lock, and a thread removes itself before
    /// it ends, so every listed thread is alive.
    static TARGETS: Mutex<Vec<c_ulong>> = Mutex::new(Vec::new());

    #[inline]
    fn targets() -> MutexGuard<'static, Vec<c_ulong>> {
        TARGETS.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// While it lives, the calling thread may be interrupted.
    pub(crate) struct Disturbed(c_ulong);

    impl Disturbed {
        #[inline]
        pub(crate) fn begin() -> Self {
            // SAFETY: it has no preconditions.
            let thread = unsafe { pthread_self() };
            targets().push(thread);
            Self(thread)
        }
    }

    impl Drop for Disturbed {
        #[inline]
        fn drop(&mut self) {
            targets().retain(|thread| *thread != self.0);
        }
    }

    /// While it lives, the registered threads are interrupted.
    pub(crate) struct Noise {
        stop: Arc<AtomicBool>,
        thread: Option<thread::JoinHandle<()>>,
    }

    impl Noise {
        #[inline]
        pub(crate) fn begin() -> Option<Self> {
            /// Handlers belong to the whole process: the first user installs ours, and the last one restores the
            /// previous handler.
            static HANDLER: Mutex<(u32, usize)> = Mutex::new((0, 0));
            let change = |begins: bool| {
                let mut handler = HANDLER.lock().unwrap_or_else(PoisonError::into_inner);
                let (users, before) = *handler;
                let users = if begins { users + 1 } else { users - 1 };
                let before = match (users, begins) {
                    // SAFETY: `wait` does nothing but sleep, which a signal handler may.
                    (1, true) => unsafe { signal(SIGURG, wait as extern "C" fn(c_int) as usize) },
                    // SAFETY: this is what was there before.
                    (0, false) => unsafe { signal(SIGURG, before) },
                    _ => before,
                };
                *handler = (users, before);
            };
            let stop = Arc::new(AtomicBool::new(false));
            let stopped = Arc::clone(&stop);
            let body = move || {
                change(true);
                let mut dice = Dice::new(u64::from(std::process::id()));
                while !stopped.load(Ordering::Relaxed) {
                    thread::sleep(Duration::from_micros(20 + dice.below(200)));
                    let targets = targets();
                    if let Some(&thread) = targets.get(dice.below(targets.len() as u64) as usize) {
                        // SAFETY: the thread is among the targets, so it has not ended; the handler is installed.
                        unsafe { pthread_kill(thread, SIGURG) };
                    }
                }
                change(false);
            };
            let thread = thread::Builder::new().name("signals".to_owned()).spawn(body).ok();
            thread.is_some().then_some(Self { stop, thread })
        }
    }

    impl Drop for Noise {
        #[inline]
        fn drop(&mut self) {
            self.stop.store(true, Ordering::Relaxed);
            if let Some(thread) = self.thread.take() {
                let _ = thread.join();
            }
        }
    }

    /// The handler: the thread stops where it is, for about 100 µs.
    extern "C" fn wait(_: c_int) {
        let time = Timespec { seconds: 0, nanoseconds: 100_000 };
        // SAFETY: the time is a valid one, and what is left of it is not asked for. It may be called in a handler.
        unsafe { nanosleep(&time, std::ptr::null_mut()) };
    }
}

/// On other platforms threads are neither pinned nor interrupted.
#[cfg(not(all(target_os = "linux", target_pointer_width = "64")))]
mod others {
    #[inline]
    pub(crate) fn pin(_: usize) -> Option<()> {
        None
    }

    pub(crate) struct Disturbed;

    impl Disturbed {
        #[inline]
        pub(crate) fn begin() -> Self {
            Self
        }
    }

    pub(crate) struct Noise;

    impl Noise {
        #[inline]
        pub(crate) fn begin() -> Option<Self> {
            None
        }
    }
}
