//! The cold half of a [`Source`](super::Source): choices that are replayed from a sequence and recorded into one.
//!
//! One mechanism serves recording (no input, random at the end), replay (input, simplest at the end), mutation (input,
//! random at the end) and enumeration (replay again and again, the last choice advanced). Replay is total: a value
//! above the generator's maximum is clamped, a missing one is the simplest, and a misalignment inside a fork stays there.

mod copying;
mod recorder;

use self::copying::Copying;
use self::recorder::{Entry, Recorder, Segment};
use super::journal::Journal;
use super::{Choice, Item, Random, Sequence, Shape, Shown, Span};
use crate::sort::{retain, sort_by};
use std::ops::Range;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// The recording limit of one test, in items: about 100 MB. A test that draws more is rejected, and reported.
pub(crate) const MAX_ITEMS: usize = 1 << 22;

/// The limit on unrecorded choices of a test. A test that makes more takes minutes and most likely never ends.
const MOST_COUNTED: usize = 4 * MAX_ITEMS;

/// The choices after the end of a tape's input.
///
/// ```
/// use forall::choice::{AtEnd, Sequence, Source};
/// let short = Sequence::from_values(0, &[7]);
/// let mut source = Source::tape(&short, AtEnd::Simplest);
/// assert_eq!((source.choice(9), source.choice(9)), (7, 0));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
#[doc(hidden)]
pub enum AtEnd {
    /// The simplest value, 0.
    Simplest,
    /// A random value from the stream of this seed.
    Random(u64),
}

#[derive(Debug)]
pub(super) struct Tape {
    input: Arc<[Item]>,
    /// The bytes that choices are read from in place of `input`, if any: then `next` and `end` count bytes.
    bytes: Option<Arc<[u8]>>,
    next: usize,
    end: usize,
    pub(super) random_at_end: bool,
    recorded: Recorder,
    /// Whether items are only counted, not recorded.
    only_counts: bool,
    /// Whether items are counted beyond the recording limit.
    goes_on: bool,
    /// The state shared with forks.
    shared: Arc<Shared>,
    /// The position of this fork in its parent, after that of the parent. Recorded with the draws of the body.
    place: Vec<u32>,
    /// The journal of everything recorded, in case the process crashes.
    journal: Journal,
    open: Vec<usize>,
    /// The recording limit.
    pub(super) limit: usize,
    pub(super) overrun: bool,
    pub(super) size_was_read: bool,
    /// Whether a generator rejected a value and tried again.
    pub(super) retried: bool,
    /// The number of distinct elements that a collection found, and its minimum: why the test was rejected.
    pub(super) shortage: Option<(usize, usize)>,
    /// Whether the shortage is of state-machine operations.
    pub(super) ran_out: bool,
    /// Inside a part of a collection whose size was not read yet: its maximum.
    pub(super) undecided: Option<u32>,
    /// The shape of random draws, if any.
    pub(super) shape: Option<Box<Shape>>,
    /// Whether the input is a copy of an earlier part, and the span, if any, that it fills.
    copying: Option<Copying>,
    /// In swarm testing: determines the disabled alternatives.
    pub(super) swarm: Option<u64>,
    /// Literals that occasionally replace random values.
    pub(super) literals: Option<Box<super::literals::Literals>>,
    /// The recording of another process in place of this one.
    pub(super) adopted: Option<Sequence>,
    /// The size to write into the header; a generator that unwinds may leave a different size in the source.
    size: u32,
}

/// A position to which a generator that retries can rewind a tape.
#[derive(Clone, Copy)]
pub(crate) struct Mark {
    entries: usize,
    spans: usize,
    undecided: Option<u32>,
    /// The number of numbers that the shape had remembered.
    numbers: usize,
}

/// The state shared by a tape and its forks.
#[derive(Debug, Default)]
struct Shared {
    /// The number of recorded items.
    total: AtomicUsize,
    /// Whether one source was drawn from on several threads.
    on_several_threads: AtomicBool,
    /// The draws of the body, if recorded.
    shown: Mutex<Option<Vec<Shown>>>,
}

impl Shared {
    fn shown(&self) -> MutexGuard<'_, Option<Vec<Shown>>> {
        self.shown.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The draws of a body that has not run yet.
#[derive(Debug)]
pub(crate) struct ShownLater(Option<Arc<Shared>>);

impl ShownLater {
    pub(super) const NONE: Self = Self(None);

    pub(crate) fn take(self) -> Vec<Shown> {
        let mut shown = self.0.and_then(|shared| shared.shown().take()).unwrap_or_default();
        sort_by(&mut shown, |one, other| one.place.cmp(&other.place));
        shown
    }
}

impl Tape {
    pub(super) fn new(input: &[Item], random_at_end: bool, size: u32) -> Self {
        Self::over(
            Arc::from(input),
            0..input.len(),
            random_at_end,
            Recorder::Own(Segment::for_items(input.len())),
            size,
        )
    }

