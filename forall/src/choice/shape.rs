//! Shaped tests: coincidences that independent random draws almost never produce.
//!
//! Many bugs need a coincidence: two equal keys, a repeated subtree, one interesting value among zeros, a number at the
//! end of its range, a sorted list. Independent draws rarely produce one. A *shaped* test draws like a plain one and
//! then replaces some of the draws. Only a tape stores earlier draws, so shaped tests run on tape, at several times the
//! cost of a plain test; [`Shape::is_due`] limits them to a small part of a long run.
//!
//! Whether test *i* is shaped, and how, is a function of the seed and of *i*. The tape records the value, as always, so
//! replay, shrinking and storage are not affected by shapes.
//!
//! The chances below were measured on the ETNA tasks with derived generators (`-- etna --strategy type --cap 256`: 0.51
//! without shapes, 0.70 with them) and on the tuned half of the everyday bugs (`-- finding`: 0.87, 0.94).

use super::{Draw, Item, Random, scale};
use std::ops::Range;

/// Tests are shaped, or plain, in aligned runs of this length, so that blocks of plain tests stay fast.
const RUN: u64 = 4;

/// Up to this test, seven runs in eight are shaped. A default run has 256 tests.
const OFTEN_UNTIL: u64 = 1 << 10;
/// Up to this test, one run in four is shaped.
const SOMETIMES_UNTIL: u64 = 1 << 12;
/// From there on, this many tests at the beginning of each [`PERIOD`] are shaped: about one part in a hundred of the time.
const LATE: u64 = 16;
/// See [`LATE`].
const PERIOD: u64 = 1 << 14;

/// The first tests of a run are of the kinds most likely to find a bug: large and unordered (one in four of them
/// plain), and one in four nearly minimal. Measured on the tuned half: a median of 8 tests until a bug is found without
/// this, 6 with it.
pub(crate) const EARLY_UNTIL: u64 = 16;

/// The bits of a key that mark one of these tests.
const EARLY: u64 = 3;
/// Nothing is ordered.
const UNORDERED: u64 = 1;
/// Most choices are the simplest.
const NEARLY_SIMPLEST: u64 = 2;

/// Indices restart at each multiple of this: rounds of tests begin there.
pub(crate) const ROUND: u64 = 1 << 40;

/// A choice with a smaller maximum is an alternative, unless its generator says that it is a number.
const LEAST_CODE: u64 = 16;

/// At most this many numbers, and this many lengths, are remembered in one test.
const MOST_NUMBERS: usize = 256;

/// At most this many choices of a test are copies of earlier ones, strings apart: copies of copies grow fast.
const MOST_COPIED: usize = 256;

/// After this many choices a test is plain. A loop that draws until a condition holds does not end while numbers only
/// increase, or are all the simplest.
const MOST_SHAPED: u32 = 1 << 12;

/// In tests with few distinct values, this many draws in 16 return one of them.
const MOST_OF_FEW: u32 = 14;

/// After the cut, a rejected part is drawn again with this many choices: with none it would be the same each time.
const AGAIN_AFTER_CUT: u32 = 16;

/// How a test deviates from plain random draws.
#[derive(Clone, Debug)]
pub(crate) struct Shape {
    key: u64,
    random: Random,
    /// The number of choices that may still be shaped.
    left: u32,
    /// After this many choices, all others are the simplest.
    cut: u32,
    /// The number of numbers in 256 that repeat or are next to an earlier one.
    again: u32,
    /// The number of numbers in 256 that are special: ends, powers of two, round ones.
    edge: u32,
    /// The number of parts in 256 that copy an earlier part.
    copies: u32,
    /// The number of choices that may still be copied.
    copies_left: usize,
    /// Most values of a kind are among this many distinct ones: the keys of a cache that should overflow. 0 if
    /// unlimited.
    few: usize,
    /// Whether some copies are changed in one place.
    alters: bool,
    /// The number of strings in 256 that copy an earlier string.
    texts_again: u32,
    /// Whether the numbers of one variable are sorted.
    order: Option<Order>,
    /// Whether nothing of the variable was drawn yet.
    begins: bool,
    /// Determines the disabled alternatives, if any.
    pub(super) swarm: Option<u64>,
    /// The numbers so far: the kind of each, which is its maximum, and its value.
    numbers: Vec<(u64, i128)>,
    /// The number of those that belong to earlier variables.
    before: usize,
    /// The lengths of the collections so far.
    lengths: Vec<i128>,
    /// The positions of these collections, and of the strings among them, in the record.
    pub(super) collections: Vec<Range<usize>>,
    pub(super) texts: Vec<Range<usize>>,
}

#[derive(Clone, Copy, Debug)]
enum Order {
    Rising,
    Falling,
}

