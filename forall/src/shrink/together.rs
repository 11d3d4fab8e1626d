//! Several collections without the same elements.
//!
//! Where a bug needs two collections of one length, or one that is longer by so many, neither can lose an element alone. So
//! elements at the same positions are removed from both; and from all that have one length, if these are more. One element
//! is tried first, the last or the first, and only if it can go, how many. Loops that run as often as each other are shortened
//! together as collections are. What this misses: two collections far from each other in the input, and more than two of
//! different lengths.

use super::edit;
use super::elements::{Piece, shorten};
use super::loops;
use super::search::Search;
use crate::choice::Item;
use crate::sort::sort_by;
use std::ops::Range;

/// Collections with more collections than this between them are not looked at together.
const REACH: usize = 4;

/// Shortens all collections of one length, for each length that three or more have.
pub(super) fn alike(search: &mut Search<'_>) {
    let mut least = 1;
    loop {
        let structure = search.structure();
        // The least length that was not looked at, and how many have it.
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
            shorten_alike(search, length);
        }
        least = length + 1;
    }
}

fn shorten_alike(search: &mut Search<'_>, length: usize) {
    let mut left = length;
    let mut remove = |search: &mut Search<'_>, positions: Range<usize>| {
        let structure = search.structure();
        // From behind, inner ones first. What is inside another was removed with it.
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

/// Shortens all loops that run equally often, for each number of iterations that several have.
pub(super) fn iterations(search: &mut Search<'_>) {
    let mut counts: Vec<usize> = Vec::new();
    loops::for_each_loop(search, &mut |_, _, iterations| counts.push(iterations.len()));
    sort_by(&mut counts, usize::cmp);
    for (at, &count) in counts.iter().enumerate() {
        // Once for each, at the second of them.
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

/// The best case without the iterations at some positions of all loops with so many.
fn without_iterations(search: &mut Search<'_>, count: usize, positions: Range<usize>) -> Option<Vec<Item>> {
    let (mut ranges, mut counts, mut behind) = (Vec::new(), Vec::new(), 0);
    loops::for_each_loop(search, &mut |search, place, iterations| {
        // What is inside of another loop goes with it.
        if iterations.len() == count && place >= behind {
            counts.push((place, search.value(place).saturating_sub(positions.len() as u64)));
            ranges.push(iterations[positions.start].start..iterations[positions.end - 1].end);
            behind = iterations[count - 1].end;
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

/// Shortens two collections, given by their places in the list of all; these stay as they are, since the collections are of
/// one depth.
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

/// The best case without the elements at some positions of two collections, the second behind the first.
fn without(search: &mut Search<'_>, first: usize, second: usize, positions: Range<usize>) -> Option<Vec<Item>> {
    let structure = search.structure();
    let (one, other) = (structure.groups.get(first)?, structure.groups.get(second)?);
    if one.whole.end > other.whole.start {
        return None;
    }
    let items = other.without(search.items(), positions.clone())?;
    one.without(&items, positions)
}
