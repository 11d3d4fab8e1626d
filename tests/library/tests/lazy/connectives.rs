//! `and`, `or` and `implies`: the sides that they try, and the results that they must not report.

use forall::lazy::{Lazy, List, and, exists, explore, for_all, implies, or, search};
use forall::prelude::*;
use std::cell::Cell;

#[test]
fn a_connective_inside_of_a_quantifier_inside_of_a_connective_ends() {
    let property = property! {
        forall a: Lazy<bool>;
        check or(|| exists().check(|c: &Lazy<List<bool>>| and(|| !c.is_empty(), || true)), || **a)
    };
    assert!(search(&property, 2).holds());
    let property = property! {
        forall a: Lazy<bool>;
        check !and(|| exists().check(|c: &(Lazy<bool>, Lazy<bool>)| and(|| *c.0 && *c.1, || *c.1)), || **a)
    };
    assert!(!search(&property, 2).holds());
}

#[test]
fn cells_of_a_quantifier_inside_cost_nothing_outside() {
    let calls = Cell::new(0u64);
    let count = || calls.set(calls.get() + 1);
    let inner = |a: &Lazy<u8>, c: &Lazy<u8>| {
        count();
        or(|| **c > 9, || **c + **a > 9)
    };
    let property = property! {
        forall a: Lazy<u8>;
        forall b: bool;
        check { count(); or(|| for_all().check(|c: &Lazy<u8>| inner(a, c)), || *b) }
    };
    let found = search(&property, 3);
    assert!(!found.holds());
    assert_eq!(found.evaluations, calls.get());
    let explored = explore(&property, 3);
    assert_eq!((explored.bindings[0].printed.text(), explored.bindings[1].printed.text()), ("0", "false"));
}

#[test]
fn a_computation_that_a_connective_gave_up_begins_again() {
    let twice = |a: &Lazy<u8>| {
        let a = a.clone();
        Lazy::defer(move || *a * 2)
    };
    let property = property! {
        forall a: Lazy<u8>;
        forall b: Lazy<bool>;
        check { let double = twice(a); !and(|| *double > 9, || **b) }
    };
    assert!(explore(&property, 4).holds());
    let explored = explore(&property, 5);
    assert_eq!((explored.bindings[0].printed.text(), explored.bindings[1].printed.text()), ("5", "true"));
    assert_eq!(explored.failure.unwrap().message, "the property returned false");
}

#[test]
fn earlier_computations_are_not_forced_by_the_left_side() {
    let property = property! {
        forall a: Lazy<u8>;
        forall b: bool;
        check {
            let a = a.clone();
            let large = Lazy::defer(move || *a > 200);
            !and(|| *large, || !*b)
        }
    };
    assert_eq!(explore(&property, 9).evaluations, 11, "the number is looked at only if the flag is not set");
}

#[test]
fn a_speculatively_run_right_side_may_panic() {
    let property = property! { forall a: Lazy<u8>; forall b: u8; check !and(|| **a > 20, || 10 / *b > 20) };
    assert!(explore(&property, 3).holds());
    let property = property! {
        forall xs: Lazy<List<u8>>;
        forall n: Lazy<u8>;
        check implies(|| **n > 0 && !xs.is_empty(), || **xs.iter().next().unwrap() < 200)
    };
    assert!(explore(&property, 3).holds());
    // When the right side is evaluated in its turn, a panic is a failure.
    let property = property! { forall a: Lazy<u8>; forall b: u8; check !and(|| **a > 2, || 10 / *b > 20) };
    let explored = explore(&property, 3);
    assert_eq!(explored.failure.unwrap().message, "attempt to divide by zero");
    assert_eq!((explored.bindings[0].printed.text(), explored.bindings[1].printed.text()), ("3", "0"));
}

#[test]
fn a_right_side_that_should_not_have_been_run_discards_nothing() {
    let property = property! {
        forall a: Lazy<u8>;
        forall b: u8;
        check implies(|| **a > 20, || { assume!(*b > 100); false })
    };
    let explored = explore(&property, 3);
    assert_eq!((explored.holds(), explored.discarded), (true, 0));
}