    /// Creates a tape that reads its input and records nothing.
    pub(super) fn unrecorded(input: &[Item], random_at_end: bool, size: u32) -> Self {
        let whole = 0..input.len();
        let tape = Self::over(Arc::from(input), whole, random_at_end, Recorder::Own(Segment::default()), size);
        Self { only_counts: true, ..tape }
    }

    fn over(input: Arc<[Item]>, part: Range<usize>, random_at_end: bool, recorded: Recorder, size: u32) -> Self {
        let Range { start: next, end } = part;
        let (shared, open, limit) = (Arc::default(), Vec::with_capacity(16), MAX_ITEMS);
        let (bytes, overrun, size_was_read, retried, undecided, swarm) = (None, false, false, false, None, None);
        Self {
            input,
            bytes,
            next,
            end,
            random_at_end,
            recorded,
            only_counts: false,
            goes_on: false,
            shared,
            place: Vec::new(),
            journal: Journal::default(),
            open,
            limit,
            overrun,
            size_was_read,
            retried,
            shortage: None,
            ran_out: false,
            undecided,
            shape: None,
            copying: None,
            swarm,
            literals: None,
            adopted: None,
            size,
        }
    }

    /// Creates a tape over arbitrary bytes, with the simplest choices at the end.
    #[inline]
    pub(super) fn of_bytes(bytes: &[u8], size: u32) -> Self {
        let mut tape = Self::new(&[], false, size);
        tape.end = bytes.len();
        tape.bytes = Some(Arc::from(bytes));
        tape
    }

    /// Whether it reads bytes.
    pub(super) fn reads_bytes(&self) -> bool {
        self.bytes.is_some()
    }

    /// The next value from bytes: as many of them as `max` has, so that changing one byte changes one choice, and
    /// wrapped to at most `max`, so that every byte matters.
    fn read_bytes(&mut self, bytes: &[u8], max: u64) -> Option<u64> {
        let left = &bytes[self.next..self.end];
        let width = (u64::BITS - max.leading_zeros()).div_ceil(8) as usize;
        if left.is_empty() && width > 0 {
            return None;
        }
        let mut word = [0; 8];
        let width = width.min(left.len());
        word[..width].copy_from_slice(&left[..width]);
        self.next += width;
        let value = u64::from_le_bytes(word);
        Some(if let Some(count) = max.checked_add(1) { value % count } else { value })
    }

    /// The next value of the input, within `max`, or `None` at its end. Records nothing.
    pub(super) fn read(&mut self, max: u64) -> Option<u64> {
        if let Some(bytes) = self.bytes.clone() {
            return self.read_bytes(&bytes, max);
        }
        while self.next < self.end {
            match self.input[self.next] {
                // The part is of a different kind than the copied one.
                Item::Choice(choice) if self.copying.is_some() && choice.max != max => self.next = self.end,
                Item::Choice(choice) => {
                    self.next += 1;
                    return Some(choice.value.min(max));
                }
                // The generator no longer forks here: the choices of the fork are obsolete.
                Item::Fork { len } => self.next = self.end.min(self.next + 1 + len as usize),
            }
        }
        None
    }

    /// Reads a collection of elements of one choice each: before each is a choice of 1 for more, and after the last one of
    /// 0. `None` if it is not on the tape as a whole, or something is to be recorded or replaced.
    pub(super) fn elements_ahead(&mut self) -> Option<impl ExactSizeIterator<Item = u64> + '_> {
        let is_plain = self.shape.is_none() && self.copying.is_none() && self.literals.is_none();
        if !self.only_counts || !is_plain || self.bytes.is_some() {
            return None;
        }
        let ahead = &self.input[self.next..self.end];
        let mut length = 0;
        loop {
            match ahead[length..] {
                [Item::Choice(Choice { value: 0, .. }), ..] => break,
                [Item::Choice(_), Item::Choice(_), ..] => length += 2,
                _ => return None,
            }
        }
        let total = self.add_to_total(length + 1);
        self.overrun |= total + length >= self.limit;
        let elements = self.next..self.next + length;
        self.next += length + 1;
        let (pairs, _) = self.input[elements].as_chunks::<2>();
        Some(pairs.iter().map(|[_, element]| match element {
            Item::Choice(choice) => choice.value,
            Item::Fork { .. } => 0,
        }))
    }

    /// The items of its input, and whether random ones follow.
    pub(super) fn beginning(&self) -> (&[Item], bool) {
        (&self.input, self.random_at_end)
    }

