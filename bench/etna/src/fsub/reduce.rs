//! The program under test: shifting, substitution and reduction in System F, with eighteen mutants.

use super::syntax::{Term, Type};
use crate::mutant::mutants;
use std::cmp::Ordering::{Equal, Greater, Less};

mutants! {
    /// Shifting types also changes bound variables.
    TshiftTvarAll = "tshift_tvar_all",
    /// Shifting types changes nothing.
    TshiftTvarNoIncr = "tshift_tvar_no_incr",
    /// Shifting types does not count binders.
    TshiftAllNoIncr = "tshift_all_no_incr",
    /// Shifting terms also changes bound variables.
    ShiftVarAll = "shift_var_all",
    /// Shifting terms changes nothing.
    ShiftVarNoIncr = "shift_var_no_incr",
    /// Shifting terms does not count binders.
    ShiftAbsNoIncr = "shift_abs_no_incr",
    /// Shifting the types in a term does not count binders.
    ShiftTypTabsNoIncr = "shift_typ_tabs_no_incr",
    /// Substituting in types closes the gap on the wrong side.
    TsubstTvarFlip = "tsubst_tvar_flip",
    /// Substituting in types does not close the gap.
    TsubstTvarNoShift = "tsubst_tvar_no_shift",
    /// Substituting in types closes the gap on both sides.
    TsubstTvarOverShift = "tsubst_tvar_over_shift",
    /// Substituting in types does not shift the substituted type under a binder.
    TsubstAllNoTshift = "tsubst_all_no_tshift",
    /// Substituting in terms closes the gap on the wrong side.
    SubstVarFlip = "subst_var_flip",
    /// Substituting in terms does not close the gap.
    SubstVarNoDecr = "subst_var_no_decr",
    /// Substituting in terms does not shift the substituted term under a binder.
    SubstAbsNoShift = "subst_abs_no_shift",
    /// Substituting in terms does not count binders.
    SubstAbsNoIncr = "subst_abs_no_incr",
    /// Substituting in terms does not shift the types of the substituted term under a type binder.
    SubstTabsNoShift = "subst_tabs_no_shift",
    /// Substituting types in terms does not count binders.
    SubstTypTabsNoIncr = "subst_typ_tabs_no_incr",
    /// Substituting types in terms does not shift the substituted type under a binder.
    SubstTypTabsNoShift = "subst_typ_tabs_no_shift",
}

/// Adds 1 to the type variables from `from` on.
pub fn shift_type(from: i32, ty: &Type) -> Type {
    match ty {
        Type::Top => Type::Top,
        Type::Var(index) => {
            let free = Mutant::TshiftTvarAll.is_on() || !Mutant::TshiftTvarNoIncr.is_on() && from <= *index;
            Type::Var(index + i32::from(free))
        }
        Type::Fun(argument, result) => Type::fun(shift_type(from, argument), shift_type(from, result)),
        Type::All(bound, body) => {
            let inside = if Mutant::TshiftAllNoIncr.is_on() { from } else { from + 1 };
            Type::all(shift_type(from, bound), shift_type(inside, body))
        }
    }
}

/// Adds 1 to the variables of a term from `from` on.
fn shift(from: i32, term: &Term) -> Term {
    match term {
        Term::Var(index) => {
            let free = Mutant::ShiftVarAll.is_on() || !Mutant::ShiftVarNoIncr.is_on() && from <= *index;
            Term::Var(index + i32::from(free))
        }
        Term::Abs(ty, body) => {
            let inside = if Mutant::ShiftAbsNoIncr.is_on() { from } else { from + 1 };
            Term::abs(ty.clone(), shift(inside, body))
        }
        Term::App(function, argument) => Term::app(shift(from, function), shift(from, argument)),
        Term::TypeAbs(bound, body) => Term::type_abs(bound.clone(), shift(from, body)),
        Term::TypeApp(body, ty) => Term::type_app(shift(from, body), ty.clone()),
    }
}

/// Adds 1 to the type variables of a term from `from` on.
fn shift_types(from: i32, term: &Term) -> Term {
    match term {
        Term::Var(index) => Term::Var(*index),
        Term::Abs(ty, body) => Term::abs(shift_type(from, ty), shift_types(from, body)),
        Term::App(function, argument) => Term::app(shift_types(from, function), shift_types(from, argument)),
        Term::TypeAbs(bound, body) => {
            let inside = if Mutant::ShiftTypTabsNoIncr.is_on() { from } else { from + 1 };
            Term::type_abs(shift_type(from, bound), shift_types(inside, body))
        }
        Term::TypeApp(body, ty) => Term::type_app(shift_types(from, body), shift_type(from, ty)),
    }
}

