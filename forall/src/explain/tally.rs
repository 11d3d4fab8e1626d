//! Evidence from all runs about relations between the values of one, two or three items.
//!
//! A value is parsed from the text of its item: as a number, by its length, or literally. Each possible relation is
//! counted in every run that changed nothing else. `pairs.rs` makes runs that distinguish relations, and `relations.rs`
//! claims the remaining ones.

use super::part::FEWEST;
use super::tree::Tree;
use super::vary::{Changed, Vary};
use super::{Relation, Term};
use std::cmp::Ordering;

/// Numbers further apart than this are not described as near each other.
const NEAR: i128 = 1_000;

const RELATIONS: [Relation; 6] =
    [Relation::Equal, Relation::Different, Relation::Less, Relation::AtMost, Relation::Greater, Relation::AtLeast];

/// An item in the text of a variable.
#[derive(Clone, Copy, PartialEq)]
pub(super) struct Place {
    pub(super) variable: usize,
    pub(super) node: usize,
    /// If the item is one character of a string literal: which one.
    pub(super) character: Option<usize>,
}

/// A relation between the items.
#[derive(Clone, Copy, PartialEq)]
struct Shape {
    relation: Relation,
    as_what: [As; 3],
}

/// The aspect of a value to which a relation refers.
#[derive(Clone, Copy, PartialEq)]
enum As {
    Value,
    Length,
    Negated,
}

/// A value as read from its text.
#[derive(Clone)]
pub(super) struct Reading {
    text: String,
    number: Option<i128>,
    length: Option<i128>,
    /// Whether the number is the code point of a character: then it is only compared, and not used for arithmetic.
    is_character: bool,
}

impl Reading {
    pub(super) fn number(&self) -> Option<i128> {
        self.number
    }

    fn new(text: String, length: Option<usize>) -> Self {
        let character = character(&text);
        let number = if character.is_some() { character } else { number(&text) };
        Self { number, length: length.map(|length| length as i128), is_character: character.is_some(), text }
    }
}

/// The outcomes of runs in which the relation held, and of those in which it did not: passed and failed.
#[derive(Clone, Copy, Default)]
struct Counts {
    related: [u64; 2],
    unrelated: [u64; 2],
}

const PASSED: usize = 0;
const FAILED: usize = 1;

/// A relation that no run refutes.
pub(super) struct Found {
    pub(super) terms: Vec<Term>,
    pub(super) relation: Relation,
    pub(super) failed: u64,
    pub(super) passed: Option<u64>,
}

#[derive(Clone)]
pub(super) struct Tally {
    items: Vec<Place>,
    /// Whether none of them can be anything alone.
    closed: bool,
    /// The readings of the items in the case itself.
    pub(super) now: Vec<Reading>,
    /// The number of runs counted so far.
    read: usize,
    /// Whether some run failed in another way: then nothing can be said about when the property passes.
    otherwise: bool,
    shapes: Vec<(Shape, Counts)>,
    /// How far apart two numbers were, and whether the property failed.
    distances: Vec<(i128, bool)>,
}

impl Tally {
    /// A tally of the items as they are; `None` if they cannot be related.
    pub(super) fn new(vary: &Vary<'_>, items: &[Place], closed: bool) -> Option<Self> {
        let mut now = Vec::new();
        for &item in items {
            now.push(reading(vary, &[], item)?);
        }
        let mut tally = Self {
            items: items.to_vec(),
            closed,
            now,
            read: 0,
            otherwise: false,
            shapes: Vec::new(),
            distances: Vec::new(),
        };
        tally.list_shapes();
        if tally.shapes.is_empty() {
            return None;
        }
        // The case itself, unless it is what the others are compared with.
        if items.len() > 1 {
            tally.count(vary, &[], true);
        }
        Some(tally)
    }

    fn list_shapes(&mut self) {
        let mut add = |relation: Relation, as_what: [As; 3]| {
            self.shapes.push((Shape { relation, as_what }, Counts::default()));
        };
        let plain = [As::Value; 3];
        let (mut numbers, mut lengths, mut characters) = (0, 0, 0);
        for reading in &self.now {
            numbers += usize::from(reading.number.is_some());
            characters += usize::from(reading.is_character);
            lengths += usize::from(reading.length.is_some());
        }
        match (self.now.len(), numbers) {
            (1, 1) => {
                add(Relation::AtLeast, plain);
                add(Relation::AtMost, plain);
            }
            (2, 2) => {
                // A number is not compared with a character.
                for &relation in if characters == 1 { &[] } else { &RELATIONS[..] } {
                    add(relation, plain);
                }
                if characters == 0 {
                    add(Relation::Equal, [As::Value, As::Negated, As::Value]);
                    add(Relation::Different, [As::Value, As::Negated, As::Value]);
                }
            }
            (2, 1) if lengths == 1 => {
                let is_first = self.now[0].length.is_some();
                let as_what = if is_first { [As::Length, As::Value] } else { [As::Value, As::Length] };
                for &relation in &RELATIONS {
                    add(relation, [as_what[0], as_what[1], As::Value]);
                }
            }
            (2, 0) => {
                add(Relation::Equal, plain);
                add(Relation::Different, plain);
                for &relation in if lengths == 2 { &RELATIONS[..] } else { &[] } {
                    add(relation, [As::Length; 3]);
                }
            }
            (3, 3) if characters % 3 == 0 => {
                add(Relation::Equal, plain);
                for &relation in &RELATIONS[2..] {
                    add(relation, plain);
                }
            }
            _ => {}
        }
    }

