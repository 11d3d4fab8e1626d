//! The functions that instrumented code calls, and replacements for the functions of the C library that block, start
//! threads or read clocks: definitions in the executable take precedence over the library's. They exist only in builds
//! of `cargo forall race`.
//!
//! This crate is not instrumented, so no hook calls a hook. On threads that no scheduler controls, the functions do what the C
//! library's do.

use super::INSTRUMENTED;
use super::core::{Busy, STRAYS, Slot, Woken, adopt, current, starts_stray, time_between_runs, wake};
use super::kernel::{self, SYS_FUTEX, Time};
use super::search::EDGE;
use super::state::On;
use core::arch::naked_asm;
use std::ffi::{c_char, c_int, c_long, c_ulong, c_void};
use std::sync::Arc;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU32, AtomicUsize, Ordering};

/// Passes on the address, and the return address of the hook, which identifies the access.
macro_rules! access_hooks {
    ($function:ident: $($name:ident)*) => {
        $(
            // SAFETY: called by code that the compiler inserts, with an address in the first register of the C calling convention. It
            // goes on as a call of the function would from the same place: the stack and the registers that calls must preserve are
            // untouched.
            #[unsafe(no_mangle)]
            #[unsafe(naked)]
            unsafe extern "C" fn $name() {
                naked_asm!("mov rsi, [rsp]", "jmp {function}", function = sym $function)
            }
        )*
    };
}

access_hooks! {
    loaded: __sanitizer_cov_load1 __sanitizer_cov_load2 __sanitizer_cov_load4 __sanitizer_cov_load8 __sanitizer_cov_load16
}
access_hooks! {
    stored:
    __sanitizer_cov_store1 __sanitizer_cov_store2 __sanitizer_cov_store4 __sanitizer_cov_store8 __sanitizer_cov_store16
}

/// While no scheduler controls the thread, this is all that an access costs.
extern "C" fn loaded(address: usize, code: usize) {
    if let Some(slot) = current()
        && !slot.owns(address)
    {
        slot.point(address, relative(code));
    }
}

extern "C" fn stored(address: usize, code: usize) {
    if let Some(slot) = current()
        && !slot.owns(address)
    {
        slot.point(address, relative(code));
        slot.stored.store(true, Ordering::Relaxed);
    }
}

/// A point before an atomic access.
pub(super) fn before_atomic(address: usize, code: usize) {
    loaded(address, code);
}

/// An atomic access has changed memory: a thread that does so is not spinning.
pub(super) fn changed() {
    if let Some(slot) = current() {
        slot.stored.store(true, Ordering::Relaxed);
    }
}

/// An address in the program relative to its load address, which is the same in every process.
fn relative(code: usize) -> usize {
    code.wrapping_sub(loaded as *const () as usize)
}

// SAFETY: called by code that the compiler inserts, at each edge of the control flow.
#[unsafe(no_mangle)]
unsafe extern "C" fn __sanitizer_cov_trace_pc_guard(_guard: *mut u32) {
    if let Some(slot) = current() {
        slot.point(EDGE, 0);
    }
}

// SAFETY: called before `main` by each instrumented part, with the bounds of an array, which is left alone.
#[unsafe(no_mangle)]
unsafe extern "C" fn __sanitizer_cov_trace_pc_guard_init(_start: *mut u32, _end: *mut u32) {
    INSTRUMENTED.store(true, Ordering::Relaxed);
}

unsafe extern "C" {
    fn dlsym(handle: *mut c_void, name: *const c_char) -> *mut c_void;
    fn __errno_location() -> *mut c_int;
}

/// The C library's own function with this name.
fn original(cached: &AtomicUsize, name: &std::ffi::CStr) -> usize {
    let known = cached.load(Ordering::Relaxed);
    if known != 0 {
        return known;
    }
    const NEXT: usize = usize::MAX;
    // SAFETY: the name ends with a zero, and -1 stands for the objects behind this one.
    let found = unsafe { dlsym(NEXT as *mut c_void, name.as_ptr()) } as usize;
    cached.store(found, Ordering::Relaxed);
    found
}

