//! Tests that crash their process, exit, or hang.

use super::quoted;
use crate::text::{count, number, time};
use crate::within;
use std::time::Duration;

/// An input that is replayed, shrunk or enumerated takes long.
pub(super) fn still_running_input(property: &str, taken: Duration) -> String {
    format!(
        "{} has been running one input for {}, while replaying, shrinking or testing exhaustively. A failure found \
         so far is saved; `FORALL_SHRINK_EVALUATIONS=0` disables shrinking.",
        quoted(property),
        time(taken)
    )
}

/// A test failed while an earlier one still runs, which may never end.
pub(super) fn failed_meanwhile(message: &str, path: Option<&str>) -> String {
    let saved = path.map_or(String::new(), |path| format!("\nThe failing input is saved in {}.", quoted(path)));
    format!(
        "a test failed while earlier tests were still running: {}{saved}\nThe report follows when they have finished.",
        quoted(message)
    )
}

/// A failure after which the run continues.
pub(super) fn found_meanwhile(message: &str, path: Option<&str>) -> String {
    let saved = path.map_or(String::new(), |path| format!("\nThe failing input is saved in {}.", quoted(path)));
    format!("found a failure: {}{saved}\nThe run continues, and reports it at its end.", quoted(message))
}

/// A test takes long: its index, the seed and the number of tests of the run.
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

/// A test takes long, and earlier ones exceeded the recording limit.
pub(super) fn may_draw_without_end(limit: u64) -> String {
    format!(
        "Earlier tests of this run drew more than {} choices, the recording limit: a generator may not \
         terminate.\nBound its loop, recursion or length, for example by the source's size.",
        number(limit)
    )
}

/// A test of a guided runner takes long, or the runner itself does: index and seed.
pub(super) fn still_at_test(property: &str, (index, seed): (u64, u64), taken: Duration) -> String {
    format!(
        "{} has been at test {index} for {} (seed {seed:#x}): either the test hangs, or the pool or the feedback that \
         chooses its input does.",
        quoted(property),
        time(taken)
    )
}

/// Threads that belong to no test panicked while a property passed.
pub(super) fn threads_panicked(times: u64, last: &str) -> String {
    let who = match times {
        1 => "A thread that belongs to no test panicked while the property ran".to_owned(),
        _ => {
            format!("Threads that belong to no test panicked {} times while the property ran, the last", number(times))
        }
    };
    format!(
        "{who}: {}\nThe property passed nevertheless. If the property started the thread, `unwrap` the result of its \
         `join` in the body; threads that panic on purpose may call `enter` on `forall::context()`. Otherwise the \
         thread belongs to another test.",
        quoted(last)
    )
}

/// A test panicked while unwinding, which aborts the process. `panics` are the last ones, oldest first.
pub(super) fn panicked_twice(property: &str, index: u64, seed: u64, panics: &[String]) -> String {
    let mut text = format!(
        "Test {index} of `{}` (seed {seed:#x}) panicked while unwinding from another panic, for example in a `drop`: \
         this aborts the process.",
        quoted(property)
    );
    for panic in panics {
        text += &format!("\n  {}", quoted(panic));
    }
    text + "\nA `drop` that may panic should check `std::thread::panicking()` first."
}

/// The process exited during a test: the body called `std::process::exit`.
pub(super) fn exited(property: &str, index: u64, seed: u64) -> String {
    format!(
        "The process exited during test {index} of property `{}` (seed {seed:#x}): did the code under test call \
         `std::process::exit`? No later test ran.\nReturn an error instead of exiting. To see the input, rerun with \
         `FORALL_SEED={seed:#x}` and {ISOLATE}. Failures found earlier are saved in the store: `.forall`, unless \
         `store` or `FORALL_STORE` names another directory.",
        quoted(property)
    )
}

/// The setting that turns an exit into an ordinary failure.
const ISOLATE: &str = "`#[forall::test(isolate)]`, which reports an exit as a failure";

/// The process exited while a failure was shrunk or explained: the phase, and the input at that time if known.
pub(super) fn exited_while(property: &str, doing: &str, input: &str) -> String {
    let input = if input.is_empty() { String::new() } else { format!("\n    {}", quoted(input)) };
    let shown = if input.is_empty() { "" } else { "That input fails, and is saved. " };
    format!(
        "The process exited while {doing} (property `{}`): did the code under test call \
         `std::process::exit`?{input}\n{shown}Return \
         an error instead of exiting, or use {ISOLATE}. `FORALL_SHRINK_EVALUATIONS=0 FORALL_EXPLAIN=off` reports the \
         failing input without running others.",
        quoted(property)
    )
}

/// A signal ended the process of a test.
pub(super) fn killed_by_signal(signal: u64) -> String {
    died(&match signal {
        6 => "the test crashed: SIGABRT, an abort or a stack overflow".to_owned(),
        9 => "the process was killed (SIGKILL), possibly because it ran out of memory".to_owned(),
        11 => "the test crashed: SIGSEGV, a segmentation fault".to_owned(),
        signal => format!("the test crashed: signal {signal}"),
    })
}

/// A test called `exit`. Its exit code is unknown, since the exit is turned into a failure.
pub(super) fn called_exit() -> String {
    died("the test called `exit`, which ended the process")
}

/// A test timed out, and its process was killed.
pub(super) fn hung(limit: Duration) -> String {
    died(&format!("timeout: the test did not end within {}", time(limit)))
}

fn died(how: &str) -> String {
    format!("{how}\nIts input was saved before it ran. It is not shrunk, since each replay would crash or hang again.")
}

/// The input of a running test cannot be saved.
pub(super) fn input_not_written(path: &str, error: &str) -> String {
    format!(
        "The input of a test that crashes will be lost, because {path} cannot be written: {error}. Make the target \
         directory writable, or set CARGO_TARGET_DIR to another one."
    )
}

/// Threads that belong to no test panicked while a failure was shrunk or explained. How often depends on the number of
/// threads that run ahead, so the message omits it.
pub(super) fn stray_panics(times: u64, last: &str) -> String {
    match times {
        1 => format!("meanwhile, a thread that belongs to no test panicked: {last}"),
        _ => format!("meanwhile, threads that belong to no test panicked, the last with: {last}"),
    }
}

/// The input that crashed a process was requested, and there is none.
pub(super) fn nothing_was_running() -> String {
    "No test was running when the process ended, or the file in FORALL_RUNNING does not name it.\nRun `cargo test` to \
     see how the process ends."
        .to_owned()
}

/// A crash that does not reproduce.
pub(super) fn crash_did_not_repeat(earlier: u64) -> String {
    let after = match earlier {
        0 => String::new(),
        _ => format!(", or after the {} that its process had run before", count(earlier, "test")),
    };
    format!(
        "A test crashed its process, but not when it was rerun alone{after}: the crash did not reproduce. Something \
         outside of the test may have ended the process (another process, or the system when memory ran out), or the \
         crash is flaky."
    )
}

/// A crash may depend on more earlier tests than could be tried.
pub(super) fn crash_history_too_long(earlier: u64) -> String {
    format!(
        "A test crashed its process, but not when it was rerun alone. The crash may depend on state that earlier tests \
         left behind; the time limit for shrinking was reached before all {} could be tried.\nRaise `shrink_time` or \
         `FORALL_SHRINK_TIME`.",
        count(earlier, "test")
    )
}
