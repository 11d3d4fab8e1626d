//! The one line that shows, on a terminal, how far a run is that takes longer than a second.
//!
//! It is rewritten in place and removed before anything else is written. There is one line for the process, however many
//! properties run.

use crate::text::{columns, count, number, one_line, shorten};
use crate::whole::whole;
use std::io::Write;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

/// Back to the beginning of the line, and nothing left on it.
const ERASE: &str = "\r\x1b[K";

/// Columns, if the terminal does not say how many it has.
const USUAL_WIDTH: usize = 80;

/// Whether the line is on the screen.
static SHOWN: AtomicBool = AtomicBool::new(false);

/// What a run is doing, and how much of it is done.
#[derive(Clone, Copy)]
pub(crate) enum Doing {
    /// Tests: how many ran, of how many.
    Testing(u64, u64),
    /// Shrinking: how many inputs were run, and how many of them were simpler.
    Shrinking(u64, u64),
    /// Finding out what matters: how many inputs were run.
    Explaining(u64),
}

/// The text of the line.
pub(crate) fn line(property: &str, doing: Doing, took: Duration, others: usize) -> String {
    let doing = match doing {
        Doing::Testing(done, of) => format!("test {} of {}", number(done.saturating_add(1).min(of)), number(of)),
        Doing::Shrinking(runs, steps) => {
            format!("shrinking, {} so far in {}", count(steps, "step"), count(runs, "run"))
        }
        Doing::Explaining(runs) => format!("explaining, {}", count(runs, "run")),
    };
    let others = if others == 0 { String::new() } else { format!(" (and {others} more)") };
    format!("forall: {}: {doing}, {} s{others}", one_line(property), number(took.as_secs()))
}

/// Shows the line in place of the one before.
pub(crate) fn show(line: &str) {
    let width = std::env::var("COLUMNS").ok().and_then(|columns| whole(columns.trim())).unwrap_or(USUAL_WIDTH);
    let line = shorten(line, usize::max(width, 20) - 1);
    debug_assert!(columns(&line) < usize::max(width, 20), "a line that wraps cannot be erased");
    // Where the harness has written the name of the test already, that stays.
    let before = if !SHOWN.swap(true, Ordering::Relaxed) && is_behind_a_name() { "\n" } else { ERASE };
    write(&format!("{before}{line}"));
}

/// Takes the line off the screen, if it is there.
pub(crate) fn clear() {
    if SHOWN.swap(false, Ordering::Relaxed) {
        write(ERASE);
    }
}

/// Whether the test harness names a test before it runs it: it does so if it runs one at a time.
fn is_behind_a_name() -> bool {
    let mut before = String::new();
    for argument in std::env::args() {
        if argument == "--test-threads=1" || before == "--test-threads" && argument == "1" {
            return true;
        }
        before = argument;
    }
    std::env::var("RUST_TEST_THREADS").is_ok_and(|threads| threads == "1")
}

fn write(text: &str) {
    let mut stderr = std::io::stderr().lock();
    let _ = stderr.write_all(text.as_bytes()).and_then(|()| stderr.flush());
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_line_says_what_is_being_done() {
        let seconds = Duration::from_millis(12_700);
        let said = |doing, others| line("tests::sorts", doing, seconds, others);
        assert_eq!(said(Doing::Testing(0, 256), 0), "forall: tests::sorts: test 1 of 256, 12 s");
        assert_eq!(
            said(Doing::Shrinking(1_234, 17), 0),
            "forall: tests::sorts: shrinking, 17 steps so far in 1,234 runs, 12 s"
        );
        assert_eq!(said(Doing::Explaining(1), 2), "forall: tests::sorts: explaining, 1 run, 12 s (and 2 more)");
    }
}