/// The result of a system call as the C library returns it.
fn returned(result: i64) -> c_long {
    if (-4095..0).contains(&result) {
        // SAFETY: the place of the thread's error number is always there.
        unsafe { *__errno_location() = -result as c_int };
        return -1;
    }
    result
}

const EAGAIN: i64 = -11;
const ETIMEDOUT: i64 = -110;

/// The operations of a futex that the standard library and parking_lot use.
const WAIT: u64 = 0;
const WAKE: u64 = 1;
const WAIT_BITS: u64 = 9;
const WAKE_BITS: u64 = 10;
/// Flags of an operation: private to this process, and with the real-time clock.
const PRIVATE: u64 = 128;
const REALTIME: u64 = 256;

// SAFETY: it does what the C library's function of this name does. That takes any number of arguments; those that were not passed are
// whatever the registers and the stack of the caller hold, which is readable, and the kernel ignores them.
#[unsafe(no_mangle)]
unsafe extern "C" fn syscall(number: c_long, a: u64, b: u64, c: u64, d: u64, e: u64, f: u64) -> c_long {
    let raw = || {
        // SAFETY: the caller's arguments are those that the call requires.
        unsafe { kernel::call(number, [a, b, c, d, e, f]) }
    };
    if number != SYS_FUTEX {
        return returned(raw());
    }
    let bits = if b & 15 == WAIT_BITS || b & 15 == WAKE_BITS { f as u32 } else { u32::MAX };
    match b & !(PRIVATE | REALTIME) {
        WAIT | WAIT_BITS => match current() {
            Some(slot) => {
                // SAFETY: the time is null or one that the caller passed.
                let time = unsafe { (d as *const Time).as_ref() }.map(|time| time.as_nanoseconds());
                let deadline = match b & 15 == WAIT {
                    true => time.and_then(|time| slot.now().map(|now| now.saturating_add(time))),
                    false => {
                        time.map(|time| time.saturating_sub(start(if b & REALTIME == 0 { MONOTONIC } else { DAY })))
                    }
                };
                // SAFETY: the caller passed the address of a word.
                let word = unsafe { AtomicU32::from_ptr(a as *mut u32) };
                if word.load(Ordering::SeqCst) != c as u32 {
                    return returned(EAGAIN);
                }
                match slot.wait(On::Word { address: a as usize, value: c as u32, bits }, deadline) {
                    Woken::ByThread => 0,
                    Woken::ByTime => returned(ETIMEDOUT),
                    Woken::Released => returned(raw()),
                }
            }
            None => returned(raw()),
        },
        WAKE | WAKE_BITS => {
            let most = c as u32 as usize;
            let woken = wake(a as usize, bits, most);
            if woken >= most {
                return woken as c_long;
            }
            // SAFETY: the caller's arguments, with a smaller number.
            let others = unsafe { kernel::call(number, [a, b, (most - woken) as u64, d, e, f]) };
            returned(if others < 0 { others } else { others + woken as i64 })
        }
        _ => returned(raw()),
    }
}

// SAFETY: it does what the C library's function of this name does.
#[unsafe(no_mangle)]
unsafe extern "C" fn sched_yield() -> c_int {
    match current() {
        Some(slot) => slot.yields(),
        None => kernel::yield_now(),
    }
    0
}

const DAY: c_int = 0;
const MONOTONIC: c_int = 1;

/// The time of a system clock when it was first read.
fn start(clock: c_int) -> u64 {
    static STARTS: [OnceLock<u64>; 2] = [OnceLock::new(), OnceLock::new()];
    *STARTS[clock as usize].get_or_init(|| {
        let mut time = Time { seconds: 0, nanoseconds: 0 };
        // SAFETY: the time is there to be written to.
        unsafe { original_clock(clock, &raw mut time) };
        time.as_nanoseconds()
    })
}

