//! Implementations of `Arbitrary` for products: tuples, arrays, ranges; and tuples of generators.

use super::shrink::shrink_parts;
use super::{Arbitrary, Code, Generator, GeneratorExt, Heights, Visitor};
use crate::choice::Source;
use crate::within;
use std::ops::{Range, RangeFrom, RangeFull, RangeInclusive, RangeTo, RangeToInclusive};

macro_rules! tuple {
    ($($field:ident $copy:ident $index:tt)+) => {
        impl<$($field: Arbitrary),+> Arbitrary for ($($field,)+) {
            in_search!(
                plain,
                |series| ($(series.part::<$field>(),)+),
                |extent| 1.0 $(* extent.values::<$field>())+
            );

            #[inline(always)]
            fn arbitrary(source: &mut Source) -> Self {
                ($($field::arbitrary(source),)+)
            }

            #[inline]
            fn shrink(&self) -> Box<dyn Iterator<Item = Self> + '_> {
                let mut fields = Fields { whole: self, candidates: Vec::new() };
                $(fields.shrink(&self.$index, |copy, simpler| copy.$index = simpler);)+
                fields.finish()
            }

            #[inline]
            fn duplicate(&self) -> Option<Self> {
                match ($(self.$index.duplicate(),)+) {
                    ($(Some($copy),)+) => Some(($($copy,)+)),
                    _ => None,
                }
            }

            #[inline]
            fn print(&self, code: &mut Code) {
                $(print_field($index, &self.$index, code);)+
                close(&[$($index),+], code);
            }

            #[inline]
            fn mutate(mut self, source: &mut Source) -> Self {
                let field = source.choice([$($index),+].len() as u64 - 1);
                match field {
                    $($index => self.$index = self.$index.mutate(source),)+
                    _ => {}
                }
                self
            }

            #[inline]
            fn visit(&self, visitor: &mut dyn Visitor) {
                $(self.$index.visit(visitor);)+
            }

            #[inline]
            fn height(heights: &mut Heights) -> u32 {
                highest(&[$($field::height(heights)),+])
            }
        }

        impl<$($field: Generator),+> Generator for ($($field,)+) {
            type Value = ($($field::Value,)+);

            #[inline(always)]
            fn generate(&self, source: &mut Source) -> Self::Value {
                ($(self.$index.generate(source),)+)
            }
        }

        impl<$($field: Generator),+> GeneratorExt for ($($field,)+) {}
    };
}

/// Copies of a tuple in which one field is simpler.
struct Fields<'a, T> {
    whole: &'a T,
    candidates: Vec<Box<dyn Iterator<Item = T> + 'a>>,
}

impl<'a, T: Arbitrary> Fields<'a, T> {
    /// Adds copies in which `set` has replaced this field with a simpler one.
    fn shrink<F: Arbitrary>(&mut self, field: &'a F, set: fn(&mut T, F)) {
        let whole = self.whole;
        self.candidates.push(Box::new(field.shrink().map_while(move |simpler| {
            let mut copy = whole.duplicate()?;
            set(&mut copy, simpler);
            Some(copy)
        })));
    }

    fn finish(self) -> Box<dyn Iterator<Item = T> + 'a> {
        Box::new(self.candidates.into_iter().flatten())
    }
}

fn print_field<T: Arbitrary>(index: u32, field: &T, code: &mut Code) {
    code.push(if index > 0 { ", " } else { "(" });
    field.print(code);
}

fn close(indices: &[u32], code: &mut Code) {
    code.push(if indices.len() == 1 { ",)" } else { ")" });
}

fn highest(heights: &[u32]) -> u32 {
    let mut highest = 0;
    for &height in heights {
        highest = height.max(highest);
    }
    highest
}

tuple!(A a 0);
tuple!(A a 0 B b 1);
tuple!(A a 0 B b 1 C c 2);
tuple!(A a 0 B b 1 C c 2 D d 3);
tuple!(A a 0 B b 1 C c 2 D d 3 E e 4);
tuple!(A a 0 B b 1 C c 2 D d 3 E e 4 F f 5);
tuple!(A a 0 B b 1 C c 2 D d 3 E e 4 F f 5 G g 6);
tuple!(A a 0 B b 1 C c 2 D d 3 E e 4 F f 5 G g 6 H h 7);
tuple!(A a 0 B b 1 C c 2 D d 3 E e 4 F f 5 G g 6 H h 7 I i 8);
tuple!(A a 0 B b 1 C c 2 D d 3 E e 4 F f 5 G g 6 H h 7 I i 8 J j 9);
tuple!(A a 0 B b 1 C c 2 D d 3 E e 4 F f 5 G g 6 H h 7 I i 8 J j 9 K k 10);
tuple!(A a 0 B b 1 C c 2 D d 3 E e 4 F f 5 G g 6 H h 7 I i 8 J j 9 K k 10 L l 11);

impl<T: Arbitrary, const N: usize> Arbitrary for [T; N] {
    in_search!(plain, |series| std::array::from_fn(|_| series.part()), |extent| extent.values::<T>().powi(N as i32));

