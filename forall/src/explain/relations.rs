//! Two variables at a time, or two numbers in one: whether all that matters is that they are equal, or that one is larger.
//!
//! Varied alone, neither can be anything. Varied together they can, as long as they stay related. So pairs of values are
//! run, equal ones, neighbours and others, and a relation is told if it held whenever the property failed and never when
//! it passed.

use super::part::Part;
use super::tree::Mark;
use super::vary::{Contents, Kind, Seen, Vary};
use super::{Claim, Related, Relation};
use crate::choice::{Choice, Item};
use std::cmp::Ordering;

/// So many pairs are run.
const PAIRS: u64 = 60;
/// Pairs are of so many kinds, which take turns.
const KINDS: u64 = 5;
/// Numbers that are so far apart, as choices, are tried too: programs take remainders and cut bits off. Twice as far is for
/// signed numbers, of which every other choice is negative.
#[rustfmt::skip]
const APART: [u64; 23] = [
    2, 3, 4, 5, 8, 10, 16, 20, 32, 64, 100, 128, 200, 256, 512, 1_000, 1_024, 2_000,
    1 << 15, 1 << 16, 1 << 17, 1 << 32, 1 << 33,
];
/// In so many ways a number can have something to do with another.
const KIN: usize = APART.len() + 4;
/// So many runs there must be on either side.
const FEWEST: u64 = 10;
/// Of more variables, or numbers in them, not every pair is looked at.
const MAX_PARTS: usize = 6;

const RELATIONS: [Relation; 6] =
    [Relation::Equal, Relation::Different, Relation::Less, Relation::AtMost, Relation::Greater, Relation::AtLeast];

/// A pair of values that was run.
struct Pair {
    equal: bool,
    /// The values, if both are numbers.
    numbers: Option<(i128, i128)>,
    fails: bool,
}

impl Pair {
    /// Whether the values are so related; nothing if that cannot be told.
    fn is(&self, relation: Relation) -> Option<bool> {
        let order = self.numbers.map(|(left, right)| left.cmp(&right));
        match relation {
            Relation::Equal => Some(self.equal),
            Relation::Different => Some(!self.equal),
            Relation::Less => order.map(Ordering::is_lt),
            Relation::AtMost => order.map(Ordering::is_le),
            Relation::Greater => order.map(Ordering::is_gt),
            Relation::AtLeast => order.map(Ordering::is_ge),
        }
    }
}

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

/// The relation that two parts have just when the property fails; how often it did, and how often not. `nodes` are the items
/// in which they show.
fn related(vary: &mut Vary<'_>, parts: [&Part; 2], nodes: [usize; 2]) -> Option<(Relation, u64, u64)> {
    vary.fails_otherwise = false;
    let pairs = run_pairs(vary, parts[0], parts[1], nodes);
    // Of a property that fails in another way nothing can be said of when it passes; and all pairs are to be run.
    if vary.fails_otherwise || vary.cut_short.is_some() {
        return None;
    }
    let mut failed = 0;
    for pair in &pairs {
        failed += u64::from(pair.fails);
    }
    let passed = pairs.len() as u64 - failed;
    let relation = possible(&pairs)?;
    (failed.min(passed) >= FEWEST).then_some((relation, failed, passed))
}

/// The first relation that held just when the property failed.
fn possible(pairs: &[Pair]) -> Option<Relation> {
    for relation in RELATIONS {
        let mut holds = true;
        for pair in pairs {
            holds &= pair.is(relation) == Some(pair.fails);
        }
        if holds {
            return Some(relation);
        }
    }
    None
}

/// Runs pairs of values of two parts, as long as some relation is possible.
fn run_pairs(vary: &mut Vary<'_>, left: &Part, right: &Part, nodes: [usize; 2]) -> Vec<Pair> {
    let mut pairs: Vec<Pair> = Vec::new();
    let (mut round, mut barren) = (0, 0);
    let mut seen = Seen::default();
    let mut last: Option<Contents> = None;
    while (pairs.len() as u64) < PAIRS && barren < PAIRS && vary.left() > 0 {
        round += 1;
        barren += 1;
        // The same for both, neighbours, these the other way round, and any.
        let contents = match (round % KINDS, last.take()) {
            (3, Some(mut last)) => {
                last.swap(0, 1);
                last
            }
            _ => {
                let Some(contents) = contents(vary, left, right, round) else { continue };
                last = Some(contents.clone());
                contents
            }
        };
        let Some(pair) = run_pair(vary, [left, right], nodes, &contents, &mut seen) else { continue };
        barren = 0;
        pairs.push(pair);
        if possible(&pairs).is_none() {
            return pairs;
        }
    }
    if left.kind == Kind::Number && right.kind == Kind::Number {
        run_kin(vary, [left, right], nodes, &mut seen, &mut pairs);
    }
    pairs
}

/// Runs pairs of numbers that have something to do with each other, as long as some relation is possible.
fn run_kin(vary: &mut Vary<'_>, parts: [&Part; 2], nodes: [usize; 2], seen: &mut Seen, pairs: &mut Vec<Pair>) {
    // Each from a small number, from any, and the other way round.
    for round in 0..4 {
        for kin in 0..KIN {
            let Some(mut one) = vary.generate(&parts[0].kind, &parts[0].ranges, round) else { continue };
            let Item::Choice(Choice { value, max }) = one[0][0] else { return };
            let Some(value) = kin_of(value, max, kin) else { continue };
            one.push(vec![Item::Choice(Choice { value, max })]);
            if round % 2 == 1 {
                one.swap(0, 1);
            }
            if let Some(pair) = run_pair(vary, parts, nodes, &one, seen) {
                pairs.push(pair);
            }
            if possible(pairs).is_none() {
                return;
            }
        }
    }
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

/// Runs one pair of values, if it says anything.
fn run_pair(
    vary: &mut Vary<'_>,
    parts: [&Part; 2],
    nodes: [usize; 2],
    contents: &Contents,
    seen: &mut Seen,
) -> Option<Pair> {
    let variables = [parts[0].variable, parts[1].variable];
    let items = [(variables[0], nodes[0]), (variables[1], nodes[1])];
    let ranges = [parts[0].ranges[0].clone(), parts[1].ranges[0].clone()];
    let (equal, numbers) = vary.values(&ranges, contents, items)?;
    let ran = vary.run(&ranges, contents, &variables, seen)?;
    Some(Pair { equal, numbers, fails: ran.fails })
}

/// Contents for two parts: the same for both, neighbours, or any.
fn contents(vary: &mut Vary<'_>, left: &Part, right: &Part, round: u64) -> Option<Contents> {
    let mut one = vary.generate(&left.kind, &left.ranges, round)?;
    let mut two = match round % KINDS {
        0 | 1 => one.clone(),
        2 if left.kind == Kind::Number && right.kind == Kind::Number => {
            let mut near = one.clone();
            if let Item::Choice(Choice { value, max }) = &mut near[0][0] {
                *value = if *value < *max { *value + 1 } else { *value - (*max).min(1) };
            }
            near
        }
        _ => vary.generate(&right.kind, &right.ranges, round)?,
    };
    one.append(&mut two);
    Some(one)
}
