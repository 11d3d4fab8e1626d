//! A part of a case, and the results of varying it.

use super::contents::{Loose, chained};
use super::notable::{LENGTHS, SMALL, characters, magnitudes, near_literals, quoted, values, wide_literals};
use super::vary::{Contents, Kind, Seen, Vary, same_values};
use crate::choice::{Choice, Item};
use crate::generate::{code_of, is_character};
use crate::shrink::edit;
use crate::shrink::structure::Group;
use std::ops::Range;

/// Fewer runs than this are no evidence, unless every other value was tried.
pub(super) const FEWEST: u64 = 20;
/// The number of runs that suffice for a part.
pub(super) const ENOUGH: u64 = 100;
/// The number of generated values that are run before a quick property's part is called open.
pub(super) const FRESH: u64 = 1_000;
/// The maximum number of strings in a part in which characters of every class are tried.
const MAX_STRINGS: usize = 3;
/// The minimum number of random values among them.
const RANDOM: u64 = 40;
/// After this many consecutive proposals that could not be run, a part is abandoned, or has no other values.
pub(super) const BARREN: u32 = 60;
/// A choice with more alternatives than this is not tried exhaustively.
pub(super) const MANY_BRANCHES: u64 = 7;
/// The number of values with which all numbers of a part are set equal.
const ALIKE: usize = 12;
/// The maximum number of numbers in a part or an element that get notable values.
const MAX_SWEPT: usize = 8;
/// The round in which medium-sized contents are generated.
const LARGER: u64 = 21;
/// The first round in which all of the contents are random.
pub(super) const FIRST_FRESH: u64 = 20;
/// The numbers of random elements that are added to a collection, in turn.
const ADDED: [usize; 5] = [1, 2, 1, 8, 64];

/// A part of the case, and the results of varying it.
#[derive(Clone)]
pub(super) struct Part {
    pub(super) variable: usize,
    pub(super) ranges: Vec<Range<usize>>,
    pub(super) kind: Kind,
    /// The contents that were tried in its place.
    pub(super) tried: Vec<Contents>,
    pub(super) seen: Seen,
    /// The items of the variable's text that changed.
    pub(super) changed: Vec<usize>,
    /// For the position after a collection's elements: their number, and the start of the collection.
    pub(super) elements: usize,
    start: usize,
    /// Whether it can be anything.
    pub(super) open: bool,
    /// The number of times it was varied.
    pub(super) runs: u64,
    /// Whether all other values were tried.
    pub(super) every: bool,
    /// For a part without a span: what is known about it.
    loose: Option<Loose>,
}

impl Part {
    pub(super) fn new(variable: usize, range: Range<usize>, kind: Kind) -> Self {
        Self::of_many(variable, Vec::from([range]), kind)
    }

    /// A part of several ranges, which are disjoint and ascending.
    pub(super) fn of_many(variable: usize, ranges: Vec<Range<usize>>, kind: Kind) -> Self {
        Self {
            variable,
            ranges,
            kind,
            tried: Vec::new(),
            seen: Seen::default(),
            changed: Vec::new(),
            elements: 0,
            start: 0,
            open: false,
            runs: 0,
            every: false,
            loose: None,
        }
    }

    /// Whether it is the position after a collection's elements, where more can be added.
    pub(super) fn is_addition(&self) -> bool {
        self.ranges[0].is_empty()
    }

    /// Runs one variation. Returns false if the part needs no further runs, because the property passed.
    pub(super) fn take(&mut self, vary: &mut Vary<'_>, contents: Contents, barren: &mut u32) -> bool {
        let Some(ran) = vary.run(&self.ranges, &contents, &[self.variable], &mut self.seen) else {
            *barren += 1;
            return true;
        };
        *barren = 0;
        self.runs += 1;
        self.changed.extend_from_slice(&ran.changed);
        self.tried.push(contents);
        ran.fails
    }

    /// Runs a variation that the generator may not be able to produce. False if the property passed.
    fn propose(&mut self, vary: &mut Vary<'_>, contents: Contents) -> bool {
        self.seen.made_up = true;
        let goes_on = self.take(vary, contents, &mut 0);
        self.seen.made_up = false;
        goes_on
    }

