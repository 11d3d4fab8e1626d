//! Floating-point numbers.
//!
//! The code of a float is a bijection with its bits. The simplest are the integers, ascending, each followed by its
//! negation; then the fractions, those with few binary places first; then the infinities; then the NaNs, `NAN` itself
//! first. So 0, −0, 1, −1, 2, …, 0.5, −0.5, 1.5, …, 0.25, …
//!
//! In a range (`0.0..1.0`) a float has the same code as among all floats, so that shrinking treats both alike. The
//! meaning of the other codes there is in `float_range.rs`.
//!
//! Besides being spread over all magnitudes, random floats are often small integers, simple fractions, between 0 and 1,
//! repetitions, or one of the troublesome values in `SPECIAL`.

use super::float_range::Layout;
use super::integer::{Bias, Coded, codes_below, distance};
use super::range::Ranged;
use super::{Arbitrary, Code};
use crate::choice::{Draw, Random, Source, scale};

/// Special and widely spaced floats, as choices with this maximum; empty if choices with this maximum are not floats.
pub(crate) fn special_floats(max: u64) -> Vec<u64> {
    let mut codes = Vec::new();
    for &value in &[
        f64::INFINITY,
        f64::NAN,
        f64::MAX,
        f64::MIN_POSITIVE,
        1e300,
        1e100,
        1e30,
        1e20,
        1e10,
        1e-10,
        1e-20,
        1e-100,
        0.1,
    ] {
        for &value in &[value, -value] {
            // As `f32` the largest are infinite, and the smallest are zero.
            for &value in &[value, value / 8.0] {
                if let Some(code) = float_code(max, value) {
                    codes.push(code);
                }
            }
        }
    }
    if is_single(max) {
        for value in &[f32::MAX, f32::MIN, f32::MIN_POSITIVE, f32::MIN_POSITIVE / 8.0] {
            codes.push(value.encode().into());
        }
    }
    codes
}

/// A float as a choice with this maximum, if it is that of floats.
pub(crate) fn float_code(max: u64, value: f64) -> Option<u64> {
    if value.is_nan() && is_ranged_float(max) {
        None
    } else if is_double(max) {
        Some(value.encode())
    } else if is_single(max) {
        Some((value as f32).encode().into())
    } else {
        None
    }
}

/// The float of a choice with this maximum, if it is that of a float range: other maxima are shared with integers.
pub(crate) fn ranged_float(value: u64, max: u64) -> Option<f64> {
    if max == double::LAYOUT.max && value < double::LAYOUT.parts {
        Some(f64::decode(value))
    } else if max == single::LAYOUT.max && value < single::LAYOUT.parts {
        Some(f32::decode(value as u32).into())
    } else {
        None
    }
}

/// Whether choices with this maximum are floats of a range.
pub(crate) fn is_ranged_float(max: u64) -> bool {
    max == double::LAYOUT.max || max == single::LAYOUT.max
}

/// The first code that stands for a part of the way through a range, if the maximum is that of floats of ranges.
pub(crate) fn first_part(max: u64) -> Option<u64> {
    [double::LAYOUT, single::LAYOUT].iter().find(|layout| layout.max == max).map(|layout| layout.parts)
}

fn is_double(max: u64) -> bool {
    max == u64::MAX || max == double::LAYOUT.max
}

fn is_single(max: u64) -> bool {
    max == u64::from(u32::MAX) || max == single::LAYOUT.max
}

