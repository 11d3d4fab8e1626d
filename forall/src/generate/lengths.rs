//! Lengths of collections, and the loop that builds all of them.
//!
//! In random mode one draw decides the length. On tape every element is a span that begins with a "more" choice, so that
//! deleting a span deletes an element. The elements of a collection without an explicit `.len(…)` share its size.

use super::misuse::misuse;
use super::recursive::child_size;
use crate::choice::{Draw, Random, Source, scale};
use std::cell::Cell;
use std::ops::{Bound, Range, RangeBounds, RangeFrom, RangeFull, RangeInclusive, RangeTo, RangeToInclusive};

/// The label of the span of an element that begins with a "more" choice.
pub(crate) const ELEMENT: u32 = (1 << 31) - 2;
/// The label of the span of an element of a collection with a given length.
pub(crate) const FIXED_ELEMENT: u32 = (1 << 31) - 1;
/// After this many duplicates in a row, a collection that has enough elements stops growing.
const PATIENCE: u32 = 20;
/// The same for a collection that has too few: after that the test is rejected.
const PATIENCE_BELOW_MINIMUM: u32 = 1000;

/// The allowed lengths of a collection: a number, or any kind of range. Created by `into`, as in
/// `vec(any::<u8>()).len(1..=4)`.
///
/// Lengths with an upper bound are equally likely, regardless of the size of the test. Without one, as in `.len(3..)`
/// or by default, there are up to `size` elements more than the lower bound.
///
/// ```
/// use forall::generate::Lengths;
/// assert_eq!(Lengths::from(3), Lengths::from(3..=3));
/// assert_eq!(Lengths::from(..5), Lengths::from(0..=4));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Lengths {
    min: usize,
    max: usize,
    rule: Rule,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Rule {
    /// Exactly `min`: nothing is drawn.
    Fixed,
    /// From `min` to `max`.
    Uniform,
    /// The same, long ones more often.
    Long,
    /// From `min` to the size of the test, and occasionally exactly `max`.
    Reaching,
    /// From `min` to `min` plus the size of the test.
    Sized,
    /// `min..max` is empty.
    Empty,
    /// `min..=max` is empty.
    EmptyInclusive,
}

/// The result of the draw for a collection's length.
#[derive(Clone, Copy)]
pub(super) struct Plan {
    pub(super) length: usize,
    /// Whether many elements are copies of each other.
    pub(super) repetitive: bool,
}

impl Lengths {
    /// The length of a collection without given lengths.
    pub(super) const SIZED: Self = Self { min: 0, max: usize::MAX, rule: Rule::Sized };

    /// Up to `max`, more often long than short: the longest of three.
    pub(crate) const fn mostly_long(max: usize) -> Self {
        Self { min: 0, max, rule: Rule::Long }
    }

    /// Creates lengths up to the test's size, and occasionally `max`: a bug that only the largest collection shows is
    /// found early. At size `max` or above, half of the collections have the length `max`.
    #[doc(hidden)]
    pub const fn reaching(max: usize) -> Self {
        Self { min: 0, max, rule: if max == 0 { Rule::Fixed } else { Rule::Reaching } }
    }

    /// The length, if there is only one.
    #[inline(always)]
    pub(super) fn fixed(&self) -> Option<usize> {
        if self.rule as u8 == Rule::Fixed as u8 { Some(self.min) } else { None }
    }

    /// The least length.
    #[cfg(feature = "regex")]
    pub(super) fn least(&self) -> usize {
        self.min
    }

    /// Whether the elements share the size.
    #[inline(always)]
    pub(super) fn are_sized(&self) -> bool {
        self.rule as u8 == Rule::Sized as u8
    }

    /// The size for each of `length` elements.
    #[inline(always)]
    pub(super) fn part_size(&self, size: u32, length: usize) -> u32 {
        if self.are_sized() { child_size(size, length as u32) } else { size }
    }