    /// Varies the part until the property passes or enough was tried. `others` is the number of parts still to be
    /// varied.
    pub(super) fn explore(&mut self, vary: &mut Vary<'_>, others: usize) {
        vary.foresee(true, |vary| self.clone().explore_by_runs(vary, others));
        self.explore_by_runs(vary, others);
    }

    fn explore_by_runs(&mut self, vary: &mut Vary<'_>, others: usize) {
        let mut allowed = (vary.left() / (others as u64 + 2).max(4)).max(FEWEST);
        let mut every = false;
        if let (Kind::Number, Item::Choice(Choice { max, .. })) = (&self.kind, vary.items()[self.ranges[0].start]) {
            let (values, all) = values(vary, max);
            every = all;
            if all && vary.left() > (others as u64 + 2) * SMALL {
                allowed = SMALL;
            }
            let swept = if all { allowed } else { allowed - allowed / 3 };
            for &value in &values {
                if self.runs >= swept || vary.left() == 0 {
                    every = false;
                    break;
                }
                if !self.take(vary, vec![vec![value]], &mut 0) {
                    return;
                }
            }
        } else if !self.try_notable(vary, allowed - allowed / 3) {
            return;
        }
        let enough = allowed.min((self.runs + RANDOM).max(ENOUGH));
        let (mut round, mut barren) = (0, 0);
        while !every && self.runs < enough && barren < BARREN && vary.left() > 0 {
            if let Some(contents) = vary.generate(&self.kind, &self.ranges, round) {
                if !self.take(vary, contents, &mut barren) {
                    return;
                }
            } else {
                barren += 1;
            }
            round += 1;
        }
        let every = every || self.tried_everything(vary);
        self.conclude(vary, every);
    }

    /// Tests the part further, as far as time allows: with all literals of the test, characters of every class, numbers
    /// of every magnitude, and many generated values.
    pub(super) fn test(&mut self, vary: &mut Vary<'_>) {
        if !self.open || self.every {
            return;
        }
        vary.begin_testing();
        vary.foresee(true, |vary| {
            self.clone().keeps_failing(vary);
        });
        self.open = self.keeps_failing(vary);
        vary.testing = false;
    }

    /// The first part of [`Part::test`]: all literals of the test.
    pub(super) fn test_literals(&mut self, vary: &mut Vary<'_>) {
        if !self.open || self.every || self.is_addition() {
            return;
        }
        vary.begin_testing();
        vary.foresee(true, |vary| {
            self.clone().try_literals(vary);
        });
        self.open = self.try_literals(vary);
        vary.testing = false;
    }

    /// Gives all numbers of the part the value of each literal of the test and its neighbours, where their range
    /// includes it, and then each integer of 128 bits. False if the property passed.
    fn try_literals(&mut self, vary: &mut Vary<'_>) -> bool {
        let mut now = Vec::new();
        for range in &self.ranges {
            now.push(vary.items()[range.clone()].to_vec());
        }
        let Some(structure) = vary.structure(&[], &Vec::new()) else { return true };
        // Where the numbers are, and the greatest choice of each.
        let mut numbers: Vec<(usize, usize, u64)> = Vec::new();
        let mut greatest = Vec::new();
        for (number, range) in self.ranges.iter().enumerate() {
            for &place in structure.numbers_in(range).iter().take(MAX_SWEPT) {
                let max = edit::max(&vary.items()[place]);
                if max > MANY_BRANCHES {
                    numbers.push((number, place - range.start, max));
                    if !greatest.contains(&max) {
                        greatest.push(max);
                    }
                }
            }
        }
        for &max in &greatest {
            for code in near_literals(vary, max, usize::MAX) {
                let mut contents = now.clone();
                for &(number, at, its) in &numbers {
                    if its == max && code <= max {
                        contents[number][at] = Item::Choice(Choice { value: code, max });
                    }
                }
                if !self.propose(vary, contents) {
                    return false;
                }
            }
        }
        for pair in numbers.windows(2) {
            let [(number, at, u64::MAX), (same, next, u64::MAX)] = *pair else { continue };
            if number != same || next != at + 1 {
                continue;
            }
            for code in wide_literals(vary) {
                let mut contents = now.clone();
                for (place, value) in code.into_iter().enumerate() {
                    contents[number][at + place] = Item::Choice(Choice { value, max: u64::MAX });
                }
                if !self.propose(vary, contents) {
                    return false;
                }
            }
        }
        true
    }

