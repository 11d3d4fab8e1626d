//! The process of a server, and the lines that go back and forth.

use super::Error;
use super::process::{self, Group};
use super::watchdog::Watchdog;
use crate::protocol::{FAILURE, OK};
use std::fmt;
use std::io::{BufRead, BufReader, Read, Write};
use std::os::unix::process::ExitStatusExt;
use std::process::{Child, ChildStdin, ChildStdout, Command, ExitStatus, Stdio};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

/// An answer that is longer comes from something that is no server.
const LONGEST_ANSWER: u64 = 256 << 20;

/// As much of what a server says on its standard error is kept.
const LONGEST_COMPLAINT: u64 = 64 << 10;

/// How long a server may take to end when its input ends.
const FAREWELL: Duration = Duration::from_secs(2);

/// How a server is started, and how long it may take.
///
/// ```
/// use forall_futhark::client::Options;
/// use std::time::Duration;
/// let options = Options::default().timeout(Duration::from_secs(2)).argument("--tuning=file");
/// # let _ = options;
/// ```
#[derive(Clone, Debug)]
pub struct Options {
    arguments: Vec<String>,
    timeout: Option<Duration>,
    runner: Option<String>,
    directory: Option<std::path::PathBuf>,
    environment: Vec<(String, String)>,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            arguments: Vec::new(),
            timeout: Some(Duration::from_secs(300)),
            runner: None,
            directory: None,
            environment: Vec::new(),
        }
    }
}

impl Options {
    /// One more word for the server's command line.
    ///
    /// ```
    /// # use forall_futhark::client::Options;
    /// let options = Options::default().argument("-L");
    /// # let _ = options;
    /// ```
    pub fn argument(mut self, word: impl Into<String>) -> Self {
        self.arguments.push(word.into());
        self
    }

    /// The longest that one command may take; five minutes if nothing is said. A server that takes longer is killed.
    ///
    /// ```
    /// # use forall_futhark::client::Options;
    /// let options = Options::default().timeout(std::time::Duration::from_millis(100));
    /// # let _ = options;
    /// ```
    pub fn timeout(mut self, timeout: Duration) -> Self {
        self.timeout = Some(timeout);
        self
    }

    /// A program that runs the server, such as an emulator: it is called with the server's path and arguments.
    ///
    /// ```
    /// # use forall_futhark::client::Options;
    /// let options = Options::default().runner("valgrind");
    /// # let _ = options;
    /// ```
    pub fn runner(mut self, program: impl Into<String>) -> Self {
        self.runner = Some(program.into()).filter(|program| !program.is_empty());
        self
    }

    /// A variable of the server's environment.
    ///
    /// ```
    /// # use forall_futhark::client::Options;
    /// let options = Options::default().variable("LD_LIBRARY_PATH", "lib");
    /// # let _ = options;
    /// ```
    pub fn variable(mut self, name: impl Into<String>, value: impl Into<String>) -> Self {
        self.environment.push((name.into(), value.into()));
        self
    }

    /// Where it runs: file names in commands are relative to it.
    ///
    /// ```
    /// # use forall_futhark::client::Options;
    /// let options = Options::default().directory("/tmp");
    /// # let _ = options;
    /// ```
    pub fn directory(mut self, directory: impl Into<std::path::PathBuf>) -> Self {
        self.directory = Some(directory.into());
        self
    }
}

/// The server said no, and goes on.
///
/// ```
/// use forall_futhark::client::Refused;
/// let refused = Refused {
///     command: "call f out x".into(),
///     before: vec!["runtime: 12".into()],
///     message: vec!["Error: division by zero".into()],
/// };
/// assert!(refused.is_runtime_error());
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refused {
    /// What was asked.
    pub command: String,
    /// What it said before it failed.
    pub before: Vec<String>,
    /// What went wrong.
    pub message: Vec<String>,
}

impl Refused {
    /// Whether the program itself failed while it ran: the server then says how long it ran before it says no.
    ///
    /// ```
    /// use forall_futhark::client::Refused;
    /// let unknown = Refused { command: "free x".into(), before: vec![], message: vec!["Unknown variable: x".into()] };
    /// assert!(!unknown.is_runtime_error());
    /// ```
    pub fn is_runtime_error(&self) -> bool {
        self.before.iter().any(|line| line.starts_with("runtime: "))
    }
}

impl fmt::Display for Refused {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "the server refused `{}`: {}", self.command, self.message.join("\n"))
    }
}

