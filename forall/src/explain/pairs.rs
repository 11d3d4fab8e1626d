//! Pairs of values for two parts: equal ones, related ones, and arbitrary ones.
//!
//! A property may depend on less than the values: on their lengths, their elements in any order, or a remainder. Random
//! values differ in all of these, so pairs that differ only slightly are tried as well.

use super::notable::{differences, magnitudes, values as values_of};
use super::part::{BARREN, FIRST_FRESH, FRESH, Part};
use super::tally::Tally;
use super::vary::{Kind, Seen, Vary};
use crate::choice::{Choice, Item};
use crate::generate::code_of;
use crate::shrink::edit;
use crate::shrink::structure::Group;

/// The number of alternating pairs that are run.
const PAIRS: u64 = 60;
/// The number of pairs of equal notable values that are run.
const EQUAL: usize = 40;
/// All pairs of this many small values are run.
const SMALL: usize = 16;
/// The rounds whose random contents are also run with variations: small and large ones.
const VARIED: [u64; 3] = [23, 21, 22];
/// The maximum number of choices of contents for which variations are run.
const MAX_VARIED: usize = 100;
/// The maximum number of numbers, and of collections, of a value that are varied.
const MAX_NUMBERS: usize = 6;
const MAX_GROUPS: usize = 2;
/// The number of values that are run on each side of a bound.
const NEIGHBOURS: u64 = 16;
/// The number of additional notable values.
const NOTABLE: usize = 60;
/// The number of collections that are run together with their length.
const LENGTHS: u64 = 24;
/// How often the distance between two close numbers is bisected, and tried from other numbers.
const DISTANCES: u64 = 40;
/// Distances that are tried in addition to those that preserve remainders: programs truncate integers.
const APART: [u64; 6] = [1 << 15, 1 << 16, 1 << 17, 1 << 31, 1 << 32, 1 << 33];

/// Runs pairs of values for two parts, as long as some relation is possible. Returns whether no run changed other
/// variables.
pub(super) fn try_pairs(vary: &mut Vary<'_>, parts: [&Part; 2], tally: &mut Tally) -> bool {
    let goes_on = tally.read(vary);
    let mut alike = parts[0].kind == parts[1].kind;
    for (left, right) in parts[0].ranges.iter().zip(&parts[1].ranges) {
        // Numbers of one kind, and values of one type.
        alike &= edit::max(&vary.items()[left.start]) == edit::max(&vary.items()[right.start]);
    }
    let alike = alike || matches!((&parts[0].kind, &parts[1].kind), (Kind::Span(..), Kind::Span(..)));
    let mut pairs = Pairs { vary, parts, tally, seen: Seen::default(), goes_on, alike };
    pairs.step(|pairs| pairs.take_turns(PAIRS));
    if alike {
        pairs.step(|pairs| pairs.same_for_both());
    }
    if parts[0].kind == Kind::Number && parts[1].kind == Kind::Number {
        pairs.step(|pairs| pairs.related_numbers());
        if !alike {
            pairs.step(|pairs| pairs.equal_numbers());
        }
    } else if parts[0].kind == Kind::Number || parts[1].kind == Kind::Number {
        pairs.step(|pairs| pairs.lengths());
    } else {
        pairs.step(|pairs| pairs.small());
        pairs.step(|pairs| pairs.variations());
    }
    if pairs.goes_on {
        pairs.vary.begin_testing();
        pairs.goes_on = pairs.vary.may_go_on();
        pairs.step(|pairs| pairs.take_turns(FRESH));
        pairs.step(|pairs| pairs.distances());
        pairs.vary.testing = false;
    }
    !pairs.seen.governs
}

/// Runs values of one number: its neighbours, and arbitrary ones. Returns whether no run changed other variables.
pub(super) fn try_one(vary: &mut Vary<'_>, part: &Part, tally: &mut Tally) -> bool {
    vary.foresee(false, |vary| {
        run_one(vary, part, &mut tally.clone());
    });
    run_one(vary, part, tally)
}

