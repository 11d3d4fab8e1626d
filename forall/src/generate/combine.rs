//! The combinators as methods of [`GeneratorExt`], and the basic generators.

use super::{Generator, Optional, optional};
use crate::choice::Source;
use std::fmt;
use std::hash::{BuildHasher, Hash};
use std::sync::Arc;

/// The number of attempts of a filter before the test is rejected. If one value in twenty is valid, six tests in a
/// thousand are rejected.
const ATTEMPTS: u32 = 100;

/// The combinators: methods of every [`Generator`].
///
/// Every generator of this crate has them, except for plain ranges, whose `map` and `filter` are those of iterators
/// even where this trait is in scope: write `range(0..10).map(f)`. Your own generator type gets them by `impl
/// GeneratorExt for MyGenerator {}`.
///
/// ```
/// use forall::choice::Source;
/// use forall::generate::{GeneratorExt, any, range};
///
/// let mut source = Source::random(1, 0, 100);
/// let even = source.draw(any::<u32>().map(|n| n & !1));
/// let odd = source.draw(range(0..50).map(|n| 2 * n + 1));
/// assert_eq!((even % 2, odd % 2), (0, 1));
/// assert_eq!((0..3).map(|n| n * n).sum::<i32>(), 5);
/// ```
#[doc(alias("Strategy", "combinators"))]
pub trait GeneratorExt: Generator + Sized {
    /// Applies `function` to each generated value.
    ///
    /// ```
    /// use forall::{choice::Source, generate::{GeneratorExt, any}};
    /// let even = any::<u32>().map(|n| n & !1);
    /// assert_eq!(Source::random(1, 0, 100).draw(even) % 2, 0);
    /// ```
    #[doc(alias("prop_map"))]
    #[inline(always)]
    fn map<U, F: Fn(Self::Value) -> U>(self, function: F) -> Map<Self, F> {
        Map { generator: self, function }
    }

    /// Generates a value, then draws from the generator that `function` returns for it.
    ///
    /// ```
    /// use forall::{choice::Source, generate::{GeneratorExt, range, vec}};
    /// let square = range(0..5usize).flat_map(|n| vec(vec(0..9).len(n)).len(n));
    /// let rows = Source::random(1, 0, 100).draw(square);
    /// assert!(rows.iter().all(|row| row.len() == rows.len()));
    /// ```
    #[doc(alias("prop_flat_map", "bind"))]
    #[inline(always)]
    fn flat_map<G: Generator, F: Fn(Self::Value) -> G>(self, function: F) -> FlatMap<Self, F> {
        FlatMap { generator: self, function }
    }

    /// Keeps only values that satisfy `predicate`. After 100 rejected values in a row the test is discarded, by
    /// unwinding, so that a filter never returns an invalid value. Prefer a generator that produces valid values
    /// directly.
    ///
    /// ```
    /// use forall::{choice::Source, generate::{GeneratorExt, any}};
    /// let odd = any::<u32>().filter(|n| n % 2 == 1);
    /// assert_eq!(Source::random(1, 0, 100).draw(odd) % 2, 1);
    /// ```
    #[doc(alias("prop_filter", "discard"))]
    #[inline(always)]
    fn filter<F: Fn(&Self::Value) -> bool>(self, predicate: F) -> Filter<Self, F> {
        Filter { generator: self, predicate }
    }

    /// Keeps the values for which `function` returns `Some`. After 100 rejected values in a row the test is discarded.
    ///
    /// ```
    /// use forall::{choice::Source, generate::{GeneratorExt, any}};
    /// let letter = any::<u8>().filter_map(|byte| char::from(byte).is_alphabetic().then_some(byte as char));
    /// assert!(Source::random(1, 0, 100).draw(letter).is_alphabetic());
    /// ```
    #[inline(always)]
    fn filter_map<U, F: Fn(Self::Value) -> Option<U>>(self, function: F) -> FilterMap<Self, F> {
        FilterMap { generator: self, function }
    }

    /// Generates pairs of values of both generators.
    ///
    /// ```
    /// use forall::{choice::Source, generate::{GeneratorExt, any}};
    /// let (n, flag): (u8, bool) = Source::random(1, 0, 100).draw(any().zip(any()));
    /// # let _ = (n, flag);
    /// ```
    #[inline(always)]
    fn zip<G: Generator>(self, other: G) -> Zip<Self, G> {
        Zip(self, other)
    }

