//! The status line of a campaign.

use crate::words::{grouped, time};
use forall::protocol::Status;
use std::io::{IsTerminal, Write};
use std::time::{Duration, Instant};

/// The interval of status lines in a pipe or a log.
const PIPE_PERIOD: Duration = Duration::from_secs(10);

/// The status in one line.
pub fn text(status: &Status) -> String {
    let seconds = status.elapsed as f64 / 1000.0;
    let speed = if status.elapsed == 0 { 0.0 } else { status.executions as f64 / seconds };
    let last = match status.last_new {
        Some(at) => format!("last new {} ago", elapsed(status.elapsed.saturating_sub(at))),
        None => "nothing new yet".to_owned(),
    };
    format!(
        "{} {}: {} executions, {}/s, {} of {} edges, corpus {}, {last}",
        status.phase.word(),
        elapsed(status.elapsed),
        grouped(status.executions),
        grouped(speed as u64),
        grouped(status.edges),
        grouped(status.places),
        grouped(status.corpus),
    )
}

/// A duration in milliseconds, as text.
fn elapsed(milliseconds: u64) -> String {
    time(Duration::from_millis(milliseconds))
}

/// Shows the status: a line that is redrawn on a terminal, a new line at intervals elsewhere.
#[derive(Debug)]
pub struct Screen {
    is_terminal: bool,
    /// Whether the cursor is after a status.
    open: bool,
    said: Option<Instant>,
}

impl Screen {
    /// The screen of this process: its standard error.
    pub fn new() -> Self {
        Self { is_terminal: std::io::stderr().is_terminal(), open: false, said: None }
    }

    /// Shows the status.
    pub fn show(&mut self, status: &Status) {
        let mut screen = std::io::stderr().lock();
        // A closed pipe does not stop the campaign.
        if self.is_terminal {
            let _ = write!(screen, "\r\x1b[2K{}", text(status));
            let _ = screen.flush();
            self.open = true;
        } else if self.said.get_or_insert_with(Instant::now).elapsed() >= PIPE_PERIOD {
            self.said = Some(Instant::now());
            let _ = writeln!(screen, "{}", text(status));
        }
    }

    /// Prints other text in place of the status.
    pub fn print(&mut self, text: &[u8]) {
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

#[cfg(test)]
mod tests {
    use super::*;
    use forall::protocol::Line;

    #[test]
    fn a_status_is_read_and_shown_in_a_line() {
        let line = "test a ... forall-status {\"phase\":\"searching\",\"executions\":1234567,\"edges\":23,\"places\":53,\
                    \"corpus\":12,\"elapsed\":12000,\"last_new\":9000}";
        let status = Status::find(line).unwrap();
        assert_eq!(
            text(&status),
            "searching 12 s: 1,234,567 executions, 102,880/s, 23 of 53 edges, corpus 12, last new 3.0 s ago"
        );
    }
}
