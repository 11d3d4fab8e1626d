//! Tests that end the process that they run in, or never end.

use super::quoted;
use crate::text::{count, number, time};
use crate::within;
use std::time::Duration;

/// An input that is replayed, shrunk or enumerated has run for long, and still runs.
pub(super) fn still_running_input(property: &str, taken: Duration) -> String {
    format!(
        "{} has been running one input for {}, while replaying, shrinking or trying every input. What was found so \
         far is kept; `FORALL_SHRINK_EVALUATIONS=0` leaves it as it is.",
        quoted(property),
        time(taken)
    )
}

/// A test has run for long, and still runs: which of the run (index, seed, tests asked for).
pub(super) fn still_running(
    property: &str,
    harness_test: Option<&str>,
    (index, seed, tests): (u64, u64, u64),
    taken: Duration,
) -> String {
    let (name, taken) = (quoted(property), time(taken));
    let short = match (harness_test, within::split_once(property, "::")) {
        (Some(test), _) | (None, Some((_, test))) => test,
        (None, None) => property,
    };
    format!(
        "{name} has been running test {index} for {taken} (seed {seed:#x}). To run that test alone:\n  FORALL_SEED={seed:#x} \
         FORALL_TESTS={tests} FORALL_DO='run {name} {index}..{}' cargo test {}",
        index + 1,
        quoted(short)
    )
}

/// A test has run for long, and earlier ones drew more than can be recorded.
pub(super) fn may_draw_without_end(limit: u64) -> String {
    format!(
        "Earlier tests of this run drew more than {} choices, the most that can be recorded: a generator may draw without end.\nBound \
         its loop, recursion or length, for example by the source's size.",
        number(limit)
    )
}

/// A test of a runner that chooses its inputs has run for long, or the runner itself: which of the run (index, seed).
pub(super) fn still_at_test(property: &str, (index, seed): (u64, u64), taken: Duration) -> String {
    format!(
        "{} has been at test {index} for {} (seed {seed:#x}): the test does not end, or what chooses its input does not, such as \
         the pool or the feedback of a guided run.",
        quoted(property),
        time(taken)
    )
}

/// Threads of nobody's panicked while a property passed.
pub(super) fn threads_panicked(times: u64, last: &str) -> String {
    let who = match times {
        1 => "A thread that no test joined panicked while the property ran".to_owned(),
        _ => format!("Threads that no test joined panicked {} times while the property ran, the last", number(times)),
    };
    format!(
        "{who}: {}\nThe property passed all the same. Of threads that it starts, `unwrap` in the body what `join` returns; those that are \
         to panic may call `enter` on `forall::context()`. Others are another test's.",
        quoted(last)
    )
}

/// A test panicked while it unwound, which ends the process. `panics` are the last ones, the first of them first.
pub(super) fn panicked_twice(property: &str, index: u64, seed: u64, panics: &[String]) -> String {
    let mut text = format!(
        "Test {index} of `{}` (seed {seed:#x}) panicked while it unwound from a panic, as in a `drop`: that ends the process.",
        quoted(property)
    );
    for panic in panics {
        text += &format!("\n  {}", quoted(panic));
    }
    text + "\nA `drop` that may panic should look at `std::thread::panicking()` first."
}

/// The process ended while a test of a run ran: the body called `std::process::exit`.
pub(super) fn exited(property: &str, index: u64, seed: u64) -> String {
    format!(
        "The process ended while test {index} of property `{}` ran (seed {seed:#x}): did the code under test call \
         `std::process::exit`? No test after it ran.\nReturn an error instead of exiting. To see the input, run \
         `FORALL_SEED={seed:#x}` again with {ISOLATE}. What was found before is kept in the store: \
         `.forall`, unless `store` or `FORALL_STORE` names another place.",
        quoted(property)
    )
}

/// Where an exit is a counterexample like any other.
const ISOLATE: &str = "`#[forall::test(isolate)]`, where an exit is a failure like any other";

/// The process ended while a failing input was worked on: what was being done, and the input as it was then, if it is known.
pub(super) fn exited_while(property: &str, doing: &str, input: &str) -> String {
    let input = if input.is_empty() { String::new() } else { format!("\n    {}", quoted(input)) };
    let shown = if input.is_empty() { "" } else { "That input fails, and is kept. " };
    format!(
        "The process ended while {doing}, of property `{}`: did the code under test call `std::process::exit`?{input}\n{shown}Return \
         an error instead of exiting, or use {ISOLATE}. `FORALL_SHRINK_EVALUATIONS=0 FORALL_EXPLAIN=off` shows a failing input \
         as it is, and runs no others.",
        quoted(property)
    )
}

/// A test ended the process that it ran in by a signal.
pub(super) fn killed_by_signal(signal: u64) -> String {
    died(&match signal {
        6 => "the test ended the process: SIGABRT, by an abort or a stack overflow".to_owned(),
        9 => "the process was killed (SIGKILL), perhaps for want of memory".to_owned(),
        11 => "the test ended the process: SIGSEGV, a segmentation fault".to_owned(),
        signal => format!("the test ended the process: signal {signal}"),
    })
}

/// A test ended the process that it ran in by `exit`. The code that it asked for is not known: such an exit is made a failure.
pub(super) fn called_exit() -> String {
    died("the test ended the process: it called `exit`")
}

/// A test did not end, and its process was killed.
pub(super) fn hung(limit: Duration) -> String {
    died(&format!("the test did not end within {}", time(limit)))
}

fn died(how: &str) -> String {
    format!("{how}\nIts input was kept before it ran; replaying it does the same again, so it is not made smaller.")
}

/// The input of a running test cannot be written down.
pub(super) fn input_not_written(path: &str, error: &str) -> String {
    format!(
        "Should a test end the process, its input is lost: cannot write {path}: {error}. Make the target directory writable, or \
         name another with CARGO_TARGET_DIR."
    )
}

/// Threads of no test panicked while a failing input was worked on.
pub(super) fn stray_panics(times: u64, last: &str) -> String {
    match times {
        1 => format!("a thread that did not join a test panicked meanwhile: {last}"),
        _ => format!("threads that did not join a test panicked {times} times meanwhile, the last with: {last}"),
    }
}

/// An input was asked for that a process died of, and there is none.
pub(super) fn nothing_was_running() -> String {
    "No test was running when the process ended, or the file FORALL_RUNNING does not say which.\nRun `cargo test` to see \
     what ends the process."
        .to_owned()
}

/// A test ended its process, and did not when it ran again.
pub(super) fn crash_did_not_repeat(earlier: u64) -> String {
    let after = match earlier {
        0 => String::new(),
        _ => format!(", nor after the {} that its process had run before", count(earlier, "test")),
    };
    format!(
        "The process of a test ended, and did not when the test ran again alone{after}: it is not reproducible. Something outside \
         of the test may have ended it (another process, the system when memory was short), or it happens by chance."
    )
}

/// A crash may have needed more than could be tried.
pub(super) fn crash_history_too_long(earlier: u64) -> String {
    format!(
        "The process of a test ended, and did not when the test ran again alone. It may need the state that earlier tests left \
         behind; the time for shrinking was up before all of the {} could be tried.\nRaise `shrink_time` or \
         `FORALL_SHRINK_TIME`.",
        count(earlier, "test")
    )
}
