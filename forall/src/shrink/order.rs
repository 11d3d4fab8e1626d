//! Sorts parts of one kind.
//!
//! If the order of elements does not matter for a failure, only one order should be reported: simplest first. All
//! elements of a collection are sorted at once; if that does not work, neighbours are swapped. The same is done with
//! collections that are adjacent, with neighbouring variables, and with the iterations of a loop, which have no spans
//! (`loops.rs`). Not covered: parts of different kinds.

use super::loops;
use super::search::Search;
use super::structure::Structure;
use crate::choice::{Item, lexicographic};
use crate::sort::{is_in_order, order};
use std::cmp::Ordering;
use std::ops::Range;

/// Returns the parts to sort, whose positions may have changed.
type Units<'u> = &'u mut dyn FnMut(&mut Search<'_>) -> Option<Vec<Range<usize>>>;

pub(super) fn sort(search: &mut Search<'_>) {
    let mut at = 0;
    loop {
        let all = units(&search.structure());
        let mut unsorted = None;
        while unsorted.is_none() && at < all.len() {
            unsorted = sorted(search.items(), &all[at]);
            at += 1;
        }
        let Some(sorted) = unsorted else { return };
        let which = at - 1;
        if !arrange(search, &all[which], &sorted) {
            insert(search, &mut |search| units(&search.structure()).get(which).cloned());
        }
    }
}

/// Fewer numbers are left to the passes that move amounts between numbers.
const MANY: usize = 64;
/// Shorter runs of them are not sorted by themselves.
const LEAST: usize = 8;

/// Sorts numbers of one kind that do not belong to a common part, all at once or else in halves: otherwise the thousand
/// numbers drawn by a loop would be sorted pair by pair.
pub(super) fn numbers(search: &mut Search<'_>) {
    let mut maxima: Vec<(u64, usize)> = Vec::new();
    for &place in &search.structure().numbers {
        let max = search.max(place);
        if let Some((_, count)) = maxima.iter_mut().find(|(other, _)| *other == max) {
            *count += 1;
        } else if maxima.len() < LEAST {
            maxima.push((max, 1));
        }
    }
    for (max, count) in maxima {
        if count >= MANY {
            sort_numbers(search, max, 0..count);
        }
    }
}

/// Sorts a range of the numbers with one maximum.
fn sort_numbers(search: &mut Search<'_>, max: u64, range: Range<usize>) {
    search.stop_at_the_limits();
    let structure = search.structure();
    let mut places = Vec::with_capacity(range.len());
    for &place in &structure.numbers {
        if search.max(place) == max {
            places.push(place);
        }
    }
    let Some(places) = places.get(range.clone()) else { return };
    let value = |at: usize| search.value(places[at]);
    let order = order(places.len(), &|i, j| value(i).cmp(&value(j)));
    if is_in_order(&order) {
        return;
    }
    let mut changes = Vec::with_capacity(places.len());
    for (at, &from) in order.iter().enumerate() {
        changes.push((places[at], value(from)));
    }
    if !search.consider_values(&changes) && range.len() >= 2 * LEAST {
        let middle = range.start + range.len() / 2;
        sort_numbers(search, max, range.start..middle);
        sort_numbers(search, max, middle..range.end);
    }
}

/// Sorts the iterations of loops.
pub(super) fn iterations(search: &mut Search<'_>) {
    loops::for_each_loop(search, &mut |search, place, units| {
        if let Some(sorted) = sorted(search.items(), units)
            && !arrange(search, units, &sorted)
        {
            insert(search, &mut |search| loops::iterations(search, place));
        }
    });
}

/// The sorted order of the parts; none if they are sorted already.
fn sorted(items: &[Item], units: &[Range<usize>]) -> Option<Vec<usize>> {
    let sorted = order(units.len(), &|i, j| side_by_side(&items[units[i].clone()], &items[units[j].clone()]));
    (!is_in_order(&sorted)).then_some(sorted)
}

/// Which of two parts comes first: the order in which the concatenation is simpler. Both are equally long.
fn side_by_side(a: &[Item], b: &[Item]) -> Ordering {
    if a.len() == b.len() {
        return lexicographic(a, b);
    }
    let at = |first: &[Item], second: &[Item], place: usize| match first.get(place) {
        Some(item) => *item,
        None => second[place - first.len()],
    };
    let (mut place, mut order) = (0, Ordering::Equal);
    while place < a.len() + b.len() && order.is_eq() {
        order = lexicographic(&[at(a, b, place)], &[at(b, a, place)]);
        place += 1;
    }
    order
}

/// Insertion sort by swapping neighbours, for parts that cannot be in every order.
fn insert(search: &mut Search<'_>, units: Units<'_>) {
    let mut next = 1;
    loop {
        let mut place = next;
        next += 1;
        loop {
            let Some(units) = units(search).filter(|units| place < units.len()) else { return };
            if place == 0 {
                break;
            }
            let items = search.items();
            let (left, right) = (&items[units[place - 1].clone()], &items[units[place].clone()]);
            let mut swapped: Vec<usize> = (0..units.len()).collect();
            swapped.swap(place - 1, place);
            if side_by_side(left, right).is_le() || !arrange(search, &units, &swapped) {
                break;
            }
            place -= 1;
        }
    }
}

/// Proposes the units in another order.
fn arrange(search: &mut Search<'_>, units: &[Range<usize>], order: &[usize]) -> bool {
    let arranged = arranged(search.items(), units, order);
    search.consider(arranged)
}

/// The items with the elements of a collection in order; none if they are.
pub(super) fn in_order(items: &[Item], units: &[Range<usize>]) -> Option<Vec<Item>> {
    Some(arranged(items, units, &sorted(items, units)?))
}

/// The items with units in another order.
fn arranged(items: &[Item], units: &[Range<usize>], order: &[usize]) -> Vec<Item> {
    let mut arranged: Vec<Item> = items[..units[0].start].to_vec();
    for (place, &from) in order.iter().enumerate() {
        arranged.extend_from_slice(&items[units[from].clone()]);
        // Items between units stay in place.
        let gap = units[place].end..units.get(place + 1).map_or(items.len(), |next| next.start);
        arranged.extend_from_slice(&items[gap]);
    }
    arranged
}

/// The units that may be sorted: elements of a collection, neighbouring collections, variables.
pub(super) fn units(structure: &Structure) -> Vec<Vec<Range<usize>>> {
    let mut all: Vec<Vec<Range<usize>>> = Vec::new();
    let mut add = |units: Vec<Range<usize>>| {
        if units.len() > 1 {
            all.push(units);
        }
    };
    for group in &structure.groups {
        add(group.elements.clone());
    }
    let mut adjacent: Vec<Range<usize>> = Vec::new();
    let mut depth = 0;
    for group in &structure.groups {
        if group.stop.is_none() {
            continue;
        }
        if depth != group.depth || adjacent.last().is_none_or(|last| last.end != group.whole.start) {
            add(std::mem::take(&mut adjacent));
            depth = group.depth;
        }
        adjacent.push(group.whole.clone());
    }
    add(adjacent);
    let mut variables = Vec::new();
    for part in &structure.spans {
        if part.label >> 31 == 1 {
            variables.push(part.range.clone());
        }
    }
    add(variables);
    all
}
