//! The number of locations reached so far, which a report draws over time.

use super::counters::Counters;

/// The locations that the tests of a run reached.
#[derive(Debug)]
pub(crate) struct Reached {
    counters: Counters,
    seen: Vec<bool>,
    count: usize,
}

impl Reached {
    /// `None` in an uninstrumented build.
    pub(crate) fn new() -> Option<Self> {
        let counters = Counters::of_this_process().ok()?;
        let seen = vec![false; counters.len()];
        let mut reached = Self { counters, seen, count: 0 };
        reached.forget();
        Some(reached)
    }

    /// Counts the locations reached since the last call of this or `forget`.
    pub(crate) fn count(&mut self) {
        let Self { counters, seen, count } = self;
        counters.take(|place, _| {
            *count += usize::from(!seen[place]);
            seen[place] = true;
        });
    }

    /// Drops the coverage since then, which did not come from a test.
    pub(crate) fn forget(&mut self) {
        self.counters.take(|_, _| {});
    }

    /// The number of locations reached, and of all locations.
    pub(crate) fn places(&self) -> (usize, usize) {
        (self.count, self.seen.len())
    }
}