/// Why a server is gone.
///
/// ```
/// use forall_futhark::client::Why;
/// assert_eq!(Why::Ended.to_string(), "it ended");
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Why {
    /// It ended by itself, or closed its output.
    Ended,
    /// It took longer than one call may, and was killed.
    TimedOut(Duration),
    /// The time for all that it is asked was up, so long after it was asked last, and it was killed.
    OutOfTime(Duration),
    /// Its answer was no answer.
    Garbled(String),
}

impl fmt::Display for Why {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Ended => f.write_str("it ended"),
            Self::TimedOut(after) => {
                write!(f, "it gave no answer within {after:.1?} and was killed; --call-timeout allows more")
            }
            Self::OutOfTime(after) => {
                write!(f, "all time was up {after:.1?} later, and it was killed; --timeout gives it more")
            }
            Self::Garbled(what) => write!(f, "its answer makes no sense: {what}"),
        }
    }
}

/// The server is gone, and what is known about it.
///
/// ```
/// use forall_futhark::client::{Connection, Error, Options, Why};
/// let Err(Error::Lost(lost)) = Connection::start("false", &Options::default()) else { panic!() };
/// assert_eq!((lost.why, lost.status.unwrap().code()), (Why::Ended, Some(1)));
/// ```
#[derive(Clone, Debug)]
pub struct Lost {
    /// The last thing that was asked; empty if nothing was.
    pub command: String,
    /// Why it is gone.
    pub why: Why,
    /// How its process ended.
    pub status: Option<ExitStatus>,
    /// What it said of the answer, before the end.
    pub partial: Vec<String>,
    /// What it said on its standard error.
    pub stderr: String,
}

impl Lost {
    /// Whether it was killed because its time was up.
    ///
    /// ```
    /// use forall_futhark::client::{Connection, Error, Options};
    /// let hasty = Options::default().timeout(std::time::Duration::from_millis(50)).argument("5");
    /// let Err(Error::Lost(lost)) = Connection::start("sleep", &hasty) else { panic!() };
    /// assert!(lost.is_timeout());
    /// ```
    pub fn is_timeout(&self) -> bool {
        matches!(self.why, Why::TimedOut(_) | Why::OutOfTime(_))
    }
}

impl fmt::Display for Lost {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &*self.command {
            "" => f.write_str("the server was lost when it started")?,
            command => write!(f, "the server was lost after `{}`", shortened(command))?,
        }
        write!(f, ": {}", self.why)?;
        match self.status {
            Some(status) if status.signal().is_some() && self.why != Why::Ended => {}
            Some(status) => write!(f, " ({status})")?,
            None => {}
        }
        if !self.partial.is_empty() {
            write!(f, "\nIts answer so far:\n{}", self.partial.join("\n"))?;
        }
        if !self.stderr.trim().is_empty() {
            write!(f, "\nServer stderr:\n{}", self.stderr.trim_end())?;
        }
        Ok(())
    }
}

/// A server that runs.
///
/// It is in a process group of its own, which is killed when a deadline passes and when the connection is dropped: no process is
/// left behind.
///
/// ```no_run
/// use forall_futhark::client::{Connection, Options};
/// let mut server = Connection::start("./program", &Options::default()).unwrap();
/// let names = server.ask(&["entry_points"]).unwrap();
/// # let _ = names;
/// ```
pub struct Connection {
    child: Child,
    group: Group,
    input: Option<ChildStdin>,
    output: BufReader<ChildStdout>,
    complaints: Arc<Mutex<Vec<u8>>>,
    listener: Option<JoinHandle<()>>,
    watchdog: Watchdog,
    timeout: Option<Duration>,
    /// How long what is being done may take.
    limit: Duration,
    /// The whole run ends here, however long single commands may take.
    ends: Option<Instant>,
    lost: Option<Lost>,
}

