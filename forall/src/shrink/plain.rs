//! Replaces wide characters by ASCII ones.
//!
//! A text that must have a certain number of bytes needs fewer characters if some of them are multi-byte; then neither
//! can these be lowered nor the text shortened. People expect to see plain ASCII text. So a character weighs as many as
//! it has bytes (see `edit::weight`), and here it is replaced by that many ASCII characters: all at once, or else one
//! at a time. Not covered: texts of a given length.

use super::edit::{self, Change};
use super::search::Search;
use crate::choice::{Choice, Item};
use crate::generate::utf8_width;
use crate::sort::sort_by;

pub(super) fn plain(search: &mut Search<'_>) {
    let wide = wide(search);
    if wide.len() > 1 && replace(search, &wide) {
        return;
    }
    for &place in wide.iter().rev() {
        // From the end, so that earlier positions stay valid.
        replace(search, &[place]);
    }
}

/// The positions of multi-byte characters that are elements of a collection.
fn wide(search: &mut Search<'_>) -> Vec<usize> {
    let structure = search.structure();
    let mut wide = Vec::new();
    for group in structure.groups.iter().filter(|group| group.open) {
        for element in &group.elements {
            let place = element.end - 1;
            if element.len() == 2 && utf8_width(search.value(place), search.max(place)) > 1 {
                wide.push(place);
            }
        }
    }
    sort_by(&mut wide, usize::cmp);
    wide
}

/// Proposes plain characters for those at some places, as many as they have bytes.
fn replace(search: &mut Search<'_>, places: &[usize]) -> bool {
    let mut plain = Vec::with_capacity(places.len());
    for &place in places {
        let max = search.max(place);
        let mut characters = Vec::new();
        for _ in 0..utf8_width(search.value(place), max) {
            characters.push(Item::Choice(Choice { value: 1, max: 1 }));
            characters.push(Item::Choice(Choice { value: 0, max }));
        }
        plain.push(characters);
    }
    let mut changes: Vec<Change<'_>> = Vec::with_capacity(places.len());
    for (at, place) in places.iter().enumerate() {
        changes.push((place - 1..place + 1, &plain[at]));
    }
    let items = edit::changed(search.items(), &changes);
    search.consider(items)
}
