//! Generators: programs that make choices and return a value.
//!
//! Here live the [`Generator`] trait and [`Arbitrary`], the generator that a type brings along; the combinators and the
//! instances for the standard library are in the files named after them. Where choices come from is the business of
//! [`choice`](crate::choice).

mod arbitrary;
mod integer;
mod structure;
mod vec;

pub use arbitrary::{Any, Arbitrary, any};
pub use integer::Ranged;
pub use structure::{Code, Heights, Visitor};
pub use vec::{Lengths, VecOf, vec};

use crate::choice::Source;

/// Makes values from choices.
///
/// Ranges are generators, [`any::<T>()`](any) is one for every [`Arbitrary`] type, and [`from_fn`] turns a function
/// into one:
///
/// ```
/// use forall::choice::Source;
/// use forall::generate::{Generator, any, from_fn};
///
/// let ordered = from_fn(|s| {
///     let low = s.draw(0..100);
///     (low, s.draw(low..=100))
/// });
/// let (low, high) = ordered.generate(&mut Source::random(1, 0, 100));
/// assert!(low <= high);
/// ```
pub trait Generator {
    /// What is generated.
    type Value;

    /// Makes a value from the choices of `source`.
    fn generate(&self, source: &mut Source) -> Self::Value;
}

impl<G: Generator + ?Sized> Generator for &G {
    type Value = G::Value;

    #[inline(always)]
    fn generate(&self, source: &mut Source) -> Self::Value {
        (**self).generate(source)
    }
}

impl<G: Generator + ?Sized> Generator for Box<G> {
    type Value = G::Value;

    #[inline(always)]
    fn generate(&self, source: &mut Source) -> Self::Value {
        (**self).generate(source)
    }
}

/// A generator from a function that draws: the plain imperative form.
///
/// ```
/// use forall::generate::{Generator, from_fn, vec};
/// use forall::choice::Source;
///
/// // Two vectors of one length.
/// let same_length = from_fn(|s| {
///     let n = s.draw(0..10usize);
///     (s.draw(vec(0..5u8).len(n)), s.draw(vec(0..5u8).len(n)))
/// });
/// let (a, b) = same_length.generate(&mut Source::random(1, 0, 100));
/// assert_eq!(a.len(), b.len());
/// ```
pub fn from_fn<T, F: Fn(&mut Source) -> T>(function: F) -> FromFn<F> {
    FromFn(function)
}

/// What [`from_fn`] returns.
#[derive(Clone, Copy, Debug)]
pub struct FromFn<F>(F);

impl<T, F: Fn(&mut Source) -> T> Generator for FromFn<F> {
    type Value = T;

    #[inline(always)]
    fn generate(&self, source: &mut Source) -> T {
        (self.0)(source)
    }
}
