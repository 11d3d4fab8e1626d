//! Changes inputs by changing their choices.
//!
//! Whatever is done to a sequence, replay makes a value of it that the generator could have made: what is too large is
//! clamped, what is missing is drawn at random. So mutation may be bold. What makes it *good* is that it knows the parts:
//! it deletes, doubles, moves and exchanges whole elements and subtrees, and takes parts from other inputs where they fit.

use super::Seed;
use super::operands::codes;
use crate::choice::{AtEnd, Choice, Item, Random, Sequence, Source, Span};
use crate::generate::{Coded, ELEMENT, FIXED_ELEMENT};
use crate::property::{Property, Step};
use crate::shrink::splice;
use crate::sort::sort_by;
use std::ops::Range;

/// Makes new inputs from old ones.
///
/// ```
/// use forall::guide::{Mutator, Seed};
/// use forall::prelude::*;
/// use forall::run::Tester;
/// let property = property! { forall xs: Vec<u8>; check xs.len() < 1000 };
/// let tester = Tester::new("lengths", &property, 7);
/// let seed = Seed::new(tester.record(0, 50).0, 1.0);
/// let mut mutator = Mutator::new(&property, 7);
/// let (source, steps) = mutator.mutate(&seed);
/// let (mutant, _) = tester.run_source(source, &steps);
/// # let _ = mutant;
/// ```
#[derive(Clone, Debug)]
pub struct Mutator {
    random: Random,
    /// The variables that have a mutator of their own.
    typed: Vec<u32>,
    /// Other inputs, whose parts may be used.
    donors: Vec<Sequence>,
    next_donor: usize,
}

/// So many other inputs are at hand for their parts.
const DONORS: usize = 32;

/// A path of more steps on values takes too long to walk.
const MOST_STEPS: usize = 32;

/// A mutant changes its seed in up to so many places.
const MOST_EDITS: u32 = 8;

impl Mutator {
    /// A mutator for inputs of `property`. What it does is a function of `seed`.
    ///
    /// ```
    /// # use forall::{guide::Mutator, prelude::*};
    /// let property = property! { forall n: u8; check n.count_ones() <= 8 };
    /// let mutator = Mutator::new(&property, 7);
    /// # let _ = mutator;
    /// ```
    pub fn new(property: &dyn Property, seed: u64) -> Self {
        let mut typed = Vec::new();
        for (number, quantifier) in property.outline().quantifiers.iter().enumerate() {
            if quantifier.mutates {
                typed.push(number as u32);
            }
        }
        // A stream of its own: test 0 of the run draws from the seed itself.
        Self { random: Random::for_test(seed, u64::MAX), typed, donors: Vec::new(), next_donor: 0 }
    }

    /// Remembers an input, for its parts.
    ///
    /// ```
    /// # use forall::{guide::Mutator, prelude::*, run::Tester};
    /// let property = property! { forall n: u8; check n.count_ones() <= 8 };
    /// let mut mutator = Mutator::new(&property, 7);
    /// mutator.offer(&Tester::new("bits", &property, 7).choices(0, 100));
    /// ```
    pub fn offer(&mut self, input: &Sequence) {
        if self.donors.len() < DONORS {
            self.donors.push(input.clone());
        } else {
            self.donors[self.next_donor % DONORS].clone_from(input);
        }
        self.next_donor = self.next_donor.wrapping_add(1);
    }

