//! Pairs of values for two parts: the same for both, such as have something to do with each other, and any.
//!
//! What matters to a property may be less than the values: their length, their elements in whatever order, a remainder. Two
//! random values differ in all of that, so pairs are tried that differ in little.

use super::notable::{differences, magnitudes, values as values_of};
use super::part::{BARREN, FIRST_FRESH, FRESH, Part};
use super::tally::Tally;
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
/// So many values on each side of a bound are run.
const NEIGHBOURS: u64 = 16;
/// And so many that programs treat apart.
const NOTABLE: usize = 60;
/// So many collections are run with the number of their elements.
const LENGTHS: u64 = 24;
/// So often the distance is halved in which two numbers may be near each other, and tried from other numbers.
const DISTANCES: u64 = 40;
/// Numbers that are so far apart are tried beside those that leave the same remainder: programs cut bits off.
const APART: [u64; 6] = [1 << 15, 1 << 16, 1 << 17, 1 << 31, 1 << 32, 1 << 33];

/// Runs pairs of values of two parts, as long as some relation is possible. Whether other variables were left alone by all.
pub(super) fn try_pairs(vary: &mut Vary<'_>, parts: [&Part; 2], tally: &mut Tally) -> bool {
    let goes_on = tally.read(vary);
    let mut alike = parts[0].kind == parts[1].kind;
    for (left, right) in parts[0].ranges.iter().zip(&parts[1].ranges) {
        // Numbers of one kind, and values of one type.
        alike &= edit::max(&vary.items()[left.start]) == edit::max(&vary.items()[right.start]);
    }
    let alike = alike || matches!((&parts[0].kind, &parts[1].kind), (Kind::Span(..), Kind::Span(..)));
    let mut pairs = Pairs { vary, parts, tally, seen: Seen::default(), goes_on, alike };
    pairs.take_turns(PAIRS);
    if alike {
        pairs.same_for_both();
    }
    if parts[0].kind == Kind::Number && parts[1].kind == Kind::Number {
        pairs.related_numbers();
        if !alike {
            pairs.equal_numbers();
        }
    } else if parts[0].kind == Kind::Number || parts[1].kind == Kind::Number {
        pairs.lengths();
    } else {
        pairs.small();
        pairs.variations();
    }
    if pairs.goes_on {
        pairs.vary.begin_testing();
        pairs.goes_on = pairs.vary.may_go_on();
        pairs.take_turns(FRESH);
        pairs.distances();
        pairs.vary.testing = false;
    }
    !pairs.seen.governs
}

/// Runs values of one number: those beside it, and any. Whether other variables were left alone by all.
pub(super) fn try_one(vary: &mut Vary<'_>, part: &Part, tally: &mut Tally) -> bool {
    let mut goes_on = tally.read(vary);
    let range = part.ranges[0].clone();
    let Item::Choice(Choice { value, max }) = vary.items()[range.end.max(1) - 1] else { return false };
    // Numbers of 128 bits are two choices, of which the last is the low half.
    let is_wide = part.ranges.len() == 1 && range.len() == 2 && max == u64::MAX && tally.now[0].number().is_some();
    if part.kind != Kind::Number && !is_wide {
        return false;
    }
    let high = vary.items()[range.start..range.end - 1].to_vec();
    let mut seen = Seen::default();
    let mut values = Vec::new();
    for near in 1..=NEIGHBOURS {
        values.extend_from_slice(&[value.saturating_add(near).min(max), value.saturating_sub(near)]);
    }
    for &notable in values_of(vary, max).0.iter().take(NOTABLE) {
        values.push(edit::value(&notable));
    }
    let untested = values.len();
    values.append(&mut magnitudes(vary, max));
    for (place, &value) in values.iter().enumerate() {
        if place == untested {
            vary.begin_testing();
        }
        if goes_on {
            let mut content = high.clone();
            content.extend_from_slice(&number(value, max));
            vary.run(&part.ranges, &vec![content], &[part.variable], &mut seen);
            goes_on = tally.read(vary);
        }
    }
    vary.begin_testing();
    let (mut ran, mut barren, mut round) = (0, 0, FIRST_FRESH);
    while goes_on && ran < FRESH && barren < BARREN && vary.may_go_on() {
        (round, barren) = (round + 1, barren + 1);
        if let Some(contents) = part.fresh(vary, round)
            && vary.run(&part.ranges, &contents, &[part.variable], &mut seen).is_some()
        {
            (ran, barren) = (ran + 1, 0);
            goes_on = tally.read(vary);
        }
    }
    vary.testing = false;
    !seen.governs && seen.unusable == 0
}

