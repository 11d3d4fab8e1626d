//! Replaces whole parts by their simplest forms.
//!
//! The boldest steps, which therefore come first: no choices at all, each variable as simple as possible, each subtree
//! a leaf, all numbers of a part 0. The simplest form of a variable or subtree need not be known in advance: every run
//! shows what its parts drew, and the simplest of each kind is remembered. The first run, of no choices at all, shows
//! the simplest of all. Not covered: a part that must not be the simplest, but could be simpler.

use super::edit::{self, Change};
use super::search::Search;
use crate::choice::Item;
use std::ops::Range;

/// No choices at all.
pub(super) fn everything(search: &mut Search<'_>) {
    if !search.has_frozen() {
        search.consider(Vec::new());
    }
}

/// Replaces each variable and each subtree by the simplest of its kind, outer ones first. As long as that succeeds,
/// more and more of them at once.
pub(super) fn parts(search: &mut Search<'_>) {
    let (mut at, mut count, mut again) = (0, 1, false);
    while let Some((first, items)) = simplest_from(search, at, count) {
        if search.consider(items) {
            // Parts that were replaced together with the first are already the simplest, and will be skipped.
            at = first + 1;
            count *= if again { 2 } else { 1 };
            again = true;
        } else {
            at = if count == 1 { first + 1 } else { first };
            (count, again) = (1, false);
        }
    }
}

/// The items with the first `count` parts from `at` on replaced by the simplest of their kinds, and the place of the first.
fn simplest_from(search: &mut Search<'_>, at: usize, count: usize) -> Option<(usize, Vec<Item>)> {
    let structure = search.structure();
    let (mut first, mut changes): (usize, Vec<Change<'_>>) = (0, Vec::new());
    for (place, part) in structure.spans.iter().enumerate().skip(at) {
        if matches!(changes.last(), Some((last, _)) if part.range.start < last.end) {
            continue;
        }
        if changes.len() == count {
            break;
        }
        if let Some(simplest) = search.simplest(part.label)
            && edit::simpler(simplest, &search.items()[part.range.clone()])
        {
            first = if changes.is_empty() { place } else { first };
            changes.push((part.range.clone(), simplest));
        }
    }
    (!changes.is_empty()).then(|| (first, edit::changed(search.items(), &changes)))
}

/// Sets all numbers to 0 and keeps the form of the input: many different inputs then become equal.
pub(super) fn numbers(search: &mut Search<'_>) {
    zero(search, 0..search.items().len());
}

/// Inputs with fewer numbers are left to the passes that look at each.
const MANY: usize = 64;
/// Fewer numbers than this are not set together.
const LEAST: usize = 8;

/// Sets many numbers to 0, or else to 1: if few numbers of a long input matter, one run per remaining number would take
/// too long.
pub(super) fn halves(search: &mut Search<'_>) {
    let count = search.structure().numbers.len();
    if count >= MANY {
        set_halves(search, 0..count);
    }
}

fn set_halves(search: &mut Search<'_>, range: Range<usize>) {
    for value in 0..=1 {
        if set(search, range.clone(), value, None) {
            return;
        }
    }
    if range.len() >= 2 * LEAST {
        let middle = range.start + range.len() / 2;
        set_halves(search, range.start..middle);
        set_halves(search, middle..range.end);
    }
}

/// Sets all larger numbers with one maximum to a value that one of them was lowered to: all together, or else in
/// halves. In a long input it is probably the minimum for all of them, and searching each one would take several times
/// as many runs as there are numbers.
pub(super) fn others_to(search: &mut Search<'_>, value: u64, max: u64) {
    let count = search.structure().numbers.len();
    if count >= MANY {
        to_value(search, 0..count, value, max);
    }
}

fn to_value(search: &mut Search<'_>, range: Range<usize>, value: u64, max: u64) {
    if !set(search, range.clone(), value, Some(max)) && range.len() >= 2 * LEAST {
        let middle = range.start + range.len() / 2;
        to_value(search, range.start..middle, value, max);
        to_value(search, middle..range.end, value, max);
    }
}

/// Sets all larger numbers of a part of the list, with one maximum or any, to a value. Returns whether none of them is
/// larger afterwards.
fn set(search: &mut Search<'_>, range: Range<usize>, value: u64, max: Option<u64>) -> bool {
    let structure = search.structure();
    let mut changes = Vec::new();
    for &place in structure.numbers.get(range).unwrap_or_default() {
        if search.value(place) > value && max.is_none_or(|max| search.max(place) == max) {
            changes.push((place, value));
        }
    }
    changes.is_empty() || search.consider_values(&changes)
}

/// For each part with several numbers, sets all of them to 0.
pub(super) fn numbers_of_parts(search: &mut Search<'_>) {
    let mut at = 0;
    while let Some(part) = search.structure().spans.get(at).cloned() {
        at += 1;
        zero(search, part.range);
    }
}

fn zero(search: &mut Search<'_>, part: Range<usize>) {
    let structure = search.structure();
    let items = search.items();
    let mut changes = Vec::new();
    for &place in structure.numbers_in(&part) {
        if edit::value(&items[place]) > 0 {
            changes.push((place, 0));
        }
    }
    if changes.len() > 1 {
        search.consider_values(&changes);
    }
}
