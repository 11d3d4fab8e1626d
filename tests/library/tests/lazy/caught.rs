//! Properties that catch panics also catch the signals of a search. That changes no verdict.

use forall::lazy::{Lazy, List, Trouble, and, exists, exists_unique, explore, for_all, implies, or, search};
use forall::prelude::*;
use forall::property::Property;
use forall::run::{Fact, Run, Settings, Store, Verdict};
use std::panic::{AssertUnwindSafe, catch_unwind};

#[derive(Arbitrary, Clone, Debug, PartialEq)]
enum Nat {
    Zero,
    Succ(Lazy<Nat>),
}

fn panics<R>(body: impl FnOnce() -> R) -> bool {
    catch_unwind(AssertUnwindSafe(body)).is_err()
}

/// Forces a value.
fn looks_at<T>(_: &T) -> bool {
    true
}

/// Forces the first constructor, and does not panic.
fn looks(n: &Nat) -> bool {
    matches!(n, Nat::Zero | Nat::Succ(_))
}

fn holds(property: &dyn Property) -> bool {
    let explored = explore(property, 2);
    assert_eq!(explored.trouble, None);
    explored.holds()
}

#[test]
fn a_side_that_catches_panics_is_undecided_all_the_same() {
    assert!(!holds(&property! { forall n: Lazy<Nat>; check or(|| panics(|| looks(n)), || false) }));
    assert!(!holds(&property! { forall n: Lazy<Nat>; check or(|| false, || panics(|| looks(n))) }));
    assert!(holds(&property! { forall n: Lazy<Nat>; check and(|| !panics(|| looks(n)), || true) }));
    assert!(holds(&property! { forall n: Lazy<Nat>; check and(|| true, || !panics(|| looks(n))) }));
    assert!(!holds(&property! { forall n: Lazy<Nat>; check implies(|| !panics(|| looks(n)), || false) }));
    // Both sides catch a panic, and then panic themselves.
    let property = property! {
        forall n: Lazy<Nat>;
        forall m: Lazy<Nat>;
        check and(
            || catch_unwind(AssertUnwindSafe(|| looks(n))).expect("nothing panics"),
            || catch_unwind(AssertUnwindSafe(|| looks(m))).expect("nothing panics"),
        )
    };
    assert!(holds(&property));
    // A panic of the property itself is caught as usual.
    let property =
        property! { forall n: Lazy<Nat>; check or(|| panics(|| assert_eq!(**n, Nat::Zero)), || **n == Nat::Zero) };
    assert!(holds(&property));
}

#[test]
fn connectives_and_quantifiers_work_inside_catch_unwind() {
    let property = property! {
        forall n: Lazy<Nat>;
        check and(|| !panics(|| and(|| looks(n), || !panics(|| looks(n)))), || true)
    };
    assert!(holds(&property));
    let property = property! {
        forall n: Lazy<Nat>;
        check or(|| panics(|| exists().check(|m: &Lazy<Nat>| or(|| looks(m), || looks(n)))), || false)
    };
    assert!(!holds(&property));
    let property = property! {
        forall n: Lazy<Nat>;
        check and(|| for_all().check(|m: &Lazy<Nat>| !panics(|| looks(m) && looks(n))), || looks(n))
    };
    assert!(holds(&property));
    let property = property! {
        forall n: Lazy<Nat>;
        check or(|| exists_unique().check(|m: &Lazy<bool>| **m && !panics(|| looks(n))), || false)
    };
    assert!(holds(&property));
}

#[test]
fn a_computation_that_catches_panics_begins_again() {
    let property = property! {
        forall n: Lazy<Nat>;
        check {
            let n = n.clone();
            let panicked = Lazy::defer(move || panics(|| looks(&n)));
            or(|| *panicked, || false)
        }
    };
    assert!(!holds(&property));
}

fn ones() -> Lazy<List<u8>> {
    Lazy::defer(|| List::Cons(Lazy::new(1), ones()))
}

#[test]
fn endless_values_are_reported_even_if_the_property_catches_panics() {
    let is_endless = |property: &dyn Property| match explore(property, 1).trouble {
        Some(Trouble::Fault(why)) => matches!(why, Fact::SearchEndless { .. }),
        _ => false,
    };
    assert!(is_endless(&property! { forall n: bool; check { note!("{n}"); panics(|| ones().len()) } }));
    assert!(is_endless(&property! { forall n: bool; check { note!("{n}"); !panics(|| ones().len()) } }));
    let property = property! { forall n: bool; check exists().check(|m: &bool| m == n || panics(|| ones().len())) };
    assert!(is_endless(&property));
}

