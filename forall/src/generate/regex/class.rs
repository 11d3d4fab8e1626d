//! Sets of characters.

use super::super::character;
use super::super::integer::Coded;
use crate::choice::{Random, Source, scale};

/// Up to this many characters are kept in a table.
const SMALL: usize = 256;

/// A set of characters, at least one. Its order is that of simplicity: ASCII as for all characters, then by code point.
#[derive(Debug)]
pub(super) struct Class {
    /// All of a small set; of a large one those in ASCII.
    table: Box<[char]>,
    /// Which characters of ASCII are in the set, a bit each.
    ascii: u128,
    /// What of a large set is not in the table, in order, each range with the number of characters before it.
    ranges: Box<[(u32, char, char)]>,
    count: u32,
}

impl Class {
    /// A set by its ranges, which are in order and do not meet. None, if it is empty.
    pub(super) fn new(ranges: &[(char, char)]) -> Option<Self> {
        let total: usize = ranges.iter().map(|(start, end)| (*start..=*end).count()).sum();
        let of_table = |c: &char| total <= SMALL || c.is_ascii();
        let mut table: Vec<char> =
            ranges.iter().flat_map(|(start, end)| (*start..=*end).take_while(of_table)).collect();
        // What is not ASCII has a code above all of it, in order.
        table.sort_by_key(|c| c.encode());
        let ascii = table.iter().filter(|c| c.is_ascii()).fold(0, |bits, c| bits | 1 << *c as u32);
        let mut count = table.len() as u32;
        let mut large = Vec::new();
        for &(start, end) in ranges.iter().filter(|_| total > SMALL) {
            let start = start.max('\u{80}');
            if start <= end {
                large.push((count, start, end));
                count += (start..=end).count() as u32;
            }
        }
        (count > 0).then(|| Self { table: table.into(), ascii, ranges: large.into(), count })
    }

    #[inline]
    pub(super) fn generate(&self, source: &mut Source) -> char {
        if source.is_random() { self.random(source.stream().0) } else { self.on_tape(source) }
    }

    /// Adds `length` random characters.
    pub(super) fn repeat(&self, random: &mut Random, length: usize, text: &mut String) {
        text.reserve(length);
        if !self.ranges.is_empty() {
            for _ in 0..length {
                text.push(self.random(random));
            }
            return;
        }
        let most = self.table.len() as u64 - 1;
        for _ in 0..length {
            text.push(self.table[random.up_to(most) as usize]);
        }
    }

    fn random(&self, random: &mut Random) -> char {
        if self.ranges.is_empty() {
            return self.table[random.up_to(self.table.len() as u64 - 1) as usize];
        }
        // As it is drawn everywhere, with what software stumbles over; and if that is none of these, one of these.
        let c = character::random(random);
        let is_here = if c.is_ascii() { self.ascii >> c as u32 & 1 == 1 } else { self.index(c).is_some() };
        if is_here {
            return c;
        }
        let draw = random.draw();
        let plain = !self.table.is_empty() && draw.selector & 3 != 0;
        let among = if plain { self.table.len() as u32 } else { self.count };
        self.at(scale(draw.word, u64::from(among - 1)) as u32)
    }

    #[cold]
    fn on_tape(&self, source: &mut Source) -> char {
        let index = source.choice_on_tape(u64::from(self.count - 1), &|random, _| {
            self.index(self.random(random)).map_or(0, u64::from)
        });
        self.at(index as u32)
    }

    /// The character at a place of the order.
    fn at(&self, index: u32) -> char {
        if let Some(&c) = self.table.get(index as usize) {
            return c;
        }
        let above = self.ranges.partition_point(|(before, ..)| *before <= index);
        let (before, start, end) = self.ranges[above - 1];
        (start..=end).nth((index - before) as usize).unwrap_or(end)
    }

    /// The place of a character in the order, if it is in the set.
    fn index(&self, c: char) -> Option<u32> {
        if c.is_ascii() || self.ranges.is_empty() {
            let at = self.table.binary_search_by_key(&c.encode(), |other| other.encode());
            return at.ok().map(|at| at as u32);
        }
        let above = self.ranges.partition_point(|(_, start, _)| *start <= c);
        let (before, start, end) = *self.ranges.get(above.checked_sub(1)?)?;
        (c <= end).then(|| before + (start..c).count() as u32)
    }
}
