//! The thirteen challenges of jlink/shrinking-challenge: properties that do not hold, and their ideal counterexamples.
//!
//! Needs nothing but forall, so that the benchmarks can use the same file. Where the literature knows two ideal forms, the
//! one here is the first in shortlex order, and the shrinker has to end on it always.

use forall::Arbitrary;
use forall::choice::Source;
use forall::generate::{GeneratorExt, any, from_fn, range, vec};
use forall::property::{Empty, Property, Telescope};
use std::collections::BTreeSet;

/// A property that does not hold, and the counterexample that shrinking should end with.
pub struct Challenge {
    pub name: &'static str,
    /// Makes the property.
    pub property: fn() -> Box<dyn Property>,
    /// The variables of the ideal counterexample as they are printed, one after the other.
    pub ideal: &'static str,
}

pub const THIRTEEN: [Challenge; 13] = [
    // The sum of 16-bit numbers overflows: -1 + -32768 is 32767.
    Challenge { name: "bound5", property: bound5, ideal: "[], [], [], [-1], [-32768]" },
    Challenge { name: "large_union", property: large_union, ideal: "[[0, 1, -1, 2, -2]]" },
    Challenge { name: "reverse", property: reverse, ideal: "[0, 1]" },
    Challenge { name: "calculator", property: calculator, ideal: "Div(Int(0), Add(Int(0), Int(0)))" },
    Challenge { name: "lengthlist", property: lengthlist, ideal: "[900]" },
    Challenge { name: "difference0", property: difference0, ideal: "10, 10" },
    Challenge { name: "difference_small", property: difference_small, ideal: "10, 6" },
    Challenge { name: "difference1", property: difference1, ideal: "10, 9" },
    // Four numbers, three of them 0, however they are listed; of these heaps the one with the least on the left.
    Challenge { name: "binheap", property: binheap, ideal: "(0 _ (0 (1 _ _) (0 _ _)))" },
    Challenge { name: "coupling", property: coupling, ideal: "[1, 0]" },
    Challenge { name: "deletion", property: deletion, ideal: "[0, 0], 0" },
    Challenge { name: "distinct", property: distinct, ideal: "[0, 1, -1]" },
    Challenge { name: "nested", property: nested, ideal: "[[0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]]" },
];

fn total(xs: &[i16]) -> i16 {
    xs.iter().fold(0, |sum, x| sum.wrapping_add(*x))
}

/// Five lists that each sum to less than 256 sum to less than 5 times 256.
fn bound5() -> Box<dyn Property> {
    let small = || vec(any::<i16>()).filter(|xs| total(xs) < 256);
    let property = Empty
        .forall("a", move |(), s| s.draw(small()))
        .forall("b", move |_, s| s.draw(small()))
        .forall("c", move |_, s| s.draw(small()))
        .forall("d", move |_, s| s.draw(small()))
        .forall("e", move |_, s| s.draw(small()))
        .check(|(e, (d, (c, (b, (a, ())))))| total(&[total(a), total(b), total(c), total(d), total(e)]) < 5 * 256);
    Box::new(property)
}

/// Lists have at most four different numbers.
fn large_union() -> Box<dyn Property> {
    let property = Empty
        .forall("xss", |(), s| s.draw(any::<Vec<Vec<i32>>>()))
        .check(|(xss, ())| xss.iter().flatten().collect::<BTreeSet<_>>().len() <= 4);
    Box::new(property)
}

/// Reversing a list changes nothing.
fn reverse() -> Box<dyn Property> {
    let property =
        Empty.forall("xs", |(), s| s.draw(any::<Vec<i32>>())).check(|(xs, ())| xs.iter().rev().eq(xs.iter()));
    Box::new(property)
}

#[derive(Arbitrary, Clone, Debug)]
enum Calc {
    Int(i32),
    Add(Box<Calc>, Box<Calc>),
    Div(Box<Calc>, Box<Calc>),
}

