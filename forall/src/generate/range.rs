//! Ranges as generators: `0..10`, `'a'..='z'`, `0.0..1.0`, of every kind that has a start or an end.
//!
//! The simplest value of a range is the one nearest to zero; if both signs are possible they alternate. There is one
//! blanket impl per kind of range, otherwise the compiler could not infer the type of `0..10`. Ranges as *values*, with
//! random ends, are in `products.rs`.

use super::Generator;
use super::integer::{Bias, distance, wide_choice};
use super::misuse::misuse;
use crate::choice::{Draw, Meaning, Random, Source, scale};
use std::cmp::Ordering;
use std::fmt::Debug;
use std::ops::{Range, RangeFrom, RangeInclusive, RangeTo, RangeToInclusive};

/// A type whose ranges are generators: integers, floats and characters.
///
/// ```
/// use forall::choice::Source;
/// let mut source = Source::random(1, 0, 100);
/// assert!((-5..5).contains(&source.draw(-5..5)));
/// assert!(('a'..='z').contains(&source.draw('a'..='z')));
/// assert!((0.0..1.0).contains(&source.draw(0.0..1.0)));
/// ```
pub trait Ranged: Copy + PartialOrd + Debug {
    /// The least value, for ranges without a start.
    #[doc(hidden)]
    const LEAST: Self;
    /// The greatest value, for ranges without an end.
    #[doc(hidden)]
    const GREATEST: Self;

    /// A value of `low..=high`, which is not empty.
    ///
    /// ```
    /// use forall::{choice::Source, generate::Ranged};
    /// assert!((3..=5).contains(&u8::between(3, 5, &mut Source::random(1, 0, 100))));
    /// ```
    #[doc(hidden)]
    fn between(low: Self, high: Self, source: &mut Source) -> Self;

    /// The predecessor of this value, which must not be the minimum.
    ///
    /// ```
    /// use forall::generate::Ranged;
    /// assert_eq!((5u8.before(), 'b'.before()), (4, 'a'));
    /// ```
    #[doc(hidden)]
    fn before(self) -> Self;
}

/// Wraps a range as a generator, so that `map` and `filter` are those of [`GeneratorExt`](super::GeneratorExt), not of
/// `Iterator`.
///
/// ```
/// use forall::{choice::Source, generate::{GeneratorExt, range}};
/// let even = range(0..50).map(|n| 2 * n);
/// assert!(Source::random(1, 0, 100).draw(even) < 100);
/// ```
pub fn range<R: Generator>(range: R) -> RangeOf<R> {
    RangeOf(range)
}

/// The generator that [`range`] returns.
#[derive(Clone, Copy, Debug)]
#[doc(hidden)]
pub struct RangeOf<R>(R);

impl<R: Generator> Generator for RangeOf<R> {
    type Value = R::Value;

    #[cfg_attr(debug_assertions, inline)]
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn generate(&self, source: &mut Source) -> R::Value {
        self.0.generate(source)
    }
}

impl<T: Ranged> Generator for Range<T> {
    type Value = T;

    #[cfg_attr(debug_assertions, inline)]
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn generate(&self, source: &mut Source) -> T {
        if self.start < self.end {
            T::between(self.start, self.end.before(), source)
        } else {
            empty(self, self.start.partial_cmp(&self.end), "the start must be below the end")
        }
    }
}

impl<T: Ranged> Generator for RangeInclusive<T> {
    type Value = T;

    #[cfg_attr(debug_assertions, inline)]
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn generate(&self, source: &mut Source) -> T {
        if self.start() <= self.end() {
            T::between(*self.start(), *self.end(), source)
        } else {
            empty(self, self.start().partial_cmp(self.end()), "the start must not be above the end")
        }
    }
}

impl<T: Ranged> Generator for RangeFrom<T> {
    type Value = T;

    #[cfg_attr(debug_assertions, inline)]
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn generate(&self, source: &mut Source) -> T {
        if self.start <= T::GREATEST {
            T::between(self.start, T::GREATEST, source)
        } else {
            misuse(format!("the range {self:?} is empty; the start must be a finite number"))
        }
    }
}

impl<T: Ranged> Generator for RangeTo<T> {
    type Value = T;

    #[cfg_attr(debug_assertions, inline)]
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn generate(&self, source: &mut Source) -> T {
        if T::LEAST < self.end {
            T::between(T::LEAST, self.end.before(), source)
        } else {
            misuse(format!("the range {self:?} is empty; the end must be above {:?}", T::LEAST))
        }
    }
}