    /// Generates `Option`s, like [`optional`].
    ///
    /// ```
    /// use forall::{choice::Source, generate::{GeneratorExt, any}};
    /// let maybe: Option<u8> = Source::random(1, 0, 100).draw(any::<u8>().optional());
    /// # let _ = maybe;
    /// ```
    #[inline(always)]
    fn optional(self) -> Optional<Self> {
        optional(self)
    }

    /// Generates at a fixed size.
    ///
    /// ```
    /// use forall::{choice::Source, generate::{GeneratorExt, any}};
    /// let short = any::<Vec<u8>>().resize(3);
    /// assert!(Source::random(1, 0, 100).draw(short).len() <= 3);
    /// ```
    #[inline(always)]
    fn resize(self, size: u32) -> Resize<Self> {
        Resize { generator: self, size }
    }

    /// Generates at a size computed from the size of the test.
    ///
    /// ```
    /// use forall::{choice::Source, generate::{GeneratorExt, any}};
    /// let short = any::<Vec<u8>>().scale(|size| size / 10);
    /// assert!(Source::random(1, 0, 100).draw(short).len() <= 10);
    /// ```
    #[inline(always)]
    fn scale<F: Fn(u32) -> u32>(self, function: F) -> Scale<Self, F> {
        Scale { generator: self, function }
    }

    /// Disables some of the alternatives, different ones in every test: swarm testing.
    ///
    /// Alternatives are the constructors of derived types and the choices of `one_of`, `frequency` and `elements`. With
    /// all of them enabled in every test, each undoes the effect of the others: a stack that is pushed and popped at
    /// random never grows deep. It costs about as much as recording, so it is not the default.
    ///
    /// ```
    /// use forall::prelude::*;
    /// use forall::choice::Source;
    /// # #[allow(dead_code)]
    /// #[derive(Arbitrary, Debug, PartialEq)]
    /// enum Op { Push, Pop, Clear }
    /// let ops = vec(any::<Op>()).len(30);
    /// let never_clears = |index| !Source::random(1, index, 100).draw(ops.swarm()).contains(&Op::Clear);
    /// assert!((0..100).filter(|&index| never_clears(index)).count() > 20);
    /// ```
    #[inline(always)]
    fn swarm(self) -> Swarm<Self> {
        Swarm(self)
    }

    /// Erases the type, so that different generators with one value type fit in one list. Clones are cheap.
    ///
    /// ```
    /// use forall::{choice::Source, generate::{GeneratorExt, constant, one_of, range}};
    /// let choices = vec![constant(7).boxed(), range(100..200).boxed()];
    /// let n = Source::random(1, 0, 100).draw(one_of(choices));
    /// assert!(n == 7 || n >= 100);
    /// ```
    fn boxed<'a>(self) -> Boxed<'a, Self::Value>
    where
        Self: Send + Sync + 'a,
    {
        Boxed::new(self)
    }
}

/// Creates a generator from a function that draws: the imperative form.
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
#[inline(always)]
pub fn from_fn<T, F: Fn(&mut Source) -> T>(function: F) -> FromFn<F> {
    FromFn(function)
}

/// The generator that [`from_fn`] returns.
#[derive(Clone, Copy)]
#[doc(hidden)]
pub struct FromFn<F>(F);

impl<F> fmt::Debug for FromFn<F> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "from_fn({})", std::any::type_name::<F>())
    }
}

impl<T, F: Fn(&mut Source) -> T> Generator for FromFn<F> {
    type Value = T;

    #[inline(always)]
    fn generate(&self, source: &mut Source) -> T {
        (self.0)(source)
    }
}

/// Returns a generator that always produces a clone of `value`.
///
/// ```
/// use forall::{choice::Source, generate::constant};
/// assert_eq!(Source::random(1, 0, 100).draw(constant("same")), "same");
/// ```
pub fn constant<T: Clone>(value: T) -> Constant<T> {
    Constant(value)
}

/// Alias for [`constant`].
///
/// ```
/// use forall::{choice::Source, generate::just};
/// assert_eq!(Source::random(1, 0, 100).draw(just(3)), 3);
/// ```
#[doc(alias("Just"))]
pub fn just<T: Clone>(value: T) -> Constant<T> {
    constant(value)
}

/// The generator that [`constant`] returns.
#[derive(Clone, Copy, Debug)]
#[doc(hidden)]
pub struct Constant<T>(T);

