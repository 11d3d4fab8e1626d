//! The program under test: the simply typed lambda calculus with de Bruijn indices, with ten mutants.

use crate::mutant::mutants;
use Term::{Abs, App, Bool, Var};
use forall::Arbitrary;
use forall::generate::sized;
use std::ops::RangeInclusive;

/// A type.
#[derive(Arbitrary, Clone, Debug, PartialEq, Eq)]
pub enum Type {
    /// Booleans.
    Bool,
    /// Functions.
    Fun(Box<Type>, Box<Type>),
}

/// A term. An index counts the binders between a variable and its binder; bugs may make it negative.
#[derive(Arbitrary, Clone, Debug, PartialEq, Eq)]
pub enum Term {
    /// A variable.
    Var(#[forall(with = sized(up_to_size))] i32),
    /// A Boolean.
    Bool(bool),
    /// A function: the type of its argument, and its body.
    Abs(Type, Box<Term>),
    /// An application.
    App(Box<Term>, Box<Term>),
}

/// Returns the range of indices in derived terms: up to the part of the size that is left for a variable.
pub fn up_to_size(size: u32) -> RangeInclusive<i32> {
    let most = i32::try_from(size).unwrap_or(i32::MAX);
    -most..=most
}

mutants! {
    /// Shifting changes nothing.
    ShiftVarNone = "shift_var_none",
    /// Shifting also changes bound variables.
    ShiftVarAll = "shift_var_all",
    /// Shifting mistakes the first free variable for a bound one.
    ShiftVarLeq = "shift_var_leq",
    /// Shifting does not count binders.
    ShiftAbsNoIncr = "shift_abs_no_incr",
    /// Substitution replaces every variable.
    SubstVarAll = "subst_var_all",
    /// Substitution replaces no variable.
    SubstVarNone = "subst_var_none",
    /// Substitution does not shift the substituted term under a binder.
    SubstAbsNoShift = "subst_abs_no_shift",
    /// Substitution does not count binders.
    SubstAbsNoIncr = "subst_abs_no_incr",
    /// A reduction does not shift at all.
    SubstTopNoShift = "substTop_no_shift",
    /// A reduction does not shift back.
    SubstTopNoShiftBack = "substTop_no_shift_back",
}

impl Type {
    /// Returns a function type.
    pub fn fun(argument: Type, result: Type) -> Self {
        Type::Fun(Box::new(argument), Box::new(result))
    }
}

impl Term {
    /// Returns a function.
    pub fn abs(argument: Type, body: Term) -> Self {
        Abs(argument, Box::new(body))
    }

    /// Returns an application.
    pub fn app(function: Term, argument: Term) -> Self {
        App(Box::new(function), Box::new(argument))
    }

    /// Returns the number of term constructors.
    pub fn size(&self) -> usize {
        match self {
            Var(_) | Bool(_) => 1,
            Abs(_, body) => 1 + body.size(),
            App(function, argument) => 1 + function.size() + argument.size(),
        }
    }
}

/// Returns the type of a closed term, if it has one.
pub fn type_of(term: &Term) -> Option<Type> {
    /// Returns the type in a context, the innermost type last.
    fn within(context: &mut Vec<Type>, term: &Term) -> Option<Type> {
        match term {
            Var(index) => {
                let index = usize::try_from(*index).ok()?;
                context.iter().rev().nth(index).cloned()
            }
            Bool(_) => Some(Type::Bool),
            Abs(argument, body) => {
                context.push(argument.clone());
                let result = within(context, body);
                context.pop();
                Some(Type::fun(argument.clone(), result?))
            }
            App(function, argument) => match within(context, function)? {
                Type::Fun(expected, result) => (within(context, argument)? == *expected).then_some(*result),
                Type::Bool => None,
            },
        }
    }
    within(&mut Vec::new(), term)
}

/// Adds `by` to the free variables.
fn shift(by: i32, term: &Term) -> Term {
    fn below(binders: i32, by: i32, term: &Term) -> Term {
        match term {
            Var(index) => {
                let bound = if Mutant::ShiftVarNone.is_on() {
                    true
                } else if Mutant::ShiftVarAll.is_on() {
                    false
                } else if Mutant::ShiftVarLeq.is_on() {
                    *index <= binders
                } else {
                    *index < binders
                };
                Var(if bound { *index } else { *index + by })
            }
            Bool(value) => Bool(*value),
            Abs(argument, body) => {
                let inside = if Mutant::ShiftAbsNoIncr.is_on() { binders } else { binders + 1 };
                Term::abs(argument.clone(), below(inside, by, body))
            }
            App(function, argument) => Term::app(below(binders, by, function), below(binders, by, argument)),
        }
    }
    below(0, by, term)
}

/// Replaces a variable.
fn substitute(index: i32, by: &Term, term: &Term) -> Term {
    match term {
        Var(other) => {
            let replace = Mutant::SubstVarAll.is_on() || !Mutant::SubstVarNone.is_on() && *other == index;
            if replace { by.clone() } else { Var(*other) }
        }
        Bool(value) => Bool(*value),
        Abs(argument, body) => {
            let inside = if Mutant::SubstAbsNoIncr.is_on() { index } else { index + 1 };
            let by = if Mutant::SubstAbsNoShift.is_on() { by } else { &shift(1, by) };
            Term::abs(argument.clone(), substitute(inside, by, body))
        }
        App(function, argument) => Term::app(substitute(index, by, function), substitute(index, by, argument)),
    }
}

/// Returns the body of a function applied to an argument.
fn substitute_top(argument: &Term, body: &Term) -> Term {
    if Mutant::SubstTopNoShift.is_on() {
        return substitute(0, argument, body);
    }
    let substituted = substitute(0, &shift(1, argument), body);
    if Mutant::SubstTopNoShiftBack.is_on() { substituted } else { shift(-1, &substituted) }
}

/// Reduces every redex of a term once, including those under binders; `None` if there is no redex.
pub fn step(term: &Term) -> Option<Term> {
    match term {
        Var(_) | Bool(_) => None,
        Abs(argument, body) => Some(Term::abs(argument.clone(), step(body)?)),
        App(function, argument) => {
            if let Abs(_, body) = &**function {
                let reduced = |term: &Term| step(term).unwrap_or_else(|| term.clone());
                return Some(substitute_top(&reduced(argument), &reduced(body)));
            }
            match (step(function), step(argument)) {
                (None, None) => None,
                (function_stepped, argument_stepped) => Some(Term::app(
                    function_stepped.unwrap_or_else(|| (**function).clone()),
                    argument_stepped.unwrap_or_else(|| (**argument).clone()),
                )),
            }
        }
    }
}

/// Returns the normal form, if it is reached in fewer than this many steps.
pub fn normal_form(steps: u32, term: &Term) -> Option<Term> {
    let mut term = term.clone();
    for _ in 0..steps {
        match step(&term) {
            None => return Some(term),
            Some(reduct) => term = reduct,
        }
    }
    None
}
