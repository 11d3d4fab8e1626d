//! The texts in which isolation speaks.

use crate::property::{Failure, FailureKind};
use crate::text::{count, time};
use std::time::Duration;

/// How the process of a test came to its end before the test did.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Ended {
    Signal(i32),
    /// A thread had no stack left.
    StackOverflow,
    /// An allocation failed.
    OutOfMemory,
    /// It called `exit`, or came to the end of `main`.
    Exit(i32),
    /// It was killed, because the test had not ended by then.
    Hung(Duration),
    /// It closed the connection to its parent.
    Silent,
}

/// What is said of a test that ended its process by itself begins so.
const ENDED: &str = "the test ended its process: ";

/// A test that has closed the output of its process, and not failed otherwise.
pub(super) fn closed_output() -> Failure {
    Failure::new(
        FailureKind::Crash,
        "the test closed a descriptor that was not its own, the standard output".to_owned(),
    )
}

/// What is said of a test that ended its process. What stands before the name of a signal tells bugs apart.
pub(super) fn ended_its_process(how: Ended) -> String {
    let how = match how {
        Ended::StackOverflow => "its stack overflowed (SIGABRT)".to_owned(),
        Ended::OutOfMemory => "it ran out of memory (SIGABRT)".to_owned(),
        Ended::Exit(code) => format!("it called `exit({code})`"),
        Ended::Silent => "it closed a descriptor that was not its own, the connection to the run".to_owned(),
        Ended::Hung(timeout) => {
            return format!("the test did not end within {}, and its process was killed", time(timeout));
        }
        Ended::Signal(9) => {
            return "the process of the test was killed (SIGKILL): from outside, or by the system for want of memory"
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
    (7, "SIGBUS", "an access to memory that is not there"),
    (8, "SIGFPE", "an arithmetic error"),
    (11, "SIGSEGV", "a segmentation fault"),
    (13, "SIGPIPE", "a write that nobody reads"),
    (15, "SIGTERM", "a request to end"),
    (24, "SIGXCPU", "too much CPU time"),
    (25, "SIGXFSZ", "a file that is too large"),
    (31, "SIGSYS", "a call of the system that is not allowed"),
];

pub(super) const NONSENSE: &str =
    "the process of the test answered nonsense: something wrote over its memory, or to its connection";

/// A child ended before it came to its property. Its test may rely on something that the way there does not give it.
pub(super) fn never_came(how: Ended, words: &str, stack: Option<u64>) -> String {
    let stack = match (how, stack) {
        (Ended::StackOverflow | Ended::Signal(7 | 11), Some(stack)) => {
            format!(" Its `stack` of {} may be too small: try a larger one.", count(stack, "byte"))
        }
        _ => String::new(),
    };
    let how = ended_its_process(how);
    let how = how.strip_prefix(ENDED).unwrap_or(&how);
    // The harness begins to speak before the test does, and the name of the test is known.
    let words = words.split_once("panicked at").map_or(words, |(_, words)| words);
    let words = words.split_whitespace().collect::<Vec<_>>().join(" ");
    let words = if words.is_empty() { "It wrote nothing.".to_owned() } else { format!("It wrote: {words}") };
    format!(
        "before it came to the property, {how}.{stack} (A child leaves out the runs on its way: look at their reports when all \
         have run.) {words}"
    )
}

/// A process does not end though it was killed.
pub(super) fn will_not_die(pid: u32) -> String {
    format!(
        "Process {pid}, in which a test ran, does not end though it was killed: it may wait for a device. The run goes on in \
         another process."
    )
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::*;

    #[test]
    fn each_text_says_what_happened_and_what_to_do() {
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