impl Connection {
    /// Starts a server and waits until it is ready.
    ///
    /// ```
    /// use forall_futhark::client::{Connection, Error, Options};
    /// let Err(Error::Impossible(why)) = Connection::start("./no-such-program", &Options::default()) else { panic!() };
    /// assert!(why.contains("./no-such-program"));
    /// ```
    pub fn start(program: &str, options: &Options) -> Result<Self, Error> {
        let mut command = match &options.runner {
            Some(runner) => {
                let mut command = Command::new(runner);
                command.arg(program);
                command
            }
            None => Command::new(program),
        };
        command.args(&options.arguments).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        command.envs(options.environment.iter().map(|(name, value)| (name, value)));
        if let Some(directory) = &options.directory {
            command.current_dir(directory);
        }
        let (mut child, group) = process::start(command).map_err(|error| {
            Error::Impossible(match &options.runner {
                Some(runner) => format!("cannot start the runner {runner}: {error}"),
                None => format!("cannot start {program}: {error}"),
            })
        })?;
        let (input, output, errors) = (child.stdin.take(), child.stdout.take(), child.stderr.take());
        let (Some(output), Some(errors)) = (output, errors) else {
            return Err(Error::Impossible(format!("cannot speak to {program}")));
        };
        let complaints = Arc::new(Mutex::new(Vec::new()));
        let listener = listen(errors, complaints.clone());
        let watchdog = Watchdog::new(group.0);
        let mut connection = Self {
            child,
            group,
            input,
            output: BufReader::with_capacity(1 << 16, output),
            complaints,
            listener,
            watchdog,
            timeout: options.timeout,
            limit: Duration::ZERO,
            ends: None,
            lost: None,
        };
        connection.begin();
        let ready = connection.answer("");
        connection.watchdog.set(None);
        ready?;
        Ok(connection)
    }

    /// When everything is to end; the server is killed then.
    ///
    /// ```no_run
    /// # use forall_futhark::client::{Connection, Options};
    /// # use std::time::{Duration, Instant};
    /// let mut server = Connection::start("./program", &Options::default()).unwrap();
    /// server.ends_at(Some(Instant::now() + Duration::from_secs(300)));
    /// ```
    pub fn ends_at(&mut self, instant: Option<Instant>) {
        self.ends = instant;
    }

    /// Sends a command and waits for its answer.
    ///
    /// ```no_run
    /// # use forall_futhark::client::{Connection, Options};
    /// let mut server = Connection::start("./program", &Options::default()).unwrap();
    /// assert_eq!(server.ask(&["kind", "i32"]).unwrap(), ["primitive"]);
    /// ```
    pub fn ask(&mut self, words: &[&str]) -> Result<Vec<String>, Error> {
        let line = crate::protocol::join(words).ok_or_else(|| unspeakable(words))?;
        self.ask_all(std::slice::from_ref(&line)).pop().unwrap_or_else(|| Ok(Vec::new()))
    }

    /// Sends several lines at once, then reads their answers: a server that is busy with the first finds the next waiting.
    ///
    /// One answer for each line, up to the one that the server was lost at.
    ///
    /// ```no_run
    /// # use forall_futhark::client::{Connection, Options};
    /// let mut server = Connection::start("./program", &Options::default()).unwrap();
    /// let answers = server.ask_all(&["call f a x".to_owned(), "call f b y".to_owned()]);
    /// assert_eq!(answers.len(), 2);
    /// ```
    pub fn ask_all(&mut self, lines: &[String]) -> Vec<Result<Vec<String>, Error>> {
        let mut answers = Vec::with_capacity(lines.len());
        if let Some(lost) = &self.lost {
            answers.push(Err(lost.clone().into()));
            return answers;
        }
        let mut text = String::with_capacity(lines.iter().map(|line| line.len() + 1).sum());
        for line in lines {
            text += line;
            text.push('\n');
        }
        self.begin();
        // If it is gone already, its output has ended: reading says more than the error of writing.
        let written = self.input.as_mut().map(|input| input.write_all(text.as_bytes()).and_then(|()| input.flush()));
        drop(written);
        for line in lines {
            let answer = self.answer(line);
            let is_lost = matches!(answer, Err(Error::Lost(_)));
            answers.push(answer);
            if is_lost {
                break;
            }
            self.begin();
        }
        self.watchdog.set(None);
        answers
    }

    /// Whether it can still be spoken to.
    ///
    /// ```no_run
    /// # use forall_futhark::client::{Connection, Options};
    /// let server = Connection::start("./program", &Options::default()).unwrap();
    /// assert!(server.is_alive());
    /// ```
    pub fn is_alive(&self) -> bool {
        self.lost.is_none()
    }

    /// How it was lost, if it was.
    ///
    /// ```no_run
    /// # use forall_futhark::client::{Connection, Options};
    /// let server = Connection::start("./program", &Options::default()).unwrap();
    /// assert!(server.loss().is_none());
    /// ```
    pub fn loss(&self) -> Option<&Lost> {
        self.lost.as_ref()
    }

    /// Ends the server by closing its input, and waits for it.
    ///
    /// ```no_run
    /// # use forall_futhark::client::{Connection, Options};
    /// let server = Connection::start("./program", &Options::default()).unwrap();
    /// assert!(server.stop().unwrap().success());
    /// ```
    pub fn stop(mut self) -> Option<ExitStatus> {
        self.farewell()
    }

