//! Intervals and matrices.

use super::OWN_LABELS;
use crate::choice::{Sequence, Source};
use crate::generate::{Generator, GeneratorExt, Lengths, Parts, Ranged, build, build_up_to, from_fn, range, vec};
use std::cell::Cell;
use std::ops::RangeInclusive;

/// Returns a generator of intervals within bounds, both ends included: the first is never above the second.
///
/// ```
/// use forall::{choice::{Sequence, Source}, extra::interval};
/// assert_eq!(Source::replay(&Sequence::default()).draw(interval(5..=9)), 5..=5);
/// let hours = Source::random(1, 0, 100).draw(interval(0..=24));
/// assert!(0 <= *hours.start() && hours.start() <= hours.end() && *hours.end() <= 24);
/// ```
pub fn interval<T: Ranged + Copy>(bounds: RangeInclusive<T>) -> impl GeneratorExt<Value = RangeInclusive<T>> {
    from_fn(move |source: &mut Source| {
        let low = source.draw(range(*bounds.start()..=*bounds.end()));
        low..=source.draw(range(low..=*bounds.end()))
    })
}

/// Returns a generator of disjoint intervals within bounds, in order: as many as fit, and at most `most`. Neighbours
/// may touch: one may end just before the next begins.
///
/// ```
/// use forall::{choice::Source, extra::disjoint_intervals};
/// let booked = Source::random(1, 0, 100).draw(disjoint_intervals(0..=1000, 10));
/// assert!(booked.windows(2).all(|pair| pair[0].end() < pair[1].start()));
/// ```
#[inline]
pub fn disjoint_intervals(
    bounds: RangeInclusive<i64>,
    most: usize,
) -> impl GeneratorExt<Value = Vec<RangeInclusive<i64>>> {
    from_fn(move |source: &mut Source| {
        // Ends are drawn all at once and sorted: two for each interval.
        let mut ends: Vec<i64> = source
            .draw(vec((bounds.clone(), bounds.clone())).len(0..=most))
            .into_iter()
            .flat_map(|(a, b)| [a, b])
            .collect();
        ends.sort_unstable();
        let mut intervals: Vec<RangeInclusive<i64>> = Vec::new();
        for pair in ends.chunks_exact(2) {
            if intervals.last().is_none_or(|before| *before.end() < pair[0]) {
                intervals.push(pair[0]..=pair[1]);
            }
        }
        intervals
    })
}

/// A matrix: rows of equal length.
///
/// ```
/// use forall::extra::Matrix;
/// let matrix = Matrix { rows: vec![vec![1, 2, 3], vec![4, 5, 6]], columns: 3 };
/// assert_eq!((matrix.rows.len(), matrix.columns), (2, 3));
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Matrix<T> {
    /// The rows.
    pub rows: Vec<Vec<T>>,
    /// The number of columns, also of a matrix without rows.
    pub columns: usize,
}

/// Returns a generator of matrices with this many rows and columns.
///
/// ```
/// use forall::{choice::Source, extra::matrix};
/// let matrix = Source::random(1, 0, 100).draw(matrix(0..10, 1..=4, 3));
/// assert!(matrix.rows.iter().all(|row| row.len() == 3));
/// ```
pub fn matrix<G: Generator>(
    element: G,
    rows: impl Into<Lengths>,
    columns: impl Into<Lengths>,
) -> impl GeneratorExt<Value = Matrix<G::Value>> {
    let (rows, columns) = (rows.into(), columns.into());
    from_fn(move |source: &mut Source| shaped(source, &element, (rows, columns), None))
}

/// Returns a generator of one to `most` matrices that can be multiplied: each has as many rows as the previous one has
/// columns.
///
/// ```
/// use forall::{choice::Source, extra::matrix_chain};
/// let chain = Source::random(1, 0, 100).draw(matrix_chain(0..10, 1..=5, 4));
/// assert!(chain.windows(2).all(|pair| pair[0].columns == pair[1].rows.len()));
/// ```
pub fn matrix_chain<G: Generator>(
    element: G,
    sides: impl Into<Lengths>,
    most: usize,
) -> impl GeneratorExt<Value = Vec<Matrix<G::Value>>> {
    let sides = sides.into();
    from_fn(move |source: &mut Source| {
        let before = Cell::new(None);
        let next = from_fn(|source: &mut Source| {
            let matrix = shaped(source, &element, (sides, sides), before.get());
            before.set(Some(matrix.columns));
            matrix
        });
        source.draw(vec(next).len(1..=most.max(1)))
    })
}

/// A matrix with this number of rows, if given. Its first row determines the number of columns.
fn shaped<G: Generator>(
    source: &mut Source,
    element: &G,
    (rows, columns): (Lengths, Lengths),
    wanted: Option<usize>,
) -> Matrix<G::Value> {
    let width = Cell::new(None);
    let row = |source: &mut Source| {
        let row = list(source, columns, width.get(), &mut |source| source.draw(element));
        width.set(Some(row.len()));
        row
    };
    let rows = source.span(ROWS, |source| list(source, rows, wanted, &mut |source| source.span(ROW, row)));
    // A matrix without rows has columns as well.
    let columns =
        width.get().unwrap_or_else(|| source.span(ROW, |source| list(source, columns, None, &mut |_| ())).len());
    Matrix { rows, columns }
}

/// A list; of exactly this length if given.
///
/// The record is the same in both cases: so a row can become the first one, which determines the length of the others,
/// when those before it are deleted. A list that is then too long or too short is truncated, or padded with the
/// simplest.
fn list<T>(
    source: &mut Source,
    lengths: Lengths,
    wanted: Option<usize>,
    draw: &mut dyn FnMut(&mut Source) -> T,
) -> Vec<T> {
    let mut items = Vec::new();
    let Some(wanted) = wanted else {
        build(source, lengths, Parts::AsDrawn, |source| {
            items.push(draw(source));
            true
        });
        return items;
    };
    if source.is_random() {
        items.extend((0..wanted).map(|_| draw(source)));
        return items;
    }
    build_up_to(source, lengths, wanted, &mut |source| items.push(draw(source)));
    if items.len() < wanted {
        // Without choices: the next ones belong to something else.
        let mut simplest = Source::replay(&Sequence { size: source.size(), ..Sequence::default() });
        while items.len() < wanted {
            items.push(draw(&mut simplest));
        }
    }
    items.truncate(wanted);
    items
}

// The parts of a matrix.
const ROWS: u32 = OWN_LABELS + 8;
const ROW: u32 = OWN_LABELS + 9;
