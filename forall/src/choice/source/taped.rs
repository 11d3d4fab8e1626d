//! What a source does on tape: the cold half of each draw.

use super::super::Random;
use super::super::shape::Meaning;
use super::super::tape::Mark;
use super::{Source, State};
use std::ops::RangeInclusive;
use std::sync::OnceLock;

/// Makes the choices of searches, from a maximum and a depth. All searches have the same.
pub(super) static SEARCHING: OnceLock<fn(u64, u32) -> u64> = OnceLock::new();

/// So often a choice among alternatives is made again when it falls on one that is turned off.
const SWARM_TRIES: u32 = 64;

impl Source {
    /// On tape, runs `body` for one part of a collection, at `size` as far as that is known.
    ///
    /// The share of a part depends on the collection's length, which replay does not know before the last part. So the
    /// size of a part is a choice, made only if the part asks for it: 0 stands for the most a part may have.
    pub(crate) fn part_on_tape<T>(&mut self, size: u32, body: impl FnOnce(&mut Self) -> T) -> T {
        let before = std::mem::replace(&mut self.size, size);
        let limit = self.tape.as_ref().and_then(|tape| tape.undecided).unwrap_or(before).saturating_sub(1);
        let undecided = self.replace_undecided(Some(limit));
        let value = body(self);
        self.replace_undecided(undecided);
        self.size = before;
        value
    }

    /// On tape, the most that the size can be here: does not ask for the size, so it costs no choice.
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

    /// The same for a float of a range. What is recorded is what `settle` makes of the code, which stays the same if it is settled
    /// again. The last codes are `parts` of the way through the range.
    pub(crate) fn float_on_tape(
        &mut self,
        parts: RangeInclusive<u64>,
        pick: &dyn Fn(&mut Random, u32) -> u64,
        settle: &dyn Fn(u64) -> u64,
    ) -> u64 {
        // Bytes that mean nothing by themselves are rarely the code of a float in the range.
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
                // A generator that draws until something comes would draw the simplest for ever.
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

    /// Apart from the place where it is called, so that the rare branch of a choice is one call there.
    #[cold]
    #[inline(never)]
    pub(super) fn uniform_on_tape(&mut self, max: u64) -> u64 {
        self.choice_on_tape(max, &|random, _| random.up_to(max))
    }

    /// One of `count` alternatives, on tape. In swarm testing those that are turned off are passed over.
    pub(crate) fn alternative_on_tape(&mut self, count: usize, pick: &dyn Fn(&mut Random, u32) -> u64) -> usize {
        let off = self.tape.as_mut().map_or(0, |tape| tape.turned_off(count));
        let shape = self.tape.as_mut().and_then(|tape| tape.shape.as_mut());
        let off = off | u64::from(shape.is_some_and(|shape| count > 1 && shape.avoids_simplest()));
        let index = self.choice_on_tape(count as u64 - 1, &|random, size| {
            let mut index = pick(random, size);
            // Where only what is turned off is possible, that is taken after all.
            for _ in 0..SWARM_TRIES {
                // Those behind the 64th are never turned off.
                if index >= 64 || off >> index & 1 == 0 {
                    break;
                }
                index = pick(random, size);
            }
            index
        });
        index as usize
    }

    /// On tape, a collection begins: gives how much was recorded by then.
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

    /// The collection ends that began when so much was recorded.
    pub(crate) fn end_collection(&mut self, start: usize, length: usize, is_text: bool) {
        if let Some(tape) = self.tape.as_mut().filter(|tape| tape.shape.is_some()) {
            tape.end_collection(start, length, is_text);
        }
    }

    /// Records a choice of 0 without looking at the input: a collection that has to stop says so.
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
            // What ends trees is not to be shaped.
            let shape = tape.shape.take();
            let below = self.choice_on_tape(u64::from(limit), &|_, _| u64::from(limit - size));
            self.size = limit - below as u32;
            if let Some(tape) = &mut self.tape {
                tape.shape = shape;
            }
        }
    }

    /// For generators that try again: what a failed attempt drew is taken off the record.
    #[inline(always)]
    pub(crate) fn mark(&mut self) -> Place {
        let tape = self.tape.as_mut().map(|tape| tape.mark());
        Place { size: self.size, tape }
    }

    /// Takes an attempt back because what it made was not wanted.
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

/// Where a source may be taken back to. The random stream is not: another attempt draws other values.
#[derive(Clone, Copy)]
pub(crate) struct Place {
    size: u32,
    tape: Option<Mark>,
}
