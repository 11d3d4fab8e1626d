//! Mutation of parts: elements, subtrees, and everything else with its own span.

use super::edited::Edited;
use super::interactions::FEW;
use super::{Mutator, Seed};
use crate::choice::{Choice, Item, Sequence, Span};
use crate::generate::ELEMENT;
use crate::sort::sort_numbers;
use std::ops::Range;

impl Mutator {
    /// Replaces a part by one of the same kind, from the same input or another.
    pub(super) fn exchange_part(&mut self, seed: &Seed, focus: &Range<usize>, edited: &mut Edited) {
        let input = &seed.case.sequence;
        let Some(place) = self.pick_part(input, focus, &|span| !span.is_empty()) else { return };
        self.with_donor(input, 2, |mutator, donor| {
            if let Some(part) = mutator.pick_part(donor, &(0..donor.len()), &|span| is_kin(input, &place, donor, span))
            {
                let items = donor.items[range(&part)].to_vec();
                mutator.put(input, &place, items, edited);
            }
        });
    }

    /// Wraps a part: inserts it where another part contains one of its kind.
    pub(super) fn nest_part(&mut self, seed: &Seed, focus: &Range<usize>, edited: &mut Edited) {
        let input = &seed.case.sequence;
        let Some(place) = self.pick_part(input, focus, &|span| !span.is_empty()) else { return };
        self.with_donor(input, 4, |mutator, donor| {
            let kin = |span: &Span| is_kin(input, &place, donor, span);
            if let Some(outer) = mutator.pick_part(donor, &(0..donor.len()), &kin)
                && let Some(inner) = mutator.pick_part(donor, &range(&outer), &|span| kin(span) && *span != outer)
            {
                let mut items = donor.items[outer.start as usize..inner.start as usize].to_vec();
                items.extend_from_slice(&input.items[range(&place)]);
                items.extend_from_slice(&donor.items[inner.end as usize..outer.end as usize]);
                mutator.put(input, &place, items, edited);
            }
        });
    }

    /// Replaces a part by one inside it.
    pub(super) fn hoist_part(&mut self, seed: &Seed, focus: &Range<usize>, edited: &mut Edited) {
        let input = &seed.case.sequence;
        let Some(outer) = self.pick_part(input, focus, &|span| !span.is_empty()) else { return };
        let kin = |span: &Span| is_kin(input, &outer, input, span) && *span != outer;
        if let Some(inner) = self.pick_part(input, &range(&outer), &kin) {
            edited.replace(range(&outer), input.items[range(&inner)].to_vec());
        }
    }

    /// Swaps two parts of the same kind.
    pub(super) fn swap_parts(&mut self, seed: &Seed, focus: &Range<usize>, edited: &mut Edited) {
        let input = &seed.case.sequence;
        let Some(one) = self.pick_part(input, focus, &|span| !span.is_empty()) else { return };
        let apart = |span: &Span| span.end <= one.start || one.end <= span.start;
        if let Some(other) = self.pick_part(input, focus, &|span| apart(span) && is_kin(input, &one, input, span)) {
            edited.replace(range(&one), input.items[range(&other)].to_vec());
            edited.replace(range(&other), input.items[range(&one)].to_vec());
        }
    }

    /// Replaces one value of a choice by another throughout a part: all red nodes become black. In half of the cases
    /// the two are swapped.
    pub(super) fn exchange_values(&mut self, seed: &Seed, focus: &Range<usize>, edited: &mut Edited) {
        let input = &seed.case.sequence;
        let Some(part) = self.pick_part(input, focus, &|span| !span.is_empty()) else { return };
        let kinds = kinds(input);
        let among_numbers = self.one_in(4);
        let mut places: Vec<usize> = range(&part).collect();
        places.retain(|&at| {
            edited.choice(at).is_some_and(|choice| choice.max > 0 && (choice.max > FEW) == among_numbers)
        });
        let mut present: Vec<u64> = places.iter().map(|&at| u64::from(kinds[at])).collect();
        sort_numbers(&mut present);
        present.dedup();
        if present.is_empty() {
            return;
        }
        let kind = present[self.below(present.len())];
        places.retain(|&at| u64::from(kinds[at]) == kind);
        let chosen = places[self.below(places.len())];
        let Some(Choice { value: old, max }) = edited.choice(chosen) else { return };
        let new = if among_numbers { self.near(old, max) } else { (old + 1 + self.random.up_to(max - 1)) % (max + 1) };
        let both_ways = self.one_in(2);
        for at in places {
            match edited.choice(at) {
                Some(choice) if choice.value == old => edited.set(at, new),
                Some(choice) if choice.value == new && both_ways => edited.set(at, old),
                _ => {}
            }
        }
    }

