//! The process of a server, and the line protocol.

use super::Error;
use super::failures::{Lost, Refused, Why};
use super::process::{self, Group};
use super::server::Echo;
use super::watchdog::Watchdog;
use crate::protocol::{FAILURE, OK};
use std::io::{BufRead, BufReader, Read, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, ExitStatus, Stdio};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

/// The line that ends an answer, and the line that reports a failed command.
const OK_LINE: &[u8] = OK.as_bytes();
const FAILURE_LINE: &[u8] = FAILURE.as_bytes();

/// The maximum length of an answer: no real server sends a longer one.
const LONGEST_ANSWER: u64 = 256 << 20;

/// The maximum number of bytes kept of a server's standard error.
const LONGEST_COMPLAINT: u64 = 64 << 10;

/// The time that a server may take to exit after the end of its input.
const FAREWELL: Duration = Duration::from_secs(2);

/// The time that a server may take to exit after the end of its output, before it is killed.
const LAST_MOMENTS: Duration = Duration::from_millis(500);

/// The longest wait that is not slept through: falling asleep and waking up takes about as long.
const SHORT: Duration = Duration::from_micros(80);

/// The maximum number of commands in a short exchange; longer exchanges sleep while the server works.
const LONG_EXCHANGE: usize = 16;

/// The number of answers at the end of an exchange that are awaited one by one.
const FEW_ANSWERS: u32 = 3;

/// The command that starts a server, and its time limits.
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
    /// Adds an argument to the server's command line.
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

    /// Sets the time limit of one command; five minutes by default. A server that takes longer is killed.
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

    /// Sets a wrapper program, such as an emulator, which is called with the server's path and arguments.
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

    /// Sets a variable of the server's environment.
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

    /// Sets the working directory. File names in commands are relative to it.
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

