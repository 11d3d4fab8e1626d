//! Decrements a number and sets all numbers after it to their maxima; the same for digits and bits drawn one by one. When nothing else
//! helps, one of the numbers stays one below its maximum.
//!
//! Of all simpler inputs of the same form this is the largest, just as 199 is the largest number below 200. If it only
//! matters that the numbers are large together, and how the total is split decides whether the test fails, as with the
//! two words of a wide integer, this candidate fails as well; other passes then lower numbers that need not be so large. This missed
//! maxima that are of no use, as a prefix that covers the whole address. Not covered: inputs in which some of the numbers must be small.

use super::edit;
use super::lower::MAX_KIND;
use super::search::Search;

/// Inputs with more numbers are skipped: each number takes two runs.
const MAX_NUMBERS: usize = 16;
/// The most evaluations for digits and bits.
const MAX_DIGITS: u64 = 64;
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

/// The same among adjacent choices of one kind: the digits or bits of a number, the first of which counts most.
pub(super) fn kinds(search: &mut Search<'_>) {
    let end = search.spent_after(MAX_DIGITS);
    let mut place = 0;
    while place < search.items().len() && search.spent() < end {
        let structure = search.structure();
        let (at, max) = (place, search.max(place));
        place += 1;
        let Some(lower) = search.value(at).checked_sub(1) else { continue };
        let mut changes = vec![(at, lower)];
        while search.max(place - 1 + changes.len()) == max && structure.is_number(place - 1 + changes.len()) {
            changes.push((place - 1 + changes.len(), max));
        }
        if max <= MAX_KIND && changes.len() > MIN_AFTER && search.consider_values(&changes) {
            return;
        }
    }
}

/// Decrements a number and sets those after it to their maxima, but one of them to one less: where the largest value of one is
/// never of use, as with the length of a prefix.
pub(super) fn but_one(search: &mut Search<'_>) {
    let (structure, end) = (search.structure(), search.spent_after(MAX_DIGITS));
    for (at, &place) in structure.numbers.iter().enumerate().take(MAX_NUMBERS) {
        let Some(lower) = search.value(place).checked_sub(1) else { continue };
        let later: Vec<usize> =
            structure.numbers[at + 1..].iter().copied().filter(|&later| search.max(later) > MAX_KIND).collect();
        for &one in later.iter().rev() {
            let mut changes = vec![(place, lower)];
            changes.extend(later.iter().map(|&later| (later, search.max(later) - u64::from(later == one))));
            if search.spent() >= end || search.consider_values(&changes) {
                return;
            }
        }
    }
}
