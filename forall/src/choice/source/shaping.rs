//! Parts of a test that deviate from its shape, and swarm testing: alternatives that are turned off.

use super::super::Random;
use super::super::tape::Tape;
use super::{Source, State};

impl Source {
    /// Runs `body` with some of the alternatives in it turned off, others in every test: swarm testing.
    pub(crate) fn swarm<T>(&mut self, body: impl FnOnce(&mut Self) -> T) -> T {
        // Not a choice: what is recorded is what was chosen among the alternatives that were left.
        let Some(draw) = self.hidden_draw() else { return body(self) };
        if !self.is_random() {
            let before = self.replace_swarm(Some(draw.word));
            let value = body(self);
            self.replace_swarm(before);
            return value;
        }
        // Only a tape knows what is turned off. This one is thrown away.
        let mut taped = Source { tape: Some(Box::new(Tape::new(&[], true, self.size))), ..*self };
        taped.state = State::Tape;
        taped.replace_swarm(Some(draw.word));
        let value = body(&mut taped);
        (self.random, self.state) = (taped.random, if taped.is_rejected() { State::Rejected } else { State::Random });
        value
    }

    /// On tape, a choice that is made anew where the part around it is a copy of an earlier one: which branch a command runs in.
    /// Shapes leave it alone.
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

    /// In a shaped test whose choices were to be the simplest from some place on: not any more.
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

    /// Draws a value that is rarely one of those before it: one that is not new is nearly always drawn again, once and without
    /// the shape of the test. Where choices are replayed, the value is what they say.
    pub(crate) fn mostly_new<T>(&mut self, draw: &dyn Fn(&mut Self) -> T, is_new: &dyn Fn(&T) -> bool) -> T {
        /// One in so many stays as it is.
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
