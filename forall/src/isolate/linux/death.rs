//! Crashes of isolated tests, as failures.

use crate::isolate::text::{self, Ended};
use crate::property::{Failure, FailureKind};
use std::process::ExitStatus;
use std::time::Duration;

/// The number of bytes of the process's last output to show.
pub(super) const LAST_WORDS: usize = 2000;

/// Messages of Rust's runtime about stack overflow and memory exhaustion.
const STACK_OVERFLOW: &str = "has overflowed its stack";
const NO_MEMORY: &str = "memory allocation of ";

/// How the process of a test ended before the test did.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Death {
    pub(super) how: Ended,
    /// Its last output to standard output or standard error.
    pub(super) words: String,
}

impl Death {
    /// How a process ended by itself, or by a signal.
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

    /// The failure of a test that crashed its process.
    pub(super) fn failure(&self) -> Failure {
        let kind = if matches!(self.how, Ended::Hung(_)) { FailureKind::Hang } else { FailureKind::Crash };
        Failure::new(kind, text::ended_its_process(self.how))
    }

    /// The last output of the process, as a note; `None` if it is empty.
    pub(super) fn note(&self) -> Option<String> {
        let words = self.words.trim();
        (!words.is_empty()).then(|| format!("last output of the process:\n{words}"))
    }
}
