//! Other choices for a part of a case, the rest left alone.
//!
//! A part is a range of choices. New contents for it come from the generator itself: it is run with the choices before the
//! part and at random from there on, and what it drew for the part is put in the place of what was there. Whether the rest
//! was left alone is not taken for granted: a variation counts only if the generator draws just what was proposed and no
//! other variable reads differently.

use super::tree::Tree;
use crate::choice::{AtEnd, Choice, Item, Random, Sequence, Source, Span};
use crate::generate::ELEMENT;
use crate::hash::{Fnv, Set};
use crate::panic;
use crate::property::Failure;
use crate::run::{Case, Tested, Tester};
use crate::shrink::edit;
use std::ops::Range;
use std::time::Instant;

/// The sizes at which new contents are generated, in turn: large ones and small ones.
const SIZES: [u32; 4] = [100, 10, 30, 2];
/// A part without a span of its own, such as an `Option` in a tuple, is looked for in this many choices.
const MAX_LOOSE: usize = 3;

/// So many numbers of a failure's message are looked at.
const MAX_TOLD: usize = 16;

/// New contents for a part: one list of choices for each of its ranges.
pub(super) type Contents = Vec<Vec<Item>>;

/// How new contents for a part are made.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// By taking other values for the one choice.
    Number,
    /// By the part's span: its label, and how many spans with the same label begin at the same place before it.
    Span(u32, usize),
    /// As a collection: elements with their "more" choices, up to the one that says stop.
    Collection,
    /// Element by element, each behind its "more" choice; one range for each.
    Elements,
    /// As one choice that decides how many follow: an `Option`, for example, that no span holds together.
    Loose,
}

/// What was found out of a part that no span holds together.
#[derive(Clone, Copy, Debug)]
pub(super) struct Loose {
    /// How many choices behind its first belong to it.
    pub(super) follow: usize,
    /// The item of the text that it decides.
    item: usize,
}

/// The variations of a part.
#[derive(Debug, Default)]
pub(super) struct Seen {
    hashes: Set,
    /// How many of them were no variations of the part alone: there may be values that were not tried.
    pub(super) unusable: u64,
}

/// Why a variation says nothing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Useless {
    /// The property does not allow it.
    Discarded,
    /// It reads as the case itself does.
    Alike,
    /// It is no variation of this part alone.
    Unusable,
}

/// A variation that was run.
pub(super) struct Ran {
    /// Whether the property failed in the same way.
    pub(super) fails: bool,
    /// The items of the varied variable's text that read differently.
    pub(super) changed: Vec<usize>,
}

/// The state of an explanation.
pub(super) struct Vary<'a> {
    pub(super) tester: &'a Tester<'a>,
    pub(super) case: Case,
    failure: Failure,
    /// The texts of the variables; none for one that has no text, or another each time.
    pub(super) texts: Vec<Option<Tree>>,
    /// Whether choices are made while the property is checked, not only when its variables are generated.
    forks: bool,
    /// How the inputs that were run ended: by their hash, whether they failed in the same way, or said nothing.
    outcomes: Vec<(u64, Option<bool>)>,
    pub(super) random: Random,
    pub(super) evaluations: u64,
    max_runs: u64,
    until: Instant,
    pub(super) cut_short: Option<String>,
}

impl<'a> Vary<'a> {
    pub(super) fn new(tester: &'a Tester<'a>, mut case: Case, failure: Failure, max_runs: u64, until: Instant) -> Self {
        let mut texts = Vec::new();
        let first = tester.print(&case);
        // Where the size makes no difference, it should make none to what is tried either.
        let size = std::mem::replace(&mut case.sequence.size, SIZES[0]);
        let larger = tester.print_drawn(&case);
        if !larger.is_some_and(|(bindings, drawn)| bindings == first && drawn.items == case.sequence.items) {
            case.sequence.size = size;
        }
        let second = tester.print(&case);
        for (first, second) in first.iter().zip(&second) {
            // The order of a hash table is another one each time.
            let told = first == second && (first.printed.code.is_some() || first.printed.debug.is_some());
            texts.push(told.then(|| Tree::new(first.printed.text())));
        }
        let mut key = Fnv::default();
        key.mix(edit::hash(&case.sequence.items));
        let forks = case.sequence.items.iter().any(|item| matches!(item, Item::Fork { .. }));
        let random = Random::from_key(key.finish());
        Self {
            tester,
            case,
            failure,
            texts,
            forks,
            outcomes: Vec::new(),
            random,
            evaluations: 0,
            max_runs,
            until,
            cut_short: None,
        }
    }

