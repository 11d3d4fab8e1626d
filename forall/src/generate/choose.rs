//! Choosing among given generators or values: `one_of`, `frequency`, `elements`, `optional`, `shuffle`, `subsequence`.

use super::misuse::misuse;
use super::{Generator, GeneratorExt};
use crate::choice::{Random, Source, scale};
use std::marker::PhantomData;

/// Returns a generator that picks one of several generators, all equally likely; the first is the simplest.
///
/// Takes an array or a vector of one generator type; for different types use the macro
/// [`one_of!`](macro@crate::one_of).
///
/// ```
/// use forall::{choice::Source, generate::one_of};
/// let n = Source::random(1, 0, 100).draw(one_of([0..5, 100..105]));
/// assert!(n < 5 || n >= 100);
/// ```
pub fn one_of<G: Generator>(generators: impl Into<Vec<G>>) -> OneOf<G> {
    OneOf(generators.into())
}

/// The generator that [`one_of`](fn@one_of) returns.
#[derive(Clone, Debug)]
#[doc(hidden)]
pub struct OneOf<G>(Vec<G>);

impl<G: Generator> Generator for OneOf<G> {
    type Value = G::Value;

    #[inline]
    fn generate(&self, source: &mut Source) -> G::Value {
        if self.0.is_empty() {
            misuse("`one_of` has no generators; pass at least one".to_string());
        }
        self.0[uniform(source, self.0.len())].generate(source)
    }
}

/// Returns a generator that picks one of several generators by weight; the first is the simplest, weight 0 means never.
///
/// Takes an array or a vector of one generator type; for different types use the macro
/// [`frequency!`](macro@crate::frequency).
///
/// ```
/// use forall::{choice::Source, generate::frequency};
/// let mostly_small = frequency([(9, 0..10), (1, 0..1_000_000)]);
/// assert!(Source::random(1, 0, 100).draw(mostly_small) < 1_000_000);
/// ```
pub fn frequency<G: Generator>(choices: impl Into<Vec<(u32, G)>>) -> Frequency<G> {
    let (weights, generators) = choices.into().into_iter().unzip();
    Frequency { weights, generators }
}

/// The generator that [`frequency`](fn@frequency) returns.
#[derive(Clone, Debug)]
#[doc(hidden)]
pub struct Frequency<G> {
    weights: Vec<u32>,
    generators: Vec<G>,
}

impl<G: Generator> Generator for Frequency<G> {
    type Value = G::Value;

    #[inline]
    fn generate(&self, source: &mut Source) -> G::Value {
        self.generators[weighted(source, &self.weights)].generate(source)
    }
}

/// An index, by weight. On tape, only indices with a weight count.
#[inline(always)]
fn weighted(source: &mut Source, weights: &[u32]) -> usize {
    if source.is_random() { pick_weighted(source.stream().0, weights) } else { weighted_on_tape(source, weights) }
}

#[inline(always)]
pub(super) fn pick_weighted(random: &mut Random, weights: &[u32]) -> usize {
    let mut total = 0u64;
    let mut i = 0;
    while i < weights.len() {
        total = total.wrapping_add(weights[i] as u64);
        i += 1;
    }
    if total == 0 {
        no_weight(weights.len());
    }
    let mut rest = scale(random.word(), total.wrapping_sub(1));
    i = 0;
    while rest >= weights[i] as u64 {
        rest = rest.wrapping_sub(weights[i] as u64);
        i += 1;
    }
    i
}

#[cold]
fn weighted_on_tape(source: &mut Source, weights: &[u32]) -> usize {
    let mut possible = Vec::new();
    for (i, &weight) in weights.iter().enumerate() {
        if weight > 0 {
            possible.push(i);
        }
    }
    if possible.is_empty() {
        no_weight(weights.len());
    }
    let code = source.alternative_on_tape(possible.len(), &|random, _| {
        let index = pick_weighted(random, weights);
        possible.iter().position(|&i| i == index).unwrap_or(0) as u64
    });
    possible[code]
}

/// Draws one of `count` alternatives, all equally likely.
#[doc(hidden)]
#[inline(always)]
pub fn uniform(source: &mut Source, count: usize) -> usize {
    if source.is_random() { source.stream().0.up_to(count as u64 - 1) as usize } else { uniform_on_tape(source, count) }
}