    #[inline(always)]
    pub(super) fn plan(&self, random: &mut Random, size: u32) -> Plan {
        let draw = random.draw();
        let length = match self.rule {
            Rule::Uniform => self.min.wrapping_add(scale(draw.word, self.max.wrapping_sub(self.min) as u64) as usize),
            _ => self.other_length(draw, size),
        };
        // 1 in 32. The bits are not those that `sized_length` looks at.
        Plan { length, repetitive: draw.selector < 1 << 27 }
    }

    #[inline(never)]
    fn other_length(&self, draw: Draw, size: u32) -> usize {
        match self.rule {
            Rule::Sized => self.min.saturating_add(sized_length(draw, size)),
            Rule::Long => {
                let [second, third] = [21, 42].map(|bits| draw.word.rotate_left(bits));
                scale(draw.word.max(second).max(third), self.max as u64) as usize
            }
            Rule::Reaching => {
                let is_longest = draw.selector & if size as usize >= self.max { 1 } else { 7 } == 0;
                if is_longest { self.max } else { scale(draw.word, u64::from(size).min(self.max as u64)) as usize }
            }
            Rule::Empty => misuse(format!(
                "the range of lengths {}..{} is empty; the start must be below the end (write one number for an exact \
                 length)",
                self.min, self.max
            )),
            Rule::EmptyInclusive => misuse(format!(
                "the range of lengths {}..={} is empty; the start must not be above the end",
                self.min, self.max
            )),
            Rule::Fixed | Rule::Uniform => self.min,
        }
    }

    /// The elements of a collection that is next on a tape which records nothing, if each of them is one choice and the tape
    /// has all of them. It is several times faster to read them at once.
    pub(super) fn elements_ahead<'a>(&self, source: &'a mut Source) -> Option<impl ExactSizeIterator<Item = u64> + 'a> {
        if *self != Self::SIZED || self.are_spent(source) { None } else { source.elements_ahead() }
    }

    /// Whether the size is used up, so that only the minimum number of elements is allowed.
    fn are_spent(&self, source: &Source) -> bool {
        self.are_sized() && source.size_limit() == 0
    }
}

/// From 0 to the size, half of them uniform, half of them spread over the magnitudes: long collections of small parts
/// and short ones of large parts. One in sixteen is a power of two, since buffer sizes often are. Few are empty.
fn sized_length(draw: Draw, size: u32) -> usize {
    let even = scale(draw.word, u64::from(size)) as usize;
    match (draw.selector & 8, draw.selector >> 4 & 7) {
        _ if even == 0 => 0,
        (0, 0) => 1 << even.ilog2(),
        (0, _) => even,
        _ => (even >> (draw.selector & 7)).max(1),
    }
}

/// The treatment of a collection's elements.
#[derive(Clone, Copy, PartialEq)]
pub(crate) enum Parts {
    /// Nothing: each is what its generator draws.
    AsDrawn,
    /// In some collections, many are copies of each other.
    MayRepeat,
    /// They are the characters of a string, which may repeat an earlier string.
    Characters,
}

/// Builds a collection: `add` draws one element, and returns whether it counts. A duplicate does not, and is removed
/// from the record.
pub(crate) fn build(source: &mut Source, lengths: Lengths, parts: Parts, mut add: impl FnMut(&mut Source) -> bool) {
    if source.is_random() {
        build_at_random(source, lengths, parts, &mut add);
    } else {
        build_on_tape(source, lengths, parts, &mut add);
    }
}

fn build_at_random(source: &mut Source, lengths: Lengths, parts: Parts, add: &mut dyn FnMut(&mut Source) -> bool) {
    let plan = plan_of(lengths, source.stream());
    let part = lengths.part_size(source.stream().1, plan.length);
    let before = source.stream().1;
    let mut repeats = Repeats::new(plan.repetitive && parts == Parts::MayRepeat);
    let mut failures = 0;
    let mut count = 0;
    while count < plan.length && source.is_random() {
        if lengths.are_sized() {
            // For each element: a part of a recursive structure reduces the size by what it used.
            source.set_size(part);
        }
        if repeats.element(source, true, add) {
            count += 1;
            failures = 0;
        } else {
            failures += 1;
            if failures >= patience(count, lengths.min) {
                if count < lengths.min {
                    source.reject_for_want(count, lengths.min);
                }
                break;
            }
        }
    }
    if lengths.are_sized() {
        source.set_size(before);
    }
}