    /// The numbers that the failure speaks of: if a value matters, it may be one of them.
    pub(super) fn numbers_told(&self) -> Vec<u64> {
        let mut numbers = Vec::new();
        let is_other: fn(char) -> bool = |c| !c.is_ascii_digit();
        for digits in self.failure.message.split(is_other).filter(|digits| !digits.is_empty()).take(MAX_TOLD) {
            numbers.extend(digits.parse::<u64>());
        }
        numbers
    }

    pub(super) fn items(&self) -> &[Item] {
        &self.case.sequence.items
    }

    /// The runs that are left.
    pub(super) fn left(&mut self) -> u64 {
        if self.may_go_on() { self.max_runs - self.evaluations } else { 0 }
    }

    fn may_go_on(&mut self) -> bool {
        if self.cut_short.is_none() {
            if self.evaluations >= self.max_runs {
                self.cut_short = Some(format!("after {} runs (`FORALL_EXPLAIN`)", self.evaluations));
            } else if Instant::now() >= self.until {
                self.cut_short = Some(format!("after {} runs, because they are slow", self.evaluations));
            } else if self.tester.context().is_cancelled() {
                self.cut_short = Some("when the run was stopped".to_owned());
            }
        }
        self.cut_short.is_none()
    }

    /// Runs the case with other contents for some ranges, which belong to the variables named. Nothing if that says nothing:
    /// it is not what the generator makes of the choices, is discarded, or changes other variables; or it is in `seen`, which
    /// tells what was run for the same part.
    pub(super) fn run(
        &mut self,
        ranges: &[Range<usize>],
        contents: &Contents,
        variables: &[usize],
        seen: &mut Seen,
    ) -> Option<Ran> {
        if !self.may_go_on() {
            return None;
        }
        let case = self.varied(ranges, contents);
        let hash = edit::hash(&case.sequence.items);
        if !seen.hashes.insert(hash) || case.sequence.items == self.case.sequence.items {
            return None;
        }
        let changed = match self.changed(&case, variables) {
            Ok(changed) => changed,
            Err(why) => {
                seen.unusable += u64::from(why == Useless::Unusable);
                return None;
            }
        };
        // What is known from varying another part is evidence for this one, too, and may be the only one against it.
        let known = self.outcomes.iter().find(|(other, _)| *other == hash);
        let fails = match known {
            Some((_, known)) => *known,
            None => {
                let fails = self.evaluate(&case);
                self.outcomes.push((hash, fails));
                fails
            }
        };
        Some(Ran { fails: fails?, changed })
    }

    /// Whether a case fails in the same way; nothing if that says nothing.
    fn evaluate(&mut self, case: &Case) -> Option<bool> {
        self.evaluations += 1;
        let (drawn, tested) = self.tester.run(case);
        if self.forks && !same_values(&drawn.sequence.items, &case.sequence.items) {
            return None;
        }
        match tested {
            Tested::Pass => Some(false),
            Tested::Fail(failure) => Some(failure.same_origin(&self.failure)),
            Tested::Discard(_) | Tested::Fault(_) | Tested::NoSuchStep => None,
        }
    }

    /// The case with other contents for some ranges, which are disjoint and ascending.
    fn varied(&self, ranges: &[Range<usize>], contents: &Contents) -> Case {
        let mut items = self.items().to_vec();
        for (range, content) in ranges.iter().zip(contents).rev() {
            edit::splice(&mut items, range.clone(), content);
        }
        let sequence = Sequence { size: self.case.sequence.size, items, spans: Vec::new() };
        Case { sequence, steps: self.case.steps.clone() }
    }

