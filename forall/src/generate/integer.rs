//! Integers.
//!
//! An integer is one choice, its *code*: small codes are simple values. Unsigned integers are their own code; signed
//! ones count 0, 1, −1, 2, −2, …; the last code is the minimum. 128 bits are two choices, the high half first.
//!
//! In random mode integers are not uniform, because uniform ones almost never repeat, are almost never 0, and almost
//! never hit a boundary. The mixture is in [`Bias`]. Ranges of integers are in `range.rs`.

use super::{Arbitrary, Code};
use crate::choice::generator::OfOneChoice;
use crate::choice::{Draw, Meaning, Random, Source, scale};

/// The mixture from which random integers are drawn: the first bound that exceeds the selector decides.
pub(super) struct Bias;

impl Bias {
    pub(super) const SIXTYFOURTH: u32 = 1 << 26;
    /// 16 in 64 are small: within the test's size.
    pub(super) const SMALL: u32 = 16 * Self::SIXTYFOURTH;
    /// 6 in 64 repeat an earlier value of this test.
    pub(super) const AGAIN: u32 = Self::SMALL + 6 * Self::SIXTYFOURTH;
    /// 4 in 64 are next to a power of two, to zero, or to an end of the type's range.
    pub(super) const EDGE: u32 = Self::AGAIN + 4 * Self::SIXTYFOURTH;
    // The rest is spread over the magnitudes: 60-bit numbers are as frequent as 5-bit ones, if the type is wide enough.

    /// The minimum upper bound of small values, also inside collections, whose elements get only a share of the size.
    const LEAST_SMALL: u32 = 15;
}

/// The distance of the draw to repeat: spread over magnitudes as well, so mostly short, at most 128.
#[inline(always)]
pub(super) fn distance(draw: Draw) -> u64 {
    1 + ((draw.word & 127) >> (draw.selector & 7))
}

macro_rules! integer {
    ($($t:ident $unsigned:ident $small:ident $magnitude:ident;)*) => {$(
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
                ((draw.word >> (64 - $t::BITS)) as $t) >> ($magnitude(draw.selector) & ($t::BITS - 1))
            }

            #[inline(always)]
            fn small(draw: Draw, size: u32) -> $t {
                $small(draw.word, (size | Bias::LEAST_SMALL) as u64) as $t
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

            /// A power of two or, equally often, the minimum of the type; plus a number from -2 to 1, and possibly
            /// negated. Below the minimum it wraps around to values near the maximum.
            #[inline]
            fn edge(draw: Draw) -> $t {
                let exponent = draw.selector & (2 * $t::BITS - 1);
                let power = if exponent < $t::BITS { (1 as $t) << exponent } else { $t::MIN };
                let near = power.wrapping_add((draw.word & 3) as $t).wrapping_sub(2);
                if draw.word & 4 == 0 { near } else { (0 as $t).wrapping_sub(near) }
            }
        }
    )*};
}

/// Returns the number of bits to omit from those of the type, uniformly distributed.
#[inline(always)]
fn any_number(selector: u32) -> u32 {
    selector
}

/// The same for 16 bits, which have so few magnitudes that most values would be rare: in a third of all cases all bits
/// are used.
#[inline(always)]
fn often_none(selector: u32) -> u32 {
    selector & selector >> 8
}

/// The same for bytes: all bits in two thirds of all cases.
#[inline(always)]
fn mostly_none(selector: u32) -> u32 {
    selector & selector >> 4 & selector >> 8
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
    u8 u8 up_to mostly_none;
    u16 u16 up_to often_none;
    u32 u32 up_to any_number;
    u64 u64 up_to any_number;
    i8 u8 around_zero mostly_none;
    i16 u16 around_zero often_none;
    i32 u32 around_zero any_number;
    i64 u64 around_zero any_number;
}

/// The common part of integer types: a code, and simpler values.
macro_rules! code {
    (unsigned $($t:ident)*) => {$(
        impl Coded for $t {
            type Code = $t;
            #[inline(always)]
            fn encode(self) -> $t { self }
            #[inline(always)]
            fn decode(code: $t) -> $t { code }
        }
    )*};
    (signed $($t:ident $unsigned:ident)*) => {$(
        impl Coded for $t {
            type Code = $unsigned;
            #[inline(always)]
            fn encode(self) -> $unsigned {
                let twice = self.unsigned_abs().wrapping_mul(2);
                // The minimum has no positive counterpart: twice its magnitude wraps to 0, less one to the last code.
                if self > 0 || self == $t::MIN { twice.wrapping_sub(1) } else { twice }
            }
            #[inline(always)]
            fn decode(code: $unsigned) -> $t {
                let half = (code / 2) as $t;
                if code % 2 == 1 { half.wrapping_add(1) } else { half.wrapping_neg() }
            }
        }
    )*};
}