#[cold]
#[inline(never)]
fn uniform_on_tape(source: &mut Source, count: usize) -> usize {
    source.alternative_on_tape(count, &|random, _| random.up_to(count as u64 - 1))
}

#[cold]
#[inline(never)]
pub(super) fn no_weight(choices: usize) -> ! {
    misuse(match choices {
        0 => "there are no choices; pass at least one".to_string(),
        n => format!("all {n} choices have weight 0; at least one needs a weight of 1 or more"),
    })
}

/// Picks one of several generators with the same value type but different types, all equally likely; the first is the
/// simplest.
///
/// ```
/// use forall::{choice::Source, generate::{any, constant}, one_of};
/// let n: i32 = Source::random(1, 0, 100).draw(one_of![constant(0), 10..20, any()]);
/// # let _ = n;
/// ```
#[doc(alias("prop_oneof", "union"))]
#[macro_export]
macro_rules! one_of {
    ($($generator:expr),+ $(,)?) => { $crate::frequency![$(1 => $generator),+] };
}

/// Picks one of several generators with the same value type but different types, by weight; the first is the simplest,
/// weight 0 means never.
///
/// ```
/// use forall::{choice::Source, frequency, generate::{any, constant}};
/// let n: i32 = Source::random(1, 0, 100).draw(frequency![3 => constant(0), 1 => 10..20, 1 => any()]);
/// # let _ = n;
/// ```
#[macro_export]
macro_rules! frequency {
    ($($weight:expr => $generator:expr),+ $(,)?) => {
        $crate::generate::alternatives([$($weight),+], $crate::frequency!(@list $($generator),+))
    };
    (@list $first:expr $(, $rest:expr)*) => { ($first, $crate::frequency!(@list $($rest),*)) };
    (@list) => { () };
}

/// A list of generators of different types, as the macros create it.
#[doc(hidden)]
pub trait Alternatives<T> {
    fn generate_nth(&self, index: usize, source: &mut Source) -> T;
}

impl<T> Alternatives<T> for () {
    #[inline(always)]
    fn generate_nth(&self, _: usize, _: &mut Source) -> T {
        // There are as many weights as generators: the macro counts both.
        misuse("there are no choices; pass at least one".to_string())
    }
}

impl<T, G: Generator<Value = T>, R: Alternatives<T>> Alternatives<T> for (G, R) {
    #[inline(always)]
    fn generate_nth(&self, index: usize, source: &mut Source) -> T {
        if index == 0 { self.0.generate(source) } else { self.1.generate_nth(index.wrapping_sub(1), source) }
    }
}

#[doc(hidden)]
#[inline(always)]
pub fn alternatives<T, const N: usize, G: Generator<Value = T>, R: Alternatives<T>>(
    weights: [u32; N],
    list: (G, R),
) -> impl GeneratorExt<Value = T> {
    super::from_fn(move |source| {
        let index = weighted(source, &weights);
        list.generate_nth(index, source)
    })
}

/// Returns a generator of the given values, all equally likely; the first is the simplest. Takes an array, a vector, or
/// a reference to one, and clones the elements, so that a generated value outlives its source.
///
/// ```
/// use forall::{choice::Source, generate::elements};
/// let mut source = Source::random(1, 0, 100);
/// let names = vec!["Ada".to_string(), "Grace".to_string()];
/// let name: String = source.draw(elements(&names));
/// let direction = source.draw(elements(['n', 'e', 's', 'w']));
/// assert!(names.contains(&name) && "nesw".contains(direction));
/// ```
#[doc(alias("select", "choose"))]
#[inline(always)]
pub fn elements<T: Clone, C: AsRef<[T]>>(values: C) -> Elements<T, C> {
    Elements { values, of: PhantomData }
}

/// The generator that [`elements`] returns.
#[derive(Clone, Copy, Debug)]
#[doc(hidden)]
pub struct Elements<T, C> {
    values: C,
    of: PhantomData<fn() -> T>,
}

impl<T: Clone, C: AsRef<[T]>> Generator for Elements<T, C> {
    type Value = T;

