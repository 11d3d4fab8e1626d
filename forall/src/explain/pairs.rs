//! Pairs of values for two parts: the same for both, such as have something to do with each other, and any.
//!
//! What matters to a property may be less than the values: their length, their elements in whatever order, a remainder. Two
//! random values differ in all of that, so pairs are tried that differ in little.

use super::contents::chained;
use super::notable::{LENGTHS, differences, values};
use super::part::Part;
use super::relations::Tally;
use super::vary::{Kind, Seen, Vary};
use crate::choice::{Choice, Item};
use crate::generate::code_of;
use crate::shrink::edit;
use crate::shrink::structure::Group;

/// So many pairs are run of those that take turns, which are of so many kinds.
const PAIRS: u64 = 60;
const KINDS: u64 = 5;
/// So many pairs of notable values are run that are the same for both.
const EQUAL: usize = 40;
/// Of so many small values each is run with each.
const SMALL: usize = 16;
/// The rounds of random contents of which variations are run with them: small and large ones.
const VARIED: [u64; 3] = [23, 21, 22];
/// Of contents of more choices than this no variations are run.
const MAX_VARIED: usize = 100;
/// So many numbers of a value, and collections in it, are varied.
const MAX_NUMBERS: usize = 6;
const MAX_GROUPS: usize = 2;
/// Numbers that are so far apart, as choices, are tried too: programs take remainders and cut bits off. Twice as far is for
/// signed numbers, of which every other choice is negative.
#[rustfmt::skip]
const APART: [u64; 23] = [
    2, 3, 4, 5, 8, 10, 16, 20, 32, 64, 100, 128, 200, 256, 512, 1_000, 1_024, 2_000,
    1 << 15, 1 << 16, 1 << 17, 1 << 32, 1 << 33,
];
/// In so many ways a number can have something to do with another.
const KIN: usize = APART.len() + 4;

/// Runs pairs of values of two parts, as long as some relation is possible.
pub(super) fn try_pairs(vary: &mut Vary<'_>, parts: [&Part; 2], tally: &mut Tally) {
    let goes_on = tally.read(vary);
    let mut pairs = Pairs { vary, parts, tally, seen: Seen::default(), goes_on };
    pairs.take_turns();
    pairs.same_for_both();
    if parts[0].kind == Kind::Number && parts[1].kind == Kind::Number {
        pairs.kin();
        pairs.multiples_apart();
    } else {
        pairs.small();
        pairs.variations();
    }
}

struct Pairs<'p, 'v> {
    vary: &'p mut Vary<'v>,
    parts: [&'p Part; 2],
    tally: &'p mut Tally,
    seen: Seen,
    /// Whether some relation is possible, and there are runs left.
    goes_on: bool,
}

impl Pairs<'_, '_> {
    /// Runs a pair. Whether it was a new one that could be run.
    fn run(&mut self, one: &[Item], two: &[Item]) -> bool {
        let [left, right] = self.parts;
        let ranges = [left.ranges[0].clone(), right.ranges[0].clone()];
        let contents = vec![one.to_vec(), two.to_vec()];
        let ran = self.vary.run(&ranges, &contents, &[left.variable, right.variable], &mut self.seen).is_some();
        self.goes_on = self.tally.read(self.vary) && self.vary.left() > 0;
        ran
    }

    /// Runs a pair, in every other round the other way round.
    fn run_either(&mut self, one: &[Item], two: &[Item], round: usize) {
        if self.looks_for_others() {
            if round % 2 == 0 {
                self.run(one, two)
            } else {
                self.run(two, one)
            };
        }
    }

    /// Whether to look for other values for which the property fails: not if some are known.
    fn looks_for_others(&self) -> bool {
        self.goes_on && self.tally.may_pass_otherwise()
    }

    /// What the generator makes for the first part.
    fn generate(&mut self, round: u64) -> Option<Vec<Item>> {
        Some(self.vary.generate(&self.parts[0].kind, &self.parts[0].ranges, round)?.remove(0))
    }