/// A running server.
///
/// The server has its own process group, which is killed when a deadline passes and when the connection is dropped, so
/// that no process is left behind.
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
    /// The deadline of the current command.
    limit: Duration,
    /// The deadline of the whole run.
    ends: Option<Instant>,
    lost: Option<Lost>,
    /// The lines to send.
    outgoing: String,
    /// The lines of the current answer, without the final one.
    said: Vec<u8>,
    /// The last answered command.
    last: String,
    /// The shortest recent time per command of a long exchange.
    pace: Duration,
    /// The number of outstanding answers of a long exchange.
    unanswered: u32,
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
            outgoing: String::new(),
            said: Vec::new(),
            last: String::new(),
            pace: Duration::ZERO,
            unanswered: 0,
        };
        connection.begin();
        let ready = connection.answer("");
        connection.watchdog.set(None);
        ready?;
        Ok(connection)
    }

    /// Sets the deadline of the whole run, at which the server is killed.
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

    /// Sends several lines at once, then reads their answers. The server finds the next line waiting when it finishes
    /// one.
    ///
    /// Returns one answer per line, up to the one at which the server was lost.
    ///
    /// ```no_run
    /// # use forall_futhark::client::{Connection, Options};
    /// let mut server = Connection::start("./program", &Options::default()).unwrap();
    /// let answers = server.ask_all(&["call f a x".to_owned(), "call f b y".to_owned()]);
    /// assert_eq!(answers.len(), 2);
    /// ```
    pub fn ask_all(&mut self, lines: &[String]) -> Vec<Result<Vec<String>, Error>> {
        let mut answers = Vec::with_capacity(lines.len());
        let mut text = String::with_capacity(lines.iter().map(|line| line.len() + 1).sum());
        for line in lines {
            text += line;
            text.push('\n');
        }
        if let Err(lost) = self.send([&*text]) {
            answers.push(Err(lost));
            return answers;
        }
        for line in lines {
            let answer = self.answer(line);
            let is_lost = matches!(answer, Err(Error::Lost(_)));
            answers.push(answer);
            if is_lost {
                break;
            }
        }
        self.done(lines.last().map_or("", String::as_str));
        answers
    }

    /// Sends pieces of text that together are whole lines. Read the answer of each line with [`answer`](Self::answer)
    /// or [`is_done`](Self::is_done), then call [`done`](Self::done).
    pub(super) fn send<'t>(&mut self, text: impl IntoIterator<Item = &'t str>) -> Result<(), Error> {
        if let Some(lost) = &self.lost {
            return Err(lost.clone().into());
        }
        self.is_silent()?;
        self.begin();
        // If the server has exited, its output has ended: the read error is more informative than the write error.
        self.outgoing.clear();
        text.into_iter().for_each(|piece| self.outgoing += piece);
        let written = self.input.as_mut().map(|input| input.write_all(self.outgoing.as_bytes()));
        drop(written);
        // The time of the first answer begins when it is read: the caller may work or sleep until then.
        self.watchdog.set(None);
        Ok(())
    }

    /// Sleeps until most of these commands, sent at that time, should be done. Waking up for each answer costs both
    /// processes more than the answer itself.
    pub(super) fn let_it_work(&mut self, commands: usize, sent: Instant) {
        if commands <= LONG_EXCHANGE {
            return;
        }
        self.unanswered = u32::try_from(commands).unwrap_or(0);
        let left = (self.pace * self.unanswered / 8 * 7).saturating_sub(sent.elapsed());
        // A server that hangs meanwhile is given at most twice its time.
        let left = if self.limit.is_zero() { left } else { left.min(self.limit) };
        if left > SHORT {
            std::thread::sleep(left);
        }
    }

    /// Records the total time that this many commands took.
    pub(super) fn note_pace(&mut self, commands: usize, took: Duration) {
        if commands <= LONG_EXCHANGE {
            return;
        }
        let own = took / u32::try_from(commands).unwrap_or(1).max(1);
        // The shortest time is used, so that a sleep is never too long; it grows slowly, since candidates differ.
        self.pace = if self.pace.is_zero() { own } else { own.min(self.pace + self.pace / 16) };
    }

    /// Records that all commands have been answered; `last` was the last command.
    pub(super) fn done(&mut self, last: &str) {
        self.unanswered = 0;
        self.watchdog.set(None);
        self.last.clear();
        self.last.push_str(last);
    }

    /// Checks that the server has sent no unexpected output: otherwise answers would be attributed to other commands.
    pub(super) fn is_silent(&mut self) -> Result<(), Error> {
        if self.output.buffer().is_empty() {
            return Ok(());
        }
        let more = shown(self.output.buffer().split(|byte| *byte == b'\n').next().unwrap_or_default());
        let last = std::mem::take(&mut self.last);
        Err(self.distrust(&last, "there is more after its end", vec![more]))
    }

    /// Ends a server that violates the protocol.
    pub(super) fn distrust(&mut self, command: &str, why: &str, said: Vec<String>) -> Error {
        match &self.lost {
            Some(lost) => lost.clone().into(),
            None => self.lose(command, Why::Garbled(why.to_owned()), said).into(),
        }
    }

    /// Returns whether the server is alive.
    ///
    /// ```no_run
    /// # use forall_futhark::client::{Connection, Options};
    /// let server = Connection::start("./program", &Options::default()).unwrap();
    /// assert!(server.is_alive());
    /// ```
    pub fn is_alive(&self) -> bool {
        self.lost.is_none()
    }

    /// Returns the loss of the server, if it was lost.
    ///
    /// ```no_run
    /// # use forall_futhark::client::{Connection, Options};
    /// let server = Connection::start("./program", &Options::default()).unwrap();
    /// assert!(server.loss().is_none());
    /// ```
    pub fn loss(&self) -> Option<&Lost> {
        self.lost.as_ref()
    }

    /// Closes the server's input, and waits for the server to exit.
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
    pub(super) fn answer(&mut self, command: &str) -> Result<Vec<String>, Error> {
        self.is_done(command)?;
        Ok(self.said_lines().unwrap_or_default())
    }

    /// Reads the answer to a command, and returns an error if the command failed. Other output is in `said`.
    pub(super) fn is_done(&mut self, command: &str) -> Result<(), Error> {
        // Output that has already arrived needs no deadline.
        if self.output.buffer().is_empty() {
            self.begin();
            // Sleeping once is cheaper than waking up for each answer.
            let left = self.pace * self.unanswered;
            if self.unanswered > FEW_ANSWERS && left <= SHORT {
                std::thread::sleep(left);
            }
        }
        self.unanswered = self.unanswered.saturating_sub(1);
        self.said.clear();
        if let Some(length) = plain_answer(self.output.buffer()) {
            let said = length - OK_LINE.len() - 1;
            self.said.extend_from_slice(&self.output.buffer()[..said]);
            self.output.consume(length);
            return Ok(());
        }
        let mut failed_at = None;
        loop {
            let start = self.said.len();
            let left = LONGEST_ANSWER - start as u64;
            let read = (&mut self.output).take(left).read_until(b'\n', &mut self.said);
            let line = &self.said[start..];
            if !line.ends_with(b"\n") {
                let why = match read {
                    Ok(_) if line.len() as u64 == left => Why::Garbled("it has no end".to_owned()),
                    _ => Why::Ended,
                };
                let unfinished = if line.is_empty() { None } else { Some(shown(line)) };
                self.said.truncate(start);
                let mut lines = self.said_lines().unwrap_or_default();
                lines.extend(unfinished);
                return Err(self.lose(command, why, lines).into());
            }
            if std::str::from_utf8(line).is_err() {
                return Err(self.lose(command, Why::Garbled("it is not UTF-8".to_owned()), Vec::new()).into());
            }
            match &line[..line.len() - 1] {
                OK_LINE => {
                    self.said.truncate(start);
                    break;
                }
                FAILURE_LINE if failed_at.is_none() => {
                    self.said.truncate(start);
                    failed_at = Some(start);
                }
                _ => {}
            }
        }
        let Some(at) = failed_at else { return Ok(()) };
        let message = lines_of(&self.said[at..]).unwrap_or_default();
        let before = lines_of(&self.said[..at]).unwrap_or_default();
        Err(Refused { command: command.to_owned(), before, message }.into())
    }

    /// Checks that the last answer was a success without other output.
    pub(super) fn says_nothing(&mut self, command: &str) -> Result<(), Error> {
        if self.said.is_empty() {
            return Ok(());
        }
        let said = self.said_lines().unwrap_or_default();
        Err(self.distrust(command, "expected only `%%% OK`", said))
    }

    /// Reads the answer to the echo command at the end of an exchange, and checks it.
    pub(super) fn is_echo(&mut self, echo: &Echo) -> Result<(), Error> {
        let command = echo.line.trim_end();
        if !command.is_empty() {
            let said = match self.is_done(command) {
                Err(Error::Refused(refused)) => refused.message,
                done => done.map(|()| self.said_lines().unwrap_or_default())?,
            };
            if said != echo.expected {
                return Err(self.distrust(
                    command,
                    "the same command had another answer before, so answers do not match commands",
                    said,
                ));
            }
        }
        self.done(command);
        self.is_silent()
    }

    /// Returns the text of the last answer; `None` if it is not UTF-8.
    fn said_lines(&self) -> Option<Vec<String>> {
        lines_of(&self.said)
    }

    /// Cleans up after a lost server, and records the reason.
    fn lose(&mut self, command: &str, why: Why, mut partial: Vec<String>) -> Lost {
        self.input = None;
        // The exit status is reported only if the server ended by itself.
        let is_killed = self.watchdog.has_passed() || process::is_stopping();
        let by_itself = why == Why::Ended && !is_killed && self.group.ends_within(LAST_MOMENTS);
        self.group.kill();
        self.group.forget();
        let status = self.child.wait().ok().filter(|_| by_itself);
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

/// Returns the length of the first answer in the bytes, if it is `%%% OK`, alone or after a line with the time of a
/// call. Nearly all answers have this form.
fn plain_answer(bytes: &[u8]) -> Option<usize> {
    let mut rest = bytes;
    if let Some(number) = rest.strip_prefix(b"runtime: ") {
        let digits = number.iter().take_while(|byte| byte.is_ascii_digit()).count();
        rest = number[digits..].strip_prefix(b"\n")?;
    }
    let rest = rest.strip_prefix(OK_LINE)?.strip_prefix(b"\n")?;
    Some(bytes.len() - rest.len())
}

/// Splits bytes into lines, with line ends; `None` if they are not UTF-8.
fn lines_of(bytes: &[u8]) -> Option<Vec<String>> {
    let text = std::str::from_utf8(bytes).ok()?;
    Some(text.split_terminator('\n').map(str::to_owned).collect())
}

/// Returns the error for words that cannot be sent as a line.
pub(super) fn unspeakable(words: &[&str]) -> Error {
    Error::Impossible(format!(
        "the protocol cannot say {words:?}: leave quotes and line ends out, they have no form in it"
    ))
}

/// Returns the bytes of an invalid line for display.
fn shown(bytes: &[u8]) -> String {
    String::from_utf8_lossy(&bytes[..bytes.len().min(200)]).into_owned()
}

/// Stores the server's standard error. Reading continues beyond the limit, since the server would block otherwise.
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