    /// Counts the runs made since. Returns false if no relation is possible any more.
    pub(super) fn read(&mut self, vary: &Vary<'_>) -> bool {
        for run in &vary.runs[self.read..] {
            if let Some(fails) = run.fails
                && self.count(vary, &run.texts, fails)
            {
                self.otherwise |= run.otherwise;
            }
        }
        self.read = vary.runs.len();
        let mut possible = self.boundary().is_some();
        for (_, counts) in &self.shapes {
            possible |= counts.related[PASSED] == 0;
        }
        possible && !self.otherwise
    }

    /// Whether the property may fail exactly when the values are related.
    pub(super) fn may_pass_otherwise(&self) -> bool {
        let mut possible = self.boundary().is_some();
        for (_, counts) in &self.shapes {
            possible |= counts.related[PASSED] == 0 && counts.unrelated[FAILED] == 0;
        }
        possible && !self.otherwise
    }

    /// Counts a run in which some variables changed, if it is evidence about the items.
    fn count(&mut self, vary: &Vary<'_>, texts: &[Changed], fails: bool) -> bool {
        if !self.differ_alone(vary, texts) {
            return false;
        }
        let mut readings = Vec::new();
        for &item in &self.items {
            let Some(reading) = reading(vary, texts, item) else {
                // The relation does not hold for all values.
                for (_, counts) in &mut self.shapes {
                    counts.related[PASSED] += u64::from(!fails);
                    counts.unrelated[FAILED] += u64::from(fails);
                }
                return true;
            };
            readings.push(reading);
        }
        for (shape, counts) in &mut self.shapes {
            match is_related(*shape, &readings, &self.now) {
                Some(true) => counts.related[usize::from(fails)] += 1,
                Some(false) => counts.unrelated[usize::from(fails)] += 1,
                None => {
                    counts.related[PASSED] += u64::from(!fails);
                    counts.unrelated[FAILED] += u64::from(fails);
                }
            }
        }
        if let [one, two] = &readings[..]
            && let (Some(left), Some(right)) = (one.number, two.number)
            && !one.is_character
        {
            self.distances.push((left.saturating_sub(right).saturating_abs(), fails));
        }
        true
    }

    /// Whether nothing but the items changed.
    fn differ_alone(&self, vary: &Vary<'_>, texts: &[Changed]) -> bool {
        let is_ours = |variable: &usize| {
            let mut found = false;
            for own in &self.items {
                found |= own.variable == *variable;
            }
            found
        };
        for Changed { variable, text, differences, items } in texts {
            if !is_ours(variable) {
                return false;
            }
            let Some(Some(before)) = vary.texts.get(*variable) else { return false };
            if self.items.contains(&Place { variable: *variable, node: 0, character: None }) {
                continue;
            }
            for &changed in differences {
                let mut is_ours = false;
                for &Place { variable: own, node, character } in &self.items {
                    // In a tree of another shape, the index of an item refers to another item.
                    let is_told = node == 0 || *items == before.len();
                    is_ours |= own == *variable
                        && is_told
                        && before.is_inside(changed, node)
                        && (character.is_none() || self.differ_in_characters(node, before, &Tree::new(text)));
                }
                if !is_ours {
                    return false;
                }
            }
        }
        true
    }

    /// Whether two string literals differ in nothing but the characters that are items.
    fn differ_in_characters(&self, node: usize, before: &Tree, now: &Tree) -> bool {
        let (before, now) = (before.spelled(node), now.spelled(node));
        let mut ours = before.len() == now.len();
        for (place, (before, now)) in before.iter().zip(&now).enumerate() {
            let mut is_item = false;
            for item in &self.items {
                is_item |= item.node == node && item.character == Some(place);
            }
            ours &= is_item || before == now;
        }
        ours
    }

