//! Edits of sequences, from which passes build candidates. Nothing here runs the property.

use crate::choice::{Choice, Item, Sequence, lexicographic};
use crate::generate::utf8_width;
use crate::hash::Fnv;
use crate::testing::Case;
use std::ops::Range;

/// Whether some items are simpler than others: the lighter sequence is, and of two equally heavy ones the one with
/// smaller values from the left. This is shortlex order, except for wide characters.
pub(super) fn simpler(items: &[Item], than: &[Item]) -> bool {
    weight(items).cmp(&weight(than)).then_with(|| lexicographic(items, than)).is_lt()
}

/// The weight of items: their number, except that a multi-byte character weighs as much as that many ASCII characters.
/// Otherwise the simplest text of ten bytes would consist of two unreadable characters.
fn weight(items: &[Item]) -> usize {
    let mut weight = items.len();
    for item in items {
        if let Item::Choice(Choice { value, max }) = item {
            // Each of these would take one choice for itself and one for "continue".
            weight += 2 * (utf8_width(*value, *max) - 1);
        }
    }
    weight
}

/// A hash of what a replay depends on.
pub(crate) fn hash(items: &[Item]) -> u64 {
    let mut hash = Fnv::default();
    for item in items {
        match item {
            Item::Choice(choice) => hash.mix(choice.value),
            // A different word, so that a fork never hashes like a choice.
            Item::Fork { len } => hash.mix(u64::from(*len) | 1 << 63),
        }
    }
    hash.finish()
}

/// The value of a choice; a fork has none.
pub(crate) fn value(item: &Item) -> u64 {
    match item {
        Item::Choice(choice) => choice.value,
        Item::Fork { .. } => 0,
    }
}

/// The largest value of a choice.
pub(crate) fn max(item: &Item) -> u64 {
    match item {
        Item::Choice(choice) => choice.max,
        Item::Fork { .. } => 0,
    }
}

pub(super) fn is_fork(item: &Item) -> bool {
    matches!(item, Item::Fork { .. })
}

/// A case with other choices.
pub(super) fn candidate(best: &Case, items: Vec<Item>) -> Case {
    let sequence = Sequence { size: best.sequence.size, items, spans: Vec::new() };
    Case { sequence, steps: best.steps.clone() }
}

/// The items with new values at some positions, none above the recorded maximum.
pub(super) fn with_values(items: &[Item], changes: &[(usize, u64)]) -> Option<Vec<Item>> {
    let mut items = items.to_vec();
    for &(place, new) in changes {
        let Item::Choice(Choice { value, max }) = items.get_mut(place)? else { return None };
        if new > *max {
            return None;
        }
        *value = new;
    }
    Some(items)
}

/// Sets a choice whose maximum may depend on others that change as well.
pub(super) fn set(item: &mut Item, new: u64) {
    if let Item::Choice(Choice { value, max }) = item {
        (*value, *max) = (new, new.max(*max));
    }
}

/// The items without `ranges`, which are disjoint and ascending.
pub(super) fn without(items: &[Item], ranges: &[Range<usize>]) -> Vec<Item> {
    let mut changes: Vec<Change<'_>> = Vec::with_capacity(ranges.len());
    for range in ranges {
        changes.push((range.clone(), &[]));
    }
    changed(items, &changes)
}

/// A range and its replacement.
pub(super) type Change<'c> = (Range<usize>, &'c [Item]);

/// The items with several ranges replaced, which are disjoint and ascending, and what forks hold adjusted. One walk over the
/// items, however many ranges there are: inputs may be long.
pub(super) fn changed(items: &[Item], changes: &[Change<'_>]) -> Vec<Item> {
    let mut made: Vec<Item> = Vec::with_capacity(items.len());
    let mut at = 0;
    if !items.iter().any(is_fork) {
        for (range, by) in changes {
            made.extend_from_slice(&items[at..range.start]);
            made.extend_from_slice(by);
            at = range.end;
        }
        made.extend_from_slice(&items[at..]);
        return made;
    }
    // The open forks: the position of each in the output, and its end in the input.
    let mut open: Vec<(usize, usize)> = Vec::new();
    for (range, by) in changes {
        copy(items, at..range.start, &mut made, &mut open);
        made.extend_from_slice(by);
        at = range.end;
        // If the end of a fork is removed, the next item comes after the fork.
        close(&mut made, &mut open, at);
    }
    copy(items, at..items.len(), &mut made, &mut open);
    made
}

/// Appends a range of the items to the output.
fn copy(items: &[Item], range: Range<usize>, made: &mut Vec<Item>, open: &mut Vec<(usize, usize)>) {
    let mut place = range.start;
    while place < range.end {
        close(made, open, place);
        if let Item::Fork { len } = items[place] {
            open.push((made.len(), place + 1 + len as usize));
        }
        made.push(items[place]);
        place += 1;
    }
    close(made, open, range.end);
}

/// Updates the lengths of the forks that end at or before a position.
fn close(made: &mut [Item], open: &mut Vec<(usize, usize)>, place: usize) {
    while let Some(&(fork, end)) = open.last()
        && end <= place
    {
        made[fork] = Item::Fork { len: (made.len() - fork - 1) as u32 };
        open.pop();
    }
}

/// Replaces `range`.
pub(crate) fn splice(items: &mut Vec<Item>, range: Range<usize>, by: &[Item]) {
    *items = changed(items, &[(range, by)]);
}

/// The items with `range` replaced.
pub(super) fn replaced(items: &[Item], range: Range<usize>, by: &[Item]) -> Vec<Item> {
    changed(items, &[(range, by)])
}

#[cfg(test)]
mod tests {
    use super::*;

    fn items(values: &[u64]) -> Vec<Item> {
        values.iter().map(|&value| Item::Choice(Choice { value, max: 9 })).collect()
    }

    #[test]
    fn the_contents_of_a_fork_follow_the_edit() {
        let mut forked = items(&[1]);
        forked.push(Item::Fork { len: 2 });
        forked.extend(items(&[2, 3, 4]));
        let edited = without(&forked, &[0..1, 2..3]);
        assert_eq!(edited[0], Item::Fork { len: 1 });
        assert_eq!(edited.len(), 3);
        // Half inside: the part outside is removed as well.
        let edited = replaced(&forked, 3..5, &[]);
        assert_eq!(edited[1], Item::Fork { len: 1 });
    }

    #[test]
    fn values_above_the_maximum_are_not_proposed() {
        assert_eq!(with_values(&items(&[1, 2]), &[(1, 9)]), Some(items(&[1, 9])));
        assert_eq!(with_values(&items(&[1, 2]), &[(1, 10)]), None);
        assert_eq!(with_values(&items(&[1, 2]), &[(2, 0)]), None);
    }
}
