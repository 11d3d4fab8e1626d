//! The thirteen challenges of jlink/shrinking-challenge, as `tests/library/tests/shrink/challenges/thirteen.rs` has them.

use crate::{Challenge, Outcome};
use std::collections::BTreeSet;

pub(crate) fn holds(holds: bool) -> Outcome {
    if holds { Outcome::Holds } else { Outcome::Fails }
}

/// The sum of 16-bit numbers, which overflows.
pub fn total(xs: &[i16]) -> i16 {
    xs.iter().fold(0, |sum, x| sum.wrapping_add(*x))
}

/// Five lists that each sum to less than 256 sum to less than 5 times 256.
pub struct Bound5;
impl Challenge for Bound5 {
    type Value = [Vec<i16>; 5];
    const NAME: &str = "bound5";

    fn check(lists: &Self::Value) -> Outcome {
        if lists.iter().any(|list| total(list) >= 256) {
            return Outcome::Discarded;
        }
        holds(total(&lists.each_ref().map(|list| total(list))) < 5 * 256)
    }

    /// In whichever two of the five.
    fn ideals() -> Vec<Self::Value> {
        let mut ideals = Vec::new();
        for i in 0..5 {
            for j in (0..5).filter(|j| *j != i) {
                let mut lists = <[Vec<i16>; 5]>::default();
                (lists[i], lists[j]) = (vec![-1], vec![-32768]);
                ideals.push(lists);
            }
        }
        ideals
    }
}

/// Lists have at most four different numbers.
pub struct LargeUnion;
impl Challenge for LargeUnion {
    type Value = Vec<Vec<i32>>;
    const NAME: &str = "large_union";

    fn check(lists: &Self::Value) -> Outcome {
        holds(lists.iter().flatten().collect::<BTreeSet<_>>().len() <= 4)
    }

    fn ideals() -> Vec<Self::Value> {
        vec![vec![vec![0, 1, -1, 2, -2]], vec![vec![0, 1, 2, 3, 4]]]
    }

    /// In any order.
    fn is_ideal(lists: &Self::Value) -> bool {
        let sorted = |lists: &Self::Value| {
            let mut lists = lists.clone();
            lists.iter_mut().for_each(|list| list.sort_unstable());
            lists
        };
        Self::ideals().iter().any(|ideal| sorted(ideal) == sorted(lists))
    }
}

/// Reversing a list changes nothing.
pub struct Reverse;
impl Challenge for Reverse {
    type Value = Vec<i32>;
    const NAME: &str = "reverse";

    fn check(xs: &Self::Value) -> Outcome {
        holds(xs.iter().rev().eq(xs))
    }

    fn ideals() -> Vec<Self::Value> {
        vec![vec![0, 1]]
    }
}

#[derive(Clone, Debug, PartialEq)]
pub enum Calc {
    Int(i32),
    Add(Box<Calc>, Box<Calc>),
    Div(Box<Calc>, Box<Calc>),
}

impl Calc {
    fn divides_by_literal_zero(&self) -> bool {
        match self {
            Calc::Int(_) => false,
            Calc::Div(_, b) if **b == Calc::Int(0) => true,
            Calc::Add(a, b) | Calc::Div(a, b) => a.divides_by_literal_zero() || b.divides_by_literal_zero(),
        }
    }

    fn evaluate(&self) -> Option<i32> {
        match self {
            Calc::Int(n) => Some(*n),
            Calc::Add(a, b) => Some(a.evaluate()?.wrapping_add(b.evaluate()?)),
            Calc::Div(a, b) => match (a.evaluate()?, b.evaluate()?) {
                (_, 0) => None,
                (a, b) => Some(a.wrapping_div(b)),
            },
        }
    }
}

/// Where nothing is divided by the number 0, nothing is divided by zero.
pub struct Calculator;
impl Challenge for Calculator {
    type Value = Calc;
    const NAME: &str = "calculator";

    fn check(calc: &Self::Value) -> Outcome {
        if calc.divides_by_literal_zero() {
            return Outcome::Discarded;
        }
        holds(calc.evaluate().is_some())
    }

    fn ideals() -> Vec<Self::Value> {
        let int = |n| Box::new(Calc::Int(n));
        let zero_by = |divisor| Calc::Div(int(0), Box::new(divisor));
        vec![
            zero_by(Calc::Add(int(0), int(0))),
            zero_by(Calc::Div(int(0), int(1))),
            zero_by(Calc::Div(int(0), int(-1))),
        ]
    }
}

/// The largest number of a list whose length is drawn first is below 900.
pub struct LengthList;
impl Challenge for LengthList {
    type Value = Vec<i32>;
    const NAME: &str = "lengthlist";

    fn check(xs: &Self::Value) -> Outcome {
        holds(xs.iter().all(|x| *x < 900))
    }

    fn ideals() -> Vec<Self::Value> {
        vec![vec![900]]
    }
}

fn difference((a, b): (i32, i32), forbidden: impl Fn(i32) -> bool) -> Outcome {
    holds(a < 10 || !forbidden((a - b).abs()))
}

/// Two numbers are different, or the first is below 10.
pub struct Difference0;
impl Challenge for Difference0 {
    type Value = (i32, i32);
    const NAME: &str = "difference0";

    fn check(pair: &Self::Value) -> Outcome {
        difference(*pair, |difference| difference == 0)
    }

    fn ideals() -> Vec<Self::Value> {
        vec![(10, 10)]
    }
}

/// Two numbers are not 1 to 4 apart, or the first is below 10.
pub struct DifferenceSmall;
impl Challenge for DifferenceSmall {
    type Value = (i32, i32);
    const NAME: &str = "difference_small";

