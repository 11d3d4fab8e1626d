//! Variations of accepted inputs.
//!
//! This lets a search reach large valid inputs where most generated ones are discarded or similar. Of the accepted
//! inputs, the smallest with each feature is an elite (`archive.rs`); elites with rare features are varied next. A
//! variation changes numbers, or replaces parts by others of the same kind. If its alternatives and order of numbers
//! were proposed before, another variation is tried, up to a few times; the last attempt runs even if none was new.
//!
//! Guided runners (`guide/`) vary inputs more carefully, at ten times the cost: in the short time for exploring,
//! running more tests finds more bugs.

use super::archive::{ALTERNATIVES, Archive, meetings, pattern, shape};
use super::{Rounds, found};
use crate::choice::{AtEnd, Choice, Item, Random, Sequence, Source, Span};
use crate::generate::Coded;
use crate::hash::{Fnv, Set};
use crate::run::session::{Ending, Session};
use crate::run::{Budget, Case, Tested};
use crate::sort::sort_numbers;
use std::ops::Range;
use std::rc::Rc;

/// The number of fresh inputs that are kept for their parts.
const DONORS: usize = 32;

/// The number of attempts to find a variation that was not proposed before.
const TRIES: u32 = 8;

/// After this many unsuccessful searches in a row, only one attempt is made each time: a few numbers can be ordered in
/// only a few ways, and the search for new variations took most of the time of such properties.
const STALE: u32 = 16;

/// The maximum number of proposals that are remembered.
const MOST_PROPOSED: u32 = 1 << 17;

/// The maximum length of inputs that are varied.
const LONGEST: usize = 2048;

/// The size of variations that end with the simplest choices: first that of the largest tests, then eight times that.
/// Derived trees share their size among their fields, so this allows for about two more levels. Large variations take
/// longer: used from the start, and at size 1600, they find 91.7 % of ETNA's bugs instead of 94.8, in 8.4 ms of CPU
/// instead of 5.8 (40 seeds, 16 cores).
const SMALL: u32 = 100;
const GROWN: u32 = 800;
/// The number of distinct proposals after which variations grow.
const GROWS_AFTER: u32 = 500;

/// The number of fresh tests after which their yield is judged.
const JUDGED_AFTER: u64 = 64;

/// The variations that were proposed, as hashes.
#[derive(Default)]
struct Proposed {
    seen: Set,
    count: u32,
    /// The number of new variations, including those that are no longer remembered.
    total: u32,
    /// The number of searches since a new variation was last found.
    stale: u32,
}

impl Proposed {
    /// Returns the number of attempts to find a variation that was not proposed before.
    fn tries(&mut self) -> u32 {
        self.stale = self.stale.saturating_add(1);
        if self.stale <= STALE { TRIES } else { 1 }
    }

    /// Returns whether a variation is new, and marks it as proposed.
    fn is_new(&mut self, variation: u64) -> bool {
        if self.count >= MOST_PROPOSED {
            (self.seen, self.count) = (Set::default(), 0);
        }
        let is_new = self.seen.insert(variation);
        if is_new {
            self.count += 1;
            self.total = self.total.saturating_add(1);
            self.stale = 0;
        }
        is_new
    }
}

/// Allocated once: each variation takes a microsecond, and large allocations a tenth of that.
#[derive(Default)]
struct Buffers {
    /// The variation.
    items: Vec<Item>,
    /// A variation with another part, and that part.
    changed: Vec<Item>,
    replacement: Vec<Item>,
}

/// Generates and runs explored tests.
pub(super) struct Explorer {
    random: Random,
    rounds: Rounds,
    /// The number of fresh tests.
    fresh: u64,
    /// The number of fresh tests that were accepted and had a new shape.
    fresh_and_new: u64,
    /// The elites by shape, and by their pairs of constructors.
    shapes: Archive,
    meetings: Archive,
    /// The pairs of constructors of the last accepted input.
    met: Vec<u64>,
    buffers: Buffers,
    /// Fresh inputs, accepted or not.
    donors: Vec<Rc<Sequence>>,
    proposed: Proposed,
    /// The success of each order of numbers in variations.
    orders: Orders,
    /// The hashes of all inputs so far, if repeated inputs are skipped.
    inputs: Option<Set>,
}

