//! Watches a searching process: its output, crashes and hangs.

use super::Running;
use super::crew::Crew;
use crate::interrupt::SignalForwarder;
use crate::process::{LEFT_BEHIND, has_exited};
use crate::status::Screen;
use crate::{Error, ended, trouble};
use forall::protocol::{Answer, Death, Line, Problem, Status, Verdict};
use std::io::{BufRead, BufReader, Read};
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{self, RecvTimeoutError, Sender};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

/// The interval at which the process is polled.
const PERIOD: Duration = Duration::from_millis(200);

/// Output that is not shown is shortened to this many bytes, its end.
const MOST_TEXT: usize = 1 << 18;

/// How a campaign ended.
#[derive(Debug)]
pub(super) enum Ended {
    Verdict { verdict: Answer, last: Status },
    Died { how: Death, last: Status },
}

impl Ended {
    /// The verdict, unless the process died.
    pub(super) fn verdict(&self) -> Option<Verdict> {
        if let Self::Verdict { verdict, .. } = self { Some(verdict.verdict) } else { None }
    }

    /// The same with another status.
    pub(super) fn with(self, last: Status) -> Self {
        match self {
            Self::Verdict { verdict, .. } => Self::Verdict { verdict, last },
            Self::Died { how, .. } => Self::Died { how, last },
        }
    }

    /// The last status.
    pub(super) fn last(&self) -> &Status {
        match self {
            Self::Verdict { last, .. } | Self::Died { last, .. } => last,
        }
    }
}

/// Why the callback is called.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Moment {
    /// A poll interval passed.
    NowAndThen,
    /// The process printed output that is about to be shown, possibly a failure.
    BeforeSaying,
}

/// Output of the process.
enum Said {
    Line(String),
    /// A part of its standard error.
    Text(Vec<u8>),
}

pub(super) struct Watch<'a> {
    running: &'a Running,
    timeout: Duration,
    screen: Screen,
    last: Status,
    verdict: Option<Answer>,
    /// The input that was running at the last poll, and when it was first seen.
    pulse: (Option<u64>, Instant),
    /// The other processes that search the same property.
    crew: Option<&'a Crew>,
    /// Where the output goes that is not shown: that of any process but the first.
    text: Option<&'a Mutex<Vec<u8>>>,
}

impl<'a> Watch<'a> {
    pub(super) fn new(running: &'a Running, timeout: Duration) -> Self {
        let (screen, last, verdict, pulse) = (Screen::new(), Status::default(), None, (None, Instant::now()));
        Self { running, timeout, screen, last, verdict, pulse, crew: None, text: None }
    }

    /// Watches a process among others: it stops with them. If its output is not shown, its status counts for itself;
    /// otherwise that of all is shown.
    pub(super) fn beside(mut self, crew: &'a Crew, text: Option<&'a Mutex<Vec<u8>>>) -> Self {
        (self.crew, self.text) = (Some(crew), text);
        self
    }

    /// Runs the process until it exits. `tick` is called with its status, regularly and before anything is shown.
    pub(super) fn watch(mut self, mut command: Command, tick: &mut dyn FnMut(&Status, Moment)) -> Result<Ended, Error> {
        command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let program = std::path::PathBuf::from(command.get_program());
        let mut child = command.spawn().map_err(|error| trouble::no_test_program(&program, error))?;
        let (sender, said) = mpsc::channel();
        listen(&mut child, sender);
        let (mut hung, mut signals) = (None, SignalForwarder::default());
        loop {
            signals.forward(&mut child, self.crew.is_some_and(Crew::is_stopped));
            tick(&self.last, Moment::NowAndThen);
            match said.recv_timeout(PERIOD) {
                Ok(said) => self.take(said, tick),
                Err(RecvTimeoutError::Timeout) if self.is_hung() => {
                    hung = Some(Death::Hung(self.timeout.as_millis() as u64));
                    // Fails if the process has just exited, which is fine.
                    let _ = child.kill();
                    break;
                }
                // A process that a test left behind keeps the pipes open.
                Err(RecvTimeoutError::Timeout) if has_exited(&mut child) => break,
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => break,
            }
        }
        let status = child.wait().map_err(|error| trouble::lost("the test program", error))?;
        while let Ok(said) = said.recv_timeout(LEFT_BEHIND) {
            self.take(said, tick);
        }
        self.print(b"");
        let last = self.last;
        Ok(match self.verdict {
            Some(verdict) => Ended::Verdict { verdict, last },
            None => Ended::Died { how: hung.unwrap_or(ended::of(status)), last },
        })
    }

    fn take(&mut self, said: Said, tick: &mut dyn FnMut(&Status, Moment)) {
        match said {
            Said::Line(line) => self.read(&line),
            Said::Text(text) => {
                tick(&self.last, Moment::BeforeSaying);
                self.print(&text);
            }
        }
    }

