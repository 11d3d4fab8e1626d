//! New contents for parts of a case, as the generator could have drawn them.

use super::notable::values;
use super::vary::{Contents, Kind, Vary, same_values};
use crate::choice::{AtEnd, Choice, Item, Sequence, Source, Span};
use crate::generate::{ELEMENT, code_of};
use crate::shrink::edit;
use std::ops::Range;

/// The sizes at which new contents are generated, in this order: large and small ones alternate.
pub(super) const SIZES: [u32; 8] = [100, 10, 30, 2, 60, 5, 80, 45];
/// The greatest of these where contents have to be small.
const SMALL_SIZE: u32 = 5;
/// Contents with more choices are not proposed: they take long and reveal no more.
const MAX_CONTENT: usize = 1_000;
/// A part without a span of its own, such as an `Option` in a tuple, is assumed to span at most this many choices.
const MAX_LOOSE: usize = 3;
/// Small contents start with this many choices that are 0 or 1.
const BITS: u32 = 5;
/// The approximate number of small contents.
const MAX_SMALL: usize = 16;

/// The extent of a part without a span.
#[derive(Clone, Copy)]
pub(super) struct Loose {
    /// The number of choices after its first that belong to it.
    pub(super) follow: usize,
    /// The item of the text that it determines.
    item: usize,
}