/// # Safety
///
/// The time can be written to.
unsafe fn original_clock(clock: c_int, time: *mut Time) -> c_int {
    static ORIGINAL: AtomicUsize = AtomicUsize::new(0);
    let function = original(&ORIGINAL, c"clock_gettime");
    if function == 0 {
        const SYS_CLOCK_GETTIME: i64 = 228;
        // SAFETY: the caller's arguments are those that the call requires.
        return unsafe { kernel::call(SYS_CLOCK_GETTIME, [clock as u64, time as u64, 0, 0, 0, 0]) } as c_int;
    }
    // SAFETY: this is the type of the C library's function.
    let function: unsafe extern "C" fn(c_int, *mut Time) -> c_int = unsafe { std::mem::transmute(function) };
    // SAFETY: the caller's obligations are the same.
    unsafe { function(clock, time) }
}

/// Under a scheduler, time passes when it is read, and when every thread waits for it. Systems are created and checked at such times
/// as well: a clock must not go backwards.
// SAFETY: it does what the C library's function of this name does.
#[unsafe(no_mangle)]
unsafe extern "C" fn clock_gettime(clock: c_int, time: *mut Time) -> c_int {
    let time_of_runs = || match current() {
        Some(slot) => slot.now(),
        None => time_between_runs(0),
    };
    if (clock == DAY || clock == MONOTONIC)
        && let Some(now) = time_of_runs()
    {
        let _busy = Busy::begin();
        // SAFETY: the caller passed a place to write to.
        unsafe { *time = Time::of(start(clock).saturating_add(now)) };
        return 0;
    }
    // SAFETY: the caller's obligations are the same.
    unsafe { original_clock(clock, time) }
}

fn sleep(slot: &Slot, nanoseconds: u64) -> bool {
    let Some(now) = slot.now() else { return false };
    slot.wait(On::Time, Some(now.saturating_add(nanoseconds))) != Woken::Released
}

// SAFETY: it does what the C library's function of this name does.
#[unsafe(no_mangle)]
unsafe extern "C" fn nanosleep(time: *const Time, left: *mut Time) -> c_int {
    const SYS_NANOSLEEP: i64 = 35;
    // SAFETY: the caller passed a time.
    if current().is_some_and(|slot| sleep(slot, unsafe { *time }.as_nanoseconds())) {
        return 0;
    }
    // SAFETY: the caller passed a time.
    time_between_runs(unsafe { *time }.as_nanoseconds());
    // SAFETY: the caller's arguments are those that the call requires.
    returned(unsafe { kernel::call(SYS_NANOSLEEP, [time as u64, left as u64, 0, 0, 0, 0]) }) as c_int
}

// SAFETY: it does what the C library's function of this name does.
#[unsafe(no_mangle)]
unsafe extern "C" fn clock_nanosleep(clock: c_int, flags: c_int, time: *const Time, left: *mut Time) -> c_int {
    const SYS_CLOCK_NANOSLEEP: i64 = 230;
    const ABSOLUTE: c_int = 1;
    if clock == DAY || clock == MONOTONIC {
        // SAFETY: the caller passed a time.
        let time = unsafe { *time }.as_nanoseconds();
        let relative = |now: u64| match flags & ABSOLUTE {
            0 => time,
            _ => time.saturating_sub(start(clock)).saturating_sub(now),
        };
        if let Some(slot) = current() {
            if sleep(slot, relative(slot.now().unwrap_or(0))) {
                return 0;
            }
        } else if let Some(now) = time_between_runs(0) {
            let time = relative(now);
            time_between_runs(time);
            let time = Time::of(time);
            // SAFETY: the time lives until the call returns.
            let result = unsafe {
                kernel::call(SYS_CLOCK_NANOSLEEP, [clock as u64, 0, &raw const time as u64, left as u64, 0, 0])
            };
            return -result as c_int;
        }
    }
    // SAFETY: the caller's arguments are those that the call requires.
    let result =
        unsafe { kernel::call(SYS_CLOCK_NANOSLEEP, [clock as u64, flags as u64, time as u64, left as u64, 0, 0]) };
    // This function returns its error instead of setting `errno`.
    -result as c_int
}