    fn keeps_failing(&mut self, vary: &mut Vary<'_>) -> bool {
        if self.is_addition() {
            return self.keeps_failing_with_more(vary);
        }
        if !self.try_literals(vary) {
            return false;
        }
        let place = self.ranges[0].start;
        if let (Kind::Number, Item::Choice(Choice { max, .. })) = (&self.kind, vary.items()[place]) {
            for &value in &magnitudes(vary, max) {
                if !self.take(vary, vec![vec![Item::Choice(Choice { value, max })]], &mut 0) {
                    return false;
                }
            }
        } else if !self.try_characters(vary) {
            return false;
        }
        let (wanted, mut barren) = (self.runs + FRESH, 0);
        let mut round = FIRST_FRESH;
        while self.runs < wanted && barren < BARREN && vary.may_go_on() {
            round += 1;
            let Some(contents) = self.fresh(vary, round) else {
                barren += 1;
                continue;
            };
            if !self.take(vary, contents, &mut barren) {
                return false;
            }
        }
        true
    }

    /// The same with more elements. Those that the generator makes in one round are used several times.
    fn keeps_failing_with_more(&mut self, vary: &mut Vary<'_>) -> bool {
        let (wanted, mut barren) = (self.runs + FRESH, 0);
        let mut round = FIRST_FRESH;
        while self.runs < wanted && barren < BARREN && vary.may_go_on() {
            round += 1;
            barren += 1;
            let pool = vary.elements(self.start, round).unwrap_or_default();
            let mut from = 0;
            for added in ADDED {
                if let Some(content) = chained(&pool, from, added)
                    && !self.take(vary, vec![content], &mut barren)
                {
                    return false;
                }
                from += added;
            }
        }
        true
    }

    /// Contents that the generator makes for the part.
    pub(super) fn fresh(&self, vary: &mut Vary<'_>, round: u64) -> Option<Contents> {
        if self.is_addition() {
            let pool = vary.elements(self.start, round)?;
            return Some(vec![chained(&pool, 0, ADDED[round as usize % ADDED.len()])?]);
        }
        if self.kind != Kind::Loose {
            return vary.generate(&self.kind, &self.ranges, round);
        }
        let place = self.ranges[0].start;
        let value = vary.random.up_to(edit::max(&vary.items()[place]).min(MANY_BRANCHES));
        Some(vec![vary.loose(place, value, self.variable, self.loose, round)?.1])
    }

    /// Tries characters of every class in the strings of the part: alone, first and last. False if the property passed.
    fn try_characters(&mut self, vary: &mut Vary<'_>) -> bool {
        let [range] = &self.ranges[..] else { return true };
        let range = range.clone();
        let Some(structure) = vary.structure(&[], &Vec::new()) else { return true };
        let mut strings = 0;
        for group in &structure.groups {
            let inside = range.start <= group.whole.start && group.whole.end <= range.end;
            if !inside || strings == MAX_STRINGS {
                continue;
            }
            let pool = vary.elements(group.whole.start, 0).unwrap_or_default();
            let Some(&[Item::Choice(Choice { max, .. })]) = pool.first().map(Vec::as_slice) else { continue };
            if !is_character(max) {
                continue;
            }
            strings += 1;
            let a = code_of('a');
            let mut tried = Vec::new();
            for &code in &characters(vary) {
                tried.extend_from_slice(&[vec![code], vec![code, a], vec![a, code]]);
            }
            for text in &quoted(vary) {
                let mut codes = Vec::new();
                for &c in text {
                    codes.push(code_of(c));
                }
                let (mut before, mut after) = (vec![a], codes.clone());
                before.extend_from_slice(&codes);
                after.push(a);
                tried.extend_from_slice(&[codes, before, after]);
            }
            for codes in &tried {
                let mut string = Vec::new();
                for &value in codes {
                    string.push(Item::Choice(Choice { value: 1, max: 1 }));
                    string.push(Item::Choice(Choice { value: value.min(max), max }));
                }
                if group.stop.is_some() {
                    string.push(Item::Choice(Choice { value: 0, max: 1 }));
                }
                let mut content = vary.items()[range.clone()].to_vec();
                edit::splice(&mut content, group.whole.start - range.start..group.whole.end - range.start, &string);
                if !self.propose(vary, vec![content]) {
                    return false;
                }
            }
        }
        true
    }