/// Runs three numbers, in every order. Whether other variables were left alone by all.
pub(super) fn try_three(vary: &mut Vary<'_>, parts: &[&Part], tally: &mut Tally) -> bool {
    let mut goes_on = tally.read(vary);
    let mut seen = Seen::default();
    let (mut ranges, mut variables, mut maxima) = (Vec::new(), Vec::new(), Vec::new());
    for part in parts {
        if part.kind != Kind::Number {
            return false;
        }
        ranges.push(part.ranges[0].clone());
        variables.push(part.variable);
        maxima.push(edit::max(&vary.items()[part.ranges[0].start]));
    }
    // All equal, and one at its simplest: random numbers are hardly ever 0 at once.
    for notable in values_of(vary, maxima[0]).0.into_iter().take(NOTABLE) {
        for simplest in 0..=parts.len() {
            let mut contents = Vec::new();
            for (at, &max) in maxima.iter().enumerate() {
                let value = if at == simplest { 0 } else { edit::value(&notable).min(max) };
                contents.push(number(value, max).to_vec());
            }
            if goes_on && vary.may_go_on() {
                vary.run(&ranges, &contents, &variables, &mut seen);
                goes_on = tally.read(vary);
            }
        }
    }
    let (mut ran, mut barren, mut round) = (0, 0, FIRST_FRESH);
    while goes_on && ran < PAIRS + FRESH && barren < BARREN && vary.may_go_on() {
        if ran >= 2 * PAIRS && !vary.testing {
            vary.begin_testing();
        }
        (round, barren) = (round + 1, barren + 1);
        let mut contents = Vec::new();
        for part in parts {
            contents.push(part.fresh(vary, round).unwrap_or_default().concat());
        }
        // Of every other three, two are equal; of every eighth, all.
        if round.is_multiple_of(8) {
            contents = vec![contents[0].clone(), contents[0].clone(), contents[0].clone()];
        } else if round.is_multiple_of(2) {
            contents[round as usize / 2 % 3] = contents[round as usize / 6 % 3].clone();
        }
        for order in [[0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]] {
            let permuted = vec![contents[order[0]].clone(), contents[order[1]].clone(), contents[order[2]].clone()];
            if goes_on && vary.run(&ranges, &permuted, &variables, &mut seen).is_some() {
                (ran, barren) = (ran + 1, 0);
                goes_on = tally.read(vary);
            }
        }
    }
    vary.testing = false;
    !seen.governs && seen.unusable == 0
}

