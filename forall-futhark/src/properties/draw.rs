//! Candidates of any type, drawn by choices: so they shrink by their type, and what matters in them can be told.

use super::lengths::{Lengths, MOST_ELEMENTS};
use super::sizes::Size;
use crate::data::{Element, Primitive, Value, f16, of_type};
use crate::datum::Datum;
use crate::datum::types::{Structure, Types};
use forall::choice::Source;
use forall::generate::{GeneratorExt, any, from_fn, vec};
use std::collections::HashMap;

/// A candidate of this type, with arrays as long as the source says.
pub(super) fn candidate(type_name: &str, lengths: &Lengths, types: &Types, source: &mut Source) -> Datum {
    let mut least = HashMap::new();
    lengths.each_size(&mut |size| {
        if let Some((name, number)) = size.taken_from() {
            let known: &mut i64 = least.entry(name.to_owned()).or_default();
            *known = number.max(*known);
        }
    });
    Drawing { types, named: HashMap::new(), least }.datum(type_name, lengths, source)
}

/// One candidate: sizes of one name are drawn once.
struct Drawing<'a> {
    types: &'a Types,
    named: HashMap<String, i64>,
    /// Sizes of which something is taken: so many there must be.
    least: HashMap<String, i64>,
}

impl Drawing<'_> {
    fn datum(&mut self, type_name: &str, lengths: &Lengths, source: &mut Source) -> Datum {
        match self.types.structure_of(type_name) {
            Structure::Primitive(primitive) => match lengths {
                Lengths::Is(size) => {
                    let most = i64::from(source.size());
                    Datum::Value(Value::scalar(self.size(size, most, source).unwrap_or_default()))
                }
                _ => Datum::Value(of_type!(primitive, T => Value::scalar(T::drawn(source)))),
            },
            Structure::Record(fields) => {
                Datum::Record(fields.iter().map(|(name, of)| self.datum(of, lengths.field(name), source)).collect())
            }
            Structure::Sum(variants) => {
                let variant = source.draw(0..variants.len());
                let payload = variants[variant].1.iter().map(|of| self.datum(of, &Lengths::Unknown, source)).collect();
                Datum::Sum { variant, payload }
            }
            Structure::Array { element, rank } => self.array(&element, rank, lengths, source),
        }
    }

    fn array(&mut self, element: &str, rank: usize, lengths: &Lengths, source: &mut Source) -> Datum {
        let (own, inner) = lengths.array(rank);
        if own == [None] && self.inner_rank(element) == 0 {
            return self.list(element, source);
        }
        let shape = self.shape(&own, source);
        // Arrays inside of an array's elements are all of one shape.
        let any = vec![None; self.inner_rank(element)];
        let inside = self.shape(&any, source);
        self.regular(element, inner, &shape, &inside, source)
    }

    /// An array of one dimension, of any length: its elements come and go one by one when it shrinks.
    fn list(&mut self, element: &str, source: &mut Source) -> Datum {
        let lengths = 0..=source.size() as usize;
        if let Ok(primitive) = element.parse::<Primitive>() {
            return Datum::Value(
                of_type!(primitive, T => Value::array(source.draw(vec(from_fn(T::drawn)).len(lengths.clone())))),
            );
        }
        let types = self.types;
        let one = from_fn(|source| candidate(element, &Lengths::Unknown, types, source));
        let elements = source.draw(vec(one).len(lengths));
        Datum::Array { shape: vec![elements.len()], elements }
    }

    /// How many dimensions the arrays inside of values of this type have, at most.
    fn inner_rank(&self, type_name: &str) -> usize {
        self.types.leaves(type_name).iter().map(|leaf| leaf.rank).max().unwrap_or(0)
    }

    /// A length for each dimension: the shorter the more there are, and not too many elements in all.
    fn shape(&mut self, lengths: &[Option<Size>], source: &mut Source) -> Vec<usize> {
        let size = f64::from(source.size());
        let longest = size.powf(1.0 / lengths.len().max(1) as f64).ceil() as usize;
        let mut left = MOST_ELEMENTS;
        let mut shape = Vec::with_capacity(lengths.len());
        for length in lengths {
            let most = longest.min(left);
            let drawn = match length {
                Some(size) => {
                    let said = self.size(size, most as i64, source);
                    // What cannot be, or is too large, is not what the type says then: such candidates are not tried.
                    said.and_then(|said| usize::try_from(said).ok()).filter(|said| *said <= left).unwrap_or(0)
                }
                None => source.draw(0..=most),
            };
            left = left.checked_div(drawn).unwrap_or(left);
            shape.push(drawn);
        }
        shape
    }

    /// How many a size is; names in it that are not known yet are drawn.
    fn size(&mut self, size: &Size, most: i64, source: &mut Source) -> Option<i64> {
        let Self { named, least, .. } = self;
        size.value(&mut |name| {
            if let Some(known) = named.get(name) {
                return Some(*known);
            }
            let least = least.get(name).copied().unwrap_or(0);
            let drawn = source.draw(least..=most.max(least));
            named.insert(name.to_owned(), drawn);
            Some(drawn)
        })
    }

    /// An array of this shape; arrays inside of its elements have the lengths given, from the first on.
    fn regular(
        &mut self,
        element: &str,
        of: &Lengths,
        shape: &[usize],
        inside: &[usize],
        source: &mut Source,
    ) -> Datum {
        let count = shape.iter().product();
        let elements = (0..count).map(|_| self.with_lengths(element, of, inside, source)).collect();
        Datum::array_of(elements, element, shape)
    }

    fn with_lengths(&mut self, type_name: &str, of: &Lengths, inside: &[usize], source: &mut Source) -> Datum {
        match self.types.structure_of(type_name) {
            Structure::Array { element, rank } => {
                let (said, inner) = of.array(rank);
                let (own, rest) = inside.split_at(rank.min(inside.len()));
                // What the source says counts for more than what was drawn.
                let shape: Vec<usize> = said
                    .iter()
                    .zip(own)
                    .map(|(said, drawn)| match said {
                        None => *drawn,
                        some => self.shape(std::slice::from_ref(some), source)[0],
                    })
                    .collect();
                self.regular(&element, inner, &shape, rest, source)
            }
            Structure::Record(fields) => {
                let fields =
                    fields.iter().map(|(name, field)| self.with_lengths(field, of.field(name), inside, source));
                Datum::Record(fields.collect())
            }
            Structure::Sum(variants) => {
                let variant = source.draw(0..variants.len());
                let payload = variants[variant].1.iter();
                let payload = payload.map(|part| self.with_lengths(part, &Lengths::Unknown, inside, source)).collect();
                Datum::Sum { variant, payload }
            }
            Structure::Primitive(_) => self.datum(type_name, of, source),
        }
    }
}

/// An element that can be drawn: integers of all sizes, small ones often; floats, infinite ones and NaN among them.
trait Drawn: Element {
    fn drawn(source: &mut Source) -> Self;
}

macro_rules! drawn {
    ($($T:ty)*) => {$(
        impl Drawn for $T {
            fn drawn(source: &mut Source) -> Self {
                source.draw(any::<$T>())
            }
        }
    )*};
}

drawn!(i8 i16 i32 i64 u8 u16 u32 u64 bool f32 f64);

impl Drawn for f16 {
    fn drawn(source: &mut Source) -> Self {
        // Most numbers of the wider type are too large for this one, and are not to be infinite here.
        let fits = |x: &f32| !x.is_finite() || f16::from_f32(*x).is_finite();
        source.draw(any::<f32>().filter(fits).map(f16::from_f32))
    }
}
