//! How long each variable takes to be drawn. The clock runs only while somebody asks.

use std::cell::RefCell;
use std::time::{Duration, Instant};

thread_local! {
    /// How long each variable took so far, by its number, while that is measured.
    static TIMES: RefCell<Option<Vec<Duration>>> = const { RefCell::new(None) };
}

/// Calls `generate` and tells how long each variable took that it drew, by its number.
pub(crate) fn timed(generate: impl FnOnce()) -> Vec<Duration> {
    TIMES.with_borrow_mut(|times| *times = Some(Vec::new()));
    generate();
    TIMES.with_borrow_mut(Option::take).unwrap_or_default()
}

/// A variable is about to be drawn: when, if that is measured.
pub(crate) fn begin() -> Option<Instant> {
    TIMES.with_borrow(Option::is_some).then(Instant::now)
}

/// A variable was drawn that was begun then.
pub(crate) fn end(variable: u32, began: Option<Instant>) {
    let Some(began) = began else { return };
    let took = began.elapsed();
    TIMES.with_borrow_mut(|times| {
        if let Some(times) = times {
            times.resize((variable as usize + 1).max(times.len()), Duration::ZERO);
            times[variable as usize] = took;
        }
    });
}