/// The meaning of a choice's codes, where a number is chosen.
pub(crate) trait Meaning {
    /// The number with this code.
    fn value(&self, code: u64) -> i128;
    /// The code of a number, if it has one.
    fn code(&self, value: i128) -> Option<u64>;
}

/// Codes up to this one are their own value: characters, floats.
struct Codes(u64);

impl Meaning for Codes {
    fn value(&self, code: u64) -> i128 {
        i128::from(code)
    }

    fn code(&self, value: i128) -> Option<u64> {
        u64::try_from(value).ok().filter(|code| *code <= self.0)
    }
}

impl Shape {
    /// The shape of test `index` of a run with `seed`, if it has one.
    pub(crate) fn of(seed: u64, index: u64) -> Option<Self> {
        /// Separates shapes from the stream that the test draws from.
        const APART: u64 = 0x5851_f42d_4c95_7f2d;
        let key = Random::for_test(seed ^ APART, index).word() & !EARLY;
        let early = match index % ROUND {
            EARLY_UNTIL.. => 0,
            early if early % 4 == 3 => NEARLY_SIMPLEST,
            _ => UNORDERED,
        };
        Self::is_due(index).then(|| Self::from_key(key | early))
    }

    /// Whether test `index` of any run is shaped.
    pub(crate) fn is_due(index: u64) -> bool {
        let run = index / RUN;
        match index % ROUND {
            0..EARLY_UNTIL => !index.is_multiple_of(4),
            EARLY_UNTIL..OFTEN_UNTIL => run % 8 != 7,
            OFTEN_UNTIL..SOMETIMES_UNTIL => run.is_multiple_of(4),
            _ => index % PERIOD < LATE,
        }
    }

    /// The end of the longest run from `indices.start` on, within `indices`, that is shaped or plain throughout.
    pub(crate) fn end_of_run(indices: Range<u64>) -> u64 {
        let Range { start, end } = indices;
        let is_due = Self::is_due(start);
        let mut next = start;
        while next < end && Self::is_due(next) == is_due {
            let (start, length) = if next % ROUND < EARLY_UNTIL {
                (next, 1)
            } else if next % ROUND < SOMETIMES_UNTIL {
                (next - next % RUN, RUN)
            } else {
                (next - next % PERIOD, if is_due { LATE } else { PERIOD })
            };
            next = start.saturating_add(length);
        }
        next.min(end)
    }

    /// The shape for `key`.
    pub(crate) fn from_key(key: u64) -> Self {
        let mut random = Random::from_key(key);
        let mut eighths = random.word();
        let mut has = |count: u64| {
            let has = eighths & 7 < count;
            eighths >>= 3;
            has
        };
        let (nearly_simplest, unordered) = (key & EARLY == NEARLY_SIMPLEST, key & EARLY == UNORDERED);
        let cuts = has(if nearly_simplest { 7 } else { 1 });
        let (orders, edges, alters, swarms, few) = (has(5) && !unordered, has(5), has(3), has(1), has(6));
        // Spread over the magnitudes, up to 128 choices.
        let magnitude: u64 = 1 << random.up_to(if nearly_simplest { 1 } else { 6 });
        let cut = if cuts { (magnitude + random.up_to(magnitude - 1)) as u32 } else { u32::MAX };
        let order = orders.then(|| if random.word() & 3 == 0 { Order::Falling } else { Order::Rising });
        let share = |random: &mut Random, of: u32| of * (1 + random.up_to(3) as u32);
        // Sorted numbers are all distinct.
        let few = if few && order.is_none() { 2 + random.up_to(2) as usize } else { 0 };
        let alters = alters && few == 0;
        Self {
            key,
            left: MOST_SHAPED,
            cut,
            again: share(&mut random, 60),
            edge: if edges { share(&mut random, 32) } else { 0 },
            // A copy would break the order.
            copies: if order.is_none() { share(&mut random, 32) } else { 0 },
            copies_left: MOST_COPIED,
            few,
            texts_again: share(&mut random, 64),
            alters,
            order,
            begins: true,
            swarm: swarms.then(|| random.word()),
            random,
            numbers: Vec::new(),
            before: 0,
            lengths: Vec::new(),
            collections: Vec::new(),
            texts: Vec::new(),
        }
    }

    /// The argument of [`from_key`](Self::from_key) for this shape.
    pub(crate) fn key(&self) -> u64 {
        self.key
    }

    /// Counts a choice, or a fork. Returns whether it is the last shaped one.
    pub(super) fn count_down(&mut self) -> bool {
        self.left = self.left.saturating_sub(1);
        self.left == 0
    }

    /// Whether the plain tests from `index` on are counted, to detect one that draws endlessly. These tests are few
    /// compared to the shaped ones, which take longer.
    pub(crate) fn is_counted(index: u64) -> bool {
        index % ROUND < OFTEN_UNTIL
    }

