//! The generators of lambda terms, one per strategy. None of them calls the code under test.

use super::term::{Term, Type};
use crate::strategy::{Strategy, derived_size};
use forall::prelude::*;

/// The generator of a strategy.
pub fn terms(strategy: Strategy) -> impl Generator<Value = Term> {
    let terms: fn(&mut Source) -> Term = match strategy {
        Strategy::Type | Strategy::Fuzzing => derived,
        Strategy::Specification => specified,
        Strategy::Bespoke => |source| of_any_type(&OFTEN_BOUND, source),
        Strategy::Plain => |source| of_any_type(&EVEN, source),
    };
    from_fn(terms)
}

/// Any term: few of them are well typed, and those are mostly values.
fn derived(source: &mut Source) -> Term {
    source.draw(any().scale(derived_size))
}

/// A term by the typing rules: every rule whose conclusion fits is an alternative. If a rule leads into a dead end,
/// such as a type without a variable, another one is tried.
fn specified(source: &mut Source) -> Term {
    const DEPTH: u32 = 5;
    const TYPE_DEPTH: u32 = 3;
    fn typed(depth: u32, context: &mut Vec<Type>, ty: &Type, source: &mut Source) -> Option<Term> {
        let mut rules = [Rule::Variable, Rule::Introduction, Rule::Application].to_vec();
        if depth == 0 {
            rules.pop();
        }
        while !rules.is_empty() {
            let rule = rules.swap_remove(source.draw(0..rules.len()));
            let term = match rule {
                Rule::Variable => variable(context, ty, source),
                Rule::Introduction => match ty {
                    Type::Bool => Some(Term::Bool(source.draw(any()))),
                    Type::Fun(argument, result) => {
                        context.push((**argument).clone());
                        let body = typed(depth.saturating_sub(1), context, result, source);
                        context.pop();
                        body.map(|body| Term::abs((**argument).clone(), body))
                    }
                },
                Rule::Application => {
                    let argument = type_of_depth(TYPE_DEPTH, source);
                    let function = Type::fun(argument.clone(), ty.clone());
                    typed(depth - 1, context, &function, source)
                        .and_then(|function| Some(Term::app(function, typed(depth - 1, context, &argument, source)?)))
                }
            };
            if term.is_some() {
                return term;
            }
        }
        None
    }
    let ty = type_of_depth(TYPE_DEPTH, source);
    typed(DEPTH, &mut Vec::new(), &ty, source).unwrap_or_else(|| {
        source.reject();
        Term::Bool(false)
    })
}

#[derive(Clone, Copy)]
enum Rule {
    Variable,
    Introduction,
    Application,
}

/// A type of at most this depth.
fn type_of_depth(depth: u32, source: &mut Source) -> Type {
    if depth == 0 || source.draw(any()) {
        return Type::Bool;
    }
    let argument = type_of_depth(depth - 1, source);
    Type::fun(argument, type_of_depth(depth - 1, source))
}

/// A variable of this type, if the context has one. Its last entry is the innermost.
fn variable(context: &[Type], ty: &Type, source: &mut Source) -> Option<Term> {
    let fitting: Vec<i32> = (0..).zip(context.iter().rev()).filter(|(_, other)| *other == ty).map(|(i, _)| i).collect();
    (!fitting.is_empty()).then(|| Term::Var(source.draw(elements(&fitting))))
}

/// The weights of a term's alternatives, where they apply.
#[derive(Clone, Copy, Debug)]
pub struct Weights {
    /// The simplest value of its type.
    pub value: u32,
    /// A variable.
    pub variable: u32,
    /// A function, for a function type.
    pub function: u32,
    /// An application.
    pub application: u32,
}

/// The size of types and terms.
pub const SIZE: u32 = 10;

/// All alternatives are equally likely.
pub const EVEN: Weights = Weights { value: 1, variable: 1, function: 1, application: 1 };

/// Prefers functions that use their arguments, and arguments that use the surrounding variables, since reductions move
/// these.
pub const OFTEN_BOUND: Weights = Weights { value: 1, variable: 4, function: 4, application: 2 };

/// A type, and a term of that type.
fn of_any_type(weights: &Weights, source: &mut Source) -> Term {
    let ty = type_of_size(SIZE, source);
    weights.term(SIZE, &mut Vec::new(), &ty, source)
}

/// A type of about this size.
fn type_of_size(size: u32, source: &mut Source) -> Type {
    if size == 0 || source.draw(any()) {
        return Type::Bool;
    }
    let argument = type_of_size(size / 2, source);
    Type::fun(argument, type_of_size(size / 2, source))
}

impl Weights {
    /// A term of this type and about this size. The context's last entry is the innermost.
    fn term(&self, size: u32, context: &mut Vec<Type>, ty: &Type, source: &mut Source) -> Term {
        let only_if = |possible: bool, weight: u32| if possible { weight } else { 0 };
        let alternative = frequency![
            self.value => constant(Alternative::Value),
            only_if(context.contains(ty), self.variable) => constant(Alternative::Variable),
            only_if(size > 0 && *ty != Type::Bool, self.function) => constant(Alternative::Function),
            only_if(size > 0, self.application) => constant(Alternative::Application),
        ];
        match (source.draw(alternative), ty) {
            (Alternative::Variable, _) => variable(context, ty, source).unwrap_or_else(|| value(ty, source)),
            (Alternative::Function, Type::Fun(argument, result)) => {
                context.push((**argument).clone());
                let body = self.term(size - 1, context, result, source);
                context.pop();
                Term::abs((**argument).clone(), body)
            }
            (Alternative::Application, _) => {
                let argument = type_of_size(size, source);
                let function = Type::fun(argument.clone(), ty.clone());
                let function = self.term(size / 2, context, &function, source);
                Term::app(function, self.term(size / 2, context, &argument, source))
            }
            _ => value(ty, source),
        }
    }
}

#[derive(Clone, Copy)]
enum Alternative {
    Value,
    Variable,
    Function,
    Application,
}

/// The simplest closed value of a type.
fn value(ty: &Type, source: &mut Source) -> Term {
    match ty {
        Type::Bool => Term::Bool(source.draw(any())),
        Type::Fun(argument, result) => Term::abs((**argument).clone(), value(result, source)),
    }
}
