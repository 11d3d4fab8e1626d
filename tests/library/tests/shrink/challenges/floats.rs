//! Floats of ranges. Integers are simplest, then numbers with few binary places.

use super::thirteen::Challenge;
use forall::choice::Source;
use forall::generate::{GeneratorExt, from_fn, optional, range, vec};
use forall::property::{Empty, Property, Telescope};
use std::ops::{Range, RangeInclusive};

pub const FLOATS: [Challenge; 18] = [
    Challenge {
        name: "fraction_of_a_range",
        property: || one(12345.0..9007199254740992.0, |x| x.fract() == 0.0),
        ideal: "12345.5",
    },
    Challenge { name: "not_zero", property: || one(0.0..1.0, |x| x == 0.0), ideal: "0.5" },
    Challenge { name: "not_zero_single", property: || single(0.0..1.0, |x| x == 0.0), ideal: "0.5" },
    Challenge { name: "sum_above", property: || two(0.0..=1000.0, |x, y| x + y <= 1000.0), ideal: "1.0, 1000.0" },
    Challenge { name: "at_least", property: || one(0.0..1e6, |x| x < 777.7), ideal: "778.0" },
    Challenge { name: "below_quarter", property: || one(0.0..1.0, |x| x == 0.0 || x >= 0.25), ideal: "0.125" },
    Challenge { name: "between_tenths", property: || one(0.0..1.0, |x| !(0.29..0.31).contains(&x)), ideal: "0.296875" },
    Challenge { name: "negative", property: || one(-1.0..0.0, |x| x == -1.0), ideal: "-0.5" },
    Challenge { name: "far_below", property: || one(-1e6..-10.0, |x| x > -100.0), ideal: "-100.0" },
    Challenge { name: "either_sign", property: || one(-5.0..5.0, |x| x.abs() < 3.2), ideal: "4.0" },
    Challenge { name: "low_end", property: || one(-5.0..5.0, |x| x > -2.5), ideal: "-3.0" },
    Challenge {
        name: "precise",
        property: || one(0.0..1.0, |x| x == f64::from(x as f32)),
        ideal: "0.5000000298023224",
    },
    Challenge { name: "tiny", property: || one(0.0..1e-310, |x| x == 0.0), ideal: "8.691694759794e-311" },
    Challenge { name: "sum_of_fractions", property: || two(0.0..=0.875, |x, y| x + y <= 1.0), ideal: "0.5, 0.75" },
    Challenge { name: "ordered", property: || two(0.0..=1000.0, |x, y| x >= y), ideal: "0.0, 1.0" },
    Challenge { name: "far_apart", property: || two(-1000.0..=1000.0, |x, y| y - x < 10.5), ideal: "0.0, 11.0" },
    Challenge { name: "differ", property: || two(12345.0..=99999.0, |x, y| x == y), ideal: "12345.0, 12346.0" },
    Challenge { name: "list_sum", property: list_sum, ideal: "[1.0, 1000.0, 1000.0]" },
];

