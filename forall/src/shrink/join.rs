//! Joins two neighbouring collections, divides them differently, or moves elements from one to another.
//!
//! In `[[1, 2], [3]]` no inner list can lose an element if three numbers are needed; but one list of three is simpler
//! than two lists. The choice to stop at the end of one collection and what begins the next one are removed together;
//! elements that a least length required become ordinary ones.
//! And in `[[[]]]` the innermost list may as well come after the enclosing one, `[[], []]`, which is simpler: the
//! choice to stop moves before the last element. And if only the total number of elements in two collections matters,
//! as in `[0]` and `[0, 0]`, all of them may as well be in the second. Nested loops, which have counts instead of
//! "stop" choices, are joined by adding their counts. If nothing else helps, a loop that asks whether to go on is divided in two,
//! where that takes fewer choices. Not covered: collections far from each other.

use super::edit;
use super::loops;
use super::search::Search;
use crate::sort::last_below;
use std::ops::Range;

/// The largest number of choices before a collection in its element, such as the key of a map.
const MAX_BEFORE: usize = 4;

/// Elements are moved into one of this many following collections.
const REACH: usize = 3;

/// For each end of a collection, removes the choice to stop together with the choice that begins the next element
/// around, and the items in it before the next collection.
pub(super) fn join(search: &mut Search<'_>) {
    let mut at = usize::MAX;
    loop {
        let structure = search.structure();
        // The starts of elements other than the first, and the ends and starts of collections.
        let mut begins = vec![false; search.items().len() + 1];
        let (mut ends, mut starts) = (begins.clone(), begins.clone());
        for group in &structure.groups {
            if let [_, others @ ..] = &*group.elements {
                for element in others {
                    begins[element.start] = true;
                }
            }
            ends[if let Some(stop) = group.stop { stop + 1 } else { 0 }] = true;
            starts[group.whole.start] = true;
        }
        loop {
            let Some(end) = last_below(at.min(ends.len()), &|end| end > 0 && ends[end] && begins[end]) else { return };
            at = end;
            let most = starts.len().min(end + 2 + MAX_BEFORE);
            let mut next = end + 1;
            while next < most && !starts[next] {
                next += 1;
            }
            let next = if next < most { next } else { end + 1 };
            let mut items = search.items().to_vec();
            for group in structure.groups.iter().filter(|group| group.whole.start == next) {
                // Elements that had to be there are so no longer, since others come before them.
                for element in &group.elements {
                    if edit::max(&items[element.start]) == 0 {
                        edit::set(&mut items[element.start], 1);
                    }
                }
            }
            // A joined collection may be joined again; otherwise continue with the one before it.
            if search.consider(edit::replaced(&items, end - 1..next, &[])) {
                break;
            }
        }
    }
}

/// Joins neighbouring iterations of a loop that each begin with a count: one of them gets both counts.
pub(super) fn iterations(search: &mut Search<'_>) {
    loops::for_each_loop(search, &mut |search, place, iterations| {
        let (mut iterations, mut at) = (iterations.to_vec(), 1);
        while at < iterations.len() {
            let joined = join_iterations(search, place, &iterations[at - 1], &iterations[at]);
            at += usize::from(!joined);
            if joined {
                let Some(left) = loops::iterations(search, place) else { return };
                iterations = left;
            }
        }
    });
}

fn join_iterations(search: &mut Search<'_>, place: usize, one: &Range<usize>, other: &Range<usize>) -> bool {
    let Some(fewer) = search.value(place).checked_sub(1) else { return false };
    for before in 0..MAX_BEFORE.min(one.len()).min(other.len()) {
        let (a, b) = (one.start + before, other.start + before);
        let (x, y) = (search.value(a), search.value(b));
        // A count comes before the choices that it counts, and is at most their number.
        let counts = x as usize <= one.len() && y as usize <= other.len() && search.max(a) == search.max(b);
        let Some(joined) = edit::with_values(search.items(), &[(place, fewer), (a, x.saturating_add(y))]) else {
            continue;
        };
        if counts && search.consider(edit::replaced(&joined, other.start..b + 1, &[])) {
            return true;
        }
    }
    false
}

/// The most evaluations for loops that are divided.
const MAX_DIVIDED: u64 = 150;

/// Raises a count, ends a loop inside it that asks whether to go on, and removes a later answer: two short loops may ask less
/// than a long one.
pub(super) fn divided_loops(search: &mut Search<'_>) {
    let end = search.spent_after(MAX_DIVIDED);
    let structure = search.structure();
    let is_yes = |search: &Search<'_>, place: usize| (search.value(place), search.max(place)) == (1, 1);
    for &count in &structure.numbers {
        if search.max(count) <= 1 {
            continue;
        }
        let answers: Vec<usize> = structure
            .numbers_in(&(count + 1..search.items().len()))
            .iter()
            .copied()
            .filter(|&at| is_yes(search, at))
            .collect();
        for (at, &last) in answers.iter().enumerate() {
            for &gone in &answers[at + 1..] {
                let changes = [(count, search.value(count).saturating_add(1)), (last, 0)];
                let divided = edit::with_values(search.items(), &changes);
                let candidate = divided.map(|items| edit::replaced(&items, gone..gone + 1, &[]));
                if search.spent() >= end || search.consider_some(candidate) {
                    return;
                }
            }
        }
    }
}

/// For each collection that ends inside an element of another, moves its last element out of it.
pub(super) fn divide(search: &mut Search<'_>) {
    let mut at = 0;
    while at < search.structure().groups.len() {
        let structure = search.structure();
        // Where elements end.
        let mut ends = vec![false; search.items().len() + 1];
        for group in &structure.groups {
            for element in &group.elements {
                ends[element.end] = true;
            }
        }
        while let Some(group) = structure.groups.get(at) {
            at += 1;
            if let (Some(stop), Some(last)) = (group.stop, group.elements.last())
                && ends[stop + 1]
            {
                let mut items = search.items().to_vec();
                let stop = items.remove(stop);
                items.insert(last.start, stop);
                if search.consider(items) {
                    break;
                }
            }
        }
    }
}

/// Moves the elements of each collection to the front of a later one: all of them, or else only the last, and so on.
pub(super) fn move_on(search: &mut Search<'_>) {
    let mut first = 0;
    while first < search.structure().groups.len() {
        for second in first + 1..=first + REACH {
            while move_elements(search, first, second) {}
        }
        first += 1;
    }
}

fn move_elements(search: &mut Search<'_>, first: usize, second: usize) -> bool {
    let structure = search.structure();
    let (Some(one), Some(other)) = (structure.groups.get(first), structure.groups.get(second)) else { return false };
    let apart = one.depth == other.depth && one.whole.end <= other.whole.start;
    let (Some(start), Some(last)) = (one.elements.first(), one.elements.last()) else { return false };
    if !apart || !one.open || !other.open || one.stop.is_none() {
        return false;
    }
    for moved in &[start.start..last.end, last.clone()] {
        let moved = moved.clone();
        let elements = &search.items()[moved.clone()];
        let to = other.whole.start..other.whole.start;
        if search.consider(edit::changed(search.items(), &[(moved, &[]), (to, elements)])) {
            return true;
        }
    }
    false
}
