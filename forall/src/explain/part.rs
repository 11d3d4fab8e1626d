//! A part of a case, and what comes of varying it.

use super::vary::{Contents, Kind, Seen, Vary, same_values};
use crate::choice::{Choice, Item};
use crate::generate::special_floats;
use crate::shrink::edit;
use std::ops::Range;

/// Fewer runs than this say nothing, unless every other value was tried.
pub(super) const FEWEST: u64 = 20;
/// So many runs are enough for a part.
pub(super) const ENOUGH: u64 = 100;
/// After so many proposals in a row that could not be run a part is given up, or has no other values.
pub(super) const BARREN: u32 = 60;
/// All values of a choice with no larger maximum are tried.
const SMALL: u64 = 255;
/// Of larger choices all values below this are: the bug may be about one small number.
const SWEPT: u64 = 128;
/// Of a choice among more alternatives than this not all are tried.
const MANY_BRANCHES: u64 = 7;
/// Numbers that programs are often about, and their neighbours.
const SPECIAL: [u64; 14] =
    [200, 256, 500, 1_000, 1_024, 4_096, 10_000, 1 << 15, 1 << 16, 100_000, 1_000_000, 1 << 31, 1 << 32, 1 << 53];

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
    /// For the place behind a collection's elements, how many there are.
    pub(super) elements: usize,
    /// Whether it can be anything.
    pub(super) open: bool,
    /// How often it was varied.
    pub(super) runs: u64,
    /// Whether there is no other value.
    pub(super) every: bool,
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
            open: false,
            runs: 0,
            every: false,
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

    /// Varies the part until the property passes or enough was tried. So many others are to be varied after it.
    pub(super) fn explore(&mut self, vary: &mut Vary<'_>, others: usize) {
        let mut allowed = (vary.left() / (others as u64 + 2).max(4)).max(FEWEST);
        let mut barren = 0;
        let mut every = false;
        if self.kind == Kind::Number {
            let (values, all) = values(vary, self.ranges[0].start);
            every = all;
            if all && vary.left() > (others as u64 + 2) * SMALL {
                allowed = SMALL;
            }
            for value in values {
                if self.runs >= allowed || vary.left() == 0 {
                    every = false;
                    break;
                }
                if !self.take(vary, vec![vec![value]], &mut barren) {
                    return;
                }
            }
        }
        let enough = allowed.min(self.runs.max(ENOUGH));
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
        self.conclude(every);
    }

    /// Whether the contents that were tried and those that are there are all that can be drawn, as of an `Option<bool>`: each
    /// takes a share of what its choices may be, and the shares add up to the whole.
    fn tried_everything(&self, vary: &Vary<'_>) -> bool {
        let [range] = &self.ranges[..] else { return false };
        let (mut counted, mut shares): (Vec<&[Item]>, f64) = (Vec::new(), 0.0);
        let now = &vary.items()[range.clone()];
        for contents in self.tried.iter().map(|contents| &contents[0][..]).chain([now]) {
            if !counted.iter().any(|other| same_values(other, contents)) {
                let share = |item: &Item| match item {
                    Item::Choice(choice) => 1.0 / (choice.max as f64 + 1.0),
                    // What is drawn late is not known.
                    Item::Fork { .. } => 0.0,
                };
                shares += contents.iter().map(share).product::<f64>();
                counted.push(contents);
            }
        }
        self.runs > 0 && self.runs < FEWEST && !self.is_addition() && (shares - 1.0).abs() < 1e-9
    }

    /// Says that the part is open, if the runs are enough for that.
    fn conclude(&mut self, every: bool) {
        // Nothing is known of values that would change other variables, too, and those may be just the ones that pass.
        let alone = self.seen.unusable == 0;
        self.every = alone && every && self.runs > 0;
        self.open = self.every || alone && self.runs >= FEWEST;
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
            self.kind = Kind::Loose;
            self.ranges[0] = place..place + 1 + found.follow;
            if !self.take(vary, vec![content], &mut barren) {
                return;
            }
        }
        let every = self.tried_everything(vary);
        self.conclude(every);
    }
}

/// Values worth a try for the choice at a place, and whether they are all there are.
pub(super) fn values(vary: &Vary<'_>, place: usize) -> (Vec<Item>, bool) {
    let Item::Choice(Choice { value: now, max }) = vary.items()[place] else { return (Vec::new(), false) };
    let mut values = Vec::new();
    for item in vary.items().iter().take(20) {
        let other = edit::value(item);
        values.extend_from_slice(&[other, other.saturating_add(1), other.saturating_sub(1)]);
    }
    // The greatest and the least of a signed type are among the last three codes.
    values.extend_from_slice(&[max, max.wrapping_sub(1), max.wrapping_sub(2), max / 2, max / 2 + 1]);
    values.append(&mut special_floats(max));
    for number in vary.numbers_told() {
        // As signed numbers are coded, too: positive ones are odd, negative ones are even.
        let twice = number.saturating_mul(2);
        values.extend_from_slice(&[number, twice.saturating_sub(1), twice]);
    }
    let all = max <= SMALL;
    for value in 0..if all { max + 1 } else { SWEPT } {
        values.push(value);
    }
    for special in SPECIAL {
        values.extend_from_slice(&[special, special - 1, 2 * special - 1, 2 * special]);
    }
    let mut items = Vec::new();
    for value in values {
        let item = Item::Choice(Choice { value, max });
        if value <= max && value != now && !items.contains(&item) {
            items.push(item);
        }
    }
    (items, all)
}