    /// The choice up to `max` that replaces the random one, `drawn`.
    pub(super) fn choose(&mut self, drawn: u64, max: u64, meaning: Option<&dyn Meaning>) -> u64 {
        if self.cut == 0 {
            return 0;
        }
        self.cut -= 1;
        self.begins = false;
        match meaning {
            Some(meaning) => self.number(drawn, max, meaning, self.again),
            None if max < LEAST_CODE => drawn,
            // One-character strings rarely find bugs in string handling.
            None => {
                let order = self.order.take();
                let code = self.number(drawn, max, &Codes(max), self.again / 2);
                self.order = order;
                code
            }
        }
    }

    fn number(&mut self, drawn: u64, max: u64, meaning: &dyn Meaning, again: u32) -> u64 {
        let draw = self.random.draw();
        let mut related = self.of_few_numbers(max, draw);
        if related.is_none() && draw.selector & 255 < again {
            related = self.earlier(max, draw);
        }
        if related.is_none() {
            related = self.order.and_then(|order| self.next_in(order, max, draw.word));
        }
        if related.is_none() && draw.selector >> 8 & 255 < self.edge {
            related = edge(drawn, max, meaning, draw.word);
        }
        let code = related.and_then(|value| meaning.code(value)).unwrap_or(drawn);
        if self.numbers.len() < MOST_NUMBERS {
            self.numbers.push((max, meaning.value(code)));
        }
        code
    }

    /// One of the first numbers of a kind, if few distinct ones are requested.
    fn of_few_numbers(&self, kind: u64, draw: Draw) -> Option<i128> {
        if self.few == 0 || draw.selector >> 24 & 15 >= MOST_OF_FEW {
            return None;
        }
        let mut different = Vec::with_capacity(self.few);
        for (_, value) in self.numbers.iter().filter(|number| number.0 == kind) {
            if !different.contains(value) {
                different.push(*value);
                if different.len() == self.few {
                    return Some(different[scale(draw.word, self.few as u64 - 1) as usize]);
                }
            }
        }
        None
    }

    /// An earlier number of the same kind, or the length of a collection; or a neighbour.
    fn earlier(&self, kind: u64, draw: Draw) -> Option<i128> {
        let near = match draw.selector >> 16 & 15 {
            0 => -1,
            1 => 1,
            2 => -2,
            3 => 2,
            _ => 0,
        };
        if draw.selector >> 20 & 7 == 0 && !self.lengths.is_empty() {
            return Some(self.lengths[scale(draw.word, self.lengths.len() as u64 - 1) as usize] + near);
        }
        // A repeated number breaks the order of a sorted variable, so repeated numbers are rare there.
        let breaks = draw.selector >> 23 & 3 == 0;
        let numbers = if self.order.is_none() || breaks { &self.numbers[..] } else { &self.numbers[..self.before] };
        let same = || numbers.iter().filter(|number| number.0 == kind);
        let count = same().count() as u64;
        let (_, value) = same().nth(scale(draw.word, count.checked_sub(1)?) as usize)?;
        Some(value + near)
    }

    /// A number slightly above the last one of its kind in this variable.
    fn next_in(&self, order: Order, kind: u64, word: u64) -> Option<i128> {
        let (_, last) = self.numbers[self.before..].iter().rev().find(|number| number.0 == kind)?;
        let step = i128::from(1 + scale(word, (1 << (word & 3)) - 1));
        Some(match order {
            Order::Rising => last + step,
            Order::Falling => last - step,
        })
    }

    /// The number of remembered numbers.
    pub(super) fn numbers_so_far(&self) -> usize {
        self.numbers.len()
    }

    /// A part was rejected and is drawn again: forgets its numbers, from this one on.
    pub(super) fn draw_again(&mut self, numbers: usize) {
        self.numbers.truncate(numbers);
        self.before = self.before.min(self.numbers.len());
        if self.cut == 0 {
            self.cut = AGAIN_AFTER_CUT;
        }
    }

    /// Removes the cut for the following choices.
    pub(super) fn stop_simplifying(&mut self) {
        self.cut = u32::MAX;
    }

    /// Starts the next variable.
    pub(super) fn begin_variable(&mut self) {
        self.before = self.numbers.len();
        self.begins = true;
    }

    /// Records the length of a drawn collection.
    pub(super) fn remember_length(&mut self, length: usize) {
        if self.lengths.len() < MOST_NUMBERS {
            self.lengths.push(length as i128);
        }
    }

    /// Whether to avoid the simplest alternative here: variables rarely start with it, since trivial values are tested
    /// early anyway.
    pub(super) fn avoids_simplest(&mut self) -> bool {
        self.begins && self.random.word() & 7 != 0
    }

