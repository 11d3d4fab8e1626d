//! Mutation of numbers and strings.

use super::cells::{Cell, spell};
use super::edited::Edited;
use super::interactions::FEW;
use super::operands::codes;
use super::{Mutator, Seed};
use crate::choice::{Choice, Item, Sequence};
use crate::generate::{Coded, ELEMENT, first_part};
use std::ops::Range;

impl Mutator {
    /// Another value for one choice.
    pub(super) fn change_number(&mut self, focus: &Range<usize>, edited: &mut Edited) {
        let Some((at, Choice { value, max })) = self.pick_choice(focus, edited) else { return };
        let distance = self.random.up_to(15) + 1;
        let new = match self.below(8) {
            0 | 1 => self.anything(max),
            2 => value.wrapping_add(distance),
            3 => value.wrapping_sub(distance),
            4 => value ^ 1 << self.random.up_to(63 - u64::from(max.leading_zeros())),
            5 => *[0, max, max / 2, value / 2, value.wrapping_mul(2)].get(self.below(5)).unwrap_or(&0),
            // The value of another choice of its kind, or a neighbour: repeated keys, equal indices, sorted numbers.
            6 => self.another_value(at, max, edited).unwrap_or(value.wrapping_add(1)),
            _ => {
                let other = self.another_value(at, max, edited).unwrap_or(value);
                self.near(other, max)
            }
        };
        // Wrapped below 0 or too large: any value.
        edited.set(at, if new <= max { new } else { self.anything(max) });
    }

    /// A random value; for a float from a range, one at a random fraction of the range.
    fn anything(&mut self, max: u64) -> u64 {
        let first = first_part(max).unwrap_or(0);
        first + self.random.up_to(max - first)
    }

    fn pick_choice(&mut self, focus: &Range<usize>, edited: &Edited) -> Option<(usize, Choice)> {
        if focus.is_empty() {
            return None;
        }
        // A few draws find such a choice.
        for _ in 0..8 {
            let at = focus.start + self.below(focus.len());
            // Another constructor would have other fields: that is a mutation of parts.
            if let Some(choice) = edited.choice(at)
                && choice.max > 0
                && (choice.max > FEW || self.one_in(4))
            {
                return Some((at, choice));
            }
        }
        None
    }

    /// The value of another choice with the same maximum.
    fn another_value(&mut self, at: usize, max: u64, edited: &Edited) -> Option<u64> {
        let start = self.below(edited.len());
        for offset in 0..edited.len() {
            let other = (start + offset) % edited.len();
            if let Some(choice) = edited.choice(other)
                && choice.max == max
                && other != at
            {
                return Some(choice.value);
            }
        }
        None
    }

    /// A neighbour of another value, as signed or unsigned numbers; close ones are likelier than distant ones.
    pub(super) fn near(&mut self, value: u64, max: u64) -> u64 {
        let farthest = u64::from(self.random.word().trailing_zeros()) + 1;
        let distance = self.random.up_to(farthest);
        let new = match self.below(4) {
            0 => value.wrapping_add(distance),
            1 => value.wrapping_sub(distance),
            2 => i64::decode(value).wrapping_add(distance as i64).encode(),
            _ => i64::decode(value).wrapping_sub(distance as i64).encode(),
        };
        if new <= max { new } else { value }
    }

    /// Shifts the numbers of an inserted part to those around its new position. They keep their distances from each
    /// other, and so their order.
    pub(super) fn settle(&mut self, input: &Sequence, place: &Range<usize>, items: &mut [Item]) {
        let number = |item: &Item| match item {
            Item::Choice(choice) if choice.max > FEW => Some(*choice),
            _ => None,
        };
        let Some(Choice { max, .. }) = items.iter().find_map(number) else { return };
        let of_kind = |item: &Item| number(item).filter(|choice| choice.max == max).map(|choice| choice.value);
        let before = input.items[..place.start].iter().rev().find_map(of_kind);
        let after = input.items[place.end..].iter().find_map(of_kind);
        let neighbour = if self.one_in(2) { before.or(after) } else { after.or(before) };
        let own: Vec<u64> = items.iter().filter_map(of_kind).collect();
        let Some(neighbour) = neighbour else { return };
        let anchor = own[self.below(own.len())];
        let moved = i64::decode(self.near(neighbour, max)).wrapping_sub(i64::decode(anchor));
        for item in items {
            if let Item::Choice(choice) = item
                && choice.max == max
            {
                choice.value = i64::decode(choice.value).wrapping_add(moved).encode().min(max);
            }
        }
    }