    fn check(pair: &Self::Value) -> Outcome {
        difference(*pair, |difference| (1..=4).contains(&difference))
    }

    fn ideals() -> Vec<Self::Value> {
        vec![(10, 6)]
    }
}

/// Two numbers are not 1 apart, or the first is below 10.
pub struct Difference1;
impl Challenge for Difference1 {
    type Value = (i32, i32);
    const NAME: &str = "difference1";

    fn check(pair: &Self::Value) -> Outcome {
        difference(*pair, |difference| difference == 1)
    }

    fn ideals() -> Vec<Self::Value> {
        vec![(10, 9)]
    }
}

/// A heap: no number is below the one above it.
#[derive(Clone, Debug, PartialEq)]
pub struct Heap {
    pub top: i32,
    pub left: Option<Box<Heap>>,
    pub right: Option<Box<Heap>>,
}

impl Heap {
    pub fn new(top: i32, left: Option<Box<Heap>>, right: Option<Box<Heap>>) -> Option<Box<Heap>> {
        Some(Box::new(Heap { top, left, right }))
    }
}

fn merge(a: Option<Box<Heap>>, b: Option<Box<Heap>>) -> Option<Box<Heap>> {
    match (a, b) {
        (None, heap) | (heap, None) => heap,
        (Some(a), Some(b)) => {
            let (low, high) = if a.top <= b.top { (a, b) } else { (b, a) };
            let Heap { top, left, right } = *low;
            Heap::new(top, merge(right, Some(high)), left)
        }
    }
}

fn list(heap: &Option<Box<Heap>>, into: &mut Vec<i32>) {
    if let Some(heap) = heap {
        into.push(heap.top);
        list(&heap.left, into);
        list(&heap.right, into);
    }
}

/// Listing a heap in order, by a function that forgets to go on after the first.
pub struct BinHeap;
impl Challenge for BinHeap {
    type Value = Option<Box<Heap>>;
    const NAME: &str = "binheap";

    fn check(heap: &Self::Value) -> Outcome {
        let Some(top) = heap.clone() else { return Outcome::Holds };
        let mut wrong = Vec::from([top.top]);
        list(&merge(top.left, top.right), &mut wrong);
        holds(wrong.is_sorted())
    }

    /// Every failing heap of four numbers, three of them 0 and one 1.
    fn ideals() -> Vec<Self::Value> {
        let mut ideals = heaps(4, 0);
        ideals.retain(|heap| {
            let mut numbers = Vec::new();
            list(heap, &mut numbers);
            numbers.iter().sum::<i32>() == 1 && Self::check(heap) == Outcome::Fails
        });
        ideals
    }
}

/// All heaps of so many numbers from `least` to 1.
fn heaps(size: usize, least: i32) -> Vec<Option<Box<Heap>>> {
    if size == 0 {
        return vec![None];
    }
    let mut all = Vec::new();
    for top in least..=1 {
        for left_size in 0..size {
            for left in heaps(left_size, top) {
                for right in heaps(size - 1 - left_size, top) {
                    all.push(Heap::new(top, left.clone(), right));
                }
            }
        }
    }
    all
}

/// No two positions of a list hold each other.
pub struct Coupling;
impl Challenge for Coupling {
    type Value = Vec<usize>;
    const NAME: &str = "coupling";

    fn check(xs: &Self::Value) -> Outcome {
        if xs.iter().any(|x| *x >= xs.len()) {
            return Outcome::Discarded;
        }
        holds(xs.iter().enumerate().all(|(i, &x)| i == x || xs[x] != i))
    }

    fn ideals() -> Vec<Self::Value> {
        vec![vec![1, 0]]
    }
}

/// After removing a number, a list does not have it.
pub struct Deletion;
impl Challenge for Deletion {
    type Value = (Vec<i32>, i32);
    const NAME: &str = "deletion";

    fn check((xs, x): &Self::Value) -> Outcome {
        holds(xs.iter().filter(|y| *y == x).count() < 2)
    }

    fn ideals() -> Vec<Self::Value> {
        vec![(vec![0, 0], 0)]
    }
}

/// Lists have fewer than three different numbers.
pub struct Distinct;
impl Challenge for Distinct {
    type Value = Vec<i32>;
    const NAME: &str = "distinct";

    fn check(xs: &Self::Value) -> Outcome {
        holds(xs.iter().collect::<BTreeSet<_>>().len() < 3)
    }

    fn ideals() -> Vec<Self::Value> {
        vec![vec![0, 1, -1], vec![0, 1, 2]]
    }
}

/// Lists of lists have at most ten numbers.
pub struct Nested;
impl Challenge for Nested {
    type Value = Vec<Vec<i32>>;
    const NAME: &str = "nested";

    fn check(lists: &Self::Value) -> Outcome {
        holds(lists.iter().map(Vec::len).sum::<usize>() <= 10)
    }

    fn ideals() -> Vec<Self::Value> {
        vec![vec![vec![0; 11]]]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_ideal_counterexample_fails() {
        fn fail<C: Challenge>() {
            assert!(!C::ideals().is_empty(), "{}", C::NAME);
            for ideal in C::ideals() {
                assert_eq!(C::check(&ideal), Outcome::Fails, "{}: {ideal:?}", C::NAME);
            }
        }
        fail::<Bound5>();
        fail::<LargeUnion>();
        fail::<Reverse>();
        fail::<Calculator>();
        fail::<LengthList>();
        fail::<Difference0>();
        fail::<DifferenceSmall>();
        fail::<Difference1>();
        fail::<BinHeap>();
        fail::<Coupling>();
        fail::<Deletion>();
        fail::<Distinct>();
        fail::<Nested>();
    }
}
