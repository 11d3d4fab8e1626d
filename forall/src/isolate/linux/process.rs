//! The parent's side of a child process: starts it, sends requests, waits, and handles crashes.

use super::death::{Death, LAST_WORDS};
use super::message;
use super::slate::Slate;
use super::system;
use super::system::Resource;
use crate::context::Context;
use crate::effects::{ScratchDir, scratch_dir};
use crate::isolate::text;
use std::ffi::OsString;
use std::fs::{self, File};
use std::io::{self, ErrorKind, Read};
use std::os::unix::fs::FileExt;
use std::os::unix::net::UnixStream;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant, SystemTime};

/// How long a child may take to reach its property: the test's code before that takes as long as in the parent.
const START: Duration = Duration::from_secs(60);

/// The shortest and the longest interval at which the parent checks a working child.
const LOOKS: [Duration; 2] = [Duration::from_millis(1), Duration::from_millis(50)];

/// How long a process may take to end when it is asked to or killed. Only one that waits for a device takes longer.
const LAST_MOMENTS: Duration = Duration::from_secs(5);

/// A child's output is forwarded before the test ends once it is this long.
const MUCH_OUTPUT: u64 = 16 << 20;

/// How to start the children of one run.
#[derive(Debug)]
pub(super) struct Launch {
    /// The arguments of the program.
    pub(super) arguments: Vec<OsString>,
    /// The property, and the index of the run among those of this name.
    pub(super) request: String,
    pub(super) seed: u64,
    pub(super) stack: Option<u64>,
    /// Whether each child has its own empty current directory.
    pub(super) own_cwd: bool,
    pub(super) timeout: Duration,
    /// A unique mark in the environment of the run's children, and of their descendants.
    pub(super) mark: String,
    /// The expected message of a child that has reached the property.
    pub(super) fingerprint: String,
}

impl Launch {
    /// Starts a child and waits until it has reached the property; returns an error if it does not.
    pub(super) fn start(&self, worker: usize) -> Result<Child, String> {
        let cannot = |what: &'static str| move |error: io::Error| format!("{what}: {error}");
        let (slate_path, slate_file) = new_file(true, &self.mark).map_err(cannot(
            "shared memory could not be \
                                                                                  created",
        ))?;
        let started = self.start_with(worker, &slate_path, &slate_file);
        // By now the child has opened it, or never will.
        let _ = fs::remove_file(&slate_path);
        started
    }

    fn start_with(&self, worker: usize, slate_path: &Path, slate_file: &File) -> Result<Child, String> {
        let cannot = |what: &'static str| move |error: io::Error| format!("{what}: {error}");
        let slate = Slate::new(slate_file).map_err(cannot("shared memory could not be created"))?;
        let (socket, theirs) = UnixStream::pair().map_err(cannot("the connection could not be created"))?;
        let (output_path, output) =
            new_file(false, &self.mark).map_err(cannot("the file for its output could not be created"))?;
        let _ = fs::remove_file(output_path);
        let copy = || output.try_clone().map_err(cannot("the file for its output could not be created"));
        // The link is to this very program, even if another one was built in its place.
        let mut command = Command::new("/proc/self/exe");
        if let Some(name) = std::env::args_os().next() {
            command.arg0(name);
        }
        command
            .args(&self.arguments)
            .env("FORALL_DO", format!("isolated {}.{worker}", self.request))
            .env("FORALL_SEED", self.seed.to_string())
            .env("FORALL_RUNNING", slate_path)
            .stdin(Stdio::from(std::os::fd::OwnedFd::from(theirs)))
            .stdout(Stdio::from(copy()?))
            .stderr(Stdio::from(copy()?))
            // Its descendants are killed with it.
            .process_group(0);
        let directory = self.own_cwd.then(scratch_dir).transpose();
        let directory = directory.map_err(cannot("its directory could not be created"))?;
        if let Some(directory) = &directory {
            command.current_dir(directory);
        }
        if let Some(stack) = self.stack {
            // The stack of a test's thread is set by the standard library, and that of the main thread by the system.
            command.env("RUST_MIN_STACK", stack.to_string());
            // SAFETY: between `fork` and `exec` it makes two system calls and nothing else: no allocation, no lock.
            unsafe { command.pre_exec(move || system::limit(Resource::Stack, stack)) };
        }
        let process = command.spawn().map_err(cannot("this program could not be restarted"))?;
        // Closes our copy of the child's end, so that the connection closes when the child ends.
        drop(command);
        let look = (self.timeout / 20).clamp(LOOKS[0], LOOKS[1]);
        let mut child = Child { process: Some(process), socket, slate, output, has_run: false, _directory: directory };
        child.socket.set_read_timeout(Some(look)).map_err(cannot("the connection could not be created"))?;
        let begun = Instant::now();
        match child.receive(&mut |_| begun.elapsed() >= START) {
            Ok(fingerprint) if fingerprint == self.fingerprint.as_bytes() => {
                // The harness has printed the name of the test.
                child.take_output();
                Ok(child)
            }
            Ok(_) => Err("it reached another property of the same name".to_owned()),
            Err(Silence::Gone) => {
                let death = child.bury();
                Err(text::never_came(death.how, &death.words, self.stack))
            }
            Err(Silence::TooLong) => Err(format!("it did not reach the property within {} s", START.as_secs())),
        }
    }
}

