//! All numbers with the other sign.
//!
//! Where a bug needs two negative numbers, as a sum that overflows does, it often comes with two positive ones as well, which
//! are simpler; but neither can change its sign alone. If there are positive ones, too, they become negative in turn, or stay.
//! What this misses: other numbers of which only some must change.

use super::search::Search;

pub(super) fn signs(search: &mut Search<'_>) {
    let (mut changes, mut others) = (Vec::new(), Vec::new());
    for &place in &search.structure().numbers {
        let (value, max) = (search.value(place), search.max(place));
        // The codes of a signed type are those of 0, 1, -1, 2, -2, …, and last that of the least number.
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
