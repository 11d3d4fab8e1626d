//! Intervals and matrices.

use crate::choice::Source;
use crate::generate::{Combine, Generator, Lengths, Ranged, from_fn, range, vec};
use std::cell::Cell;
use std::ops::RangeInclusive;

/// Intervals inside of bounds, both ends included: the first is never above the second.
///
/// ```
/// use forall::{choice::{Sequence, Source}, extra::interval};
/// assert_eq!(Source::replay(&Sequence::default()).draw(interval(5..=9)), 5..=5);
/// let hours = Source::random(1, 0, 100).draw(interval(0..=24));
/// assert!(0 <= *hours.start() && hours.start() <= hours.end() && *hours.end() <= 24);
/// ```
pub fn interval<T: Ranged + Copy>(bounds: RangeInclusive<T>) -> impl Combine<Value = RangeInclusive<T>> {
    from_fn(move |source: &mut Source| {
        let low = source.draw(range(*bounds.start()..=*bounds.end()));
        low..=source.draw(range(low..=*bounds.end()))
    })
}

/// Intervals inside of bounds that have nothing in common, in order: as many as fit, and at most `most`. Neighbours may touch:
/// one may end just before the other begins.
///
/// ```
/// use forall::{choice::Source, extra::disjoint_intervals};
/// let booked = Source::random(1, 0, 100).draw(disjoint_intervals(0..=1000, 10));
/// assert!(booked.windows(2).all(|pair| pair[0].end() < pair[1].start()));
/// ```
pub fn disjoint_intervals(bounds: RangeInclusive<i64>, most: usize) -> impl Combine<Value = Vec<RangeInclusive<i64>>> {
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

/// Rows of equal length.
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
    /// How long each of them is: a matrix without rows has columns, too.
    pub columns: usize,
}

/// Matrices with so many rows and columns.
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
) -> impl Combine<Value = Matrix<G::Value>> {
    let (rows, columns) = (rows.into(), columns.into());
    from_fn(move |source: &mut Source| {
        let shape = (length(source, rows), length(source, columns));
        filled(source, &element, shape)
    })
}

/// Up to `most` matrices, at least one, each of which has as many rows as the one before it has columns: they can be
/// multiplied.
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
) -> impl Combine<Value = Vec<Matrix<G::Value>>> {
    let sides = sides.into();
    from_fn(move |source: &mut Source| {
        let before = Cell::new(length(source, sides));
        source.draw(
            vec(from_fn(|source| {
                let columns = length(source, sides);
                filled(source, &element, (before.replace(columns), columns))
            }))
            .len(1..=most.max(1)),
        )
    })
}

/// A length, as the number of elements of nothing.
fn length(source: &mut Source, lengths: Lengths) -> usize {
    source.draw(vec(from_fn(|_| ())).len(lengths)).len()
}

fn filled<G: Generator>(source: &mut Source, element: &G, (rows, columns): (usize, usize)) -> Matrix<G::Value> {
    let rows = (0..rows).map(|_| source.draw(vec(element).len(columns))).collect();
    Matrix { rows, columns }
}
