//! Shrinking of values by type: shorter arrays, simpler parts, scalars closer to zero.

use crate::data::{Element, Elements, Value, each};
use crate::datum::Datum;

/// The maximum number of candidates for one value.
const MOST: usize = 2000;

/// Returns simpler values, by the structure of the value.
pub(super) fn by_type(datum: &Datum) -> Vec<Datum> {
    let mut all = Vec::new();
    shorter_together(datum, &mut all);
    parts(datum, &mut all);
    all.truncate(MOST);
    all
}

/// Removes elements from all arrays of equal length, along the same dimension, since the lengths may be required to
/// stay equal.
fn shorter_together(datum: &Datum, all: &mut Vec<Datum>) {
    let mut lengths = Vec::new();
    lengths_by_dimension(datum, &mut lengths);
    lengths.sort_unstable();
    lengths.dedup();
    for (dimension, length) in lengths.into_iter().filter(|(_, length)| *length > 0) {
        for (from, to) in cuts(length) {
            all.push(without(datum, &Cut { dimension, length, from, to }));
        }
    }
}

fn lengths_by_dimension(datum: &Datum, lengths: &mut Vec<(usize, usize)>) {
    lengths.extend(datum.shape().iter().copied().enumerate());
    match datum {
        Datum::Record(parts) | Datum::Sum { payload: parts, .. } => {
            parts.iter().for_each(|part| lengths_by_dimension(part, lengths));
        }
        _ => {}
    }
}

/// The range to remove from arrays with this length along a dimension.
struct Cut {
    dimension: usize,
    length: usize,
    from: usize,
    to: usize,
}

impl Cut {
    /// Returns the remaining shape, if the cut applies to arrays of this shape.
    fn shape(&self, shape: &[usize]) -> Option<Vec<usize>> {
        let mut left = shape.to_vec();
        *left.get_mut(self.dimension).filter(|length| **length == self.length)? -= self.to - self.from;
        Some(left)
    }

    /// Returns the remaining elements of an array of this shape.
    fn left<T: Clone>(&self, shape: &[usize], elements: &[T]) -> Vec<T> {
        let row: usize = shape[self.dimension + 1..].iter().product();
        let is_left = |at: usize| !(self.from..self.to).contains(&(at / row.max(1) % self.length));
        elements.iter().enumerate().filter(|(at, _)| is_left(*at)).map(|(_, one)| one.clone()).collect()
    }
}

/// Returns the ranges to remove: all, halves, quarters, down to single elements.
fn cuts(length: usize) -> Vec<(usize, usize)> {
    let mut all = Vec::new();
    let mut piece = length;
    while piece > 0 && all.len() < 200 {
        all.extend((0..length).step_by(piece).map(|from| (from, (from + piece).min(length))));
        piece /= 2;
    }
    all
}

/// Returns the value with elements removed from its arrays of this length.
fn without(datum: &Datum, cut: &Cut) -> Datum {
    let all_without = |parts: &[Datum]| parts.iter().map(|part| without(part, cut)).collect();
    match datum {
        Datum::Value(value) => match cut.shape(value.shape()) {
            Some(shape) => {
                let elements = each!(value.elements(), xs => Element::elements(cut.left(value.shape(), xs)));
                Datum::Value(Value::from_elements(elements, &shape).unwrap_or_else(|| value.clone()))
            }
            None => datum.clone(),
        },
        Datum::Array { shape, elements } => match cut.shape(shape) {
            Some(left) => Datum::Array { elements: cut.left(shape, elements), shape: left },
            None => datum.clone(),
        },
        Datum::Record(parts) => Datum::Record(all_without(parts)),
        Datum::Sum { variant, payload } => Datum::Sum { variant: *variant, payload: all_without(payload) },
    }
}

/// Simplifies one part at a time, and leaves the others unchanged.
fn parts(datum: &Datum, all: &mut Vec<Datum>) {
    match datum {
        Datum::Value(value) => all.extend(
            each!(value.elements(), xs => simpler_elements(xs))
                .into_iter()
                .filter_map(|elements| Value::from_elements(elements, value.shape()).map(Datum::Value)),
        ),
        Datum::Record(fields) => one_of(fields, all, Datum::Record),
        Datum::Sum { variant, payload } => {
            one_of(payload, all, |payload| Datum::Sum { variant: *variant, payload });
        }
        Datum::Array { shape, elements } => {
            one_of(elements, all, |elements| Datum::Array { shape: shape.clone(), elements });
        }
    }
}

fn one_of(parts_of: &[Datum], all: &mut Vec<Datum>, whole: impl Fn(Vec<Datum>) -> Datum) {
    for (at, part) in parts_of.iter().enumerate() {
        let mut simpler = Vec::new();
        parts(part, &mut simpler);
        for one in simpler {
            let mut changed = parts_of.to_vec();
            changed[at] = one;
            all.push(whole(changed));
            if all.len() > MOST {
                return;
            }
        }
    }
}

fn simpler_elements<T: Element + Simpler>(elements: &[T]) -> Vec<Elements> {
    let mut all = Vec::new();
    for (at, element) in elements.iter().enumerate() {
        for simpler in element.simpler() {
            let mut changed = elements.to_vec();
            changed[at] = simpler;
            all.push(T::elements(changed));
            if all.len() > MOST {
                return all;
            }
        }
    }
    all
}

