//! Two variables at a time, or two numbers in one: whether all that matters is that they are equal, or that one is larger.
//!
//! Varied alone, neither can be anything. Varied together they can, as long as they stay related. So pairs of values are
//! run (`pairs.rs`), and a relation is told if the property failed whenever it held. That the property passes otherwise is
//! told only if no run at all says else, whatever it was made for.

use super::pairs::try_pairs;
use super::part::{FEWEST, Part};
use super::tree::{Mark, Tree};
use super::vary::{Kind, Vary};
use super::{Claim, Related, Relation};
use std::cmp::Ordering;

/// Of more variables, or numbers in them, not every pair is looked at.
const MAX_PARTS: usize = 6;

const RELATIONS: [Relation; 6] =
    [Relation::Equal, Relation::Different, Relation::Less, Relation::AtMost, Relation::Greater, Relation::AtLeast];

/// Claims what can be said of pairs of variables that each cannot be anything.
pub(super) fn relate(vary: &mut Vary<'_>, wholes: &[Part], names: &[&'static str], claims: &mut Vec<Claim>) {
    for place in 0..wholes.len().min(MAX_PARTS) {
        for before in 0..place {
            let (left, right) = (&wholes[before], &wholes[place]);
            if left.open || right.open {
                continue;
            }
            if let Some((relation, failed, passed)) = related(vary, [left, right], [0, 0]) {
                let (left, right, alone) = (names[left.variable], names[right.variable], names.len() == 2);
                claims.push(Claim::Related(Related { left, relation, right, within: None, alone, failed, passed }));
            }
        }
    }
}

/// The same of pairs of numbers in one variable.
pub(super) fn relate_within(vary: &mut Vary<'_>, parts: &[Part], names: &[&'static str], claims: &mut Vec<Claim>) {
    let mut numbers: Vec<(usize, usize)> = Vec::new();
    for (place, part) in parts.iter().enumerate() {
        if let Some(node) = own_item(part, parts) {
            numbers.push((place, node));
        }
    }
    for place in 0..numbers.len().min(MAX_PARTS) {
        for before in 0..place {
            let ((left, left_node), (right, right_node)) = (numbers[before], numbers[place]);
            let (left, right) = (&parts[left], &parts[right]);
            if left.variable != right.variable {
                continue;
            }
            let found = related(vary, [left, right], [left_node, right_node]);
            if let (Some((relation, failed, passed)), Some(text)) = (found, &vary.texts[left.variable]) {
                let marks = [(left_node, Mark::Named("x")), (right_node, Mark::Named("y"))];
                let within = Some(format!("{} = {}", names[left.variable], text.pattern(&marks)));
                let alone = names.len() == 1;
                claims.push(Claim::Related(Related { left: "x", relation, right: "y", within, alone, failed, passed }));
            }
        }
    }
}

/// The one item in which a number that matters shows, if nothing else that matters does.
fn own_item(part: &Part, parts: &[Part]) -> Option<usize> {
    let node = *part.changed.first().filter(|_| !part.open && part.kind == Kind::Number)?;
    for other in parts {
        let is_same = other.ranges == part.ranges;
        let is_small = matches!(other.kind, Kind::Number | Kind::Loose);
        for &changed in &other.changed {
            if other.variable == part.variable && is_small && (changed == node) != is_same {
                return None;
            }
        }
    }
    Some(node)
}

/// The relation that two parts have when the property fails, how often it did then, and how often it passed otherwise, if it
/// always did. `nodes` are the items in which they show.
fn related(vary: &mut Vary<'_>, parts: [&Part; 2], nodes: [usize; 2]) -> Option<(Relation, u64, Option<u64>)> {
    let mut tally = Tally::new([(parts[0].variable, nodes[0]), (parts[1].variable, nodes[1])]);
    // The case itself.
    tally.count(vary, &[], true);
    let left_alone = try_pairs(vary, parts, &mut tally);
    // All pairs are to be run, and those that change other variables cannot be.
    if !left_alone || vary.cut_short.is_some() {
        return None;
    }
    // If there are other ways to fail, only of equal values is it worth to be told that they are one.
    for place in 0..=RELATIONS.len() {
        let relation = RELATIONS[place % RELATIONS.len()];
        let Counts { related, unrelated } = tally.counts[place % RELATIONS.len()];
        let is_told = related == [0, related[FAILED].max(FEWEST)] && unrelated[PASSED] >= FEWEST && !tally.otherwise;
        let passed = (unrelated[FAILED] == 0).then_some(unrelated[PASSED]);
        if is_told && (passed.is_some() || place == RELATIONS.len()) {
            return Some((relation, related[FAILED], passed));
        }
    }
    None
}

const PASSED: usize = 0;
const FAILED: usize = 1;

