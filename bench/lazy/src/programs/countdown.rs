//! Hutton's countdown problem.

use crate::Program;
use crate::lists::{L, append, elements};
use forall::lazy::{Lazy, List};
use forall::prelude::*;
use std::rc::Rc;

/// A list is split into two that are not empty exactly if they are not empty and it is one after the other.
pub const LEMMA3: Program = Program {
    name: "countdown1",
    property: || {
        Box::new(property! {
            forall xs: L<i64>;
            forall ys: L<i64>;
            forall zs: L<i64>;
            check is_split(xs, ys, zs) == (append(xs, ys) == *zs && !xs.is_empty() && !ys.is_empty())
        })
    },
    recorded: &[6, 25, 199, 1958, 22266, 294673, 4481963],
    fails_at: None,
    counterexample: &[],
    space: Some((5, 1.2e10)),
    suite: Some((5, 209.0)),
};

/// The solutions are those of the fused program.
pub const SOLUTIONS: Program = Program {
    name: "countdown2",
    property: || {
        Box::new(property! { forall ns: L<i64>; forall m: Lazy<i64>; check solutions(ns, m) == fused_solutions(ns, m) })
    },
    recorded: &[4, 7, 25, 196, 2046],
    fails_at: None,
    counterexample: &[],
    space: Some((4, 2277.0)),
    suite: Some((4, 252.0)),
};

/// Whether `(xs, ys)` is one of the ways to split `zs` into two that are not empty.
fn is_split(xs: &L<i64>, ys: &L<i64>, zs: &L<i64>) -> bool {
    let mut before: Vec<&Lazy<i64>> = Vec::new();
    let mut rest: &List<i64> = zs;
    loop {
        // The parts of this split: neither may be empty.
        if !before.is_empty() && !rest.is_empty() && equals(xs, &before) && **ys == *rest {
            return true;
        }
        match rest {
            List::Nil => return false,
            List::Cons(value, after) => {
                before.push(value);
                rest = after;
            }
        }
    }
}

fn equals(list: &List<i64>, values: &[&Lazy<i64>]) -> bool {
    match (list, values) {
        (List::Nil, []) => true,
        (List::Cons(x, rest), [y, others @ ..]) => x == *y && equals(rest, others),
        _ => false,
    }
}

#[derive(Clone, Copy, PartialEq)]
enum Operator {
    Add,
    Sub,
    Mul,
    Div,
}

use Operator::{Add, Div, Mul, Sub};

impl Operator {
    const ALL: [Self; 4] = [Add, Sub, Mul, Div];

    fn is_valid(self, x: i64, y: i64) -> bool {
        match self {
            Add | Mul => true,
            Sub => x > y,
            Div => x % y == 0,
        }
    }

    fn apply(self, x: i64, y: i64) -> i64 {
        match self {
            Add => x + y,
            Sub => x - y,
            Mul => x * y,
            Div => x / y,
        }
    }
}

#[derive(Clone, PartialEq)]
enum Expr {
    Value(Lazy<i64>),
    /// Parts are shared, as the original's are.
    Apply(Operator, Rc<Expr>, Rc<Expr>),
}

fn eval(expr: &Expr) -> Option<i64> {
    match expr {
        Expr::Value(value) => (**value > 0).then_some(**value),
        Expr::Apply(operator, left, right) => {
            let (x, y) = (eval(left)?, eval(right)?);
            operator.is_valid(x, y).then(|| operator.apply(x, y))
        }
    }
}

fn subbags(values: &[Lazy<i64>]) -> Vec<Vec<Lazy<i64>>> {
    subsets(values).iter().flat_map(|subset| permutations(subset)).collect()
}

fn subsets(values: &[Lazy<i64>]) -> Vec<Vec<Lazy<i64>>> {
    let [first, rest @ ..] = values else { return vec![Vec::new()] };
    let without = subsets(rest);
    let with = without.iter().map(|subset| [std::slice::from_ref(first), &subset[..]].concat());
    without.iter().cloned().chain(with.collect::<Vec<_>>()).collect()
}

fn permutations(values: &[Lazy<i64>]) -> Vec<Vec<Lazy<i64>>> {
    let [first, rest @ ..] = values else { return vec![Vec::new()] };
    let mut all = Vec::new();
    for permutation in permutations(rest) {
        for place in 0..=permutation.len() {
            let mut longer = permutation.clone();
            longer.insert(place, first.clone());
            all.push(longer);
        }
    }
    all
}

/// Calls `found` with one expression after the other: like the original, which does not keep them all.
fn each_expression(values: &[Lazy<i64>], found: &mut dyn FnMut(Expr)) {
    if let [value] = values {
        return found(Expr::Value(value.clone()));
    }
    for place in 1..values.len() {
        let rights = expressions(&values[place..]);
        for left in expressions(&values[..place]) {
            for right in &rights {
                for operator in Operator::ALL {
                    found(Expr::Apply(operator, left.clone(), right.clone()));
                }
            }
        }
    }
}

fn expressions(values: &[Lazy<i64>]) -> Vec<Rc<Expr>> {
    let mut all = Vec::new();
    each_expression(values, &mut |expr| all.push(Rc::new(expr)));
    all
}

fn solutions(values: &List<i64>, wanted: &Lazy<i64>) -> Vec<Expr> {
    let mut solutions = Vec::new();
    for bag in subbags(&elements(values)) {
        each_expression(&bag, &mut |expr| {
            if eval(&expr).is_some_and(|value| value == **wanted) {
                solutions.push(expr);
            }
        });
    }
    solutions
}

/// Calls `found` with one expression and its value after the other.
fn each_result(values: &[Lazy<i64>], found: &mut dyn FnMut(Expr, i64)) {
    if let [value] = values {
        if **value > 0 {
            found(Expr::Value(value.clone()), **value);
        }
        return;
    }
    for place in 1..values.len() {
        let lefts = results(&values[..place]);
        if lefts.is_empty() {
            continue;
        }
        let rights = results(&values[place..]);
        for (left, x) in lefts {
            for (right, y) in &rights {
                for operator in Operator::ALL {
                    if operator.is_valid(x, *y) {
                        found(Expr::Apply(operator, left.clone(), right.clone()), operator.apply(x, *y));
                    }
                }
            }
        }
    }
}

fn results(values: &[Lazy<i64>]) -> Vec<(Rc<Expr>, i64)> {
    let mut all = Vec::new();
    each_result(values, &mut |expr, value| all.push((Rc::new(expr), value)));
    all
}

fn fused_solutions(values: &List<i64>, wanted: &Lazy<i64>) -> Vec<Expr> {
    let mut solutions = Vec::new();
    for bag in subbags(&elements(values)) {
        each_result(&bag, &mut |expr, value| {
            if value == **wanted {
                solutions.push(expr);
            }
        });
    }
    solutions
}
