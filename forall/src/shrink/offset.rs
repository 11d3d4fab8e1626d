//! Shifts all numbers of a collection by the same amount.
//!
//! If a bug needs increasing or adjacent numbers, it does not matter where they start: `[-1, 0, 1, 2]` fails if
//! `[0, 1, 2, 3]` does. No number can be lowered alone. So all are shifted by the same amount, such that the first
//! becomes 0: as unsigned codes, and as signed numbers, which alternate between positive and negative in the order of
//! simplicity. If the numbers are in several variables or in a loop without spans, all numbers of one kind are shifted,
//! wherever they are. Not covered: numbers of one kind of which only some must be shifted, and partial shifts.

use super::edit;
use super::elements::for_each_group;
use super::fold::{decode, encode};
use super::lower::MAX_KIND;
use super::search::Search;
use crate::choice::Item;
use crate::generate::{float_code, ranged_float};
use crate::sort::retain;

/// The largest number of kinds of numbers.
const MAX_MAXIMA: usize = 8;

pub(super) fn offset(search: &mut Search<'_>) {
    for_each_group(search, &mut |search, key| {
        for &signed in &[false, true] {
            let structure = search.structure();
            let Some(group) = structure.group(key) else { return };
            let candidate = moved(search.items(), structure.numbers_in(&group.whole), signed);
            search.consider_some(candidate);
        }
    });
    let mut maxima: Vec<u64> = Vec::new();
    for &place in &search.structure().numbers {
        let max = search.max(place);
        if max > MAX_KIND && maxima.len() < MAX_MAXIMA && !maxima.contains(&max) {
            maxima.push(max);
        }
    }
    for &max in &maxima {
        for &signed in &[false, true] {
            let mut places = search.structure().numbers.clone();
            retain(&mut places, |&place| search.max(place) == max);
            let candidate = moved(search.items(), &places, signed);
            search.consider_some(candidate);
        }
    }
}

/// The items with the numbers at these positions shifted so that the first is 0; `None` unless there are several of one
/// kind.
fn moved(items: &[Item], places: &[usize], signed: bool) -> Option<Vec<Item>> {
    let &[first, _, ..] = places else { return None };
    let max = edit::max(&items[first]);
    let by = decode(edit::value(&items[first]), signed);
    let float_by = ranged_float(edit::value(&items[first]), max);
    let mut changes = Vec::with_capacity(places.len());
    for &place in places {
        let value = edit::value(&items[place]);
        if edit::max(&items[place]) != max {
            return None;
        }
        let code = match (ranged_float(value, max), float_by) {
            (Some(x), Some(by)) => float_code(max, x - by),
            _ => encode(decode(value, signed).checked_sub(by)?, max, signed),
        };
        changes.push((place, code?));
    }
    edit::with_values(items, &changes)
}
