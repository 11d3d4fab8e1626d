//! Runs a test program with limits: it cannot run forever, use all memory, fill the disk, or leave processes behind.
//!
//! No limit depends on the load of the machine: CPU time is limited, and the time spent waiting for anything other than
//! a CPU.

use crate::{Error, interrupt, trouble};
use std::io;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::time::Duration;

/// The limits of a process.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// CPU time: ends an endless loop.
    pub processor: Duration,
    /// Time spent waiting, for a lock or another process: ends a deadlock.
    pub waiting: Duration,
    /// Bytes of memory.
    pub memory: u64,
}

/// The maximum length of a file that a test may write.
const FILE: u64 = 1 << 30;

/// The interval at which a process is sampled.
const PERIOD: Duration = Duration::from_millis(250);

/// How a process ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    /// The process succeeded.
    Passed,
    /// The process failed or crashed.
    Failed,
    /// The process exceeded a time limit.
    TimedOut,
    /// Another program killed the process, as the kernel does if memory is short.
    Killed,
    /// The user interrupted this program, which killed the process.
    Interrupted,
}

/// An ended process.
#[derive(Clone, Copy, Debug)]
pub struct Ended {
    /// How the process ended.
    pub end: End,
    /// The CPU time of the process.
    pub processor: Duration,
}

/// Applies limits to a command, and runs it in its own process group.
pub fn limit(command: &mut Command, limits: Limits) {
    command.stdin(Stdio::null());
    interrupt::ends_with_this(command);
    #[cfg(target_os = "linux")]
    {
        use std::os::unix::process::CommandExt;
        command.process_group(0);
        let seconds = seconds(limits);
        // SAFETY: the closure only makes system calls; it takes no lock and allocates no memory, so it may run between
        // fork and exec.
        unsafe {
            command.pre_exec(move || {
                system::set(system::CPU, seconds, seconds + 1);
                system::set(system::AS, limits.memory, limits.memory);
                system::set(system::FSIZE, FILE, FILE);
                system::set(system::CORE, 0, 0);
                Ok(())
            });
        }
    }
}

/// Returns the CPU time limit in whole seconds, as the system requires.
fn seconds(limits: Limits) -> u64 {
    limits.processor.as_secs_f64().ceil() as u64
}

/// Runs a limited command until it exits, without its output.
pub fn run(command: &mut Command, limits: Limits) -> Result<Ended, Error> {
    command.stdout(Stdio::null()).stderr(Stdio::null());
    to_its_end(command, limits)
}

/// Runs a limited command until it exits, and kills the processes that it left behind.
pub fn to_its_end(command: &mut Command, limits: Limits) -> Result<Ended, Error> {
    let path = command.get_program().to_owned();
    let failed = |error| trouble::no_test_program(path.as_ref(), error);
    let mut child = command.spawn().map_err(failed)?;
    let id = child.id();
    let (ended, end_comes) = mpsc::channel::<()>();
    let (stopped, status) = std::thread::scope(|scope| {
        let watcher = scope.spawn(move || {
            let mut waiting = Duration::ZERO;
            while end_comes.recv_timeout(PERIOD) == Err(RecvTimeoutError::Timeout) {
                // Samples are counted instead of clock time: on a busy machine this thread is late.
                waiting += if is_waiting(id) { PERIOD } else { Duration::ZERO };
                let is_interrupted = interrupt::came();
                if waiting > limits.waiting || is_interrupted {
                    clear(id);
                    return Some(if is_interrupted { End::Interrupted } else { End::TimedOut });
                }
            }
            None
        });
        let is_over = wait_without_reaping(&mut child);
        drop(ended);
        let stopped = watcher.join().expect("it does not panic");
        // Before the process's id can be reused.
        clear(id);
        (stopped, is_over.and_then(|()| reap(&mut child)))
    });
    let (status, processor) = status.map_err(failed)?;
    let end = match stopped {
        Some(end) => end,
        // The system measures CPU time for its limit a little differently.
        None => end(status, processor.as_secs_f64() >= 0.8 * seconds(limits) as f64),
    };
    Ok(Ended { end, processor })
}

fn end(status: ExitStatus, took_all_its_time: bool) -> End {
    #[cfg(unix)]
    {
        use std::os::unix::process::ExitStatusExt;
        match status.signal() {
            Some(SIGXCPU) => return End::TimedOut,
            // The system kills a program that ignores the first signal.
            Some(SIGKILL) if took_all_its_time => return End::TimedOut,
            Some(SIGKILL) => return End::Killed,
            _ => {}
        }
    }
    let _ = took_all_its_time;
    if status.success() { End::Passed } else { End::Failed }
}

#[cfg(unix)]
const SIGKILL: i32 = 9;
#[cfg(unix)]
const SIGXCPU: i32 = 24;

/// Returns whether no thread of a process is running or runnable.
fn is_waiting(process: u32) -> bool {
    let threads = std::fs::read_dir(format!("/proc/{process}/task")).into_iter().flatten().flatten();
    let state = |stat: String| stat.rsplit_once(") ").and_then(|(_, rest)| rest.chars().next());
    let mut states = threads.filter_map(|thread| state(std::fs::read_to_string(thread.path().join("stat")).ok()?));
    states.all(|state| state == 'S')
}

/// Waits until a process exits. Its id is not reused yet.
fn wait_without_reaping(child: &mut Child) -> io::Result<()> {
    #[cfg(target_os = "linux")]
    return system::wait(child.id());
    #[cfg(not(target_os = "linux"))]
    child.wait().map(|_| ())
}

