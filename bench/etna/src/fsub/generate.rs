//! The generators of terms of System F, one per strategy. None of them calls the code under test: types are shifted by
//! [`lift`].

use super::syntax::{Entry, Term, Type};
use crate::strategy::{Strategy, derived_size};
use forall::prelude::*;

/// The generator of a strategy; none if System F has no such strategy.
pub fn terms(strategy: Strategy) -> Option<impl Generator<Value = Term>> {
    let terms: fn(&mut Source) -> Term = match strategy {
        Strategy::Type | Strategy::Fuzzing => derived,
        Strategy::Specification => |source| of_any_type(Rules::Typing, source),
        Strategy::Bespoke => |source| of_any_type(Rules::Bespoke, source),
        // No integers would be drawn differently than by the bespoke strategy.
        Strategy::Plain => return None,
    };
    Some(from_fn(terms))
}

/// Any term: few of them are well typed.
fn derived(source: &mut Source) -> Term {
    source.draw(any().scale(derived_size))
}

/// The maximum nesting depth of types and terms.
const DEPTH: u32 = 4;

/// The kind of terms to generate.
#[derive(Clone, Copy, PartialEq)]
enum Rules {
    /// Typing rules, equally likely. A polymorphic term is applied only to a type that its own type does not mention:
    /// this is the only case in which the rule for type application can be read backwards mechanically.
    Typing,
    /// Additionally, type applications in which the argument matters: some parts of a type are abstracted and passed as
    /// the argument. Variables are used where possible, in arguments as well, since reductions move them.
    Bespoke,
}

/// Draws a type, and a term of exactly that type. If none is found, the test is discarded.
fn of_any_type(rules: Rules, source: &mut Source) -> Term {
    let ty = closed_type(DEPTH, 0, source);
    Terms { rules, environment: Vec::new() }.term(DEPTH, &ty, source).unwrap_or_else(|| {
        source.reject();
        Term::Var(0)
    })
}

/// Draws a type over this many type variables.
fn closed_type(depth: u32, binders: i32, source: &mut Source) -> Type {
    let kind =
        if depth == 0 { 0 } else { source.draw(frequency([(1, constant(0)), (2, constant(1)), (2, constant(2))])) };
    match kind {
        0 if binders > 0 => {
            let variable = source.draw(0..binders);
            Type::fun(Type::Var(variable), Type::Var(variable))
        }
        0 => Type::all(Type::Top, Type::fun(Type::Var(0), Type::Var(0))),
        1 => {
            let bound = if source.draw(any()) { Type::Top } else { closed_type(depth - 1, binders, source) };
            Type::all(bound, closed_type(depth - 1, binders + 1, source))
        }
        _ => {
            let argument = if binders > 0 && source.draw(any()) {
                Type::Var(source.draw(0..binders))
            } else {
                closed_type(depth - 1, binders, source)
            };
            Type::fun(argument, closed_type(depth - 1, binders, source))
        }
    }
}

/// Generates terms in an environment, the innermost entry last.
struct Terms {
    rules: Rules,
    environment: Vec<Entry>,
}

/// A way to generate a term of a type.
#[derive(Clone, Copy)]
enum Way {
    Leaf,
    Variable,
    Introduction,
    Application,
    TypeApplication,
    UsefulTypeApplication,
}

impl Terms {
    /// Generates a term of this type: ways are tried in a random order, until one succeeds.
    fn term(&mut self, depth: u32, ty: &Type, source: &mut Source) -> Option<Term> {
        let mut ways = match (depth, self.rules) {
            (0, Rules::Typing) => vec![(1, Way::Introduction), (1, Way::Variable)],
            (0, Rules::Bespoke) => vec![(1, Way::Introduction), (3, Way::Variable)],
            (_, Rules::Typing) => {
                vec![(1, Way::Leaf), (1, Way::Introduction), (1, Way::Application), (1, Way::TypeApplication)]
            }
            (_, Rules::Bespoke) => vec![
                (2, Way::Leaf),
                (2, Way::Introduction),
                (2, Way::Application),
                (1, Way::TypeApplication),
                (1, Way::UsefulTypeApplication),
            ],
        };
        while !ways.is_empty() {
            let places = (0..).zip(&ways).map(|(place, (weight, _))| (*weight, constant(place)));
            let place: usize = source.draw(frequency(places.collect::<Vec<_>>()));
            let (_, way) = ways.swap_remove(place);
            if let Some(term) = self.term_by(way, depth, ty, source) {
                return Some(term);
            }
        }
        None
    }