impl<T: Ranged> Generator for RangeToInclusive<T> {
    type Value = T;

    #[cfg_attr(debug_assertions, inline)]
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn generate(&self, source: &mut Source) -> T {
        if T::LEAST <= self.end {
            T::between(T::LEAST, self.end, source)
        } else {
            misuse(format!("the range {self:?} is empty; the end must be a finite number"))
        }
    }
}

/// Rejects a range without values, whose ends compare like this.
#[cold]
fn empty(range: &dyn Debug, order: Option<Ordering>, rule: &str) -> ! {
    let rule = if order.is_some() { rule } else { "NaN cannot be an end of a range: use a number" };
    misuse(format!("the range {range:?} is empty; {rule}"))
}

/// Smaller ranges are uniform: every value is frequent enough.
const NARROW: u64 = 64;

/// The mixture inside a wide range, as in [`Bias`]: a quarter near the simplest value, some repeated, some at the ends,
/// and the rest uniform. Returns the distance of the value from the low end.
#[inline]
pub(super) fn offset(random: &mut Random, span: u64, simplest: u64) -> u64 {
    let draw = random.draw();
    if span < NARROW || draw.selector >= Bias::EDGE {
        scale(draw.word, span)
    } else {
        rare_offset(*random, draw, span, simplest)
    }
}

#[inline(never)]
fn rare_offset(random: Random, draw: Draw, span: u64, simplest: u64) -> u64 {
    if draw.selector < Bias::SMALL {
        return near(draw, span, simplest);
    }
    if draw.selector < Bias::AGAIN {
        let earlier = random.earlier(distance(draw));
        return if earlier.selector < Bias::SMALL { near(earlier, span, simplest) } else { scale(earlier.word, span) };
    }
    let inward = (draw.word & 7) >> (draw.selector & 3);
    if draw.word & 8 == 0 { inward } else { span - inward }
}

/// Spread over the magnitudes of the distance from the simplest value, on either side of it.
fn near(draw: Draw, span: u64, simplest: u64) -> u64 {
    let room = if draw.selector & 64 == 0 { span - simplest } else { simplest };
    let distance = scale(draw.word, room) >> (draw.selector & 63).min(room.checked_ilog2().unwrap_or(0));
    if draw.selector & 64 == 0 { simplest + distance } else { simplest - distance }
}

/// The code of `offset` in a range of `span` + 1 values whose simplest lies `simplest` above the low end.
pub(super) fn encode(offset: u128, span: u128, simplest: u128) -> u128 {
    let pairs = simplest.min(span - simplest);
    if offset > simplest {
        let above = offset - simplest;
        if above <= pairs { 2 * above - 1 } else { above + pairs }
    } else {
        let below = simplest - offset;
        if below <= pairs { 2 * below } else { below + pairs }
    }
}

pub(super) fn decode(code: u128, span: u128, simplest: u128) -> u128 {
    let pairs = simplest.min(span - simplest);
    if code > 2 * pairs {
        let distance = code - pairs;
        if simplest > pairs { simplest - distance } else { simplest + distance }
    } else if code % 2 == 1 {
        simplest + code / 2 + 1
    } else {
        simplest - code / 2
    }
}

macro_rules! integers {
    ($($t:ident $unsigned:ident)*) => {$(
        impl Ranged for $t {
            const LEAST: Self = $t::MIN;
            const GREATEST: Self = $t::MAX;

            #[inline(always)]
            fn between(low: Self, high: Self, source: &mut Source) -> Self {
                let span = high.wrapping_sub(low) as $unsigned as u64;
                if source.is_random() && span < NARROW {
                    return low.wrapping_add(scale(source.stream().0.word(), span) as $t);
                }
                wide(low, span, source)
            }

            #[inline(always)]
            fn before(self) -> Self {
                self.wrapping_sub(1)
            }
        }

        impl Simplest for $t {
            #[allow(unused_comparisons)]
            #[inline(always)]
            fn simplest(low: Self, span: u64) -> u64 {
                if low >= 0 {
                    0
                } else {
                    ((0 as $t).wrapping_sub(low) as $unsigned as u64).min(span)
                }
            }

            #[inline(always)]
            fn above(self, offset: u64) -> Self {
                self.wrapping_add(offset as $t)
            }

            fn wide(self) -> i128 {
                self as i128
            }

            fn offset_of(self, value: i128) -> Option<u64> {
                let value = $t::try_from(value).ok().filter(|value| *value >= self)?;
                Some(value.wrapping_sub(self) as $unsigned as u64)
            }
        }
    )*};
}