/// Returns the exit status and the CPU time of a process that has exited.
fn reap(child: &mut Child) -> io::Result<(ExitStatus, Duration)> {
    #[cfg(target_os = "linux")]
    return system::reap(child.id());
    #[cfg(not(target_os = "linux"))]
    child.wait().map(|status| (status, Duration::ZERO))
}

/// Kills the group of a process.
fn clear(group: u32) {
    #[cfg(target_os = "linux")]
    // SAFETY: `kill` takes only integers. The process leads this group and was not reaped, so no other group has its
    // id.
    unsafe {
        system::kill(-(group as i32), SIGKILL);
    }
    #[cfg(not(target_os = "linux"))]
    let _ = group;
}

#[cfg(target_os = "linux")]
mod system {
    use std::ffi::{c_int, c_long, c_uint};
    use std::io;
    use std::os::unix::process::ExitStatusExt;
    use std::process::ExitStatus;
    use std::time::Duration;

    pub(super) const CPU: c_int = 0;
    pub(super) const FSIZE: c_int = 1;
    pub(super) const CORE: c_int = 4;
    pub(super) const AS: c_int = 9;
    const P_PID: c_int = 1;
    const EXITED_AND_LEFT: c_int = 4 | 0x0100_0000;

    #[repr(C)]
    struct Limit {
        soft: u64,
        hard: u64,
    }

    /// The resource usage of a process: user and system CPU time; other fields are not read.
    #[repr(C)]
    #[derive(Default)]
    struct Used {
        times: [[c_long; 2]; 2],
        rest: [c_long; 14],
    }

    /// Sets a limit of this process, or the highest that the system allows.
    pub(super) fn set(resource: c_int, soft: u64, hard: u64) {
        // SAFETY: the pointer refers to a live `rlimit`, which is only read.
        unsafe { setrlimit(resource, &Limit { soft, hard }) };
    }

    /// Repeats a system call while signals interrupt it.
    fn uninterrupted(mut call: impl FnMut() -> c_int) -> io::Result<()> {
        loop {
            match call() {
                -1 if io::Error::last_os_error().kind() == io::ErrorKind::Interrupted => {}
                -1 => return Err(io::Error::last_os_error()),
                _ => return Ok(()),
            }
        }
    }

    pub(super) fn wait(process: u32) -> io::Result<()> {
        // The system writes 128 bytes.
        let mut found = [0u64; 16];
        // SAFETY: the pointer refers to as many bytes as a `siginfo_t` has, with its alignment.
        uninterrupted(|| unsafe { waitid(P_PID, process, found.as_mut_ptr(), EXITED_AND_LEFT) })
    }

    pub(super) fn reap(process: u32) -> io::Result<(ExitStatus, Duration)> {
        let (mut status, mut used) = (0, Used::default());
        // SAFETY: the pointers refer to a live integer and a live `rusage`.
        uninterrupted(|| unsafe { wait4(process as c_int, &raw mut status, 0, &raw mut used) })?;
        let time = |[seconds, microseconds]: [c_long; 2]| {
            Duration::from_secs(seconds as u64) + Duration::from_micros(microseconds as u64)
        };
        Ok((ExitStatus::from_raw(status), time(used.times[0]) + time(used.times[1])))
    }

    unsafe extern "C" {
        fn setrlimit(resource: c_int, limit: *const Limit) -> c_int;
        fn waitid(kind: c_int, process: c_uint, found: *mut u64, options: c_int) -> c_int;
        fn wait4(process: c_int, status: *mut c_int, options: c_int, used: *mut Used) -> c_int;
        pub(super) fn kill(process: c_int, signal: c_int) -> c_int;
    }
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::*;

    fn ended(script: &str) -> Ended {
        let limits = Limits { processor: Duration::from_secs(1), waiting: Duration::from_millis(500), memory: 4 << 30 };
        let mut command = Command::new("sh");
        command.args(["-c", script]);
        limit(&mut command, limits);
        run(&mut command, limits).unwrap()
    }

    #[test]
    fn the_limit_that_ended_a_process_is_reported() {
        assert_eq!(ended("true").end, End::Passed);
        assert_eq!(ended("exit 101").end, End::Failed);
        assert_eq!(ended("kill -ABRT $$").end, End::Failed);
        assert_eq!(ended("kill -KILL $$").end, End::Killed);
        assert_eq!(ended("sleep 600").end, End::TimedOut, "it waits");
        let endless = ended("while :; do :; done");
        assert_eq!(endless.end, End::TimedOut, "it takes the processor");
        assert!(endless.processor >= Duration::from_millis(100), "{endless:?}");
    }

    #[test]
    fn a_process_cannot_exceed_its_memory() {
        let end = |memory: u64| {
            let limits = Limits { processor: Duration::from_secs(60), waiting: Duration::from_secs(60), memory };
            let mut command = Command::new("sh");
            // A string of 32 MiB.
            command.args(["-c", "text=$(head -c 33554432 /dev/zero | tr '\\0' x) && test ${#text} -eq 33554432"]);
            limit(&mut command, limits);
            run(&mut command, limits).unwrap().end
        };
        assert_eq!((end(4 << 30), end(32 << 20)), (End::Passed, End::Failed));
    }

    #[test]
    fn a_process_cannot_write_a_file_beyond_the_limit() {
        let path = std::env::temp_dir().join(format!("forall-file-size-{}", std::process::id()));
        // The file has only its last byte.
        let end = |at: u64| ended(&format!("dd if=/dev/zero of={} bs=1 count=1 seek={at}", path.display())).end;
        assert_eq!((end(FILE - 1), end(FILE)), (End::Passed, End::Failed));
        std::fs::remove_file(path).unwrap();
    }
}
