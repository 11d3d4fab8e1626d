//! How far a campaign is, for the tool that started it: a line of JSON on standard output, several times a second.

use crate::protocol::{self, Line, Phase, Problem};
use std::io::Write;
use std::time::{Duration, Instant};

const PERIOD: Duration = Duration::from_millis(200);

/// Where it is.
#[derive(Clone, Copy, Debug)]
pub(super) struct Status {
    pub(super) phase: Phase,
    pub(super) executions: u64,
    pub(super) edges: usize,
    pub(super) places: usize,
    pub(super) corpus: usize,
    /// When the last input came to the corpus, from the beginning.
    pub(super) last_new: Option<Duration>,
}

/// Writes it.
#[derive(Debug)]
pub(super) struct Lines {
    started: Instant,
    next: Duration,
    /// Whether whoever should read it is gone.
    pub(super) nobody_listens: bool,
}

impl Lines {
    pub(super) fn new() -> Self {
        Self { started: Instant::now(), next: Duration::ZERO, nobody_listens: false }
    }

    pub(super) fn elapsed(&self) -> Duration {
        self.started.elapsed()
    }

    /// Says it if it is time to: `elapsed` is how long the campaign takes.
    pub(super) fn now_and_then(&mut self, elapsed: Duration, status: &Status) {
        if elapsed >= self.next {
            self.say(status);
        }
    }

    pub(super) fn say(&mut self, status: &Status) {
        let elapsed = self.elapsed();
        self.next = elapsed + PERIOD;
        let line = protocol::Status {
            phase: status.phase,
            executions: status.executions,
            edges: status.edges as u64,
            places: status.places as u64,
            corpus: status.corpus as u64,
            elapsed: elapsed.as_millis() as u64,
            last_new: status.last_new.map(|at| at.as_millis() as u64),
        };
        self.write(&line.line());
    }

    /// Says what is wrong. A line of its own, so that the tool can show it at once and go on.
    pub(super) fn complain(&mut self, problem: &str) {
        self.write(&Problem(problem.to_owned()).line());
    }

    fn write(&mut self, line: &str) {
        let mut out = std::io::stdout().lock();
        // The harness may not have ended its line, and the property may print: ours begins at the beginning of one.
        let written = writeln!(out, "\n{line}");
        self.nobody_listens |= written.and_then(|()| out.flush()).is_err();
    }
}
