//! The [`Generator`] trait, which [`Source::draw`] takes.

use super::Source;

/// The largest choice of a value that is one choice, and the value of each choice.
#[doc(hidden)]
pub type OfOneChoice<T> = (u64, fn(u64) -> T);

/// A generator: produces values from choices.
///
/// Ranges are generators, [`any::<T>()`](crate::generate::any) is one for every [`Arbitrary`](crate::generate::Arbitrary) type, tuples of generators generate tuples,
/// and [`from_fn`](crate::generate::from_fn) turns a function into one:
///
/// ```
/// use forall::choice::Source;
/// use forall::generate::{Generator, from_fn};
///
/// let ordered = from_fn(|s| {
///     let low = s.draw(0..100);
///     (low, s.draw(low..=100))
/// });
/// let (low, high) = ordered.generate(&mut Source::random(1, 0, 100));
/// assert!(low <= high);
/// ```
///
/// `map`, `filter` and the like are methods of [`GeneratorExt`](crate::generate::GeneratorExt).
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a generator",
    label = "not a generator",
    note = "a generator is a range, `any::<Type>()`, `from_fn(|source| …)`, `constant(value)`, `elements(list)`, …: see \
            `forall::generate`",
    note = "a string literal is a regular expression, and requires the `regex` feature: `cargo add --dev forall --features \
            regex`; for a fixed string, write `constant(\"…\")`",
    note = "`map` and `filter` on a range are those of `Iterator`; for a generator, write `range(0..10).map(…)`"
)]
#[doc(alias("Strategy", "Gen"))]
pub trait Generator {
    /// The type of the generated values.
    type Value;

    /// Produces a value from the choices of `source`.
    ///
    /// ```
    /// use forall::choice::{Sequence, Source};
    /// use forall::generate::Generator;
    /// struct Even;
    /// impl Generator for Even {
    ///     type Value = u32;
    ///     fn generate(&self, source: &mut Source) -> u32 { 2 * source.draw(0..50) }
    /// }
    /// assert_eq!(Even.generate(&mut Source::replay(&Sequence::from_values(100, &[7]))), 14);
    /// ```
    fn generate(&self, source: &mut Source) -> Self::Value;

    /// How values are encoded, if each is one choice that does not depend on the size.
    #[doc(hidden)]
    fn one_choice(&self) -> Option<OfOneChoice<Self::Value>> {
        None
    }
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
