//! Sources on tape: the cold half of each draw.

use super::super::Random;
use super::super::shape::Meaning;
use super::super::tape::Mark;
use super::{Source, State};
use std::ops::RangeInclusive;
use std::sync::OnceLock;

/// The function that makes choices in exhaustive searches, given a maximum and a depth; shared by all searches.
pub(super) static SEARCHING: OnceLock<fn(u64, u32) -> u64> = OnceLock::new();

/// How often a choice among alternatives is repeated if it is a disabled one.
const SWARM_TRIES: u32 = 64;

impl Source {
    /// On tape, runs `body` for one part of a collection, at `size` if that is known.
    ///
    /// A part's share of the size depends on the collection's length, which replay does not know before the last part.
    /// Therefore the size of a part is a choice of its own, made only if the part reads the size; choice 0 stands for
    /// the maximum.
    pub(crate) fn part_on_tape<T>(&mut self, size: u32, body: impl FnOnce(&mut Self) -> T) -> T {
        let before = std::mem::replace(&mut self.size, size);
        let limit = self.tape.as_ref().and_then(|tape| tape.undecided).unwrap_or(before).saturating_sub(1);
        let undecided = self.replace_undecided(Some(limit));
        let value = body(self);
        self.replace_undecided(undecided);
        self.size = before;
        value
    }