#[test]
fn running_out_of_evaluations_is_not_a_result() {
    for expected in [false, true] {
        let property = property! {
            forall n: Lazy<Nat>;
            check { note!("{n:?}"); panics(|| for_all().check(|xs: &List<u8>| xs.iter().all(|x| **x < 99))) == expected }
        };
        let settings = Settings::new().runner("exhaustive").depth(8).evaluations(5_000).store(Store::Off);
        let report = Run::new("spent", &property).settings(settings).report();
        // No quantifier panics: the property fails at once, or the search does not finish.
        match expected {
            true => assert_eq!(report.verdict, Verdict::Failed),
            false => assert_eq!((report.verdict, report.searched.last().unwrap().complete), (Verdict::Passed, false)),
        }
    }
}

#[test]
fn nondeterminism_is_reported_even_if_the_property_catches_panics() {
    let calls = std::cell::Cell::new(0);
    let inner = |pair: &(Lazy<bool>, Lazy<u8>)| {
        calls.set(calls.get() + 1);
        if calls.get() % 2 == 0 { u8::from(*pair.0) < 2 } else { *pair.1 < 99 }
    };
    let property = property! { forall n: Lazy<bool>; check panics(|| for_all().check(inner)) || looks_at(&**n) };
    let explored = explore(&property, 3);
    let trouble = explored.trouble;
    let is_inside = matches!(&trouble, Some(Trouble::Fault(Fact::SearchStrayed { quantifier: Some(_), .. })));
    assert!(is_inside, "{trouble:?}");
}

#[test]
fn a_quantifier_on_another_thread_is_rejected_with_advice() {
    let property = property! {
        forall n: bool;
        check std::thread::scope(|scope| scope.spawn(|| exists().check(|m: &bool| m == n)).join().map_err(|why| {
            let why: Option<&&str> = why.downcast_ref();
            why.map(|why| (*why).to_owned())
        }))
    };
    let failure = explore(&property, 1).failure.expect("it was not decided");
    let told = "a nested quantifier must be called on the thread that runs the property";
    assert!(failure.message.contains(told), "{}", failure.message);
    // A connective has nothing to defer on another thread.
    let property = property! {
        forall n: bool;
        check std::thread::scope(|scope| scope.spawn(|| or(|| *n, || !*n)).join().unwrap())
    };
    assert!(holds(&property));
}

/// An odd number; the series rejects even ones.
#[derive(Clone, Debug)]
struct Odd(u64);

impl Arbitrary for Odd {
    fn arbitrary(source: &mut Source) -> Self {
        Odd(2 * source.draw(0..9u64) + 1)
    }

    fn series(series: &mut forall::lazy::Series<'_>) -> Self {
        let n = series.choose(u64::from(series.depth()) + 1);
        if n.is_multiple_of(2) {
            series.reject()
        }
        Odd(n)
    }

    fn extent(_: &mut forall::lazy::Extent) -> f64 {
        f64::NAN
    }
}

#[test]
fn an_unavailable_value_stays_unavailable_even_if_the_property_catches_panics() {
    let odd = |n: &Lazy<Odd>| n.0 % 2 == 1;
    assert!(holds(&property! { forall n: Lazy<Odd>; check !panics(|| odd(n)) }));
    assert!(holds(&property! { forall n: Lazy<Odd>; check catch_unwind(AssertUnwindSafe(|| odd(n))).unwrap() }));
    assert!(!holds(&property! { forall n: Lazy<Odd>; check panics(|| odd(n)) }));
    let property =
        property! { forall b: Lazy<bool>; check !exists().check(|n: &Lazy<Odd>| panics(|| odd(n)) && looks_at(&**b)) };
    assert!(holds(&property));
    let property = property! { forall b: Lazy<bool>; check or(|| exists_unique().check(|n: &Lazy<Odd>| !panics(|| odd(n))), || !looks_at(&**b)) };
    assert!(holds(&property));
    // Rejected values count as discarded.
    let found = search(&property! { forall n: Lazy<Odd>; check { panics(|| odd(n)); true } }, 3);
    assert_eq!((found.evaluations, found.discarded), (4, 2));
    // A panic of a generator is treated like any other.
    #[derive(Clone, Debug)]
    struct Broken;
    impl Arbitrary for Broken {
        fn arbitrary(_: &mut Source) -> Self {
            panic!("no idea")
        }
    }
    assert!(holds(&property! { forall n: Lazy<Broken>; check panics(|| (**n).clone()) }));
}
