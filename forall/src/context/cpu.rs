//! The CPU time of a thread, which does not depend on how busy the machine is: a test that waits for a core uses none.

use std::time::Duration;

/// Returns the CPU time that this thread has used, where the system reports it.
#[cfg(all(target_os = "linux", target_pointer_width = "64"))]
pub(super) fn of_this_thread() -> Option<Duration> {
    use std::ffi::{c_int, c_long};

    #[repr(C)]
    #[derive(Default)]
    struct Time {
        seconds: i64,
        nanoseconds: c_long,
    }
    const CLOCK_THREAD_CPUTIME_ID: c_int = 3;
    unsafe extern "C" {
        fn clock_gettime(clock: c_int, time: *mut Time) -> c_int;
    }
    let mut time = Time::default();
    // SAFETY: the declaration matches that of the C library to which the standard library links on this system, where
    // both fields of `timespec` have 64 bits. The call writes one `timespec` to a place that is valid for it.
    let result = unsafe { clock_gettime(CLOCK_THREAD_CPUTIME_ID, &raw mut time) };
    (result == 0).then(|| Duration::new(time.seconds as u64, time.nanoseconds as u32))
}

/// Returns the CPU time that this thread has used, where the system reports it.
#[cfg(not(all(target_os = "linux", target_pointer_width = "64")))]
pub(super) fn of_this_thread() -> Option<Duration> {
    None
}

#[cfg(all(test, target_os = "linux", target_pointer_width = "64"))]
mod tests {
    use super::*;

    #[test]
    fn sleeping_uses_no_cpu_time_and_computing_does() {
        let before = of_this_thread().unwrap();
        std::thread::sleep(Duration::from_millis(30));
        let slept = of_this_thread().unwrap();
        assert!(slept - before < Duration::from_millis(30));
        while of_this_thread().unwrap() - slept < Duration::from_millis(5) {
            std::hint::spin_loop();
        }
    }
}
