//! Quantifiers, connectives and functions inside properties.

use forall::lazy::{
    Argument, Fun, Fun2, Lazy, List, and, exists, exists_unique, explore, for_all, implies, or, witnesses,
};
use forall::prelude::*;
use forall::run::{Run, Settings, Store, Verdict};
use std::cell::{Cell, RefCell};
use std::collections::HashSet;
use std::num::NonZeroI8;

#[test]
fn every_call_of_a_body_counts_once() {
    let calls = Cell::new(0);
    let count = |holds: bool| {
        calls.set(calls.get() + 1);
        holds
    };
    let property = property! {
        forall n: i8;
        check count(exists().check(|m: &i8| count(for_all().check(|k: &i8| count(*m <= *k || *n > 99)))))
    };
    let explored = explore(&property, 2);
    // A failing path is run again to confirm it; here nothing fails.
    assert!(explored.holds());
    assert_eq!(explored.evaluations, calls.get());
}

#[test]
fn a_witness_may_exceed_the_depth() {
    let deeper = |levels| {
        let property = property! { forall n: i8; exists m: i8, deeper_by levels; check *m > *n };
        explore(&property, 2).holds()
    };
    assert!(!deeper(0) && deeper(1) && !deeper(-1));
}

#[test]
fn exactly_one_means_one() {
    let one = |depth| explore(&property! { forall n: u8; exists_unique m: u8; check m == n }, depth).holds();
    assert!(one(0) && one(3));
    // Parts that the body does not read can be completed in several ways.
    let property = property! { exists_unique xs: Lazy<List<bool>>; check xs.len() == 1 };
    assert!(!explore(&property, 2).holds());
    let property = property! { exists_unique xs: Lazy<List<()>>; check xs.len() == 1 };
    assert!(explore(&property, 2).holds());
    assert!(explore(&property! { check !exists_unique().check(|n: &u8| *n > 9) }, 2).holds());
}

#[test]
fn exists_unique_counts_equal_values_once() {
    let unique = |property: &dyn forall::property::Property| explore(property, 3).holds();
    // A function that forces its argument but returns the same result in each case equals the constant one.
    let of_table = |no: bool, yes: bool| {
        let is_it = move |f: &Fun<bool, bool>| *f.call(&false) == no && *f.call(&true) == yes;
        unique(&property! { check exists_unique().check(|f: &Fun<bool, bool>| is_it(f)) })
    };
    assert!(of_table(false, false) && of_table(false, true) && of_table(true, false) && of_table(true, true));
    assert!(!unique(&property! { exists_unique f: Fun<bool, bool>; check !*f.call(&true) }), "two of the four");
    assert!(unique(&property! { exists_unique f: Fun<(), bool>; check *f.call(&()) }));
    assert!(unique(&property! { exists_unique f: Fun<u8, bool>; check (0..9u8).all(|n| *f.call(&n) == (n == 1)) }));
    assert!(!unique(&property! { exists_unique f: Fun<u8, bool>; check *f.call(&1) }));
    let constant = property! { exists_unique f: Fun<bool, u8>; check *f.call(&true) == 0 };
    assert!(explore(&constant, 0).holds() && !explore(&constant, 2).holds());
    // Sets, nonzero numbers, and types without a series of their own.
    let set =
        property! { exists_unique set: HashSet<u8>; check set.len() == 2 && set.contains(&0) && set.contains(&1) };
    assert!(unique(&set));
    assert!(unique(&property! { exists_unique n: NonZeroI8; check n.get() == 1 }));
    assert!(unique(&property! { exists_unique odd: Lazy<Odd>; check odd.0 == 3 }));
    // Unforced parts with an unknown number of values.
    assert!(!unique(&property! { exists_unique pair: (Lazy<Odd>, u8); check pair.1 == 3 }));
    assert!(!unique(&property! { exists_unique pair: (Lazy<f64>, u8); check pair.1 == 3 }));
    let message =
        explore(&property! { exists_unique pair: (Lazy<Odd>, u8); check pair.1 == 3 }, 3).failure.unwrap().message;
    assert!(message.contains("more than one witness"), "{message}");
}

#[test]
fn empty_domains_hold_for_all_and_have_no_witness() {
    #[derive(Arbitrary, Debug)]
    #[allow(dead_code)]
    struct Deep(Option<bool>);
    let property = property! { check for_all().check(|_: &Deep| false) && !exists().check(|_: &Deep| true) };
    assert!(explore(&property, 0).holds());
    assert!(!explore(&property, 1).holds());
    assert!(!explore(&property! { check !exists().check(|deep: &Deep| deep.0 == Some(true)) }, 2).holds());
}

