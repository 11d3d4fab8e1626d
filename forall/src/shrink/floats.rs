//! Floats in ranges: fewer digits, and pairs that keep their sum, difference, product or quotient.
//!
//! Integers come first in the order of simplicity, then fractions with few binary places. A fraction can rarely be
//! lowered step by step, since its neighbours in this order are far from it numerically: so it is rounded, to as few
//! places as still fail, and then moved towards zero in steps of its last place. Two floats are changed by numeric
//! amounts, not by codes; values outside of a range are corrected by the generator. Not covered: decimal digits, and
//! floats that fail only between two rounded values.
//!
//! Floats with integral values are lowered by `lower.rs` like integers. Unrestricted floats have the maximum of an
//! integer type, and are lowered as integers first.

use super::lower::{Try, bits};
use super::search::Search;
use crate::generate::{float_code, places, ranged_float, scaled};

/// Roundings to up to this many places are tried one by one, others by bisection, since in those cases it is mostly the
/// precision that matters.
const FEW_PLACES: u32 = 8;

/// How far a pass goes with a fraction.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum Digits {
    /// Up to [`FEW_PLACES`].
    Few,
    All,
}

/// The float at a position, if it is a finite one from a range.
pub(super) fn float(search: &Search<'_>, place: usize) -> Option<f64> {
    ranged_float(search.value(place), search.max(place)).filter(|x| x.is_finite())
}

/// Whether the number at a position is a fraction from a range.
pub(super) fn is_fraction(search: &Search<'_>, place: usize) -> bool {
    matches!(float(search, place), Some(x) if x.fract() != 0.0)
}

/// Simple floats, the simplest first.
const SIMPLE: [f64; 15] = [1.0, 2.0, 3.0, 4.0, 5.0, 10.0, 100.0, 0.5, 1.5, 2.5, 0.25, 0.75, 1.25, 0.125, 0.375];

/// Tries simple floats in place of a fraction, one by one.
pub(super) fn simple(search: &mut Search<'_>, place: usize) {
    let (value, max) = (search.value(place), search.max(place));
    for simple in SIMPLE {
        for simple in [simple, -simple] {
            if matches!(float_code(max, simple), Some(code) if code < value && search.consider_values(&[(place, code)]))
            {
                return;
            }
        }
    }
}

/// Lowers equal fractions together; `place` is one of them.
pub(super) fn round(search: &mut Search<'_>, place: usize, digits: Digits, attempt: Try<'_>) {
    let (Some(x), max) = (float(search, place), search.max(place)) else { return };
    let mut attempt = |search: &mut Search<'_>, value: f64| match float_code(max, value) {
        Some(code) => attempt(search, code),
        None => false,
    };
    let most = places(x.abs());
    if x < 0.0 {
        attempt(search, -x);
    }
    let mut rounds = |search: &mut Search<'_>, to: u32| {
        for value in rounded(x, to) {
            if places(value.abs()) == to && attempt(search, value) {
                return true;
            }
        }
        false
    };
    let mut found = (0..most.min(FEW_PLACES + 1)).find(|&to| rounds(search, to)).unwrap_or(most);
    if found == most && most > FEW_PLACES + 1 {
        if digits == Digits::Few {
            return;
        }
        let mut too_few = FEW_PLACES;
        while found - too_few > 1 {
            let middle = too_few + (found - too_few) / 2;
            if rounds(search, middle) {
                found = middle;
            } else {
                too_few = middle;
            }
        }
    }
    // An odd multiple of the last place: fewer units first, then larger units.
    let Some(x) = float(search, place).filter(|x| places(x.abs()) > 0) else { return };
    let places_now = places(x.abs()) as i32;
    let of_half = |half: u64| scaled((2 * half + 1) as f64, -places_now).copysign(x);
    let half = scaled(x.abs(), places_now) as u64 / 2;
    if half > 0 && !attempt(search, of_half(0)) {
        bits(search, half, &mut |search, half| attempt(search, of_half(half)));
    }
    let Some(x) = float(search, place).filter(|x| places(x.abs()) > 0) else { return };
    let places_now = u64::from(places(x.abs()));
    let with_places = |left: u64| scaled(x, (places_now - left) as i32);
    if attempt(search, with_places(places_now - 1)) && places_now > 1 && !attempt(search, with_places(0)) {
        bits(search, places_now - 1, &mut |search, left| attempt(search, with_places(left)));
    }
}

