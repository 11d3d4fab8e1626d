//! The values that preconditions reject: whether that prunes the search, and whether it is right.
//!
//! A precondition that reads the whole value before it rejects it makes the search try every value. One that rejects a
//! partial value, although it accepts a complete one with the same parts, makes the search skip inputs.

use super::Twin;
use crate::lazy::Lazy;
use crate::lazy::beginning::Part;
use crate::lazy::path::Path;
use crate::lazy::signal::Signal;
use crate::lazy::trail::{Search, with_current};
use crate::panic::Unwound;
use crate::property::Property;
use std::cell::{Cell, RefCell};

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

/// What a search records of rejected values.
#[derive(Default)]
pub(in crate::lazy) struct Rejections {
    pub(in crate::lazy) pruning: Cell<Pruning>,
    /// The paths of the 1st, 2nd, 4th, 8th, … rejected value.
    paths: RefCell<Vec<Vec<u32>>>,
    /// Whether this search completes rejected values and checks that they are still rejected.
    completes: Cell<bool>,
}

/// Returns whether the precondition of a parameter holds.
pub fn holds<T: Twin>(cell: &Lazy<T::Lazy>, condition: impl Fn(&T::Lazy) -> bool) -> bool {
    let holds = condition(cell);
    if !holds {
        with_current(|search| {
            if let Some(search) = search {
                search.reject::<T>(cell, &condition);
            }
        });
    }
    holds
}

impl Search {
    /// Counts a value that a precondition rejects. Whether it was fully decided is checked for the 8th, 16th, 32nd, …:
    /// the check may have to unwind.
    fn reject<T: Twin>(&self, cell: &Lazy<T::Lazy>, condition: &dyn Fn(&T::Lazy) -> bool) {
        if self.rejections.completes.get() {
            drop(T::plain(cell));
            if condition(cell) {
                self.raise(Signal::Unsteady);
            }
            return;
        }
        let mut pruning = self.rejections.pruning.get();
        pruning.rejected += 1;
        if pruning.rejected.is_power_of_two() && !self.is_frozen() {
            self.rejections.paths.borrow_mut().push(self.path(0));
            if pruning.rejected >= 8 {
                let is_whole = self.try_ahead(&|| {
                    drop(T::plain(cell));
                    true
                });
                pruning.sampled += 1;
                pruning.whole += u32::from(is_whole.is_some());
            }
        }
        self.rejections.pruning.set(pruning);
    }

    /// Whether a precondition rejected a sampled partial value, but accepts the first complete value with these parts.
    /// The samples run in a search of their own: completing a value decides cells, which this search would enumerate.
    pub(in crate::lazy) fn rejects_wrongly(&self, property: &dyn Property, depth: u32, independent: bool) -> bool {
        let again = Search::new(u64::MAX, || false);
        again.rejections.completes.set(true);
        let is_wrong = |path: Vec<u32>| {
            again.enter(|| {
                again.in_block(depth, |block| {
                    again.begin_part(block, &Part::beginning(path));
                    let ended = Path::new(property, &again, (block, depth, independent)).evaluate();
                    matches!(ended, Err(Unwound::Signal(payload)) if Signal::of(&*payload) == Some(Signal::Unsteady))
                })
            })
        };
        self.rejections.paths.take().into_iter().any(is_wrong)
    }
}