/// The order of simplicity of a type, as numbers.
pub(crate) trait Coded: Sized {
    type Code;
    fn encode(self) -> Self::Code;
    fn decode(code: Self::Code) -> Self;
}

code!(unsigned u8 u16 u32 u64 u128 usize);
code!(signed i8 u8 i16 u16 i32 u32 i64 u64 i128 u128 isize usize);

/// Codes simpler than `code`, the simplest first: 0, then closer by halves.
pub(super) fn codes_below(code: u128) -> CodesBelow {
    CodesBelow { code, step: code }
}

pub(super) struct CodesBelow {
    code: u128,
    step: u128,
}

impl Iterator for CodesBelow {
    type Item = u128;

    #[inline]
    fn next(&mut self) -> Option<u128> {
        let candidate = (self.step > 0).then_some(self.code.wrapping_sub(self.step));
        self.step /= 2;
        candidate
    }
}

/// Integers simpler than a given one, for every type: all are widened to 128 bits (signed ones sign-extended), so that
/// this is compiled once.
struct Simpler {
    positive: Option<u128>,
    negative: bool,
    magnitudes: CodesBelow,
}

impl Simpler {
    /// Integers simpler than `value`, of a type with the minimum `min`.
    #[inline]
    fn than(value: u128, min: u128) -> Self {
        let negative = min != 0 && (value as i128) < 0;
        let magnitude = if negative { value.wrapping_neg() } else { value };
        let positive = (negative && value != min).then_some(magnitude);
        Self { positive, negative, magnitudes: codes_below(magnitude) }
    }
}

impl Iterator for Simpler {
    type Item = u128;

    /// First the positive counterpart, then both signs by magnitude: the sign stays if it matters.
    #[inline]
    fn next(&mut self) -> Option<u128> {
        if let Some(positive) = self.positive.take() {
            return Some(positive);
        }
        let smaller = self.magnitudes.next()?;
        Some(if self.negative { smaller.wrapping_neg() } else { smaller })
    }
}

/// A neighbour of an integer of this many bits, or a value with a bit flipped; sometimes `None`, for a new one.
#[inline]
fn neighbour(value: u128, bits: u32, source: &mut Source) -> Option<u128> {
    let by = u128::from(source.choice(16));
    match source.choice(3) {
        0 => Some(value.wrapping_add(by).wrapping_add(1)),
        1 => Some(value.wrapping_sub(by).wrapping_sub(1)),
        2 => Some(value ^ (1 << source.choice(u64::from(bits) - 1))),
        _ => None,
    }
}

/// The `Arbitrary` impl without `arbitrary`.
macro_rules! structure {
    ($t:ident) => {
        #[inline]
        fn shrink(&self) -> Box<dyn Iterator<Item = Self> + '_> {
            Box::new(Simpler::than(*self as u128, $t::MIN as u128).map(|simpler| simpler as $t))
        }

        #[inline]
        fn duplicate(&self) -> Option<Self> {
            Some(*self)
        }

        #[inline]
        fn print(&self, code: &mut Code) {
            write!(code, "{self}");
        }

        #[inline]
        fn mutate(self, source: &mut Source) -> Self {
            match neighbour(self as u128, $t::BITS, source) {
                Some(near) => near as $t,
                None => Self::arbitrary(source),
            }
        }
    };
}

/// Integers in searches: from minus the depth to the depth.
macro_rules! in_search_as_integer {
    ($t:ident) => {
        in_search!(
            plain,
            |series| {
                let (low, count) = series.integers($t::MIN as i128, $t::MAX as u128);
                (low + i128::from(series.choose(count))) as $t
            },
            |extent| {
                let (low, high) = extent.integers($t::MIN as i128, $t::MAX as u128);
                (high - low + 1) as f64
            }
        );
    };
}

macro_rules! implement {
    ($($t:ident $model:ident $code:ident;)*) => {$(
        impl Arbitrary for $t {
            #[inline(always)]
            fn arbitrary(source: &mut Source) -> $t {
                if source.is_random() {
                    let (random, size) = source.stream();
                    $model::biased(random, size) as $t
                } else {
                    on_tape(source)
                }
            }

            const ONE_CHOICE: Option<OfOneChoice<$t>> = Some(($code::MAX as u64, <$t as OneChoice>::of_code));

            structure!($t);

            in_search_as_integer!($t);
        }

        impl OneChoice for $t {
            const LAST_CODE: u64 = $code::MAX as u64;

            #[inline]
            fn random_code(random: &mut Random, size: u32) -> u64 {
                ($model::biased(random, size) as $t).encode() as u64
            }

            #[inline]
            fn of_code(code: u64) -> $t {
                $t::decode(code as $code)
            }

            fn value_of(code: u64) -> i128 {
                Self::of_code(code) as i128
            }

            fn code_of(value: i128) -> Option<u64> {
                $t::try_from(value).ok().map(|value| value.encode() as u64)
            }
        }
    )*};
}

