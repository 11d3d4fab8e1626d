//! The time for drawing each variable, measured on request.

use std::cell::RefCell;
use std::time::{Duration, Instant};

thread_local! {
    /// The drawing time of each variable so far, by its index, while times are measured.
    static TIMES: RefCell<Option<Vec<Duration>>> = const { RefCell::new(None) };
}

/// Calls `generate` and returns the drawing time of each variable, by its index.
pub(crate) fn timed(generate: impl FnOnce()) -> Vec<Duration> {
    TIMES.with_borrow_mut(|times| *times = Some(Vec::new()));
    generate();
    TIMES.with_borrow_mut(Option::take).unwrap_or_default()
}

/// The start of drawing a variable, if it is measured.
pub(crate) fn begin() -> Option<Instant> {
    TIMES.with_borrow(Option::is_some).then(Instant::now)
}

/// Records a variable whose drawing started at `began`.
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