    /// One operand of a comparison in place of the other, for numbers or strings.
    pub(super) fn place_operand(&mut self, seed: &Seed, focus: &Range<usize>, edited: &mut Edited) {
        if !seed.operands.numbers().is_empty() && !self.one_in(3) {
            self.place_number(seed, focus, edited);
        } else {
            self.place_text(seed, focus, edited);
        }
    }

    /// One operand of a comparison in place of the other; or anywhere, if it does not occur.
    fn place_number(&mut self, seed: &Seed, focus: &Range<usize>, edited: &mut Edited) {
        let numbers = seed.operands.numbers();
        let (mut old, mut new) = numbers[self.below(numbers.len())];
        if self.one_in(2) {
            (old, new) = (new, old);
        }
        let (from, to) = (codes(old), codes(new));
        let mut places = Vec::new();
        for at in focus.clone() {
            let Some(Choice { value, max }) = edited.choice(at) else { continue };
            for way in 0..from.len() {
                if value == from[way] && to[way] <= max && max >= old {
                    places.push((at, to[way]));
                }
            }
        }
        if !places.is_empty() {
            let (at, value) = places[self.below(places.len())];
            edited.set(at, value);
        } else if self.one_in(2)
            && let Some((at, Choice { value, max })) = self.pick_choice(focus, edited)
        {
            // A number with an offset differs by the same amount as the compared one.
            let value =
                if self.one_in(2) { to[self.below(to.len())] } else { value.wrapping_add(new).wrapping_sub(old) };
            edited.set(at, value.min(max));
        } else {
            // Bytes of a string may have been compared as one number.
            let width = match old.max(new) {
                0..=0xff => 1,
                0x100..=0xffff => 2,
                0x1_0000..=0xffff_ffff => 4,
                _ => 8,
            };
            let (mut old, mut new) = (old.to_le_bytes(), new.to_le_bytes());
            if self.one_in(4) {
                old[..width].reverse();
                new[..width].reverse();
            }
            self.write(&seed.case.sequence, focus, &old[..width], &new[..width], edited);
        }
    }

    /// One of two compared strings in place of the other; or anywhere, if it does not occur.
    fn place_text(&mut self, seed: &Seed, focus: &Range<usize>, edited: &mut Edited) {
        let texts = seed.operands.texts();
        if texts.is_empty() {
            return self.change_number(focus, edited);
        }
        let (a, b) = &texts[self.below(texts.len())];
        let (old, new) = if self.one_in(2) { (a, b) } else { (b, a) };
        self.write(&seed.case.sequence, focus, old, new, edited);
    }

    /// Writes `new` over `old`, element by element, where a collection of bytes or of characters spells `old`.
    fn write(&mut self, input: &Sequence, focus: &Range<usize>, old: &[u8], new: &[u8], edited: &mut Edited) {
        let cells: Vec<Cell> = input.spans.iter().filter_map(|span| Cell::of(input, span)).collect();
        let spelled = |start: usize| {
            cells
                .get(start..start + old.len())
                .is_some_and(|run| run.iter().zip(old).all(|(cell, byte)| cell.byte == Some(*byte)))
        };
        let mut starts: Vec<usize> = (0..cells.len()).filter(|&start| spelled(start)).collect();
        starts.retain(|&start| focus.contains(&cells[start].range.start));
        let replaced = if starts.is_empty() || old.is_empty() {
            // It does not occur: inserts before an element, or at the end of a collection.
            let Some(part) = self.pick_part(input, focus, &|span| span.label == ELEMENT) else { return };
            part.start as usize..part.start as usize
        } else {
            let start = starts[self.below(starts.len())];
            cells[start].range.start..cells[start + old.len() - 1].range.end
        };
        let like = cells.iter().find(|cell| cell.range.start >= replaced.start).or(cells.last());
        let text = like.map_or_else(|| self.one_in(2), |cell| cell.is_char());
        let fixed = like.is_some_and(Cell::is_fixed);
        edited.replace(replaced, spell(new, text, fixed));
    }
}