    /// A changed input: choices, of which those at the end are random, and steps on values.
    ///
    /// ```
    /// # use forall::{guide::{Mutator, Seed}, prelude::*, run::{Tested, Tester}};
    /// let property = property! { forall n in 0..100u32; check *n < 100 };
    /// let tester = Tester::new("below", &property, 7);
    /// let seed = Seed::new(tester.record(0, 50).0, 1.0);
    /// let mut mutator = Mutator::new(&property, 7);
    /// for _ in 0..1000 {
    ///     let (source, steps) = mutator.mutate(&seed);
    ///     assert_eq!(tester.run_source(source, &steps).1, Tested::Pass, "never outside of what the generator makes");
    /// }
    /// ```
    pub fn mutate(&mut self, seed: &Seed) -> (Source, Vec<Step>) {
        let mut steps = seed.case.steps.clone();
        let input = &seed.case.sequence;
        if !self.typed.is_empty() && steps.len() < MOST_STEPS && self.one_in(2) {
            let chosen = self.below(self.typed.len());
            steps.push(Step::Mutate { quantifier: self.typed[chosen], seed: self.random.word() });
            return (Source::replay(input), steps);
        }
        let mut edited = Edited::new(input);
        let focus = self.focus(input);
        // Few changes are likelier than many: 1 in half of the cases, 2 in a quarter, …
        let edits = (self.random.word().trailing_zeros() + 1).min(MOST_EDITS);
        for _ in 0..edits {
            self.edit(seed, &focus, &mut edited);
        }
        let mutant = Sequence { size: self.size(input.size), items: edited.into_items(), spans: Vec::new() };
        (Source::tape(&mutant, AtEnd::Random(self.random.word())), steps)
    }

    /// Which items to change: those of one variable in half of the cases, else all.
    fn focus(&mut self, input: &Sequence) -> Range<usize> {
        let variables: Vec<&Span> = input.spans.iter().filter(|span| span.variable().is_some()).collect();
        if variables.len() < 2 || self.one_in(2) {
            return 0..input.len();
        }
        let span = variables[self.below(variables.len())];
        span.start as usize..span.end as usize
    }

    /// What is drawn at random at the end is drawn at the size of the seed, now and then at another.
    fn size(&mut self, size: u32) -> u32 {
        if self.one_in(16) { self.random.up_to(100) as u32 } else { size }
    }

    fn edit(&mut self, seed: &Seed, focus: &Range<usize>, edited: &mut Edited) {
        let known = !seed.operands.is_empty();
        match self.below(if known { 16 } else { 10 }) {
            0..=4 => self.change_number(focus, edited),
            5 => self.change_element(seed, focus, edited),
            6..=8 => self.exchange_part(seed, focus, edited),
            9 => self.cut(seed, focus, edited),
            10..=13 if !seed.operands.numbers().is_empty() => self.place_number(seed, focus, edited),
            _ => self.place_text(seed, focus, edited),
        }
    }

    /// Another value for one choice.
    fn change_number(&mut self, focus: &Range<usize>, edited: &mut Edited) {
        let Some((at, Choice { value, max })) = self.pick_choice(focus, edited) else { return };
        let distance = self.random.up_to(15) + 1;
        let new = match self.below(8) {
            0 | 1 => self.random.up_to(max),
            2 => value.wrapping_add(distance),
            3 => value.wrapping_sub(distance),
            4 => value ^ 1 << self.random.up_to(63 - u64::from(max.leading_zeros())),
            5 => *[0, max, max / 2, value / 2, value.wrapping_mul(2)].get(self.below(5)).unwrap_or(&0),
            // The value of another choice of its kind: keys that repeat, indices that meet.
            _ => self.another_value(at, max, edited).unwrap_or(value.wrapping_add(1)),
        };
        // Wrapped beyond 0 or too large: anything.
        edited.set(at, if new <= max { new } else { self.random.up_to(max) });
    }

    fn pick_choice(&mut self, focus: &Range<usize>, edited: &Edited) -> Option<(usize, Choice)> {
        if focus.is_empty() {
            return None;
        }
        // Forks and choices without a choice are rare; a few draws find something else.
        for _ in 0..8 {
            let at = focus.start + self.below(focus.len());
            if let Some(&Item::Choice(choice)) = edited.items.get(at)
                && choice.max > 0
            {
                return Some((at, choice));
            }
        }
        None
    }

    fn another_value(&mut self, at: usize, max: u64, edited: &Edited) -> Option<u64> {
        let start = self.below(edited.items.len());
        let others = edited.items[start..].iter().chain(&edited.items[..start]).enumerate();
        for (offset, item) in others {
            if let Item::Choice(other) = item
                && other.max == max
                && (start + offset) % edited.items.len() != at
            {
                return Some(other.value);
            }
        }
        None
    }