/// A number rounded to this many places, towards zero and away from it.
fn rounded(x: f64, places: u32) -> [f64; 2] {
    let units = scaled(x.abs(), places as i32).floor();
    [units, units + 1.0].map(|units| scaled(units, -(places as i32)).copysign(x))
}

/// Lowers the first of two floats and raises the second by as much. Returns whether they are floats.
pub(super) fn sums(search: &mut Search<'_>, a: usize, b: usize) -> bool {
    let (Some(x), Some(y)) = (float(search, a), float(search, b)) else { return false };
    move_both(search, (a, x), (b, y), 1.0);
    scale_both(search, a, b, |y, by| y * by);
    let Some(x) = float(search, a).filter(|x| *x != 0.0 && x.fract() == 0.0 && x.abs() < LARGE) else { return true };
    // Not an exact sum, but a larger second number helps: other passes lower it again.
    let most = search.max(b);
    let mut attempt = |search: &mut Search<'_>, left: u64| {
        let code = float_code(search.max(a), (left as f64).copysign(x));
        matches!(code, Some(code) if search.consider_values(&[(a, code), (b, most)]))
    };
    let magnitude = x.abs() as u64;
    if attempt(search, magnitude - 1) && !attempt(search, 0) {
        bits(search, magnitude - 1, &mut attempt);
    }
    true
}

/// Lowers two floats by the same amount. Returns whether they are floats.
pub(super) fn differences(search: &mut Search<'_>, a: usize, b: usize) -> bool {
    let (Some(x), Some(y)) = (float(search, a), float(search, b)) else { return false };
    move_both(search, (a, x), (b, y), -1.0);
    scale_both(search, a, b, |y, by| y / by);
    true
}

/// Divides the first of two floats, down to 1 or by 2, and scales the second correspondingly.
fn scale_both(search: &mut Search<'_>, a: usize, b: usize, scaled: fn(f64, f64) -> f64) {
    let (Some(x), Some(y)) = (float(search, a), float(search, b)) else { return };
    if x.abs() <= 1.0 || y == 0.0 {
        return;
    }
    for by in [x.abs(), 2.0] {
        if let (Some(divided), Some(other)) =
            (float_code(search.max(a), x / by), float_code(search.max(b), scaled(y, by)))
            && search.consider_values(&[(a, divided), (b, other)])
        {
            return;
        }
    }
}

/// Floats from here on are all integers.
const LARGE: f64 = 2.0 / f64::EPSILON;
/// The first of two floats is rounded to at most this many places.
const PLACES_OF_TWO: u32 = 4;

/// Moves the first of two floats to simpler ones, and the second by as much: in the opposite direction if `way` is 1,
/// in the same direction if it is -1.
fn move_both(search: &mut Search<'_>, (a, x): (usize, f64), (b, y): (usize, f64), way: f64) {
    let attempt = |search: &mut Search<'_>, to: f64| {
        let moved = y + way * (x - to);
        match (float_code(search.max(a), to), float_code(search.max(b), moved)) {
            (Some(code), Some(moved)) => search.consider_values(&[(a, code), (b, moved)]),
            _ => false,
        }
    };
    if x == 0.0 || attempt(search, 0.0) {
        return;
    }
    // The second to zero, keeping their difference.
    if way < 0.0 && y != 0.0 && attempt(search, x - y) {
        return;
    }
    let most = places(x.abs());
    for to in 0..most.min(PLACES_OF_TWO) {
        for value in rounded(x, to) {
            if attempt(search, value) {
                // Once more from the new value.
                return;
            }
        }
    }
    // By steps of 1, and then as far as possible.
    let magnitude = x.abs().min(if way < 0.0 && x.signum() == y.signum() { y.abs() } else { f64::INFINITY }).trunc();
    if (1.0..LARGE).contains(&magnitude) && attempt(search, x - x.signum()) {
        let to = |left: u64| x - (magnitude - left as f64).copysign(x);
        if !attempt(search, to(0)) {
            bits(search, magnitude as u64 - 1, &mut |search, left| attempt(search, to(left)));
        }
    }
}
