//! Messages about isolated tests.

use crate::property::{Failure, FailureKind};
use crate::text::{count, time};
use std::time::Duration;

/// How the process of a test ended before the test did.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Ended {
    Signal(i32),
    /// A stack overflow.
    StackOverflow,
    /// An allocation failed.
    OutOfMemory,
    /// It called `exit`, or returned from `main`.
    Exit(i32),
    /// It was killed at its timeout.
    Hung(Duration),
    /// It closed the connection to its parent.
    Silent,
}

/// The prefix of messages about crashes.
const ENDED: &str = "the test crashed: ";

/// A test that closed its process's stdout, and did not fail otherwise.
pub(super) fn closed_output() -> Failure {
    Failure::new(
        FailureKind::Crash,
        "the test closed a file descriptor that it did not open, the standard output".to_owned(),
    )
}

/// The message about a test that ended its process. The part before the signal's name distinguishes bugs.
pub(super) fn ended_its_process(how: Ended) -> String {
    let how = match how {
        Ended::StackOverflow => "stack overflow (SIGABRT)".to_owned(),
        Ended::OutOfMemory => "out of memory (SIGABRT)".to_owned(),
        Ended::Exit(code) => format!("it called `exit({code})`"),
        Ended::Silent => "it closed a file descriptor that it did not open, the connection to the run".to_owned(),
        Ended::Hung(timeout) => {
            return format!("timeout: the test did not end within {}, and its process was killed", time(timeout));
        }
        Ended::Signal(9) => {
            return "the test's process was killed (SIGKILL), by another process or by the system when memory ran out"
                .to_owned();
        }
        Ended::Signal(signal) => match NAMES.iter().find(|(number, ..)| *number == signal) {
            Some((_, name, meaning)) => format!("{name}, {meaning}"),
            None => format!("signal {signal}"),
        },
    };
    format!("{ENDED}{how}")
}

/// The signals that end processes, with their numbers on Linux.
const NAMES: &[(i32, &str, &str)] = &[
    (4, "SIGILL", "an illegal instruction"),
    (5, "SIGTRAP", "a trap"),
    (6, "SIGABRT", "an abort"),
    (7, "SIGBUS", "an access to unmapped memory"),
    (8, "SIGFPE", "an arithmetic error"),
    (11, "SIGSEGV", "a segmentation fault"),
    (13, "SIGPIPE", "a broken pipe"),
    (15, "SIGTERM", "a termination request"),
    (24, "SIGXCPU", "CPU time limit exceeded"),
    (25, "SIGXFSZ", "file size limit exceeded"),
    (31, "SIGSYS", "a system call that is not allowed"),
];

pub(super) const NONSENSE: &str =
    "the test's process sent an invalid message: the test overwrote its memory, or wrote to its connection";

/// The message about a child that ended before it reached its property. Its test may depend on something that the child
/// does not provide.
pub(super) fn never_came(how: Ended, words: &str, stack: Option<u64>) -> String {
    let stack = match (how, stack) {
        (Ended::StackOverflow | Ended::Signal(7 | 11), Some(stack)) => {
            format!(" Its `stack` of {} may be too small: try a larger one.", count(stack, "byte"))
        }
        _ => String::new(),
    };
    let how = ended_its_process(how);
    let how = how.strip_prefix(ENDED).unwrap_or(&how);
    // Without the harness's output before the test's.
    let words = words.split_once("panicked at").map_or(words, |(_, words)| words);
    let words = words.split_whitespace().collect::<Vec<_>>().join(" ");
    let words = if words.is_empty() { "It wrote nothing.".to_owned() } else { format!("It wrote: {words}") };
    format!(
        "before it reached the property, {how}.{stack} (The child skips earlier runs of the same test: see their \
         reports.) {words}"
    )
}

/// The message about a killed process that does not end.
pub(super) fn will_not_die(pid: u32) -> String {
    format!(
        "Process {pid} of an isolated test was killed, but does not end: it may be waiting for a device. The run \
         continues in another process."
    )
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::*;

    #[test]
    fn each_message_has_a_cause_and_advice() {
        let mut ends: Vec<Ended> = NAMES.iter().map(|(signal, ..)| Ended::Signal(*signal)).collect();
        ends.extend([
            Ended::Signal(9),
            Ended::Signal(64),
            Ended::StackOverflow,
            Ended::OutOfMemory,
            Ended::Exit(3),
            Ended::Hung(Duration::from_secs(2)),
            Ended::Silent,
        ]);
        let mut texts: Vec<String> = ends.into_iter().map(ended_its_process).collect();
        texts.extend([
            NONSENSE.to_owned(),
            never_came(Ended::Signal(11), "thread 'a' panicked at src/lib.rs:7:\n  no file\n", Some(1 << 17)),
            never_came(Ended::Exit(1), "", None),
            will_not_die(4711),
        ]);
        insta::assert_snapshot!(texts.join("\n\n"));
    }
}