impl<T: Clone> Generator for Constant<T> {
    type Value = T;

    #[inline(always)]
    fn generate(&self, _: &mut Source) -> T {
        self.0.clone()
    }
}

/// Returns a generator that depends on the size of the test.
///
/// ```
/// use forall::{choice::Source, generate::sized};
/// let n = Source::random(1, 0, 20).draw(sized(|size| 0..=size));
/// assert!(n <= 20);
/// ```
pub fn sized<G: Generator, F: Fn(u32) -> G>(function: F) -> SizedBy<F> {
    SizedBy(function)
}

/// The generator that [`sized`] returns.
#[derive(Clone, Copy)]
#[doc(hidden)]
pub struct SizedBy<F>(F);

impl<F> fmt::Debug for SizedBy<F> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "sized({})", std::any::type_name::<F>())
    }
}

impl<G: Generator, F: Fn(u32) -> G> Generator for SizedBy<F> {
    type Value = G::Value;

    #[inline(always)]
    fn generate(&self, source: &mut Source) -> G::Value {
        let size = source.size();
        (self.0)(size).generate(source)
    }
}

macro_rules! adapter {
    ($($name:ident $field:ident $method:literal;)*) => {$(
        #[doc = concat!("The generator that [`GeneratorExt::", $method, "`] returns.")]
        #[derive(Clone, Copy)]
        pub struct $name<G, F> {
            pub(super) generator: G,
            pub(super) $field: F,
        }

        impl<G: fmt::Debug, F> fmt::Debug for $name<G, F> {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                write!(f, concat!("{:?}.", $method, "({})"), self.generator, std::any::type_name::<F>())
            }
        }
    )*};
}

adapter! {
    Map function "map";
    FlatMap function "flat_map";
    Filter predicate "filter";
    FilterMap function "filter_map";
    Scale function "scale";
}

impl<G: Generator, U, F: Fn(G::Value) -> U> Generator for Map<G, F> {
    type Value = U;

    #[inline(always)]
    fn generate(&self, source: &mut Source) -> U {
        (self.function)(self.generator.generate(source))
    }
}

impl<G: Generator, H: Generator, F: Fn(G::Value) -> H> Generator for FlatMap<G, F> {
    type Value = H::Value;

    #[inline(always)]
    fn generate(&self, source: &mut Source) -> H::Value {
        (self.function)(self.generator.generate(source)).generate(source)
    }
}

impl<G: Generator, F: Fn(&G::Value) -> bool> Generator for Filter<G, F> {
    type Value = G::Value;

    #[inline]
    fn generate(&self, source: &mut Source) -> G::Value {
        let mark = source.mark();
        let mut attempts = 1;
        loop {
            let value = self.generator.generate(source);
            let is_rejected = source.is_rejected();
            if !is_rejected && (self.predicate)(&value) {
                return value;
            }
            // By unwinding: callers rely on the predicate, so no other value may leave the filter.
            if attempts == ATTEMPTS || is_rejected {
                source.reject_now();
            }
            attempts += 1;
            // The choices of a failed attempt are not part of the input.
            source.retry(mark);
        }
    }
}

impl<G: Generator, U, F: Fn(G::Value) -> Option<U>> Generator for FilterMap<G, F> {
    type Value = U;

    #[inline]
    fn generate(&self, source: &mut Source) -> U {
        let mark = source.mark();
        let mut attempts = 1;
        loop {
            if let Some(value) = (self.function)(self.generator.generate(source)) {
                return value;
            }
            if attempts == ATTEMPTS || source.is_rejected() {
                source.reject_now();
            }
            attempts += 1;
            source.retry(mark);
        }
    }
}

impl<G: Generator, F: Fn(u32) -> u32> Generator for Scale<G, F> {
    type Value = G::Value;

    #[inline(always)]
    fn generate(&self, source: &mut Source) -> G::Value {
        let size = (self.function)(source.size());
        source.with_size(size, |source| self.generator.generate(source))
    }
}

/// The generator that [`GeneratorExt::resize`] returns.
#[derive(Clone, Copy, Debug)]
pub struct Resize<G> {
    pub(super) generator: G,
    pub(super) size: u32,
}

impl<G: Generator> Generator for Resize<G> {
    type Value = G::Value;

    #[inline(always)]
    fn generate(&self, source: &mut Source) -> G::Value {
        source.with_size(self.size, |source| self.generator.generate(source))
    }
}