/// See [`Launch::mark`].
pub(super) fn new_mark() -> String {
    static NEXT: AtomicU64 = AtomicU64::new(0);
    // Processes in containers may have the same id.
    let time = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default().as_nanos();
    format!("forall-child-{}-{}-{time:x}", std::process::id(), NEXT.fetch_add(1, Ordering::Relaxed))
}

/// A new empty file: in memory if possible, otherwise on disk.
fn new_file(in_memory: bool, mark: &str) -> io::Result<(PathBuf, File)> {
    static NEXT: AtomicU64 = AtomicU64::new(0);
    let mut places = [PathBuf::from("/dev/shm"), std::env::temp_dir()];
    if !in_memory {
        places.reverse();
    }
    let mut last = io::Error::from(ErrorKind::NotFound);
    for place in places {
        let number = NEXT.fetch_add(1, Ordering::Relaxed);
        let path = place.join(format!("{mark}-{number}"));
        match File::options().read(true).append(true).create_new(true).open(&path) {
            Ok(file) => return Ok((path, file)),
            Err(error) => last = error,
        }
    }
    Err(last)
}

/// Why a child does not answer.
enum Silence {
    /// It has ended, or closed the connection.
    Gone,
    /// It reached the timeout.
    TooLong,
}

/// The limits for a working child.
pub(super) struct Watch<'a> {
    pub(super) context: &'a Context,
    pub(super) timeout: Duration,
    /// The same for a test that repeats itself and reports its own hangs: it needs no lower limit.
    pub(super) timeout_if_repeated: Duration,
    /// Whether it runs a block, so that the limit applies to each test.
    pub(super) block: bool,
}

/// How a request failed.
pub(super) enum Unanswered {
    /// The process had ended before: this request is not the cause.
    Before(Death),
    Died(Death),
}

/// A child process that has reached its property.
#[derive(Debug)]
pub(super) struct Child {
    /// `None` after waiting for it.
    process: Option<std::process::Child>,
    socket: UnixStream,
    pub(super) slate: Slate,
    /// Its standard output and standard error.
    output: File,
    /// Whether it has run a test.
    pub(super) has_run: bool,
    /// Its current directory, if separate. Removed when it has ended.
    _directory: Option<ScratchDir>,
}

impl Child {
    /// Sends a request, from test `index` on, and waits for the answer.
    pub(super) fn ask(&mut self, request: &[u8], index: u64, watch: &Watch<'_>) -> Result<Vec<u8>, Unanswered> {
        self.slate.clear(index);
        if message::send(&self.socket, request).is_err() {
            return Err(Unanswered::Before(self.bury()));
        }
        let (mut at, mut since, mut stopped, mut limit) = (index, Instant::now(), false, watch.timeout);
        let progress = watch.context.progress();
        let answer = self.receive(&mut |child| {
            let now = child.slate.index().load(Ordering::Relaxed);
            if watch.block && now != at {
                (at, since) = (now, Instant::now());
                // The run's watcher sees the current test.
                progress.index.store(now, Ordering::Relaxed);
            }
            if watch.context.is_abandoned() {
                child.slate.cancel().store(true, Ordering::Relaxed);
                stopped = true;
            }
            let repeats = child.slate.repetitions().load(Ordering::Relaxed) > 0;
            limit = if repeats { watch.timeout_if_repeated } else { watch.timeout };
            since.elapsed() >= limit || child.slate.hangs().load(Ordering::Relaxed) != 0
        });
        match answer {
            Ok(answer) => {
                self.pass_on();
                if self.slate.cancel().load(Ordering::Relaxed) && !stopped {
                    // The test requested it.
                    watch.context.cancel();
                }
                Ok(answer)
            }
            Err(Silence::Gone) => Err(Unanswered::Died(self.bury())),
            Err(Silence::TooLong) => {
                let words = self.last_words();
                self.kill();
                let time = match self.slate.hangs().load(Ordering::Relaxed) {
                    0 => limit,
                    by_itself => Duration::from_nanos(by_itself),
                };
                Err(Unanswered::Died(Death::hung(time, words)))
            }
        }
    }