    /// The first relation that holds in exactly the runs that failed; otherwise, that equality is sufficient to fail.
    pub(super) fn found(&self, names: &[&str]) -> Option<Found> {
        if self.otherwise {
            return None;
        }
        for sufficient in [false, true] {
            for (shape, Counts { related, unrelated }) in &self.shapes {
                let is_told = related[PASSED] == 0 && related[FAILED] >= FEWEST && unrelated[PASSED] >= self.few();
                let passed = if unrelated[FAILED] == 0 { Some(unrelated[PASSED]) } else { None };
                let is_worth_it = if sufficient {
                    self.closed && shape.relation == Relation::Equal && shape.as_what == [As::Value; 3]
                } else {
                    passed.is_some()
                };
                if is_told && is_worth_it {
                    let terms = self.terms(shape.as_what, names);
                    return Some(Found { terms, relation: shape.relation, failed: related[FAILED], passed });
                }
            }
            if let Some((relation, limit)) = self.near().or(self.far())
                && !sufficient
            {
                let mut counts = [0; 2];
                for (_, fails) in &self.distances {
                    counts[usize::from(*fails)] += 1;
                }
                if counts[PASSED] >= FEWEST && counts[FAILED] >= FEWEST && limit <= NEAR {
                    let terms = self.terms([As::Value; 3], names);
                    return Some(Found { terms, relation, failed: counts[FAILED], passed: Some(counts[PASSED]) });
                }
            }
        }
        None
    }

    /// The minimum number of runs without the relation that must have passed: all values between a number and zero, if
    /// there are fewer than usual.
    fn few(&self) -> u64 {
        match &self.now[..] {
            [Reading { number: Some(number), .. }] => FEWEST.min(number.unsigned_abs().clamp(1, FEWEST.into()) as u64),
            _ => FEWEST,
        }
    }

    fn terms(&self, as_what: [As; 3], names: &[&str]) -> Vec<Term> {
        let mut terms = Vec::new();
        for (place, name) in names.iter().enumerate() {
            let name = (*name).to_owned();
            terms.push(match as_what[place] {
                As::Value => Term::Value(name),
                As::Length if self.now[place].text.ends_with(['"', ')']) => Term::Characters(name),
                As::Length => Term::Length(name),
                As::Negated => Term::Negated(name),
            });
        }
        if let [one] = &self.now[..] {
            terms.push(Term::Value(one.text.clone()));
        }
        terms
    }

    /// If the property failed exactly for numbers up to some distance: that distance.
    fn near(&self) -> Option<(Relation, i128)> {
        let (failed, passed) = self.extremes(true)?;
        (failed > 0 && passed == failed + 1).then_some((Relation::Within(failed as u64), failed))
    }

    /// If the property passed exactly for numbers up to some distance: that distance.
    fn far(&self) -> Option<(Relation, i128)> {
        let (passed, failed) = self.extremes(false)?;
        (passed > 0 && failed == passed + 1).then_some((Relation::Apart(passed as u64), passed))
    }

    /// The greatest distance of failed runs and the smallest of passed ones, or vice versa.
    fn extremes(&self, close_ones_fail: bool) -> Option<(i128, i128)> {
        let (mut greatest, mut least) = (0, i128::MAX);
        for &(distance, fails) in &self.distances {
            if fails == close_ones_fail {
                greatest = distance.max(greatest);
            } else {
                least = distance.min(least);
            }
        }
        (greatest < least && least < i128::MAX).then_some((greatest, least))
    }

    /// The two adjacent distances with different outcomes, if they separate all runs.
    pub(super) fn boundary(&self) -> Option<(u64, u64)> {
        let (below, above) = self.extremes(true).or_else(|| self.extremes(false))?;
        (below <= NEAR).then_some((below as u64, above.min(2 * NEAR) as u64))
    }
}

/// The reading of an item when some variables changed; `None` if it cannot be determined.
fn reading(vary: &Vary<'_>, texts: &[Changed], item: Place) -> Option<Reading> {
    let Place { variable, node, character } = item;
    let before = vary.texts.get(variable)?.as_ref()?;
    if let Some(at) = character {
        let changed = texts.iter().find(|changed| changed.variable == variable);
        let changed = changed.map(|changed| Tree::new(&changed.text));
        let tree = changed.as_ref().unwrap_or(before);
        return Some(Reading::new(format!("'{}'", tree.spelled(node).get(at)?), None));
    }
    for Changed { variable: changed, text, items, .. } in texts {
        if *changed == variable && node == 0 {
            let length = if before.length(0).is_some() { Tree::new(text).length(0) } else { None };
            let reading = Reading::new(text.clone(), length);
            return is_of_kind(before.item(0), &reading).then_some(reading);
        }
        if *changed == variable {
            // In a tree of another shape, the index of an item refers to another item, or to none.
            if node > 0 && *items != before.len() {
                return None;
            }
            let now = Tree::new(text);
            let reading = Reading::new(now.item(node).to_owned(), now.length(node));
            return is_of_kind(before.item(node), &reading).then_some(reading);
        }
    }
    Some(Reading::new(before.item(node).to_owned(), before.length(node)))
}