impl Vary<'_> {
    /// The contents that the generator produces for a part in round `round`; `None` if it does not reach the part.
    pub(super) fn generate(&mut self, kind: &Kind, ranges: &[Range<usize>], round: u64) -> Option<Contents> {
        let first = ranges.first()?;
        match kind {
            Kind::Number => self.draw(kind, first, &[], self.size(round)),
            Kind::Span(..) | Kind::Collection => {
                let (next, rest) = self.begin(round);
                self.draw(kind, first, &next, rest)
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

    /// Contents for a part with one range that start with `next` and continue at random at a size; without a size, with
    /// the simplest choices.
    fn draw(&mut self, kind: &Kind, range: &Range<usize>, next: &[Item], size: Option<u32>) -> Option<Contents> {
        let drawn = self.regenerate(range.start, next, size)?;
        let end = match kind {
            Kind::Span(label, ordinal) => nth_span(&drawn.spans, *label, range.start, *ordinal)?.end as usize,
            Kind::Collection => chain(&drawn.spans, range.start).last()?.end,
            _ => range.end,
        };
        Some(vec![drawn.items.get(range.start..end)?.to_vec()])
    }

    /// Small contents for a part of one range, all different: whatever the relation between two values, some pair of
    /// small ones is likely to reveal it.
    pub(super) fn small(&mut self, kind: &Kind, range: &Range<usize>) -> Vec<Vec<Item>> {
        let mut small: Vec<Vec<Item>> = Vec::new();
        for count in 0..=BITS {
            for bits in 0..1u64 << count {
                let mut next = Vec::new();
                for place in 0..count {
                    next.push(Item::Choice(Choice { value: bits >> place & 1, max: u64::MAX }));
                }
                let content = self.draw(kind, range, &next, None).unwrap_or_default().concat();
                if !content.is_empty() && !small.contains(&content) {
                    small.push(content);
                }
            }
        }
        // A part with one large choice, possibly a character, is tried with an upper-case letter and with a space as
        // that choice.
        for place in 0..small.len() {
            let mut content = small[place].clone();
            for at in 0..content.len() {
                let max = edit::max(&content[at]);
                if max > 255 && small.len() < MAX_SMALL {
                    for &c in &['A', ' '] {
                        content[at] = Item::Choice(Choice { value: code_of(c).min(max), max });
                        small.push(content.clone());
                    }
                }
            }
        }
        small
    }

    /// The elements that the generator draws for the collection that starts at `start`, without their "continue"
    /// choices. There is at least one.
    pub(super) fn elements(&mut self, start: usize, round: u64) -> Option<Vec<Vec<Item>>> {
        let Item::Choice(Choice { max, .. }) = *self.items().get(start)? else { return None };
        let more = Item::Choice(Choice { value: max.min(1), max });
        let drawn = self.regenerate(start, &[more], self.size(round))?;
        let mut pool = Vec::new();
        for element in &chain(&drawn.spans, start) {
            if element.len() > 1 {
                pool.push(drawn.items[element.start + 1..element.end].to_vec());
            }
        }
        (!pool.is_empty()).then_some(pool)
    }

    /// Elements that programs may treat specially, for the collection that starts at `start`, simplest first: if they
    /// are numbers, or characters, the notable ones; else some of all sizes.
    pub(super) fn notable_elements(&mut self, start: usize) -> Vec<Vec<Item>> {
        let mut pool = self.elements(start, 0).unwrap_or_default();
        match pool.first().map(Vec::as_slice) {
            Some(&[Item::Choice(Choice { max, .. })]) => {
                for &value in &values(self, max).0 {
                    pool.push(vec![value]);
                }
            }
            Some(_) => {
                for round in 1..=4 {
                    pool.append(&mut self.elements(start, round).unwrap_or_default());
                }
            }
            None => {}
        }
        pool
    }

    /// Contents for a part that starts with the choice at `place`, which is to be `value`, and that has no span. Its
    /// extent is determined by trying which contents fit, unless it is already known.
    pub(super) fn loose(
        &mut self,
        place: usize,
        value: u64,
        variable: usize,
        known: Option<Loose>,
        round: u64,
    ) -> Option<(Loose, Vec<Item>)> {
        let Item::Choice(Choice { max, .. }) = self.items()[place] else { return None };
        let drawn = self.regenerate(place, &[Item::Choice(Choice { value, max })], self.size(round))?;
        let (going, coming) = (follow(&self.case.sequence, place), follow(&drawn, place));
        for &gone in &going {
            if matches!(known, Some(known) if known.follow != gone) {
                continue;
            }
            for &come in &coming {
                let content = vec![drawn.items[place..place + 1 + come].to_vec()];
                let range = place..place + 1 + gone;
                let changed = self.look(std::slice::from_ref(&range), &content, variable);
                let (Some([item]), Some(text)) = (changed.as_deref(), &self.texts[variable]) else { continue };
                let found = known.unwrap_or(Loose { follow: gone, item: *item });
                if text.is_inside(*item, found.item) && self.leaves_the_rest(&range, &content) {
                    return Some((found, drawn.items[place..place + 1 + come].to_vec()));
                }
            }
        }
        None
    }

    /// The size at which the choices of a round are random; `None` in the first round, whose choices are the simplest.
    fn size(&self, round: u64) -> Option<u32> {
        let most = if self.is_drawing_too_much() { SMALL_SIZE } else { SIZES[0] };
        (round > 0).then_some(SIZES[round as usize % SIZES.len()].min(most))
    }

    /// How the contents of a round start, and the size at which they continue: small contents come first, each with
    /// different first choices and the simplest ones after them.
    fn begin(&self, round: u64) -> (Vec<Item>, Option<u32>) {
        let choices: &[u64] = match round {
            1..=4 => &[round],
            5..=20 => &[1 + (round - 5) / 8, (round - 5) % 8],
            _ => &[],
        };
        let mut items = Vec::new();
        for &value in choices {
            items.push(Item::Choice(Choice { value, max: u64::MAX }));
        }
        let rest = if choices.is_empty() { self.size(round) } else { None };
        (items, rest)
    }

    /// What the generator draws with the choices before `start`, then those of `next`, and then at random at a size;
    /// without a size, the simplest. Returns `None` if it does not reach `start`.
    fn regenerate(&mut self, start: usize, next: &[Item], size: Option<u32>) -> Option<Sequence> {
        if !self.may_go_on() {
            return None;
        }
        let mut items = self.items().to_vec();
        let len = items.len();
        edit::splice(&mut items, start..len, next);
        let most = self.case.sequence.size;
        let given =
            Sequence { size: if let Some(size) = size { size.min(most) } else { most }, items, spans: Vec::new() };
        let at_end = if size.is_some() { AtEnd::Random(self.random.word()) } else { AtEnd::Simplest };
        let most = given.len() + MAX_CONTENT;
        let source = Source::tape(&given, at_end).within(most);
        let mut drawn = self.tester.drawn_from(source, &self.case.steps);
        self.count_drawn(drawn.items.len());
        // Contents that reach the limit were truncated.
        if drawn.items.len() >= most {
            drawn.spans.clear();
        }
        let kept = start + next.len();
        (drawn.items.len() > start && same_values(drawn.items.get(..kept)?, &given.items[..kept])).then_some(drawn)
    }
}

/// The possible numbers of choices that belong to the one at `place`: a few, or the span, list or string that starts
/// there.
fn follow(sequence: &Sequence, place: usize) -> Vec<usize> {
    let most = sequence.items.len() - place - 1;
    let mut counts = Vec::new();
    for count in 0..=MAX_LOOSE.min(most) {
        counts.push(count);
    }
    let mut ends = Vec::new();
    if let Some(last) = chain(&sequence.spans, place + 1).last() {
        ends.push(last.end);
    }
    for span in &sequence.spans {
        if span.start as usize == place + 1 {
            ends.push(span.end as usize);
        }
    }
    for &end in &ends {
        let count = end - place - 1;
        if count <= most && !counts.contains(&count) {
            counts.push(count);
        }
    }
    counts
}

/// `count` elements of a pool, cyclically from an index on, each after its "continue" choice; `None` if that is too
/// many.
pub(super) fn chained(pool: &[Vec<Item>], from: usize, count: usize) -> Option<Vec<Item>> {
    let mut content = Vec::new();
    for place in from..from + count {
        content.push(Item::Choice(Choice { value: 1, max: 1 }));
        content.extend_from_slice(pool.get(place % pool.len().max(1))?);
    }
    (content.len() <= MAX_CONTENT).then_some(content)
}

/// The span with a label that starts at a position, after `ordinal` others of the kind.
fn nth_span(spans: &[Span], label: u32, start: usize, ordinal: usize) -> Option<&Span> {
    let mut before = 0;
    for span in spans {
        if span.label == label && span.start as usize == start {
            if before == ordinal {
                return Some(span);
            }
            before += 1;
        }
    }
    None
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
