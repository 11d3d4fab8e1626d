//! Sets of characters.
//!
//! A random character is one draw and, nearly always, one table lookup. The rest of a large set is in ranges, with an
//! index for finding the range of a position: no search, for any number of ranges.

use super::super::character::{PLAIN, from_ordinal, ordinal, stumbling_blocks};
use super::super::integer::{Coded, distance};
use crate::choice::{Draw, Random, Source, scale};

/// Up to this many characters are equally likely: sets that are written out.
const SMALL: u32 = 256;
/// Up to this many characters are in a table: scripts, and kinds such as `\d`.
const IN_TABLE: u32 = 4096;

/// A set of characters, at least one. Its order is that of simplicity: ASCII as for all characters, then by code point.
#[derive(Debug)]
pub(super) struct Class {
    /// The first characters of the order: all of a set that is not large, of others those in ASCII.
    table: Box<[char]>,
    /// Whether all characters are in the table and equally likely.
    even: bool,
    /// Characters of ASCII that are drawn most of the time: when the selector is below a limit.
    plain: Box<[u8]>,
    plain_below: u64,
    /// Troublesome characters in the set.
    special: Box<[char]>,
    /// For two, three and four bytes in UTF-8, if there are such characters: the first and the last position.
    wide: Box<[(u32, u32)]>,
    /// The characters of a large set that are not in the table.
    rest: Ranges,
    count: u32,
}

/// A limit above all selectors.
const ALWAYS: u64 = 1 << 32;

impl Class {
    /// Creates a set from its ranges, which are sorted and disjoint. `None` if it is empty.
    pub(super) fn new(ranges: &[(char, char)]) -> Option<Self> {
        // By number among all characters, so that there is no gap for surrogates.
        let ranges: Vec<(u32, u32)> = ranges.iter().map(|(start, end)| (ordinal(*start), ordinal(*end) + 1)).collect();
        let below = |end: u32| -> u32 { ranges.iter().map(|range| range.1.min(end) - range.0.min(end)).sum() };
        let (ascii, count) = (below(0x80), below(u32::MAX));
        let in_table = if count <= IN_TABLE { u32::MAX } else { 0x80 };
        let mut table: Vec<char> = Vec::new();
        for &(start, end) in &ranges {
            table.extend((start..end.min(in_table)).map(from_ordinal));
        }
        // Non-ASCII characters have codes above all of ASCII, in order.
        table.sort_by_key(|c| c.encode());
        let printable = below(0x7f) - below(0x20);
        let even = count <= SMALL || printable == 0 && count <= IN_TABLE;
        // The first in the order of simplicity.
        let (plain, plain_below) = match even {
            true if ascii == count => (count, ALWAYS),
            false if printable > 0 => (printable, u64::from(PLAIN)),
            _ => (0, 0),
        };
        let plain = table[..plain as usize].iter().map(|c| *c as u8).collect();
        let mut wide = Vec::new();
        for (start, end) in [(0x80, 0x800), (0x800, ordinal('\u{10000}')), (ordinal('\u{10000}'), u32::MAX)] {
            let (start, end) = (below(start), below(end));
            if start < end {
                wide.push((start, end - 1));
            }
        }
        let (rest, special) = (Ranges::new(&ranges, ascii, count), [].into());
        let mut class = Self { table: table.into(), even, plain, plain_below, special, wide: wide.into(), rest, count };
        class.special = stumbling_blocks().filter(|c| class.index(*c).is_some()).collect();
        (count > 0).then_some(class)
    }

    #[inline]
    pub(super) fn generate(&self, source: &mut Source) -> char {
        if source.is_random() { self.random(source.stream().0) } else { self.on_tape(source) }
    }

    /// Adds `length` random characters.
    #[inline(always)]
    pub(super) fn repeat(&self, random: &mut Random, length: usize, text: &mut String) {
        if self.plain_below == ALWAYS {
            self.repeat_plain(random, length, text);
        } else {
            self.repeat_any(random, length, text);
        }
    }

    #[inline(never)]
    fn repeat_plain(&self, random: &mut Random, length: usize, text: &mut String) {
        let mut stream = *random;
        for _ in 0..length {
            text.push(self.plain(stream.draw()));
        }
        *random = stream;
    }

    #[inline(never)]
    fn repeat_any(&self, random: &mut Random, length: usize, text: &mut String) {
        text.reserve(length);
        let mut stream = *random;
        for _ in 0..length {
            let draw = stream.draw();
            // Out of line, so that adding a byte stays short.
            if u64::from(draw.selector) < self.plain_below {
                text.push(self.plain(draw));
            } else {
                text.push(self.other(stream, draw));
            }
        }
        *random = stream;
    }

