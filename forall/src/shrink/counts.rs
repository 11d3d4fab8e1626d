//! A smaller number, and correspondingly fewer elements.
//!
//! A length may be drawn before what it governs: then the length cannot be lowered without removing an element, nor
//! vice versa. A number may also count the elements of a collection, or the iterations of a loop, without the
//! generator's knowledge: a limit, an index. Not covered: numbers that count something other than elements.

use super::edit;
use super::elements::{Piece, for_each_group, shorten};
use super::loops;
use super::realign;
use super::search::Search;
use super::structure::{Structure, outer_first};
use crate::sort::sort_by;
use std::ops::Range;

/// A length exceeds its choice by at most this much: by the minimum length of the generator.
const MAX_LEAST: u64 = 4;

/// Drawn lengths, and the collections of that length: the same positions are removed from all of them.
pub(super) fn lengths(search: &mut Search<'_>) {
    if search.structure().groups.iter().all(|group| group.open) {
        return;
    }
    let mut at = 0;
    while let Some(&place) = search.structure().numbers.get(at) {
        search.stop_at_the_limits();
        at += 1;
        let drawn = search.value(place);
        if drawn == 0 {
            continue;
        }
        for least in 0..=MAX_LEAST {
            let Some(length) = drawn.checked_add(least).and_then(|length| usize::try_from(length).ok()) else { break };
            let mut depths = governed(&search.structure(), place, length, 0..1, None).1;
            if depths.len() > 1 {
                // All of them, as in a square; otherwise only rows, or only columns.
                depths.insert(0, usize::MAX);
            }
            for &depth in &depths {
                let depth = (depth < usize::MAX).then_some(depth);
                shorten(search, length, Piece::Single, &mut |search, range| {
                    let drawn = search.value(place);
                    let Some(lower) = drawn.checked_sub(range.len() as u64) else { return false };
                    let (ranges, _) = governed(&search.structure(), place, (drawn + least) as usize, range, depth);
                    let Some(items) = edit::with_values(search.items(), &[(place, lower)]) else { return false };
                    !ranges.is_empty() && search.consider(edit::without(&items, &ranges))
                });
                while raise(search, place, least, depth) {}
            }
        }
    }
}

/// Proposes one element fewer, with all numbers after the length at their maxima: the counterpart of `raise.rs` for
/// drawn lengths.
fn raise(search: &mut Search<'_>, place: usize, least: u64, depth: Option<usize>) -> bool {
    let drawn = search.value(place);
    let (Some(lower), length) = (drawn.checked_sub(1), (drawn + least) as usize) else { return false };
    let structure = search.structure();
    let (ranges, _) = governed(&structure, place, length, length - 1..length, depth);
    let mut changes = vec![(place, lower)];
    for &number in &structure.numbers {
        if number > place {
            changes.push((number, search.max(number)));
        }
    }
    let Some(items) = edit::with_values(search.items(), &changes) else { return false };
    !ranges.is_empty() && search.consider(edit::without(&items, &ranges))
}

/// The items at the positions in `range` of all collections after `place` that have `length` elements, or a multiple of
/// that: adjacent collections of one length look like a single collection. Also returns their depths.
fn governed(
    structure: &Structure,
    place: usize,
    length: usize,
    range: Range<usize>,
    depth: Option<usize>,
) -> (Vec<Range<usize>>, Vec<usize>) {
    let mut ranges: Vec<Range<usize>> = Vec::new();
    let mut depths: Vec<usize> = Vec::new();
    for group in &structure.groups {
        let is_later = !group.open && group.whole.start > place;
        let long = length > 0 && group.elements.len().is_multiple_of(length);
        if !is_later || !long || matches!(depth, Some(depth) if depth != group.depth) {
            continue;
        }
        if depths.last() != Some(&group.depth) {
            depths.push(group.depth);
        }
        for elements in group.elements.chunks(length) {
            let Some(removed) = elements.get(range.clone()) else { continue };
            if let (Some(first), Some(last)) = (removed.first(), removed.last()) {
                ranges.push(first.start..last.end);
            }
        }
    }
    // Groups inside a removed part are removed with it.
    sort_by(&mut ranges, outer_first);
    let (mut end, mut outermost) = (0, Vec::with_capacity(ranges.len()));
    for range in &ranges {
        if range.start >= end {
            outermost.push(range.clone());
        }
        end = end.max(range.end);
    }
    (outermost, depths)
}

/// For each number, removes elements from collections that do not contain it, and lowers the number by as many.
pub(super) fn counts(search: &mut Search<'_>) {
    for_each_group(search, &mut |search, key| {
        let mut at = 0;
        while let Some(&place) = search.structure().numbers.get(at) {
            at += 1;
            let mut position = 0;
            let mut count = 1;
            while search.may_go_on() {
                let structure = search.structure();
                let Some(group) = structure.open_group(key) else { return };
                let positions = position..position + count;
                if group.whole.contains(&place) || position >= group.elements.len() {
                    break;
                }
                // The number is changed first, so its position after the removal is not needed.
                let lowered = search.value(place).checked_sub(count as u64);
                let changed = lowered.and_then(|value| edit::with_values(search.items(), &[(place, value)]));
                let candidate = changed.and_then(|items| group.without(&items, positions));
                if search.consider_some(candidate) {
                    let is_shorter = match search.structure().group(key) {
                        Some(now) => now.elements.len() < group.elements.len(),
                        None => true,
                    };
                    if group.whole.end <= place || !is_shorter {
                        // The number has moved; or other elements followed, and only the number is lower: a step of one is not worth
                        // repeating.
                        return;
                    }
                    count *= 2;
                } else if count > 1 {
                    count = 1;
                } else {
                    position += 1;
                }
            }
        }
    });
}

/// The largest number of candidates per loop.
const MAX_TRIED: usize = 200;

/// For each number, removes an iteration of loops that do not contain it, and lowers both the number and the loop's
/// count by one.
pub(super) fn iterations(search: &mut Search<'_>) {
    if search.items().len() > realign::MAX_ITEMS {
        return;
    }
    loops::for_each_loop(search, &mut |search, count, _| {
        let (mut at, mut tried) = (0, 0);
        while let Some(&place) = search.structure().numbers.get(at) {
            at += 1;
            let mut position = 0;
            while tried < MAX_TRIED
                && let Some(iterations) = loops::iterations(search, count)
                && let Some(iteration) = iterations.get(position)
            {
                let inside = iterations[0].start <= place && place < iterations[iterations.len() - 1].end;
                let Some(lower) = search.value(place).checked_sub(1).filter(|_| place != count && !inside) else {
                    break;
                };
                let lowered = edit::with_values(search.items(), &[(place, lower), (count, search.value(count) - 1)]);
                let candidate = lowered.map(|items| edit::replaced(&items, iteration.clone(), &[]));
                tried += 1;
                if !search.consider_some(candidate) {
                    position += 1;
                } else if place > count {
                    // The number has moved.
                    return;
                }
            }
        }
    });
}
