//! The status of a campaign, for the tool that started it: a line of JSON on standard output, several times a second.

use crate::protocol::{self, Line, Phase, Problem};
use std::io::Write;
use std::time::{Duration, Instant};

const PERIOD: Duration = Duration::from_millis(200);

/// The current phase.
#[derive(Clone, Copy, Debug)]
pub(super) struct Status {
    pub(super) phase: Phase,
    pub(super) executions: u64,
    pub(super) edges: usize,
    pub(super) places: usize,
    pub(super) corpus: usize,
    /// The time of the last new input in the corpus, from the start.
    pub(super) last_new: Option<Duration>,
}

/// Writes the status lines.
#[derive(Debug)]
pub(super) struct Lines {
    started: Instant,
    next: Duration,
    /// Whether the reader is gone.
    pub(super) nobody_listens: bool,
}

impl Lines {
    pub(super) fn new() -> Self {
        Self { started: Instant::now(), next: Duration::ZERO, nobody_listens: false }
    }

    pub(super) fn elapsed(&self) -> Duration {
        self.started.elapsed()
    }

    /// Writes the status if it is due: `elapsed` is the duration of the campaign.
    pub(super) fn now_and_then(&mut self, elapsed: Duration, status: &Status) {
        if elapsed >= self.next {
            self.print(status);
        }
    }

    pub(super) fn print(&mut self, status: &Status) {
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

    /// Writes a problem, on a separate line, so that the tool can print it immediately.
    pub(super) fn complain(&mut self, problem: &str) {
        self.write(&Problem(problem.to_owned()).line());
    }

    fn write(&mut self, line: &str) {
        let mut out = std::io::stdout().lock();
        // The harness may not have ended its line, and the property may print: ours starts on a new line.
        let written = writeln!(out, "\n{line}");
        self.nobody_listens |= written.and_then(|()| out.flush()).is_err();
    }
}
