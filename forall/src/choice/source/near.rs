//! Drawing a value close to another one: with the choices of the other, some of them changed.
//!
//! This applies only to random choices. The actual draws are recorded, as always, so tests with such values are
//! replayed and shrunk like any other.

use super::super::{Item, Sequence};
use super::{Source, State, Tape};

impl Source {
    /// The choices that `body` will draw from the random stream here; `None` if they do not come from it, or it
    /// rejects.
    pub(crate) fn foresee(&mut self, body: impl FnOnce(&mut Source)) -> Option<Sequence> {
        if !self.is_random() && !self.is_at_random_end() {
            return None;
        }
        let tape = Some(Box::new(Tape::new(&[], true, self.size)));
        let mut probe = Source { tape, state: State::Tape, ..*self };
        body(&mut probe);
        (!probe.is_rejected()).then(|| probe.into_sequence())
    }

    /// Draws with these choices in place of random ones. After their end, or where there are none to replace, it draws
    /// as usual.
    pub(crate) fn with_choices<T>(&mut self, items: &[Item], body: impl FnOnce(&mut Source) -> T) -> T {
        if self.is_random() {
            // Only a tape has an input. This one is temporary.
            let tape = Some(Box::new(Tape::new(items, true, self.size)));
            let mut taped = Source { tape, state: State::Tape, ..*self };
            let value = body(&mut taped);
            (self.random, self.state) =
                (taped.random, if taped.is_rejected() { State::Rejected } else { State::Random });
            return value;
        }
        let lends = self.is_at_random_end();
        if let Some(tape) = self.tape.as_mut().filter(|_| lends) {
            tape.lend(items);
        }
        let value = body(self);
        if let Some(tape) = self.tape.as_mut().filter(|_| lends) {
            tape.lend(&[]);
        }
        value
    }
}
