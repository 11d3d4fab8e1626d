//! How the size of tests grows over a run: a value, and a function of the test's index alone.

use crate::property::Block;
use std::ops::Range;

/// A run that goes on for longer than was asked for begins again with small tests: its tests have indices from here on, from
/// twice this, and so on. No other test has an index as high.
pub(super) const ROUND: u64 = 1 << 40;

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
    /// From one size to another over the tests asked for, then constant.
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
                ((u64::from(from) << 32).wrapping_add(growth.wrapping_mul(index.min(limit))) >> 32) as u32
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
                let mut largest = 0;
                for index in 0..tests.clamp(1, 10_000) {
                    largest = largest.max(size(index, tests));
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
        let mut growth = 0;
        match *self {
            Schedule::Constant(_) => {}
            Schedule::Linear { .. } => {
                let (limit, slope) = self.line(tests);
                let (round, start) = (start - start % ROUND, start % ROUND);
                if start < limit {
                    growth = slope;
                    end = end.min(round + limit);
                }
            }
            Schedule::Log2 | Schedule::Function(_) => {
                let size = self.size(start, tests);
                let mut same = start + 1;
                while same < end && self.size(same, tests) == size {
                    same += 1;
                }
                end = same;
            }
        }
        let size = match *self {
            Schedule::Linear { from, .. } => {
                let (limit, slope) = self.line(tests);
                (u64::from(from) << 32).wrapping_add(slope.wrapping_mul((start % ROUND).min(limit)))
            }
            _ => u64::from(self.size(start, tests)) << 32,
        };
        Block { seed, indices: start..end, size, growth }
    }

    /// For the linear schedule: the index from which the size is constant, and the growth per test, times 2^32.
    /// Rounded up, so that the last test has the last size exactly; a falling line wraps around.
    fn line(&self, tests: u64) -> (u64, u64) {
        let Schedule::Linear { from, to } = *self else { return (0, 0) };
        let limit = tests.saturating_sub(1).max(1);
        let rise = (i128::from(to) - i128::from(from)) << 32;
        (
            limit,
            rise.div_euclid(i128::from(limit)).wrapping_add(i128::from(rise.rem_euclid(i128::from(limit)) != 0)) as u64,
        )
    }
}

impl From<u32> for Schedule {
    fn from(size: u32) -> Self {
        Schedule::Constant(size)
    }
}
