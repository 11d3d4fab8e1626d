//! Candidates of any type, drawn as choices, so that they can be shrunk by type and explained.

use super::lengths::{Lengths, MOST_ELEMENTS};
use super::sizes::Size;
use crate::data::{Element, Primitive, Value, f16, of_type};
use crate::datum::Datum;
use crate::datum::types::{Structure, Types};
use forall::choice::{Random, Source};
use forall::generate::{GeneratorExt, any, from_fn, vec};
use std::collections::HashMap;

/// One candidate in this many is drawn at the maximum size, with all dimensions as long as each other, as all candidates of
/// `futhark test` are. Lists have the maximum length in half of these candidates.
const ONE_IN: u64 = 8;

/// The maximum number of elements of a multi-dimensional array with a dimension of the maximum length: larger ones would take
/// too long.
const MOST_SQUARE: usize = 1 << 18;

/// Draws a candidate of this type, with array lengths from the source, or else up to `largest`.
pub(super) fn candidate(type_name: &str, lengths: &Lengths, types: &Types, largest: u32, source: &mut Source) -> Datum {
    let mut least = HashMap::new();
    lengths.each_size(&mut |size| {
        if let Some((name, number)) = size.taken_from() {
            let known: &mut i64 = least.entry(name.to_owned()).or_default();
            *known = number.max(*known);
        }
    });
    let mut drawing = Drawing { types, named: HashMap::new(), least, largest, is_largest: false };
    if types.inner_rank(type_name) > 0 {
        // On replay this choice has no effect, since the lengths are recorded.
        drawing.is_largest = source.choice_with(1, |random, _| u64::from(random.up_to(ONE_IN - 1) == 0)) == 1;
    }
    match drawing.is_largest {
        true => source.with_size(largest, |source| drawing.datum(type_name, lengths, source)),
        false => drawing.datum(type_name, lengths, source),
    }
}

/// The length of a dimension: usually up to `most`, sometimes `largest`; `together` where all dimensions are as long as possible.
#[derive(Clone, Copy)]
struct Extent {
    most: usize,
    largest: usize,
    together: usize,
}

/// Returns the largest length of so many equal dimensions with at most this many elements.
fn root(elements: usize, rank: usize) -> usize {
    let fits =
        |length: &usize| length.checked_pow(u32::try_from(rank).unwrap_or(u32::MAX)).is_some_and(|all| all <= elements);
    // Only floating-point rounding is repaired.
    let near = (elements as f64).powf(1.0 / rank.max(1) as f64) as usize;
    (near..=near + 1).rev().find(fits).unwrap_or(1)
}

/// The state of drawing one candidate: each named size is drawn once.
struct Drawing<'a> {
    types: &'a Types,
    named: HashMap<String, i64>,
    /// The minimum of each size, from expressions such as `n - 2`.
    least: HashMap<String, i64>,
    /// The maximum length of an array, unless its type defines another.
    largest: u32,
    /// Whether all arrays have the maximum length.
    is_largest: bool,
}

