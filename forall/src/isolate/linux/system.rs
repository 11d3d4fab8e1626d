//! System calls that the standard library does not provide.

use std::ffi::{c_int, c_uint, c_ulong, c_void};
use std::os::fd::{AsFd, AsRawFd};
use std::ptr::NonNull;
use std::time::Duration;
use std::{fs, io, thread};

const SIGKILL: c_int = 9;

/// The maximum number of searches for processes that keep starting others.
const MOST_ROUNDS: u32 = 100;

/// Kills a process and all others of the group that it leads.
pub(super) fn kill_group(pid: u32) {
    // SAFETY: `kill` takes no pointers. The process was started by us as the leader of a group, and was not waited for
    // yet, so its id is still its own.
    unsafe { kill(-(pid as c_int), SIGKILL) };
}

/// Whether a child process has ended. It is not waited for, so its id stays its own.
pub(super) fn has_ended(pid: u32) -> bool {
    const BY_NUMBER: c_int = 1;
    const AT_ONCE_IF_ENDED_WITHOUT_WAITING: c_int = 1 | 4 | 0x0100_0000;
    // The information about a child: at most 128 bytes. The first number is a signal if there is any.
    let mut told = [0u64; 16];
    // SAFETY: the buffer is large enough.
    let result =
        unsafe { waitid(BY_NUMBER, pid as c_uint, told.as_mut_ptr().cast(), AT_ONCE_IF_ENDED_WITHOUT_WAITING) };
    result != 0 || told != [0; 16]
}

/// Makes the system kill this process when the thread that started it ends.
pub(super) fn die_with_parent() {
    const SET_SIGNAL_OF_PARENT_DEATH: c_int = 1;
    // SAFETY: it takes a number.
    unsafe { prctl(SET_SIGNAL_OF_PARENT_DEATH, SIGKILL as c_ulong) };
}

/// Excludes this memory from copies of this process that `fork` creates.
pub(super) fn keep_from_copies(at: NonNull<u8>, length: usize) {
    const NOT_FOR_COPIES: c_int = 10;
    // SAFETY: the memory does not change in this process.
    unsafe { madvise(at.as_ptr().cast(), length, NOT_FOR_COPIES) };
}

/// Ends this process immediately, without cleaning up.
pub(super) fn end_at_once() -> ! {
    // SAFETY: it takes a number.
    unsafe { _exit(0) }
}

/// Kills the processes that have this text in their initial environment. This also finds processes that a test has
/// started and that have left its group.
pub(super) fn kill_marked(mark: &str) {
    // Until there are none, because they may start others. A killed process has no environment.
    for _ in 0..MOST_ROUNDS {
        let mut found = false;
        for process in fs::read_dir("/proc").into_iter().flatten().flatten() {
            let Some(pid) = process.file_name().to_str().and_then(|name| name.parse::<c_int>().ok()) else { continue };
            let environment = fs::read(process.path().join("environ")).unwrap_or_default();
            if String::from_utf8_lossy(&environment).contains(mark) {
                // SAFETY: it takes numbers.
                unsafe { kill(pid, SIGKILL) };
                found = true;
            }
        }
        if !found {
            return;
        }
        thread::sleep(Duration::from_millis(1));
    }
}

/// The resource of a limit.
#[derive(Clone, Copy, Debug)]
pub(super) enum Resource {
    /// Writable memory of the process.
    Data = 2,
    Stack = 3,
    /// The size of a core dump.
    Core = 4,
}

/// Limits a resource of this process. Limits are never raised above the system's.
pub(super) fn limit(resource: Resource, most: u64) -> io::Result<()> {
    let mut limits = Limits { soft: 0, hard: 0 };
    // SAFETY: the buffer has space for both numbers.
    if unsafe { getrlimit(resource as c_int, &mut limits) } != 0 {
        return Err(io::Error::last_os_error());
    }
    limits.soft = c_ulong::try_from(most).unwrap_or(c_ulong::MAX).min(limits.hard);
    // SAFETY: both numbers are initialized.
    if unsafe { setrlimit(resource as c_int, &limits) } != 0 {
        return Err(io::Error::last_os_error());
    }
    Ok(())
}

/// Makes one descriptor a duplicate of another.
pub(super) fn redirect(number: c_int, to: impl AsFd) {
    // SAFETY: only the standard descriptors are replaced, which have no owner.
    unsafe { dup2(to.as_fd().as_raw_fd(), number) };
}

/// Whether a descriptor is open.
pub(super) fn is_open(number: c_int) -> bool {
    const F_GETFD: c_int = 1;
    // SAFETY: it reads a number, and has no arguments.
    unsafe { fcntl(number, F_GETFD) != -1 }
}

#[repr(C)]
struct Limits {
    soft: c_ulong,
    hard: c_ulong,
}

unsafe extern "C" {
    fn kill(process: c_int, signal: c_int) -> c_int;
    fn waitid(kind: c_int, process: c_uint, told: *mut c_void, options: c_int) -> c_int;
    fn prctl(option: c_int, ...) -> c_int;
    fn getrlimit(resource: c_int, limits: *mut Limits) -> c_int;
    fn setrlimit(resource: c_int, limits: *const Limits) -> c_int;
    fn fcntl(file: c_int, command: c_int, ...) -> c_int;
    fn dup2(from: c_int, to: c_int) -> c_int;
    fn madvise(at: *mut c_void, length: usize, advice: c_int) -> c_int;
    fn _exit(status: c_int) -> !;
}
