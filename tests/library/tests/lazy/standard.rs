//! The series of standard library types: each value occurs once, and their number equals the computed one.

use forall::generate::GeneratorExt;
use forall::lazy::{Extent, Lazy, search};
use forall::prelude::*;
use forall::run::{Run, Settings, Store, Verdict};
use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet, BinaryHeap, HashMap, HashSet};
use std::fmt::Debug;
use std::num::{NonZeroI8, NonZeroU8};

/// Returns all values up to a depth, in the order of the search.
fn all<T: Arbitrary + Clone + Debug>(depth: u32) -> Vec<T> {
    let seen = RefCell::new(Vec::new());
    let found = search(&property! { forall value: T; check { seen.borrow_mut().push(value.clone()); true } }, depth);
    assert!(found.holds() && found.discarded == 0);
    assert_eq!(found.inputs, Some(found.evaluations as f64), "{} at depth {depth}", std::any::type_name::<T>());
    seen.into_inner()
}

#[test]
fn numbers_go_from_minus_the_depth_to_the_depth() {
    assert_eq!(all::<i128>(2), [-2, -1, 0, 1, 2]);
    assert_eq!(all::<u128>(2), [0, 1, 2]);
    assert_eq!(all::<NonZeroI8>(2).iter().map(|n| n.get()).collect::<Vec<i8>>(), [-2, -1, 1, 2]);
    assert_eq!(all::<NonZeroU8>(300).len(), 255);
    assert_eq!(Extent::of::<NonZeroU8>(0), 0.0);
    assert_eq!(Extent::of::<i128>(u32::MAX), 2.0 * f64::from(u32::MAX) + 1.0);
}

#[test]
fn characters_go_from_a_to_the_last_and_no_further() {
    assert_eq!(all::<char>(2), ['a', 'b', 'c']);
    let many = all::<char>(60_000);
    assert_eq!(many.iter().collect::<HashSet<_>>().len(), 60_001);
    assert_eq!(Extent::of::<char>(u32::MAX), f64::from(0x11_0000 - 0x800 - 0x61));
}

#[test]
fn sets_and_maps_are_tried_once_each() {
    for depth in 0..5 {
        let ordered: HashSet<String> = all::<BTreeSet<u8>>(depth).iter().map(|set| format!("{set:?}")).collect();
        let hashed = all::<HashSet<u8>>(depth);
        let sorted: HashSet<String> =
            hashed.iter().map(|set| format!("{:?}", set.iter().collect::<BTreeSet<_>>())).collect();
        assert_eq!((ordered.len(), hashed.len()), (1 << depth, 1 << depth));
        assert_eq!(ordered, sorted);
    }
    let sets = all::<BTreeSet<i8>>(2);
    assert!(sets.contains(&BTreeSet::from([-1, 0])) && sets.contains(&BTreeSet::from([-1, 1])));
    assert_eq!(all::<BTreeMap<u8, bool>>(2).len(), 1 + 4 + 4);
    assert_eq!(all::<HashMap<u8, bool>>(2).len(), 1 + 4 + 4);
    assert_eq!(all::<HashSet<bool>>(9).len(), 4);
    assert_eq!(all::<BinaryHeap<bool>>(2).len(), 1 + 2 + 3);
    assert_eq!(Extent::of::<BTreeSet<u8>>(40), f64::powi(2.0, 40));
}

#[test]
fn a_run_over_sets_passes() {
    let property = property! { forall set: HashSet<u8>; check set.len() < 9 };
    let settings = Settings::new().runner("exhaustive").depth(4).store(Store::Off);
    let report = Run::new("sets", &property).settings(settings).report();
    assert_eq!((report.verdict, report.statistics.valid, report.statistics.discarded), (Verdict::Passed, 31, 0));
}

#[test]
fn filtered_values_are_not_retried() {
    #[derive(Arbitrary, Clone, Debug, PartialEq)]
    struct Filtered {
        #[forall(with = any::<u8>().filter(|x| x % 2 == 1))]
        n: u8,
    }
    for depth in 1..6 {
        let seen = RefCell::new(Vec::new());
        let property = property! { forall x: Filtered; check { seen.borrow_mut().push(x.n); true } };
        let found = search(&property, depth);
        let odd: Vec<u8> = (0..=(depth - 1).max(1) as u8).filter(|n| n % 2 == 1).collect();
        assert_eq!((found.evaluations, seen.into_inner()), (odd.len() as u64, odd), "depth {depth}");
    }
    let property = property! { forall k: bool; check for_all_odd(3) };
    assert!(search(&property, 3).holds());
    fn for_all_odd(most: u8) -> bool {
        forall::lazy::for_all().check(|x: &Lazy<Filtered>| x.n <= most && x.n % 2 == 1)
    }
}

#[test]
fn a_variant_that_costs_nothing_may_hold_its_own_type() {
    #[derive(Arbitrary, Clone, Debug, PartialEq)]
    enum Expression {
        Literal,
        #[forall(depth = 0)]
        Bracketed(Lazy<Expression>),
        Negated(Lazy<Expression>),
    }
    assert_eq!(Extent::of::<Expression>(0), f64::INFINITY);
    let property = property! {
        forall e: Lazy<Expression>;
        check !matches!(&**e, Expression::Bracketed(inner) if matches!(**inner, Expression::Negated(_)))
    };
    let settings = Settings::new().runner("exhaustive").depth(3).store(Store::Off);
    let report = Run::new("brackets", &property).settings(settings).report();
    assert_eq!(report.verdict, Verdict::Failed);
    let found = report.counterexample.unwrap();
    assert_eq!(found.bindings[0].printed.text(), "Bracketed(Negated(_))");

    #[derive(Arbitrary, Clone, Debug, PartialEq)]
    enum Never {
        #[forall(depth = 0)]
        Again(Lazy<Never>),
    }
    assert_eq!(Extent::of::<Never>(5), 0.0);
}

#[test]
fn discarded_tests_are_not_valid_ones() {
    let property = property! { forall n: i8; check { assume!(*n % 2 == 0); true } };
    let settings = Settings::new().runner("exhaustive").depth(1).store(Store::Off);
    let statistics = Run::new("even", &property).settings(settings).report().statistics;
    assert_eq!((statistics.valid, statistics.discarded), (2, 2));
}

#[test]
fn labels_are_counted_on_any_number_of_threads() {
    let property = property! { forall a: bool; forall xs: Vec<bool>; check {
        assume!(xs.len() != 1);
        classify!(*a, "a");
        cover!(1.0, xs.is_empty(), "empty");
        tabulate!("length", xs.len());
        true
    } };
    let statistics = |threads: usize, depth: u32| {
        let settings =
            Settings::new().store(Store::Off).runner("exhaustive").depth(depth).threads(threads).evaluations(1 << 20);
        Run::parallel("said", &property).settings(settings).report().statistics
    };
    // Each depth starts over: there are 2, 6 and 14 inputs, of which 0, 4 and 4 have a list of one element.
    let few = statistics(1, 2);
    assert_eq!((few.valid, few.discarded), (14, 8));
    assert_eq!(few.labels.get("a"), Some(&7));
    assert_eq!(few.covers.get("empty").map(|cover| cover.hits), Some(6));
    assert_eq!(few.tables.get("length").and_then(|rows| rows.get("2")), Some(&8));
    // Enough inputs for other threads to take part.
    let (one, four) = (statistics(1, 15), statistics(4, 15));
    assert_eq!((one.valid, &one.labels, &one.tables), (four.valid, &four.labels, &four.tables));
    assert_eq!(one.labels.get("a"), Some(&(one.valid / 2)));
}