fn plan_of(lengths: Lengths, (random, size): (&mut Random, u32)) -> Plan {
    match lengths.fixed() {
        Some(length) => Plan { length, repetitive: false },
        None => lengths.plan(random, size),
    }
}

fn patience(count: usize, min: usize) -> u32 {
    if count < min { PATIENCE_BELOW_MINIMUM } else { PATIENCE }
}

/// The same on tape. The length is drawn only where random mode would draw it or where the input ends.
#[cold]
#[inline(never)]
pub(super) fn build_on_tape(
    source: &mut Source,
    lengths: Lengths,
    parts: Parts,
    add: &mut dyn FnMut(&mut Source) -> bool,
) {
    let fixed = lengths.fixed().is_some();
    if matches!(lengths.rule, Rule::Empty | Rule::EmptyInclusive) {
        lengths.plan(&mut Random::from_key(0), 0);
    }
    let size = source.stream().1;
    let is_text = parts == Parts::Characters;
    let collection = source.begin_collection(is_text);
    let plan: Cell<Option<Plan>> = Cell::new(None);
    if !fixed && source.is_at_random_end() {
        plan.set(Some(plan_of(lengths, source.stream())));
    }
    let fits = |length| if fixed { length == lengths.min } else { lengths.min <= length && length <= lengths.max };
    let planned = plan.get().map_or(lengths.min, |plan| plan.length);
    if let Some(length) = source.begin_literal(planned, &fits)
        && !fixed
    {
        plan.set(Some(Plan { length, repetitive: false }));
    }
    let spent = lengths.are_spent(source);
    let mut most = if fixed || spent { lengths.min } else { lengths.max };
    if source.is_search() {
        // Otherwise lengths would be unlimited.
        most = most.min(lengths.min.saturating_add(size as usize));
    }
    let repeats = parts == Parts::MayRepeat && plan.get().is_some_and(|plan| plan.repetitive);
    let mut repeats = Repeats::new(repeats);
    let mut failures = 0;
    let mut count = 0;
    while count < most && !source.is_rejected() {
        let mark = source.mark();
        source.open_span(if fixed { FIXED_ELEMENT } else { ELEMENT });
        let more = if fixed {
            true
        } else if count < lengths.min {
            // Not a free choice, but recorded, so that the elements after a deleted one stay aligned.
            source.choice_on_tape(0, &|_, _| 0);
            true
        } else {
            1 == source.choice_on_tape(1, &|random, size| {
                if plan.get().is_none() {
                    plan.set(Some(plan_of(lengths, (random, size))));
                }
                u64::from(plan.get().is_some_and(|plan| count < plan.length))
            })
        };
        if !more {
            source.close_span();
            break;
        }
        let draws = source.is_at_random_end();
        let mut element = |source: &mut Source| {
            if lengths.are_sized() {
                let length = plan.get().map_or(count + 1, |plan| plan.length);
                source.part_on_tape(lengths.part_size(size, length), |source| repeats.element(source, draws, add))
            } else {
                repeats.element(source, draws, add)
            }
        };
        // A shape that repeats values would repeat the duplicate forever.
        let added = if failures > 0 { source.plainly(element) } else { element(source) };
        source.close_span();
        if added {
            count += 1;
            failures = 0;
            continue;
        }
        source.rewind(mark);
        failures += 1;
        if failures >= patience(count, lengths.min) {
            if count < lengths.min {
                source.reject_for_want(count, lengths.min);
            }
            source.open_span(ELEMENT);
            source.stop_on_tape();
            source.close_span();
            break;
        }
    }
    if spent {
        // In place of the choice to stop: an input that is small because the size is used up should not count as
        // simpler than one that is small by choice.
        source.choice_on_tape(0, &|_, _| 0);
    }
    source.end_collection(collection, count, is_text);
    source.end_literal();
}

