//! All numbers of a collection moved by the same.
//!
//! Where a bug needs numbers that rise, or are next to each other, it does not care where they begin: `[-1, 0, 1, 2]` fails as
//! `[0, 1, 2, 3]` does. No number can be lowered alone. So all are moved by as much, the first of them to 0: as they are, and as
//! signed numbers, which alternate between positive and negative in the order of simplicity. What this misses: numbers that
//! are not the only ones in their collection, and moves of a part of the way.

use super::edit;
use super::elements::for_each_group;
use super::fold::{decode, encode};
use super::search::Search;
use crate::choice::Item;

pub(super) fn offset(search: &mut Search<'_>) {
    for_each_group(search, &mut |search, key| {
        for &signed in &[false, true] {
            let structure = search.structure();
            let Some(group) = structure.group(key) else { return };
            let candidate = moved(search.items(), structure.numbers_in(&group.whole), signed);
            search.consider_some(candidate);
        }
    });
}

/// The items with the numbers at these places moved so that the first is 0; none if there are not several of one kind.
fn moved(items: &[Item], places: &[usize], signed: bool) -> Option<Vec<Item>> {
    let &[first, _, ..] = places else { return None };
    let max = edit::max(&items[first]);
    let by = decode(edit::value(&items[first]), signed);
    let mut changes = Vec::with_capacity(places.len());
    for &place in places {
        let number = decode(edit::value(&items[place]), signed).checked_sub(by)?;
        if edit::max(&items[place]) != max {
            return None;
        }
        changes.push((place, encode(number, max, signed)?));
    }
    edit::with_values(items, &changes)
}
