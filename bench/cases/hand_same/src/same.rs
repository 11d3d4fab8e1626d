//! Forall's distributions, written out by hand.
//!
//! They repeat what `forall::generate` does in random mode, and must be changed with it: the suite `overhead` fails when
//! the values differ.

use bench_case::LONGEST;
use forall::choice::{Draw, Random, scale};

const SIXTYFOURTH: u32 = 1 << 26;
const SMALL: u32 = 16 * SIXTYFOURTH;
const AGAIN: u32 = SMALL + 6 * SIXTYFOURTH;
const EDGE: u32 = AGAIN + 4 * SIXTYFOURTH;
const LEAST_SMALL: u32 = 15;

#[inline(always)]
fn distance(draw: Draw) -> u64 {
    1 + ((draw.word & 127) >> (draw.selector & 7))
}

#[inline(always)]
pub fn u64(random: &mut Random, size: u32) -> u64 {
    fn spread(draw: Draw) -> u64 {
        draw.word >> (draw.selector & 63)
    }
    fn small(draw: Draw, size: u32) -> u64 {
        scale(draw.word, (size | LEAST_SMALL).into())
    }
    let draw = random.draw();
    if draw.selector >= EDGE {
        spread(draw)
    } else if draw.selector < SMALL {
        small(draw, size)
    } else if draw.selector < AGAIN {
        let draw = random.earlier(distance(draw));
        if draw.selector < SMALL { small(draw, size) } else { spread(draw) }
    } else {
        let exponent = draw.selector & 127;
        let power = if exponent < 64 { 1 << exponent } else { 0 };
        let near = u64::wrapping_add(power, draw.word & 3).wrapping_sub(2);
        if draw.word & 4 == 0 { near } else { near.wrapping_neg() }
    }
}

#[inline(always)]
pub fn i32(random: &mut Random, size: u32) -> i32 {
    fn spread(draw: Draw) -> i32 {
        (draw.word >> 32) as i32 >> (draw.selector & 31)
    }
    fn small(draw: Draw, size: u32) -> i32 {
        let size = u64::from(size | LEAST_SMALL);
        scale(draw.word, 2 * size).wrapping_sub(size) as i32
    }
    let draw = random.draw();
    if draw.selector >= EDGE {
        spread(draw)
    } else if draw.selector < SMALL {
        small(draw, size)
    } else if draw.selector < AGAIN {
        let draw = random.earlier(distance(draw));
        if draw.selector < SMALL { small(draw, size) } else { spread(draw) }
    } else {
        let exponent = draw.selector & 63;
        let power = if exponent < 32 { 1 << exponent } else { i32::MIN };
        let near = i32::wrapping_add(power, (draw.word & 3) as i32).wrapping_sub(2);
        if draw.word & 4 == 0 { near } else { near.wrapping_neg() }
    }
}

#[inline(always)]
pub fn bool(random: &mut Random) -> bool {
    random.up_to(1) == 1
}

/// A number below `bound`: even in narrow ranges, with the ends and small numbers more often in wide ones.
#[inline(always)]
pub fn below(random: &mut Random, bound: usize) -> usize {
    let draw = random.draw();
    let last = bound as u64 - 1;
    if last < 64 || draw.selector >= EDGE {
        return scale(draw.word, last) as usize;
    }
    rarely_below(*random, draw, last) as usize
}

#[inline(never)]
fn rarely_below(random: Random, draw: Draw, last: u64) -> u64 {
    let near = |draw: Draw| match draw.selector & 64 {
        0 => scale(draw.word, last) >> (draw.selector & 63).min(last.ilog2()),
        _ => 0,
    };
    if draw.selector < SMALL {
        near(draw)
    } else if draw.selector < AGAIN {
        let earlier = random.earlier(distance(draw));
        if earlier.selector < SMALL { near(earlier) } else { scale(earlier.word, last) }
    } else {
        let inward = (draw.word & 7) >> (draw.selector & 3);
        if draw.word & 8 == 0 { inward } else { last - inward }
    }
}

pub struct Plan {
    pub length: usize,
    pub repetitive: bool,
}

/// The length of a collection, and whether it repeats itself.
#[inline(always)]
pub fn plan(random: &mut Random, longest: usize) -> Plan {
    let draw = random.draw();
    Plan { length: scale(draw.word, longest as u64) as usize, repetitive: draw.selector < 1 << 27 }
}

/// The stream of a text.
#[inline(always)]
pub fn text(random: &mut Random) -> Random {
    let mut draw = random.draw();
    if draw.selector >> 29 == 0 {
        draw = random.earlier(distance(draw));
    }
    Random::from_key(draw.word)
}

/// A vector in which three elements of four are made again from where an earlier one was made.
#[inline(never)]
pub fn repetitive<T>(random: &mut Random, length: usize, element: impl Fn(&mut Random) -> T) -> Vec<T> {
    let mut values = Vec::with_capacity(LONGEST);
    let mut starts = Vec::with_capacity(LONGEST);
    for _ in 0..length {
        let draw = random.draw();
        if !starts.is_empty() && draw.selector & 3 != 0 {
            let mut earlier: Random = starts[scale(draw.word, starts.len() as u64 - 1) as usize];
            values.push(element(&mut earlier));
        } else {
            starts.push(*random);
            values.push(element(random));
        }
    }
    values
}

const PLAIN: u32 = 52 * SIXTYFOURTH;
const CHARACTERS: u32 = 0x11_0000 - SURROGATES;
const SURROGATES: u32 = 0x800;

#[inline(always)]
pub fn char(random: &mut Random) -> char {
    let draw = random.draw();
    if draw.selector < PLAIN { printable(draw) } else { unusual(*random, draw) }
}

#[inline(always)]
fn printable(draw: Draw) -> char {
    ((draw.word >> 32).wrapping_mul(95) >> 32).wrapping_add(32) as u8 as char
}

#[inline(never)]
fn unusual(random: Random, draw: Draw) -> char {
    match (draw.selector - PLAIN) / SIXTYFOURTH {
        0..5 => {
            let earlier = random.earlier(distance(draw));
            if earlier.selector < PLAIN { printable(earlier) } else { plane(earlier) }
        }
        5 | 6 => char::from(scale(draw.word, 31) as u8),
        7..10 => SPECIAL[scale(draw.word, SPECIAL.len() as u64 - 1) as usize],
        _ => plane(draw),
    }
}

fn plane(draw: Draw) -> char {
    let (start, end) = match draw.selector % 3 {
        0 => (0x80, 0x7ff),
        1 => (0x800, 0xffff - SURROGATES),
        _ => (0x1_0000 - SURROGATES, CHARACTERS - 1),
    };
    let ordinal = start + scale(draw.word, u64::from(end - start)) as u32;
    let point = if ordinal >= 0xd800 { ordinal + SURROGATES } else { ordinal };
    char::from_u32(point).unwrap_or(char::MAX)
}

const SPECIAL: [char; 32] = [
    '\0',
    '\u{7f}',
    '\u{80}',
    '\u{85}',
    '\u{a0}',
    '\u{ad}',
    'ß',
    'é',
    '\u{301}',
    '\u{308}',
    'İ',
    'ı',
    'ſ',
    'ﬀ',
    '\u{5d0}',
    '\u{627}',
    '\u{202e}',
    '\u{200b}',
    '\u{200d}',
    '\u{200f}',
    '\u{2028}',
    '漢',
    '한',
    '\u{d7ff}',
    '\u{e000}',
    '\u{feff}',
    '\u{fffd}',
    '\u{ffff}',
    '😀',
    '\u{1f1e9}',
    '\u{e0001}',
    '\u{10ffff}',
];