/// The generator that [`GeneratorExt::swarm`] returns.
#[derive(Clone, Copy, Debug)]
pub struct Swarm<G>(G);

impl<G: Generator> Generator for Swarm<G> {
    type Value = G::Value;

    #[inline]
    fn generate(&self, source: &mut Source) -> G::Value {
        source.swarm(|source| self.0.generate(source))
    }
}

/// The generator that [`GeneratorExt::zip`] returns.
#[derive(Clone, Copy, Debug)]
pub struct Zip<G, H>(pub(super) G, pub(super) H);

impl<G: Generator, H: Generator> Generator for Zip<G, H> {
    type Value = (G::Value, H::Value);

    #[inline(always)]
    fn generate(&self, source: &mut Source) -> Self::Value {
        (self.0.generate(source), self.1.generate(source))
    }
}

/// A generator with an erased type. See [`GeneratorExt::boxed`].
///
/// ```
/// use forall::{choice::Source, generate::{Boxed, GeneratorExt, constant}};
/// let generators: Vec<Boxed<'_, u32>> = vec![constant(7).boxed(), forall::generate::range(0..5).boxed()];
/// assert_eq!(Source::random(1, 0, 100).draw(&generators[0]), 7);
/// ```
pub struct Boxed<'a, T>(Arc<dyn Generator<Value = T> + Send + Sync + 'a>);

impl<'a, T> Boxed<'a, T> {
    pub(super) fn new(generator: impl Generator<Value = T> + Send + Sync + 'a) -> Self {
        Self(Arc::new(generator))
    }
}

impl<T> Clone for Boxed<'_, T> {
    fn clone(&self) -> Self {
        Self(Arc::clone(&self.0))
    }
}

impl<T> fmt::Debug for Boxed<'_, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "a generator of {}", std::any::type_name::<T>())
    }
}

impl<T> Generator for Boxed<'_, T> {
    type Value = T;

    #[inline]
    fn generate(&self, source: &mut Source) -> T {
        self.0.generate(source)
    }
}

macro_rules! combine {
    ($([$($parameter:tt)*] $t:ty;)*) => {$(
        impl<$($parameter)*> GeneratorExt for $t where Self: Generator {}
    )*};
}

combine! {
    [G: GeneratorExt] &G;
    [G: GeneratorExt] Box<G>;
    [T, F: Fn(&mut Source) -> T] FromFn<F>;
    [T: Clone] Constant<T>;
    [G: Generator, F: Fn(u32) -> G] SizedBy<F>;
    [G: Generator, U, F: Fn(G::Value) -> U] Map<G, F>;
    [G: Generator, H: Generator, F: Fn(G::Value) -> H] FlatMap<G, F>;
    [G: Generator, F: Fn(&G::Value) -> bool] Filter<G, F>;
    [G: Generator, U, F: Fn(G::Value) -> Option<U>] FilterMap<G, F>;
    [G: Generator, F: Fn(u32) -> u32] Scale<G, F>;
    [G: Generator] Resize<G>;
    [G: Generator, H: Generator] Zip<G, H>;
    [T] Boxed<'_, T>;
    [T: super::Arbitrary] super::Any<T>;
    [R: Generator] super::RangeOf<R>;
    [G: Generator] super::OneOf<G>;
    [G: Generator] super::Frequency<G>;
    [G: Generator] Optional<G>;
    [T: Clone, C: AsRef<[T]>] super::Elements<T, C>;
    [T: Clone, C: AsRef<[T]>] super::Shuffle<T, C>;
    [T: Clone, C: AsRef<[T]>] super::Subsequence<T, C>;
    [G: Generator] super::VecOf<G>;
    [G: Generator<Value: PartialEq>] super::UniqueVecOf<G>;
    [C: FromIterator<G::Value>, G: Generator] super::SequenceOf<C, G>;
    [G: Generator<Value: Ord>] super::BTreeSetOf<G>;
    [K: Generator<Value: Ord>, V: Generator] super::BTreeMapOf<K, V>;
    [G: Generator<Value: Eq + Hash>, S: BuildHasher + Default] super::HashSetOf<G, S>;
    [K: Generator<Value: Eq + Hash>, V: Generator, S: BuildHasher + Default] super::HashMapOf<K, V, S>;
    [G: Generator<Value = char>] super::StringOf<G>;
    [T] super::Recursive<T>;
    [T] super::Inner<T>;
}
