//! The progress line of a run that takes longer than a second, on a terminal.
//!
//! It is rewritten in place and erased before any other output. There is one line per process, for any number of
//! properties.

use crate::text::{columns, count, number, one_line, shorten};
use crate::whole::whole;
use std::io::Write;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

/// Moves to the beginning of the line, and clears it.
const ERASE: &str = "\r\x1b[K";

/// The default number of columns.
const USUAL_WIDTH: usize = 80;

/// Whether the line is on the screen.
static SHOWN: AtomicBool = AtomicBool::new(false);

/// The activity of a run, and its progress.
#[derive(Clone, Copy)]
pub(crate) enum Doing {
    /// Testing: the number of tests so far, and in total.
    Testing(u64, u64),
    /// Shrinking: the number of inputs run, and of simpler ones.
    Shrinking(u64, u64),
    /// Explaining: the number of inputs run.
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

/// Replaces the previous line.
pub(crate) fn show(line: &str) {
    let width = std::env::var("COLUMNS").ok().and_then(|columns| whole(columns.trim())).unwrap_or(USUAL_WIDTH);
    let line = shorten(line, usize::max(width, 20) - 1);
    debug_assert!(columns(&line) < usize::max(width, 20), "a line that wraps cannot be erased");
    // If the harness has already printed the name of the test, that stays.
    let before = if !SHOWN.swap(true, Ordering::Relaxed) && is_behind_a_name() { "\n" } else { ERASE };
    write(&format!("{before}{line}"));
}

/// Erases the line, if it is shown.
pub(crate) fn clear() {
    if SHOWN.swap(false, Ordering::Relaxed) {
        write(ERASE);
    }
}

/// Whether the test harness prints the name of a test before it runs it: if it runs one at a time.
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
    fn the_progress_line_shows_the_activity() {
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
