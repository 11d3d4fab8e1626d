//! Removes a row and its column from squares and triangles drawn by hand-written loops.
//!
//! A matrix of distances, or the edges of a graph, is drawn by two loops over one number: `for i in 0..n` and in it
//! `for j in 0..n`, or only `j` below `i`. With a smaller number the generator draws fewer rows and shorter ones, so
//! `loops.rs` finds no iteration that could go. The number of draws that a decrement saves identifies the shape.
//! Collections that are squares have `squares.rs`. Not covered: entries of varying length, and side lengths computed
//! from several numbers.

use super::edit;
use super::search::Search;
use crate::choice::Item;

/// The maximum number of numbers that are tested as side lengths: the generator runs for each.
const MANY: usize = 32;
/// Larger numbers are not considered side lengths: a candidate is tried for each row.
const MAX_SIDE: u64 = 32;
/// A side length exceeds its choice by at most this much.
const MAX_LEAST: usize = 2;
/// In squares with at most this many rows, each row is tried with each column, in larger ones only with the column of
/// the same index.
const SMALL_SQUARE: usize = 6;

/// Whether there is an entry at a row and a column.
type Has = fn(usize, usize) -> bool;

/// All entries; those on one side of the diagonal; the same and the diagonal.
const SHAPES: [Has; 5] = [|_, _| true, |i, j| j < i, |i, j| i < j, |i, j| j <= i, |i, j| i <= j];

/// The positions of the entries of a shape.
struct Entries {
    start: usize,
    /// The number of items that each has.
    unit: usize,
    side: usize,
    has: Has,
}

/// Removes rows and columns while that is possible.
pub(super) fn sides(search: &mut Search<'_>) {
    let mut at = 0;
    while at < MANY
        && let Some(&place) = search.structure().numbers.get(at)
    {
        search.stop_at_the_limits();
        if !shorten(search, place) {
            at += 1;
        }
    }
}

/// Whether a row and a column could be removed from the shape whose side length is at a position.
fn shorten(search: &mut Search<'_>, place: usize) -> bool {
    let value = search.value(place);
    if !(1..=MAX_SIDE).contains(&value) || search.max(place) <= 1 {
        return false;
    }
    let Some(lowered) = edit::with_values(search.items(), &[(place, value - 1)]) else { return false };
    let drawn = search.tester.drawn(&edit::candidate(&search.best, lowered.clone())).items.len();
    let Some(fewer) = search.items().len().checked_sub(drawn).filter(|fewer| *fewer > 0) else { return false };
    let structure = search.structure();
    let end = structure.innermost(place).map_or(lowered.len(), |part| part.range.end);
    for least in 0..=MAX_LEAST {
        for has in SHAPES {
            let side = value as usize + least;
            let (all, less) = (count(side, has), count(side - 1, has));
            // Removing only a row is removing an iteration.
            if side < 2 || less == 0 || fewer % (all - less) != 0 {
                continue;
            }
            let unit = fewer / (all - less);
            let Some(last_start) = end.checked_sub(all * unit).filter(|start| *start > place) else { continue };
            for start in [place + 1, last_start] {
                if without_one(search, &lowered, &Entries { start, unit, side, has }) {
                    return true;
                }
                if start == last_start {
                    break;
                }
            }
        }
    }
    false
}

/// The number of entries of a shape with this many rows.
fn count(side: usize, has: Has) -> usize {
    let mut count = 0;
    for row in 0..side {
        for column in 0..side {
            count += usize::from(has(row, column));
        }
    }
    count
}

/// Tries each row with the column of the same index; in a small square also with every other column.
fn without_one(search: &mut Search<'_>, lowered: &[Item], entries: &Entries) -> bool {
    let is_square = (entries.has)(0, 0) && (entries.has)(0, 1) && (entries.has)(1, 0);
    let shifts = if is_square && entries.side <= SMALL_SQUARE { entries.side } else { 1 };
    for shift in 0..shifts {
        for row in (0..entries.side).rev() {
            let gone = entries.of(row, (row + shift) % entries.side);
            if search.consider(edit::without(lowered, &gone)) {
                return true;
            }
        }
    }
    false
}

impl Entries {
    /// Where the entries of a row and a column are.
    fn of(&self, row: usize, column: usize) -> Vec<std::ops::Range<usize>> {
        let (mut gone, mut at) = (Vec::new(), self.start);
        for i in 0..self.side {
            for j in 0..self.side {
                if (self.has)(i, j) {
                    if i == row || j == column {
                        gone.push(at..at + self.unit);
                    }
                    at += self.unit;
                }
            }
        }
        gone
    }
}
