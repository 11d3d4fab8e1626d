//! System calls of the scheduler, which bypass the C library because its functions are replaced in instrumented builds.

use std::arch::asm;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

pub(super) const SYS_FUTEX: i64 = 202;
const SYS_SCHED_YIELD: i64 = 24;
const SYS_GETTID: i64 = 186;
const PRIVATE: u64 = 128;
const WAIT: u64 = PRIVATE;
const WAKE: u64 = 1 | PRIVATE;

#[repr(C)]
#[derive(Clone, Copy)]
pub(super) struct Time {
    pub(super) seconds: i64,
    pub(super) nanoseconds: i64,
}

impl Time {
    pub(super) fn of(nanoseconds: u64) -> Self {
        Self { seconds: (nanoseconds / 1_000_000_000) as i64, nanoseconds: (nanoseconds % 1_000_000_000) as i64 }
    }

    pub(super) fn as_nanoseconds(self) -> u64 {
        (self.seconds.max(0) as u64).saturating_mul(1_000_000_000).saturating_add(self.nanoseconds.max(0) as u64)
    }
}

/// A system call. The result is negative for an error, as the kernel returns it.
///
/// # Safety
///
/// The arguments are those that the call requires.
pub(super) unsafe fn call(number: i64, arguments: [u64; 6]) -> i64 {
    let [a, b, c, d, e, f] = arguments;
    let result;
    // SAFETY: the registers are those of the kernel's calling convention, and those that it changes are named.
    unsafe {
        asm!(
            "syscall",
            inlateout("rax") number => result,
            in("rdi") a,
            in("rsi") b,
            in("rdx") c,
            in("r10") d,
            in("r8") e,
            in("r9") f,
            lateout("rcx") _,
            lateout("r11") _,
            options(nostack),
        );
    }
    result
}

/// Lets other threads run, if there are any.
pub(super) fn yield_now() {
    // SAFETY: the call has no arguments.
    unsafe { call(SYS_SCHED_YIELD, [0; 6]) };
}

/// The kernel's id of this thread.
pub(super) fn thread_id() -> u32 {
    // SAFETY: the call has no arguments.
    (unsafe { call(SYS_GETTID, [0; 6]) }) as u32
}

/// A futex word on which one thread sleeps until its turn.
#[derive(Debug, Default)]
pub(super) struct Turn(AtomicU32);

/// The values of the word: the thread is busy elsewhere, its turn was given, or it sleeps until it is given.
const BUSY: u32 = 0;
const GIVEN: u32 = 1;
const AWAITED: u32 = 2;

impl Turn {
    /// Ends the wait of the thread, or its next one.
    pub(super) fn give(&self) {
        if self.0.swap(GIVEN, Ordering::Release) == AWAITED {
            // SAFETY: the word lives as long as `self`; a waker needs no other arguments.
            unsafe { call(SYS_FUTEX, [self.0.as_ptr() as u64, WAKE, 1, 0, 0, 0]) };
        }
    }

    /// Waits until it is given.
    pub(super) fn wait(&self) {
        while !self.take() {
            self.sleep(None);
        }
    }

    /// Waits until it is given, or for at most this long; returns whether it was given.
    pub(super) fn wait_for(&self, most: Duration) -> bool {
        if self.take() {
            return true;
        }
        self.sleep(Some(Time::of(most.as_nanos() as u64)));
        self.0.swap(BUSY, Ordering::Acquire) == GIVEN
    }

    /// Whether the thread waits for it, or was given it and has not woken up yet.
    pub(super) fn is_due(&self) -> bool {
        self.0.load(Ordering::Acquire) != BUSY
    }

    fn take(&self) -> bool {
        self.0.compare_exchange(GIVEN, BUSY, Ordering::Acquire, Ordering::Relaxed).is_ok()
    }

    /// Sleeps until it is given, for this time, or shorter: the kernel may wake a thread early.
    fn sleep(&self, time: Option<Time>) {
        // It fails if the turn was given meanwhile, and then the call returns at once.
        let _ = self.0.compare_exchange(BUSY, AWAITED, Ordering::Relaxed, Ordering::Relaxed);
        let time = time.as_ref().map_or(0, |time| std::ptr::from_ref(time) as u64);
        // SAFETY: word and time live until the call returns.
        unsafe { call(SYS_FUTEX, [self.0.as_ptr() as u64, WAIT, AWAITED.into(), time, 0, 0]) };
    }
}

/// Whether a thread of this process sleeps in the kernel, other than briefly for a page of memory.
pub(super) fn sleeps(thread: u32) -> bool {
    let stat = std::fs::read_to_string(format!("/proc/self/task/{thread}/stat")).unwrap_or_default();
    // The name of the thread, in parentheses, may be anything.
    let state = stat.rsplit_once(')').and_then(|(_, rest)| rest.trim_start().chars().next());
    state == Some('S')
}

/// The memory of this thread's stack, including its thread-local variables: its start and length.
pub(super) fn stack() -> (usize, usize) {
    use std::ffi::{c_int, c_ulong, c_void};
    unsafe extern "C" {
        fn pthread_self() -> c_ulong;
        fn pthread_getattr_np(thread: c_ulong, attributes: *mut Attributes) -> c_int;
        fn pthread_attr_getstack(attributes: *const Attributes, start: *mut *mut c_void, size: *mut usize) -> c_int;
        fn pthread_attr_destroy(attributes: *mut Attributes) -> c_int;
    }
    /// At least as large as `pthread_attr_t`.
    #[repr(C, align(16))]
    struct Attributes([u8; 128]);
    let mut attributes = Attributes([0; 128]);
    let (mut start, mut size) = (std::ptr::null_mut(), 0);
    // SAFETY: the attributes are large enough, are filled in before they are read, and are destroyed once.
    unsafe {
        if pthread_getattr_np(pthread_self(), &raw mut attributes) != 0 {
            return (0, 0);
        }
        pthread_attr_getstack(&raw const attributes, &raw mut start, &raw mut size);
        pthread_attr_destroy(&raw mut attributes);
    }
    (start as usize, size)
}
