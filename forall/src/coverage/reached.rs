//! The locations reached so far: their number, which a report draws over time, and their counts, for the profile.

use super::counters::Counters;

/// The locations that the tests of a run reached.
#[derive(Debug)]
pub(crate) struct Reached {
    counters: Counters,
    /// The number of executions of each location, by tests and otherwise.
    hits: Vec<u64>,
    others: Vec<u64>,
    count: usize,
}

impl Reached {
    /// `None` in an uninstrumented build.
    pub(crate) fn new() -> Option<Self> {
        let counters = Counters::of_this_process().ok()?;
        let hits = vec![0; counters.len()];
        let mut reached = Self { counters, others: hits.clone(), hits, count: 0 };
        reached.forget();
        Some(reached)
    }

    /// Counts the locations reached since the last call of this or `forget`.
    pub(crate) fn count(&mut self) {
        let Self { counters, hits, count, .. } = self;
        counters.take(|place, new| {
            *count += usize::from(hits[place] == 0);
            hits[place] = hits[place].saturating_add(new);
        });
    }

    /// Does not count the locations reached since then, which did not come from a test.
    pub(crate) fn forget(&mut self) {
        let Self { counters, others, .. } = self;
        counters.take(|place, new| others[place] = others[place].saturating_add(new));
    }

    /// The number of locations reached, and of all locations.
    pub(crate) fn places(&self) -> (usize, usize) {
        (self.count, self.hits.len())
    }
}

/// The profile that the process writes when it exits is complete.
impl Drop for Reached {
    fn drop(&mut self) {
        self.counters.add(&self.hits);
        self.counters.add(&self.others);
    }
}
