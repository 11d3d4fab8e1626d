//! Flips the sign of all numbers.
//!
//! If a bug needs two negative numbers, as with an overflowing sum, it often also occurs with two positive ones, which
//! are simpler; but neither can change its sign alone. Positive numbers are negated as well, or left unchanged.
//! Not covered: inputs in which only some of the numbers must change.

use super::search::Search;

pub(super) fn signs(search: &mut Search<'_>) {
    let (mut changes, mut others) = (Vec::new(), Vec::new());
    for &place in &search.structure().numbers {
        let (value, max) = (search.value(place), search.max(place));
        // The codes of a signed type are those of 0, 1, -1, 2, -2, …, with the minimum last.
        if value == max && max % 2 == 1 && max > 2 {
            changes.push((place, max - 2));
        } else if value > 0 && value.is_multiple_of(2) {
            changes.push((place, value - 1));
        } else if value > 0 && value < max {
            others.push((place, value + 1));
        }
    }
    if changes.len() > 1 && !search.consider_values(&changes) && !others.is_empty() {
        changes.append(&mut others);
        search.consider_values(&changes);
    }
}