/// Whether both or neither are numbers: not every number is printed as one.
fn is_of_kind(text: &str, reading: &Reading) -> bool {
    Reading::new(text.to_owned(), None).number.is_some() == reading.number.is_some()
}

/// Whether the values have this relation; `None` if that cannot be determined. A single value is compared with that of
/// the case.
fn is_related(shape: Shape, readings: &[Reading], now: &[Reading]) -> Option<bool> {
    let value = |place: usize| {
        let reading = readings.get(place).unwrap_or(&now[0]);
        match shape.as_what[place] {
            As::Value => reading.number,
            As::Length => reading.length,
            As::Negated => reading.number?.checked_neg(),
        }
    };
    let is_equality = matches!(shape.relation, Relation::Equal | Relation::Different);
    if is_equality && shape.as_what == [As::Value; 3] {
        // Equal numbers of different types may print differently.
        let are_equal = |one: &Reading, two: &Reading| match (one.number, two.number) {
            (Some(one), Some(two)) if one < i128::MAX => one == two,
            _ => one.text == two.text,
        };
        let mut all = true;
        for pair in readings.windows(2) {
            all &= are_equal(&pair[0], &pair[1]);
        }
        return Some(all == (shape.relation == Relation::Equal));
    }
    let mut all = true;
    for place in 1..readings.len().max(2) {
        let order = value(place - 1)?.cmp(&value(place)?);
        all &= match shape.relation {
            Relation::Equal => order.is_eq(),
            Relation::Different => order.is_ne(),
            Relation::Less => order.is_lt(),
            Relation::AtMost => order.is_le(),
            Relation::Greater => order.is_gt(),
            Relation::AtLeast => order.is_ge(),
            Relation::Within(_) | Relation::Apart(_) => order == Ordering::Equal,
        };
    }
    Some(all)
}

/// Wrappers around a number in types that compare as it does.
const WRAPPERS: [(&str, &str); 3] =
    [("Box::new(", ")"), ("std::num::NonZero::new(", ").unwrap()"), ("std::num::Wrapping(", ")")];

/// The code point of the character that a literal denotes.
fn character(text: &str) -> Option<i128> {
    let inner = text.strip_prefix('\'')?.strip_suffix('\'')?;
    let code = match inner.strip_prefix('\\') {
        None => inner.chars().next()? as u32,
        Some(escaped) => match escaped.as_bytes() {
            [b'n'] => 10,
            [b'r'] => 13,
            [b't'] => 9,
            [b'0'] => 0,
            [quoted] => u32::from(*quoted),
            _ => u32::from_str_radix(escaped.strip_prefix("u{")?.strip_suffix('}')?, 16).ok()?,
        },
    };
    Some(code.into())
}

/// The number that a text denotes, if any. Floats are ordered by value, and far from all integers.
fn number(text: &str) -> Option<i128> {
    let (digits, sign) = if let Some(digits) = text.strip_prefix("-") { (digits, -1) } else { (text, 1) };
    if let Ok(magnitude) = digits.parse::<u128>() {
        // Beyond this, numbers are not distinguished.
        return Some(sign * i128::try_from(magnitude).unwrap_or(i128::MAX));
    }
    for (before, after) in &WRAPPERS {
        if let Some(inner) = digits.strip_prefix(before).and_then(|rest| rest.strip_suffix(after))
            && sign > 0
        {
            return number(inner);
        }
    }
    if let Some((name, end)) = crate::within::split_once(digits, "::") {
        let bits: u32 = name.get(1..)?.parse().ok().or((name.get(1..) == Some("size")).then_some(usize::BITS))?;
        let signed = u32::from(name.starts_with('i'));
        return match end {
            "MAX" if bits == 128 => Some(i128::MAX),
            "MIN" if bits == 128 && signed == 1 => Some(i128::MIN),
            "MAX" if bits <= 64 && !name.starts_with('f') => Some((1 << (bits - signed)) - 1),
            "MIN" if bits <= 64 && !name.starts_with('f') => Some(-(i128::from(signed) << (bits - 1))),
            _ => None,
        };
    }
    let is_float = digits.starts_with(|c: char| c.is_ascii_digit()) && digits.contains(['.', 'e']);
    let value = if is_float { digits.parse::<f64>().ok()? } else { return None };
    Some(sign * (i128::from(value.to_bits()) << 8))
}