    #[inline(always)]
    fn arbitrary(source: &mut Source) -> Self {
        if !source.is_random() {
            source.begin_literal(N, &|length| length == N);
            let array = std::array::from_fn(|_| T::arbitrary(source));
            source.end_literal();
            return array;
        }
        std::array::from_fn(|_| T::arbitrary(source))
    }

    #[inline]
    fn shrink(&self) -> Box<dyn Iterator<Item = Self> + '_> {
        let shorter = shrink_parts(self.iter().collect(), N, |value: &&T| value.duplicate(), |value| value.shrink());
        Box::new(shorter.filter_map(|values| values.try_into().ok()))
    }

    #[inline]
    fn duplicate(&self) -> Option<Self> {
        let values: Option<Vec<T>> = self.iter().map(Arbitrary::duplicate).collect();
        values?.try_into().ok()
    }

    #[inline]
    fn print(&self, code: &mut Code) {
        code.list("[", self, "]");
    }

    #[inline]
    fn mutate(self, source: &mut Source) -> Self {
        let at = source.choice((N as u64).saturating_sub(1)) as usize;
        let mut index = 0;
        self.map(|value| {
            index += 1;
            if index - 1 == at { value.mutate(source) } else { value }
        })
    }

    #[inline]
    fn visit(&self, visitor: &mut dyn Visitor) {
        for value in self {
            value.visit(visitor);
        }
    }

    #[inline]
    fn height(heights: &mut Heights) -> u32 {
        if N == 0 { 0 } else { T::height(heights) }
    }
}

/// Types with a single constructor, seen as a tuple of their fields.
macro_rules! like_a_tuple {
    ($($t:ident<T> ($($field:ident),+) [$fields:ty] $take:expr, $make:expr, $open:literal $(, $middle:literal)?;)*) => {$(
        impl<T: Arbitrary> Arbitrary for $t<T> {
            #[inline]
            fn arbitrary(source: &mut Source) -> Self {
                ($make)(<$fields>::arbitrary(source))
            }

            #[inline]
            fn shrink(&self) -> Box<dyn Iterator<Item = Self> + '_> {
                let Some(fields) = self.duplicate().map($take) else { return Box::new(std::iter::empty()) };
                Box::new(fields.shrink().map($make).collect::<Vec<_>>().into_iter())
            }

            #[inline]
            fn duplicate(&self) -> Option<Self> {
                $(let $field = ends::$field(self)?.duplicate()?;)+
                Some(($make)(($($field,)+)))
            }

            #[inline]
            fn print(&self, code: &mut Code) {
                let mut parts = [$(ends::$field(self)),+].into_iter().flatten();
                code.push($open);
                if let Some(first) = parts.next() {
                    print_end(first, code);
                }
                $(code.push($middle);)?
                if let Some(second) = parts.next() {
                    print_end(second, code);
                }
            }

            #[inline]
            fn height(heights: &mut Heights) -> u32 {
                T::height(heights)
            }
        }
    )*};
}

/// Writes an end of a range: a range of ranges needs brackets.
fn print_end<T: Arbitrary>(end: &T, code: &mut Code) {
    match Code::of(end) {
        Some(text) if within::contains(&text, "..") => write!(code, "({text})"),
        Some(text) => code.push(&text),
        None => code.opaque(),
    }
}

/// The ends of a range, by reference.
mod ends {
    use std::ops::{Bound, RangeBounds};

    pub(super) fn start<T>(range: &impl RangeBounds<T>) -> Option<&T> {
        match range.start_bound() {
            Bound::Included(start) | Bound::Excluded(start) => Some(start),
            Bound::Unbounded => None,
        }
    }

    pub(super) fn end<T>(range: &impl RangeBounds<T>) -> Option<&T> {
        match range.end_bound() {
            Bound::Included(end) | Bound::Excluded(end) => Some(end),
            Bound::Unbounded => None,
        }
    }
}

like_a_tuple! {
    Range<T> (start, end) [(T, T)] |r: Range<T>| (r.start, r.end), |(start, end)| Range { start, end }, "", "..";
    RangeInclusive<T> (start, end) [(T, T)]
        |r: RangeInclusive<T>| r.into_inner(), |(start, end)| RangeInclusive::new(start, end), "", "..=";
    RangeFrom<T> (start) [(T,)] |r: RangeFrom<T>| (r.start,), |(start,)| RangeFrom { start }, "", "..";
    RangeTo<T> (end) [(T,)] |r: RangeTo<T>| (r.end,), |(end,)| RangeTo { end }, "..";
    RangeToInclusive<T> (end) [(T,)] |r: RangeToInclusive<T>| (r.end,), |(end,)| RangeToInclusive { end }, "..=";
}

impl Arbitrary for RangeFull {
    #[inline]
    fn arbitrary(_: &mut Source) -> Self {
        ..
    }

    #[inline]
    fn duplicate(&self) -> Option<Self> {
        Some(..)
    }

    #[inline]
    fn print(&self, code: &mut Code) {
        code.push("..");
    }
}