    fn print(&mut self, text: &[u8]) {
        let Some(hidden) = self.text else { return self.screen.print(text) };
        let mut hidden = hidden.lock().unwrap_or_else(PoisonError::into_inner);
        hidden.extend(text);
        if hidden.len() > 2 * MOST_TEXT {
            let start = hidden.len() - MOST_TEXT;
            hidden.drain(..start);
        }
    }

    fn read(&mut self, line: &str) {
        if let Some(status) = Status::find(line) {
            self.last = match (self.crew, self.text) {
                (Some(crew), None) => crew.status(status),
                _ => status,
            };
            if self.text.is_none() {
                self.screen.show(&self.last);
            }
        } else if let Some(Problem(problem)) = Problem::find(line) {
            self.print(format!("warning: {problem}\n").as_bytes());
        } else if let Some(answer) = Answer::find(line) {
            self.verdict = Some(answer);
        }
    }

    /// Whether one input exceeds its time limit.
    fn is_hung(&mut self) -> bool {
        let pulse = self.running.pulse();
        if pulse != self.pulse.0 {
            self.pulse = (pulse, Instant::now());
        }
        pulse.is_some() && self.pulse.1.elapsed() > self.timeout
    }
}

/// Starts two threads that read the output of the process until it is closed.
fn listen(child: &mut Child, sender: Sender<Said>) {
    let stdout = child.stdout.take().expect("it is piped");
    let mut stderr = child.stderr.take().expect("it is piped");
    let lines = sender.clone();
    std::thread::spawn(move || {
        let mut reader = BufReader::new(stdout);
        let mut line = Vec::new();
        while reader.read_until(b'\n', &mut line).is_ok_and(|length| length > 0) {
            let text = String::from_utf8_lossy(&line);
            // Properties may print a hundred thousand lines per second.
            if [Status::PREFIX, Problem::PREFIX, Answer::PREFIX].iter().any(|ours| text.contains(ours)) {
                let _ = lines.send(Said::Line(text.into_owned()));
            }
            line.clear();
        }
    });
    std::thread::spawn(move || {
        let mut part = [0; 4096];
        while let Ok(length @ 1..) = stderr.read(&mut part) {
            let _ = sender.send(Said::Text(part[..length].to_vec()));
        }
    });
}

#[cfg(test)]
mod tests {
    use super::*;
    use forall::protocol::Verdict;
    use std::fs;

    #[test]
    fn a_hanging_process_is_killed() {
        let running = Running::new(&std::env::current_exe().unwrap()).unwrap();
        fs::write(&running.path, [1u64, 5].map(u64::to_le_bytes).as_flattened()).unwrap();
        let mut command = Command::new("sh");
        command.args(["-c", "echo 'forall-status {\"phase\":\"searching\",\"executions\":7}'; exec sleep 600"]);
        let ended = Watch::new(&running, Duration::from_millis(300)).watch(command, &mut |_, _| {}).unwrap();
        let Ended::Died { how: Death::Hung(_), last } = ended else { panic!("{ended:?}") };
        assert_eq!(last.executions, 7);
    }

    #[test]
    fn a_process_that_a_test_left_behind_is_not_waited_for() {
        let root = std::env::temp_dir().join(format!("forall-left-behind-{}", std::process::id()));
        let running = Running::new(&root.join("program")).unwrap();
        let mut command = Command::new("sh");
        command.args(["-c", "echo last >&2; echo 'forall-result {\"verdict\":\"passed\"}'; sleep 60 & exit 3"]);
        let began = Instant::now();
        let ended = Watch::new(&running, Duration::MAX).watch(command, &mut |_, _| {}).unwrap();
        assert!(began.elapsed() < Duration::from_secs(30) && matches!(ended, Ended::Verdict { .. }), "{ended:?}");
        fs::remove_dir_all(root).unwrap();
    }

    #[test]
    fn the_callback_runs_before_output_is_shown() {
        // A separate directory: the file is named after the process.
        let root = std::env::temp_dir().join(format!("forall-watch-{}", std::process::id()));
        let running = Running::new(&root.join("program")).unwrap();
        let mut command = Command::new("sh");
        command.args(["-c", "echo found >&2; echo 'forall-result {\"verdict\":\"failed\"}'"]);
        let mut before = 0;
        let mut count = |_: &Status, moment| before += u32::from(moment == Moment::BeforeSaying);
        let ended = Watch::new(&running, Duration::MAX).watch(command, &mut count).unwrap();
        assert!(matches!(ended, Ended::Verdict { verdict, .. } if verdict.verdict == Verdict::Failed));
        assert_eq!(before, 1);
        fs::remove_dir_all(root).unwrap();
    }
}