    /// Tries values that programs may treat specially: numbers, and lengths of a collection. False if the property
    /// passed.
    fn try_notable(&mut self, vary: &mut Vary<'_>, allowed: u64) -> bool {
        let mut now = Vec::new();
        for range in &self.ranges {
            now.push(vary.items()[range.clone()].to_vec());
        }
        let larger = vary.generate(&self.kind, &self.ranges, LARGER);
        if !self.sweep(vary, now, allowed / 2) || larger.is_some_and(|base| !self.sweep(vary, base, allowed)) {
            return false;
        }
        if self.kind == Kind::Elements {
            return true;
        }
        let pool = vary.notable_elements(self.ranges[0].start);
        for (round, length) in LENGTHS.into_iter().enumerate() {
            let from = if round.is_multiple_of(2) { 0 } else { 7 * round };
            if let Some(mut content) = chained(&pool, from, length) {
                content.push(Item::Choice(Choice { value: 0, max: 1 }));
                if !self.propose(vary, vec![content]) {
                    return false;
                }
            }
        }
        true
    }

    /// Gives each number in some contents each notable value in turn, all the same or each a different one. False if
    /// the property passed.
    fn sweep(&mut self, vary: &mut Vary<'_>, base: Contents, allowed: u64) -> bool {
        let Some(structure) = vary.structure(&self.ranges, &base) else { return true };
        // Their positions and values.
        let mut numbers: Vec<(usize, usize, Vec<Item>)> = Vec::new();
        let mut start = self.ranges[0].start;
        for (number, content) in base.iter().enumerate() {
            for &place in structure.numbers_in(&(start..start + content.len())).iter().take(MAX_SWEPT) {
                let max = edit::max(&content[place - start]);
                // With another alternative, other choices follow.
                if max > MANY_BRANCHES {
                    numbers.push((number, place - start, values(vary, max).0));
                }
            }
            let gap =
                if let Some(next) = self.ranges.get(number + 1) { next.start - self.ranges[number].end } else { 0 };
            start += content.len() + gap;
        }
        let mut rounds = 0;
        for (_, _, values) in &numbers {
            rounds = values.len().max(rounds);
        }
        for round in 0..if rounds > 0 { ALIKE + rounds } else { 0 } {
            if self.runs >= allowed {
                break;
            }
            let mut contents = base.clone();
            for (place, (number, at, values)) in numbers.iter().enumerate() {
                let apart = 1 + values.len() / numbers.len();
                let value = if round < ALIKE { round } else { round - ALIKE + place * apart };
                contents[*number][*at] = values[value % values.len()];
            }
            if !self.propose(vary, contents) {
                return false;
            }
        }
        true
    }

    /// Whether a collection may have more elements, and where its length shows in the text.
    pub(super) fn lengthen(vary: &mut Vary<'_>, variable: usize, group: &Group) -> Self {
        let end = group.stop.unwrap_or(group.whole.end);
        let mut part = Part::new(variable, end..end, Kind::Collection);
        part.elements = group.elements.len();
        part.start = group.whole.start;
        vary.foresee(true, |vary| {
            part.clone().add_elements(vary, group);
        });
        let passed = !part.add_elements(vary, group);
        if part.runs == 0
            && let Some(last) = group.elements.last()
            && let Some(changed) = vary.look(std::slice::from_ref(last), &vec![Vec::new()], variable)
        {
            part.changed = changed;
        }
        part.open = !passed && part.runs >= FEWEST && vary.cut_short.is_none();
        part
    }