macro_rules! float {
    ($t:ident $bits:ident $name:literal $places:ident) => {
        mod $places {
            use super::*;

            /// The codes of ranges.
            pub(super) const LAYOUT: Layout = Layout {
                parts: NEG_INFINITY + 1,
                max: NEG_INFINITY + DENSE as u64,
                digits: $t::MANTISSA_DIGITS,
                most_places: PLACES + (1 - $t::MIN_EXP) as u32,
                greatest: $t::MAX as f64,
            };
            /// The last code of a number.
            const NEG_INFINITY: u64 = ((INFINITY as u64) << 1) | 1;

            /// The binary places of the significand.
            const PLACES: u32 = $t::MANTISSA_DIGITS - 1;
            const SIGN: $bits = 1 << ($bits::BITS - 1);
            /// The first integer above which all floats are integers.
            const DENSE: $bits = 1 << PLACES;
            const INFINITY: $bits = $t::INFINITY.to_bits();
            /// The number of non-negative integers among the floats.
            const INTEGERS: $bits = DENSE + (INFINITY - (DENSE as $t).to_bits());

            /// `NAN` is swapped with the first NaN, so that it comes right after infinity.
            #[inline]
            fn exchange(nan: $bits) -> $bits {
                const FIRST: $bits = INFINITY + 1;
                const NAMED: $bits = $t::NAN.to_bits() & !SIGN;
                match nan {
                    FIRST => NAMED,
                    NAMED => FIRST,
                    other => other,
                }
            }

            /// The place of a float without its sign in the order of simplicity.
            #[inline]
            fn rank(bits: $bits) -> $bits {
                let value = $t::from_bits(bits);
                if bits >= INFINITY {
                    exchange(bits)
                } else if value >= DENSE as $t {
                    DENSE + (bits - (DENSE as $t).to_bits())
                } else if value.fract() == 0.0 {
                    value as $bits
                } else {
                    // An odd number of units of 2^-places.
                    let exponent = (bits >> PLACES).max(1) as i32;
                    let mut odd = if bits >> PLACES == 0 { bits } else { (bits & (DENSE - 1)) | DENSE };
                    let mut places = (1 - $t::MIN_EXP + 1 + PLACES as i32) - exponent;
                    let even = odd.trailing_zeros();
                    odd >>= even;
                    places -= even as i32;
                    INTEGERS + ((places - 1) as $bits) * DENSE + odd / 2
                }
            }

            #[inline]
            fn unrank(rank: $bits) -> $bits {
                if rank >= INFINITY {
                    exchange(rank)
                } else if rank < DENSE {
                    (rank as $t).to_bits()
                } else if rank < INTEGERS {
                    rank - DENSE + (DENSE as $t).to_bits()
                } else {
                    let fraction = rank - INTEGERS;
                    let places = (fraction / DENSE) as i32 + 1;
                    let odd = (fraction % DENSE) * 2 + 1;
                    // In two steps, since the smallest power alone might underflow.
                    let half = places / 2;
                    (odd as $t * power(-half) * power(half - places)).to_bits()
                }
            }

            /// A power of two that is a normal number.
            #[inline]
            fn power(exponent: i32) -> $t {
                $t::from_bits(((exponent + $t::MAX_EXP - 1) as $bits) << PLACES)
            }

            impl Coded for $t {
                type Code = $bits;

                fn encode(self) -> $bits {
                    let bits = self.to_bits();
                    (rank(bits & !SIGN) << 1) | (bits >> ($bits::BITS - 1))
                }

                fn decode(code: $bits) -> $t {
                    $t::from_bits(unrank(code >> 1) | (code << ($bits::BITS - 1)))
                }
            }

            /// Troublesome values.
            const SPECIAL: [$t; 16] = [
                $t::NAN,
                $t::INFINITY,
                $t::NEG_INFINITY,
                -0.0,
                $t::MAX,
                $t::MIN,
                $t::MIN_POSITIVE,
                -$t::MIN_POSITIVE,
                $t::from_bits(1),
                -$t::from_bits(1),
                $t::from_bits($t::MIN_POSITIVE.to_bits() - 1),
                $t::EPSILON,
                1.0 + $t::EPSILON,
                1.0 - $t::EPSILON,
                (DENSE as $t) * 2.0,
                0.1,
            ];

            #[inline]
            fn random(random: &mut Random, size: u32) -> $t {
                let draw = random.draw();
                if draw.selector < Bias::SMALL || draw.selector >= Bias::AGAIN {
                    drawn(draw, size)
                } else {
                    // Repeats the number itself, not only its kind.
                    drawn(random.earlier(distance(draw)), size)
                }
            }

            #[inline]
            fn drawn(draw: Draw, size: u32) -> $t {
                let negative = if draw.word & 1 == 0 { 1.0 } else { -1.0 };
                let size = u64::from(size | 15);
                match draw.selector >> 26 {
                    0..12 => negative * scale(draw.word, size) as $t,
                    12..20 => negative * (scale(draw.word, 16 * size) as $t / 16.0),
                    20..28 => unit(draw.word),
                    28..36 => SPECIAL[(draw.selector % 16) as usize],
                    36..44 => (draw.word as i64 >> (draw.selector & 63)) as $t,
                    _ => $t::from_bits((draw.word >> (64 - $bits::BITS)) as $bits),
                }
            }

            /// At least 0, less than 1.
            #[inline]
            fn unit(word: u64) -> $t {
                (word >> (64 - $t::MANTISSA_DIGITS)) as $t * ($t::EPSILON / 2.0)
            }

            impl Arbitrary for $t {
                #[inline]
                fn arbitrary(source: &mut Source) -> $t {
                    if source.is_random() {
                        let (stream, size) = source.stream();
                        random(stream, size)
                    } else {
                        if let Some(quoted) = source.literal_float() {
                            let code = (quoted as $t).encode();
                            return $t::decode(source.choice_on_tape($bits::MAX as u64, &|_, _| code as u64) as $bits);
                        }
                        let pick = |stream: &mut Random, size| random(stream, size).encode() as u64;
                        $t::decode(source.choice_on_tape($bits::MAX as u64, &pick) as $bits)
                    }
                }

                #[inline]
                fn shrink(&self) -> Box<dyn Iterator<Item = Self> + '_> {
                    let code = self.encode();
                    let value = *self;
                    let by_value = [0.0, value.abs(), value.trunc(), (value / 2.0).trunc(), value.round() - 1.0];
                    let simpler = by_value.into_iter().filter(move |candidate| candidate.encode() < code);
                    Box::new(simpler.chain(
                        codes_below(code as u128 / 2).map(move |rank| $t::decode(((rank as $bits) << 1) | (code & 1))),
                    ))
                }

                #[inline]
                fn duplicate(&self) -> Option<Self> {
                    Some(*self)
                }

                #[inline]
                fn print(&self, code: &mut Code) {
                    if self.to_bits() == $t::NAN.to_bits() {
                        code.push(concat!($name, "::NAN"));
                    } else if self.to_bits() == (-$t::NAN).to_bits() {
                        code.push(concat!("-", $name, "::NAN"));
                    } else if self.is_nan() {
                        write!(code, concat!($name, "::from_bits({:#x})"), self.to_bits());
                    } else if self.is_infinite() {
                        code.push(if *self > 0.0 {
                            concat!($name, "::INFINITY")
                        } else {
                            concat!($name, "::NEG_INFINITY")
                        });
                    } else {
                        write!(code, "{self:?}");
                    }
                }
            }

            impl Ranged for $t {
                const LEAST: Self = $t::MIN;
                const GREATEST: Self = $t::MAX;

                #[inline]
                fn between(low: Self, high: Self, source: &mut Source) -> Self {
                    if source.is_random() {
                        let (stream, size) = source.stream();
                        return inside(stream, size, low, high);
                    }
                    on_tape(low, high, source)
                }

                #[inline]
                fn before(self) -> Self {
                    self.next_down()
                }
            }

            #[cold]
            #[inline(never)]
            fn on_tape(low: $t, high: $t, source: &mut Source) -> $t {
                let settle = |code: u64| {
                    let code = code as $bits;
                    let value = if code < LAYOUT.parts as $bits {
                        LAYOUT.settled(f64::from($t::decode(code)), f64::from(low), f64::from(high)) as $t
                    } else if u64::from(code) >= LAYOUT.max {
                        high
                    } else {
                        mix(low, high, (u64::from(code) - LAYOUT.parts) as $t / (LAYOUT.max - LAYOUT.parts) as $t)
                    };
                    u64::from(value.encode())
                };
                if let Some(quoted) = source.literal_float().map(|value| value as $t)
                    && (low..=high).contains(&quoted)
                {
                    let code = u64::from(quoted.encode());
                    return $t::decode(source.float_on_tape(LAYOUT.parts..=LAYOUT.max, &|_, _| code, &settle) as $bits);
                }
                let pick = |stream: &mut Random, size| u64::from(inside(stream, size, low, high).encode());
                $t::decode(source.float_on_tape(LAYOUT.parts..=LAYOUT.max, &pick, &settle) as $bits)
            }

            /// A random number of the range: mostly uniform, some ends, some simple ones, some repetitions.
            #[inline]
            fn inside(random: &mut Random, size: u32, low: $t, high: $t) -> $t {
                let draw = random.draw();
                if draw.selector < Bias::SMALL {
                    let simple = drawn(Draw { selector: draw.selector << 2, ..draw }, size);
                    if low <= simple && simple <= high {
                        return simple;
                    }
                } else if draw.selector < Bias::AGAIN {
                    return mix(low, high, unit(random.earlier(distance(draw)).word));
                } else if draw.selector < Bias::EDGE {
                    return if draw.word & 1 == 0 { low } else { high };
                }
                mix(low, high, unit(draw.word))
            }

            /// The number at `part` of the way.
            #[inline]
            fn mix(low: $t, high: $t, part: $t) -> $t {
                let value = low * (1.0 - part) + high * part;
                if low <= value && value <= high && value < $t::INFINITY && value > $t::NEG_INFINITY {
                    value
                } else {
                    mix_of_finite(low, high, part)
                }
            }

            /// The same where rounding left the range, or an end is infinite: between finite ends nothing overflows.
            #[cold]
            fn mix_of_finite(low: $t, high: $t, part: $t) -> $t {
                let (from, to) = (low.clamp($t::MIN, $t::MAX), high.clamp($t::MIN, $t::MAX));
                (from * (1.0 - part) + to * part).clamp(low, high)
            }
        }
    };
}