    fn term_by(&mut self, way: Way, depth: u32, ty: &Type, source: &mut Source) -> Option<Term> {
        match (way, ty) {
            (Way::Leaf, _) => self.term(0, ty, source),
            (Way::Variable, _) => self.variable(ty, source),
            (Way::Introduction, Type::Fun(argument, result)) => {
                let argument = (**argument).clone();
                let body = self.within(Entry::Variable(argument.clone()), |terms| {
                    terms.term(depth.saturating_sub(1), result, source)
                })?;
                Some(Term::abs(argument, body))
            }
            (Way::Introduction, Type::All(bound, body)) => {
                let bound = (**bound).clone();
                let body = self
                    .within(Entry::Bound(bound.clone()), |terms| terms.term(depth.saturating_sub(1), body, source))?;
                Some(Term::type_abs(bound, body))
            }
            (Way::Introduction, Type::Top | Type::Var(_)) => None,
            (Way::Application, _) => {
                let argument = self.argument_type(depth - 1, source);
                let function = self.term(depth - 1, &Type::fun(argument.clone(), ty.clone()), source)?;
                Some(Term::app(function, self.term(depth - 1, &argument, source)?))
            }
            (Way::TypeApplication, _) => {
                let argument = closed_type(depth - 1, self.binders(), source);
                let body = self.term(depth - 1, &Type::all(argument.clone(), lift(0, 1, ty)), source)?;
                Some(Term::type_app(body, argument))
            }
            (Way::UsefulTypeApplication, _) => {
                let mut parts = Vec::new();
                add_parts(0, ty, &mut parts);
                let argument = source.draw(elements(&parts));
                let body = without(0, &lift(0, 1, ty), &lift(0, 1, &argument), source);
                let body = self.term(depth - 1, &Type::all(argument.clone(), body), source)?;
                Some(Term::type_app(body, argument))
            }
        }
    }

    fn within<T>(&mut self, entry: Entry, make: impl FnOnce(&mut Self) -> T) -> T {
        self.environment.push(entry);
        let made = make(self);
        self.environment.pop();
        made
    }

    /// Returns the number of type variables.
    fn binders(&self) -> i32 {
        self.environment.iter().map(|entry| i32::from(matches!(entry, Entry::Bound(_)))).sum()
    }

    /// Draws the type of an argument: often the type of a variable, so that the argument can be that variable.
    fn argument_type(&self, depth: u32, source: &mut Source) -> Type {
        let variables = self.variable_types();
        if self.rules == Rules::Bespoke && !variables.is_empty() && source.draw(any()) {
            return source.draw(elements(&variables));
        }
        closed_type(depth, self.binders(), source)
    }

    /// Returns the types of the variables, the innermost first, lifted to the current environment.
    fn variable_types(&self) -> Vec<Type> {
        let (mut binders, mut types) = (0, Vec::new());
        for entry in self.environment.iter().rev() {
            match entry {
                Entry::Bound(_) => binders += 1,
                Entry::Variable(ty) => types.push(lift(0, binders, ty)),
            }
        }
        types
    }

    /// Returns a variable of exactly this type, if there is one.
    fn variable(&self, ty: &Type, source: &mut Source) -> Option<Term> {
        let types = self.variable_types();
        let fitting: Vec<i32> = (0..).zip(&types).filter(|(_, other)| *other == ty).map(|(index, _)| index).collect();
        (!fitting.is_empty()).then(|| Term::Var(source.draw(elements(&fitting))))
    }
}

/// Adds `by` to the type variables from `from` on.
fn lift(from: i32, by: i32, ty: &Type) -> Type {
    match ty {
        Type::Top => Type::Top,
        Type::Var(index) => Type::Var(if *index < from { *index } else { index + by }),
        Type::Fun(argument, result) => Type::fun(lift(from, by, argument), lift(from, by, result)),
        Type::All(bound, body) => Type::all(lift(from, by, bound), lift(from + 1, by, body)),
    }
}

/// Adds the parts of a type that do not mention the variables bound in it, lowered to its outside.
fn add_parts(binders: i32, ty: &Type, parts: &mut Vec<Type>) {
    if !mentions_below(binders, 0, ty) {
        parts.push(lift(0, -binders, ty));
    }
    match ty {
        Type::Top | Type::Var(_) => {}
        Type::Fun(argument, result) => {
            add_parts(binders, argument, parts);
            add_parts(binders, result, parts);
        }
        Type::All(bound, body) => {
            add_parts(binders, bound, parts);
            add_parts(binders + 1, body, parts);
        }
    }
}

/// Returns whether a type, itself under `inside` binders, has a free variable below `limit`.
fn mentions_below(limit: i32, inside: i32, ty: &Type) -> bool {
    match ty {
        Type::Top => false,
        Type::Var(index) => (inside..inside + limit).contains(index),
        Type::Fun(argument, result) => mentions_below(limit, inside, argument) || mentions_below(limit, inside, result),
        Type::All(bound, body) => mentions_below(limit, inside, bound) || mentions_below(limit, inside + 1, body),
    }
}

/// Returns a type with some occurrences of a part replaced by the variable `index`.
fn without(index: i32, ty: &Type, part: &Type, source: &mut Source) -> Type {
    let weight = index as u32 + 2;
    let is_part = ty == part;
    let stay = if is_part { weight } else { 1 };
    let descend = source.draw(frequency([(stay, constant(false)), (weight, constant(true))]));
    match ty {
        Type::Fun(argument, result) if descend => {
            let argument = without(index, argument, part, source);
            Type::fun(argument, without(index, result, part, source))
        }
        Type::All(bound, body) if descend => {
            let bound = without(index, bound, part, source);
            Type::all(bound, without(index + 1, body, &lift(0, 1, part), source))
        }
        _ if is_part => Type::Var(index),
        _ => ty.clone(),
    }
}
