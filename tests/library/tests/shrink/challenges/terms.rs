//! Terms of two calculi, generated well typed, whose reduction has a bug: it does not preserve types. Each ideal was written
//! down before the shrinker was run on it.

use super::thirteen::Challenge;
use forall::Arbitrary;
use forall::choice::Source;
use forall::generate::any;
use forall::property::{Empty, Property, Telescope};
use std::fmt;

pub const TERMS: [Challenge; 2] = [
    // The variable of the outer function stays, and means nothing then. That takes 11 choices: 3 for the type B → B.
    Challenge { name: "lambda", property: lambda, ideal: "(λ:B. λ:B. #1) false" },
    // The annotation stays: 12 choices, 4 of them for the type ∀. U → U.
    Challenge { name: "system_f", property: system_f, ideal: "(Λ. Λ. λ:#1. u) [U]" },
];

/// No term is deeper than this.
const DEPTH: u32 = 5;

/// Labels of the terms' spans.
const LAMBDA: u32 = 9;
const SYSTEM_F: u32 = 10;
const TYPE_F: u32 = 11;

#[derive(Arbitrary, Clone, PartialEq)]
enum Type {
    Bool,
    Function(Box<Type>, Box<Type>),
}

#[derive(Clone)]
enum Term {
    Bool(bool),
    Variable(usize),
    Function(Type, Box<Term>),
    Apply(Box<Term>, Box<Term>),
}

impl fmt::Debug for Type {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Type::Bool => write!(f, "B"),
            Type::Function(argument, result) => write!(f, "({argument:?}→{result:?})"),
        }
    }
}

impl fmt::Debug for Term {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Term::Bool(value) => write!(f, "{value}"),
            Term::Variable(back) => write!(f, "#{back}"),
            Term::Function(argument, body) => write!(f, "λ:{argument:?}. {body:?}"),
            Term::Apply(function, argument) => write!(f, "({function:?}) {argument:?}"),
        }
    }
}

/// A term of a type, given those of the variables around it, the innermost last.
fn term(source: &mut Source, wanted: &Type, around: &mut Vec<Type>, depth: u32) -> Term {
    source.span(LAMBDA, |source| {
        let fitting: Vec<usize> =
            (0..around.len()).filter(|&back| around[around.len() - 1 - back] == *wanted).collect();
        let (variable, application) = (u64::from(!fitting.is_empty()), u64::from(depth > 0));
        match (source.choice(variable + application), wanted) {
            (0, Type::Bool) => Term::Bool(source.draw(any::<bool>())),
            (0, Type::Function(argument, result)) => {
                around.push((**argument).clone());
                let body = term(source, result, around, depth);
                around.pop();
                Term::Function((**argument).clone(), Box::new(body))
            }
            (1, _) if variable == 1 => Term::Variable(fitting[source.draw(0..fitting.len())]),
            _ => {
                let argument = source.draw(any::<Type>());
                let function = Type::Function(Box::new(argument.clone()), Box::new(wanted.clone()));
                let function = term(source, &function, around, depth - 1);
                Term::Apply(Box::new(function), Box::new(term(source, &argument, around, depth - 1)))
            }
        }
    })
}

/// The type of a term, if it has one.
fn type_of(term: &Term, around: &mut Vec<Type>) -> Option<Type> {
    match term {
        Term::Bool(_) => Some(Type::Bool),
        Term::Variable(back) => around.iter().rev().nth(*back).cloned(),
        Term::Function(argument, body) => {
            around.push(argument.clone());
            let body = type_of(body, around);
            around.pop();
            Some(Type::Function(Box::new(argument.clone()), Box::new(body?)))
        }
        Term::Apply(function, argument) => match type_of(function, around)? {
            Type::Function(expected, result) if type_of(argument, around)? == *expected => Some(*result),
            _ => None,
        },
    }
}

