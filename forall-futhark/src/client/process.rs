//! Child processes that end with this process: servers and compilers.
//!
//! On Linux the system kills them when this process ends for any reason. This is tied to the thread that starts a
//! child, not to the whole process, so one thread that lives as long as the process starts all children. On a signal to
//! stop, call [`stop_all`]: threads that wait for a child then see it end.

use rustix::process::{Pid, Signal, WaitId, WaitIdOptions, kill_process_group, waitid};
use std::io;
use std::os::unix::process::CommandExt;
use std::process::{Child, Command};
use std::sync::mpsc::{Sender, channel};
use std::sync::{Mutex, MutexGuard, OnceLock, PoisonError};
use std::time::{Duration, Instant};

/// The error after [`stop_all`].
pub(crate) const STOPPED: &str = "the run was interrupted";

struct Running {
    is_stopping: bool,
    groups: Vec<Pid>,
}

static RUNNING: Mutex<Running> = Mutex::new(Running { is_stopping: false, groups: Vec::new() });

fn running() -> MutexGuard<'static, Running> {
    RUNNING.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Kills all servers and compilers of this process, and prevents it from starting more. Running tests end soon, with
/// the results so far. Call this when the program receives a signal to stop.
///
/// ```standalone_crate
/// use forall_futhark::client::{Connection, Error, Options, stop_all};
/// stop_all();
/// let Err(Error::Impossible(why)) = Connection::start("cat", &Options::default()) else { panic!() };
/// assert!(why.contains("interrupted"));
/// ```
pub fn stop_all() {
    let mut running = running();
    running.is_stopping = true;
    for group in &running.groups {
        // The process group may have ended by itself in the meantime.
        let _ = kill_process_group(*group, Signal::KILL);
    }
}

/// Returns whether [`stop_all`] was called.
pub(crate) fn is_stopping() -> bool {
    running().is_stopping
}

/// A process group of one child.
pub(crate) struct Group(pub(crate) Pid);

impl Group {
    pub(crate) fn kill(&self) {
        // The process group may have ended by itself in the meantime.
        let _ = kill_process_group(self.0, Signal::KILL);
    }

    /// Returns whether the child exits within this time. The child must still be reaped.
    pub(crate) fn ends_within(&self, time: Duration) -> bool {
        let until = Instant::now() + time;
        let how = WaitIdOptions::EXITED | WaitIdOptions::NOHANG | WaitIdOptions::NOWAIT;
        loop {
            match waitid(WaitId::Pid(self.0), how) {
                Ok(Some(_)) => return true,
                Ok(None) if Instant::now() < until => std::thread::sleep(Duration::from_millis(1)),
                _ => return false,
            }
        }
    }

    /// Forgets the process group. Call this before the child is reaped: afterwards its process id may be reused.
    pub(crate) fn forget(&self) {
        running().groups.retain(|group| *group != self.0);
    }
}

/// Starts a process in its own process group.
pub(crate) fn start(mut command: Command) -> io::Result<(Child, Group)> {
    if is_stopping() {
        return Err(io::Error::other(STOPPED));
    }
    command.process_group(0);
    let mut child = spawn(command)?;
    // Process ids are positive and fit.
    let group = i32::try_from(child.id()).ok().and_then(Pid::from_raw).ok_or(io::ErrorKind::Unsupported)?;
    let mut running = running();
    if running.is_stopping {
        let _ = kill_process_group(group, Signal::KILL);
        drop(running);
        let _ = child.wait();
        return Err(io::Error::other(STOPPED));
    }
    running.groups.push(group);
    Ok((child, Group(group)))
}

type Request = (Command, Sender<io::Result<Child>>);

/// Starts a process from the long-lived thread, or from this one if there is none.
fn spawn(mut command: Command) -> io::Result<Child> {
    static STARTER: OnceLock<Mutex<Sender<Request>>> = OnceLock::new();
    let starter = STARTER.get_or_init(|| {
        let (sender, requests) = channel::<Request>();
        let work = move || {
            for (mut command, answer) in requests {
                end_with_this_process(&mut command);
                // The requesting thread may be gone.
                let _ = answer.send(command.spawn());
            }
        };
        // Without the thread, sending returns the request.
        drop(std::thread::Builder::new().name("starts processes".into()).spawn(work));
        Mutex::new(sender)
    });
    let (answer, answers) = channel();
    let sent = starter.lock().unwrap_or_else(PoisonError::into_inner).send((command, answer));
    if let Err(back) = sent {
        command = back.0.0;
        return command.spawn();
    }
    // The thread lives as long as this program.
    answers.recv().unwrap_or_else(|_| Err(io::ErrorKind::BrokenPipe.into()))
}

#[cfg(target_os = "linux")]
fn end_with_this_process(command: &mut Command) {
    let parent = std::process::id();
    let before = move || {
        rustix::process::set_parent_process_death_signal(Some(Signal::KILL))?;
        // The parent may have ended before this call.
        match std::os::unix::process::parent_id() == parent {
            true => Ok(()),
            false => Err(io::Error::from(io::ErrorKind::NotFound)),
        }
    };
    // SAFETY: between fork and exec the closure makes only two system calls, and allocates nothing.
    unsafe { command.pre_exec(before) };
}

#[cfg(not(target_os = "linux"))]
fn end_with_this_process(_: &mut Command) {}
