//! The examples of the paper: the same verdicts at the same depths, with fewer evaluations.

use forall::lazy::{Explored, Lazy, List, exists, explore};
use forall::prelude::*;
use forall::property::Property;

#[derive(Arbitrary, Clone, Debug, PartialEq)]
enum Peano {
    Zero,
    Succ(Lazy<Peano>),
}

/// What the search finds at each depth up to the one that fails, or to `last`.
fn search(property: &dyn Property, last: u32) -> Vec<Explored> {
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

fn evaluations(depths: &[Explored]) -> Vec<u64> {
    depths.iter().map(|depth| depth.evaluations).collect()
}

fn shown(depths: &[Explored]) -> Vec<String> {
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

/// With a disjunction in the place of a conjunction.
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
        check exists().check(|rest: &Lazy<List<Peano>>| append(xs, rest) == *ys)
    };
    let depths = search(&property, 5);
    println!("{:?}", evaluations(&depths));
    assert_eq!(shown(&depths), ["Zero:_:_", "[Zero]"]);
    assert_eq!(depths.len(), 3);
    assert!(depths[2].evaluations < 144);
}
