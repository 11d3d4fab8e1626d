//! Generators written by hand of kinds that the other sets lack. Of 80 that were written in three parts, 74 ended at one
//! counterexample from each of 30 or 40 seeds when they first ran; passes were then written for these kinds.

use super::thirteen::Challenge;
use forall::choice::Source;
use forall::generate::{any, from_fn};
use forall::property::{Empty, Property, Telescope};
use std::fmt::Debug;

pub const REMAINING: [Challenge; 6] = [
    Challenge { name: "bit_by_bit", property: bits_hold, ideal: "1000" },
    Challenge { name: "digits", property: digits_hold, ideal: "305" },
    Challenge { name: "points_in_a_range", property: points_hold, ideal: "(0, 11, 11, 0)" },
    Challenge { name: "strides", property: strides_hold, ideal: "(6, [5, 1])" },
    Challenge { name: "shares", property: shares_hold, ideal: "[(0, 200)]" },
    Challenge { name: "quarters", property: quarters_hold, ideal: "[_, _, _, [_, _, X, X]]" },
];

/// A property that fails where a condition holds.
fn ends<T: Debug + 'static>(draw: fn(&mut Source) -> T, condition: fn(&T) -> bool) -> Box<dyn Property> {
    Box::new(Empty.forall("input", move |(), s| s.draw(from_fn(draw))).check(move |(input, ())| !condition(input)))
}

/// A number drawn bit by bit: the one before 2^10 has none of its bits.
fn bits_hold() -> Box<dyn Property> {
    ends(|s| (0..16).fold(0, |n, _| 2 * n + u32::from(s.draw(any::<bool>()))), |n| *n >= 1000)
}

fn digits_hold() -> Box<dyn Property> {
    ends(|s| (0..6).fold(0, |n, _| 10 * n + s.draw(0..=9u32)), |n| *n >= 305)
}

/// A range and two points of it: if the range moves, so do both.
fn points_hold() -> Box<dyn Property> {
    let points = |s: &mut Source| {
        let low = s.draw(-1000..=1000i32);
        let high = s.draw(low..=low + 1000);
        (low, high, s.draw(low..=high), s.draw(low..=high))
    };
    ends(points, |(low, high, a, b)| *a > b + 10 && high - low <= 30)
}

/// A distance, and strides until it is covered: one stride fewer is a shorter distance.
fn strides_hold() -> Box<dyn Property> {
    let strides = |s: &mut Source| {
        let distance = s.draw(1..=40u32);
        let (mut covered, mut strides) = (0, Vec::new());
        while covered < distance {
            strides.push(s.draw(1..=5u32));
            covered += strides[strides.len() - 1];
        }
        (distance, strides)
    };
    ends(strides, |(_, strides)| strides.windows(2).any(|two| two == [5, 1]))
}

/// An amount that is shared out until nothing is left: one share fewer makes another larger.
fn shares_hold() -> Box<dyn Property> {
    let shares = |s: &mut Source| {
        let (mut left, mut shares) = (200, Vec::new());
        while left > 0 {
            let share = s.draw(1..=left);
            shares.push((s.draw(0..=9u8), share));
            left -= share;
        }
        shares
    };
    ends(shares, |shares| shares.iter().any(|(_, share)| *share > 100u32))
}

/// A square, or its four quarters. At the depth limit no alternative is drawn.
enum Square {
    One(bool),
    Quarters(Vec<Square>),
}

impl Debug for Square {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Square::One(full) => f.write_str(if *full { "X" } else { "_" }),
            Square::Quarters(quarters) => quarters.fmt(f),
        }
    }
}

fn square(s: &mut Source, depth: u32) -> Square {
    if depth > 0 && s.draw(any::<bool>()) {
        Square::Quarters((0..4).map(|_| square(s, depth - 1)).collect())
    } else {
        Square::One(s.draw(any::<bool>()))
    }
}

/// The full squares that are at least this far down.
fn full(square: &Square, depth: u32) -> usize {
    match square {
        Square::One(full) => usize::from(*full && depth == 0),
        Square::Quarters(quarters) => quarters.iter().map(|quarter| full(quarter, depth.saturating_sub(1))).sum(),
    }
}

fn quarters_hold() -> Box<dyn Property> {
    ends(|s| square(s, 3), |square| full(square, 2) >= 2)
}