/// Written after the passes. At the first look 26 of the 28 ended at their ideal from all of 50 seeds (for `infinite` and `three`
/// another ideal was expected, wrongly); `last_second` and `ratio` did after the passes were extended.
pub const HELD_OUT: [Challenge; 28] = [
    Challenge { name: "above_a_tenth", property: || one(0.0..1.0, |x| x <= 0.1), ideal: "0.5" },
    Challenge { name: "square", property: || one(0.0..100.0, |x| x * x <= 2.0), ideal: "2.0" },
    Challenge { name: "nearly_one", property: || one(0.0..1.0, |x| x <= 0.999), ideal: "0.9990234375" },
    Challenge { name: "tenths", property: || one(0.0..1.0, |x| (x * 10.0).fract() == 0.0), ideal: "0.25" },
    Challenge { name: "anything", property: || one(0.1..0.2, |_| false), ideal: "0.125" },
    Challenge { name: "narrow", property: || one(100.001..100.002, |_| false), ideal: "100.001953125" },
    Challenge { name: "frost", property: || one(-40.0..85.0, |x| x >= -10.0), ideal: "-11.0" },
    Challenge { name: "fahrenheit", property: || one(-40.0..85.0, |x| x * 9.0 / 5.0 + 32.0 <= 100.0), ideal: "38.0" },
    Challenge { name: "last_second", property: || one(0.0..86400.0, |x| x as u32 % 60 != 59), ideal: "59.0" },
    Challenge { name: "angle", property: || one(0.0..360.0, |x| x.to_radians().sin() > -0.01), ideal: "181.0" },
    Challenge { name: "price", property: || single(0.01..9999.99, |x| (x * 100.0).fract() == 0.0), ideal: "0.125" },
    Challenge { name: "huge", property: huge, ideal: "1.0000000000000002e100" },
    Challenge { name: "up_to", property: up_to, ideal: "-8.0" },
    Challenge { name: "infinite", property: infinite, ideal: "inf" },
    Challenge { name: "distance", property: || two(0.0..=1.0, |x, y| (x - y).abs() <= 0.3), ideal: "0.0, 1.0" },
    Challenge { name: "probabilities", property: || two(0.0..=1.0, |p, q| p + q <= 1.0), ideal: "1.0, 1.0" },
    Challenge { name: "ratio", property: || two(0.0..=10.0, |x, y| y == 0.0 || x / y <= 3.0), ideal: "1.0, 0.25" },
    Challenge { name: "equal", property: || two(0.0..=10.0, |x, y| x != y || x.fract() == 0.0), ideal: "0.5, 0.5" },
    Challenge { name: "opposite", property: || two(-1.0..=1.0, |x, y| x * y >= -0.5), ideal: "1.0, -1.0" },
    Challenge {
        name: "close",
        property: || two(0.0..=100.0, |x, y| x == y || (x - y).abs() > 0.01),
        ideal: "0.0, 0.0078125",
    },
    Challenge { name: "place", property: place, ideal: "46.0, -121.0" },
    Challenge { name: "three", property: three, ideal: "0.0, 0.75, 0.875" },
    Challenge { name: "mean", property: || list(0.0..=100.0, |xs| mean(xs) <= 50.0), ideal: "[51.0]" },
    Challenge {
        name: "mean_of_two",
        property: || list(0.0..=1.0, |xs| xs.len() < 2 || mean(xs) <= 0.9),
        ideal: "[1.0, 1.0]",
    },
    Challenge { name: "spread", property: || list(0.0..=1000.0, spread_holds), ideal: "[0.0, 501.0]" },
    Challenge { name: "unsorted", property: || list(0.0..=1.0, |xs| xs.is_sorted()), ideal: "[1.0, 0.0]" },
    Challenge { name: "mapped", property: mapped, ideal: "50.0" },
    Challenge { name: "loop_sum", property: loop_sum, ideal: "[1.0, 1.0, 1.0]" },
];

/// Written after the passes were extended: all ended at their ideal from all of 50 seeds at the first look.
pub const HELD_OUT_LATER: [Challenge; 16] = [
    Challenge { name: "root", property: || one(0.0..10.0, |x| x.sqrt().fract() == 0.0), ideal: "2.0" },
    Challenge { name: "arc", property: || one(-1.0..1.0, |x| x.acos() <= 2.0), ideal: "-1.0" },
    Challenge { name: "turns", property: || one(-720.0..720.0, |x| x.abs() <= 360.0), ideal: "361.0" },
    Challenge { name: "not_two", property: || one(1.5..2.5, |x| x == 2.0), ideal: "1.5" },
    Challenge { name: "below_zero", property: || one(-0.75..-0.1, |_| false), ideal: "-0.5" },
    Challenge { name: "middle_third", property: || one(0.0..1.0, |x| x * 3.0 < 1.0 || x * 3.0 > 2.0), ideal: "0.5" },
    Challenge { name: "hundredth", property: || one(0.0..1.0, |x| x == 0.0 || x > 0.01), ideal: "0.0078125" },
    Challenge { name: "swapped", property: || two(0.0..=100.0, |low, high| low <= high), ideal: "1.0, 0.0" },
    Challenge { name: "product", property: || two(0.1..=1.0, |x, y| x * y <= 0.6), ideal: "1.0, 1.0" },
    Challenge { name: "growth", property: growth, ideal: "0.125, 14" },
    Challenge { name: "body_mass", property: body_mass, ideal: "1.0, 41.0" },
    Challenge { name: "discriminant", property: discriminant, ideal: "1.0, 0.0, 1.0" },
    Challenge { name: "volume", property: volume, ideal: "2.0, 6.0, 9.0" },
    Challenge { name: "gap_of_floats", property: || list(0.0..=100.0, gap_holds), ideal: "[0.0, 26.0]" },
    Challenge { name: "share", property: share, ideal: "4, 1.0" },
    Challenge { name: "perhaps", property: perhaps, ideal: "Some(6.0)" },
];

fn growth() -> Box<dyn Property> {
    let property = Empty
        .forall("rate", |(), s| s.draw(0.0..=0.2f64))
        .forall("years", |_, s| s.draw(0..=50))
        .check(|(years, (rate, ()))| (1.0 + rate).powi(*years) <= 5.0);
    Box::new(property)
}

fn body_mass() -> Box<dyn Property> {
    let property = Empty
        .forall("height", |(), s| s.draw(0.75..=2.5))
        .forall("weight", |_, s| s.draw(2.0..=300.0))
        .check(|(weight, (height, ()))| weight / (height * height) <= 40.0);
    Box::new(property)
}

fn discriminant() -> Box<dyn Property> {
    let property = Empty
        .forall("a", |(), s| s.draw(-10.0..=10.0))
        .forall("b", |_, s| s.draw(-10.0..=10.0))
        .forall("c", |_, s| s.draw(-10.0..=10.0))
        .check(|(c, (b, (a, ())))| b * b - 4.0 * a * c >= 0.0);
    Box::new(property)
}