/// Integers of at most 64 bits, as far as ranges use them.
trait Simplest: Copy {
    /// The distance of the value nearest to zero from `low`.
    fn simplest(low: Self, span: u64) -> u64;
    fn above(self, offset: u64) -> Self;
    fn wide(self) -> i128;
    /// The distance of a value from this one.
    fn offset_of(self, value: i128) -> Option<u64>;
}

/// The meaning of a range's codes.
struct Offsets {
    low: i128,
    span: u64,
    simplest: u64,
}

impl Meaning for Offsets {
    fn value(&self, code: u64) -> i128 {
        self.low + decode(code.into(), self.span.into(), self.simplest.into()) as i128
    }

    fn code(&self, value: i128) -> Option<u64> {
        let offset = u64::try_from(value - self.low).ok().filter(|offset| *offset <= self.span)?;
        Some(encode(offset.into(), self.span.into(), self.simplest.into()) as u64)
    }
}

#[inline(never)]
fn wide<T: Simplest>(low: T, span: u64, source: &mut Source) -> T {
    let simplest = T::simplest(low, span);
    if source.is_random() {
        return low.above(offset(source.stream().0, span, simplest));
    }
    let (wide_span, middle) = (u128::from(span), u128::from(simplest));
    let offset_of = |value| low.offset_of(value).filter(|offset| *offset <= span);
    let quoted = source.literal_integer(size_of::<T>() == 1, &|value| offset_of(value).is_some());
    if let Some(offset) = quoted.and_then(offset_of) {
        let code = encode(u128::from(offset), wide_span, middle) as u64;
        return low.above(decode(u128::from(source.choice_on_tape(span, &|_, _| code)), wide_span, middle) as u64);
    }
    let offsets = Offsets { low: low.wide(), span, simplest };
    let pick = |random: &mut Random, _| encode(offset(random, span, simplest).into(), wide_span, middle) as u64;
    let code = source.number_on_tape(span, &pick, &offsets);
    low.above(decode(u128::from(code), wide_span, middle) as u64)
}

integers! { u8 u8 u16 u16 u32 u32 u64 u64 usize usize i8 u8 i16 u16 i32 u32 i64 u64 isize usize }

macro_rules! wide_integers {
    ($($t:ident)*) => {$(
        impl Ranged for $t {
            const LEAST: Self = $t::MIN;
            const GREATEST: Self = $t::MAX;

            #[allow(unused_comparisons)]
            #[inline]
            fn between(low: Self, high: Self, source: &mut Source) -> Self {
                let span = high.wrapping_sub(low) as u128;
                let simplest = if low >= 0 { 0 } else { ((0 as $t).wrapping_sub(low) as u128).min(span) };
                if !source.is_random()
                    && let Some(quoted) =
                        source.literal_integer(false, &|value| low <= value as $t && value as $t <= high)
                {
                    let code = encode((quoted as $t).wrapping_sub(low) as u128, span, simplest);
                    return low.wrapping_add(decode(wide_choice(source, span, |_, _| code), span, simplest) as $t);
                }
                let code = wide_choice(source, span, |random, _| {
                    encode(wide_offset(random, span, simplest), span, simplest)
                });
                low.wrapping_add(decode(code, span, simplest) as $t)
            }

            #[inline]
            fn before(self) -> Self {
                self.wrapping_sub(1)
            }
        }
    )*};
}

wide_integers! { u128 i128 }

#[inline]
fn wide_offset(random: &mut Random, span: u128, simplest: u128) -> u128 {
    if let (Ok(span), Ok(simplest)) = (u64::try_from(span), u64::try_from(simplest)) {
        return u128::from(offset(random, span, simplest));
    }
    let draw = random.draw();
    let word = (u128::from(draw.word) << 64) | u128::from(random.word());
    if draw.selector < Bias::SMALL {
        let room = if draw.selector & 128 == 0 { span - simplest } else { simplest };
        let distance = (word >> (draw.selector & 127)).min(room);
        return if draw.selector & 128 == 0 { simplest + distance } else { simplest - distance };
    }
    if draw.selector < Bias::EDGE {
        let inward = (draw.word as u128 & 7) >> (draw.selector & 3);
        return if draw.word & 8 == 0 { inward } else { span - inward };
    }
    match span.checked_add(1) {
        Some(count) => word % count,
        None => word,
    }
}