#[test]
fn connectives_leave_irrelevant_parts_undecided() {
    let evaluations = |property: &dyn forall::property::Property| {
        let explored = explore(property, 5);
        assert!(explored.holds());
        explored.evaluations
    };
    // Six numbers, or one evaluation for all of them.
    assert_eq!(evaluations(&property! { forall n: Lazy<u8>; check !and(|| **n > 99, || false) }), 1);
    let never = || false;
    assert_eq!(evaluations(&property! { forall n: Lazy<u8>; check !(**n > 99 && never()) }), 6);
    assert_eq!(evaluations(&property! { forall n: Lazy<u8>; check or(|| **n > 99, || true) }), 1);
    assert_eq!(evaluations(&property! { forall n: Lazy<u8>; check implies(|| **n > 99, || true) }), 1);
    // Nested connectives, and quantifiers inside them.
    let property = property! { forall n: Lazy<u8>; check !and(|| or(|| **n > 99, || **n < 3), || false) };
    assert_eq!(evaluations(&property), 1);
    let property = property! {
        forall n: Lazy<u8>;
        check or(|| exists().check(|m: &u8| **n == *m), || for_all().check(|m: &u8| *m < 99))
    };
    assert!(explore(&property, 3).holds());
}

#[test]
fn connectives_outside_of_a_search_are_those_of_rust() {
    assert!(and(|| true, || true) && !and(|| false, || panic!("not needed")));
    assert!(or(|| true, || panic!("not needed")) && implies(|| false, || panic!("not needed")));
}

#[test]
fn other_runners_report_that_they_cannot_decide() {
    let property = property! { forall n: u8; exists m: u8; check m == n };
    let settings = Settings::new().seed(1).store(Store::Off);
    let report = Run::new("witness", &property).settings(settings).report();
    let Verdict::NotDecidable(why) = &report.verdict else { panic!("{:?}", report.verdict) };
    assert!(
        why.to_string().contains("which this runner cannot decide") && why.to_string().contains("exhaustive"),
        "{why}"
    );
}

#[test]
fn functions_are_generated_shrunk_and_shown_by_random_testing() {
    let property = property! {
        forall f: Fun<u8, bool>;
        forall xs: Vec<u8>;
        check xs.len() < 2 || xs.iter().all(|x| !f.call(x)) || f.call(&0) == f.call(&1)
    };
    let settings = Settings::new().seed(3).store(Store::Off);
    let report = Run::new("all or none", &property).settings(settings).report();
    let found = report.counterexample.expect("a function that tells numbers apart");
    let shown: Vec<&str> = found.bindings.iter().map(|binding| binding.printed.text()).collect();
    assert_eq!(shown, ["{ 0 -> true; 1 -> false }", "vec![0, 0]"]);
}

#[test]
fn functions_are_deterministic() {
    let property = property! {
        forall f: Fun<(i8, Option<bool>), u8>;
        forall x: (i8, Option<bool>);
        check { let first = *f.call(x); first == *f.call(x) }
    };
    forall::check("functions", &property);
    assert!(explore(&property, 2).holds());
}

#[test]
fn a_failing_quantifier_is_reported_with_its_depth() {
    let message =
        |property: &dyn forall::property::Property, depth| explore(property, depth).failure.expect("it fails").message;
    let property = property! { forall n: i8; exists m: i8; check *m > *n };
    assert_eq!(message(&property, 2), "the property returned false\nno witness for `m: i8` up to depth 2");
    let property = property! { forall n: u8; exists m: u8, deeper_by 1; forall k: u8; check k <= m && k != n };
    assert_eq!(message(&property, 1), "the property returned false\nno witness for `m: u8` up to depth 2");
    let property = property! { exists_unique m: u8; check *m > 0 };
    assert_eq!(message(&property, 2), "the property returned false\nmore than one witness for `m: u8` up to depth 2");
    // The message contains the value for which the property does not hold, and the reason.
    let property = property! { check for_all().check(|k: &u8| exists().named("m").check(|m: &u8| *m > *k)) };
    let said = message(&property, 1);
    assert_eq!(said, "the property returned false\nno witness for `m: u8` up to depth 1\ndoes not hold for u8 = 1");
}