type Start = extern "C" fn(*mut c_void) -> *mut c_void;

/// The start routine of a controlled thread, with its argument and slot.
struct Begin {
    slot: Arc<Slot>,
    start: Start,
    argument: *mut c_void,
}

extern "C" fn begin(argument: *mut c_void) -> *mut c_void {
    // SAFETY: `pthread_create` leaked it for this thread alone.
    let Begin { slot, start, argument } = *unsafe { Box::from_raw(argument.cast::<Begin>()) };
    adopt(&slot, || start(argument))
}

/// A thread that is not scheduled: its start routine and its argument.
struct Stray {
    start: Start,
    argument: *mut c_void,
}

extern "C" fn begin_stray(argument: *mut c_void) -> *mut c_void {
    // SAFETY: `pthread_create` leaked it for this thread alone.
    let Stray { start, argument } = *unsafe { Box::from_raw(argument.cast::<Stray>()) };
    let result = start(argument);
    STRAYS.fetch_sub(1, Ordering::AcqRel);
    result
}

type Create = unsafe extern "C" fn(*mut c_ulong, *const c_void, Start, *mut c_void) -> c_int;

/// Threads started by a controlled thread are controlled as well.
// SAFETY: it does what the C library's function of this name does.
#[unsafe(no_mangle)]
unsafe extern "C" fn pthread_create(
    thread: *mut c_ulong,
    attributes: *const c_void,
    start: Start,
    argument: *mut c_void,
) -> c_int {
    static ORIGINAL: AtomicUsize = AtomicUsize::new(0);
    // SAFETY: this is the type of the C library's function, which every program is linked with.
    let create: Create = unsafe { std::mem::transmute(original(&ORIGINAL, c"pthread_create")) };
    let Some(slot) = current() else {
        if !starts_stray() {
            // SAFETY: the caller's obligations are the same.
            return unsafe { create(thread, attributes, start, argument) };
        }
        let argument = Box::into_raw(Box::new(Stray { start, argument }));
        STRAYS.fetch_add(1, Ordering::AcqRel);
        // SAFETY: the caller's obligations are the same; the thread takes the box.
        let result = unsafe { create(thread, attributes, begin_stray, argument.cast()) };
        if result != 0 {
            // SAFETY: no thread has taken it.
            drop(unsafe { Box::from_raw(argument) });
            STRAYS.fetch_sub(1, Ordering::AcqRel);
        }
        return result;
    };
    let _busy = Busy::begin();
    let Some(new) = slot.spawn() else {
        // SAFETY: the caller's obligations are the same.
        return unsafe { create(thread, attributes, start, argument) };
    };
    let argument = Box::into_raw(Box::new(Begin { slot: Arc::clone(&new), start, argument }));
    // SAFETY: the caller's obligations are the same; the thread takes the box.
    let result = unsafe { create(thread, attributes, begin, argument.cast()) };
    if result == 0 {
        // SAFETY: the call has succeeded, so the handle was written.
        new.started(unsafe { *thread });
    } else {
        // SAFETY: no thread has taken it.
        drop(unsafe { Box::from_raw(argument) });
        new.never_started();
    }
    result
}

// SAFETY: it does what the C library's function of this name does.
#[unsafe(no_mangle)]
unsafe extern "C" fn pthread_join(thread: c_ulong, result: *mut *mut c_void) -> c_int {
    static ORIGINAL: AtomicUsize = AtomicUsize::new(0);
    let joins = current().filter(|slot| slot.joins(thread));
    // SAFETY: this is the type of the C library's function, which every program is linked with.
    let join: unsafe extern "C" fn(c_ulong, *mut *mut c_void) -> c_int =
        unsafe { std::mem::transmute(original(&ORIGINAL, c"pthread_join")) };
    if let Some(slot) = joins {
        slot.is_sure.store(true, Ordering::SeqCst);
    }
    // SAFETY: the caller's obligations are the same.
    let joined = unsafe { join(thread, result) };
    if let Some(slot) = joins {
        slot.is_sure.store(false, Ordering::SeqCst);
    }
    joined
}