impl Explorer {
    pub(super) fn new(session: &Session<'_>) -> Self {
        Self {
            // A separate random stream: no test has this index.
            random: Random::for_test(
                session.settings.shard.map_or(session.seed, |shard| shard.seed(session.seed)),
                u64::MAX - 2,
            ),
            rounds: Rounds::of_explorer(session.settings.shard),
            fresh: 0,
            fresh_and_new: 0,
            shapes: Archive::default(),
            meetings: Archive::default(),
            met: Vec::new(),
            buffers: Buffers::default(),
            donors: Vec::new(),
            proposed: Proposed::default(),
            orders: Orders::default(),
            inputs: None,
        }
    }

    /// Makes the explorer skip repeated inputs.
    pub(super) fn skipping_repeats(self) -> Self {
        Self { inputs: Some(Set::default()), ..self }
    }

    /// Runs one test, unless its input is a skipped repeat. Returns the ending of a failure or of a faulty generator.
    pub(super) fn test(&mut self, session: &mut Session<'_>, budget: &mut Budget, number: u64) -> Option<Ending> {
        let fresh = self.shapes.is_empty() || self.below(16) < if self.varies_mostly() { 1 } else { 8 };
        let (index, source) = if fresh {
            let index = self.rounds.index_of(self.fresh);
            self.fresh += 1;
            (index, Source::test(session.seed, index, session.size(index)))
        } else {
            (self.rounds.index_of(number), self.variation())
        };
        let source = self.unless_repeated(session, source)?;
        let (case, tested) = budget.run(session, index, source, &[]);
        match tested {
            Tested::Fail(failure) => return Some(session.found(case, failure, found(number))),
            Tested::Fault(fault) => return Some(session.fault(&case, fault)),
            Tested::Pass | Tested::Discard(_) | Tested::NoSuchStep => {}
        }
        self.learn(case, fresh, tested == Tested::Pass);
        None
    }

    /// Returns the source of a test, unless repeats are skipped and its input was generated before.
    fn unless_repeated(&mut self, session: &Session<'_>, source: Source) -> Option<Source> {
        let Some(inputs) = &mut self.inputs else { return Some(source) };
        let Case { sequence, .. } = session.tester.generated(source, &[]);
        let mut hash = Fnv::default();
        for value in sequence.values() {
            hash.mix(value);
        }
        inputs.insert(hash.finish()).then(|| Source::tape(&sequence, AtEnd::Random(self.random.word())))
    }

    /// Returns whether varying accepted inputs is more productive than generating fresh ones, because few fresh inputs
    /// are accepted and have a new shape.
    pub(super) fn varies_mostly(&self) -> bool {
        self.fresh >= JUDGED_AFTER && self.fresh_and_new * 8 < self.fresh
    }

    fn learn(&mut self, Case { sequence, .. }: Case, fresh: bool, accepted: bool) {
        if sequence.len() > LONGEST || sequence.has_forks() {
            return;
        }
        let sequence = Rc::new(sequence);
        if accepted {
            let is_new = self.shapes.add(&[shape(&sequence)], &sequence);
            meetings(&sequence, &mut self.met);
            let meets = self.meetings.add(&self.met, &sequence);
            self.fresh_and_new += u64::from(fresh && (is_new || meets));
            if !fresh && (is_new || meets) {
                self.orders.gained();
            }
        }
        if fresh {
            let at = self.below(DONORS);
            match self.donors.get_mut(at) {
                Some(donor) => *donor = sequence,
                None => self.donors.push(sequence),
            }
        }
    }