    fn begin(&mut self) {
        let now = Instant::now();
        let left = self.ends.map(|ends| ends.saturating_duration_since(now));
        let limit = match (self.timeout, left) {
            (Some(own), Some(left)) => Some(own.min(left)),
            (own, left) => own.or(left),
        };
        self.limit = limit.unwrap_or_default();
        self.watchdog.set(limit.map(|limit| now + limit));
    }

    /// Reads the answer to a command.
    fn answer(&mut self, command: &str) -> Result<Vec<String>, Error> {
        let mut lines: Vec<String> = Vec::new();
        let mut failed_at = None;
        let mut left = LONGEST_ANSWER;
        loop {
            let mut line = Vec::new();
            let read = (&mut self.output).take(left).read_until(b'\n', &mut line);
            if !line.ends_with(b"\n") {
                let why = match read {
                    Ok(_) if line.len() as u64 == left => Why::Garbled("it has no end".to_owned()),
                    _ => Why::Ended,
                };
                if !line.is_empty() {
                    lines.push(shown(&line));
                }
                return Err(self.lose(command, why, lines).into());
            }
            left -= line.len() as u64;
            line.pop();
            let Ok(line) = String::from_utf8(line) else {
                return Err(self.lose(command, Why::Garbled("it is not UTF-8".to_owned()), lines).into());
            };
            match &*line {
                OK => break,
                FAILURE if failed_at.is_none() => failed_at = Some(lines.len()),
                _ => lines.push(line),
            }
        }
        match failed_at {
            None => Ok(lines),
            Some(at) => {
                let message = lines.split_off(at);
                Err(Refused { command: command.to_owned(), before: lines, message }.into())
            }
        }
    }

    /// The server is gone: ends what is left of it, and remembers why.
    fn lose(&mut self, command: &str, why: Why, mut partial: Vec<String>) -> Lost {
        self.group.kill();
        self.group.forget();
        self.input = None;
        let status = self.child.wait().ok();
        if let Some(listener) = self.listener.take() {
            let _ = listener.join();
        }
        let why = match (self.watchdog.has_passed(), self.ends) {
            (true, Some(ends)) if Instant::now() >= ends => Why::OutOfTime(self.limit),
            (true, _) => Why::TimedOut(self.limit),
            _ => why,
        };
        partial.truncate(20);
        let stderr = self.complaints.lock().unwrap_or_else(PoisonError::into_inner);
        let stderr = String::from_utf8_lossy(&stderr).into_owned();
        let lost = Lost { command: command.to_owned(), why, status, partial, stderr };
        self.lost = Some(lost.clone());
        lost
    }

    fn farewell(&mut self) -> Option<ExitStatus> {
        self.input = None;
        self.group.forget();
        let deadline = Instant::now() + FAREWELL;
        loop {
            match self.child.try_wait() {
                Ok(Some(status)) => return Some(status),
                Ok(None) if Instant::now() < deadline => std::thread::sleep(Duration::from_millis(1)),
                _ => return None,
            }
        }
    }
}

impl Drop for Connection {
    fn drop(&mut self) {
        self.input = None;
        self.group.kill();
        self.group.forget();
        let _ = self.child.wait();
    }
}

/// Words that make no line.
pub(super) fn unspeakable(words: &[&str]) -> Error {
    Error::Impossible(format!(
        "the protocol cannot say {words:?}: leave quotes and line ends out, they have no form in it"
    ))
}

/// A command with many words, without most of them.
fn shortened(command: &str) -> String {
    let words: Vec<&str> = command.split(' ').collect();
    match words.len() {
        0..=12 => command.to_owned(),
        many => format!("{} … ({} words more)", words[..8].join(" "), many - 8),
    }
}

/// What can be shown of bytes that were to be a line.
fn shown(bytes: &[u8]) -> String {
    String::from_utf8_lossy(&bytes[..bytes.len().min(200)]).into_owned()
}

/// Keeps what the server says on its standard error, and goes on reading when there is too much, or it would wait.
fn listen(mut errors: impl Read + Send + 'static, to: Arc<Mutex<Vec<u8>>>) -> Option<JoinHandle<()>> {
    let hear = move || {
        let mut piece = [0; 4096];
        while let Ok(read @ 1..) = errors.read(&mut piece) {
            let mut kept = to.lock().unwrap_or_else(PoisonError::into_inner);
            let room = LONGEST_COMPLAINT as usize - kept.len();
            kept.extend_from_slice(&piece[..read.min(room)]);
        }
    };
    std::thread::Builder::new().name("server stderr".into()).spawn(hear).ok()
}