    /// Waits for a message. `look` is called now and then, and returns an error to give up.
    fn receive(&mut self, look: &mut dyn FnMut(&Self) -> bool) -> Result<Vec<u8>, Silence> {
        let mut received = Vec::new();
        let mut length = None;
        let mut chunk = [0; 1 << 14];
        loop {
            match (&self.socket).read(&mut chunk) {
                Ok(0) => return Err(Silence::Gone),
                Ok(count) => received.extend_from_slice(&chunk[..count]),
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                Err(error) if matches!(error.kind(), ErrorKind::WouldBlock | ErrorKind::TimedOut) => {
                    if look(self) {
                        return Err(Silence::TooLong);
                    }
                    // A process that it started may hold the connection open.
                    if self.process.as_ref().is_some_and(|process| system::has_ended(process.id())) {
                        return Err(Silence::Gone);
                    }
                    if self.output.metadata().is_ok_and(|file| file.len() >= MUCH_OUTPUT) {
                        self.pass_on();
                    }
                }
                Err(_) => return Err(Silence::Gone),
            }
            if let Some(first) = received.first_chunk::<4>() {
                let expected = u32::from_le_bytes(*first) as usize;
                length = Some(expected);
                if expected > message::LONGEST {
                    return Err(Silence::Gone);
                }
            }
            if length.is_some_and(|length| received.len() >= 4 + length) {
                received.drain(..4);
                return Ok(received);
            }
        }
    }

    /// Its output since the last call.
    fn take_output(&self) -> Vec<u8> {
        let length = self.output.metadata().map_or(0, |file| file.len());
        if length == 0 {
            return Vec::new();
        }
        let mut bytes = vec![0; usize::try_from(length).unwrap_or(0)];
        let count = self.output.read_at(&mut bytes, 0).unwrap_or(0);
        bytes.truncate(count);
        // Reading starts at the beginning again: the file is append-only.
        let _ = self.output.set_len(0);
        bytes
    }

    /// Forwards the output of tests, so that a harness captures it.
    fn pass_on(&self) {
        let output = self.take_output();
        if !output.is_empty() {
            eprint!("{}", String::from_utf8_lossy(&output));
        }
    }

    /// The end of its output.
    fn last_words(&self) -> String {
        let output = self.take_output();
        let end = &output[output.len().saturating_sub(LAST_WORDS)..];
        String::from_utf8_lossy(end).into_owned()
    }

    /// How a process that does not answer ended. It is killed if it has not.
    fn bury(&mut self) -> Death {
        let ended = self.process.as_ref().is_none_or(|process| wait_for(process.id(), LAST_MOMENTS));
        let words = self.last_words();
        let status = self.kill();
        let is_cut_off = self.slate.is_cut_off();
        match status {
            Some(status) if ended && !is_cut_off => Death::of(status, words),
            _ => Death { how: text::Ended::Silent, words },
        }
    }

    /// Kills the process and its descendants, and waits for it.
    fn kill(&mut self) -> Option<std::process::ExitStatus> {
        let mut process = self.process.take()?;
        // Before waiting, so that the id of the group is still its own.
        system::kill_group(process.id());
        if wait_for(process.id(), LAST_MOMENTS) {
            return process.wait().ok();
        }
        let text = text::will_not_die(process.id());
        crate::output::print_uncaptured(&format!("forall: {text}\n"));
        None
    }
}

impl Drop for Child {
    fn drop(&mut self) {
        // It cleans up and exits. The output of its harness is not forwarded.
        let _ = self.socket.shutdown(std::net::Shutdown::Both);
        if let Some(process) = &self.process {
            wait_for(process.id(), LAST_MOMENTS / 5);
        }
        self.kill();
    }
}

/// Waits until a process has ended; returns false at the time limit.
fn wait_for(pid: u32, most: Duration) -> bool {
    let begun = Instant::now();
    let mut pause = Duration::from_micros(50);
    while !system::has_ended(pid) {
        if begun.elapsed() >= most {
            return false;
        }
        std::thread::sleep(pause);
        pause = (pause * 2).min(Duration::from_millis(5));
    }
    true
}
