//! A number one lower, and all numbers behind it as large as they may be.
//!
//! Of all simpler inputs of the same form that is the last, as 199 is the last number before 200. Where it is enough that numbers
//! are large together, and how they are split among several decides whether it fails, as with the two words of a wide integer,
//! this fails, too; the others lower again what need not be so large. What this misses: numbers of which some must be small.

use super::edit;
use super::lower::MAX_KIND;
use super::search::Search;

/// Inputs with more numbers are left as they are: it takes two runs for each.
const MAX_NUMBERS: usize = 16;
/// With fewer numbers behind it, `pairs.rs` sees to it.
const LEAST_BEHIND: usize = 2;

pub(super) fn carry(search: &mut Search<'_>) {
    let mut at = 0;
    while let Some(&place) = search.structure().numbers.get(at) {
        at += 1;
        let structure = search.structure();
        let Some(lower) = search.value(place).checked_sub(1) else { continue };
        if structure.numbers.len() > MAX_NUMBERS || search.max(place) <= MAX_KIND {
            continue;
        }
        // For signed numbers the largest positive one stands before the largest of all.
        for below in 0..=1 {
            let mut changes = vec![(place, lower)];
            for &behind in &structure.numbers[at..] {
                let max = search.max(behind);
                if max > MAX_KIND && search.value(behind) < max - below {
                    changes.push((behind, max - below));
                }
            }
            if changes.len() > LEAST_BEHIND && search.consider_some(edit::with_values(search.items(), &changes)) {
                break;
            }
        }
    }
}