/// An integer of at most 64 bits, as far as tapes use it.
trait OneChoice {
    const LAST_CODE: u64;
    fn random_code(random: &mut Random, size: u32) -> u64;
    fn of_code(code: u64) -> Self;
    fn value_of(code: u64) -> i128;
    fn code_of(value: i128) -> Option<u64>;
}

/// The meaning of an integer type's codes.
struct Coding {
    value_of: fn(u64) -> i128,
    code_of: fn(i128) -> Option<u64>,
}

impl Meaning for Coding {
    fn value(&self, code: u64) -> i128 {
        (self.value_of)(code)
    }

    fn code(&self, value: i128) -> Option<u64> {
        (self.code_of)(value)
    }
}

/// Any integer of a type. Separate from `arbitrary`, which is compiled into every property that draws one.
#[cold]
#[inline(never)]
fn on_tape<T: OneChoice>(source: &mut Source) -> T {
    let is_byte = T::LAST_CODE == u64::from(u8::MAX);
    let quoted = source.literal_integer(is_byte, &|value| T::code_of(value).is_some());
    if let Some(code) = quoted.and_then(T::code_of) {
        return T::of_code(source.choice_on_tape(T::LAST_CODE, &|_, _| code));
    }
    let coding = Coding { value_of: T::value_of, code_of: T::code_of };
    T::of_code(source.number_on_tape(T::LAST_CODE, &T::random_code, &coding))
}

implement! {
    u8 u8 u8;
    u16 u16 u16;
    u32 u32 u32;
    u64 u64 u64;
    i8 i8 u8;
    i16 i16 u16;
    i32 i32 u32;
    i64 i64 u64;
}
#[cfg(target_pointer_width = "64")]
implement! { usize u64 usize; isize i64 usize; }
#[cfg(target_pointer_width = "32")]
implement! { usize u32 usize; isize i32 usize; }
#[cfg(target_pointer_width = "16")]
implement! { usize u16 usize; isize i16 usize; }

/// A random value of 128 bits: half of them fit in 64.
#[inline]
fn wide(random: &mut Random, size: u32) -> u128 {
    let low = u64::biased(random, size);
    let draw = random.draw();
    match draw.selector >> 29 {
        0..4 => u128::from(low),
        4 => 1u128.wrapping_shl(draw.selector).wrapping_add(u128::from(draw.word & 3)).wrapping_sub(2),
        5 => u128::MAX - u128::from(low),
        _ => ((u128::from(draw.word) << 64) | u128::from(low)).wrapping_shr(draw.selector & 63),
    }
}

/// A code of up to 128 bits as two choices, or as one where that is enough.
pub(super) fn wide_choice(source: &mut Source, max: u128, pick: impl Fn(&mut Random, u32) -> u128) -> u128 {
    if source.is_random() {
        let (random, size) = source.stream();
        return pick(random, size).min(max);
    }
    let (high_max, low_max) = ((max >> 64) as u64, max as u64);
    let picked = std::cell::Cell::new(None);
    let pick = |random: &mut Random, size| {
        let code = pick(random, size).min(max);
        picked.set(Some(code));
        code
    };
    let high = if high_max == 0 { 0 } else { source.choice_on_tape(high_max, &|r, s| (pick(r, s) >> 64) as u64) };
    let low_max = if high == high_max { low_max } else { u64::MAX };
    let low = source.choice_on_tape(low_max, &|random, size| match picked.get() {
        Some(code) => code as u64,
        None => pick(random, size) as u64,
    });
    (u128::from(high) << 64) | u128::from(low)
}

macro_rules! implement_wide {
    ($($t:ident $random:expr;)*) => {$(
        impl Arbitrary for $t {
            #[inline]
            fn arbitrary(source: &mut Source) -> $t {
                let random: fn(&mut Random, u32) -> $t = $random;
                if !source.is_random()
                    && let Some(quoted) = source.literal_integer(false, &|_| true)
                {
                    return $t::decode(wide_choice(source, u128::MAX, |_, _| (quoted as $t).encode()));
                }
                $t::decode(wide_choice(source, u128::MAX, |stream, size| random(stream, size).encode()))
            }

            structure!($t);

            in_search_as_integer!($t);
        }
    )*};
}

implement_wide! {
    u128 wide;
    i128 |random, size| {
        let value = wide(random, size);
        // Both ends and both signs: reinterpreting the bits would make nearly all values positive.
        if random.draw().selector & 1 == 0 { value as i128 } else { (value as i128).wrapping_neg() }
    };
}