struct Pairs<'p, 'v> {
    vary: &'p mut Vary<'v>,
    parts: [&'p Part; 2],
    tally: &'p mut Tally,
    seen: Seen,
    /// Whether some relation is possible, and there are runs left.
    goes_on: bool,
    /// Whether the same contents fit both.
    alike: bool,
}

impl Pairs<'_, '_> {
    /// Runs a pair. Whether it was a new one that could be run.
    fn run(&mut self, one: &[Item], two: &[Item]) -> bool {
        let [left, right] = self.parts;
        let ranges = [left.ranges[0].clone(), right.ranges[0].clone()];
        let contents = vec![one.to_vec(), two.to_vec()];
        let ran = self.vary.run(&ranges, &contents, &[left.variable, right.variable], &mut self.seen).is_some();
        self.goes_on = self.tally.read(self.vary) && self.vary.may_go_on();
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
    fn take_turns(&mut self, wanted: u64) {
        let (mut round, mut ran, mut barren) = (if wanted > PAIRS { PAIRS } else { 0 }, 0, 0);
        while self.goes_on && ran < wanted && barren < BARREN / 2 {
            round += 1;
            barren += 1;
            let Some(mut one) = self.generate(round) else { continue };
            let mut two = one.clone();
            match (round % 4, &mut two[..]) {
                (0 | 1, _) if self.alike => {}
                (2, [Item::Choice(Choice { value, max })]) if self.alike => {
                    *value = if *value < *max { *value + 1 } else { *value - (*max).min(1) };
                }
                _ => {
                    // At a size of its own.
                    let any = self.vary.generate(&self.parts[1].kind, &self.parts[1].ranges, round + round / 8);
                    two = any.unwrap_or_default().concat();
                }
            }
            if round % 8 > 3 && self.alike {
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
            for &value in &values_of(self.vary, edit::max(&self.vary.items()[range.start])).0 {
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

    /// Equal numbers of types or ranges that differ, so that their codes do.
    fn equal_numbers(&mut self) {
        let mut numbers = Vec::new();
        // From the start of a range on, too.
        let told = self.tally.now[0].number().unwrap_or(0);
        for near in 0..2 * SMALL as i128 {
            numbers.extend_from_slice(&[near, told.saturating_add(near)]);
        }
        let maxima = self.parts.map(|part| edit::max(&self.vary.items()[part.ranges[0].start]));
        for &code in magnitudes(self.vary, maxima[0].min(maxima[1])).iter().take(NOTABLE) {
            numbers.push(code.into());
        }
        for &number in &numbers {
            for left in self.codes(0, number) {
                for right in self.codes(1, number) {
                    if self.goes_on {
                        self.run(&self::number(left, maxima[0]), &self::number(right, maxima[1]));
                    }
                }
            }
        }
    }

    /// The codes that a number may have in one of the parts: its own, its distance from the start of a range, and, in a signed type,
    /// where positive numbers are odd.
    fn codes(&self, place: usize, number: i128) -> Vec<u64> {
        let Item::Choice(Choice { value: now, max }) = self.vary.items()[self.parts[place].ranges[0].start] else {
            return Vec::new();
        };
        let told = self.tally.now[place].number().unwrap_or(0);
        let mut codes = Vec::new();
        for code in [number - told + i128::from(now), 2 * number - 1, number] {
            if let Ok(code) = u64::try_from(code)
                && code <= max
                && !codes.contains(&code)
            {
                codes.push(code);
            }
        }
        codes
    }

    /// A number, and a collection of about as many elements.
    fn lengths(&mut self) {
        let [left, right] = self.parts;
        let is_first = left.kind == Kind::Number;
        let (part, list) = if is_first { (left, right) } else { (right, left) };
        let Item::Choice(Choice { value: now, max }) = self.vary.items()[part.ranges[0].start] else { return };
        let told = self.tally.now[usize::from(!is_first)].number().unwrap_or(0);
        let mut round = FIRST_FRESH;
        while self.goes_on && round < FIRST_FRESH + LENGTHS {
            round += 1;
            let Some(content) = self.vary.generate(&list.kind, &list.ranges, round) else { continue };
            let content = content.concat();
            let Some(structure) = self.vary.structure(&list.ranges, &vec![content.clone()]) else { continue };
            let mut elements = 0;
            for group in &structure.groups {
                if group.whole.start == list.ranges[0].start {
                    elements = group.elements.len() as i128;
                    break;
                }
            }
            for near in [elements, elements + 1, elements - 1] {
                // In a range, codes are the distance from its start; in a signed type, positive numbers are odd.
                for code in [near - told + i128::from(now), 2 * near - 1] {
                    let Ok(code) = u64::try_from(code) else { continue };
                    if code <= max && self.goes_on {
                        let (number, list) = (number(code, max).to_vec(), content.clone());
                        if is_first {
                            self.run(&number, &list)
                        } else {
                            self.run(&list, &number)
                        };
                    }
                }
            }
        }
    }

    /// Numbers that are as far apart as those may be that are near each other.
    fn distances(&mut self) {
        let mut round = 0;
        while self.goes_on && round < DISTANCES {
            let Some((below, above)) = self.tally.boundary() else { return };
            // Between them, or at either.
            let distance = match above - below {
                2.. => below + (above - below) / 2,
                _ => below + round % 2,
            };
            round += 1;
            let Some(one) = self.generate(1 + round) else { return };
            let Some(&Item::Choice(Choice { value, max })) = one.first() else { return };
            // Of signed numbers every other code has the other sign.
            for apart in [distance, 2 * distance] {
                let (below, above) = (value.saturating_sub(apart), value.saturating_add(apart).min(max));
                self.run(&one, &number(above, max));
                self.run(&one, &number(below, max));
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
