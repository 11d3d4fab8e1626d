//! Whether preconditions prune: one that reads the whole value before it rejects it makes the search try every value.

use super::Twin;
use crate::lazy::Lazy;
use crate::lazy::trail::{Search, with_current};

/// The inputs that the preconditions of a search rejected.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Pruning {
    rejected: u64,
    /// The number of rejected values that were sampled, and of those that were fully decided.
    sampled: u32,
    whole: u32,
}

/// With fewer samples nothing is reported: every precondition reads all of a small value.
const ENOUGH_SAMPLES: u32 = 6;

impl Pruning {
    pub(crate) fn add(&mut self, other: Self) {
        self.rejected += other.rejected;
        self.sampled += other.sampled;
        self.whole += other.whole;
    }

    /// The number of rejected values, if every sampled one was fully decided.
    pub(crate) fn unpruned(self) -> Option<u64> {
        (self.sampled >= ENOUGH_SAMPLES && self.whole == self.sampled).then_some(self.rejected)
    }
}

/// Returns whether the precondition of a parameter holds.
pub fn holds<T: Twin>(cell: &Lazy<T::Lazy>, condition: impl Fn(&T::Lazy) -> bool) -> bool {
    let holds = condition(cell);
    if !holds {
        with_current(|search| {
            if let Some(search) = search {
                search.reject::<T>(cell);
            }
        });
    }
    holds
}

impl Search {
    /// Counts a value that a precondition rejects. Whether it was fully decided is checked for the 8th, 16th, 32nd, …:
    /// the check may have to unwind.
    fn reject<T: Twin>(&self, cell: &Lazy<T::Lazy>) {
        let mut pruning = self.pruning.get();
        pruning.rejected += 1;
        if pruning.rejected >= 8 && pruning.rejected.is_power_of_two() && !self.is_frozen() {
            let is_whole = self.try_ahead(&|| {
                drop(T::plain(cell));
                true
            });
            pruning.sampled += 1;
            pruning.whole += u32::from(is_whole.is_some());
        }
        self.pruning.set(pruning);
    }
}