    #[inline(always)]
    fn random(&self, random: &mut Random) -> char {
        let draw = random.draw();
        if u64::from(draw.selector) < self.plain_below { self.plain(draw) } else { self.other(*random, draw) }
    }

    #[inline(always)]
    fn plain(&self, draw: Draw) -> char {
        let byte = self.plain[scale(draw.word, self.plain.len() as u64 - 1) as usize];
        // All are ASCII. This tells the compiler that each takes one byte.
        char::from(byte & 0x7f)
    }

    #[inline(always)]
    fn other(&self, random: Random, draw: Draw) -> char {
        if self.even {
            self.table[scale(draw.word, self.table.len() as u64 - 1) as usize]
        } else {
            self.unusual(random, draw)
        }
    }

    /// By value, so that the source stays in registers.
    #[inline(never)]
    fn unusual(&self, random: Random, draw: Draw) -> char {
        // Bits that are independent of the comparison with the limit.
        match draw.selector & 3 {
            0 if !self.special.is_empty() => self.special[scale(draw.word, self.special.len() as u64 - 1) as usize],
            1 if draw.selector & 4 == 0 => {
                let earlier = random.earlier(distance(draw));
                if u64::from(earlier.selector) < self.plain_below { self.plain(earlier) } else { self.wide(earlier) }
            }
            _ => self.wide(draw),
        }
    }

    /// Two, three and four bytes in UTF-8 equally often.
    #[inline(always)]
    fn wide(&self, draw: Draw) -> char {
        let kind = (u64::from(draw.selector >> 3 & 0xfff) * self.wide.len() as u64) >> 12;
        let (first, last) = self.wide[kind as usize];
        self.at(first + scale(draw.word, u64::from(last - first)) as u32)
    }

    #[cold]
    fn on_tape(&self, source: &mut Source) -> char {
        let index = source.choice_on_tape(u64::from(self.count - 1), &|random, _| {
            self.index(self.random(random)).map_or(0, u64::from)
        });
        self.at(index as u32)
    }

    /// The character at a place of the order.
    #[inline(always)]
    fn at(&self, place: u32) -> char {
        match self.table.get(place as usize) {
            Some(c) => *c,
            None => from_ordinal(self.rest.at(place)),
        }
    }

    /// The place of a character in the order, if it is in the set.
    fn index(&self, c: char) -> Option<u32> {
        if c.is_ascii() || self.count <= IN_TABLE {
            let at = self.table.binary_search_by_key(&c.encode(), |other| other.encode());
            return at.ok().map(|at| at as u32);
        }
        self.rest.place_of(ordinal(c))
    }
}

/// Numbers in sorted ranges, mapped to consecutive positions from a given first position.
#[derive(Debug)]
struct Ranges {
    /// The place and the number with which each range begins; and the end.
    starts: Box<[(u32, u32)]>,
    first: u32,
    /// For each block of positions, a power of two, the range in which it begins.
    hints: Box<[u16]>,
    block: u32,
}

impl Ranges {
    /// The ranges beyond ASCII, which begin at the place `first`; `end` is one past the last position.
    fn new(ranges: &[(u32, u32)], first: u32, end: u32) -> Self {
        let mut starts = Vec::new();
        let mut place = first;
        for &(start, end) in ranges {
            let start = start.max(0x80);
            if start < end {
                starts.push((place, start));
                place += end - start;
            }
        }
        starts.push((end, u32::MAX));
        // A few blocks for each range, so that there are few ranges in a block.
        let block = ((end - first) / (4 * starts.len() as u32)).max(1).ilog2();
        let mut hints = Vec::new();
        let mut range = 0;
        for place in (first..end).step_by(1 << block) {
            while starts[range + 1].0 <= place {
                range += 1;
            }
            hints.push(range as u16);
        }
        Self { starts: starts.into(), first, hints: hints.into(), block }
    }

    #[inline(always)]
    fn at(&self, place: u32) -> u32 {
        let mut range = usize::from(self.hints[((place - self.first) >> self.block) as usize]);
        while self.starts[range + 1].0 <= place {
            range += 1;
        }
        let (before, start) = self.starts[range];
        start + (place - before)
    }

    fn place_of(&self, number: u32) -> Option<u32> {
        let range = self.starts.partition_point(|(_, start)| *start <= number).checked_sub(1)?;
        let (before, start) = self.starts[range];
        let place = before + (number - start);
        (place < self.starts[range + 1].0).then_some(place)
    }
}