    /// Reads these items next. Only for a tape whose input is used up.
    pub(super) fn lend(&mut self, items: &[Item]) {
        (self.input, self.next, self.end) = (Arc::from(items), 0, items.len());
    }

    pub(super) fn has_fork_ahead(&self) -> bool {
        self.has_input() && self.bytes.is_none() && matches!(self.input.get(self.next), Some(Item::Fork { .. }))
    }

    pub(super) fn has_input(&self) -> bool {
        self.next < self.end
    }

    /// Records a choice. False when the tape is full.
    pub(super) fn record(&mut self, value: u64, max: u64) -> bool {
        if self.only_counts {
            return self.count_one();
        }
        self.recorded.segment().entries.push(Entry::Choice(Choice { value, max }));
        self.journal.choice(value, max);
        self.count_one()
    }

    /// Reserves memory for this many items, with a span for every two, as the elements of a list have.
    pub(super) fn reserve(&mut self, items: usize) {
        let mut segment = self.recorded.segment();
        segment.entries.reserve(items);
        segment.spans.reserve(items / 2);
    }

    /// Only counts items from here on.
    pub(super) fn only_count(&mut self) {
        (self.only_counts, self.limit) = (true, MOST_COUNTED);
    }

    /// Only counts items beyond the recording limit. Draws from forks are not counted.
    pub(super) fn go_on(&mut self) {
        self.goes_on = true;
    }

    /// Whether items were counted that could not be recorded.
    pub(super) fn is_cut_short(&self) -> bool {
        self.goes_on && self.only_counts
    }

    /// Adds to the number of items of this tape and its forks. Returns the number before.
    #[inline]
    fn add_to_total(&self, items: usize) -> usize {
        let total = &self.shared.total;
        if Arc::strong_count(&self.shared) > 1 {
            return total.fetch_add(items, Ordering::Relaxed);
        }
        // There is no fork that counts on another thread: this is faster.
        let before = total.load(Ordering::Relaxed);
        total.store(before.wrapping_add(items), Ordering::Relaxed);
        before
    }

    /// Counts an item. False when the tape is full.
    fn count_one(&mut self) -> bool {
        let total = self.add_to_total(1);
        if total >= self.limit && self.goes_on && !self.only_counts {
            self.only_count();
        }
        self.overrun |= total >= self.limit;
        !self.overrun
    }

    /// Counts a choice of a shaped test, or a fork, and makes it plain after a while.
    pub(super) fn count_shaped(&mut self) {
        if let Some(shape) = &mut self.shape
            && shape.count_down()
        {
            self.end_copy();
            (self.shape, self.swarm) = (None, None);
        }
    }

    /// The tape of a fork made here.
    #[inline]
    pub(super) fn fork(&mut self) -> Self {
        let (start, end) = match self.input.get(self.next) {
            // A byte gives the number of the following ones that belong to the fork.
            _ if self.bytes.is_some() => {
                let len = self.read(u64::from(u8::MAX)).unwrap_or(0) as usize;
                let start = self.next;
                self.next = self.end.min(start + len);
                (start, self.next)
            }
            Some(&Item::Fork { len }) if self.next < self.end => {
                let start = self.next + 1;
                self.next = self.end.min(start + len as usize);
                (start, self.next)
            }
            _ => (self.next, self.next),
        };
        self.count_shaped();
        let place = if self.shows_draws() { self.position() } else { Vec::new() };
        let segment = Arc::new(Mutex::new(Segment::default()));
        if !self.only_counts {
            self.recorded.segment().entries.push(Entry::Fork(Arc::clone(&segment)));
        }
        let input = Arc::clone(&self.input);
        let mut fork = Self::over(input, start..end, self.random_at_end, Recorder::Fork(segment), self.size);
        (fork.undecided, fork.swarm, fork.bytes) = (self.undecided, self.swarm, self.bytes.clone());
        fork.shape.clone_from(&self.shape);
        if let Some(shape) = &mut fork.shape {
            // These are in the record of the parent.
            shape.collections.clear();
            shape.texts.clear();
        }
        (fork.limit, fork.shared, fork.only_counts) = (self.limit, Arc::clone(&self.shared), self.only_counts);
        fork.place = place;
        fork.journal = self.journal.fork();
        fork.literals.clone_from(&self.literals);
        fork.count_one();
        fork
    }

    pub(super) fn open_span(&mut self, label: u32) {
        if self.only_counts {
            return;
        }
        if self.shape.is_some() {
            self.copy_span(label);
        }
        let mut segment = self.recorded.segment();
        let start = segment.entries.len() as u32;
        self.open.push(segment.spans.len());
        segment.spans.push(Span { label, start, end: start });
        drop(segment);
        self.journal.open_span(label);
    }

    /// The number of recorded items.
    pub(super) fn recorded(&mut self) -> usize {
        self.recorded.segment().entries.len()
    }

