//! Tests that end the process that they run in, or never end.

use super::super::text::{number, time};
use super::quoted;
use crate::run::protocol::Death;
use crate::within;
use std::time::Duration;

/// A test has run for long, and still runs: which of the run (index, seed, tests asked for), unless it is an input that is
/// replayed, shrunk or enumerated.
///
/// ```
/// use forall::report::advice::still_running;
/// use std::time::Duration;
/// let text = still_running("it sorts", Some("tests::sorts"), Some((17, 0x1f, 256)), Duration::from_secs(10));
/// assert!(text.contains("test 17") && text.ends_with("'run it sorts 17..18' cargo test tests::sorts"));
/// ```
pub fn still_running(
    property: &str,
    harness_test: Option<&str>,
    test: Option<(u64, u64, u64)>,
    taken: Duration,
) -> String {
    let (name, taken) = (quoted(property), time(taken));
    let Some((index, seed, tests)) = test else {
        return format!(
            "{name} has been running one input for {taken}, while replaying, shrinking or trying every input. What was found so \
             far is kept; `FORALL_SHRINK_EVALUATIONS=0` leaves it as it is."
        );
    };
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
///
/// ```
/// assert!(forall::report::advice::may_draw_without_end(1_000_000).contains("1,000,000 choices"));
/// ```
pub fn may_draw_without_end(limit: u64) -> String {
    format!(
        "Earlier tests of this run drew more than {} choices, the most that can be recorded: a generator may draw without end.\nBound \
         its loop, recursion or length, for example by the source's size.",
        number(limit)
    )
}

/// A test of a runner that chooses its inputs has run for long, or the runner itself: which of the run (index, seed).
///
/// ```
/// use forall::report::advice::still_at_test;
/// use std::time::Duration;
/// let text = still_at_test("it sorts", (17, 0x1f), Duration::from_secs(10));
/// assert!(text.contains("test 17") && text.contains("the pool"));
/// ```
pub fn still_at_test(property: &str, (index, seed): (u64, u64), taken: Duration) -> String {
    format!(
        "{} has been at test {index} for {} (seed {seed:#x}): the test does not end, or what chooses its input does not, such as \
         the pool or the feedback of a guided run.",
        quoted(property),
        time(taken)
    )
}

/// Threads of nobody's panicked while a property passed.
///
/// ```
/// let text = forall::report::advice::threads_panicked(2, "no connection, at src/pool.rs:7:9");
/// assert!(text.contains("2 times") && text.contains("no connection"));
/// ```
pub fn threads_panicked(times: u64, last: &str) -> String {
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
///
/// ```
/// let text = forall::report::advice::panicked_twice("tests::sorts", 17, 0x1f, &["first".to_owned(), "second".to_owned()]);
/// assert!(text.contains("Test 17") && text.contains("first") && text.contains("second"));
/// ```
pub fn panicked_twice(property: &str, index: u64, seed: u64, panics: &[String]) -> String {
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
///
/// ```
/// let text = forall::report::advice::exited("tests::sorts", 17, 0x1f);
/// assert!(text.contains("test 17") && text.contains("0x1f"));
/// ```
pub fn exited(property: &str, index: u64, seed: u64) -> String {
    format!(
        "The process ended while test {index} of property `{}` ran (seed {seed:#x}): did the code under test call \
         `std::process::exit`? No test after it ran.\nReturn an error instead of exiting. To see the input, run \
         `FORALL_SEED={seed:#x}` again with {ISOLATE}. What was found before is kept in the store: \
         `.forall`, unless `store` or `FORALL_STORE` names another place.",
        quoted(property)
    )
}

/// Where an exit is a counterexample like any other.
const ISOLATE: &str = "`#[forall::test(isolate)]` (feature `isolate`), where an exit is a failure like any other";

/// The process ended while a failing input was worked on: what was being done, and the input as it was then, if it is known.
///
/// ```
/// let text = forall::report::advice::exited_while("tests::sorts", "a failing input was being made smaller", "x = 7");
/// assert!(text.contains("being made smaller") && text.contains("x = 7"));
/// ```
pub fn exited_while(property: &str, doing: &str, input: &str) -> String {
    let input = if input.is_empty() { String::new() } else { format!("\n    {}", quoted(input)) };
    let shown = if input.is_empty() { "" } else { "That input fails, and is kept. " };
    format!(
        "The process ended while {doing}, of property `{}`: did the code under test call `std::process::exit`?{input}\n{shown}Return \
         an error instead of exiting, or use {ISOLATE}. `FORALL_SHRINK_EVALUATIONS=0 FORALL_EXPLAIN=off` shows a failing input \
         as it is, and runs no others.",
        quoted(property)
    )
}

/// How a test ended the process that it ran in.
///
/// ```
/// use forall::{report::advice::died, run::protocol::Death};
/// assert!(died(Death::Signal(11)).contains("SIGSEGV"));
/// assert!(died(Death::Hung(10_000)).contains("10 s"));
/// ```
#[inline]
pub fn died(how: Death) -> String {
    let replay = "Its input was kept before it ran; replaying it does the same again, so it is not made smaller.";
    let how = match how {
        Death::Signal(6) => "the test ended the process: SIGABRT, by an abort or a stack overflow".to_owned(),
        Death::Signal(9) => "the process was killed (SIGKILL), perhaps for want of memory".to_owned(),
        Death::Signal(11) => "the test ended the process: SIGSEGV, a segmentation fault".to_owned(),
        Death::Signal(signal) => format!("the test ended the process: signal {signal}"),
        // The code that it asked for is not known: such an exit is made a failure.
        Death::Exit(_) => "the test ended the process: it called `exit`".to_owned(),
        Death::Hung(milliseconds) => {
            format!("the test did not end within {}", time(Duration::from_millis(milliseconds)))
        }
    };
    format!("{how}\n{replay}")
}

/// An input was asked for that a process died of, and there is none.
///
/// ```
/// assert!(forall::report::advice::nothing_was_running().contains("FORALL_RUNNING"));
/// ```
pub fn nothing_was_running() -> String {
    "No test was running when the process ended, or the file FORALL_RUNNING does not say which.\nRun `cargo test` to see \
     what ends the process."
        .to_owned()
}
