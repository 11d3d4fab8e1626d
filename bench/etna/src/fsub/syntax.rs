//! Types and terms of System F with subtyping. Term variables and type variables are counted separately, from the innermost
//! binder of their kind; bugs may make an index negative.

use forall::Arbitrary;
use std::ops::RangeInclusive;

/// The indices that derived types and terms have.
const SMALL_INDICES: RangeInclusive<i32> = 0..=2;

/// A type.
#[derive(Arbitrary, Clone, Debug, PartialEq, Eq)]
pub enum Type {
    /// The type of everything.
    Top,
    /// A type variable.
    Var(#[forall(with = SMALL_INDICES)] i32),
    /// Functions.
    Fun(Box<Type>, Box<Type>),
    /// For all types below the first, the second, which binds a type variable.
    All(Box<Type>, Box<Type>),
}

/// A term.
#[derive(Arbitrary, Clone, Debug, PartialEq, Eq)]
pub enum Term {
    /// A variable.
    Var(#[forall(with = SMALL_INDICES)] i32),
    /// A function: the type of its argument, and its body, which binds a variable.
    Abs(Type, Box<Term>),
    /// A function applied to an argument.
    App(Box<Term>, Box<Term>),
    /// For all types below a bound, a term, which binds a type variable.
    TypeAbs(Type, Box<Term>),
    /// A term for all types, at one of them.
    TypeApp(Box<Term>, Type),
}

/// An entry of an environment.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Entry {
    /// A variable of this type.
    Variable(Type),
    /// A type variable below this type.
    Bound(Type),
}

impl Type {
    /// The type of functions.
    pub fn fun(argument: Type, result: Type) -> Self {
        Type::Fun(Box::new(argument), Box::new(result))
    }

    /// The type of what there is for all types below a bound.
    pub fn all(bound: Type, body: Type) -> Self {
        Type::All(Box::new(bound), Box::new(body))
    }

    /// The number of its constructors.
    pub fn size(&self) -> usize {
        match self {
            Type::Top | Type::Var(_) => 1,
            Type::Fun(a, b) | Type::All(a, b) => 1 + a.size() + b.size(),
        }
    }
}

impl Term {
    /// A function.
    pub fn abs(argument: Type, body: Term) -> Self {
        Term::Abs(argument, Box::new(body))
    }

    /// A function applied to an argument.
    pub fn app(function: Term, argument: Term) -> Self {
        Term::App(Box::new(function), Box::new(argument))
    }

    /// For all types below a bound, a term.
    pub fn type_abs(bound: Type, body: Term) -> Self {
        Term::TypeAbs(bound, Box::new(body))
    }

    /// A term for all types, at one of them.
    pub fn type_app(body: Term, ty: Type) -> Self {
        Term::TypeApp(Box::new(body), ty)
    }

    /// The number of constructors, those of the types in it included: the structural size that shrinking brings down.
    pub fn size(&self) -> usize {
        match self {
            Term::Var(_) => 1,
            Term::Abs(ty, body) | Term::TypeAbs(ty, body) | Term::TypeApp(body, ty) => 1 + ty.size() + body.size(),
            Term::App(function, argument) => 1 + function.size() + argument.size(),
        }
    }
}