/// The term with another for a variable. (What is put in has no variables of its own. The bug: inside another function
/// the variable has another number.)
fn substituted(term: &Term, back: usize, by: &Term) -> Term {
    match term {
        Term::Variable(other) if *other == back => by.clone(),
        Term::Variable(_) | Term::Bool(_) => term.clone(),
        Term::Function(argument, body) => Term::Function(argument.clone(), Box::new(substituted(body, back, by))),
        Term::Apply(function, argument) => {
            Term::Apply(Box::new(substituted(function, back, by)), Box::new(substituted(argument, back, by)))
        }
    }
}

/// The term after a step; none for a value.
fn step(term: &Term) -> Option<Term> {
    let Term::Apply(function, argument) = term else { return None };
    if let Some(next) = step(function) {
        return Some(Term::Apply(Box::new(next), argument.clone()));
    }
    if let Some(next) = step(argument) {
        return Some(Term::Apply(function.clone(), Box::new(next)));
    }
    match &**function {
        Term::Function(_, body) => Some(substituted(body, 0, argument)),
        _ => None,
    }
}

/// A step preserves the type of a term.
fn lambda() -> Box<dyn Property> {
    let closed = |source: &mut Source| {
        let wanted = source.draw(any::<Type>());
        (term(source, &wanted, &mut Vec::new(), DEPTH), wanted)
    };
    let property = Empty.forall("term", move |(), s| closed(s)).print(|_, (term, _)| format!("{term:?}")).check(
        |((term, wanted), ())| step(term).is_none_or(|next| type_of(&next, &mut Vec::new()) == Some(wanted.clone())),
    );
    Box::new(property)
}

/// A type of System F; variables are numbered from the innermost quantifier outwards.
#[derive(Clone, PartialEq)]
enum TypeF {
    Unit,
    Function(Box<TypeF>, Box<TypeF>),
    ForAll(Box<TypeF>),
    Variable(usize),
}

#[derive(Clone)]
enum TermF {
    Unit,
    Variable(usize),
    Function(TypeF, Box<TermF>),
    Apply(Box<TermF>, Box<TermF>),
    TypeFunction(Box<TermF>),
    TypeApply(Box<TermF>, TypeF),
}

impl fmt::Debug for TypeF {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            TypeF::Unit => write!(f, "U"),
            TypeF::Function(argument, result) => write!(f, "({argument:?}→{result:?})"),
            TypeF::ForAll(body) => write!(f, "∀.{body:?}"),
            TypeF::Variable(back) => write!(f, "#{back}"),
        }
    }
}

impl fmt::Debug for TermF {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            TermF::Unit => write!(f, "u"),
            TermF::Variable(back) => write!(f, "#{back}"),
            TermF::Function(argument, body) => write!(f, "λ:{argument:?}. {body:?}"),
            TermF::Apply(function, argument) => write!(f, "({function:?}) {argument:?}"),
            TermF::TypeFunction(body) => write!(f, "Λ. {body:?}"),
            TermF::TypeApply(function, argument) => write!(f, "({function:?}) [{argument:?}]"),
        }
    }
}

impl TypeF {
    /// The type with its variables from `from` on moved by `by`.
    fn shifted(&self, from: usize, by: usize) -> Self {
        match self {
            TypeF::Unit => TypeF::Unit,
            TypeF::Function(a, b) => TypeF::Function(Box::new(a.shifted(from, by)), Box::new(b.shifted(from, by))),
            TypeF::ForAll(body) => TypeF::ForAll(Box::new(body.shifted(from + 1, by))),
            TypeF::Variable(back) => TypeF::Variable(if *back >= from { back + by } else { *back }),
        }
    }

    /// The type with another for a variable, whose quantifier is gone then.
    fn substituted(&self, back: usize, by: &Self) -> Self {
        match self {
            TypeF::Unit => TypeF::Unit,
            TypeF::Function(a, b) => {
                TypeF::Function(Box::new(a.substituted(back, by)), Box::new(b.substituted(back, by)))
            }
            TypeF::ForAll(body) => TypeF::ForAll(Box::new(body.substituted(back + 1, by))),
            TypeF::Variable(other) if *other == back => by.shifted(0, back),
            TypeF::Variable(other) => TypeF::Variable(if *other > back { other - 1 } else { *other }),
        }
    }

