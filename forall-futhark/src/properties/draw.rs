//! Candidates of any type, drawn by choices: so they shrink by their type, and what matters in them can be told.

use crate::data::{Element, Primitive, Value, f16, of_type};
use crate::datum::Datum;
use crate::datum::types::{Structure, Types};
use forall::choice::Source;
use forall::generate::{Combine, any, from_fn, vec};

/// An array has no more elements than this, however many dimensions it has.
const MOST_ELEMENTS: usize = 1 << 20;

/// A type that candidates are drawn of.
#[derive(Clone, Copy)]
pub(super) struct Drawing<'a> {
    pub(super) types: &'a Types,
}

impl Drawing<'_> {
    pub(super) fn datum(&self, type_name: &str, source: &mut Source) -> Datum {
        match self.types.structure_of(type_name) {
            Structure::Primitive(primitive) => Datum::Value(of_type!(primitive, T => Value::scalar(T::drawn(source)))),
            Structure::Record(fields) => Datum::Record(fields.iter().map(|(_, of)| self.datum(of, source)).collect()),
            Structure::Sum(variants) => {
                let variant = source.draw(0..variants.len());
                let payload = variants[variant].1.iter().map(|of| self.datum(of, source)).collect();
                Datum::Sum { variant, payload }
            }
            Structure::Array { element, rank } => self.array(&element, rank, source),
        }
    }

    fn array(&self, element: &str, rank: usize, source: &mut Source) -> Datum {
        if rank == 1 && !self.has_arrays(element) {
            let lengths = 0..=source.size() as usize;
            if let Ok(primitive) = element.parse::<Primitive>() {
                return Datum::Value(
                    of_type!(primitive, T => Value::array(source.draw(vec(from_fn(T::drawn)).len(lengths.clone())))),
                );
            }
            let elements = source.draw(vec(from_fn(|source| self.datum(element, source))).len(lengths));
            return Datum::Array { shape: vec![elements.len()], elements };
        }
        let shape = lengths(rank, source);
        let inner = self.inner_lengths(element, source);
        self.regular(element, &shape, &inner, source)
    }

    /// Whether values of this type have arrays in them.
    fn has_arrays(&self, type_name: &str) -> bool {
        self.types.leaves(type_name).iter().any(|leaf| leaf.rank > 0)
    }

    /// Arrays inside of an array's elements are all of one shape: a length for each dimension of each.
    fn inner_lengths(&self, element: &str, source: &mut Source) -> Vec<usize> {
        let deepest = self.types.leaves(element).iter().map(|leaf| leaf.rank).max().unwrap_or(0);
        lengths(deepest, source)
    }

    /// An array of this shape; arrays inside of its elements have the lengths given, from the first on.
    fn regular(&self, element: &str, shape: &[usize], inner: &[usize], source: &mut Source) -> Datum {
        let count = shape.iter().product();
        let elements = (0..count).map(|_| self.with_lengths(element, inner, source)).collect();
        Datum::array_of(elements, element, shape)
    }

    fn with_lengths(&self, type_name: &str, inner: &[usize], source: &mut Source) -> Datum {
        match self.types.structure_of(type_name) {
            Structure::Array { element, rank } => {
                let (own, rest) = inner.split_at(rank.min(inner.len()));
                self.regular(&element, own, rest, source)
            }
            Structure::Record(fields) => {
                Datum::Record(fields.iter().map(|(_, of)| self.with_lengths(of, inner, source)).collect())
            }
            Structure::Sum(variants) => {
                let variant = source.draw(0..variants.len());
                let payload = variants[variant].1.iter().map(|of| self.with_lengths(of, inner, source)).collect();
                Datum::Sum { variant, payload }
            }
            Structure::Primitive(_) => self.datum(type_name, source),
        }
    }
}

/// A length for each dimension: the fewer elements the more dimensions, and not too many in all.
fn lengths(rank: usize, source: &mut Source) -> Vec<usize> {
    let size = f64::from(source.size());
    let longest = if rank == 0 { 0 } else { size.powf(1.0 / rank as f64).ceil() as usize };
    let mut left = MOST_ELEMENTS;
    let mut lengths = Vec::with_capacity(rank);
    for _ in 0..rank {
        let length = source.draw(0..=longest.min(left));
        left = left.checked_div(length).unwrap_or(left);
        lengths.push(length);
    }
    lengths
}

/// An element that can be drawn: integers of all sizes, small ones often; floats that are numbers.
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

drawn!(i8 i16 i32 i64 u8 u16 u32 u64 bool);

impl Drawn for f32 {
    fn drawn(source: &mut Source) -> Self {
        source.draw(any::<f32>().filter(|x: &f32| x.is_finite()))
    }
}

impl Drawn for f64 {
    fn drawn(source: &mut Source) -> Self {
        source.draw(any::<f64>().filter(|x: &f64| x.is_finite()))
    }
}

impl Drawn for f16 {
    fn drawn(source: &mut Source) -> Self {
        source.draw(any::<f32>().map(f16::from_f32).filter(|x: &f16| x.is_finite()))
    }
}
