//! Tries small numbers one by one.
//!
//! If numbers must leave a certain remainder, or take a certain number of Euclidean steps, lowering one stops wherever
//! no step succeeds, and that depends on the starting point. If there are few such numbers, all small ones are tried,
//! the simplest first. Where larger numbers fail as well, the passes that lower numbers find the smallest, and this
//! pass does nothing. Large floats are far apart and small ones end at the subnormals: if there are two or three
//! floats, such a value is tried after zeros or ones; in place of a fraction from a range, simple ones are tried. Not
//! covered: patterns that small numbers do not keep to, and more numbers.

use super::floats::{is_fraction, simple};
use super::lower::{KINDS, MAX_KIND};
use super::search::Search;
use crate::generate::{float_code, is_character, is_ranged_float};
use crate::sort::last_below;

/// If one of several numbers is larger than this, small ones are unlikely to fail.
const LARGEST: u64 = 1 << 16;
/// For one number the values below 64 are tried, for two those below 16.
const BELOW: [u64; 2] = [64, 16];

pub(super) fn small(search: &mut Search<'_>) {
    let (mut places, mut is_large) = (Vec::new(), false);
    for &place in &search.structure().numbers {
        let (value, max) = (search.value(place), search.max(place));
        if value > KINDS && max > MAX_KIND {
            if is_character(max) {
                return;
            }
            is_large |= value > LARGEST;
            places.push(place);
        }
    }
    if places.len() > 1 && (is_large || search.has_rejected()) {
        return;
    }
    if let &[place] = &places[..]
        && is_fraction(search, place)
    {
        simple(search, place);
        return;
    }
    let Some(&below) = places.len().checked_sub(1).and_then(|count| BELOW.get(count)) else { return };
    if grows(search, &places) {
        return;
    }
    let mut values: Vec<u64> = vec![0; places.len()];
    loop {
        let mut changes = Vec::with_capacity(places.len());
        for (number, &place) in places.iter().enumerate() {
            // Every other float code has the other sign.
            let (code, sign) = (values[number], search.value(place) & 1);
            changes.push((place, if is_ranged_float(search.max(place)) { code << 1 | sign } else { code }));
        }
        if search.consider_values(&changes) {
            return;
        }
        // The next values, counting like a number with that many digits.
        let Some(last) = last_below(values.len(), &|digit| values[digit] + 1 < below) else { return };
        values[last] += 1;
        values[last + 1..].fill(0);
    }
}

/// Sets the last of a few floats to one where rounding starts or the range ends, and the others to simple ones.
pub(super) fn floats(search: &mut Search<'_>) {
    let (mut places, mut is_large) = (Vec::new(), false);
    for &place in &search.structure().numbers {
        let max = search.max(place);
        if max == u64::MAX || is_ranged_float(max) {
            places.push(place);
            is_large |= search.value(place) > LARGEST;
        }
    }
    if !is_large || !(2..=3).contains(&places.len()) {
        return;
    }
    for &last in &[2.0 / f64::EPSILON, f64::from_bits(1), f64::MAX] {
        for &other in &[0.0, 1.0] {
            let mut changes = Vec::with_capacity(places.len());
            for (number, &place) in places.iter().enumerate() {
                let float: f64 = if number + 1 < places.len() { other } else { last };
                changes.extend(float_code(search.max(place), float).map(|code| (place, code)));
            }
            if search.consider_values(&changes) {
                return;
            }
        }
    }
}

/// Whether larger numbers, and still larger ones, fail as well: not the next one, which may have the other sign.
fn grows(search: &mut Search<'_>, places: &[usize]) -> bool {
    let mut fails = |more: u64| {
        let mut changes = Vec::with_capacity(places.len());
        for &place in places {
            changes.push((place, search.value(place).saturating_add(more).min(search.max(place))));
        }
        search.fails_with(&changes)
    };
    fails(2) && fails(4)
}
