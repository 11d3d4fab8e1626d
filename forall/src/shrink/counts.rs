//! A smaller number, and as many elements fewer.
//!
//! A length may be drawn before what it governs: then neither the length can be lowered nor an element removed without the
//! other. A number may also count the elements of a collection, or the iterations of a loop, without the generator knowing: a limit,
//! an index. What this misses: numbers that count something else than elements.

use super::edit;
use super::elements::{Piece, for_each_group, shorten};
use super::loops;
use super::search::Search;
use super::structure::{Structure, outer_first};
use crate::sort::sort_by;
use std::ops::Range;

/// A length is at most this much larger than its choice: the least length that could have been drawn.
const MAX_LEAST: u64 = 4;

/// Lengths that were drawn, and the collections that have them: the same positions are removed from all of these.
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
                // All of them, as in a square; else rows alone, or columns.
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

/// Proposes one element fewer, and all numbers behind the length as large as they may be: what `raise.rs` does where no length
/// was drawn.
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

/// What stands at the positions in `range` of all collections behind `place` that have `length` elements, or a multiple:
/// collections of one length that stand side by side look like one. And how deep these are.
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
        let behind = !group.open && group.whole.start > place;
        let long = length > 0 && group.elements.len().is_multiple_of(length);
        if !behind || !long || matches!(depth, Some(depth) if depth != group.depth) {
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
    // Groups inside what is removed already go with it.
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

/// For each number, removes elements from collections that it is no part of, and lowers it by as many.
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
                // The place of the number once the elements before it are gone is not needed: first the number.
                let lowered = search.value(place).checked_sub(count as u64);
                let changed = lowered.and_then(|value| edit::with_values(search.items(), &[(place, value)]));
                let candidate = changed.and_then(|items| group.without(&items, positions));
                if search.consider_some(candidate) {
                    if group.whole.end <= place {
                        // The number has moved.
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

/// So many candidates are tried for a loop.
const MAX_TRIED: usize = 200;

/// For each number, removes an iteration of loops that it is no part of, and lowers it by one, and the count of the loop.
pub(super) fn iterations(search: &mut Search<'_>) {
    if search.items().len() > loops::MAX_ITEMS {
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