    /// A random word that selects the part to copy here, if any. Drawn before looking for parts, which is slow in a
    /// long test.
    pub(super) fn copies_here(&mut self) -> Option<u64> {
        if self.copies_left == 0 { None } else { self.drawn_for(self.copies) }
    }

    /// The position of the collection to copy here, if any: for a string another string.
    pub(super) fn collection_of(&mut self, is_text: bool) -> Option<Range<usize>> {
        let count = if is_text { self.texts.len() } else { self.collections.len() };
        let (count, share) = match (self.few, is_text) {
            (1.., _) if count < self.few => return None,
            (1.., _) => (self.few, MOST_OF_FEW * 16),
            (0, true) => (count, self.texts_again),
            (0, false) if self.copies_left == 0 => return None,
            (0, false) => (count, self.copies),
        };
        let last = (count as u64).checked_sub(1)?;
        let chosen = scale(self.drawn_for(share)?, last) as usize;
        Some(if is_text { &self.texts } else { &self.collections }[chosen].clone())
    }

    fn drawn_for(&mut self, share: u32) -> Option<u64> {
        if share == 0 || self.cut == 0 {
            return None;
        }
        let draw = self.random.draw();
        (draw.selector & 255 < share).then_some(draw.word)
    }

    /// Truncates a copy to the remaining limit. A string contains no other part, so copies of strings do not grow; if
    /// distinct values are few, the first collections are copied, which are short.
    pub(super) fn spend_on_collection(&mut self, copy: &mut Vec<Item>, is_text: bool) {
        if is_text || self.few > 0 {
            copy.truncate(MOST_COPIED);
        } else {
            self.spend(copy);
        }
    }

    /// The same for any part.
    pub(super) fn spend(&mut self, copy: &mut Vec<Item>) {
        copy.truncate(self.copies_left);
        self.copies_left -= copy.len();
    }

    /// Truncates some copies, so that what follows is drawn, and changes one number in others.
    pub(super) fn alter(&mut self, copy: &mut Vec<Item>) {
        let draw = self.random.draw();
        if self.alters && !copy.is_empty() && draw.selector & 3 == 0 {
            let at = scale(draw.word, copy.len() as u64 - 1) as usize;
            match &mut copy[at] {
                Item::Choice(choice) if choice.max >= LEAST_CODE => {
                    let near = [choice.value.saturating_sub(1), choice.value.saturating_add(1).min(choice.max)];
                    choice.value = near[draw.selector as usize >> 2 & 1];
                }
                _ => copy.truncate(at),
            }
        }
    }
}

/// Units of everyday counting: multiples of these, and their neighbours, are often special.
const UNITS: [i128; 8] = [10, 60, 100, 1000, 3600, 86_400, 1_000_000, 1_000_000_000];

/// A special number: one of the simplest or last codes, a power of two, the middle, a round one; or a neighbour of one.
fn edge(drawn: u64, max: u64, meaning: &dyn Meaning, word: u64) -> Option<i128> {
    let near = i128::from(word >> 4 & 3) - 1;
    Some(match word & 7 {
        0 => return Some(meaning.value((word >> 4 & 3).min(max))),
        1 => return Some(meaning.value(max.saturating_sub(word >> 4 & 3))),
        2 => meaning.value(max / 2) + near,
        3 => (1 << (word >> 6 & 63)) + near,
        4 => -(1 << (word >> 6 & 63)) + near,
        _ => {
            let unit = UNITS[(word >> 6 & 7) as usize];
            meaning.value(drawn) / unit * unit + if word >> 9 & 1 == 0 { 0 } else { near }
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn runs_are_shaped_or_plain_throughout() {
        for (start, end) in
            [(0, 5000), (3, 20_000), (16_380, 40_000), (ROUND - 9, ROUND + 5000), (u64::MAX - 20_000, u64::MAX)]
        {
            let mut next = start;
            while next < end {
                let until = Shape::end_of_run(next..end);
                assert!(next < until && until <= end, "{next} {until}");
                assert!((next..until).all(|index| Shape::is_due(index) == Shape::is_due(next)), "{next} {until}");
                next = until;
            }
        }
    }

    #[test]
    fn shaped_tests_are_many_at_first_and_few_in_long_runs() {
        let share = |indices: Range<u64>| {
            let count = indices.end - indices.start;
            indices.filter(|&index| Shape::is_due(index)).count() as f64 / count as f64
        };
        assert_eq!((share(0..16), share(16..1024)), (0.75, 0.873_015_873_015_873));
        assert_eq!(share(1024..4096), 0.25);
        assert!((0.0005..0.002).contains(&share(4096..1 << 20)));
    }
}
