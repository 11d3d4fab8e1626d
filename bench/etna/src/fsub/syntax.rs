//! Types and terms of System F with subtyping. Term variables and type variables are counted separately, from the innermost
//! binder of their kind; bugs may make an index negative.

use forall::Arbitrary;
use std::ops::RangeInclusive;

/// The range of indices in derived types and terms.
const SMALL_INDICES: RangeInclusive<i32> = 0..=2;

/// A type.
#[derive(Arbitrary, Clone, Debug, PartialEq, Eq)]
pub enum Type {
    /// The supertype of all types.
    Top,
    /// A type variable.
    Var(#[forall(with = SMALL_INDICES)] i32),
    /// Functions.
    Fun(Box<Type>, Box<Type>),
    /// A bounded universal type: the bound, and a body that binds a type variable.
    All(Box<Type>, Box<Type>),
}

/// A term.
#[derive(Arbitrary, Clone, Debug, PartialEq, Eq)]
pub enum Term {
    /// A variable.
    Var(#[forall(with = SMALL_INDICES)] i32),
    /// A function: the type of its argument, and a body that binds a variable.
    Abs(Type, Box<Term>),
    /// A function applied to an argument.
    App(Box<Term>, Box<Term>),
    /// A type abstraction: the bound, and a body that binds a type variable.
    TypeAbs(Type, Box<Term>),
    /// A term applied to a type.
    TypeApp(Box<Term>, Type),
}

/// An entry of an environment.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Entry {
    /// A variable of this type.
    Variable(Type),
    /// A type variable with this upper bound.
    Bound(Type),
}

impl Type {
    /// Returns a function type.
    pub fn fun(argument: Type, result: Type) -> Self {
        Type::Fun(Box::new(argument), Box::new(result))
    }

    /// Returns a bounded universal type.
    pub fn all(bound: Type, body: Type) -> Self {
        Type::All(Box::new(bound), Box::new(body))
    }

    /// Returns the number of constructors.
    pub fn size(&self) -> usize {
        match self {
            Type::Top | Type::Var(_) => 1,
            Type::Fun(a, b) | Type::All(a, b) => 1 + a.size() + b.size(),
        }
    }
}

impl Term {
    /// Returns a function.
    pub fn abs(argument: Type, body: Term) -> Self {
        Term::Abs(argument, Box::new(body))
    }

    /// Returns an application.
    pub fn app(function: Term, argument: Term) -> Self {
        Term::App(Box::new(function), Box::new(argument))
    }

    /// Returns a type abstraction.
    pub fn type_abs(bound: Type, body: Term) -> Self {
        Term::TypeAbs(bound, Box::new(body))
    }

    /// Returns a type application.
    pub fn type_app(body: Term, ty: Type) -> Self {
        Term::TypeApp(Box::new(body), ty)
    }

    /// Returns the number of constructors, including those of types: the structural size that shrinking reduces.
    pub fn size(&self) -> usize {
        match self {
            Term::Var(_) => 1,
            Term::Abs(ty, body) | Term::TypeAbs(ty, body) | Term::TypeApp(body, ty) => 1 + ty.size() + body.size(),
            Term::App(function, argument) => 1 + function.size() + argument.size(),
        }
    }
}
