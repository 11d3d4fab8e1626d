//! Circuits: encoders and decoders, and the sum of absolute differences.

use crate::Program;
use crate::lists::{L, forced};
use forall::lazy::List;
use forall::prelude::*;

/// What was decoded is encoded as it was.
pub const ENCODE_DECODE: Program = Program {
    name: "circuits1",
    property: || {
        Box::new(property! { forall bits: L<bool>; check { let bits = forced(bits); encode(&decode(&bits)) == bits } })
    },
    recorded: &[3, 7, 15, 31, 63, 127, 255, 511, 1023, 2047, 4095],
    fails_at: None,
    counterexample: &[],
    space: Some((10, 2047.0)),
    suite: Some((10, 2169.0)),
};

/// Of one-hot bits the index is encoded.
pub const ONE_HOT: Program = Program {
    name: "mux2",
    property: || {
        Box::new(property! {
            forall bits: L<bool>;
            implies is_one_hot(bits);
            check {
                let bits = forced(bits);
                let index = bits.iter().take_while(|bit| !**bit).count();
                number(&encode(&bits)) == index as i64
            }
        })
    },
    recorded: &[3, 8, 17, 30, 47, 68, 93, 122, 155, 192, 233, 278, 327, 380],
    fails_at: None,
    counterexample: &[],
    space: Some((10, 2047.0)),
    suite: Some((10, 0.2)),
};

/// The circuit computes the sum of absolute differences.
pub const SAD: Program = Program {
    name: "circuits3",
    property: || {
        Box::new(property! {
            forall xs: L<List<bool>>;
            forall ys: L<List<bool>>;
            check {
                let rows: Vec<(Vec<bool>, Vec<bool>)> = xs.iter().zip(ys.iter()).map(|(x, y)| (forced(x), forced(y))).collect();
                let expected: i64 = rows.iter().map(|(x, y)| (number(x) - number(y)).abs()).sum();
                expected == number(&binary_sum(rows.iter().map(|(x, y)| difference(x, y)).collect()))
            }
        })
    },
    recorded: &[4, 10, 102, 5066, 1140302],
    fails_at: None,
    counterexample: &[],
    space: Some((4, 564001.0)),
    suite: Some((4, 1099.0)),
};

fn number(bits: &[bool]) -> i64 {
    bits.iter().rev().fold(0, |number, bit| 2 * number + i64::from(*bit))
}

fn is_one_hot(bits: &List<bool>) -> bool {
    let mut bits = bits.iter();
    bits.any(|bit| **bit) && !bits.any(|bit| **bit)
}

fn decode(bits: &[bool]) -> Vec<bool> {
    match bits {
        [] => vec![true],
        [bit] => vec![!bit, *bit],
        [bit, rest @ ..] => decode(rest).into_iter().flat_map(|other| [!bit && other, *bit && other]).collect(),
    }
}

fn encode(bits: &[bool]) -> Vec<bool> {
    let mut bits = bits.to_vec();
    bits.resize(bits.len().next_power_of_two(), false);
    encode_power_of_two(&bits)
}

fn encode_power_of_two(bits: &[bool]) -> Vec<bool> {
    if bits.len() <= 1 {
        return Vec::new();
    }
    let (left, right) = bits.split_at(bits.len() / 2);
    let (low, high) = (encode_power_of_two(left), encode_power_of_two(right));
    let mut encoded: Vec<bool> = low.into_iter().zip(high).map(|(a, b)| a || b).collect();
    encoded.push(right.contains(&true));
    encoded
}

/// Combines the first two until one is left.
fn tree<T: Clone>(combine: impl Fn(&T, &T) -> T, zero: T, values: Vec<T>) -> T {
    let mut queue: std::collections::VecDeque<T> = values.into();
    while queue.len() > 1 {
        if let (Some(a), Some(b)) = (queue.pop_front(), queue.pop_front()) {
            queue.push_back(combine(&a, &b));
        }
    }
    queue.pop_front().unwrap_or(zero)
}

fn binary_sum(numbers: Vec<Vec<bool>>) -> Vec<bool> {
    tree(|a, b| add(false, a, b), Vec::new(), numbers)
}

fn add(carry: bool, xs: &[bool], ys: &[bool]) -> Vec<bool> {
    match (xs, ys) {
        ([], []) => vec![carry],
        ([x, rest @ ..], []) | ([], [x, rest @ ..]) => {
            let mut sum = vec![carry != *x];
            sum.extend(if rest.is_empty() { vec![carry && *x] } else { add(carry && *x, rest, &[]) });
            sum
        }
        ([x, xs @ ..], [y, ys @ ..]) => {
            let half = x != y;
            let mut sum = vec![carry != half];
            sum.extend(add((*x && *y) != (carry && half), xs, ys));
            sum
        }
    }
}

fn is_at_least(xs: &[bool], ys: &[bool]) -> bool {
    xs.iter().zip(ys).fold(true, |so_far, (x, y)| if x == y { so_far } else { *x })
}

fn difference(xs: &[bool], ys: &[bool]) -> Vec<bool> {
    let width = xs.len().max(ys.len());
    let padded = |bits: &[bool]| {
        let mut bits = bits.to_vec();
        bits.resize(width, false);
        bits
    };
    let (xs, ys) = (padded(xs), padded(ys));
    let is_at_least = is_at_least(&xs, &ys);
    let xs: Vec<bool> = xs.iter().map(|x| *x == is_at_least).collect();
    let ys: Vec<bool> = ys.iter().map(|y| *y != is_at_least).collect();
    let mut sum = add(true, &xs, &ys);
    sum.pop();
    sum
}