fn volume() -> Box<dyn Property> {
    let property = Empty
        .forall("a", |(), s| s.draw(0.1..=10.0))
        .forall("b", |_, s| s.draw(0.1..=10.0))
        .forall("c", |_, s| s.draw(0.1..=10.0))
        .check(|(c, (b, (a, ())))| a * b * c <= 100.0);
    Box::new(property)
}

fn gap_holds(xs: &[f64]) -> bool {
    xs.windows(2).all(|pair| pair[1] - pair[0] <= 25.5)
}

fn share() -> Box<dyn Property> {
    let property = Empty
        .forall("n", |(), s| s.draw(1..=10))
        .forall("x", |_, s| s.draw(0.0..=1.0))
        .check(|(x, (n, ()))| f64::from(*n) * x <= 3.5);
    Box::new(property)
}

fn perhaps() -> Box<dyn Property> {
    let property =
        Empty.forall("x", |(), s| s.draw(optional(0.0..=10.0f64))).check(|(x, ())| x.is_none_or(|x| x <= 5.5));
    Box::new(property)
}

fn huge() -> Box<dyn Property> {
    Box::new(Empty.forall("x", |(), s| s.draw(1.0f64..)).check(|(x, ())| *x <= 1e100))
}

fn up_to() -> Box<dyn Property> {
    Box::new(Empty.forall("x", |(), s| s.draw(..-0.5f64)).check(|(x, ())| *x >= -7.25))
}

fn infinite() -> Box<dyn Property> {
    Box::new(Empty.forall("x", |(), s| s.draw(0.0..=f64::INFINITY)).check(|(x, ())| x.is_finite()))
}

fn place() -> Box<dyn Property> {
    let property = Empty
        .forall("latitude", |(), s| s.draw(-90.0..=90.0))
        .forall("longitude", |_, s| s.draw(-180.0..=180.0))
        .check(|(longitude, (latitude, ()))| *latitude <= 45.0 || *longitude >= -120.0);
    Box::new(property)
}

fn three() -> Box<dyn Property> {
    let property = Empty
        .forall("a", |(), s| s.draw(0.0..1.0))
        .forall("b", |_, s| s.draw(0.0..1.0))
        .forall("c", |_, s| s.draw(0.0..1.0))
        .check(|(c, (b, (a, ())))| a + b + c <= 1.5);
    Box::new(property)
}

fn list(range: RangeInclusive<f64>, holds: fn(&[f64]) -> bool) -> Box<dyn Property> {
    Box::new(Empty.forall("xs", move |(), s| s.draw(vec(range.clone()))).check(move |(xs, ())| holds(xs)))
}

fn mean(xs: &[f64]) -> f64 {
    xs.iter().sum::<f64>() / xs.len().max(1) as f64
}

fn spread_holds(xs: &[f64]) -> bool {
    xs.iter().all(|x| xs.iter().all(|y| x - y <= 500.0))
}

fn mapped() -> Box<dyn Property> {
    Box::new(Empty.forall("x", |(), s| s.draw(range(0.0..1.0).map(|x| x * 100.0))).check(|(x, ())| *x < 33.3))
}

fn loop_sum() -> Box<dyn Property> {
    let drawn = |s: &mut Source| {
        let count = s.draw(0..=10usize);
        (0..count).map(|_| s.draw(0.0..=1.0f64)).collect::<Vec<_>>()
    };
    let property =
        Empty.forall("xs", move |(), s| s.draw(from_fn(drawn))).check(|(xs, ())| xs.iter().sum::<f64>() <= 2.5);
    Box::new(property)
}

fn one(range: Range<f64>, holds: fn(f64) -> bool) -> Box<dyn Property> {
    Box::new(Empty.forall("x", move |(), s| s.draw(range.clone())).check(move |(x, ())| holds(*x)))
}

fn single(range: Range<f32>, holds: fn(f32) -> bool) -> Box<dyn Property> {
    Box::new(Empty.forall("x", move |(), s| s.draw(range.clone())).check(move |(x, ())| holds(*x)))
}

fn two(range: RangeInclusive<f64>, holds: fn(f64, f64) -> bool) -> Box<dyn Property> {
    let (first, second) = (range.clone(), range);
    let property = Empty
        .forall("x", move |(), s| s.draw(first.clone()))
        .forall("y", move |_, s| s.draw(second.clone()))
        .check(move |(y, (x, ()))| holds(*x, *y));
    Box::new(property)
}

/// No list adds up to more than 2,000.
fn list_sum() -> Box<dyn Property> {
    Box::new(
        Empty.forall("xs", |(), s| s.draw(vec(0.0..=1000.0f64))).check(|(xs, ())| xs.iter().sum::<f64>() <= 2000.0),
    )
}
