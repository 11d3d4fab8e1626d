//! Decrements a number and sets all numbers after it to their maxima.
//!
//! Of all simpler inputs of the same form this is the largest, just as 199 is the largest number below 200. If it only
//! matters that the numbers are large together, and how the total is split decides whether the test fails, as with the
//! two words of a wide integer, this candidate fails too; other passes then lower what need not be so large. Not
//! covered: inputs in which some of the numbers must be small.

use super::edit;
use super::lower::MAX_KIND;
use super::search::Search;

/// Inputs with more numbers are skipped: each number takes two runs.
const MAX_NUMBERS: usize = 16;
/// With fewer numbers after it, `pairs.rs` handles the case.
const MIN_AFTER: usize = 2;

pub(super) fn carry(search: &mut Search<'_>) {
    let mut at = 0;
    while let Some(&place) = search.structure().numbers.get(at) {
        at += 1;
        let structure = search.structure();
        let Some(lower) = search.value(place).checked_sub(1) else { continue };
        if structure.numbers.len() > MAX_NUMBERS || search.max(place) <= MAX_KIND {
            continue;
        }
        // For signed numbers, the largest positive value comes just before the maximum code.
        for below in 0..=1 {
            let mut changes = vec![(place, lower)];
            for &later in &structure.numbers[at..] {
                let max = search.max(later);
                if max > MAX_KIND && search.value(later) < max - below {
                    changes.push((later, max - below));
                }
            }
            if changes.len() > MIN_AFTER && search.consider_some(edit::with_values(search.items(), &changes)) {
                break;
            }
        }
    }
}