    /// The body of a quantified type that is this one again when it is applied to `argument`: for each place where that stands,
    /// a choice says whether a variable takes it.
    fn abstracted(&self, argument: &Self, under: usize, source: &mut Source) -> Self {
        if *self == argument.shifted(0, under) && source.choice(1) == 1 {
            return TypeF::Variable(under);
        }
        match self {
            TypeF::Unit => TypeF::Unit,
            TypeF::Function(a, b) => {
                let a = a.abstracted(argument, under, source);
                TypeF::Function(Box::new(a), Box::new(b.abstracted(argument, under, source)))
            }
            TypeF::ForAll(body) => TypeF::ForAll(Box::new(body.abstracted(argument, under + 1, source))),
            TypeF::Variable(back) => TypeF::Variable(if *back >= under { back + 1 } else { *back }),
        }
    }
}

/// A type with so many variables around it.
fn type_f(source: &mut Source, variables: usize, depth: u32) -> TypeF {
    source.span(TYPE_F, |source| {
        let composed = if depth > 0 { 2 } else { 0 };
        match source.choice(composed + u64::from(variables > 0)) {
            0 => TypeF::Unit,
            1 if depth > 0 => {
                let argument = type_f(source, variables, depth - 1);
                TypeF::Function(Box::new(argument), Box::new(type_f(source, variables, depth - 1)))
            }
            2 if depth > 0 => TypeF::ForAll(Box::new(type_f(source, variables + 1, depth - 1))),
            _ => TypeF::Variable(source.draw(0..variables)),
        }
    })
}

/// The types of the variables around a term, the innermost last, and how many type variables there are.
#[derive(Default)]
struct Around {
    types: Vec<TypeF>,
    variables: usize,
}

impl Around {
    /// The context of a type function's body.
    fn under_type(&self) -> Self {
        Self { types: self.types.iter().map(|ty| ty.shifted(0, 1)).collect(), variables: self.variables + 1 }
    }
}

/// A term of a type. Gives the test up where there is none to be found.
fn term_f(source: &mut Source, wanted: &TypeF, around: &mut Around, depth: u32) -> TermF {
    source.span(SYSTEM_F, |source| {
        let types = &around.types;
        let fitting: Vec<usize> = (0..types.len()).filter(|&back| types[types.len() - 1 - back] == *wanted).collect();
        let mut rules = Vec::new();
        if !matches!(wanted, TypeF::Variable(_)) {
            rules.push(0);
        }
        if !fitting.is_empty() {
            rules.push(1);
        }
        if depth > 0 {
            rules.extend([2, 3]);
        }
        if rules.is_empty() {
            source.reject();
            return TermF::Unit;
        }
        let rule = rules[source.choice(rules.len() as u64 - 1) as usize];
        match (rule, wanted) {
            (0, TypeF::Function(argument, result)) => {
                around.types.push((**argument).clone());
                let body = term_f(source, result, around, depth);
                around.types.pop();
                TermF::Function((**argument).clone(), Box::new(body))
            }
            (0, TypeF::ForAll(body)) => {
                TermF::TypeFunction(Box::new(term_f(source, body, &mut around.under_type(), depth)))
            }
            (0, _) => TermF::Unit,
            (1, _) => TermF::Variable(fitting[source.draw(0..fitting.len())]),
            (2, _) => {
                let argument = type_f(source, around.variables, 2);
                let function = TypeF::Function(Box::new(argument.clone()), Box::new(wanted.clone()));
                let function = term_f(source, &function, around, depth - 1);
                TermF::Apply(Box::new(function), Box::new(term_f(source, &argument, around, depth - 1)))
            }
            _ => {
                let argument = type_f(source, around.variables, 1);
                let body = wanted.abstracted(&argument, 0, source);
                let function = term_f(source, &TypeF::ForAll(Box::new(body)), around, depth - 1);
                TermF::TypeApply(Box::new(function), argument)
            }
        }
    })
}