#[test]
fn witnesses_are_shown_when_asked_for() {
    let property = property! { forall xs: Lazy<List<bool>>; exists n: u8; check xs.len() == usize::from(*n) };
    let found: Vec<(String, Vec<String>)> = witnesses(&property, 2, 2)
        .into_iter()
        .map(|found| (found.bindings[0].printed.text().to_owned(), found.witnesses))
        .collect();
    assert_eq!(found, [("[]".to_owned(), vec!["n = 0".to_owned()]), ("_:[]".to_owned(), vec!["n = 1".to_owned()])]);
    // Witnesses of nested quantifiers.
    let property = property! { exists a: u8; exists b: i8; check i16::from(*a) + i16::from(*b) == -1 };
    assert_eq!(witnesses(&property, 2, 9)[0].witnesses, ["b = -1", "a = 0"]);
    let asked = property! { exists a: u8, deeper_by 1, shown; check *a == 3 };
    let settings = Settings::new().store(Store::Off).runner("exhaustive").depth(3);
    let report =
        Run::new("asked", &property! { forall n: u8; exists m: u8; check m == n }).settings(settings.clone()).report();
    assert!(report.searched.iter().all(|depth| depth.witnesses.is_empty()), "nobody asked");
    assert_eq!(explore(&asked, 2).failure, None);
    assert_eq!(witnesses(&asked, 2, 1)[0].witnesses, ["a = 3"]);
}

#[derive(Arbitrary, Argument, Clone, Debug, PartialEq)]
enum Shape {
    Dot,
    Line { length: u8 },
}

#[test]
fn functions_print_as_cases_and_as_arms() {
    let first = RefCell::new(None);
    let property = property! {
        forall f: Fun2<Lazy<List<bool>>, Shape, bool>;
        check {
            let (none, some) = (Lazy::new(List::Nil), Lazy::new(List::from([true])));
            let holds = f.call2(&none, &Shape::Dot) == f.call2(&none, &Shape::Line { length: 7 })
                || f.call2(&none, &Shape::Dot) == f.call2(&some, &Shape::Dot);
            if !holds {
                first.borrow_mut().get_or_insert_with(|| format!("{f:#?}"));
            }
            holds
        }
    };
    let explored = explore(&property, 2);
    let cases = "{ [] -> { Dot -> false; Line(_) -> true }; _:_ -> { _ -> true } }";
    assert_eq!(explored.bindings[0].printed.text(), cases);
    let arms = "match _ {
    Nil => match _ {
        Dot => false,
        Line(_) => true,
    },
    Cons(_, _) => match _ {
        _ => true,
    },
}";
    assert_eq!(first.take().as_deref(), Some(arms));
}

#[test]
fn lazy_values_and_functions_work_under_every_runner() {
    for runner in ["generational", "targeted", "combinatorial", "constructors", "exhaustive"] {
        let property = property! {
            forall x: (Lazy<bool>, Lazy<u8>);
            forall f: Fun<bool, u8>;
            check { target!(f64::from(*x.1)); *x.0 || *x.1 < 5 || *f.call(&x.0) < 3 }
        };
        let settings = Settings::new().seed(3).store(Store::Off).runner(runner).depth(6);
        let report = Run::new("every runner", &property).settings(settings).report();
        let found = report.counterexample.unwrap_or_else(|| panic!("{runner} finds none"));
        let shown: Vec<&str> = found.bindings.iter().map(|binding| binding.printed.text()).collect();
        assert_eq!(shown, ["(false, 5)", "{ _ -> 3 }"], "{runner}");
    }
}

#[test]
#[ignore = "slow: 6 s"]
fn functions_shrink_to_fewer_cases() {
    for seed in 0..30 {
        let property = property! {
            forall xs: Vec<u8>;
            forall f: Fun<u8, u8>;
            check xs.iter().map(|x| u32::from(*f.call(x))).sum::<u32>() < 10
        };
        let report = Run::new("a constant", &property).settings(Settings::new().seed(seed).store(Store::Off)).report();
        let found = report.counterexample.unwrap();
        let shown: Vec<&str> = found.bindings.iter().map(|binding| binding.printed.text()).collect();
        assert_eq!(shown, ["vec![0]", "{ _ -> 10 }"], "seed {seed}");
    }
}

#[test]
fn functions_of_vectors_and_strings_see_them_as_lists() {
    let property = property! {
        forall p: Fun<String, bool>;
        forall q: Fun<Vec<bool>, bool>;
        check p.call(&"éa".to_owned()) == p.call(&"éb".to_owned()) || q.call(&vec![true]) == q.call(&vec![true, false])
    };
    let explored = explore(&property, 4);
    let shown: Vec<&str> = explored.bindings.iter().map(|binding| binding.printed.text()).collect();
    assert_eq!(shown, ["{ _:'a':_ -> false; _:_:_ -> true }", "{ _:[] -> false; _:_:_ -> true }"]);
    forall::check(
        "same word, same result",
        &property! { forall p: Fun<String, u8>; forall x: String; check p.call(x) == p.call(&x.clone()) },
    );
}

