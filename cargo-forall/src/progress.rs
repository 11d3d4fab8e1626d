//! The live view of a run: lines on a terminal, nothing in a pipe.
//!
//! The first line counts finished, failed and remaining properties. Below it is a line for each property that has been running
//! for a while, the slowest first.

use crate::screen::one_line;
use crate::words;
use console::Term;
use indicatif::{MultiProgress, ProgressBar, ProgressDrawTarget, ProgressStyle, TermLike};
use std::io;
use std::sync::Mutex;
use std::time::{Duration, Instant};

/// A property that runs for longer gets a line of its own.
const SLOW: Duration = Duration::from_secs(1);

/// The number of slow properties that are shown.
const SHOWN: usize = 8;

/// How often it is drawn, per second.
const RATE: u8 = 20;

/// A terminal that may be closed: indicatif panics if it cannot write.
#[derive(Debug)]
struct Terminal<T>(T);

impl<T: TermLike> TermLike for Terminal<T> {
    fn width(&self) -> u16 {
        self.0.width()
    }

    fn height(&self) -> u16 {
        self.0.height()
    }

    fn move_cursor_up(&self, n: usize) -> io::Result<()> {
        self.0.move_cursor_up(n).or(Ok(()))
    }

    fn move_cursor_down(&self, n: usize) -> io::Result<()> {
        self.0.move_cursor_down(n).or(Ok(()))
    }

    fn move_cursor_right(&self, n: usize) -> io::Result<()> {
        self.0.move_cursor_right(n).or(Ok(()))
    }

    fn move_cursor_left(&self, n: usize) -> io::Result<()> {
        self.0.move_cursor_left(n).or(Ok(()))
    }

    fn write_line(&self, line: &str) -> io::Result<()> {
        self.0.write_line(line).or(Ok(()))
    }

    fn write_str(&self, text: &str) -> io::Result<()> {
        self.0.write_str(text).or(Ok(()))
    }

    fn clear_line(&self) -> io::Result<()> {
        self.0.clear_line().or(Ok(()))
    }

    fn flush(&self) -> io::Result<()> {
        self.0.flush().or(Ok(()))
    }
}

/// The view.
#[derive(Debug)]
pub struct Bar {
    all: MultiProgress,
    total: ProgressBar,
    slow: Vec<ProgressBar>,
    state: Mutex<State>,
}

#[derive(Debug, Default)]
struct State {
    /// The running properties by thread: the name and the start.
    running: Vec<Option<(String, Instant)>>,
    /// The names of failed properties.
    failed: Vec<String>,
    done: usize,
}

impl Bar {
    /// Creates a view of a number of steps. `limit` is printed after the elapsed time.
    pub fn new(things: usize, limit: &str) -> Self {
        let terminal = Term::buffered_stderr();
        let target = match terminal.is_term() {
            true => ProgressDrawTarget::term_like_with_hz(Box::new(Terminal(terminal)), RATE),
            false => ProgressDrawTarget::hidden(),
        };
        Self::on(target, things, limit)
    }

    /// A hidden view.
    pub fn hidden() -> Self {
        Self::on(ProgressDrawTarget::hidden(), 0, "")
    }

    fn on(target: ProgressDrawTarget, things: usize, limit: &str) -> Self {
        let all = MultiProgress::with_draw_target(target);
        let total = all.add(ProgressBar::new(things as u64));
        let template = format!("{{bar:20}} {{pos}}/{{len}} {{elapsed}}{limit} {{wide_msg}}");
        if let Ok(style) = ProgressStyle::with_template(&template) {
            total.set_style(style.progress_chars("##."));
        }
        Self { all, total, slow: Vec::new(), state: Mutex::default() }
    }

    /// Creates a view with lines for several properties at once.
    pub fn with_lanes(mut self, lanes: usize) -> Self {
        for _ in 0..lanes.min(SHOWN) {
            let line = self.all.add(ProgressBar::new_spinner());
            if let Ok(style) = ProgressStyle::with_template("{wide_msg}") {
                line.set_style(style);
            }
            self.slow.push(line);
        }
        self
    }

    /// Shows the number of finished steps and the current one.
    pub fn begin(&self, done: usize, next: &str) {
        self.total.set_position(done as u64);
        self.total.set_message(one_line(next));
    }

    /// Shows that a thread starts a property.
    pub fn begin_in(&self, lane: usize, name: &str) {
        let mut state = self.state.lock().expect("no panic while it is locked");
        if state.running.len() <= lane {
            state.running.resize(lane + 1, None);
        }
        state.running[lane] = Some((one_line(name), Instant::now()));
        self.draw(&state);
    }

    /// Shows that a thread has finished its property.
    pub fn end_in(&self, lane: usize, failed: bool) {
        let mut state = self.state.lock().expect("no panic while it is locked");
        let ended = state.running.get_mut(lane).and_then(Option::take);
        state.done += 1;
        if let (Some((name, _)), true) = (ended, failed) {
            state.failed.push(name);
        }
        self.draw(&state);
    }