float!(f32 u32 "f32" single);
float!(f64 u64 "f64" double);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn integers_come_before_fractions_and_infinities_and_nans_last() {
        let order: Vec<f64> = (0..6).map(f64::decode).collect();
        assert_eq!(format!("{order:?}"), "[0.0, -0.0, 1.0, -1.0, 2.0, -2.0]");
        let ascending = [0.0, 1.0, 7.0, 1e15, 1e300, 0.5, 2.5, 0.25, 0.1, 5e-324, f64::INFINITY, f64::NAN];
        assert!(ascending.map(Coded::encode).is_sorted());
        let ascending = [0.0, -0.0, 1.0, 7.0, 1e15, 1e30, 0.5, -0.5, 2.5, 0.25, 0.1, 1e-45, f32::INFINITY, f32::NAN];
        assert!(ascending.map(Coded::encode).is_sorted());
    }

    #[test]
    fn the_code_is_a_bijection_with_the_bits() {
        assert_eq!((single::LAYOUT.most_places, double::LAYOUT.most_places), (149, 1074));
        let mut random = Random::from_key(1);
        for _ in 0..100_000 {
            let word = random.word() >> (random.word() & 63);
            assert_eq!(f64::decode(word).encode(), word);
            assert_eq!(f64::decode(f64::from_bits(word).encode()).to_bits(), word);
            assert_eq!(f32::decode(word as u32).encode(), word as u32);
            assert_eq!(f32::decode(f32::from_bits(word as u32).encode()).to_bits(), word as u32);
        }
        for near in 0..4 {
            for bits in [f64::INFINITY.to_bits() + near, f64::NAN.to_bits() + near] {
                assert_eq!(f64::decode(f64::from_bits(bits).encode()).to_bits(), bits);
            }
            for bits in [f32::INFINITY.to_bits() + near as u32, f32::NAN.to_bits() + near as u32] {
                assert_eq!(f32::decode(f32::from_bits(bits).encode()).to_bits(), bits);
            }
        }
    }

    #[test]
    fn the_constant_nan_comes_right_after_the_infinities() {
        let behind = f64::NEG_INFINITY.encode() + 1;
        assert_eq!(f64::decode(behind).to_bits(), f64::NAN.to_bits());
        assert_eq!(f64::decode(behind + 1).to_bits(), (-f64::NAN).to_bits());
        let behind = f32::NEG_INFINITY.encode() + 1;
        assert_eq!(f32::decode(behind).to_bits(), f32::NAN.to_bits());
        assert_eq!(f32::decode(behind + 1).to_bits(), (-f32::NAN).to_bits());
    }
}