/// On tape, a collection of exactly this length; recorded as one that drew its length, and longer or shorter if the
/// input says so.
pub(crate) fn build_up_to(source: &mut Source, lengths: Lengths, wanted: usize, add: &mut dyn FnMut(&mut Source)) {
    if lengths.fixed().is_some() {
        for _ in 0..wanted {
            source.span(FIXED_ELEMENT, &mut *add);
        }
        return;
    }
    let mut count = 0;
    while count < lengths.max && !source.is_rejected() {
        source.open_span(ELEMENT);
        let is_open = count >= lengths.min;
        let chosen = source.choice_on_tape(u64::from(is_open), &|_, _| u64::from(is_open && count < wanted));
        let more = !is_open || chosen == 1;
        if more {
            add(source);
        }
        source.close_span();
        if !more {
            break;
        }
        count += 1;
    }
}

/// Produces collections with many duplicates, of any type: an element is generated again from an earlier position of
/// the stream. Needs no `Clone`, and does nothing on tape.
struct Repeats {
    active: bool,
    starts: Vec<Random>,
}

impl Repeats {
    fn new(active: bool) -> Self {
        Self { active, starts: Vec::new() }
    }

    /// Draws an element; `random` says whether its choices come from the random stream.
    fn element(&mut self, source: &mut Source, random: bool, add: &mut dyn FnMut(&mut Source) -> bool) -> bool {
        if !self.active || !random {
            return add(source);
        }
        let draw = source.stream().0.draw();
        let here = *source.stream().0;
        if !self.starts.is_empty() && draw.selector & 3 != 0 {
            let start = self.starts[scale(draw.word, self.starts.len() as u64 - 1) as usize];
            source.replace_random(start);
            let added = add(source);
            source.replace_random(here);
            added
        } else {
            self.starts.push(here);
            add(source)
        }
    }
}

impl From<usize> for Lengths {
    fn from(length: usize) -> Self {
        Self { min: length, max: length, rule: Rule::Fixed }
    }
}

fn between(min: usize, max: usize) -> Lengths {
    let rule = if min < max {
        Rule::Uniform
    } else if min == max {
        Rule::Fixed
    } else {
        Rule::EmptyInclusive
    };
    Lengths { min, max, rule }
}

impl From<RangeInclusive<usize>> for Lengths {
    fn from(range: RangeInclusive<usize>) -> Self {
        between(*range.start(), *range.end())
    }
}

impl From<Range<usize>> for Lengths {
    fn from(Range { start, end }: Range<usize>) -> Self {
        if start < end { between(start, end - 1) } else { Lengths { min: start, max: end, rule: Rule::Empty } }
    }
}

impl From<RangeTo<usize>> for Lengths {
    fn from(range: RangeTo<usize>) -> Self {
        Self::from(0..range.end)
    }
}

impl From<RangeToInclusive<usize>> for Lengths {
    fn from(range: RangeToInclusive<usize>) -> Self {
        between(0, range.end)
    }
}

impl From<RangeFrom<usize>> for Lengths {
    fn from(range: RangeFrom<usize>) -> Self {
        Self { min: range.start, ..Self::SIZED }
    }
}

impl From<RangeFull> for Lengths {
    fn from(_: RangeFull) -> Self {
        Self::SIZED
    }
}

impl From<(Bound<usize>, Bound<usize>)> for Lengths {
    fn from(range: (Bound<usize>, Bound<usize>)) -> Self {
        let start = match range.start_bound() {
            Bound::Included(&start) => start,
            Bound::Excluded(&start) => start.saturating_add(1),
            Bound::Unbounded => 0,
        };
        match range.end_bound() {
            Bound::Included(&end) => Self::from(start..=end),
            Bound::Excluded(&end) => Self::from(start..end),
            Bound::Unbounded => Self::from(start..),
        }
    }
}