/// Replaces a type variable, and closes the gap that it leaves.
pub fn substitute_in_type(ty: &Type, index: i32, by: &Type) -> Type {
    match ty {
        Type::Top => Type::Top,
        Type::Var(other) => {
            let (flip, over) = (Mutant::TsubstTvarFlip.is_on(), Mutant::TsubstTvarOverShift.is_on());
            match other.cmp(&index) {
                Less => Type::Var(other - i32::from(flip || over)),
                Equal => by.clone(),
                Greater => Type::Var(other - i32::from(!flip && !Mutant::TsubstTvarNoShift.is_on())),
            }
        }
        Type::Fun(argument, result) => {
            Type::fun(substitute_in_type(argument, index, by), substitute_in_type(result, index, by))
        }
        Type::All(bound, body) => {
            let inside = if Mutant::TsubstAllNoTshift.is_on() { by } else { &shift_type(0, by) };
            Type::all(substitute_in_type(bound, index, by), substitute_in_type(body, index + 1, inside))
        }
    }
}

/// Replaces a variable, and closes the gap that it leaves.
fn substitute(term: &Term, index: i32, by: &Term) -> Term {
    match term {
        Term::Var(other) => {
            let flip = Mutant::SubstVarFlip.is_on();
            match other.cmp(&index) {
                Less => Term::Var(other - i32::from(flip)),
                Equal => by.clone(),
                Greater => Term::Var(other - i32::from(!flip && !Mutant::SubstVarNoDecr.is_on())),
            }
        }
        Term::Abs(ty, body) => {
            let inside = if Mutant::SubstAbsNoIncr.is_on() { index } else { index + 1 };
            let by = if Mutant::SubstAbsNoShift.is_on() { by } else { &shift(0, by) };
            Term::abs(ty.clone(), substitute(body, inside, by))
        }
        Term::App(function, argument) => Term::app(substitute(function, index, by), substitute(argument, index, by)),
        Term::TypeAbs(bound, body) => {
            let by = if Mutant::SubstTabsNoShift.is_on() { by } else { &shift_types(0, by) };
            Term::type_abs(bound.clone(), substitute(body, index, by))
        }
        Term::TypeApp(body, ty) => Term::type_app(substitute(body, index, by), ty.clone()),
    }
}

/// Replaces a type variable in a term, and closes the gap that it leaves.
fn substitute_types(term: &Term, index: i32, by: &Type) -> Term {
    match term {
        Term::Var(other) => Term::Var(*other),
        Term::Abs(ty, body) => Term::abs(substitute_in_type(ty, index, by), substitute_types(body, index, by)),
        Term::App(function, argument) => {
            Term::app(substitute_types(function, index, by), substitute_types(argument, index, by))
        }
        Term::TypeAbs(bound, body) => {
            let inside = if Mutant::SubstTypTabsNoIncr.is_on() { index } else { index + 1 };
            let by_inside = if Mutant::SubstTypTabsNoShift.is_on() { by } else { &shift_type(0, by) };
            Term::type_abs(substitute_in_type(bound, index, by), substitute_types(body, inside, by_inside))
        }
        Term::TypeApp(body, ty) => Term::type_app(substitute_types(body, index, by), substitute_in_type(ty, index, by)),
    }
}

/// Reduces every redex of a term once, including those under binders; `None` if there is no redex.
pub fn step(term: &Term) -> Option<Term> {
    let reduced = |term: &Term| step(term).unwrap_or_else(|| term.clone());
    match term {
        Term::Var(_) => None,
        Term::Abs(ty, body) => Some(Term::abs(ty.clone(), step(body)?)),
        Term::TypeAbs(bound, body) => Some(Term::type_abs(bound.clone(), step(body)?)),
        Term::App(function, argument) => match &**function {
            Term::Abs(_, body) => Some(substitute(&reduced(body), 0, &reduced(argument))),
            _ => match (step(function), step(argument)) {
                (None, None) => None,
                (stepped, other) => Some(Term::app(
                    stepped.unwrap_or_else(|| (**function).clone()),
                    other.unwrap_or_else(|| (**argument).clone()),
                )),
            },
        },
        Term::TypeApp(body, ty) => match &**body {
            Term::TypeAbs(_, body) => Some(substitute_types(&reduced(body), 0, ty)),
            _ => Some(Term::type_app(step(body)?, ty.clone())),
        },
    }
}

/// Returns the normal form, if it is reached in fewer than this many steps and no intermediate term grows without
/// bound, as happens with some bugs.
pub fn normal_form(steps: u32, term: &Term) -> Option<Term> {
    const GREATEST: usize = 20_000;
    let mut term = term.clone();
    for _ in 0..steps {
        match step(&term) {
            None => return Some(term),
            Some(reduct) => term = reduct,
        }
        if term.size() > GREATEST {
            return None;
        }
    }
    None
}
