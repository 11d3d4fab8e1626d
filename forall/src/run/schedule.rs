//! How the size of tests grows over a run: a value, and a function of the test's index alone.

use crate::property::Block;
use std::ops::Range;

/// A run that goes on for longer than was asked for begins again with small tests: its tests have indices from here on, from
/// twice this, and so on. No other test has an index as high.
pub(super) const ROUND: u64 = 1 << 40;

/// A run without end, but for a time budget, grows over so many tests, and then again from the beginning: else it would keep to
/// the smallest inputs for ever.
const ENDLESS_ROUND: u64 = 1 << 12;

/// How large the values of each test are.
///
/// ```
/// use forall::run::Schedule;
/// let linear = Schedule::Linear { from: 0, to: 100 };
/// assert_eq!((linear.size(0, 256), linear.size(255, 256), linear.size(9999, 256)), (0, 100, 100));
/// assert_eq!(Schedule::Log2.size(1000, 256), 9);
/// ```
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub enum Schedule {
    /// From one size to another over the tests asked for, then constant. Where `u64::MAX` are asked for, which means that the
    /// time ends the run, again and again over 4,096 tests.
    Linear {
        /// The size of the first test.
        from: u32,
        /// The size of the last.
        to: u32,
    },
    /// The binary logarithm of the test's index.
    Log2,
    /// The same for every test.
    Constant(u32),
    /// Any function of the test's index and the number of tests asked for.
    Function(fn(index: u64, tests: u64) -> u32),
}

impl Default for Schedule {
    fn default() -> Self {
        Schedule::Linear { from: 0, to: 100 }
    }
}

impl Schedule {
    /// The size of test `index` in a run of `tests`.
    ///
    /// ```
    /// use forall::run::Schedule;
    /// let schedule = Schedule::Linear { from: 0, to: 100 };
    /// assert_eq!((schedule.size(0, 101), schedule.size(50, 101), schedule.size(100, 101)), (0, 50, 100));
    /// ```
    pub fn size(&self, index: u64, tests: u64) -> u32 {
        let index = index % ROUND;
        match *self {
            Schedule::Linear { from, .. } => {
                let (limit, growth) = self.line(tests);
                let index = (index % round(tests)).min(limit);
                ((u64::from(from) << 32).wrapping_add(growth.wrapping_mul(index)) >> 32) as u32
            }
            Schedule::Log2 => index.max(1).ilog2(),
            Schedule::Constant(size) => size,
            Schedule::Function(size) => size(index, tests),
        }
    }

    /// The largest size of the first `tests` tests.
    ///
    /// ```
    /// use forall::run::Schedule;
    /// assert_eq!(Schedule::Linear { from: 80, to: 20 }.largest(256), 80);
    /// assert_eq!(Schedule::Function(|index, _| (index % 7) as u32).largest(256), 6);
    /// ```
    pub fn largest(&self, tests: u64) -> u32 {
        match *self {
            Schedule::Linear { from, to } => from.max(to),
            Schedule::Function(size) => {
                let (mut largest, mut index) = (0, 0);
                while index < tests.clamp(1, 10_000) {
                    largest = largest.max(size(index, tests));
                    index += 1;
                }
                largest
            }
            _ => self.size(tests, tests),
        }
    }

    /// A block that starts at `indices.start` and goes as far towards its end as the size grows evenly.
    ///
    /// ```
    /// use forall::run::Schedule;
    /// let block = Schedule::Constant(50).block(7, 0..1000, 1000);
    /// assert_eq!((block.indices, block.size >> 32, block.growth), (0..1000, 50, 0));
    /// ```
    pub fn block(&self, seed: u64, indices: Range<u64>, tests: u64) -> Block {
        let Range { start, mut end } = indices;
        let (mut size, mut growth) = (u64::from(self.size(start, tests)) << 32, 0);
        match *self {
            Schedule::Constant(_) => {}
            Schedule::Linear { from, .. } => {
                let ((limit, slope), round) = (self.line(tests), round(tests));
                let at = start % round;
                let mut until = round;
                if at < limit {
                    (growth, until) = (slope, limit);
                }
                size = (u64::from(from) << 32).wrapping_add(slope.wrapping_mul(at.min(limit)));
                end = end.min(start.saturating_add(until - at));
            }
            Schedule::Log2 | Schedule::Function(_) => {
                let mut same = start + 1;
                while same < end && u64::from(self.size(same, tests)) << 32 == size {
                    same += 1;
                }
                end = same;
            }
        }
        Block { seed, indices: start..end, size, growth }
    }

    /// For the linear schedule: the index from which the size is constant, and the growth per test, times 2^32.
    /// Rounded up, so that the last test has the last size exactly; a falling line wraps around.
    fn line(&self, tests: u64) -> (u64, u64) {
        let Schedule::Linear { from, to } = *self else { return (0, 0) };
        let limit = tests.min(round(tests)).saturating_sub(1).max(1);
        let rise = (i128::from(to) - i128::from(from)) << 32;
        // Rounded up: what is rounded down is the negative.
        (limit, rise.wrapping_neg().div_euclid(i128::from(limit)).wrapping_neg() as u64)
    }
}

/// Over how many tests a run of `tests` grows before it begins again.
fn round(tests: u64) -> u64 {
    if tests == u64::MAX { ENDLESS_ROUND } else { ROUND }
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
    fn a_run_without_end_grows_again_and_again() {
        let schedule = Schedule::default();
        let size = |index| schedule.size(index, u64::MAX);
        assert_eq!((size(0), size(2048), size(4095), size(4096), size(3 * 4096 + 4095)), (0, 50, 100, 0, 100));
    }

    #[test]
    fn blocks_have_the_sizes_that_their_tests_have() {
        for tests in [1, 2, 7, 256, 5000, u64::MAX] {
            for schedule in [Schedule::default(), Schedule::Linear { from: 90, to: 10 }, Schedule::Log2] {
                let mut next = 0;
                while next < 10_000 {
                    let block = schedule.block(7, next..10_000, tests);
                    assert!(block.indices.start == next && block.indices.end > next && block.indices.end <= 10_000);
                    for index in block.indices.clone() {
                        let grown = block.size.wrapping_add(block.growth.wrapping_mul(index - next)) >> 32;
                        assert_eq!(grown as u32, schedule.size(index, tests), "{schedule:?} {tests} {index}");
                    }
                    next = block.indices.end;
                }
            }
        }
    }
}
