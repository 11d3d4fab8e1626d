//! Two variables at a time: whether all that matters is that they are equal, or that one is the larger.
//!
//! Varied alone, neither can be anything. Varied together they can, as long as they stay related. So pairs of values are
//! run, equal ones, neighbours and others, and a relation is told if it held whenever the property failed and never when
//! it passed.

use super::part::Part;
use super::vary::{Contents, Kind, Seen, Vary};
use super::{Claim, Related, Relation};
use crate::choice::{Choice, Item};

/// So many pairs are run.
const PAIRS: u64 = 60;
/// Pairs are of so many kinds, which take turns.
const KINDS: u64 = 5;
/// So many runs there must be on either side.
const FEWEST: u64 = 10;
/// With more variables that matter, not every pair is looked at.
const MAX_VARIABLES: usize = 6;

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
        let ordered = |holds: fn(&i128, &i128) -> bool| self.numbers.map(|(left, right)| holds(&left, &right));
        match relation {
            Relation::Equal => Some(self.equal),
            Relation::Different => Some(!self.equal),
            Relation::Less => ordered(i128::lt),
            Relation::AtMost => ordered(i128::le),
            Relation::Greater => ordered(i128::gt),
            Relation::AtLeast => ordered(i128::ge),
        }
    }
}

/// What can be said of pairs of variables that each cannot be anything.
pub(super) fn relations(vary: &mut Vary<'_>, wholes: &[Part], names: &[&'static str]) -> Vec<Claim> {
    let mut matter: Vec<&Part> = wholes.iter().filter(|whole| !whole.open).collect();
    matter.truncate(MAX_VARIABLES);
    let mut claims = Vec::new();
    for (place, left) in matter.iter().enumerate() {
        for right in &matter[place + 1..] {
            let pairs = run_pairs(vary, left, right);
            let Some(relation) = related(&pairs) else { continue };
            let failed = pairs.iter().filter(|pair| pair.fails).count() as u64;
            let passed = pairs.len() as u64 - failed;
            let (left, right) = (names[left.variable], names[right.variable]);
            let alone = names.len() == 2;
            claims.push(Claim::Related(Related { left, relation, right, alone, failed, passed }));
        }
    }
    claims
}

/// The relation that holds just when the property fails.
fn related(pairs: &[Pair]) -> Option<Relation> {
    let count = |fails| pairs.iter().filter(|pair| pair.fails == fails).count() as u64;
    if count(true) < FEWEST || count(false) < FEWEST {
        return None;
    }
    RELATIONS.into_iter().find(|&relation| pairs.iter().all(|pair| pair.is(relation) == Some(pair.fails)))
}

/// Runs pairs of values of two variables, as long as some relation is possible.
fn run_pairs(vary: &mut Vary<'_>, left: &Part, right: &Part) -> Vec<Pair> {
    let mut pairs: Vec<Pair> = Vec::new();
    let (mut round, mut barren) = (0, 0);
    let variables = [left.variable, right.variable];
    let ranges = [left.ranges[0].clone(), right.ranges[0].clone()];
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
        let Some((equal, numbers)) = vary.values(&ranges, &contents, &variables) else { continue };
        let Some(ran) = vary.run(&ranges, &contents, &variables, &mut seen) else { continue };
        barren = 0;
        pairs.push(Pair { equal, numbers, fails: ran.fails });
        let possible = |relation: &Relation| pairs.iter().all(|pair| pair.is(*relation) == Some(pair.fails));
        if !RELATIONS.iter().any(possible) {
            break;
        }
    }
    pairs
}

/// Contents for two variables: the same for both, neighbours, or any.
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