    /// Redraws the times.
    pub fn tick(&self) {
        match self.slow.is_empty() {
            true => self.total.tick(),
            false => self.draw(&self.state.lock().expect("no panic while it is locked")),
        }
    }

    fn draw(&self, state: &State) {
        self.total.set_position(state.done as u64);
        let (first, slow) = view(state, &|began| began.elapsed());
        self.total.set_message(first);
        let lines = slow.into_iter().chain(std::iter::repeat(String::new()));
        for (line, text) in self.slow.iter().zip(lines) {
            line.set_message(text);
        }
    }

    /// Hides the view while `print` runs.
    pub fn suspend(&self, print: impl FnOnce()) {
        self.all.suspend(print);
    }

    /// Removes the view.
    pub fn end(&self) {
        for line in &self.slow {
            line.finish_and_clear();
        }
        self.total.finish_and_clear();
    }
}

/// The text of the first line, and a line for each slow property, the slowest first.
fn view(state: &State, elapsed: &dyn Fn(Instant) -> Duration) -> (String, Vec<String>) {
    let mut running: Vec<(Duration, &str)> =
        state.running.iter().flatten().map(|(name, began)| (elapsed(*began), &**name)).collect();
    running.sort_by(|a, b| b.cmp(a));
    let mut first = match &state.failed[..] {
        [] => String::new(),
        failed => format!("{} failed ({})  ", failed.len(), failed.join(", ")),
    };
    let is_slow = |time: Duration| time >= SLOW;
    first += running.iter().rev().find(|(time, _)| !is_slow(*time)).map_or("", |(_, name)| name);
    let slow = running.iter().filter(|(time, _)| is_slow(*time));
    (first, slow.map(|(time, name)| format!("    {:>5}  {name}", words::seconds(time.as_secs_f64().floor()))).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_view_shows_failed_slow_and_running_properties() {
        let now = Instant::now();
        let at = |name: &str, seconds: u64| Some((name.to_owned(), now + Duration::from_secs(seconds)));
        let mut state = State { running: vec![at("a::quick", 20), None, at("a::slow", 8)], ..State::default() };
        // The start of each is counted from `now`, and it is 20.3 seconds later.
        let elapsed = |began: Instant| (now + Duration::from_millis(20_300)).duration_since(began);
        assert_eq!(view(&state, &elapsed), ("a::quick".to_owned(), vec!["     12 s  a::slow".to_owned()]));
        state.running.push(at("a::slowest", 1));
        state.failed = vec!["a::x".to_owned(), "a::y".to_owned()];
        let (first, slow) = view(&state, &elapsed);
        assert_eq!(first, "2 failed (a::x, a::y)  a::quick");
        assert_eq!(slow, ["     19 s  a::slowest", "     12 s  a::slow"]);
    }

    /// A terminal that was closed.
    #[derive(Debug)]
    struct Closed;

    impl TermLike for Closed {
        fn width(&self) -> u16 {
            80
        }

        fn move_cursor_up(&self, _: usize) -> io::Result<()> {
            Err(io::ErrorKind::BrokenPipe.into())
        }

        fn move_cursor_down(&self, _: usize) -> io::Result<()> {
            Err(io::ErrorKind::BrokenPipe.into())
        }

        fn move_cursor_right(&self, _: usize) -> io::Result<()> {
            Err(io::ErrorKind::BrokenPipe.into())
        }

        fn move_cursor_left(&self, _: usize) -> io::Result<()> {
            Err(io::ErrorKind::BrokenPipe.into())
        }

        fn write_line(&self, _: &str) -> io::Result<()> {
            Err(io::ErrorKind::BrokenPipe.into())
        }

        fn write_str(&self, _: &str) -> io::Result<()> {
            Err(io::ErrorKind::BrokenPipe.into())
        }

        fn clear_line(&self) -> io::Result<()> {
            Err(io::ErrorKind::BrokenPipe.into())
        }

        fn flush(&self) -> io::Result<()> {
            Err(io::ErrorKind::BrokenPipe.into())
        }
    }

    #[test]
    fn a_closed_terminal_does_not_stop_the_run() {
        let bar = Bar::on(ProgressDrawTarget::term_like(Box::new(Terminal(Closed))), 2, "").with_lanes(2);
        bar.begin_in(0, "a");
        let mut is_printed = false;
        bar.suspend(|| is_printed = true);
        bar.end_in(0, true);
        bar.end();
        assert!(is_printed);
    }

    #[test]
    fn a_hidden_view_counts() {
        let bar = Bar::hidden().with_lanes(2);
        bar.begin_in(1, "a\n\u{1b}[2J");
        bar.begin_in(0, "b");
        bar.end_in(1, true);
        bar.tick();
        let state = bar.state.lock().unwrap();
        assert_eq!((state.done, &state.failed[..]), (1, &["a\\n\\u{1b}[2J".to_owned()][..]));
    }
}