/// Returns the sum of the magnitudes in a value.
pub(super) fn magnitude(datum: &Datum) -> f64 {
    match datum {
        Datum::Value(value) => {
            each!(value.elements(), xs => xs.iter().map(|x| x.magnitude()).sum())
        }
        Datum::Record(parts) | Datum::Sum { payload: parts, .. } | Datum::Array { elements: parts, .. } => {
            parts.iter().map(magnitude).sum()
        }
    }
}

/// Simpler scalars: closer to zero.
trait Simpler: Sized + Copy {
    fn simpler(self) -> Vec<Self>;

    /// Returns the distance from zero; slightly larger for negative numbers.
    fn magnitude(self) -> f64;
}

macro_rules! integers {
    ($($T:ty)*) => {$(
        impl Simpler for $T {
            fn simpler(self) -> Vec<Self> {
                let mut all = Vec::new();
                #[allow(unused_comparisons, reason = "the macro covers unsigned types")]
                if self < 0 {
                    all.extend((0 as $T).checked_sub(self));
                }
                // First zero, then half of the distance, and so on down to the neighbour.
                let mut distance = self;
                while distance != 0 {
                    all.push(self - distance);
                    distance /= 2;
                }
                all
            }

            #[allow(unused_comparisons, reason = "the macro covers unsigned types")]
            fn magnitude(self) -> f64 {
                (self as f64).abs() + if self < 0 { 0.5 } else { 0.0 }
            }
        }
    )*};
}

integers!(i8 i16 i32 i64 u8 u16 u32 u64);

impl Simpler for bool {
    fn simpler(self) -> Vec<Self> {
        if self { vec![false] } else { Vec::new() }
    }

    fn magnitude(self) -> f64 {
        if self { 1.0 } else { 0.0 }
    }
}

macro_rules! floats {
    ($($T:ty)*) => {$(
        impl Simpler for $T {
            fn simpler(self) -> Vec<Self> {
                let wide = f64::from(self);
                if wide == 0.0 {
                    return Vec::new();
                }
                let all = [0.0, wide.abs(), wide.trunc(), (wide / 2.0).trunc(), wide - wide.signum()];
                let is_simpler = |one: &f64| {
                    let digits = |x: f64| x.to_string().trim_start_matches('-').len();
                    let (len, own) = (digits(*one), digits(wide));
                    one.is_finite() && (len, one.abs(), *one < 0.0) < (own, wide.abs(), wide < 0.0)
                };
                all.into_iter().filter(is_simpler).map(Self::narrowed).collect()
            }

            fn magnitude(self) -> f64 {
                f64::from(self).abs()
            }
        }
    )*};
}

/// A float that can be converted from a wider one.
trait Narrowed {
    fn narrowed(wide: f64) -> Self;
}

impl Narrowed for crate::data::f16 {
    fn narrowed(wide: f64) -> Self {
        Self::from_f64(wide)
    }
}

impl Narrowed for f32 {
    fn narrowed(wide: f64) -> Self {
        wide as Self
    }
}

impl Narrowed for f64 {
    fn narrowed(wide: f64) -> Self {
        wide
    }
}

floats!(crate::data::f16 f32 f64);

#[cfg(test)]
mod tests {
    use super::*;
    use crate::datum::Native;

    /// Returns a minimal value that satisfies a condition, by greedily taking the first simpler one that does.
    fn smallest(mut datum: Datum, still: impl Fn(&Datum) -> bool) -> Datum {
        while let Some(next) = by_type(&datum).into_iter().find(&still) {
            datum = next;
        }
        datum
    }

    #[test]
    fn values_shrink_to_their_minimum() {
        let big = (vec![5i32, -70, 900, 3], vec![1u8, 2, 3, 4], -3.75f32).into_datum();
        let sum = |datum: &Datum| <(Vec<i32>, Vec<u8>, f32)>::from_datum(datum).unwrap().0.iter().sum::<i32>();
        let found = smallest(big, |datum| sum(datum) >= 100);
        assert_eq!(found, (vec![100i32], vec![0u8], 0.0f32).into_datum(), "arrays of one length stay so");
    }

    #[test]
    fn arrays_become_shorter_along_every_dimension() {
        let elements = i32::elements((0..24).collect());
        let matrix = Datum::Value(Value::from_elements(elements, &[4, 6]).unwrap());
        let found = smallest(matrix, |datum| datum.shape()[0] >= 2 && datum.shape()[1] >= 3);
        assert_eq!((found.shape(), found.count()), (&[2, 3][..], 6));
        let elements = i32::elements((0..6).collect());
        let matrix = Datum::Value(Value::from_elements(elements, &[2, 3]).unwrap());
        let middle = without(&matrix, &Cut { dimension: 1, length: 3, from: 1, to: 2 });
        let elements = i32::elements(vec![0, 2, 3, 5]);
        assert_eq!(middle, Datum::Value(Value::from_elements(elements, &[2, 2]).unwrap()));
    }

    #[test]
    fn integers_lead_to_all_that_are_nearer_to_zero() {
        assert_eq!(7u8.simpler(), [0, 4, 6]);
        assert_eq!((-3i8).simpler(), [3, 0, -2]);
        assert_eq!(i64::MIN.simpler().first(), Some(&0));
        assert!(0i32.simpler().is_empty());
    }
}