    /// Adds elements to a collection: notable ones, up to notable lengths, then random ones. False if the property passed.
    fn add_elements(&mut self, vary: &mut Vary<'_>, group: &Group) -> bool {
        let allowed = (vary.left() / 4).clamp(FEWEST, 2 * ENOUGH);
        let start = group.whole.start;
        let pool = vary.notable_elements(start);
        let mut from = 0;
        for &length in &LENGTHS {
            let added = length.saturating_sub(self.elements);
            if self.runs >= allowed - allowed / 3 {
                break;
            }
            let Some(content) = chained(&pool, from, added) else { continue };
            // The simplest ones alone, then the others one after the other.
            from = if from == 0 { 1 } else { from + added };
            if added > 0 && !self.take(vary, vec![content], &mut 0) {
                return false;
            }
        }
        let (mut round, mut barren) = (0, 0);
        while self.runs < allowed && barren < BARREN / 2 && vary.left() > 0 {
            let pool = vary.elements(start, round).unwrap_or_default();
            round += 1;
            barren += 1;
            if let Some(content) = chained(&pool, 0, ADDED[round as usize % ADDED.len()])
                && !self.take(vary, vec![content], &mut barren)
            {
                return false;
            }
        }
        true
    }

    /// Whether the contents that were tried and the current ones are all that can be drawn, as for an
    /// `Option<bool>`: each accounts for a fraction of the possible draws, and the fractions add up to one.
    fn tried_everything(&self, vary: &Vary<'_>) -> bool {
        let [range] = &self.ranges[..] else { return false };
        if self.runs == 0 || self.runs >= FEWEST || self.is_addition() {
            return false;
        }
        let now = &vary.items()[range.clone()];
        let mut shares = share(now);
        for (place, contents) in self.tried.iter().enumerate() {
            let mut is_new = !same_values(now, &contents[0]);
            for before in &self.tried[..place] {
                is_new &= !same_values(&before[0], &contents[0]);
            }
            if is_new {
                shares += share(&contents[0]);
            }
        }
        (shares - 1.0).abs() < 1e-9
    }

    /// Marks the part as open, if there were enough runs.
    fn conclude(&mut self, vary: &Vary<'_>, every: bool) {
        // Nothing is known about values that would also change other variables, and those may be just the ones that
        // pass.
        let alone = self.seen.unusable == 0;
        self.every = alone && every && self.runs > 0;
        // The same goes for values for which there was no time.
        self.open = self.every || alone && self.runs >= FEWEST && vary.cut_short.is_none();
    }

    /// Like [`Part::explore`], for a choice that determines how many others follow.
    pub(super) fn explore_loose(&mut self, vary: &mut Vary<'_>) {
        vary.foresee(true, |vary| self.clone().explore_loose_by_runs(vary));
        self.explore_loose_by_runs(vary);
    }

    fn explore_loose_by_runs(&mut self, vary: &mut Vary<'_>) {
        let place = self.ranges[0].start;
        let (now, max) = (edit::value(&vary.items()[place]), edit::max(&vary.items()[place]));
        let allowed = (vary.left() / 4).clamp(FEWEST, ENOUGH);
        let mut known = None;
        // It could not be varied as a number.
        self.seen.unusable = 0;
        let (mut round, mut barren) = (0, 0);
        while self.runs < allowed && barren < BARREN / 4 && vary.left() > 0 {
            let value = round % (max.min(MANY_BRANCHES) + 1);
            round += 1;
            if value == now && known.is_none() {
                continue;
            }
            let Some((found, content)) = vary.loose(place, value, self.variable, known, round) else {
                self.seen.unusable += u64::from(known.is_some() && value != now);
                barren += 1;
                continue;
            };
            known = Some(found);
            self.loose = known;
            self.kind = Kind::Loose;
            self.ranges[0] = place..place + 1 + found.follow;
            if !self.take(vary, vec![content], &mut barren) {
                return;
            }
        }
        let every = self.tried_everything(vary);
        self.conclude(vary, every);
    }
}

/// The fraction of all possible draws that some contents represent.
fn share(contents: &[Item]) -> f64 {
    let mut share = 1.0;
    for item in contents {
        share *= match item {
            Item::Choice(choice) => 1.0 / (choice.max as f64 + 1.0),
            // The choices of late draws are unknown.
            Item::Fork { .. } => 0.0,
        };
    }
    share
}