fn type_of_f(term: &TermF, around: &mut Around) -> Option<TypeF> {
    match term {
        TermF::Unit => Some(TypeF::Unit),
        TermF::Variable(back) => around.types.iter().rev().nth(*back).cloned(),
        TermF::Function(argument, body) => {
            around.types.push(argument.clone());
            let body = type_of_f(body, around);
            around.types.pop();
            Some(TypeF::Function(Box::new(argument.clone()), Box::new(body?)))
        }
        TermF::Apply(function, argument) => match type_of_f(function, around)? {
            TypeF::Function(expected, result) if type_of_f(argument, around)? == *expected => Some(*result),
            _ => None,
        },
        TermF::TypeFunction(body) => Some(TypeF::ForAll(Box::new(type_of_f(body, &mut around.under_type())?))),
        TermF::TypeApply(function, argument) => match type_of_f(function, around)? {
            TypeF::ForAll(body) => Some(body.substituted(0, argument)),
            _ => None,
        },
    }
}

impl TermF {
    /// The term with a closed one for a variable.
    fn substituted(&self, back: usize, by: &TermF) -> TermF {
        match self {
            TermF::Variable(other) if *other == back => by.clone(),
            TermF::Variable(other) => TermF::Variable(if *other > back { other - 1 } else { *other }),
            TermF::Unit => TermF::Unit,
            TermF::Function(argument, body) => {
                TermF::Function(argument.clone(), Box::new(body.substituted(back + 1, by)))
            }
            TermF::Apply(function, argument) => {
                TermF::Apply(Box::new(function.substituted(back, by)), Box::new(argument.substituted(back, by)))
            }
            TermF::TypeFunction(body) => TermF::TypeFunction(Box::new(body.substituted(back, by))),
            TermF::TypeApply(function, argument) => {
                TermF::TypeApply(Box::new(function.substituted(back, by)), argument.clone())
            }
        }
    }

    /// The term with a closed type for a type variable. (The bug: inside another type function it has another number.)
    fn with_type(&self, back: usize, by: &TypeF) -> TermF {
        match self {
            TermF::Unit | TermF::Variable(_) => self.clone(),
            TermF::Function(argument, body) => {
                TermF::Function(argument.substituted(back, by), Box::new(body.with_type(back, by)))
            }
            TermF::Apply(function, argument) => {
                TermF::Apply(Box::new(function.with_type(back, by)), Box::new(argument.with_type(back, by)))
            }
            TermF::TypeFunction(body) => TermF::TypeFunction(Box::new(body.with_type(back, by))),
            TermF::TypeApply(function, argument) => {
                TermF::TypeApply(Box::new(function.with_type(back, by)), argument.substituted(back, by))
            }
        }
    }

    fn step(&self) -> Option<TermF> {
        match self {
            TermF::Apply(function, argument) => match (function.step(), argument.step(), &**function) {
                (Some(next), ..) => Some(TermF::Apply(Box::new(next), argument.clone())),
                (None, Some(next), _) => Some(TermF::Apply(function.clone(), Box::new(next))),
                (None, None, TermF::Function(_, body)) => Some(body.substituted(0, argument)),
                _ => None,
            },
            TermF::TypeApply(function, argument) => match (function.step(), &**function) {
                (Some(next), _) => Some(TermF::TypeApply(Box::new(next), argument.clone())),
                (None, TermF::TypeFunction(body)) => Some(body.with_type(0, argument)),
                _ => None,
            },
            _ => None,
        }
    }
}

/// A step preserves the type of a term.
fn system_f() -> Box<dyn Property> {
    let closed = |source: &mut Source| {
        let wanted = type_f(source, 0, 3);
        (term_f(source, &wanted, &mut Around::default(), DEPTH), wanted)
    };
    let property = Empty.forall("term", move |(), s| closed(s)).print(|_, (term, _)| format!("{term:?}")).check(
        |((term, wanted), ())| {
            term.step().is_none_or(|next| type_of_f(&next, &mut Around::default()).as_ref() == Some(wanted))
        },
    );
    Box::new(property)
}
