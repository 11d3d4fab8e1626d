//! Facts that a search learns from rejected candidates.

use super::Search;
use super::edit;
use crate::choice::{Item, Sequence};
use crate::fact::Fact;
use crate::generate::{ELEMENT, FIXED_ELEMENT};
use crate::property::Failure;
use crate::testing::Case;

/// The maximum number of other failures that are kept.
const MAX_OTHERS: usize = 8;
/// The maximum number of faults of generators and shrinkers that are reported.
const MAX_FAULTS: usize = 3;

impl Search<'_> {
    /// The simplest choices that were seen to make a part with this label.
    pub(in crate::shrink) fn simplest(&self, label: u32) -> Option<&[Item]> {
        let (_, items) = self.simplest.iter().find(|(other, _)| *other == label)?;
        Some(items)
    }

    /// Records a fault of a generator or shrinker, once.
    pub(in crate::shrink) fn note_fault(&mut self, fault: Fact) {
        if self.story.faults.len() < MAX_FAULTS && !self.story.faults.contains(&fault) {
            self.story.faults.push(fault);
        }
    }

    /// Keeps the simplest case of another failure.
    pub(super) fn note_other(&mut self, case: &Case, failure: Failure) {
        let known = self.story.others.iter().any(|(_, other)| other.same_origin(&failure));
        // A panic before the check is not a failure of the property.
        if !known && let Some(fault) = self.tester.generator_panics(case) {
            self.note_fault(fault.fact());
            return;
        }
        let others = &mut self.story.others;
        match others.iter().position(|(_, other)| other.same_origin(&failure)) {
            Some(known) if edit::simpler(&case.sequence.items, &others[known].0.sequence.items) => {
                others[known] = (case.clone(), failure);
            }
            None if others.len() < MAX_OTHERS => others.push((case.clone(), failure)),
            _ => {}
        }
    }

    /// Remembers the simplest choices of each kind of part.
    pub(super) fn learn(&mut self, drawn: &Sequence) {
        for span in &drawn.spans {
            if span.is_empty() || span.label == ELEMENT || span.label == FIXED_ELEMENT {
                continue;
            }
            let made = &drawn.items[span.start as usize..span.end as usize];
            if self.simplest(span.label).is_none_or(|simplest| edit::simpler(made, simplest)) {
                self.note_simplest(span.label, made);
                set_simplest(&mut self.simplest, span.label, made);
            }
        }
    }
}

/// Sets items as the simplest for a label.
pub(in crate::shrink) fn set_simplest(simplest: &mut Vec<(u32, Vec<Item>)>, label: u32, items: &[Item]) {
    match simplest.iter_mut().find(|(other, _)| *other == label) {
        Some((_, simplest)) => *simplest = items.to_vec(),
        None => simplest.push((label, items.to_vec())),
    }
}
