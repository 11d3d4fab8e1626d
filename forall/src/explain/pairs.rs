//! Pairs of values for two parts: the same for both, such as have something to do with each other, and any.
//!
//! What matters to a property may be less than the values: their length, their elements in whatever order, a remainder. Two
//! random values differ in all of that, so pairs are tried that differ in little.

use super::notable::{differences, values};
use super::part::Part;
use super::relations::Tally;
use super::vary::{Kind, Seen, Vary};
use crate::choice::{Choice, Item};
use crate::generate::code_of;
use crate::shrink::edit;
use crate::shrink::structure::Group;

/// So many pairs are run of those that take turns.
const PAIRS: u64 = 60;
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
/// Numbers that are so far apart are tried beside those that leave the same remainder: programs cut bits off.
const APART: [u64; 6] = [1 << 15, 1 << 16, 1 << 17, 1 << 31, 1 << 32, 1 << 33];

/// Runs pairs of values of two parts, as long as some relation is possible. Whether other variables were left alone by all.
pub(super) fn try_pairs(vary: &mut Vary<'_>, parts: [&Part; 2], tally: &mut Tally) -> bool {
    let goes_on = tally.read(vary);
    let mut pairs = Pairs { vary, parts, tally, seen: Seen::default(), goes_on };
    pairs.take_turns();
    pairs.same_for_both();
    if parts[0].kind == Kind::Number && parts[1].kind == Kind::Number {
        pairs.related_numbers();
    } else {
        pairs.small();
        pairs.variations();
    }
    !pairs.seen.governs
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
            if round.is_multiple_of(2) {
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
        Some(self.vary.generate(&self.parts[0].kind, &self.parts[0].ranges, round)?.concat())
    }

    /// Pairs that are the same for both, neighbours, and any.
    fn take_turns(&mut self) {
        let (mut round, mut ran, mut barren) = (0, 0, 0);
        while self.goes_on && ran < PAIRS && barren < PAIRS {
            round += 1;
            barren += 1;
            let Some(mut one) = self.generate(round) else { continue };
            let mut two = one.clone();
            match (round % 4, &mut two[..]) {
                (0 | 1, _) => {}
                (2, [Item::Choice(Choice { value, max })]) => {
                    *value = if *value < *max { *value + 1 } else { *value - (*max).min(1) };
                }
                _ => {
                    let any = self.vary.generate(&self.parts[1].kind, &self.parts[1].ranges, round);
                    two = any.unwrap_or_default().concat();
                }
            }
            if round % 8 > 3 {
                std::mem::swap(&mut one, &mut two);
            }
            if self.run(&one, &two) {
                (ran, barren) = (ran + 1, 0);
            }
        }
    }

    /// Notable values, the same for both.
    fn same_for_both(&mut self) {
        if !self.goes_on {
            return;
        }
        let range = self.parts[0].ranges[0].clone();
        let mut notable = Vec::new();
        if self.parts[0].kind == Kind::Number {
            for &value in &values(self.vary, edit::max(&self.vary.items()[range.start])).0 {
                notable.push(vec![value]);
            }
        } else {
            notable = self.vary.small(&self.parts[0].kind, &range);
        }
        notable.truncate(EQUAL);
        for content in &notable {
            if self.goes_on {
                self.run(content, content);
            }
        }
    }

    /// Numbers that have something to do with each other: the same remainder, whatever they are divided by, or the same low
    /// bits; double and negated ones. From the one that is there, and from any.
    fn related_numbers(&mut self) {
        let now = self.vary.items()[self.parts[0].ranges[0].start];
        let other = self.generate(1).unwrap_or_default();
        for (round, item) in [now, other.first().copied().unwrap_or(now)].iter().enumerate() {
            let (value, max) = (edit::value(item), edit::max(item));
            let mut others = Vec::new();
            if round == 0 && self.looks_for_others() {
                others = differences(max);
            }
            others.extend_from_slice(&APART);
            for difference in &mut others {
                *difference = value.saturating_add(*difference);
            }
            // As signed numbers are coded, every other one is negative, and 0 is one of those.
            for place in 0..others.len() {
                let difference = others[place] - value;
                others.push(others[place].saturating_add(difference - u64::from(value == 0)));
            }
            // Double, unsigned and signed; negated; and what is missing to the greatest.
            let twice = value.saturating_mul(2);
            let negated = if value % 2 == 1 { value.saturating_add(1) } else { value.saturating_sub(1) };
            others.extend_from_slice(&[twice, twice.saturating_add(1), negated, max - value]);
            for (place, &other) in others.iter().enumerate() {
                if other <= max {
                    self.run_either(&number(value, max), &number(other, max), place);
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
        for &round in &VARIED {
            if !self.looks_for_others() {
                return;
            }
            let Some(one) = self.generate(round) else { continue };
            if one.len() > MAX_VARIED {
                continue;
            }
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
        for &other in &[
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

/// Adds the contents with other elements in a collection: fewer, more, or in another order; and, if they are characters, with
/// a space before or behind.
fn rearrange(content: &[Item], start: usize, group: &Group, variations: &mut Vec<Vec<Item>>) {
    let (Some(first), Some(last)) = (group.elements.first(), group.elements.last()) else { return };
    let whole = first.start - start..last.end - start;
    let count = group.elements.len();
    for kind in 0..9 {
        let mut order = Vec::new();
        for place in 0..count {
            order.push(if kind == 0 { count - 1 - place } else { place });
        }
        match kind {
            0 => {}
            1 => order.swap(0, count - 1),
            2 => order.truncate(count - 1),
            3 => order[0] = count - 1,
            4 => order.push(0),
            5 => order.push(count - 1),
            6 => order.insert(0, count - 1),
            // Where there is no element there is a space.
            7 => order.push(count),
            _ => order.insert(0, count),
        }
        let mut elements = Vec::new();
        for &place in &order {
            let element = group.elements.get(place).unwrap_or(last);
            elements.extend_from_slice(&content[element.start - start..element.end - start]);
            if place == count
                && let Some(Item::Choice(Choice { value, max })) = elements.last_mut()
            {
                *value = code_of(' ').min(*max);
            }
        }
        let mut changed = content.to_vec();
        edit::splice(&mut changed, whole.clone(), &elements);
        variations.push(changed);
    }
}

fn number(value: u64, max: u64) -> [Item; 1] {
    [Item::Choice(Choice { value, max })]
}