    /// Returns the source of an elite with a few changes.
    fn variation(&mut self) -> Source {
        let archive = if self.one_in(2) { &mut self.shapes } else { &mut self.meetings };
        let elite = archive.choose(&mut self.random);
        let mut items = std::mem::take(&mut self.buffers.items);
        for _ in 0..self.proposed.tries() {
            items.clear();
            items.extend_from_slice(&elite.items);
            self.change(&mut items, &elite.spans);
            if self.proposed.is_new(pattern(&items)) {
                break;
            }
        }
        let (size, at_end) = if self.one_in(4) {
            (elite.size.min(SMALL), AtEnd::Random(self.random.word()))
        } else {
            let size = if self.proposed.total < GROWS_AFTER { SMALL } else { GROWN };
            (size, AtEnd::Simplest)
        };
        let sequence = Sequence { size, items, spans: Vec::new() };
        let source = Source::tape(&sequence, at_end);
        self.buffers.items = sequence.items;
        source
    }

    /// Makes a few changes to the choices of an input.
    fn change(&mut self, items: &mut Vec<Item>, spans: &[Span]) {
        self.relate_later_variables(items, spans);
        let variables = spans.iter().filter(|span| span.variable().is_some());
        let chosen = self.below(variables.clone().count());
        let variable = variables.clone().nth(chosen).map_or(0..items.len(), range);
        let kind = self.below(8);
        if kind < 3 {
            for _ in 0..=self.random.word().trailing_zeros().min(3) {
                self.change_number(items, &variable);
            }
        }
        if kind == 3 {
            self.change_alternatives(items, spans, &variable);
        }
        let behind = items.len() - variable.end;
        if kind > 3 {
            for _ in 0..=self.random.word().trailing_zeros().min(2) {
                // Spans no longer match after a change, except for those before it.
                let _ = self.change_part(items, spans, &variable);
            }
        }
        let end = items.len() - behind.min(items.len());
        if let Some(signed) = self.orders.choose(&mut self.random)
            && variable.start < end
        {
            self.put_in_order(&mut items[variable.start..end], signed);
        }
    }

    /// In some variations, sets numbers of later variables to those of earlier ones, or to neighbouring values: keys in
    /// a tree, equal indices.
    fn relate_later_variables(&mut self, items: &mut [Item], spans: &[Span]) {
        if !self.one_in(3) {
            return;
        }
        for variable in spans.iter().filter(|span| span.variable().is_some()).skip(1) {
            for at in range(variable).take(4) {
                if let Item::Choice(Choice { max, .. }) = items[at]
                    && max > ALTERNATIVES
                    && let Some(value) = self.another_value(items, max)
                {
                    items[at] = Item::Choice(Choice { value, max });
                }
            }
        }
    }

    /// Sets a number to the value of another one of its kind, to a neighbouring value, or to a random one.
    fn change_number(&mut self, items: &mut [Item], within: &Range<usize>) {
        if within.is_empty() {
            return;
        }
        let at = within.start + self.below(within.len());
        let Item::Choice(Choice { value, max }) = items[at] else { return };
        let value = match self.below(4) {
            0 | 1 => self.another_value(items, max).unwrap_or(value),
            2 => self.near(value, max),
            _ => self.random.up_to(max),
        };
        items[at] = Item::Choice(Choice { value, max });
    }

    /// Returns the value of a random choice with this maximum; sometimes a neighbouring value.
    fn another_value(&mut self, items: &[Item], max: u64) -> Option<u64> {
        let start = self.below(items.len());
        let of_kind = |item: &Item| match item {
            Item::Choice(choice) if choice.max == max => Some(choice.value),
            _ => None,
        };
        let value = items[start..].iter().find_map(of_kind).or_else(|| items.iter().find_map(of_kind))?;
        Some(if self.one_in(3) { self.near(value, max) } else { value })
    }

    /// Returns a neighbour of a code, in unsigned or signed order.
    fn near(&mut self, value: u64, max: u64) -> u64 {
        let distance = 1 + self.random.up_to(1);
        let near = match self.below(4) {
            0 => value.wrapping_add(distance),
            1 => value.wrapping_sub(distance),
            2 => i64::decode(value).wrapping_add(distance as i64).encode(),
            _ => i64::decode(value).wrapping_sub(distance as i64).encode(),
        };
        if near <= max { near } else { value }
    }

