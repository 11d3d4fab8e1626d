//! Parts that draw more or fewer choices in a new place than they did in the old one.
//!
//! How much a part draws may depend on the size left at its position. Further down, a subtree becomes a leaf without a
//! choice, and the choices that it brought along would be read by the following parts: they are removed. Higher up, or
//! at a larger size, what was a leaf for lack of size draws a choice, and would read the choices of the following
//! parts: zeros are inserted until all parts draw what their spans say. (Generators of this library draw the same
//! everywhere; user-written ones need not.) Not covered: parts for which 0 does not mean the same as running out of
//! size.

use super::edit;
use super::search::Search;
use crate::choice::{Choice, Item, Sequence, Span};
use crate::testing::{Case, Tester};
use std::ops::Range;

impl Search<'_> {
    /// Proposes items in which a part with `label` was put at `place`. If it draws less there than it brought along, it is
    /// proposed without the rest.
    pub(super) fn consider_part(&mut self, items: Vec<Item>, place: Range<usize>, label: u32) -> bool {
        let before = self.evaluations();
        if self.consider(items.clone()) {
            return true;
        }
        if self.evaluations() == before {
            return false;
        }
        let is_made = |span: &&Span| span.label == label && span.start as usize == place.start;
        let drawn = self.last_drawn();
        let made = drawn.spans.iter().find(is_made);
        let excess = made.map_or(place.end, |span| span.end as usize)..place.end;
        !excess.is_empty() && self.consider(edit::replaced(&items, excess, &[]))
    }

    /// Proposes a sequence with the spans that it should have. If some parts draw more than these, it is proposed with zeros
    /// there, as long as it stays shorter than the best.
    pub(super) fn consider_sequence(&mut self, sequence: Sequence) -> bool {
        let room = self.items().len().saturating_sub(sequence.len() + 1);
        let (before, new) = (self.evaluations(), !self.was_proposed(&sequence.items));
        if self.consider(sequence.items.clone()) {
            return true;
        }
        if !new || room == 0 {
            return false;
        }
        let case = Case { sequence, steps: self.best.steps.clone() };
        // Knowing the outcome without zeros says nothing about the outcome with zeros.
        let is_drawn = self.evaluations() > before;
        let drawn = if is_drawn { Sequence::clone(&self.last_drawn()) } else { self.tester.drawn(&case) };
        let fitted = with_zeros(self.tester, &case, drawn, room);
        fitted.is_some_and(|fitted| self.consider(fitted.sequence.items))
    }
}

/// The case with zeros where parts draw more than their spans say; `drawn` is what it draws without them. Each zero
/// requires a run of the generator, so at most `most` are inserted.
pub(super) fn with_zeros(tester: &Tester<'_>, case: &Case, mut drawn: Sequence, most: usize) -> Option<Case> {
    let mut case = case.clone();
    for _ in 0..=most {
        let Some(part) = longer(&case.sequence.spans, &drawn.spans) else {
            return (drawn.items.len() == case.sequence.items.len()).then_some(case);
        };
        insert(&mut case.sequence, part);
        drawn = tester.drawn(&case);
    }
    None
}

/// The first part, by its end, that is longer now: the innermost such part.
fn longer(before: &[Span], now: &[Span]) -> Option<usize> {
    let mut longer: Option<usize> = None;
    for (part, a) in before.iter().enumerate() {
        let Some(b) = now.get(part) else { break };
        if a.label != b.label || a.start != b.start {
            break;
        }
        if b.end > a.end && longer.is_none_or(|first| a.end <= before[first].end) {
            longer = Some(part);
        }
    }
    longer
}

/// Adds a zero at the end of a part.
fn insert(sequence: &mut Sequence, part: usize) {
    let Span { start, end, .. } = sequence.spans[part];
    sequence.items.insert(end as usize, Item::Choice(Choice { value: 0, max: u64::MAX }));
    for (other, span) in sequence.spans.iter_mut().enumerate() {
        if span.start > end || span.start == end && other > part {
            span.start += 1;
            span.end += 1;
        } else if other <= part && span.start <= start && span.end >= end {
            span.end += 1;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::choice::Source;
    use crate::property::{Empty, Telescope};

    const SIZE: u32 = 100;

    /// A chain that is at most as long as the size.
    fn chain(source: &mut Source, size: u32) -> u32 {
        source.span(9, |source| match size {
            0 => 0,
            _ if source.choice(1) == 0 => 0,
            _ => 1 + chain(source, size - 1),
        })
    }

    #[test]
    fn parts_that_draw_more_at_a_larger_size_get_zeros() {
        let draw = |s: &mut Source| {
            let size = s.size();
            chain(s, size)
        };
        let property = Empty.forall("a", move |(), s| draw(s)).forall("b", move |_, s| draw(s)).check(|_| true);
        let tester = Tester::new("fit", &property, 1);
        let small = Case { sequence: Sequence::from_values(2, &[1, 1, 1, 0]), steps: Vec::new() };
        let mut case = tester.run(&small).0;
        case.sequence.size = SIZE;
        let drawn = tester.drawn(&case);
        let fitted = with_zeros(&tester, &case, drawn, 10).unwrap();
        assert_eq!(fitted.sequence.values().collect::<Vec<_>>(), [1, 1, 0, 1, 0]);
    }
}
