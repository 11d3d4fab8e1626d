//! A smaller number, and as many elements fewer.
//!
//! A length may be drawn before what it governs: then neither the length can be lowered nor an element removed without the
//! other. A number may also count the elements of a collection without the generator knowing: a limit, an index. What this
//! misses: numbers that count something else than elements.

use super::edit;
use super::elements::{Piece, for_each_group, shorten};
use super::search::Search;
use std::ops::Range;

/// A length is at most this much larger than its choice: the least length that could have been drawn.
const MAX_LEAST: u64 = 4;

/// Lengths that were drawn, and the collections that have them: the same positions are removed from all of these.
pub(super) fn lengths(search: &mut Search<'_>) {
    let mut at = 0;
    while let Some(&place) = search.structure().numbers.get(at) {
        at += 1;
        let drawn = edit::value(&search.items()[place]);
        if drawn == 0 {
            continue;
        }
        for least in 0..=MAX_LEAST {
            let Some(length) = drawn.checked_add(least).and_then(|length| usize::try_from(length).ok()) else { break };
            if governed(search, place, length, 0..0).is_empty() {
                continue;
            }
            shorten(search, length, Piece::Single, &mut |search, range| {
                let drawn = edit::value(&search.items()[place]);
                let Some(lower) = drawn.checked_sub(range.len() as u64) else { return false };
                let ranges = governed(search, place, (drawn + least) as usize, range);
                let Some(items) = edit::with_values(search.items(), &[(place, lower)]) else { return false };
                search.consider(edit::without(&items, &ranges))
            });
        }
    }
}

/// What stands at the positions in `range` of all collections behind `place` that have `length` elements, or a multiple:
/// collections of one length that stand side by side look like one.
fn governed(search: &mut Search<'_>, place: usize, length: usize, range: Range<usize>) -> Vec<Range<usize>> {
    let structure = search.structure();
    let mut ranges: Vec<Range<usize>> = Vec::new();
    let groups = structure.groups.iter().filter(|group| !group.open && group.whole.start > place);
    for group in groups.filter(|group| group.elements.len().is_multiple_of(length)) {
        for elements in group.elements.chunks(length) {
            let removed = elements.get(range.clone()).unwrap_or(&[]);
            ranges.push(removed.first().map_or(0..0, |first| first.start..removed[removed.len() - 1].end));
        }
    }
    // Groups inside what is removed already go with it.
    ranges.sort_by_key(|range| (range.start, std::cmp::Reverse(range.end)));
    let mut end = 0;
    if !range.is_empty() {
        ranges.retain(|range| {
            let outside = range.start >= end && !range.is_empty();
            end = end.max(range.end);
            outside
        });
    }
    ranges
}

/// For each number, removes elements from collections that it is no part of, and lowers it by as many.
pub(super) fn counts(search: &mut Search<'_>) {
    for_each_group(search, |search, key| {
        let mut at = 0;
        while let Some(&place) = search.structure().numbers.get(at) {
            at += 1;
            let mut position = 0;
            let mut count = 1;
            while search.may_go_on() {
                let structure = search.structure();
                let Some(group) = structure.group(key).filter(|group| group.open) else { return };
                let Some(elements) = group.elements.get(position..position + count) else {
                    if count == 1 {
                        break;
                    }
                    count = 1;
                    continue;
                };
                if group.whole.contains(&place) {
                    break;
                }
                // The place of the number once the elements before it are gone is not needed: first the number.
                let lowered = edit::value(&search.items()[place]).checked_sub(count as u64);
                let changed = lowered.and_then(|value| edit::with_values(search.items(), &[(place, value)]));
                let candidate = changed.map(|items| edit::without(&items, elements));
                if candidate.is_some_and(|items| search.consider(items)) {
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
