//! Fewer elements, and what pointed behind them following.
//!
//! Numbers inside a collection may be positions in it: edges of a graph, parents in a tree, a permutation. Without an
//! element everything that pointed behind it points one too far. So with a run of elements, as many are subtracted from all
//! numbers that are at least as large as its end. What this misses: positions that are not counted from 0.

use super::edit;
use super::elements::{Piece, for_each_group, shorten};
use super::search::Search;
use std::ops::Range;

pub(super) fn indices(search: &mut Search<'_>) {
    for_each_group(search, |search, key| {
        let structure = search.structure();
        let Some(group) = structure.group(key).filter(|group| group.open) else { return };
        let count = group.elements.len();
        let items = search.items();
        let inside = structure.numbers.iter().filter(|place| group.whole.contains(place));
        let mut values = inside.map(|&place| edit::value(&items[place]));
        if !values.any(|value| 0 < value && value < count as u64) {
            return;
        }
        shorten(search, count, Piece::Single, &mut |search, range| remove(search, key, range));
    });
}

fn remove(search: &mut Search<'_>, key: (usize, usize), range: Range<usize>) -> bool {
    let structure = search.structure();
    let Some(group) = structure.group(key) else { return false };
    let items = search.items();
    // First what points inside the collection, then whatever looks like it.
    let wholes = [group.whole.clone(), 0..items.len()];
    let candidates = wholes.map(|whole| {
        let places = structure.numbers.iter().filter(|place| whole.contains(place));
        let behind = places.filter(|&&place| edit::value(&items[place]) >= range.end as u64);
        let changes: Vec<_> = behind.map(|&place| (place, edit::value(&items[place]) - range.len() as u64)).collect();
        edit::with_values(items, &changes).and_then(|items| group.without(&items, range.clone()))
    });
    candidates.into_iter().flatten().any(|candidate| search.consider(candidate))
}