fn run_one(vary: &mut Vary<'_>, part: &Part, tally: &mut Tally) -> bool {
    let mut goes_on = tally.read(vary);
    let range = part.ranges[0].clone();
    let Item::Choice(Choice { value, max }) = vary.items()[range.end.max(1) - 1] else { return false };
    // 128-bit numbers are two choices, the second of which is the low half.
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

/// Runs three numbers in every order. Returns whether no run changed other variables.
pub(super) fn try_three(vary: &mut Vary<'_>, parts: &[&Part], tally: &mut Tally) -> bool {
    vary.foresee(false, |vary| {
        run_three(vary, parts, &mut tally.clone());
    });
    run_three(vary, parts, tally)
}

fn run_three(vary: &mut Vary<'_>, parts: &[&Part], tally: &mut Tally) -> bool {
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
    // All equal, and one at its simplest: random numbers are hardly ever all 0.
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
        // In every other triple, two are equal; in every eighth, all three.
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
    /// Runs the pairs of a step.
    fn step(&mut self, step: impl Fn(&mut Pairs<'_, '_>)) {
        let (parts, goes_on, alike) = (self.parts, self.goes_on, self.alike);
        let (tally, seen) = (&*self.tally, &self.seen);
        self.vary.foresee(false, |vary| {
            let (tally, seen) = (&mut tally.clone(), seen.clone());
            step(&mut Pairs { vary, parts, tally, seen, goes_on, alike });
        });
        step(self);
    }

    /// Runs a pair. Returns whether it was new and could be run.
    fn run(&mut self, one: &[Item], two: &[Item]) -> bool {
        let [left, right] = self.parts;
        let ranges = [left.ranges[0].clone(), right.ranges[0].clone()];
        let contents = vec![one.to_vec(), two.to_vec()];
        let ran = self.vary.run(&ranges, &contents, &[left.variable, right.variable], &mut self.seen).is_some();
        self.goes_on = self.tally.read(self.vary) && self.vary.may_go_on();
        ran
    }

    /// Runs a pair, swapped in every other round.
    fn run_either(&mut self, one: &[Item], two: &[Item], round: usize) {
        if self.looks_for_others() {
            if round.is_multiple_of(2) {
                self.run(one, two)
            } else {
                self.run(two, one)
            };
        }
    }

    /// Whether to look for other failing values: not if some are already known.
    fn looks_for_others(&self) -> bool {
        self.goes_on && self.tally.may_pass_otherwise()
    }

    /// Contents generated for the first part.
    fn generate(&mut self, round: u64) -> Option<Vec<Item>> {
        Some(self.vary.generate(&self.parts[0].kind, &self.parts[0].ranges, round)?.concat())
    }

    /// Pairs of equal values, of neighbours, and arbitrary ones, in turn.
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
                    // In another round than the first part, so that the sizes differ.
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

    /// Related numbers: with equal remainders for any modulus, with equal low bits, doubled, and negated. Starting from
    /// the current one, and from others.
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
            // In the encoding of signed numbers, every other one is negative, and 0 is counted among those.
            for place in 0..others.len() {
                let difference = others[place] - value;
                others.push(others[place].saturating_add(difference - u64::from(value == 0)));
            }
            // Doubled, as unsigned and signed; negated; and the complement to the maximum.
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

    /// Equal numbers of different types or ranges, whose codes differ.
    fn equal_numbers(&mut self) {
        let mut numbers = Vec::new();
        // Also relative to the start of a range.
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

    /// The possible codes of a number in one of the parts: itself, its distance from the start of a range, and, for a
    /// signed type, in which positive numbers are odd.
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

    /// Numbers at the distances at which the outcome may change.
    fn distances(&mut self) {
        let mut round = 0;
        while self.goes_on && round < DISTANCES {
            let Some((below, above)) = self.tally.boundary() else { return };
            // Halfway, or at either end.
            let distance = match above - below {
                2.. => below + (above - below) / 2,
                _ => below + round % 2,
            };
            round += 1;
            let Some(one) = self.generate(1 + round) else { return };
            let Some(&Item::Choice(Choice { value, max })) = one.first() else { return };
            // For signed numbers, every other code has the opposite sign.
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

    /// Values that differ slightly: in one number, in one element, or in the order of elements.
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

/// Variations of a part's contents that differ only slightly.
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

/// Adds variants with fewer, more or reordered elements in a collection; for characters, also with a leading or
/// trailing space.
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
            // A space is inserted even if there is no element.
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
