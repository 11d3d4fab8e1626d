//! Parts of a test that deviate from its shape, and swarm testing: disabled alternatives.

use super::super::Random;
use super::super::tape::Tape;
use super::{Source, State};

impl Source {
    /// Runs `body` with some of the alternatives in it disabled, different ones in each test: swarm testing.
    pub(crate) fn swarm<T>(&mut self, body: impl FnOnce(&mut Self) -> T) -> T {
        // Not a choice: the record has the choice among the remaining alternatives.
        let Some(draw) = self.hidden_draw() else { return body(self) };
        if !self.is_random() {
            let before = self.replace_swarm(Some(draw.word));
            let value = body(self);
            self.replace_swarm(before);
            return value;
        }
        // Only a tape knows the disabled alternatives. This one is temporary.
        let mut taped = Source { tape: Some(Box::new(Tape::new(&[], true, self.size))), ..*self };
        taped.state = State::Tape;
        taped.replace_swarm(Some(draw.word));
        let value = body(&mut taped);
        (self.random, self.state) = (taped.random, if taped.is_rejected() { State::Rejected } else { State::Random });
        value
    }

    /// On tape, a choice that is made anew even in a copy of an earlier part, such as the branch that a command runs
    /// in. Shapes do not affect it.
    pub(crate) fn uncopied_choice(&mut self, max: u64, pick: impl Fn(&mut Random, u32) -> u64) -> u64 {
        if let (State::Tape, Some(tape)) = (self.state, &mut self.tape) {
            tape.skip_copied(max);
            let copy = tape.set_copy_aside();
            let shape = tape.shape.take();
            let value = self.choice_with(max, pick);
            if let Some(tape) = &mut self.tape {
                tape.resume_copy(copy);
                tape.shape = shape;
            }
            return value;
        }
        self.choice_with(max, pick)
    }

    /// Disables the cut of a shaped test, the limit after which all choices are the simplest.
    pub(crate) fn stop_simplifying(&mut self) {
        if let Some(shape) = self.tape.as_mut().and_then(|tape| tape.shape.as_mut()) {
            shape.stop_simplifying();
        }
    }

    /// Runs `body` without the shape of this test, if it has one.
    pub(crate) fn plainly<T>(&mut self, body: impl FnOnce(&mut Self) -> T) -> T {
        let shape = self.tape.as_mut().and_then(|tape| tape.shape.take());
        let value = body(self);
        if let Some(tape) = &mut self.tape {
            tape.shape = shape;
        }
        value
    }

    /// Runs `body` without the shape of this test, if it has one, except in one shaped test of four.
    pub(crate) fn seldom_shaped<T>(&mut self, body: impl FnOnce(&mut Self) -> T) -> T {
        /// One shaped test in this many keeps its shape.
        const STAYS: u64 = 4;
        let shape = self.tape.as_ref().and_then(|tape| tape.shape.as_ref());
        // The lowest bits of a key say what kind of shape it is.
        if shape.is_none_or(|shape| shape.key() >> 16 & (STAYS - 1) == 0) { body(self) } else { self.plainly(body) }
    }

    /// Draws a value that is rarely a duplicate: a duplicate is nearly always drawn again, once and without the shape
    /// of the test. Replayed choices determine the value.
    pub(crate) fn mostly_new<T>(&mut self, draw: &dyn Fn(&mut Self) -> T, is_new: &dyn Fn(&T) -> bool) -> T {
        /// One duplicate in this many is kept.
        const STAYS: u64 = 16;
        let is_random = self.is_random() || self.tape.as_ref().is_some_and(|tape| tape.draws_at_random());
        let place = self.mark();
        let value = draw(self);
        if !is_random || self.is_rejected() || is_new(&value) || self.random.up_to(STAYS - 1) == 0 {
            return value;
        }
        self.rewind(place);
        if let Some(tape) = &mut self.tape {
            tape.end_copy();
        }
        self.plainly(draw)
    }

    pub(super) fn replace_swarm(&mut self, key: Option<u64>) -> Option<u64> {
        self.tape.as_mut().and_then(|tape| std::mem::replace(&mut tape.swarm, key))
    }
}