impl Drawing<'_> {
    fn datum(&mut self, type_name: &str, lengths: &Lengths, source: &mut Source) -> Datum {
        match &*self.types.structure_of(type_name) {
            Structure::Primitive(primitive) => match lengths {
                Lengths::Is(size) => {
                    let (most, largest) = (source.size().min(self.largest) as usize, self.largest as usize);
                    let extent = Extent { most, largest, together: largest };
                    Datum::Value(Value::scalar(self.size(size, extent, source).unwrap_or_default()))
                }
                _ => Datum::Value(of_type!(*primitive, T => Value::scalar(T::drawn(source)))),
            },
            Structure::Record(fields) => {
                Datum::Record(fields.iter().map(|(name, of)| self.datum(of, lengths.field(name), source)).collect())
            }
            Structure::Sum(variants) => {
                let variant = source.draw(0..variants.len());
                let payload = variants[variant].1.iter().map(|of| self.datum(of, &Lengths::Unknown, source)).collect();
                Datum::Sum { variant, payload }
            }
            Structure::Array { element, rank } => self.array(element, *rank, lengths, source),
        }
    }

    fn array(&mut self, element: &str, rank: usize, lengths: &Lengths, source: &mut Source) -> Datum {
        let (own, inner) = lengths.array(rank);
        if *own == [None] && (element.parse::<Primitive>().is_ok() || self.types.inner_rank(element) == 0) {
            return self.list(element, source);
        }
        // Arrays within an array's elements all have the same shape.
        let any = vec![None; self.types.inner_rank(element)];
        let rank = own.len() + any.len();
        let shape = self.shape(&own, rank, MOST_ELEMENTS, source);
        let left = MOST_ELEMENTS / shape.iter().product::<usize>().max(1);
        let inside = self.shape(&any, rank, left, source);
        self.regular(element, inner, &shape, &inside, source)
    }

    /// Draws a one-dimensional array of any length. Shrinking removes its elements one by one.
    fn list(&mut self, element: &str, source: &mut Source) -> Datum {
        let lengths = forall::generate::Lengths::reaching(self.largest as usize);
        if let Ok(primitive) = element.parse::<Primitive>() {
            return Datum::Value(
                of_type!(primitive, T => Value::array(source.draw(vec(from_fn(T::drawn)).len(lengths)))),
            );
        }
        let (types, largest) = (self.types, self.largest);
        let one = from_fn(|source| candidate(element, &Lengths::Unknown, types, largest, source));
        let elements = source.draw(vec(one).len(lengths));
        Datum::Array { shape: vec![elements.len()], elements }
    }

    /// Draws a length for each dimension: shorter for more dimensions, with a limited total number of elements.
    /// Sometimes one dimension has the maximum length, or all have the same that is as long as this limit allows.
    fn shape(&mut self, lengths: &[Option<Size>], rank: usize, mut left: usize, source: &mut Source) -> Vec<usize> {
        let size = f64::from(source.size().min(self.largest));
        let longest = size.powf(1.0 / lengths.len().max(1) as f64).ceil() as usize;
        let together = (self.largest as usize).min(root(MOST_SQUARE, rank));
        let mut shape = Vec::with_capacity(lengths.len());
        let mut square = MOST_SQUARE;
        for (at, length) in lengths.iter().enumerate() {
            let most = longest.min(left);
            // The dimensions that follow are usually as short as this, unless they have the same name.
            let others = longest.saturating_pow(u32::try_from(rank.saturating_sub(at + 1)).unwrap_or(u32::MAX));
            let alone = match length {
                Some(_) => together,
                None => (self.largest as usize).min(square / others.max(1)),
            };
            let fit = |length: usize| length.clamp(most, left.max(most));
            let extent = Extent { most, largest: fit(alone), together: fit(together) };
            let drawn = match length {
                Some(size) => {
                    let said = self.size(size, extent, source);
                    // An impossible or too large size yields a value that does not match its type: such candidates are
                    // skipped.
                    said.and_then(|said| usize::try_from(said).ok()).filter(|said| *said <= left).unwrap_or(0)
                }
                None => self.length(0, extent, source),
            };
            left = left.checked_div(drawn).unwrap_or(left);
            square = square.checked_div(drawn).unwrap_or(square);
            shape.push(drawn);
        }
        shape
    }

    /// Draws one length, at least the minimum.
    fn length(&self, least: usize, Extent { most, largest, together }: Extent, source: &mut Source) -> usize {
        let [most, largest, together] = [most, largest, together].map(|length| length.saturating_sub(least) as u64);
        let pick = |random: &mut Random, _| match random.up_to(ONE_IN - 1) {
            _ if self.is_largest => together,
            0 => largest,
            _ => random.up_to(most),
        };
        least + source.choice_with(largest.max(together), pick) as usize
    }

    /// Returns the value of a size. Unknown names in it are drawn.
    fn size(&mut self, size: &Size, extent: Extent, source: &mut Source) -> Option<i64> {
        size.value(&mut |name| {
            if let Some(known) = self.named.get(name) {
                return Some(*known);
            }
            let least = self.least.get(name).copied().unwrap_or(0);
            let drawn = self.length(usize::try_from(least).unwrap_or(0), extent, source) as i64;
            self.named.insert(name.to_owned(), drawn);
            Some(drawn)
        })
    }

    /// Draws an array of this shape. Arrays within its elements have the given lengths.
    fn regular(
        &mut self,
        element: &str,
        of: &Lengths,
        shape: &[usize],
        inside: &[usize],
        source: &mut Source,
    ) -> Datum {
        let count = shape.iter().product();
        if let (Ok(primitive), Lengths::Unknown) = (element.parse::<Primitive>(), of) {
            let elements = of_type!(primitive, T => T::elements((0..count).map(|_| T::drawn(source)).collect()));
            return Datum::Value(Value::from_elements(elements, shape).unwrap_or_else(|| Value::scalar(false)));
        }
        let elements = (0..count).map(|_| self.with_lengths(element, of, inside, source)).collect();
        Datum::array_of(elements, element, shape)
    }

    fn with_lengths(&mut self, type_name: &str, of: &Lengths, inside: &[usize], source: &mut Source) -> Datum {
        match &*self.types.structure_of(type_name) {
            Structure::Array { element, rank } => {
                let (said, inner) = of.array(*rank);
                let (own, rest) = inside.split_at((*rank).min(inside.len()));
                // Sizes from the source take precedence over drawn ones.
                let shape: Vec<usize> = said
                    .iter()
                    .zip(own)
                    .map(|(said, drawn)| match said {
                        None => *drawn,
                        some => self.shape(std::slice::from_ref(some), 1, MOST_ELEMENTS, source)[0],
                    })
                    .collect();
                self.regular(element, inner, &shape, rest, source)
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

/// A primitive element: integers of all magnitudes, often small; floats, including infinities and NaN.
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
        // Most numbers of the wider type are too large for this type, and must not become infinite.
        let fits = |x: &f32| !x.is_finite() || f16::from_f32(*x).is_finite();
        source.draw(any::<f32>().filter(fits).map(f16::from_f32))
    }
}

#[cfg(test)]
mod tests {
    use super::super::lengths::lengths_in;
    use super::*;

    /// Returns the shapes of the arrays in the first candidates of a run, in order.
    fn shapes(of: &str, lengths: &Lengths, seed: u64, tests: u64) -> Vec<Vec<Vec<usize>>> {
        shapes_up_to(50, of, lengths, seed, tests)
    }

    fn shapes_up_to(largest: u32, of: &str, lengths: &Lengths, seed: u64, tests: u64) -> Vec<Vec<Vec<usize>>> {
        let types = Types::default();
        let sizes = forall::run::Schedule::Spread { from: 0, to: largest };
        let drawn = |index| {
            let mut source = Source::test(seed, index, sizes.size(index));
            let datum = candidate(of, lengths, &types, largest, &mut source);
            datum.leaves(of, &types).iter().map(|value| value.shape().to_vec()).collect()
        };
        (0..tests).map(drawn).collect()
    }

    #[test]
    fn empty_and_largest_arrays_are_generated_early() {
        for seed in 0..20 {
            for (of, largest, smallest) in [
                ("[]i8", vec![vec![50]], vec![vec![0]]),
                ("[][]i8", vec![vec![50, 50]], vec![vec![0, 0]]),
                ("([]i8, []bool)", vec![vec![50], vec![50]], vec![vec![0], vec![0]]),
            ] {
                // Shaped tests change some of their draws, so the maximum is rarer among the first candidates than
                // later.
                let all = shapes(of, &Lengths::Unknown, seed, 300);
                assert!(all.contains(&largest), "{of}, seed {seed}");
                assert!(all.contains(&smallest), "{of}, seed {seed}");
                assert!(all.iter().flatten().flatten().all(|length| *length <= 50), "{of}, seed {seed}");
            }
        }
    }

    #[test]
    fn each_dimension_reaches_the_maximum_where_all_together_are_too_large() {
        for (of, largest, together) in [("[][]i8", 600, 512), ("[][][][]i8", 50, 22)] {
            let all = shapes_up_to(largest, of, &Lengths::Unknown, 1, 200);
            let shapes: Vec<&Vec<usize>> = all.iter().flatten().collect();
            let rank = shapes[0].len();
            assert!(shapes.contains(&&vec![together; rank]), "{of}");
            for dimension in 0..rank {
                assert!(shapes.iter().any(|shape| shape[dimension] == largest as usize), "{of}, dimension {dimension}");
            }
        }
    }

    #[test]
    fn named_sizes_reach_the_maximum() {
        let source = "entry p [n][m] (a: [n][m]i32) (b: [m][n]i32) : bool = true";
        let lengths = lengths_in(source, "").remove("p").unwrap();
        for seed in 0..20 {
            let all = shapes("([][]i32, [][]i32)", &lengths, seed, 100);
            assert!(all.contains(&vec![vec![50, 50], vec![50, 50]]), "seed {seed}");
            assert!(all.iter().any(|both| both[0][0] != both[0][1]), "seed {seed}");
        }
    }
}