/// How runs ended in which two values were related, and those in which they were not.
#[derive(Clone, Copy, Default)]
struct Counts {
    related: [u64; 2],
    unrelated: [u64; 2],
}

/// What all runs say of two items.
pub(super) struct Tally {
    /// The items, each with its variable.
    items: [(usize, usize); 2],
    /// How many of the runs were counted.
    read: usize,
    /// Whether some failed in another way: then nothing can be said of when the property passes.
    otherwise: bool,
    /// For each relation.
    counts: [Counts; RELATIONS.len()],
}

impl Tally {
    fn new(items: [(usize, usize); 2]) -> Self {
        Self { items, read: 0, otherwise: false, counts: [Counts::default(); RELATIONS.len()] }
    }

    /// Counts what was run since. False if there is nothing to be found out any more.
    pub(super) fn read(&mut self, vary: &Vary<'_>) -> bool {
        for run in &vary.runs[self.read..] {
            if let Some(fails) = run.fails
                && self.count(vary, &run.texts, fails)
            {
                self.otherwise |= run.otherwise;
            }
        }
        self.read = vary.runs.len();
        (0..RELATIONS.len()).any(|place| self.is_sufficient(place))
    }

    /// Whether the property always failed when the values were so related.
    fn is_sufficient(&self, place: usize) -> bool {
        self.counts[place].related[PASSED] == 0 && !self.otherwise
    }

    /// Whether it is possible that the property fails just when the values are related.
    pub(super) fn may_pass_otherwise(&self) -> bool {
        (0..RELATIONS.len()).any(|place| self.is_sufficient(place) && self.counts[place].unrelated[FAILED] == 0)
    }

    /// Counts a run in which some variables read differently, if it says anything of the two items.
    fn count(&mut self, vary: &Vary<'_>, texts: &[(usize, String)], fails: bool) -> bool {
        let Some([left, right]) = self.values(vary, texts) else { return false };
        let order = match (integer(&left), integer(&right)) {
            (Some(left), Some(right)) => Some(left.cmp(&right)),
            _ => None,
        };
        for (place, relation) in RELATIONS.iter().enumerate() {
            let counts = &mut self.counts[place];
            match is_related(*relation, left == right, order) {
                Some(true) => counts.related[usize::from(fails)] += 1,
                Some(false) => counts.unrelated[usize::from(fails)] += 1,
                // Neither: but then it is no relation of all values.
                None => counts.related[PASSED] += 1,
            }
        }
        true
    }

    /// How the two items read when some variables read differently; nothing if anything else does, too.
    fn values(&self, vary: &Vary<'_>, texts: &[(usize, String)]) -> Option<[String; 2]> {
        for (variable, text) in texts {
            let before = vary.texts.get(*variable)?.as_ref()?;
            let now = Tree::new(text);
            for &changed in &before.differences(&now) {
                let mut is_ours = false;
                for (own, node) in self.items {
                    // In another tree the number of an item means another one.
                    let is_told = node == 0 || now.len() == before.len();
                    is_ours |= own == *variable && is_told && before.is_inside(changed, node);
                }
                if !is_ours {
                    return None;
                }
            }
        }
        let [left, right] = self.items;
        Some([value(vary, texts, left)?, value(vary, texts, right)?])
    }
}

/// How an item of a variable reads when some variables read differently.
fn value(vary: &Vary<'_>, texts: &[(usize, String)], (variable, node): (usize, usize)) -> Option<String> {
    let before = vary.texts.get(variable)?.as_ref()?;
    let mut value = before.item(node).to_owned();
    let is_number = integer(&value).is_some();
    for (changed, text) in texts {
        if *changed == variable {
            let now = Tree::new(text);
            // In another tree the number of an item means another one, or none.
            if node > 0 && now.len() != before.len() {
                return None;
            }
            value = now.item(node).to_owned();
        }
    }
    // Some numbers are printed by name, such as the smallest of their type.
    (!is_number || integer(&value).is_some()).then_some(value)
}

/// Whether two values are so related; nothing if that cannot be told.
fn is_related(relation: Relation, equal: bool, order: Option<Ordering>) -> Option<bool> {
    match relation {
        Relation::Equal => Some(equal),
        Relation::Different => Some(!equal),
        Relation::Less => order.map(Ordering::is_lt),
        Relation::AtMost => order.map(Ordering::is_le),
        Relation::Greater => order.map(Ordering::is_gt),
        Relation::AtLeast => order.map(Ordering::is_ge),
    }
}

/// The integer that a text is, if it is one.
fn integer(text: &str) -> Option<i128> {
    let digits = text.strip_prefix("-").unwrap_or(text);
    let magnitude = i128::from(digits.parse::<u64>().ok()?);
    Some(if digits.len() < text.len() { -magnitude } else { magnitude })
}