    /// Whether the next draw is random, including copies of earlier random parts.
    pub(super) fn draws_at_random(&self) -> bool {
        self.random_at_end && (self.copying.is_some() || !self.has_input())
    }

    pub(super) fn close_span(&mut self) {
        if let Some(index) = self.open.pop() {
            self.journal.close_span();
            let mut segment = self.recorded.segment();
            let end = segment.entries.len() as u32;
            if let Some(span) = segment.spans.get_mut(index) {
                span.end = end;
            }
            drop(segment);
            if self.copying == Some(Copying::Span { depth: self.open.len() }) {
                self.end_copy();
            }
        }
    }

    /// A bit set of the disabled alternatives among `count`. It is the same for all choices with this count in parts of
    /// the same kind, and never disables all.
    pub(super) fn turned_off(&mut self, count: usize) -> u64 {
        let (Some(key), 2..=64) = (self.swarm, count) else { return 0 };
        let place = self.open.last().copied();
        let label = place.and_then(|at| self.recorded.segment().spans.get(at).map(|span| span.label)).unwrap_or(0);
        let off = Random::from_key(key ^ u64::from(label) << 8 ^ count as u64).word();
        let all = u64::MAX >> (64 - count);
        if off & all == all { 0 } else { off & all }
    }

    pub(super) fn mark(&mut self) -> Mark {
        let segment = self.recorded.segment();
        let numbers = self.shape.as_ref().map_or(0, |shape| shape.numbers_so_far());
        Mark { entries: segment.entries.len(), spans: segment.spans.len(), undecided: self.undecided, numbers }
    }

    /// Drops the record since `mark`. The input is not rewound.
    pub(super) fn rewind(&mut self, mark: Mark) {
        self.journal.rewind(mark.entries, mark.spans);
        let mut segment = self.recorded.segment();
        segment.entries.truncate(mark.entries);
        segment.spans.truncate(mark.spans);
        retain(&mut self.open, |index| *index < mark.spans);
        drop(segment);
        if let Some(shape) = &mut self.shape {
            shape.draw_again(mark.numbers);
            for collections in [&mut shape.collections, &mut shape.texts] {
                retain(collections, |collection| collection.end <= mark.entries);
            }
        }
        self.undecided = mark.undecided;
    }

    /// Also writes everything recorded here and in forks to a journal.
    pub(super) fn keep_journal(&mut self, journal: Journal) {
        self.journal = journal;
    }

    /// The same segment, for reading a journal.
    pub(super) fn rewind_to(&mut self, entries: usize, spans: usize) {
        self.rewind(Mark { entries, spans, undecided: None, numbers: 0 });
    }

    /// Whether the recording limit was exceeded, here or in forks.
    pub(super) fn is_overrun(&self) -> bool {
        self.overrun || self.shared.total.load(Ordering::Relaxed) > self.limit
    }

    /// Records the draws of the body as text.
    pub(super) fn show_draws(&self) {
        *self.shared.shown() = Some(Vec::new());
    }

    pub(super) fn shows_draws(&self) -> bool {
        self.shared.shown().is_some()
    }

    /// Records a draw of the body, if enabled.
    pub(super) fn show(&self, shown: &mut dyn FnMut() -> Shown) {
        if self.shows_draws() {
            // Not under the lock: the value's `Debug` is arbitrary code.
            let shown = Shown { place: self.position(), ..shown() };
            self.journal.show(&shown);
            if let Some(all) = &mut *self.shared.shown() {
                all.push(shown);
            }
        }
    }

    /// The position of the next item, after those of the forks around it.
    fn position(&self) -> Vec<u32> {
        let mut position = self.place.clone();
        position.push(self.recorded.len() as u32);
        position
    }

    /// The draws of the body, which outlive the tape.
    pub(super) fn shown(&self) -> ShownLater {
        ShownLater(Some(Arc::clone(&self.shared)))
    }

    /// Takes over the draws of another process.
    pub(super) fn adopt_shown(&self, shown: Vec<Shown>) {
        *self.shared.shown() = Some(shown);
    }

    pub(super) fn say_several_threads(&self) {
        self.shared.on_several_threads.store(true, Ordering::Relaxed);
    }

    pub(super) fn on_several_threads(&self) -> bool {
        self.shared.on_several_threads.load(Ordering::Relaxed)
    }

    pub(super) fn into_sequence(mut self) -> Sequence {
        if let Some(adopted) = self.adopted.take() {
            return adopted;
        }
        while !self.open.is_empty() {
            self.close_span();
        }
        let mut sequence = Sequence { size: self.size, ..Sequence::default() };
        self.recorded.segment().flatten(&mut sequence);
        sequence
    }
}
