//! The float that a code represents in a range.
//!
//! A float has one code, independent of the range: the one in `float.rs`, by which integers come first, those near zero
//! first of all, then fractions with few binary places. So the order inside a range is that of all floats, and 0.0..1.0
//! is 0, 0.5, 0.25, 0.75, …
//!
//! Most codes are those of floats outside of the range. Replay is total, so they have a meaning as well: the last float
//! of the range before them, or its first. So a lower code never stands for a less simple float, and binary search over
//! codes works. The recorded code is always that of the float itself.
//!
//! The codes of NaNs represent fractions of the way from the low end of the range to the high one, for callers that
//! know neither: the last is the high end, and a random one is a random float.
//!
//! The range contains what `contains` accepts: both zeros if it contains one, and infinities that are ends.

/// The layout of a type's codes: first those of numbers, then those of fractions of the way.
pub(super) struct Layout {
    /// The code of fraction 0, the low end.
    pub(super) parts: u64,
    /// The code of fraction 1, the high end, and the largest code. No integer type has this maximum.
    pub(super) max: u64,
    /// The binary digits of a number.
    pub(super) digits: u32,
    /// The binary places of the smallest number.
    pub(super) most_places: u32,
    pub(super) greatest: f64,
}

/// The magnitudes of one sign that are in a range; none if the first is above the last.
#[derive(Clone, Copy)]
struct Magnitudes {
    first: f64,
    last: f64,
}

impl Layout {
    /// The float of `low..=high` that the code of `value` stands for.
    pub(super) fn settled(&self, value: f64, low: f64, high: f64) -> f64 {
        if low <= value && value <= high {
            return value;
        }
        if value == f64::NEG_INFINITY && high == f64::INFINITY {
            return high;
        }
        let (positive, negative) = (self.magnitudes(low, high), self.magnitudes(-high, -low));
        let magnitude = value.abs();
        let places = if magnitude.is_finite() { places(magnitude) } else { self.most_places };
        for fewer in 0..=places {
            // Of two with the same magnitude, the positive one comes first.
            let (most, most_negative) = match fewer {
                0 if value.is_sign_negative() => (magnitude, magnitude),
                0 => (magnitude, self.below(magnitude)),
                _ => (f64::INFINITY, f64::INFINITY),
            };
            let positive = self.last(places - fewer, positive, most);
            let negative = self.last(places - fewer, negative, most_negative);
            match (positive, negative) {
                (Some(x), Some(y)) => return if x > y { x } else { -y },
                (Some(x), None) => return x,
                (None, Some(y)) => return -y,
                (None, None) => {}
            }
        }
        for places in 0..=self.most_places {
            match (self.first(places, positive), self.first(places, negative)) {
                (Some(x), Some(y)) => return if x <= y { x } else { -y },
                (Some(x), None) => return x,
                (None, Some(y)) => return -y,
                (None, None) => {}
            }
        }
        // The range contains only infinity.
        low
    }

    /// The magnitudes of the positive numbers of a range.
    fn magnitudes(&self, low: f64, high: f64) -> Magnitudes {
        // The sign of a zero does not matter.
        Magnitudes { first: low.max(0.0).abs(), last: high.min(self.greatest) }
    }

    /// The last number with this many places that is at most `most`.
    fn last(&self, places: u32, of: Magnitudes, most: f64) -> Option<f64> {
        let most = most.min(of.last);
        let found = if places == 0 {
            most.floor()
        } else {
            let units = scaled(most, places as i32).min(self.most_units()).floor();
            scaled(if units % 2.0 == 0.0 { units - 1.0 } else { units }, -(places as i32))
        };
        (of.first <= found && found >= 0.0).then_some(found.abs())
    }

    /// The first number with this many places.
    fn first(&self, places: u32, of: Magnitudes) -> Option<f64> {
        let found = if places == 0 {
            of.first.ceil()
        } else {
            let units = scaled(of.first, places as i32).ceil();
            let odd = if units % 2.0 == 0.0 { units + 1.0 } else { units };
            if odd > self.most_units() {
                return None;
            }
            scaled(odd, -(places as i32))
        };
        (found <= of.last).then_some(found)
    }

    /// The next smaller number.
    fn below(&self, magnitude: f64) -> f64 {
        if self.digits == f32::MANTISSA_DIGITS { (magnitude as f32).next_down().into() } else { magnitude.next_down() }
    }

    /// A fraction is an odd number of units in its last place, at most this many.
    fn most_units(&self) -> f64 {
        ((1u64 << self.digits) - 1) as f64
    }
}

/// The binary places of a number that is not negative.
pub(crate) fn places(magnitude: f64) -> u32 {
    const PLACES: u32 = f64::MANTISSA_DIGITS - 1;
    /// The exponent of 1, as bits, and the places of the significand.
    const ONE: u32 = f64::MAX_EXP as u32 - 1 + PLACES;
    if magnitude.fract() == 0.0 {
        return 0;
    }
    let bits = magnitude.to_bits();
    let exponent = (bits >> PLACES) as u32;
    let significand = bits & ((1 << PLACES) - 1) | if exponent > 0 { 1 << PLACES } else { 0 };
    ONE - exponent.max(1) - significand.trailing_zeros()
}

/// A number times a power of two, infinite if it is too large. In two steps, since the power alone might overflow.
pub(crate) fn scaled(value: f64, exponent: i32) -> f64 {
    let half = exponent / 2;
    value * power(half) * power(exponent - half)
}

/// A power of two that is a normal number.
fn power(exponent: i32) -> f64 {
    f64::from_bits(((exponent + f64::MAX_EXP - 1) as u64) << (f64::MANTISSA_DIGITS - 1))
}