impl Calc {
    fn divides_by_literal_zero(&self) -> bool {
        match self {
            Calc::Int(_) => false,
            Calc::Div(_, b) if matches!(**b, Calc::Int(0)) => true,
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
fn calculator() -> Box<dyn Property> {
    let property = Empty
        .forall("expr", |(), s| s.draw(any::<Calc>()))
        .print(|_, expr| format!("{expr:?}"))
        .implies(|(expr, ())| !expr.divides_by_literal_zero())
        .check(|(expr, ())| expr.evaluate().is_some());
    Box::new(property)
}

/// The largest number of a list whose length is drawn first is below 900.
fn lengthlist() -> Box<dyn Property> {
    let lists = || range(1..=100usize).flat_map(|length| vec(0..1000i32).len(length));
    let property = Empty.forall("xs", move |(), s| s.draw(lists())).check(|(xs, ())| xs.iter().all(|x| *x < 900));
    Box::new(property)
}

fn difference(allowed: fn(i32) -> bool) -> Box<dyn Property> {
    let property = Empty
        .forall("a", |(), s| s.draw(1..1000i32))
        .forall("b", |_, s| s.draw(1..1000i32))
        .check(move |(b, (a, ()))| *a < 10 || !allowed((a - b).abs()));
    Box::new(property)
}

fn difference0() -> Box<dyn Property> {
    difference(|difference| difference == 0)
}

fn difference_small() -> Box<dyn Property> {
    difference(|difference| (1..=4).contains(&difference))
}

fn difference1() -> Box<dyn Property> {
    difference(|difference| difference == 1)
}

/// A heap: no number is below the one above it.
#[derive(Clone, Debug)]
struct Heap {
    top: i32,
    left: Option<Box<Heap>>,
    right: Option<Box<Heap>>,
}

fn heap(source: &mut Source, least: i32, size: u32) -> Option<Box<Heap>> {
    // The span lets the shrinker replace the heap by a part of it.
    source.span(7, |source| {
        if size == 0 || source.choice(3) == 0 {
            return None;
        }
        let top = source.draw(least..=i32::MAX);
        Some(Box::new(Heap { top, left: heap(source, top, size / 2), right: heap(source, top, size / 2) }))
    })
}

fn show(heap: &Option<Box<Heap>>) -> String {
    match heap {
        None => "_".to_owned(),
        Some(heap) => format!("({} {} {})", heap.top, show(&heap.left), show(&heap.right)),
    }
}

fn merge(a: Option<Box<Heap>>, b: Option<Box<Heap>>) -> Option<Box<Heap>> {
    match (a, b) {
        (None, heap) | (heap, None) => heap,
        (Some(a), Some(b)) => {
            let (low, high) = if a.top <= b.top { (a, b) } else { (b, a) };
            let Heap { top, left, right } = *low;
            Some(Box::new(Heap { top, left: merge(right, Some(high)), right: left }))
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
fn binheap() -> Box<dyn Property> {
    let property = Empty
        .forall("heap", |(), s| {
            s.draw(from_fn(|s| {
                let size = s.size();
                heap(s, 0, size)
            }))
        })
        .print(|_, heap| show(heap))
        .check(|(heap, ())| {
            let Some(top) = heap.clone() else { return true };
            let mut wrong = Vec::from([top.top]);
            list(&merge(top.left, top.right), &mut wrong);
            wrong.is_sorted()
        });
    Box::new(property)
}

/// No two positions of a list hold each other.
fn coupling() -> Box<dyn Property> {
    let property = Empty
        .forall("xs", |(), s| s.draw(vec(0..=10usize)))
        .implies(|(xs, ())| xs.iter().all(|x| *x < xs.len()))
        .check(|(xs, ())| xs.iter().enumerate().all(|(i, &x)| i == x || xs[x] != i));
    Box::new(property)
}

/// After removing a number, a list does not have it.
fn deletion() -> Box<dyn Property> {
    let property = Empty
        .forall("xs", |(), s| s.draw(vec(-1000..=1000i32)))
        .forall("x", |_, s| s.draw(-1000..=1000i32))
        .check(|(x, (xs, ()))| {
            let mut left = xs.clone();
            if let Some(place) = left.iter().position(|y| y == x) {
                left.remove(place);
                return !left.contains(x);
            }
            true
        });
    Box::new(property)
}

/// Lists have fewer than three different numbers.
fn distinct() -> Box<dyn Property> {
    let property = Empty
        .forall("xs", |(), s| s.draw(any::<Vec<i32>>()))
        .check(|(xs, ())| xs.iter().collect::<BTreeSet<_>>().len() < 3);
    Box::new(property)
}

/// Lists of lists have at most ten numbers.
fn nested() -> Box<dyn Property> {
    let property = Empty
        .forall("xss", |(), s| s.draw(any::<Vec<Vec<i32>>>()))
        .check(|(xss, ())| xss.iter().map(Vec::len).sum::<usize>() <= 10);
    Box::new(property)
}
