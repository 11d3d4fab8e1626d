//! Removes a row and a column from squares.
//!
//! If the elements of a collection are collections of the same length, as in a square matrix, and the bug needs that,
//! no row can be removed without also removing an element from every other row. Not covered: rectangles whose row
//! length is a multiple of the number of rows.

use super::edit::{self, Change};
use super::search::Search;
use super::structure::{Group, Structure};
use crate::choice::Item;
use std::ops::Range;

/// In squares with at most this many rows, each row is tried with each column, in larger ones only with the column of
/// the same index.
const SMALL_SQUARE: usize = 6;

/// Shortens squares by a row and a column at a time.
pub(super) fn squares(search: &mut Search<'_>) {
    let mut place = 0;
    while place < search.structure().groups.len() {
        while shorten_square(search, place) {}
        place += 1;
    }
}

fn shorten_square(search: &mut Search<'_>, place: usize) -> bool {
    let structure = search.structure();
    if !is_square(&structure, place) {
        return false;
    }
    let side = structure.groups[place].elements.len();
    let columns = if side <= SMALL_SQUARE { side } else { 1 };
    for shift in 0..columns {
        for row in (0..side).rev() {
            let candidate = without_row_and_column(search, place, row, (row + shift) % side);
            if search.consider_some(candidate) {
                return true;
            }
        }
    }
    false
}

/// Whether the elements of a collection begin with collections as long as it is.
fn is_square(structure: &Structure, place: usize) -> bool {
    let outer = &structure.groups[place];
    let first = outer.elements.first().and_then(|element| row(structure, outer, element));
    outer.is_list() && first.is_some_and(|row| row.elements.len() == outer.elements.len())
}

/// The first collection inside an element of another.
fn row<'a>(structure: &'a Structure, outer: &Group, element: &Range<usize>) -> Option<&'a Group> {
    let inner = &structure.groups[structure.first_group_from((outer.depth + 1, 0))..];
    inner.iter().find(|row| row.is_list() && element.start <= row.whole.start && row.whole.end <= element.end)
}

fn without_row_and_column(search: &mut Search<'_>, place: usize, gone: usize, column: usize) -> Option<Vec<Item>> {
    let structure = search.structure();
    let outer = &structure.groups[place];
    let mut changes: Vec<Change<'_>> = Vec::new();
    for (number, element) in outer.elements.iter().enumerate() {
        if number == gone {
            changes.push((element.clone(), &[]));
        } else if let Some(mut removal) =
            row(&structure, outer, element).and_then(|row| row.removal(column..column + 1))
        {
            changes.append(&mut removal);
        }
    }
    // Something may also have to be removed after the last element.
    changes.append(&mut outer.removal(gone..gone + 1)?.split_off(1));
    Some(edit::changed(search.items(), &changes))
}
