//! Regular expressions with repetition.

use crate::Program;
use crate::lists::{L, append, cons, nil};
use forall::lazy::{Lazy, List};
use forall::prelude::*;

/// Repetition distributes over conjunction; it does not.
pub const REPETITION: Program = Program {
    name: "regexp",
    property: || {
        Box::new(property! {
            forall n: Lazy<Nat>;
            forall k: Lazy<Nat>;
            forall p: E;
            forall q: E;
            forall s: L<Sym>;
            check {
                let both = Lazy::new(RegExp::And(p.clone(), q.clone()));
                let of_both = accepts(&repeat_between(n, k, &both), s);
                of_both == (accepts(&repeat_between(n, k, p), s) && accepts(&repeat_between(n, k, q), s))
            }
        })
    },
    recorded: &[6, 571, 56628],
    fails_at: Some(2),
    counterexample: &["Zer", "Suc(Suc(Zer))", "Sym(N0)", "Seq(Sym(N0), Sym(N0))", "[N0, N0]"],
    space: Some((2, 616005.0)),
    suite: None,
};

#[derive(Arbitrary, Clone, Debug, PartialEq)]
pub enum Nat {
    Zer,
    Suc(Lazy<Nat>),
}

#[derive(Arbitrary, Clone, Debug, PartialEq)]
pub enum Sym {
    N0,
    N1(Lazy<Sym>),
}

#[derive(Arbitrary, Clone, Debug)]
pub enum RegExp {
    Sym(Lazy<Sym>),
    Or(E, E),
    Seq(E, E),
    And(E, E),
    Star(E),
    Empty,
}

pub type E = Lazy<RegExp>;

fn subtract(x: &Lazy<Nat>, y: &Lazy<Nat>) -> Lazy<Nat> {
    match &**y {
        Nat::Zer => x.clone(),
        Nat::Suc(y) => match &**x {
            Nat::Zer => Lazy::new(Nat::Zer),
            Nat::Suc(x) => subtract(x, y),
        },
    }
}

fn accepts(e: &E, word: &L<Sym>) -> bool {
    match &**e {
        RegExp::Sym(symbol) => match &**word {
            List::Nil => false,
            List::Cons(first, rest) => symbol == first && rest.is_empty(),
        },
        RegExp::Or(a, b) => accepts(a, word) || accepts(b, word),
        RegExp::Seq(a, b) => splits(a, b, nil(), word),
        RegExp::And(a, b) => accepts(a, word) && accepts(b, word),
        RegExp::Star(inner) => match &**word {
            List::Nil => true,
            List::Cons(first, rest) => splits(inner, e, cons(first.clone(), nil()), rest),
        },
        RegExp::Empty => word.is_empty(),
    }
}

/// Whether `a` accepts `before` and more, and `b` the rest.
fn splits(a: &E, b: &E, before: L<Sym>, word: &L<Sym>) -> bool {
    accepts(a, &before) && accepts(b, word)
        || match &**word {
            List::Nil => false,
            List::Cons(first, rest) => splits(a, b, append(&before, &cons(first.clone(), nil())), rest),
        }
}

fn repeat(n: &Lazy<Nat>, e: &E) -> E {
    let (n, e) = (n.clone(), e.clone());
    Lazy::defer(move || repeated(&n, &e))
}

fn repeated(n: &Lazy<Nat>, e: &E) -> RegExp {
    match &**n {
        Nat::Zer => RegExp::Empty,
        Nat::Suc(n) => RegExp::Seq(e.clone(), repeat(n, e)),
    }
}

/// At least `n` times, and `more` times more at most.
fn repeat_more(n: &Lazy<Nat>, more: Lazy<Nat>, e: &E) -> E {
    let (n, e) = (n.clone(), e.clone());
    Lazy::defer(move || match &*more {
        Nat::Zer => repeated(&n, &e),
        Nat::Suc(more) => RegExp::Or(repeat(&n, &e), repeat_more(&Lazy::new(Nat::Suc(n.clone())), more.clone(), &e)),
    })
}

fn repeat_between(n: &Lazy<Nat>, k: &Lazy<Nat>, e: &E) -> E {
    let difference = {
        let (n, k) = (n.clone(), k.clone());
        Lazy::defer(move || (*subtract(&k, &n)).clone())
    };
    repeat_more(n, difference, e)
}
