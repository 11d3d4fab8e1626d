//! Integers and ranges of integers.
//!
//! An integer is one choice, its *code*: small codes are simple values. Unsigned integers are their own code; signed
//! ones count 0, 1, −1, 2, −2, …; the last code is the minimum.
//!
//! In random mode integers are not uniform, because uniform ones never repeat, never are 0, and never sit on a
//! boundary. The mixture is in [`Bias`].

use super::{Arbitrary, Generator};
use crate::choice::{Draw, Random, Source, scale};
use std::ops::{Range, RangeInclusive};

/// The mixture of which random integers are drawn: the first bound that exceeds the selector decides.
struct Bias;

impl Bias {
    const SIXTYFOURTH: u32 = 1 << 26;
    /// 16 in 64 are small: within the size of the test.
    const SMALL: u32 = 16 * Self::SIXTYFOURTH;
    /// 6 in 64 are a value that was drawn before in this test.
    const AGAIN: u32 = Self::SMALL + 6 * Self::SIXTYFOURTH;
    /// 4 in 64 are next to a power of two, to zero, or to an end of the type's range.
    const EDGE: u32 = Self::AGAIN + 4 * Self::SIXTYFOURTH;
    // The rest is spread evenly over the magnitudes: as many numbers of 60 bits as of 5.
}

/// How far back the draw lies that is to be repeated: spread over magnitudes too, so mostly close, at most 128.
#[inline(always)]
fn distance(draw: Draw) -> u64 {
    1 + ((draw.word & 127) >> (draw.selector & 7))
}

macro_rules! integer {
    ($($t:ident $unsigned:ident $small:ident;)*) => {$(
        pub(super) mod $t {
            use super::*;

            /// A random value of the type. See [`Bias`].
            #[inline(always)]
            pub(crate) fn biased(random: &mut Random, size: u32) -> $t {
                let draw = random.draw();
                if draw.selector >= Bias::EDGE {
                    spread(draw)
                } else if draw.selector < Bias::SMALL {
                    small(draw, size)
                } else {
                    special(*random, draw, size)
                }
            }

            #[inline(always)]
            fn spread(draw: Draw) -> $t {
                ((draw.word >> (64 - $t::BITS)) as $t) >> (draw.selector & ($t::BITS - 1))
            }

            #[inline(always)]
            fn small(draw: Draw, size: u32) -> $t {
                $small(draw.word, size as u64) as $t
            }

            /// The rarer kinds. By value, so that the source stays in registers.
            #[inline]
            fn special(random: Random, draw: Draw, size: u32) -> $t {
                if draw.selector < Bias::AGAIN {
                    let draw = random.earlier(distance(draw));
                    if draw.selector < Bias::SMALL { small(draw, size) } else { spread(draw) }
                } else {
                    edge(draw)
                }
            }

            /// A power of two, or zero as often as all powers together, give or take two; or its negation.
            #[inline]
            fn edge(draw: Draw) -> $t {
                let exponent = draw.selector & (2 * $t::BITS - 1);
                let power = if exponent < $t::BITS { (1 as $t) << exponent } else { 0 };
                let near = power.wrapping_add((draw.word & 3) as $t).wrapping_sub(2);
                if draw.word & 4 == 0 { near } else { (0 as $t).wrapping_sub(near) }
            }
        }
    )*};
}

#[inline(always)]
fn up_to(word: u64, size: u64) -> u64 {
    scale(word, size)
}

#[inline(always)]
fn around_zero(word: u64, size: u64) -> u64 {
    scale(word, 2 * size).wrapping_sub(size)
}

integer! {
    u8 u8 up_to;
    u16 u16 up_to;
    u32 u32 up_to;
    u64 u64 up_to;
    i8 u8 around_zero;
    i16 u16 around_zero;
    i32 u32 around_zero;
    i64 u64 around_zero;
}

macro_rules! unsigned {
    ($($t:ident)*) => {$(
        impl Arbitrary for $t {
            #[inline(always)]
            fn arbitrary(source: &mut Source) -> $t {
                if source.is_random() {
                    let (random, size) = source.stream();
                    $t::biased(random, size)
                } else {
                    source.choice_on_tape($t::MAX as u64, &|random, size| $t::biased(random, size) as u64) as $t
                }
            }
        }
    )*};
}
unsigned!(u8 u16 u32 u64);

macro_rules! signed {
    ($($t:ident $u:ident)*) => {$(
        impl Arbitrary for $t {
            #[inline(always)]
            fn arbitrary(source: &mut Source) -> $t {
                if source.is_random() {
                    let (random, size) = source.stream();
                    $t::biased(random, size)
                } else {
                    source.choice_on_tape($u::MAX as u64, &|random, size| $t::biased(random, size) as u64) as $t
                }
            }
        }
    )*};
}
signed!(i8 u8 i16 u16 i32 u32 i64 u64);

/// Types whose ranges are generators.
pub trait Ranged: Sized {
    /// A value of `low..=high`.
    fn between(low: Self, high: Self, source: &mut Source) -> Self;
    /// The value before `high`, if `low..high` has any.
    fn last(low: &Self, high: &Self) -> Option<Self>;
}

impl Ranged for usize {
    #[inline(always)]
    fn between(low: Self, high: Self, source: &mut Source) -> Self {
        low + source.choice((high - low) as u64) as usize
    }
    #[inline(always)]
    fn last(low: &Self, high: &Self) -> Option<Self> {
        if low < high { Some(high - 1) } else { None }
    }
}

impl<T: Ranged + Clone> Generator for Range<T> {
    type Value = T;
    #[inline(always)]
    fn generate(&self, source: &mut Source) -> T {
        match T::last(&self.start, &self.end) {
            Some(last) => T::between(self.start.clone(), last, source),
            None => panic!("empty"),
        }
    }
}

impl<T: Ranged + Clone> Generator for RangeInclusive<T> {
    type Value = T;
    #[inline(always)]
    fn generate(&self, source: &mut Source) -> T {
        T::between(self.start().clone(), self.end().clone(), source)
    }
}
