//! Parts of one kind in order.
//!
//! Where the order of elements does not matter to a bug, there should be only one order to report: the simplest first. All
//! elements of a collection are sorted at once, else neighbours are swapped. The same is done with collections that stand
//! side by side, and with neighbouring variables. What this misses: parts of different kinds.

use super::search::Search;
use super::structure::Structure;
use crate::choice::{Item, shortlex};
use crate::sort::{is_in_order, order};
use std::ops::Range;

pub(super) fn sort(search: &mut Search<'_>) {
    let mut at = 0;
    loop {
        let all = units(&search.structure());
        let mut unsorted = None;
        while unsorted.is_none() && at < all.len() {
            let (items, units) = (search.items(), &all[at]);
            let sorted = order(units.len(), &|i, j| shortlex(&items[units[i].clone()], &items[units[j].clone()]));
            unsorted = (!is_in_order(&sorted)).then_some(sorted);
            at += 1;
        }
        let Some(sorted) = unsorted else { return };
        if !arrange(search, &all[at - 1], &sorted) {
            insert(search, at - 1);
        }
    }
}

/// Insertion by swaps of neighbours, for parts that may stand in some orders and not in others.
fn insert(search: &mut Search<'_>, which: usize) {
    let mut next = 1;
    loop {
        let mut place = next;
        next += 1;
        loop {
            let all = units(&search.structure());
            let Some(units) = all.get(which).filter(|units| place < units.len()) else { return };
            if place == 0 {
                break;
            }
            let items = search.items();
            let (left, right) = (&items[units[place - 1].clone()], &items[units[place].clone()]);
            let mut swapped: Vec<usize> = (0..units.len()).collect();
            swapped.swap(place - 1, place);
            if shortlex(left, right).is_le() || !arrange(search, units, &swapped) {
                break;
            }
            place -= 1;
        }
    }
}

/// Proposes the units in another order.
fn arrange(search: &mut Search<'_>, units: &[Range<usize>], order: &[usize]) -> bool {
    let items = search.items();
    let mut arranged: Vec<Item> = items[..units[0].start].to_vec();
    for (place, &from) in order.iter().enumerate() {
        arranged.extend_from_slice(&items[units[from].clone()]);
        // What stands between units stays where it is.
        let gap = units[place].end..units.get(place + 1).map_or(items.len(), |next| next.start);
        arranged.extend_from_slice(&items[gap]);
    }
    search.consider(arranged)
}

/// What may be sorted: the elements of each collection, collections side by side, variables.
fn units(structure: &Structure) -> Vec<Vec<Range<usize>>> {
    let mut all: Vec<Vec<Range<usize>>> = Vec::new();
    let mut add = |units: Vec<Range<usize>>| {
        if units.len() > 1 {
            all.push(units);
        }
    };
    for group in &structure.groups {
        add(group.elements.clone());
    }
    let mut beside: Vec<Range<usize>> = Vec::new();
    let mut depth = 0;
    for group in &structure.groups {
        if group.stop.is_none() {
            continue;
        }
        if depth != group.depth || beside.last().is_none_or(|last| last.end != group.whole.start) {
            add(std::mem::take(&mut beside));
            depth = group.depth;
        }
        beside.push(group.whole.clone());
    }
    add(beside);
    let mut variables = Vec::new();
    for part in &structure.spans {
        if part.label >> 31 == 1 {
            variables.push(part.range.clone());
        }
    }
    add(variables);
    all
}
