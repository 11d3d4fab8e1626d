//! A shard: one of several independent workers, on different machines, that divide the tests of a property.
//!
//! Test *i* of a run is a function of (seed, *i*), so the workers only have to agree on the assignment of indices.
//! Indices are dealt out in *rows*: each shard has one block of each row. Blocks begin with one test and double from
//! row to row, up to a limit that all shards compute from the numbers of tests and shards: so every shard has tests of
//! all sizes, and blocks are long if there are many tests.
//!
//! Runners that learn from their tests do not use indices; they have a different seed for each shard instead.

use crate::hash::Fnv;
use crate::whole::whole;
use std::fmt;
use std::ops::Range;
use std::str::FromStr;

/// The longest block: threads are started for each block, so it should take a while.
const LONGEST: u64 = 1 << 20;

/// The minimum number of rows, if there are enough tests: otherwise one shard would have all the large ones.
const ROWS: u64 = 16;

/// One of several workers that divide the tests of a property: `3/64` is the third of 64.
///
/// Together, the shards of a run test what one worker would test, each test once. (Each shard replaces its own
/// discarded tests.) A small domain is divided input by input.
///
/// ```
/// use forall::prelude::*;
/// use forall::run::{Run, Settings, Shard};
/// use std::{cell::RefCell, collections::BTreeSet};
///
/// let (seen, times) = (RefCell::new(BTreeSet::new()), std::cell::Cell::new(0));
/// let property = property! { forall n: u64; check { seen.borrow_mut().insert(*n); times.set(times.get() + 1); } };
/// let settings = Settings::new().tests(1000).seed(7);
/// Run::new("one", &property).settings(settings.clone()).report();
/// let by_one = (seen.take(), times.take());
/// for shard in ["1/3", "2/3", "3/3"] {
///     let shard: Shard = shard.parse().unwrap();
///     Run::new("three", &property).settings(settings.clone().shard(shard)).report();
/// }
/// assert_eq!((seen.take(), times.take()), by_one);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Shard {
    number: u64,
    of: u64,
}

impl Shard {
    /// Creates shard `number` of `of`, from 1. Returns `None` if there is no such shard.
    ///
    /// ```
    /// use forall::run::Shard;
    /// assert_eq!(Shard::new(3, 64).unwrap().to_string(), "3/64");
    /// assert_eq!(Shard::new(0, 4).or(Shard::new(5, 4)), None);
    /// ```
    pub fn new(number: u64, of: u64) -> Option<Self> {
        (1..=of).contains(&number).then_some(Self { number, of })
    }

    /// Its number, from 1.
    ///
    /// ```
    /// assert_eq!("3/64".parse::<forall::run::Shard>().unwrap().number(), 3);
    /// ```
    #[doc(hidden)]
    pub fn number(self) -> u64 {
        self.number
    }

    /// Returns the number of shards.
    ///
    /// ```
    /// assert_eq!("3/64".parse::<forall::run::Shard>().unwrap().of(), 64);
    /// ```
    #[doc(hidden)]
    pub fn of(self) -> u64 {
        self.of
    }

    /// Returns the indices of this shard's tests in a run of `tests` tests, as an endless sequence of blocks: those below
    /// `tests` are requested, and the rest replace discarded ones.
    ///
    /// ```
    /// use forall::run::Shard;
    /// let (one, two) = (Shard::new(1, 2).unwrap(), Shard::new(2, 2).unwrap());
    /// assert_eq!(one.blocks(256).take(3).collect::<Vec<_>>(), [0..1, 2..4, 6..10]);
    /// assert_eq!(two.blocks(256).take(3).collect::<Vec<_>>(), [1..2, 4..6, 10..14]);
    /// ```
    #[doc(hidden)]
    pub fn blocks(self, tests: u64) -> impl Iterator<Item = Range<u64>> {
        let longest = self.longest_block(tests);
        let (mut row, mut length) = (0u64, 1u64);
        std::iter::from_fn(move || {
            let start = row.checked_add((self.number - 1).checked_mul(length)?)?;
            let block = start..start.checked_add(length)?;
            row = row.checked_add(self.of.checked_mul(length)?)?;
            length = (length * 2).min(longest);
            Some(block)
        })
    }

    /// Returns how many of the first `tests` tests belong to this shard.
    ///
    /// ```
    /// use forall::run::Shard;
    /// let shares = (1..=3).map(|number| Shard::new(number, 3).unwrap().share(256));
    /// assert_eq!(shares.sum::<u64>(), 256);
    /// ```
    #[doc(hidden)]
    pub fn share(self, tests: u64) -> u64 {
        if tests == u64::MAX {
            return tests;
        }
        let longest = self.longest_block(tests);
        let (mut row, mut length, mut share) = (0u64, 1, 0);
        let of_row =
            |row: u64, length: u64| tests.saturating_sub(row.saturating_add((self.number - 1) * length)).min(length);
        while row < tests && length < longest {
            share += of_row(row, length);
            row += self.of * length;
            length = (length * 2).min(longest);
        }
        if row < tests {
            // All other rows have the same length.
            let whole_rows = (tests - row) / (self.of * length);
            share += whole_rows * length + of_row(row + whole_rows * self.of * length, length);
        }
        share
    }