    /// Pairs that are the same for both, neighbours, these the other way round, and any.
    fn take_turns(&mut self) {
        let (mut round, mut ran, mut barren) = (0, 0, 0);
        let mut last = None;
        while self.goes_on && ran < PAIRS && barren < PAIRS {
            round += 1;
            barren += 1;
            let pair = match (round % KINDS, last.take()) {
                (3, Some((one, two))) => Some((two, one)),
                _ => {
                    last = self.turn(round);
                    last.clone()
                }
            };
            if let Some((one, two)) = pair
                && self.run(&one, &two)
            {
                (ran, barren) = (ran + 1, 0);
            }
        }
    }

    /// The same for both, neighbours, or any.
    fn turn(&mut self, round: u64) -> Option<(Vec<Item>, Vec<Item>)> {
        let one = self.generate(round)?;
        let mut two = one.clone();
        match (round % KINDS, &mut two[..]) {
            (0 | 1, _) => {}
            (2, [Item::Choice(Choice { value, max })]) => {
                *value = if *value < *max { *value + 1 } else { *value - (*max).min(1) };
            }
            _ => two = self.vary.generate(&self.parts[1].kind, &self.parts[1].ranges, round)?.remove(0),
        }
        Some((one, two))
    }

    /// Notable values, the same for both.
    fn same_for_both(&mut self) {
        if !self.goes_on {
            return;
        }
        let range = self.parts[0].ranges[0].clone();
        let mut notable = Vec::new();
        if self.parts[0].kind == Kind::Number {
            for value in values(self.vary, edit::max(&self.vary.items()[range.start])).0 {
                notable.push(vec![value]);
            }
        } else {
            notable = self.vary.small(&self.parts[0].kind, &range);
            let elements = self.vary.notable_elements(range.start);
            for (round, length) in LENGTHS.into_iter().enumerate() {
                if let Some(mut content) = chained(&elements, 7 * round, length) {
                    content.push(Item::Choice(Choice { value: 0, max: 1 }));
                    notable.push(content);
                }
            }
        }
        for content in notable.into_iter().take(EQUAL) {
            if self.goes_on {
                self.run(&content, &content);
            }
        }
    }

    /// Numbers that have something to do with each other: each from a small number, from any, and the other way round.
    fn kin(&mut self) {
        for round in 0..4 {
            for kin in 0..KIN {
                if self.looks_for_others()
                    && let Some([Item::Choice(Choice { value, max })]) = self.generate(round).as_deref()
                    && let Some(other) = kin_of(*value, *max, kin)
                {
                    self.run_either(&number(*value, *max), &number(other, *max), round as usize);
                }
            }
        }
    }

    /// Numbers with the same remainder, whatever they are divided by.
    fn multiples_apart(&mut self) {
        let Item::Choice(Choice { value, max }) = self.vary.items()[self.parts[0].ranges[0].start] else { return };
        if !self.looks_for_others() {
            return;
        }
        for (round, difference) in differences(max).into_iter().enumerate() {
            // As signed numbers are coded, every other one is negative, and 0 is one of those.
            let twice = difference.saturating_mul(2);
            for apart in [difference, if value == 0 { twice - 1 } else { twice }] {
                if let Some(other) = value.checked_add(apart).filter(|other| *other <= max) {
                    self.run_either(&number(value, max), &number(other, max), round);
                }
            }
        }
    }

    /// All pairs of small values.
    fn small(&mut self) {
        if !self.looks_for_others() {
            return;
        }
        let mut small = self.vary.small(&self.parts[0].kind, &self.parts[0].ranges[0]);
        small.truncate(SMALL);
        for (place, one) in small.iter().enumerate() {
            for (before, two) in small[..place].iter().enumerate() {
                self.run_either(one, two, place + before);
            }
        }
    }

