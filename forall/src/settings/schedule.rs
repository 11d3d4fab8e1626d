//! Size schedules: functions of the test's index.

use crate::choice::EARLY_UNTIL;
use crate::property::{Block, Sizes};
use std::ops::Range;

/// A schedule of sizes: how large the values of each test are.
///
/// The size of a test depends only on its index: test 7 is the same in a run of ten tests, in one of a million, and in
/// one that ends only by its time limit.
///
/// ```
/// use forall::run::Schedule;
/// let spread = Schedule::default();
/// assert_eq!([0, 1, 2, 3, 4].map(|index| spread.size(index)), [92, 84, 97, 89, 81]);
/// assert_eq!([16, 17, 18, 19, 20].map(|index| spread.size(index)), [51, 12, 75, 36, 98]);
/// assert!((0..1000).all(|index| spread.size(index) <= 100));
/// assert_eq!(Schedule::Log2.size(1000), 9);
/// ```
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub enum Schedule {
    /// All sizes from one to the other, repeatedly, in a fixed shuffled order: any range of tests has small, medium and
    /// large sizes. The exception is the first 16 tests, which are all large, to find bugs soon that any large test
    /// reveals. `Schedule::default()` is from 0 to 100.
    #[doc(hidden)]
    Spread {
        /// The size at one end.
        from: u32,
        /// The size at the other end.
        to: u32,
    },
    /// The binary logarithm of the test's index.
    #[doc(hidden)]
    Log2,
    /// The same size for every test.
    Constant(u32),
    /// A function of the test's index.
    Function(fn(index: u64) -> u32),
}

/// The step from one size to the next, as a fraction of 2^32: the golden ratio, whose multiples are evenly spread.
const GOLDEN: u32 = 0x9e37_79b9;

impl Default for Schedule {
    fn default() -> Self {
        Schedule::Spread { from: 0, to: 100 }
    }
}

impl Schedule {
    /// Returns the size of test `index`.
    ///
    /// ```
    /// use forall::run::Schedule;
    /// let schedule = Schedule::Spread { from: 5, to: 10 };
    /// assert!((0..100).all(|index| (5..=10).contains(&schedule.size(index))));
    /// ```
    pub fn size(&self, index: u64) -> u32 {
        self.sizes(index).0.of(index)
    }

    /// Returns the largest size of a test; for a [`Function`](Schedule::Function) the largest of the first `tests` tests.
    ///
    /// ```
    /// use forall::run::Schedule;
    /// assert_eq!(Schedule::Spread { from: 80, to: 20 }.largest(256), 80);
    /// assert_eq!(Schedule::Function(|index| (index % 7) as u32).largest(256), 6);
    /// ```
    #[doc(hidden)]
    pub fn largest(&self, tests: u64) -> u32 {
        match *self {
            Schedule::Spread { from, to } => from.max(to),
            Schedule::Function(size) => {
                let (mut largest, mut index) = (0, 0);
                while index < tests.clamp(1, 10_000) {
                    largest = largest.max(size(index));
                    index += 1;
                }
                largest
            }
            _ => self.size(tests),
        }
    }

    /// Returns a block of tests from `indices.start` on, up to where one rule determines their sizes.
    ///
    /// ```
    /// use forall::run::Schedule;
    /// let block = Schedule::Constant(50).block(7, 0..1000);
    /// assert_eq!((block.indices.clone(), block.sizes.of(7)), (0..1000, 50));
    /// ```
    #[doc(hidden)]
    pub fn block(&self, seed: u64, indices: Range<u64>) -> Block {
        let Range { start, end } = indices;
        let (sizes, until) = self.sizes(start);
        Block { seed, indices: start..end.min(until), sizes }
    }

    /// The rule for the sizes from test `index` on, and the first test to which it does not apply.
    fn sizes(&self, index: u64) -> (Sizes, u64) {
        match *self {
            Schedule::Constant(size) => (Sizes::constant(size), u64::MAX),
            Schedule::Spread { from, to } if index < EARLY_UNTIL => {
                let low = from.min(to) + from.abs_diff(to) / 5 * 4;
                (Sizes::spread(low, from.max(to), GOLDEN), EARLY_UNTIL)
            }
            Schedule::Spread { from, to } => (Sizes::spread(from, to, GOLDEN), u64::MAX),
            Schedule::Log2 => (
                Sizes::constant(index.max(1).ilog2()),
                index.max(1).checked_mul(2).map_or(u64::MAX, |twice| 1 << twice.ilog2()),
            ),
            Schedule::Function(size) => (Sizes::constant(size(index)), index + 1),
        }
    }
}

impl From<u32> for Schedule {
    fn from(size: u32) -> Self {
        Schedule::Constant(size)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn any_hundred_tests_have_small_middle_and_large_sizes() {
        for (from, to) in [(0, 100), (100, 0), (0, 10), (3, 5), (7, 7), (0, 1_000_000)] {
            let schedule = Schedule::Spread { from, to };
            let (low, high) = (from.min(to), from.max(to));
            for start in [0, 1000, 1 << 40] {
                let sizes: Vec<u32> = (start..start + 100).map(|index| schedule.size(index)).collect();
                let quarter = |part: u32| low + (u64::from(high - low) * u64::from(part) / 4) as u32;
                for part in 0..4 {
                    let count = sizes.iter().filter(|size| (quarter(part)..=quarter(part + 1)).contains(size)).count();
                    assert!(count >= 20, "{schedule:?}: {count} of 100 sizes in a quarter, from test {start} on");
                }
            }
        }
    }

    #[test]
    fn blocks_have_the_sizes_that_their_tests_have() {
        let three = |index| (index / 3) as u32;
        let falls = Schedule::Spread { from: 90, to: 10 };
        for schedule in [Schedule::default(), falls, Schedule::Log2, Schedule::Constant(5), Schedule::Function(three)] {
            let mut next = 0;
            while next < 10_000 {
                let block = schedule.block(7, next..10_000);
                assert!(block.indices.start == next && block.indices.end > next && block.indices.end <= 10_000);
                for index in block.indices.clone() {
                    assert_eq!(block.sizes.of(index), schedule.size(index), "{schedule:?} {index}");
                }
                next = block.indices.end;
            }
        }
    }
}