    /// Deletes an element, doubles it or a run of elements, or puts it elsewhere.
    fn change_element(&mut self, seed: &Seed, focus: &Range<usize>, edited: &mut Edited) {
        let input = &seed.case.sequence;
        let Some(element) = self.pick_part(input, focus, &|span| span.label == ELEMENT && span.len() > 1) else {
            return;
        };
        let items = input.items[element.clone()].to_vec();
        let Some(other) = self.pick_part(input, focus, &|span| span.label == ELEMENT && span.len() > 1) else { return };
        match self.below(4) {
            0 => edited.replace(element, Vec::new()),
            1 => edited.replace(element.end..element.end, items),
            2 => {
                edited.replace(other.start..other.start, items);
                edited.replace(element, Vec::new());
            }
            // From one element to another: if they are of one collection, the elements between them too.
            _ => {
                let run = element.start.min(other.start)..element.end.max(other.end);
                edited.replace(run.end..run.end, input.items[run].to_vec());
            }
        }
    }

    /// Puts a part of the same kind in the place of a part: from the same input, or from another.
    fn exchange_part(&mut self, seed: &Seed, focus: &Range<usize>, edited: &mut Edited) {
        let input = &seed.case.sequence;
        let Some(place) = self.pick_part(input, focus, &|span| !span.is_empty()) else { return };
        let Some(label) = input.spans.iter().find(|span| range(span) == place).map(|span| span.label) else { return };
        let kin = |other: &Sequence, span: &Span| {
            span.label == label && alike(&input.items[place.clone()], &other.items[range(span)])
        };
        let own = self.donors.is_empty() || self.one_in(2);
        let chosen = self.below(self.donors.len());
        // Taken out while parts are picked from it.
        let donor = if own { Sequence::default() } else { std::mem::take(&mut self.donors[chosen]) };
        let from = if own { input } else { &donor };
        if let Some(part) = self.pick_part(from, &(0..from.len()), &|span| kin(from, span)) {
            edited.replace(place, from.items[part].to_vec());
        }
        if !own {
            self.donors[chosen] = donor;
        }
    }

    /// Forgets everything from a place on: it is drawn anew.
    fn cut(&mut self, seed: &Seed, focus: &Range<usize>, edited: &mut Edited) {
        let input = &seed.case.sequence;
        if let Some(part) = self.pick_part(input, focus, &|span| !span.is_empty()) {
            edited.replace(part.start..input.len(), Vec::new());
        }
    }

    /// One side of a comparison where the other is; or anywhere, if it is nowhere.
    fn place_number(&mut self, seed: &Seed, focus: &Range<usize>, edited: &mut Edited) {
        let numbers = seed.operands.numbers();
        let (mut old, mut new) = numbers[self.below(numbers.len())];
        if self.one_in(2) {
            (old, new) = (new, old);
        }
        let (from, to) = (codes(old), codes(new));
        let mut places = Vec::new();
        for at in focus.clone() {
            let Some(&Item::Choice(Choice { value, max })) = edited.items.get(at) else { continue };
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
            // A number that starts elsewhere than at 0 is off by the same as the one compared.
            let value =
                if self.one_in(2) { to[self.below(to.len())] } else { value.wrapping_add(new).wrapping_sub(old) };
            edited.set(at, value.min(max));
        } else {
            // Bytes of a text may have been compared as one number.
            let width = if old.max(new) > u64::from(u32::MAX) {
                8
            } else if old.max(new) > 0xffff {
                4
            } else {
                2
            };
            let (mut old, mut new) = (old.to_le_bytes(), new.to_le_bytes());
            if self.one_in(4) {
                old[..width].reverse();
                new[..width].reverse();
            }
            self.write(&seed.case.sequence, focus, &old[..width], &new[..width], edited);
        }
    }