    /// Values that differ in little: one number, one element, the order of elements.
    fn variations(&mut self) {
        for round in VARIED {
            if !self.looks_for_others() {
                return;
            }
            let Some(one) = self.generate(round).filter(|one| one.len() <= MAX_VARIED) else { continue };
            for (place, two) in variations(self.vary, self.parts[0], &one).iter().enumerate() {
                self.run_either(&one, two, place);
            }
        }
    }
}

/// The contents of a part that differ in little from some that it can have.
fn variations(vary: &Vary<'_>, part: &Part, content: &[Item]) -> Vec<Vec<Item>> {
    let mut variations = Vec::new();
    let start = part.ranges[0].start;
    let Some(structure) = vary.structure(&part.ranges, &vec![content.to_vec()]) else { return variations };
    let range = start..start + content.len();
    for &place in structure.numbers_in(&range).iter().take(MAX_NUMBERS) {
        let (value, max) = (edit::value(&content[place - start]), edit::max(&content[place - start]));
        // Among characters, the same letter in the other case.
        let case = code_of('A') - code_of('a');
        for other in [
            value.saturating_add(1),
            value.wrapping_sub(1),
            value.saturating_add(case),
            value.wrapping_sub(case),
            0,
            max,
        ] {
            if other <= max && other != value {
                let mut changed = content.to_vec();
                changed[place - start] = Item::Choice(Choice { value: other, max });
                variations.push(changed);
            }
        }
    }
    let mut groups = 0;
    for group in &structure.groups {
        if range.start <= group.whole.start && group.whole.end <= range.end && groups < MAX_GROUPS {
            groups += 1;
            rearrange(content, start, group, &mut variations);
        }
    }
    variations
}

/// Adds the contents with other elements in a collection: fewer, more, or in another order.
fn rearrange(content: &[Item], start: usize, group: &Group, variations: &mut Vec<Vec<Item>>) {
    let mut elements = Vec::new();
    for element in &group.elements {
        elements.push(content[element.start - start..element.end - start].to_vec());
    }
    let (Some(first), Some(last)) = (elements.first().cloned(), elements.last().cloned()) else { return };
    let count = elements.len();
    let mut add = |elements: &[Vec<Item>]| {
        let (from, to) = (group.elements[0].start - start, group.elements[count - 1].end - start);
        let mut changed = content.to_vec();
        edit::splice(&mut changed, from..to, &elements.concat());
        variations.push(changed);
    };
    add(&elements[1..]);
    add(&elements[..count - 1]);
    add(&[&[last.clone()], &elements[..]].concat());
    add(&[&elements[..], &[first.clone()]].concat());
    add(&[&elements[..], &[last.clone()]].concat());
    // If they are characters, with a space before and behind.
    if let [more, Item::Choice(Choice { max, .. })] = last[..] {
        let space = vec![more, Item::Choice(Choice { value: code_of(' ').min(max), max })];
        add(&[&[space.clone()], &elements[..]].concat());
        add(&[&elements[..], &[space]].concat());
    }
    elements.reverse();
    add(&elements);
    elements.swap(0, count - 1);
    add(&elements);
}

fn number(value: u64, max: u64) -> [Item; 1] {
    [Item::Choice(Choice { value, max })]
}

/// A number, as a choice up to `max`, that has something to do with another.
fn kin_of(value: u64, max: u64, kin: usize) -> Option<u64> {
    let other = match APART.get(kin) {
        Some(apart) => value.checked_add(*apart).filter(|other| *other <= max).or(value.checked_sub(*apart)),
        // Doubled, for unsigned numbers and for signed ones; negated; and what is missing to the greatest.
        None => match kin - APART.len() {
            0 => value.checked_mul(2),
            1 => value.checked_mul(2).and_then(|twice| twice.checked_add(1)),
            2 if value % 2 == 1 => value.checked_add(1),
            2 => value.checked_sub(1),
            _ => max.checked_sub(value),
        },
    };
    other.filter(|other| *other <= max)
}
