//! The examples of the paper.

use super::Program;
use super::lists::{L, append};
use forall::lazy::{Argument, Fun, Lazy, List};
use forall::prelude::*;

pub const PROGRAMS: &[Program] = &[
    Program {
        name: "ReduceFold",
        property: || {
            Box::new(property! {
                forall r: Fun<L<bool>, bool>;
                exists fold: (Step, Lazy<bool>);
                forall xs: L<bool>;
                check *r.call(xs) == *fold_right(&fold.0, &fold.1, xs)
            })
        },
        recorded: &[90, 371, 725],
        fails_at: Some(2),
        counterexample: &["{ [] -> false; _:[] -> false; _:_:_ -> true }"],
        space: Some((2, 22.0)),
        suite: None,
    },
    Program {
        name: "ListSize",
        property: || Box::new(property! { forall xs: L<bool>; check xs.len() < 3 }),
        recorded: &[3, 5, 7, 9],
        fails_at: Some(3),
        counterexample: &["_:_:_:[]"],
        space: Some((3, 15.0)),
        suite: None,
    },
    Program {
        name: "foldl1",
        property: || {
            Box::new(property! {
                forall f: Binary;
                forall xs: L<Peano>;
                check match &**xs {
                    List::Nil => true,
                    List::Cons(x, rest) => fold_left1(f, x.clone(), rest) == fold_right1(f, x, rest),
                }
            })
        },
        recorded: &[3, 6, 69, 168],
        fails_at: Some(3),
        counterexample: &["{ _ -> { Zero -> Succ(_); Succ(_) -> Zero } }", "_:_:Zero:[]"],
        space: Some((3, 3520.0)),
        suite: None,
    },
    Program {
        name: "PredStrings",
        property: || {
            Box::new(property! {
                forall p: Fun<L<char>, bool>;
                implies *p.call(&text("Lazy SmallCheck"));
                check *p.call(&text("SmallCheck"))
            })
        },
        recorded: &[6, 15, 31, 57, 60],
        fails_at: Some(4),
        counterexample: &["{ _:'a':_ -> true; _:_:_ -> false }"],
        space: Some((4, 1422.0)),
        suite: None,
    },
    Program {
        name: "isPrefixSound",
        property: || {
            Box::new(property! {
                forall xs: L<Peano>;
                forall ys: L<Peano>;
                implies is_prefix_wrongly(xs, ys);
                exists rest: L<Peano>;
                check append(xs, rest) == *ys
            })
        },
        recorded: &[10, 52, 144],
        fails_at: Some(2),
        counterexample: &["Zero:_:_", "[Zero]"],
        space: Some((2, 25.0)),
        suite: None,
    },
    Program {
        name: "head",
        property: || {
            Box::new(
                property! { forall x: Lazy<i64>; forall xs: L<i64>; check head(&List::Cons(x.clone(), xs.clone())) == x },
            )
        },
        recorded: &[3, 5, 7, 9, 11, 13, 15, 17, 19, 21, 23],
        fails_at: None,
        counterexample: &[],
        space: None,
        suite: None,
    },
    Program {
        name: "take",
        property: || {
            Box::new(property! { forall n: Lazy<i64>; forall xs: L<i64>; check take(**n, xs).len() as i64 == **n })
        },
        recorded: &[3, 3],
        fails_at: Some(1),
        counterexample: &["-1", "_"],
        space: None,
        suite: None,
    },
    Program {
        name: "take_natural",
        property: || {
            Box::new(property! {
                forall n: Lazy<i64>;
                forall xs: L<i64>;
                implies **n >= 0;
                check take(**n, xs).len() as i64 == **n
            })
        },
        recorded: &[3, 6],
        fails_at: Some(1),
        counterexample: &["1", "[]"],
        space: None,
        suite: None,
    },
];

#[derive(Arbitrary, Argument, Clone, Debug, PartialEq, PartialOrd)]
pub enum Peano {
    Zero,
    Succ(Lazy<Peano>),
}

pub type Binary = Fun<Lazy<Peano>, Fun<Lazy<Peano>, Peano>>;

type Step = Fun<Lazy<bool>, Fun<Lazy<bool>, bool>>;

fn fold_right(f: &Step, z: &Lazy<bool>, xs: &L<bool>) -> Lazy<bool> {
    let (f, z, xs) = (f.clone(), z.clone(), xs.clone());
    Lazy::defer(move || match &*xs {
        List::Nil => *z,
        List::Cons(x, rest) => *f.call(x).call(&fold_right(&f, &z, rest)),
    })
}

pub fn fold_left1(f: &Binary, x: Lazy<Peano>, xs: &L<Peano>) -> Lazy<Peano> {
    match &**xs {
        List::Nil => x,
        List::Cons(y, rest) => {
            let (g, y) = (f.clone(), y.clone());
            fold_left1(f, Lazy::defer(move || g.call(&x).call(&y).clone()), rest)
        }
    }
}

pub fn fold_right1(f: &Binary, x: &Lazy<Peano>, xs: &L<Peano>) -> Lazy<Peano> {
    match &**xs {
        List::Nil => x.clone(),
        List::Cons(y, rest) => {
            let (f, x, y, rest) = (f.clone(), x.clone(), y.clone(), rest.clone());
            Lazy::defer(move || f.call(&x).call(&fold_right1(&f, &y, &rest)).clone())
        }
    }
}

pub fn text(text: &str) -> L<char> {
    Lazy::new(text.chars().collect())
}

/// With a disjunction in place of a conjunction.
pub fn is_prefix_wrongly<T: PartialEq>(xs: &List<T>, ys: &List<T>) -> bool {
    match (xs, ys) {
        (List::Nil, _) => true,
        (List::Cons(x, xs), List::Cons(y, ys)) => x == y || is_prefix_wrongly(xs, ys),
        _ => false,
    }
}

fn head(xs: &List<i64>) -> &Lazy<i64> {
    match xs {
        List::Cons(x, _) => x,
        List::Nil => panic!("an empty list has no head"),
    }
}

fn take(n: i64, xs: &L<i64>) -> L<i64> {
    let xs = xs.clone();
    Lazy::defer(move || match n {
        1.. => match &*xs {
            List::Nil => List::Nil,
            List::Cons(x, rest) => List::Cons(x.clone(), take(n - 1, rest)),
        },
        _ => List::Nil,
    })
}