    /// The elements of the collection that is next on a tape that records nothing, if each is one choice and all of them
    /// are on the tape.
    pub(crate) fn elements_ahead(&mut self) -> Option<impl ExactSizeIterator<Item = u64> + '_> {
        let (State::Tape, Some(tape)) = (self.state, &mut self.tape) else { return None };
        tape.elements_ahead()
    }

    /// On tape, the maximum of the size here: does not read the size, so it costs no choice.
    pub(crate) fn size_limit(&self) -> u32 {
        self.tape.as_ref().and_then(|tape| tape.undecided).unwrap_or(self.size)
    }

    pub(super) fn replace_undecided(&mut self, undecided: Option<u32>) -> Option<u32> {
        self.tape.as_mut().and_then(|tape| std::mem::replace(&mut tape.undecided, undecided))
    }

    /// On tape, records a choice that was made elsewhere.
    pub(crate) fn write_down(&mut self, value: u64, max: u64) {
        if let (State::Tape, Some(tape)) = (self.state, &mut self.tape)
            && !tape.record(value, max)
        {
            self.reject();
        }
    }

    #[cold]
    #[inline(never)]
    pub(crate) fn choice_on_tape(&mut self, max: u64, pick: &dyn Fn(&mut Random, u32) -> u64) -> u64 {
        self.shaped_on_tape(max, pick, None, &|value| value)
    }

    /// The same for a number whose code is chosen.
    pub(crate) fn number_on_tape(
        &mut self,
        max: u64,
        pick: &dyn Fn(&mut Random, u32) -> u64,
        meaning: &dyn Meaning,
    ) -> u64 {
        self.shaped_on_tape(max, pick, Some(meaning), &|value| value)
    }

    /// The same for a float in a range. `settle` normalises the code, idempotently, before it is recorded. From `parts`
    /// on, codes stand for fractions of the range instead of floats.
    pub(crate) fn float_on_tape(
        &mut self,
        parts: RangeInclusive<u64>,
        pick: &dyn Fn(&mut Random, u32) -> u64,
        settle: &dyn Fn(u64) -> u64,
    ) -> u64 {
        // Arbitrary bytes are rarely the code of a float in the range.
        let of_bytes = self.tape.as_ref().is_some_and(|tape| tape.reads_bytes());
        let (first, max) = parts.into_inner();
        self.shaped_on_tape(max, pick, None, &|value| match settle(value) {
            settled if settled != value && of_bytes => settle(first + value % (max - first + 1)),
            settled => settled,
        })
    }

    pub(super) fn shaped_on_tape(
        &mut self,
        max: u64,
        pick: &dyn Fn(&mut Random, u32) -> u64,
        meaning: Option<&dyn Meaning>,
        settle: &dyn Fn(u64) -> u64,
    ) -> u64 {
        let (State::Tape, Some(tape)) = (self.state, &mut self.tape) else {
            if self.is_search() {
                return settle(SEARCHING.get().map_or(0, |choose| choose(max, self.size)));
            }
            if self.is_overrun() {
                // A generator that draws until a condition holds would draw the simplest value forever.
                self.reject_now();
            }
            return settle(0);
        };
        tape.count_shaped();
        let value = match tape.read(max) {
            Some(value) => value,
            None if tape.random_at_end => {
                let drawn = pick(&mut self.random, self.size).min(max);
                if let Some(shape) = &mut tape.shape { shape.choose(drawn, max, meaning) } else { drawn }
            }
            None => 0,
        };
        let value = settle(value);
        if !tape.record(value, max) {
            self.reject();
        }
        value
    }

    /// Out of line, so that the rare branch of a choice is one call.
    #[cold]
    #[inline(never)]
    pub(super) fn uniform_on_tape(&mut self, max: u64) -> u64 {
        self.choice_on_tape(max, &|random, _| random.up_to(max))
    }

    /// One of `count` alternatives, on tape. Swarm testing skips disabled ones.
    pub(crate) fn alternative_on_tape(&mut self, count: usize, pick: &dyn Fn(&mut Random, u32) -> u64) -> usize {
        let off = self.tape.as_mut().map_or(0, |tape| tape.turned_off(count));
        let shape = self.tape.as_mut().and_then(|tape| tape.shape.as_mut());
        let off = off | u64::from(shape.is_some_and(|shape| count > 1 && shape.avoids_simplest()));
        let index = self.choice_on_tape(count as u64 - 1, &|random, size| {
            let mut index = pick(random, size);
            // If only disabled alternatives are possible, one of them is used.
            for _ in 0..SWARM_TRIES {
                // Alternatives beyond the 64th are never disabled.
                if index >= 64 || off >> index & 1 == 0 {
                    break;
                }
                index = pick(random, size);
            }
            index
        });
        index as usize
    }

    /// On tape, starts a collection: returns the number of items recorded so far.
    pub(crate) fn begin_collection(&mut self, is_text: bool) -> usize {
        if self.is_rejected() && self.is_overrun() {
            // A rejected collection is empty and draws nothing, so a loop that waits for an element would not end.
            self.reject_now();
        }
        let Some(tape) = self.tape.as_mut().filter(|tape| tape.shape.is_some()) else { return 0 };
        let start = tape.recorded();
        tape.copy_collection(is_text);
        start
    }

    /// Ends the collection that began at this number of recorded items.
    pub(crate) fn end_collection(&mut self, start: usize, length: usize, is_text: bool) {
        if let Some(tape) = self.tape.as_mut().filter(|tape| tape.shape.is_some()) {
            tape.end_collection(start, length, is_text);
        }
    }

    /// Records a choice of 0 without reading the input: a collection has to stop.
    pub(crate) fn stop_on_tape(&mut self) {
        if let (State::Tape, Some(tape)) = (self.state, &mut self.tape)
            && !tape.record(0, 1)
        {
            self.reject();
        }
    }

    #[cold]
    #[inline(never)]
    pub(super) fn open_span_on_tape(&mut self, label: u32) {
        if let (State::Tape, Some(tape)) = (self.state, &mut self.tape) {
            tape.open_span(label);
        }
    }

    #[cold]
    #[inline(never)]
    pub(super) fn close_span_on_tape(&mut self) {
        if let (State::Tape, Some(tape)) = (self.state, &mut self.tape) {
            tape.close_span();
        }
    }

    #[cold]
    #[inline(never)]
    pub(super) fn note_size_read(&mut self) {
        let Some(tape) = &mut self.tape else { return };
        tape.size_was_read = true;
        if let Some(limit) = tape.undecided.take() {
            let size = self.size.min(limit);
            // The choice that ends a tree must not be shaped.
            let shape = tape.shape.take();
            let below = self.choice_on_tape(u64::from(limit), &|_, _| u64::from(limit - size));
            self.size = limit - below as u32;
            if let Some(tape) = &mut self.tape {
                tape.shape = shape;
            }
        }
    }

    /// For generators that retry: removes a failed attempt from the record.
    #[inline(always)]
    pub(crate) fn mark(&mut self) -> Place {
        let tape = self.tape.as_mut().map(|tape| tape.mark());
        Place { size: self.size, tape }
    }

    /// Rewinds because the value was rejected.
    #[inline(always)]
    pub(crate) fn retry(&mut self, place: Place) {
        // Another attempt would have other choices, which are tried anyway.
        if self.is_search() {
            self.reject_now();
        }
        self.size = place.size;
        if let (Some(tape), Some(mark)) = (&mut self.tape, place.tape) {
            tape.rewind(mark);
            tape.retried = true;
        }
    }

    #[inline(always)]
    pub(crate) fn rewind(&mut self, place: Place) {
        self.size = place.size;
        if let (Some(tape), Some(mark)) = (&mut self.tape, place.tape) {
            tape.rewind(mark);
        }
    }
}

/// A position to which a source can be rewound. The random stream is not: another attempt draws other values.
#[derive(Clone, Copy)]
pub(crate) struct Place {
    size: u32,
    tape: Option<Mark>,
}
