//! The expansion of quantifiers and bodies. Each function takes the user's function together with its argument, so that
//! the types of the closure's parameters are inferred.

pub use std::result::Result::{self, Ok};

use crate::choice::Source;
use crate::generate::Generator;
use crate::property::{
    Annotations, Contract, Failure, FailureKind, Forall, IntoOutcome, Outcome, Printed, Quantify, Telescope,
};
use std::fmt::{Debug, Display};

#[inline(always)]
pub fn draw<G: Generator>(generator: G, source: &mut Source) -> G::Value {
    generator.generate(source)
}

/// As `Telescope::forall_opaque`, with all data of the macro, in one call.
pub fn forall<P: Telescope, T, F: Fn(&P::Env, &mut Source) -> T>(
    previous: P,
    name: &'static str,
    type_text: Option<&'static str>,
    quantify: F,
    printed: fn(&T) -> Printed,
) -> Forall<P, F> {
    Forall { previous, name, type_text, quantify, printed, annotations: Annotations::NONE }
}

/// The same for a variable without a generator: `again` draws it in replays and searches.
pub fn forall_by_type<P: Telescope, T, F: Fn(&P::Env, &mut Source) -> T>(
    previous: P,
    name: &'static str,
    type_text: Option<&'static str>,
    draw: F,
    again: fn(&mut Source) -> T,
    printed: fn(&T) -> Printed,
) -> Forall<P, ByType<F, T>> {
    let quantify = ByType { draw, again };
    Forall { previous, name, type_text, quantify, printed, annotations: Annotations::NONE }
}

/// A generator that draws by type.
pub struct ByType<F, T> {
    draw: F,
    again: fn(&mut Source) -> T,
}

impl<Env, T, F: Fn(&Env, &mut Source) -> T> Quantify<Env> for ByType<F, T> {
    type Value = T;

    #[inline(always)]
    fn generate(&self, env: &Env, source: &mut Source) -> T {
        (self.draw)(env, source)
    }

    fn generate_again(&self, _: &Env, source: &mut Source) -> T {
        (self.again)(source)
    }
}

/// The candidates of a shrinker.
pub fn shrink<'a, T, I: IntoIterator<Item = T, IntoIter: 'a>>(
    value: &'a T,
    shrink: impl FnOnce(&'a T) -> I,
) -> Box<dyn Iterator<Item = T> + 'a> {
    Box::new(shrink(value).into_iter())
}

pub fn mutate<T>(value: T, source: &mut Source, mutate: impl FnOnce(T, &mut Source) -> T) -> T {
    mutate(value, source)
}

pub fn print<'a, T, D: Display>(value: &'a T, print: impl FnOnce(&'a T) -> D) -> String {
    print(value).to_string()
}

pub fn feedback<'a, T>(value: &'a T, feedback: impl FnOnce(&'a T) -> f64) -> f64 {
    feedback(value)
}

pub fn apply<'a, T, R>(value: &'a T, function: impl FnOnce(&'a T) -> R) -> R {
    function(value)
}

/// As `Forall::contract`, for any number of them.
pub fn contract<P: Telescope, F: Fn(&P::Env) -> bool>(previous: P, text: &'static str, predicate: F) -> Contract<P, F> {
    Contract { previous, text, predicate }
}

/// The target of `?` for any error in a body whose error type is not written. (It has no `Debug` itself, otherwise it
/// could not be created from every type that has one.)
pub struct AnyError(String);

impl<E: Debug> From<E> for AnyError {
    #[cold]
    fn from(error: E) -> Self {
        Self(format!("the property returned an error: {error:?}"))
    }
}

#[inline(always)]
pub fn outcome<T: IntoOutcome>(result: Result<T, AnyError>) -> Outcome {
    match result {
        Ok(value) => value.into_outcome(),
        Err(AnyError(message)) => Outcome::Fail(Box::new(Failure::new(FailureKind::Error, message))),
    }
}
