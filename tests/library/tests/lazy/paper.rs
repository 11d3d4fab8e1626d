//! The examples of the paper: the same verdicts at the same depths, with fewer evaluations.

use forall::lazy::{Argument, Exploration, Fun, Lazy, List, explore};
use forall::prelude::*;
use forall::property::Property;

#[derive(Arbitrary, Argument, Clone, Debug, PartialEq)]
enum Peano {
    Zero,
    Succ(Lazy<Peano>),
}

/// Returns the results at each depth, up to the first failure or to `last`.
fn search(property: &dyn Property, last: u32) -> Vec<Exploration> {
    let mut depths = Vec::new();
    for depth in 0..=last {
        let explored = explore(property, depth);
        assert_eq!(explored.trouble, None);
        let failed = explored.failure.is_some();
        depths.push(explored);
        if failed {
            break;
        }
    }
    depths
}

fn evaluations(depths: &[Exploration]) -> Vec<u64> {
    depths.iter().map(|depth| depth.evaluations).collect()
}

fn shown(depths: &[Exploration]) -> Vec<String> {
    let bindings = &depths.last().expect("there is a depth 0").bindings;
    bindings.iter().map(|binding| binding.printed.debug.clone().unwrap_or_default()).collect()
}

#[test]
fn lists_are_not_all_shorter_than_three() {
    let depths = search(&property! { forall xs: Lazy<List<bool>>; check xs.len() < 3 }, 5);
    assert_eq!(evaluations(&depths), [1, 2, 3, 4]);
    assert_eq!(shown(&depths), ["_:_:_:[]"]);
    assert_eq!(depths[3].inputs, Some(15.0));
}

fn append(xs: &Lazy<List<Peano>>, ys: &Lazy<List<Peano>>) -> Lazy<List<Peano>> {
    let (xs, ys) = (xs.clone(), ys.clone());
    Lazy::defer(move || match &*xs {
        List::Nil => (*ys).clone(),
        List::Cons(x, rest) => List::Cons(x.clone(), append(rest, &ys)),
    })
}

/// A faulty prefix test, with a disjunction instead of a conjunction.
fn is_prefix(xs: &List<Peano>, ys: &List<Peano>) -> bool {
    match (xs, ys) {
        (List::Nil, _) => true,
        (List::Cons(x, xs), List::Cons(y, ys)) => x == y || is_prefix(xs, ys),
        _ => false,
    }
}

#[test]
fn a_wrong_prefix_has_no_witness() {
    let property = property! {
        forall xs: Lazy<List<Peano>>;
        forall ys: Lazy<List<Peano>>;
        implies is_prefix(xs, ys);
        exists rest: Lazy<List<Peano>>;
        check append(xs, rest) == *ys
    };
    let depths = search(&property, 5);
    println!("{:?}", evaluations(&depths));
    assert_eq!(shown(&depths), ["Zero:_:_", "[Zero]"]);
    assert_eq!(depths.len(), 3);
    assert!(depths[2].evaluations < 144);
}

type Step = Fun<Lazy<bool>, Fun<Lazy<bool>, bool>>;

fn fold_right(f: &Step, z: &Lazy<bool>, xs: &Lazy<List<bool>>) -> Lazy<bool> {
    let (f, z, xs) = (f.clone(), z.clone(), xs.clone());
    Lazy::defer(move || match &*xs {
        List::Nil => *z,
        List::Cons(x, rest) => *f.call(x).call(&fold_right(&f, &z, rest)),
    })
}

#[test]
fn not_every_function_of_a_list_is_a_fold() {
    let property = property! {
        forall r: Fun<Lazy<List<bool>>, bool>;
        exists witness: (Step, Lazy<bool>);
        forall xs: Lazy<List<bool>>;
        check *r.call(xs) == *fold_right(&witness.0, &witness.1, xs)
    };
    let depths = search(&property, 5);
    println!("{:?}", evaluations(&depths));
    assert_eq!(depths.len(), 3);
    assert_eq!(shown(&depths), ["{ [] -> false; _:[] -> false; _:_:_ -> true }"]);
    assert_eq!(depths[2].inputs, Some(22.0));
    assert!(depths[2].evaluations < 725);
}

fn fold_left1(f: &Fun<Lazy<Peano>, Fun<Lazy<Peano>, Peano>>, x: Lazy<Peano>, xs: &Lazy<List<Peano>>) -> Lazy<Peano> {
    match &**xs {
        List::Nil => x,
        List::Cons(y, rest) => {
            let (g, y) = (f.clone(), y.clone());
            fold_left1(f, Lazy::defer(move || g.call(&x).call(&y).clone()), rest)
        }
    }
}

fn fold_right1(f: &Fun<Lazy<Peano>, Fun<Lazy<Peano>, Peano>>, x: &Lazy<Peano>, xs: &Lazy<List<Peano>>) -> Lazy<Peano> {
    match &**xs {
        List::Nil => x.clone(),
        List::Cons(y, rest) => {
            let (f, x, y, rest) = (f.clone(), x.clone(), y.clone(), rest.clone());
            Lazy::defer(move || f.call(&x).call(&fold_right1(&f, &y, &rest)).clone())
        }
    }
}

#[test]
fn left_and_right_folds_differ() {
    let property = property! {
        forall f: Fun<Lazy<Peano>, Fun<Lazy<Peano>, Peano>>;
        forall xs: Lazy<List<Peano>>;
        check match &**xs {
            List::Nil => true,
            List::Cons(x, rest) => fold_left1(f, x.clone(), rest) == fold_right1(f, x, rest),
        }
    };
    let depths = search(&property, 5);
    println!("{:?}", evaluations(&depths));
    assert_eq!(shown(&depths), ["{ _ -> { Zero -> Succ(_); Succ(_) -> Zero } }", "_:_:Zero:[]"]);
    assert_eq!(depths[3].inputs, Some(3520.0));
}

#[test]
fn predicates_distinguish_strings() {
    let text = |text: &str| Lazy::new(text.chars().collect::<List<char>>());
    let property = property! {
        forall p: Fun<Lazy<List<char>>, bool>;
        implies *p.call(&text("Lazy SmallCheck"));
        check *p.call(&text("SmallCheck"))
    };
    let depths = search(&property, 5);
    println!("{:?}", evaluations(&depths));
    assert_eq!(shown(&depths), ["{ _:'a':_ -> true; _:_:_ -> false }"]);
    assert_eq!(depths.len(), 5);
    assert_eq!(depths[4].inputs, Some(1422.0));
}
