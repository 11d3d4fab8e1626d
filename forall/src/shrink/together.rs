//! Removes the elements at the same positions from several collections.
//!
//! If a bug needs two collections of equal length, or with a fixed difference in length, neither can lose an element
//! alone. So elements at the same positions are removed from both, and from all collections of that length if there are
//! more. A single element is tried first, the last or the first; only if it can be removed is it determined how many.
//! Loops with the same number of iterations are shortened together, like collections. Not covered: two collections far
//! from each other in the input, and more than two of different lengths.

use super::edit;
use super::elements::{Piece, shorten};
use super::loops;
use super::search::Search;
use crate::choice::Item;
use crate::sort::sort_by;
use std::ops::Range;

/// Collections with more than this many collections between them are not paired.
const REACH: usize = 4;

/// Shortens all collections of one length, for each length that three or more have.
pub(super) fn equally_long(search: &mut Search<'_>) {
    let mut least = 1;
    loop {
        let structure = search.structure();
        // The smallest length not tried yet, and how many collections have it.
        let (mut length, mut alike) = (usize::MAX, 0);
        for group in &structure.groups {
            let other = group.elements.len();
            if group.open && (least..length).contains(&other) {
                (length, alike) = (other, 0);
            }
            alike += usize::from(group.open && other == length);
        }
        if length == usize::MAX {
            return;
        }
        if alike > 2 {
            shorten_equally_long(search, length);
        }
        least = length + 1;
    }
}

fn shorten_equally_long(search: &mut Search<'_>, length: usize) {
    let mut left = length;
    let mut remove = |search: &mut Search<'_>, positions: Range<usize>| {
        let structure = search.structure();
        // From the end, inner ones first. Collections inside another one were removed with it.
        let (mut changes, mut before) = (Vec::new(), search.items().len());
        for group in structure.groups.iter().rev() {
            if group.open && group.elements.len() == left && group.whole.end <= before {
                before = group.whole.start;
                let Some(mut removal) = group.removal(positions.clone()) else { return false };
                while let Some(change) = removal.pop() {
                    changes.push(change);
                }
            }
        }
        changes.reverse();
        let shorter = search.consider(edit::changed(search.items(), &changes));
        left -= if shorter { positions.len() } else { 0 };
        shorter
    };
    if remove(search, length - 1..length) || remove(search, 0..1) {
        shorten(search, length - 1, Piece::Single, &mut remove);
    }
}

/// Shortens all loops with the same number of iterations, for each such number that several loops have.
pub(super) fn iterations(search: &mut Search<'_>) {
    let mut counts: Vec<usize> = Vec::new();
    loops::for_each_loop(search, &mut |_, _, iterations| counts.push(iterations.len()));
    sort_by(&mut counts, usize::cmp);
    for (at, &count) in counts.iter().enumerate() {
        // Once for each number, at the second loop that has it.
        if at == 0 || counts[at - 1] != count || at > 1 && counts[at - 2] == count {
            continue;
        }
        let mut left = count;
        let mut remove = |search: &mut Search<'_>, positions: Range<usize>| {
            let shorter = without_iterations(search, left, positions.clone());
            let shorter = search.consider_some(shorter);
            left -= if shorter { positions.len() } else { 0 };
            shorter
        };
        if remove(search, count - 1..count) || remove(search, 0..1) {
            shorten(search, count - 1, Piece::Single, &mut remove);
        }
    }
}

/// The best case without the iterations at some positions of all loops with `count` iterations.
fn without_iterations(search: &mut Search<'_>, count: usize, positions: Range<usize>) -> Option<Vec<Item>> {
    let (mut ranges, mut counts, mut end) = (Vec::new(), Vec::new(), 0);
    loops::for_each_loop(search, &mut |search, place, iterations| {
        // Choices inside another loop are removed with it.
        if iterations.len() == count && place >= end {
            counts.push((place, search.value(place).saturating_sub(positions.len() as u64)));
            ranges.push(iterations[positions.start].start..iterations[positions.end - 1].end);
            end = iterations[count - 1].end;
        }
    });
    Some(edit::without(&edit::with_values(search.items(), &counts)?, &ranges))
}

/// Shortens pairs of collections that are near each other.
pub(super) fn together(search: &mut Search<'_>) {
    let mut first = 0;
    while first < search.structure().groups.len() {
        for second in first + 1..=first + REACH {
            shorten_both(search, first, second);
        }
        first += 1;
    }
}

/// Shortens two collections, given by their indices in the list of all; the indices stay valid, since both are at the
/// same nesting level.
fn shorten_both(search: &mut Search<'_>, first: usize, second: usize) {
    let structure = search.structure();
    let (Some(one), Some(other)) = (structure.groups.get(first), structure.groups.get(second)) else { return };
    let count = one.elements.len().min(other.elements.len());
    if count == 0 || !one.open || !other.open || one.depth != other.depth {
        return;
    }
    let mut remove = |search: &mut Search<'_>, positions: Range<usize>| {
        let candidate = without(search, first, second, positions);
        search.consider_some(candidate)
    };
    if remove(search, count - 1..count) || remove(search, 0..1) {
        shorten(search, count - 1, Piece::Single, &mut remove);
    }
}

/// The best case without the elements at some positions of two collections, the second after the first.
fn without(search: &mut Search<'_>, first: usize, second: usize, positions: Range<usize>) -> Option<Vec<Item>> {
    let structure = search.structure();
    let (one, other) = (structure.groups.get(first)?, structure.groups.get(second)?);
    if one.whole.end > other.whole.start {
        return None;
    }
    let items = other.without(search.items(), positions.clone())?;
    one.without(&items, positions)
}
