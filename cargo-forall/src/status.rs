//! What people see while a campaign runs.

use serde_json::Value;
use std::io::{IsTerminal, Write};
use std::time::{Duration, Instant};

/// On a pipe, and in a log, the status is a line now and then.
const PIPE_PERIOD: Duration = Duration::from_secs(10);

/// How the test program's lines about its progress begin.
pub const LINE: &str = "forall-status ";

/// How the test program's lines about what is wrong with the campaign begin.
pub const PROBLEM: &str = "forall-problem ";

/// What is wrong with the campaign, as a line of the test program says it.
pub fn problem(line: &str) -> Option<&str> {
    Some(line[line.find(PROBLEM)? + PROBLEM.len()..].trim())
}

/// How far a campaign is, as the test program said last.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Status {
    /// What it is doing: `replaying`, `loading`, `searching`.
    pub phase: String,
    /// How often the property was executed.
    pub executions: u64,
    /// How many places of the source were reached by any execution.
    pub edges: u64,
    /// How many places there are.
    pub places: u64,
    /// How many inputs the corpus has.
    pub corpus: u64,
    /// How long it searches, in milliseconds.
    pub elapsed: u64,
    /// When the last input came to the corpus, in milliseconds from the beginning.
    pub last_new: Option<u64>,
}

impl Status {
    /// Reads a line of the test program. None if it is about something else.
    pub fn read(line: &str) -> Option<Self> {
        // The harness may not have ended its line.
        let text = &line[line.find(LINE)? + LINE.len()..];
        let value: Value = serde_json::from_str(text).ok()?;
        let number = |key: &str| value[key].as_u64().unwrap_or(0);
        Some(Self {
            phase: value["phase"].as_str().unwrap_or("").to_owned(),
            executions: number("executions"),
            edges: number("edges"),
            places: number("places"),
            corpus: number("corpus"),
            elapsed: number("elapsed"),
            last_new: value["last_new"].as_u64(),
        })
    }

    /// For people, in one line.
    pub fn text(&self) -> String {
        let seconds = self.elapsed as f64 / 1000.0;
        let speed = if self.elapsed == 0 { 0.0 } else { self.executions as f64 / seconds };
        let last = match self.last_new {
            Some(at) => format!("last new {} ago", time(self.elapsed.saturating_sub(at))),
            None => "nothing new yet".to_owned(),
        };
        format!(
            "{} {}: {} executions, {}/s, {} of {} edges, corpus {}, {last}",
            self.phase,
            time(self.elapsed),
            grouped(self.executions),
            grouped(speed as u64),
            grouped(self.edges),
            grouped(self.places),
            grouped(self.corpus),
        )
    }
}

/// Shows the status: one line that is written again and again, or a line now and then.
#[derive(Debug)]
pub struct Screen {
    is_terminal: bool,
    /// Whether the cursor is behind a status.
    open: bool,
    said: Option<Instant>,
}

impl Screen {
    /// The screen of this process: its standard error.
    pub fn new() -> Self {
        Self { is_terminal: std::io::stderr().is_terminal(), open: false, said: None }
    }

    /// Shows how far the campaign is.
    pub fn show(&mut self, status: &Status) {
        let mut screen = std::io::stderr().lock();
        // Whoever reads this may be gone; the campaign goes on.
        if self.is_terminal {
            let _ = write!(screen, "\r\x1b[2K{}", status.text());
            let _ = screen.flush();
            self.open = true;
        } else if self.said.get_or_insert_with(Instant::now).elapsed() >= PIPE_PERIOD {
            self.said = Some(Instant::now());
            let _ = writeln!(screen, "{}", status.text());
        }
    }

    /// Shows a text of its own, in place of the status.
    pub fn say(&mut self, text: &[u8]) {
        let mut screen = std::io::stderr().lock();
        if std::mem::take(&mut self.open) {
            let _ = screen.write_all(b"\r\x1b[2K");
        }
        let _ = screen.write_all(text);
    }
}

impl Default for Screen {
    fn default() -> Self {
        Self::new()
    }
}

/// A length of time for people, of milliseconds.
pub fn time(milliseconds: u64) -> String {
    match milliseconds / 1000 {
        0 => format!("{milliseconds} ms"),
        seconds @ 1..60 => format!("{seconds} s"),
        seconds @ 60..3600 => format!("{} min {} s", seconds / 60, seconds % 60),
        seconds => format!("{} h {} min", seconds / 3600, seconds % 3600 / 60),
    }
}

/// A number with its thousands apart.
pub fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_status_is_read_and_shown_in_a_line() {
        let line = "test a ... forall-status {\"phase\":\"searching\",\"executions\":1234567,\"edges\":23,\"places\":53,\
                    \"corpus\":12,\"elapsed\":12000,\"last_new\":9000}";
        let status = Status::read(line).unwrap();
        assert_eq!(
            status.text(),
            "searching 12 s: 1,234,567 executions, 102,880/s, 23 of 53 edges, corpus 12, last new 3 s ago"
        );
        assert_eq!(Status::read("something that a test printed"), None);
        assert_eq!(Status::read("forall-status {\"phase\":"), None);
    }

    #[test]
    fn a_problem_is_told_from_what_a_test_prints() {
        assert_eq!(problem("forall-problem inputs are not kept: disk full\n"), Some("inputs are not kept: disk full"));
        assert_eq!(problem("it is a problem"), None);
    }

    #[test]
    fn times_and_numbers_are_for_people() {
        assert_eq!(
            [time(20), time(59_999), time(61_000), time(7_260_000)],
            ["20 ms", "59 s", "1 min 1 s", "2 h 1 min"]
        );
        assert_eq!([grouped(0), grouped(999), grouped(1000)], ["0", "999", "1,000"]);
    }
}
