//! A part of a case, and what comes of varying it.

use super::contents::{Loose, chained};
use super::notable::{LENGTHS, SMALL, characters, magnitudes, unquoted, values};
use super::vary::{Contents, Kind, Seen, Vary, same_values};
use crate::choice::{Choice, Item};
use crate::generate::{code_of, is_character};
use crate::shrink::edit;
use crate::shrink::structure::Group;
use std::ops::Range;

/// Fewer runs than this say nothing, unless every other value was tried.
pub(super) const FEWEST: u64 = 20;
/// So many runs are enough for a part.
pub(super) const ENOUGH: u64 = 100;
/// So many values from its generator are run before a part is said to be open, where the property is quick.
pub(super) const FRESH: u64 = 1_000;
/// In so many strings of a part characters of every class are tried.
const MAX_STRINGS: usize = 3;
/// So many of them at least are random, whatever else was tried.
const RANDOM: u64 = 40;
/// After so many proposals in a row that could not be run a part is given up, or has no other values.
pub(super) const BARREN: u32 = 60;
/// Of a choice among more alternatives than this not all are tried.
pub(super) const MANY_BRANCHES: u64 = 7;
/// Numbers are made all alike with so many values.
const ALIKE: usize = 12;
/// So many numbers of a part, or of an element, are given notable values.
const MAX_SWEPT: usize = 8;
/// The round in which contents are generated that are larger than the smallest, but not large.
const LARGER: u64 = 21;
/// The first round in which all of the contents are random.
pub(super) const FIRST_FRESH: u64 = 20;
/// How many random elements are added to a collection, in turn.
const ADDED: [usize; 5] = [1, 2, 1, 8, 64];

/// A part of the case, and what came of varying it.
pub(super) struct Part {
    pub(super) variable: usize,
    pub(super) ranges: Vec<Range<usize>>,
    pub(super) kind: Kind,
    /// What was tried in its place.
    pub(super) tried: Vec<Contents>,
    pub(super) seen: Seen,
    /// The items of the variable's text that read differently then.
    pub(super) changed: Vec<usize>,
    /// For the place behind a collection's elements, how many there are, and where the collection begins.
    pub(super) elements: usize,
    start: usize,
    /// Whether it can be anything.
    pub(super) open: bool,
    /// How often it was varied.
    pub(super) runs: u64,
    /// Whether there is no other value.
    pub(super) every: bool,
    /// Of a part that no span holds together, what is known of it.
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

    /// Whether it is the place behind a collection's elements, where others may be added.
    pub(super) fn is_addition(&self) -> bool {
        self.ranges[0].is_empty()
    }

    /// Runs one variation. False if there is no need to go on: the property passed.
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

    /// Runs a variation that the generator may not be able to make. False if the property passed.
    fn propose(&mut self, vary: &mut Vary<'_>, contents: Contents) -> bool {
        self.seen.made_up = true;
        let goes_on = self.take(vary, contents, &mut 0);
        self.seen.made_up = false;
        goes_on
    }

    /// Varies the part until the property passes or enough was tried. So many others are to be varied after it.
    pub(super) fn explore(&mut self, vary: &mut Vary<'_>, others: usize) {
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

    /// Tests further that the part is open, as far as there is time: with characters of every class, numbers of every magnitude,
    /// and many values from its generator.
    pub(super) fn test(&mut self, vary: &mut Vary<'_>) {
        if !self.open || self.every || self.is_addition() {
            return;
        }
        vary.begin_testing();
        self.open = self.keeps_failing(vary);
        vary.testing = false;
    }

    fn keeps_failing(&mut self, vary: &mut Vary<'_>) -> bool {
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
            for line in vary.literals().lines() {
                let mut codes = Vec::new();
                for c in unquoted(line).unwrap_or_default().chars() {
                    codes.push(code_of(c));
                }
                let (mut before, mut behind) = (vec![a], codes.clone());
                before.extend_from_slice(&codes);
                behind.push(a);
                tried.extend_from_slice(&[codes, before, behind]);
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

    /// Tries what programs may treat apart: numbers, and lengths of a collection. False if the property passed.
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

    /// Gives each number in some contents each notable value in its turn, all of them the same or each another. False if the
    /// property passed.
    fn sweep(&mut self, vary: &mut Vary<'_>, base: Contents, allowed: u64) -> bool {
        let Some(structure) = vary.structure(&self.ranges, &base) else { return true };
        // Where they are, with their values.
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

    /// Whether a collection may have more elements, and where in the text its length shows.
    pub(super) fn lengthen(vary: &mut Vary<'_>, variable: usize, group: &Group) -> Self {
        let end = group.stop.unwrap_or(group.whole.end);
        let mut part = Part::new(variable, end..end, Kind::Collection);
        part.elements = group.elements.len();
        part.start = group.whole.start;
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
            // The simplest by themselves, the others one after the other.
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

    /// Whether the contents that were tried and those that are there are all that can be drawn, as of an `Option<bool>`: each
    /// takes a share of what its choices may be, and the shares add up to the whole.
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

    /// Says that the part is open, if the runs are enough for that.
    fn conclude(&mut self, vary: &Vary<'_>, every: bool) {
        // Nothing is known of values that would change other variables, too, and those may be just the ones that pass.
        let alone = self.seen.unusable == 0;
        self.every = alone && every && self.runs > 0;
        // The same holds for those that there was no time for.
        self.open = self.every || alone && self.runs >= FEWEST && vary.cut_short.is_none();
    }

    /// As [`Part::explore`] for a choice on which it depends how many others follow.
    pub(super) fn explore_loose(&mut self, vary: &mut Vary<'_>) {
        let place = self.ranges[0].start;
        let (now, max) = (edit::value(&vary.items()[place]), edit::max(&vary.items()[place]));
        let allowed = (vary.left() / 4).clamp(FEWEST, ENOUGH);
        let mut known = None;
        // As a number it could not be varied.
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

/// How much of what can be drawn some contents are.
fn share(contents: &[Item]) -> f64 {
    let mut share = 1.0;
    for item in contents {
        share *= match item {
            Item::Choice(choice) => 1.0 / (choice.max as f64 + 1.0),
            // What is drawn late is not known.
            Item::Fork { .. } => 0.0,
        };
    }
    share
}
