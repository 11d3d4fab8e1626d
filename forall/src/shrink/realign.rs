//! Sequences realigned with the draws of the generator.
//!
//! After an edit, the generator may expect other choices than the remaining ones: an operation is drawn only where
//! there are operands, and a recursive function draws no alternative at its depth limit. The maxima of the draws show
//! where the two diverge. There, either the remaining choices are cut up to the next one with the expected maximum, or
//! a zero is inserted. Only the generator runs for this, not the property.
//!
//! Not covered: draws with equal maxima that mean different things.

use super::edit;
use super::search::Search;
use crate::choice::{Choice, Item};

/// Longer inputs are not realigned, since the generator runs once per difference.
pub(super) const MAX_ITEMS: usize = 500;
/// The largest number of differences that are repaired.
const MAX_REPAIRS: usize = 32;
/// The largest number of choices that are cut at one place.
const MAX_CUT: usize = 4;

/// How to continue where the generator draws with another maximum than that of the next choice.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum Repair {
    /// Cut the choices before the next one that has this maximum; insert nothing.
    Cut,
    /// Insert a zero; cut only where a zero would make the input as long as it was.
    Insert,
}

/// Both repairs, the one that needs no new choices first.
pub(super) const REPAIRS: [Repair; 2] = [Repair::Cut, Repair::Insert];

/// The items with every difference repaired. None if there is no difference, or if it cannot be repaired.
pub(super) fn realigned(search: &Search<'_>, mut items: Vec<Item>, repair: Repair) -> Option<Vec<Item>> {
    let most = search.items().len();
    let mut is_repaired = false;
    for _ in 0..MAX_REPAIRS {
        let case = edit::candidate(&search.best, items);
        let drawn = search.tester.drawn(&case);
        items = case.sequence.items;
        let shared = drawn.items.len().min(items.len());
        let Some(at) = (0..shared).find(|&at| edit::max(&drawn.items[at]) != edit::max(&items[at])) else {
            return (is_repaired || shared < items.len()).then_some(items);
        };
        is_repaired = true;
        let max = edit::max(&drawn.items[at]);
        let next = items[at..].iter().take(MAX_CUT + 1).position(|item| edit::max(item) == max);
        if repair == Repair::Insert && items.len() < most {
            items = edit::replaced(&items, at..at, &[Item::Choice(Choice { value: 0, max })]);
        } else {
            items = edit::replaced(&items, at..at + next?, &[]);
        }
    }
    None
}

impl Search<'_> {
    /// Proposes the realigned items. Returns whether either repair is an improvement.
    pub(super) fn consider_realigned(&mut self, items: &[Item]) -> bool {
        REPAIRS.iter().any(|&repair| {
            let candidate = realigned(self, items.to_vec(), repair);
            self.consider_some(candidate)
        })
    }
}
