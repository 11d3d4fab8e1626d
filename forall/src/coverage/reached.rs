//! How many places of the program were reached so far: what a report draws over time.

use super::counters::Counters;

/// The places that the tests of a run reached.
#[derive(Debug)]
pub(crate) struct Reached {
    counters: Counters,
    seen: Vec<bool>,
    count: usize,
}

impl Reached {
    /// None where the build is not instrumented.
    pub(crate) fn new() -> Option<Self> {
        let counters = Counters::of_this_process().ok()?;
        let seen = vec![false; counters.len()];
        let mut reached = Self { counters, seen, count: 0 };
        reached.forget();
        Some(reached)
    }

    /// Counts what was reached since the last time that something was counted or forgotten.
    pub(crate) fn count(&mut self) {
        let Self { counters, seen, count } = self;
        counters.take(|place, _| {
            *count += usize::from(!seen[place]);
            seen[place] = true;
        });
    }

    /// What was reached since then does not count: that was no test.
    pub(crate) fn forget(&mut self) {
        self.counters.take(|_, _| {});
    }

    /// How many places were reached, and how many there are.
    pub(crate) fn places(&self) -> (usize, usize) {
        (self.count, self.seen.len())
    }
}
