//! How far a campaign is, for the tool that started it: a line of JSON on standard output, several times a second.

use std::io::Write;
use std::time::{Duration, Instant};

const PERIOD: Duration = Duration::from_millis(200);

/// What a campaign is doing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Phase {
    Replaying,
    Loading,
    Searching,
}

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
        let phase = match status.phase {
            Phase::Replaying => "replaying",
            Phase::Loading => "loading",
            Phase::Searching => "searching",
        };
        let last_new = status.last_new.map_or("null".to_owned(), |at| at.as_millis().to_string());
        let mut out = std::io::stdout().lock();
        // The harness may not have ended its line, and the property may print: ours begins at the beginning of one.
        let written = writeln!(
            out,
            "\nforall-status {{\"phase\":\"{phase}\",\"executions\":{},\"edges\":{},\"places\":{},\"corpus\":{},\
             \"elapsed\":{},\"last_new\":{last_new}}}",
            status.executions,
            status.edges,
            status.places,
            status.corpus,
            elapsed.as_millis(),
        );
        self.nobody_listens |= written.and_then(|()| out.flush()).is_err();
    }

    /// Says what is wrong. A line of its own, so that the tool can show it at once and go on.
    pub(super) fn complain(&mut self, problem: &str) {
        let text = problem.replace('\n', " ");
        let mut out = std::io::stdout().lock();
        let written = writeln!(out, "\nforall-problem {text}");
        self.nobody_listens |= written.and_then(|()| out.flush()).is_err();
    }
}