    /// Replaces one alternative by another throughout a part.
    fn change_alternatives(&mut self, items: &mut [Item], spans: &[Span], within: &Range<usize>) {
        let Some(part) = self.part_within(spans, within) else { return };
        if part.is_empty() {
            return;
        }
        let at = part.start + self.below(part.len());
        let Item::Choice(Choice { value: old, max: max @ 1..=ALTERNATIVES }) = items[at] else { return };
        let new = (old + 1 + self.random.up_to(max - 1)) % (max + 1);
        let both_ways = self.one_in(2);
        for item in &mut items[part] {
            match item {
                Item::Choice(choice) if choice.max == max && choice.value == old => choice.value = new,
                Item::Choice(choice) if choice.max == max && choice.value == new && both_ways => choice.value = old,
                _ => {}
            }
        }
    }

    /// Replaces a part, and sometimes all parts equal to it; `None` if there is nothing to replace it with.
    fn change_part(&mut self, items: &mut Vec<Item>, spans: &[Span], within: &Range<usize>) -> Option<()> {
        let inside = |span: &&Span| within.start <= span.start as usize && span.end as usize <= within.end;
        let chosen = self.below(spans.iter().filter(inside).count());
        let span = spans.iter().filter(inside).nth(chosen)?;
        let part = items.get(range(span))?;
        let Buffers { mut replacement, mut changed, .. } = std::mem::take(&mut self.buffers);
        replacement.clear();
        changed.clear();
        let found = self.add_replacement(&mut replacement, items, spans, span);
        if found.is_some() {
            let everywhere = self.one_in(4);
            let mut copied = 0;
            for one in spans {
                let Range { start, end } = range(one);
                let is_equal = |items: &[Item]| one.label == span.label && items.get(start..end) == Some(part);
                if start >= copied && (one == span || everywhere && is_equal(items)) {
                    changed.extend_from_slice(&items[copied..start]);
                    changed.extend_from_slice(&replacement);
                    copied = end;
                }
            }
            changed.extend_from_slice(&items[copied..]);
            std::mem::swap(items, &mut changed);
        }
        self.buffers = Buffers { replacement, changed, ..Buffers::default() };
        found
    }

    /// Adds what replaces a part.
    fn add_replacement(&mut self, to: &mut Vec<Item>, items: &[Item], spans: &[Span], span: &Span) -> Option<()> {
        let part = items.get(range(span))?;
        match self.below(8) {
            0 => {
                to.extend_from_slice(part);
                to.extend_from_slice(part);
            }
            1 | 2 => {
                let (donor, outer, hole) = self.hole(span.label)?;
                to.extend_from_slice(&donor.items[outer.start..hole.start]);
                to.extend_from_slice(part);
                to.extend_from_slice(&donor.items[hole.end..outer.end]);
            }
            // Any part of the same input with a similar label.
            3 => {
                let other = self.alike(spans, span.label)?;
                to.extend_from_slice(items.get(other)?);
            }
            _ => {
                let (donor, part) = self.donor_with(span.label)?;
                to.extend_from_slice(&donor.items[part]);
            }
        }
        Some(())
    }

    /// Sorts the numbers of one kind, as signed or unsigned ones, and increments duplicates: a modified search tree,
    /// sorted list or interval is usually invalid only because of its order.
    fn put_in_order(&mut self, items: &mut [Item], signed: bool) {
        let from = self.below(items.len());
        let kind = |item: &Item| match item {
            Item::Choice(Choice { max, .. }) if *max > ALTERNATIVES => Some(*max),
            _ => None,
        };
        let Some(kind) = items[from..].iter().find_map(kind).or_else(|| items.iter().find_map(kind)) else { return };
        // Flipping the sign bit makes the order of signed numbers that of unsigned ones.
        const SIGN: u64 = 1 << 63;
        let number = |code| if signed { i64::decode(code) as u64 ^ SIGN } else { code };
        let mut numbers = Vec::with_capacity(items.len());
        for item in &*items {
            if let Item::Choice(choice) = item
                && choice.max == kind
            {
                numbers.push(number(choice.value));
            }
        }
        sort_numbers(&mut numbers);
        let (mut next, mut least) = (0, 0);
        for item in items {
            if let Item::Choice(choice) = item
                && choice.max == kind
            {
                least = numbers[next].max(least);
                choice.value = if signed { ((least ^ SIGN) as i64).encode() } else { least }.min(kind);
                (next, least) = (next + 1, least.saturating_add(1));
            }
        }
    }