    fn longest_block(self, tests: u64) -> u64 {
        (tests / self.of.saturating_mul(ROWS)).clamp(1, LONGEST)
    }

    /// Whether input `index` of a small domain, or test `index` of those with literals, belongs to it.
    pub(crate) fn has_input(self, index: u64) -> bool {
        index % self.of == self.number - 1
    }

    /// Returns the number of a small domain's inputs that belong to it.
    pub(crate) fn share_of_domain(self, inputs: u64) -> u64 {
        (inputs + self.of - self.number) / self.of
    }

    /// Returns the seed of a runner that learns from its tests: shards with the same seed would repeat each other.
    ///
    /// ```
    /// use forall::run::Shard;
    /// let seed = |number| Shard::new(number, 4).unwrap().seed(7);
    /// assert!(seed(1) != seed(2) && seed(1) != 7);
    /// ```
    #[doc(hidden)]
    pub fn seed(self, seed: u64) -> u64 {
        let mut hash = Fnv::default();
        for word in [seed, self.number, self.of] {
            hash.mix(word);
        }
        hash.finish()
    }
}

impl fmt::Display for Shard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.number, self.of)
    }
}

impl FromStr for Shard {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let parts = text.split_once('/').and_then(|(number, of)| Some((whole(number.trim())?, whole(of.trim())?)));
        let Some((number, of)) = parts else {
            return Err(format!("`{text}` is not a shard: write its number and the total, such as 3/64"));
        };
        Self::new(number, of).ok_or_else(|| match of {
            0 => format!("`{text}` has a total of 0 shards: use 1/1 for a single worker"),
            _ => format!("there is no shard {number} of {of}: shards are numbered from 1 to {of}"),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate as forall;

    fn shards(of: u64) -> Vec<Shard> {
        (1..=of).map(|number| Shard::new(number, of).unwrap()).collect()
    }

    #[forall::test]
    fn shards_have_each_index_once(#[forall(1..5000u64)] tests: u64, #[forall(1..70u64)] of: u64) {
        let mut all = Vec::new();
        for shard in shards(of) {
            let mut own: Vec<u64> =
                shard.blocks(tests).take_while(|block| block.start < tests).flatten().filter(|i| *i < tests).collect();
            assert_eq!(own.len() as u64, shard.share(tests));
            all.append(&mut own);
        }
        all.sort_unstable();
        assert_eq!(all, (0..tests).collect::<Vec<_>>());
    }

    #[forall::test]
    fn no_shard_has_much_more_than_others(#[forall(1..1_000_000u64)] tests: u64, #[forall(1..70u64)] of: u64) {
        let longest = (tests / (of * ROWS)).max(1);
        for shard in shards(of) {
            assert!(shard.share(tests).abs_diff(tests / of) <= longest, "{shard}: {}", shard.share(tests));
        }
    }

    #[forall::test]
    fn inputs_of_a_small_domain_are_dealt_out(#[forall(0..300u64)] inputs: u64, #[forall(1..20u64)] of: u64) {
        for index in 0..inputs {
            assert_eq!(shards(of).iter().filter(|shard| shard.has_input(index)).count(), 1);
        }
        for shard in shards(of) {
            let own = (0..inputs).filter(|&index| shard.has_input(index)).count() as u64;
            assert_eq!(shard.share_of_domain(inputs), own);
        }
    }

    #[test]
    fn invalid_shards_are_rejected() {
        let wrong = |text: &str| text.parse::<Shard>().unwrap_err();
        assert_eq!(wrong("0/4"), "there is no shard 0 of 4: shards are numbered from 1 to 4");
        assert_eq!(wrong("5/4"), "there is no shard 5 of 4: shards are numbered from 1 to 4");
        assert_eq!(wrong("0/0"), "`0/0` has a total of 0 shards: use 1/1 for a single worker");
        for text in ["", "x", "3", "3/", "/4", "-1/4", "1/99999999999999999999", "3/4/5"] {
            assert!(wrong(text).contains("such as 3/64"), "{text}");
        }
    }

    #[test]
    fn huge_numbers_of_shards_terminate() {
        let last = Shard::new(u64::MAX, u64::MAX).unwrap();
        assert_eq!((last.share(256), last.blocks(u64::MAX).count()), (0, 1));
    }
}
