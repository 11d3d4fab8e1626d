//! How a test ended its process, in words.

use crate::isolate::text::{self, Ended};
use crate::property::{Failure, FailureKind};
use std::process::ExitStatus;
use std::time::Duration;

/// So much of what the process wrote last is shown.
pub(super) const LAST_WORDS: usize = 2000;

/// What Rust says when a thread has no stack left, and when there is no memory left.
const STACK_OVERFLOW: &str = "has overflowed its stack";
const NO_MEMORY: &str = "memory allocation of ";

/// How the process of a test came to its end before the test did.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Death {
    pub(super) how: Ended,
    /// The last that it wrote to standard output or standard error.
    pub(super) words: String,
}

impl Death {
    /// The end of a process that ended by itself, or by a signal.
    pub(super) fn of(status: ExitStatus, words: String) -> Self {
        use std::os::unix::process::ExitStatusExt;
        let how = match (status.signal(), status.code()) {
            (Some(6), _) if words.contains(STACK_OVERFLOW) => Ended::StackOverflow,
            (Some(6), _) if words.contains(NO_MEMORY) => Ended::OutOfMemory,
            (Some(signal), _) => Ended::Signal(signal),
            (None, code) => Ended::Exit(code.unwrap_or(0)),
        };
        Self { how, words }
    }

    pub(super) fn hung(timeout: Duration, words: String) -> Self {
        Self { how: Ended::Hung(timeout), words }
    }

    /// The failure that a test has come to that ended its process.
    pub(super) fn failure(&self) -> Failure {
        let kind = if matches!(self.how, Ended::Hung(_)) { FailureKind::Hang } else { FailureKind::Crash };
        Failure::new(kind, text::ended_its_process(self.how))
    }

    /// What the process wrote last, as a note; none if it wrote nothing.
    pub(super) fn note(&self) -> Option<String> {
        let words = self.words.trim();
        (!words.is_empty()).then(|| format!("before it ended, the process wrote:\n{words}"))
    }
}