    /// One of two compared texts where the other is; or anywhere, if it is nowhere.
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
            // Nowhere: in front of an element, or of the end of a collection.
            let Some(at) = self.pick_part(input, focus, &|span| span.label == ELEMENT) else { return };
            at.start..at.start
        } else {
            let start = starts[self.below(starts.len())];
            cells[start].range.start..cells[start + old.len() - 1].range.end
        };
        let like = cells.iter().find(|cell| cell.range.start >= replaced.start).or(cells.last());
        let text = like.map_or_else(|| self.one_in(2), |cell| cell.is_char);
        let fixed = like.is_some_and(|cell| cell.range.len() == 1);
        let mut items = Vec::new();
        for &byte in new {
            if !fixed {
                items.push(Item::Choice(Choice { value: 1, max: 1 }));
            }
            let value = if text { u64::from(char::from(byte).encode()) } else { u64::from(byte) };
            items.push(Item::Choice(Choice { value, max: u64::MAX }));
        }
        edited.replace(replaced, items);
    }

    /// The items of a random span inside of `focus` that is as wanted.
    fn pick_part(
        &mut self,
        input: &Sequence,
        focus: &Range<usize>,
        wanted: &dyn Fn(&Span) -> bool,
    ) -> Option<Range<usize>> {
        let inside =
            |span: &&Span| focus.start <= span.start as usize && span.end as usize <= focus.end && wanted(span);
        let count = input.spans.iter().filter(inside).count();
        if count == 0 {
            return None;
        }
        let chosen = self.below(count);
        input.spans.iter().filter(inside).nth(chosen).map(range)
    }

    fn below(&mut self, n: usize) -> usize {
        self.random.up_to(n.saturating_sub(1) as u64) as usize
    }

    fn one_in(&mut self, n: u64) -> bool {
        self.random.up_to(n - 1) == 0
    }
}

fn range(span: &Span) -> Range<usize> {
    span.start as usize..span.end as usize
}

/// Whether two parts of one label begin alike, and so are likely of one type: all elements have one label.
fn alike(a: &[Item], b: &[Item]) -> bool {
    let shape = |item: &Item| match item {
        Item::Choice(choice) => (true, choice.max),
        Item::Fork { .. } => (false, 0),
    };
    a.iter().take(2).zip(b).all(|(a, b)| shape(a) == shape(b))
}

/// An element that is one byte or one character.
struct Cell {
    range: Range<usize>,
    is_char: bool,
    byte: Option<u8>,
}

impl Cell {
    fn of(input: &Sequence, span: &Span) -> Option<Self> {
        let length = match span.label {
            ELEMENT => 2,
            FIXED_ELEMENT => 1,
            _ => return None,
        };
        let Some(&Item::Choice(Choice { value, max })) =
            input.items[range(span)].last().filter(|_| span.len() == length)
        else {
            return None;
        };
        let is_char = max == u64::from(char::MAX.encode());
        let byte = if is_char { u8::try_from(char::decode(value as u32)).ok() } else { u8::try_from(value).ok() };
        (is_char || max == u64::from(u8::MAX)).then_some(Self { range: range(span), is_char, byte })
    }
}

/// The items of a mutant in the making: values are changed at once, parts when all edits are known, from the last to the
/// first, since each moves what comes after it.
struct Edited {
    items: Vec<Item>,
    replacements: Vec<(Range<usize>, Vec<Item>)>,
}

impl Edited {
    fn new(input: &Sequence) -> Self {
        Self { items: input.items.clone(), replacements: Vec::new() }
    }

    fn set(&mut self, at: usize, new: u64) {
        if let Some(Item::Choice(choice)) = self.items.get_mut(at) {
            choice.value = new;
        }
    }

    fn replace(&mut self, range: Range<usize>, by: Vec<Item>) {
        self.replacements.push((range, by));
    }

    fn into_items(mut self) -> Vec<Item> {
        sort_by(&mut self.replacements, |(a, _), (b, _)| a.start.cmp(&b.start));
        let mut untouched = self.items.len();
        while let Some((range, by)) = self.replacements.pop() {
            // Of two that overlap, the later one is done.
            if range.end <= untouched {
                untouched = range.start;
                splice(&mut self.items, range, &by);
            }
        }
        self.items
    }
}