    /// Returns a known input, the range of a part with this label, and inside it the range of a part with a similar label.
    fn hole(&mut self, label: u32) -> Option<(Rc<Sequence>, Range<usize>, Range<usize>)> {
        let (donor, outer) = self.donor_with(label)?;
        let within = |span: &Span| {
            Span::are_alike(span.label, label) && outer.start < span.start as usize && span.end as usize <= outer.end
        };
        let count = donor.spans.iter().filter(|span| within(span)).count();
        let chosen = self.below(count);
        let hole = donor.spans.iter().filter(|span| within(span)).nth(chosen).map(range)?;
        Some((donor, outer, hole))
    }

    /// Returns a known input that has a part with this label, and the part's range.
    fn donor_with(&mut self, label: u32) -> Option<(Rc<Sequence>, Range<usize>)> {
        for _ in 0..4 {
            let donor = if self.donors.is_empty() || !self.one_in(4) {
                self.meetings.any(&mut self.random)
            } else {
                let at = self.below(self.donors.len());
                Rc::clone(&self.donors[at])
            };
            if let Some(part) = self.alike(&donor.spans, label) {
                return Some((donor, part));
            }
        }
        None
    }

    /// Returns the range of a random span with a similar label.
    fn alike(&mut self, spans: &[Span], label: u32) -> Option<Range<usize>> {
        let alike = || spans.iter().filter(|span| Span::are_alike(span.label, label));
        let chosen = self.below(alike().count());
        alike().nth(chosen).map(range)
    }

    /// Returns the range of a random span inside `within`.
    fn part_within(&mut self, spans: &[Span], within: &Range<usize>) -> Option<Range<usize>> {
        let inside = || spans.iter().map(range).filter(|part| within.start <= part.start && part.end <= within.end);
        let chosen = self.below(inside().count());
        inside().nth(chosen)
    }

    /// Returns a number below `count`, or 0 if `count` is 0.
    fn below(&mut self, count: usize) -> usize {
        self.random.up_to(count.max(1) as u64 - 1) as usize
    }

    fn one_in(&mut self, count: u64) -> bool {
        self.random.up_to(count - 1) == 0
    }
}

/// The success of each order of the numbers: none, unsigned or signed.
#[derive(Default)]
struct Orders {
    chosen: usize,
    tried: [u64; 3],
    gained: [u64; 3],
}

impl Orders {
    /// Returns the order of the next variation: true for signed numbers, `None` for no order. Orders that were more
    /// successful are likelier.
    fn choose(&mut self, random: &mut Random) -> Option<bool> {
        let weight = |order: usize| 4 + 1024 * (1 + self.gained[order]) / (8 + self.tried[order]);
        let mut left = random.up_to(weight(0) + weight(1) + weight(2) - 1);
        self.chosen = 0;
        while self.chosen < 2 && left >= weight(self.chosen) {
            left -= weight(self.chosen);
            self.chosen += 1;
        }
        self.tried[self.chosen] += 1;
        [None, Some(false), Some(true)][self.chosen]
    }

    /// Records that the last variation was accepted and had a new feature.
    fn gained(&mut self) {
        self.gained[self.chosen] += 1;
    }
}

fn range(span: &Span) -> Range<usize> {
    span.start as usize..span.end as usize
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stale_variations_are_tried_once() {
        let mut proposed = Proposed::default();
        assert!(proposed.is_new(7));
        for _ in 0..STALE {
            assert_eq!(proposed.tries(), TRIES);
            assert!(!proposed.is_new(7));
        }
        assert_eq!(proposed.tries(), 1);
        assert!(proposed.is_new(8));
        assert_eq!(proposed.tries(), TRIES, "there is something new");
    }
}