    /// Deletes an element, duplicates it or a run of elements, or moves it.
    pub(super) fn change_element(&mut self, seed: &Seed, focus: &Range<usize>, edited: &mut Edited) {
        let input = &seed.case.sequence;
        let is_element = |span: &Span| span.label == ELEMENT && span.len() > 1;
        let Some(element) = self.pick_part(input, focus, &is_element).map(|span| range(&span)) else { return };
        let Some(other) = self.pick_part(input, focus, &is_element).map(|span| range(&span)) else { return };
        let items = input.items[element.clone()].to_vec();
        match self.below(4) {
            0 => edited.replace(element, Vec::new()),
            1 => edited.replace(element.end..element.end, items),
            2 => {
                edited.replace(other.start..other.start, items);
                edited.replace(element, Vec::new());
            }
            // From one element to another: including those between them, if they are in one collection.
            _ => {
                let run = element.start.min(other.start)..element.end.max(other.end);
                edited.replace(run.end..run.end, input.items[run].to_vec());
            }
        }
    }

    /// Drops everything from a position on, which is then redrawn.
    pub(super) fn cut(&mut self, seed: &Seed, focus: &Range<usize>, edited: &mut Edited) {
        let input = &seed.case.sequence;
        if let Some(part) = self.pick_part(input, focus, &|span| !span.is_empty()) {
            edited.replace(part.start as usize..input.len(), Vec::new());
        }
    }

    /// Replaces a part by these items. In half of the cases their numbers are adapted.
    fn put(&mut self, input: &Sequence, place: &Span, mut items: Vec<Item>, edited: &mut Edited) {
        if self.one_in(2) {
            self.settle(input, &range(place), &mut items);
        }
        edited.replace(range(place), items);
    }

    /// Calls `take` with an input to take parts from: the input itself, once in `own` times, or another one.
    fn with_donor(&mut self, input: &Sequence, own: u64, take: impl FnOnce(&mut Self, &Sequence)) {
        if self.donors.is_empty() || self.one_in(own) {
            return take(self, input);
        }
        let chosen = self.below(self.donors.len());
        let donor = std::mem::take(&mut self.donors[chosen]);
        take(self, &donor);
        self.donors[chosen] = donor;
    }

    /// A random span inside `focus` that is `wanted`.
    pub(super) fn pick_part(
        &mut self,
        input: &Sequence,
        focus: &Range<usize>,
        wanted: &dyn Fn(&Span) -> bool,
    ) -> Option<Span> {
        let inside =
            |span: &&Span| focus.start <= span.start as usize && span.end as usize <= focus.end && wanted(span);
        let count = input.spans.iter().filter(inside).count();
        if count == 0 {
            return None;
        }
        let chosen = self.below(count);
        input.spans.iter().filter(inside).nth(chosen).copied()
    }
}

/// The items of a part.
fn range(span: &Span) -> Range<usize> {
    span.start as usize..span.end as usize
}

/// Whether a part is of the same kind as another, in this or another input.
fn is_kin(input: &Sequence, part: &Span, other: &Sequence, span: &Span) -> bool {
    span.label == part.label && start_alike(&input.items[range(part)], &other.items[range(span)])
}

/// The label of the part that each choice is directly in.
fn kinds(input: &Sequence) -> Vec<u32> {
    let mut kinds = vec![0; input.items.len()];
    for span in &input.spans {
        if let Some(items) = kinds.get_mut(range(span)) {
            items.fill(span.label);
        }
    }
    kinds
}

/// Whether two parts of one label start alike, and so are likely of the same type: all collection elements share one
/// label, so the label alone does not determine the type.
fn start_alike(a: &[Item], b: &[Item]) -> bool {
    let shape = |item: &Item| match item {
        Item::Choice(choice) => (true, choice.max),
        Item::Fork { .. } => (false, 0),
    };
    a.iter().take(2).zip(b).all(|(a, b)| shape(a) == shape(b))
}