/// An odd number below eight; even numbers are rejected when they are forced.
#[derive(Clone, Debug, PartialEq)]
struct Odd(u8);

impl Arbitrary for Odd {
    fn arbitrary(source: &mut forall::choice::Source) -> Self {
        let number = source.draw(0u8..8);
        if number.is_multiple_of(2) {
            source.reject_now()
        }
        Odd(number)
    }
}

#[test]
fn rejected_values_do_not_count_for_a_quantifier() {
    let of_all = |most: u8| {
        let property = property! { forall n: bool; check for_all().check(|x: &Lazy<Odd>| x.0 < most) };
        let explored = explore(&property, 3);
        assert_eq!(explored.discarded, 0);
        explored.holds()
    };
    assert!(of_all(8) && !of_all(7));
    let there_is = |number: u8| {
        let property = property! { forall n: bool; check exists().check(|x: &Lazy<Odd>| x.0 == number) };
        explore(&property, 3).holds()
    };
    assert!(there_is(3) && !there_is(4));
    // If an inner body rejects a value of an outer variable, the test is discarded.
    let property = property! { forall x: Lazy<Odd>; check exists().check(|y: &u8| *y == x.0 / 4) };
    let explored = explore(&property, 3);
    assert_eq!((explored.holds(), explored.discarded), (true, 4));
}

#[derive(Arbitrary, Clone, Debug, PartialEq)]
enum Nat {
    Zero,
    Succ(Lazy<Nat>),
}

/// Forces a value.
fn looks_at<T>(_: &T) -> bool {
    true
}

/// A cell with a single alternative, around a cell with two.
#[derive(Arbitrary, Clone, Debug)]
struct Wrapped(Lazy<bool>);

#[test]
fn a_quantifier_restarts_when_an_outer_cell_is_decided() {
    // The first path of the quantifier forces `n` last; once `n` is decided, others may need fewer cells.
    let property = property! {
        forall n: Lazy<bool>;
        check exists_unique().check(|f: &Lazy<Wrapped>| !or(|| *f.0, || **n)) != **n
    };
    for depth in 1..4 {
        let explored = explore(&property, depth);
        assert_eq!((explored.holds(), explored.trouble), (true, None));
    }
    let property = property! {
        forall n: Lazy<bool>;
        check !exists().check(|x: &Lazy<bool>| for_all().check(|z: &Lazy<bool>| and(|| **z || !**x, || **n))) || **n
    };
    let explored = explore(&property, 1);
    assert_eq!((explored.holds(), explored.trouble), (true, None));
    let property = property! {
        forall n: Lazy<bool>;
        check exists_unique().check(|x: &Lazy<bool>| !for_all().check(|z: &Lazy<bool>| or(|| **z || !**x, || **n))) != **n
    };
    let explored = explore(&property, 1);
    assert_eq!((explored.holds(), explored.trouble), (true, None));
}

#[test]
fn functions_are_distinguished_even_if_a_connective_skips_their_results() {
    // Up to depth 1, a function that forces its argument returns only `Zero`.
    for nat in 0..2u32 {
        let is = |n: &Nat| matches!((n, nat), (Nat::Zero, 0) | (Nat::Succ(_), 1));
        let property = property! {
            check exists_unique().check(|f: &Fun<bool, Lazy<Nat>>| for_all().check(|o: &bool| or(|| is(f.call(o)), || !*o)))
        };
        assert!(explore(&property, 1).holds());
        let property = property! {
            check exists_unique().check(|f: &Fun<bool, Lazy<Nat>>| for_all().check(|o: &bool| !*o || is(f.call(o))))
        };
        assert!(explore(&property, 1).holds());
    }
    // The argument was not available, so the function was not called.
    let property = property! {
        check exists_unique().check(|f: &Fun<Lazy<bool>, ()>| {
            for_all().check(|o: &Lazy<bool>| or(|| looks_at(f.call(o)), || true))
        })
    };
    assert!(explore(&property, 2).holds());
    // Functions that return functions, of which only one exists.
    let property = property! {
        check exists_unique().check(|f: &Fun<bool, Fun<bool, (Lazy<()>, ())>>| looks_at(&f.call(&true).call(&false).1))
    };
    assert!(explore(&property, 2).holds());
}