    /// What reads differently in a variation of some variables. If there are several, the items are of no use.
    fn changed(&self, case: &Case, variables: &[usize]) -> Result<Vec<usize>, Useless> {
        let (bindings, drawn) = self.tester.print_drawn(case).ok_or(Useless::Discarded)?;
        if bindings.len() != self.texts.len() || !self.forks && !same_values(&drawn.items, &case.sequence.items) {
            return Err(Useless::Unusable);
        }
        let mut changed = Vec::new();
        let mut differs = false;
        for (variable, (binding, text)) in bindings.iter().zip(&self.texts).enumerate() {
            let Some(text) = text else {
                differs |= variables.contains(&variable);
                continue;
            };
            let found = text.differences(&Tree::new(binding.printed.text()));
            if !found.is_empty() && !variables.contains(&variable) {
                return Err(Useless::Unusable);
            }
            differs |= !found.is_empty();
            changed.extend_from_slice(&found);
        }
        if differs { Ok(changed) } else { Err(Useless::Alike) }
    }

    /// What reads differently in a variable when some ranges have other contents, and it alone does. Nothing is run.
    pub(super) fn look(&self, ranges: &[Range<usize>], contents: &Contents, variable: usize) -> Option<Vec<usize>> {
        self.changed(&self.varied(ranges, contents), &[variable]).ok()
    }

    /// The same, whatever becomes of other variables.
    pub(super) fn shows(&self, ranges: &[Range<usize>], contents: &Contents, variable: usize) -> Option<Vec<usize>> {
        let case = self.varied(ranges, contents);
        let (bindings, drawn) = self.tester.print_drawn(&case)?;
        let text = self.texts[variable].as_ref().filter(|_| same_values(&drawn.items, &case.sequence.items))?;
        let changed = text.differences(&Tree::new(bindings.get(variable)?.printed.text()));
        (!changed.is_empty()).then_some(changed)
    }

    /// Whether two variables have equal values when some ranges have other contents, and the values if they are numbers.
    pub(super) fn values(
        &self,
        ranges: &[Range<usize>],
        contents: &Contents,
        variables: &[usize; 2],
    ) -> Option<(bool, Option<(i128, i128)>)> {
        let (bindings, _) = self.tester.print_drawn(&self.varied(ranges, contents))?;
        let now = |which: usize| Some(bindings.get(variables[which])?.printed.text());
        let before = |which: usize| Some(self.texts.get(variables[which])?.as_ref()?.text());
        let numbers = |left: &str, right: &str| left.parse().ok().zip(right.parse().ok());
        let (left, right) = (now(0)?, now(1)?);
        let (were, are) = (numbers(before(0)?, before(1)?), numbers(left, right));
        // Some numbers are printed by name, such as the smallest of their type.
        (were.is_none() || are.is_some()).then_some((left == right, are))
    }

    /// Contents that the generator makes for a part, the `round`-th time; none if it does not come to this part.
    pub(super) fn generate(&mut self, kind: &Kind, ranges: &[Range<usize>], round: u64) -> Option<Contents> {
        let first = ranges.first()?;
        match kind {
            Kind::Number => {
                let drawn = self.regenerate(first.start, &[], size(round))?;
                Some(vec![drawn.items.get(first.clone())?.to_vec()])
            }
            Kind::Span(label, ordinal) => {
                let (next, rest) = begin(round);
                let drawn = self.regenerate(first.start, &next, rest)?;
                let span = nth_span(&drawn.spans, *label, first.start, *ordinal)?;
                Some(vec![drawn.items[first.start..span.end as usize].to_vec()])
            }
            Kind::Collection => {
                let (next, rest) = begin(round);
                let drawn = self.regenerate(first.start, &next, rest)?;
                let end = chain(&drawn.spans, first.start).last()?.end;
                Some(vec![drawn.items[first.start..end].to_vec()])
            }
            Kind::Elements => {
                let pool = self.elements(first.start - 1, round)?;
                let mut contents = Vec::new();
                for _ in ranges {
                    contents.push(pool[self.random.up_to(pool.len() as u64 - 1) as usize].clone());
                }
                Some(contents)
            }
            Kind::Loose => None,
        }
    }

    /// What the generator draws for elements of the collection that begins at `start`, without their "more" choices. There
    /// is at least one.
    pub(super) fn elements(&mut self, start: usize, round: u64) -> Option<Vec<Vec<Item>>> {
        let Item::Choice(Choice { max, .. }) = *self.items().get(start)? else { return None };
        let more = Item::Choice(Choice { value: max.min(1), max });
        let drawn = self.regenerate(start, &[more], size(round))?;
        let mut pool = Vec::new();
        for element in chain(&drawn.spans, start) {
            if element.len() > 1 {
                pool.push(drawn.items[element.start + 1..element.end].to_vec());
            }
        }
        (!pool.is_empty()).then_some(pool)
    }