    #[inline]
    fn generate(&self, source: &mut Source) -> T {
        let values = self.values.as_ref();
        if values.is_empty() {
            misuse(
                "`elements` has no values; pass at least one, or discard the test before with an \
                    assumption"
                    .to_string(),
            );
        }
        values[uniform(source, values.len())].clone()
    }
}

/// Returns a generator of `Option`s: `None` one time in four.
///
/// ```
/// use forall::{choice::Source, generate::optional};
/// let maybe: Option<u8> = Source::random(1, 0, 100).draw(optional(0..10));
/// assert!(maybe.is_none_or(|n| n < 10));
/// ```
#[inline(always)]
pub fn optional<G: Generator>(generator: G) -> Optional<G> {
    Optional(generator)
}

/// The generator that [`optional`] returns.
#[derive(Clone, Copy, Debug)]
#[doc(hidden)]
pub struct Optional<G>(G);

impl<G: Generator> Generator for Optional<G> {
    type Value = Option<G::Value>;

    #[inline(always)]
    fn generate(&self, source: &mut Source) -> Self::Value {
        if something(source) { Some(self.0.generate(source)) } else { None }
    }
}

/// Whether an optional value is present.
#[inline(always)]
pub(super) fn something(source: &mut Source) -> bool {
    source.choice_with(1, |random, _| (random.word() >> 62 != 0) as u64) == 1
}

/// Returns a generator of permutations of the given values, as vectors; the given order is the simplest. Takes the same
/// arguments as [`elements`].
///
/// ```
/// use forall::{choice::Source, generate::shuffle};
/// let mut cards = Source::random(1, 0, 100).draw(shuffle([1, 2, 3]));
/// cards.sort();
/// assert_eq!(cards, [1, 2, 3]);
/// ```
pub fn shuffle<T: Clone, C: AsRef<[T]>>(values: C) -> Shuffle<T, C> {
    Shuffle(elements(values))
}

/// The generator that [`shuffle`] returns.
#[derive(Clone, Copy, Debug)]
#[doc(hidden)]
pub struct Shuffle<T, C>(Elements<T, C>);

/// Longer permutations are drawn by swaps: moving the elements in between takes quadratic time.
const MAX_MOVED: usize = 256;

impl<T: Clone, C: AsRef<[T]>> Generator for Shuffle<T, C> {
    type Value = Vec<T>;

    #[inline]
    fn generate(&self, source: &mut Source) -> Vec<T> {
        let mut values = self.0.values.as_ref().to_vec();
        let last = values.len().saturating_sub(1);
        for i in 0..last {
            let other = i + source.choice((last - i) as u64) as usize;
            if last < MAX_MOVED {
                // The other elements stay in order, so the choices sum up to the number of inversions.
                values[i..=other].rotate_right(1);
            } else {
                values.swap(i, other);
            }
        }
        values
    }
}

/// Returns a generator of subsequences of the given values, as vectors; the empty one is the simplest. Takes the same
/// arguments as [`elements`].
///
/// ```
/// use forall::{choice::Source, generate::subsequence};
/// let some = Source::random(1, 0, 100).draw(subsequence([1, 2, 3, 4]));
/// assert!(some.is_sorted() && some.len() <= 4);
/// ```
pub fn subsequence<T: Clone, C: AsRef<[T]>>(values: C) -> Subsequence<T, C> {
    Subsequence(elements(values))
}

/// The generator that [`subsequence`] returns.
#[derive(Clone, Copy, Debug)]
#[doc(hidden)]
pub struct Subsequence<T, C>(Elements<T, C>);

impl<T: Clone, C: AsRef<[T]>> Generator for Subsequence<T, C> {
    type Value = Vec<T>;

    #[inline]
    fn generate(&self, source: &mut Source) -> Vec<T> {
        // One density per test, otherwise nearly all subsequences would have half of the elements.
        let density = source.hidden_draw().map_or(u64::MAX / 2, |draw| match draw.selector >> 28 {
            0 => 0,
            1 => u64::MAX,
            _ => draw.word,
        });
        let keep = |random: &mut Random, _| (random.word() <= density && density > 0) as u64;
        let values = self.0.values.as_ref();
        values.iter().filter(|_| source.choice_with(1, keep) == 1).cloned().collect()
    }
}