    /// Contents for a part that begins with the choice at `place`, which is to be `value`, and is held together by nothing.
    /// What belongs to it is found by trying what fits, unless it is known.
    pub(super) fn loose(
        &mut self,
        place: usize,
        value: u64,
        variable: usize,
        known: Option<Loose>,
        round: u64,
    ) -> Option<(Loose, Vec<Item>)> {
        let Item::Choice(Choice { max, .. }) = self.items()[place] else { return None };
        let drawn = self.regenerate(place, &[Item::Choice(Choice { value, max })], size(round))?;
        for gone in 0..=MAX_LOOSE.min(self.items().len() - place - 1) {
            for come in 0..=MAX_LOOSE.min(drawn.items.len() - place - 1) {
                if known.is_some_and(|known| known.follow != gone) {
                    continue;
                }
                let content = vec![drawn.items[place..place + 1 + come].to_vec()];
                let range = place..place + 1 + gone;
                let changed = self.look(std::slice::from_ref(&range), &content, variable);
                let (Some([item]), Some(text)) = (changed.as_deref(), &self.texts[variable]) else { continue };
                let found = known.unwrap_or(Loose { follow: gone, item: *item });
                if text.is_inside(*item, found.item) {
                    return Some((found, drawn.items[place..place + 1 + come].to_vec()));
                }
            }
        }
        None
    }

    /// What the generator draws with the choices before `start`, then those of `next`, and then at random at a size; without
    /// a size, the simplest. None if it does not come that far.
    fn regenerate(&mut self, start: usize, next: &[Item], size: Option<u32>) -> Option<Sequence> {
        if !self.may_go_on() {
            return None;
        }
        let mut items = self.items().to_vec();
        let len = items.len();
        edit::splice(&mut items, start..len, next);
        let most = self.case.sequence.size;
        let given = Sequence { size: size.map_or(most, |size| size.min(most)), items, spans: Vec::new() };
        let at_end = if size.is_some() { AtEnd::Random(self.random.word()) } else { AtEnd::Simplest };
        let mut source = Source::tape(&given, at_end);
        let property = self.tester.property();
        let _ = panic::catch(|| property.generate(&mut source, &self.case.steps).is_ok());
        let drawn = source.into_sequence();
        let kept = start + next.len();
        (drawn.items.len() > start && same_values(drawn.items.get(..kept)?, &given.items[..kept])).then_some(drawn)
    }
}

/// The size at which the choices of a round are random; none in the first, in which they are the simplest.
fn size(round: u64) -> Option<u32> {
    (round > 0).then(|| SIZES[round as usize % SIZES.len()])
}

/// How the contents of a round begin, and the size at which they go on: small contents come first, each with other first
/// choices and then the simplest.
fn begin(round: u64) -> (Vec<Item>, Option<u32>) {
    let choices: &[u64] = match round {
        1..=4 => &[round],
        5..=20 => &[1 + (round - 5) / 8, (round - 5) % 8],
        _ => &[],
    };
    let mut items = Vec::new();
    for &value in choices {
        items.push(Item::Choice(Choice { value, max: u64::MAX }));
    }
    let rest = if choices.is_empty() { size(round) } else { None };
    (items, rest)
}

/// Whether two lists of items offer the same, maxima aside.
fn same_values(a: &[Item], b: &[Item]) -> bool {
    a.len() == b.len() && a.iter().zip(b).all(|(a, b)| a.weight() == b.weight())
}

/// The span with a label that begins at a place, behind `ordinal` others of the kind.
fn nth_span(spans: &[Span], label: u32, start: usize, ordinal: usize) -> Option<&Span> {
    spans.iter().filter(|span| span.label == label && span.start as usize == start).nth(ordinal)
}

/// The elements of the collection that begins at `start`, and its stop.
fn chain(spans: &[Span], start: usize) -> Vec<Range<usize>> {
    let mut chain: Vec<Range<usize>> = Vec::new();
    let mut at = start;
    // Of the spans that begin at one place, the outermost was opened first.
    while let Some(span) = nth_span(spans, ELEMENT, at, 0) {
        chain.push(at..span.end as usize);
        if span.len() <= 1 {
            break;
        }
        at = span.end as usize;
    }
    chain
}
