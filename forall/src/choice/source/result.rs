//! The result of a test's draws: its choices, and why it was rejected.

use super::super::journal::{Journal, Keep};
use super::super::tape::ShownLater;
use super::super::{Sequence, Shown};
use super::Source;

impl Source {
    /// Takes over the choices of another process with a source of the same origin. Nothing is drawn from this one any
    /// more.
    pub(crate) fn adopt(&mut self, drawn: Sequence, size_was_read: bool) {
        if let Some(tape) = &mut self.tape {
            tape.size_was_read = size_was_read;
            tape.adopted = Some(drawn);
        }
    }

    /// Takes over the draws of the body in another process.
    pub(crate) fn adopt_shown(&self, shown: Vec<Shown>) {
        if let Some(tape) = &self.tape {
            tape.adopt_shown(shown);
        }
    }

    /// Sends everything recorded to `keeper` immediately. On tape only.
    pub(crate) fn keep_journal(&mut self, keeper: &'static dyn Keep) {
        if let Some(tape) = &mut self.tape {
            tape.keep_journal(Journal::new(keeper));
        }
    }

    /// Records draws of the body as text. On tape only.
    pub(crate) fn show_draws(&self) {
        if let Some(tape) = &self.tape {
            tape.show_draws();
        }
    }

    pub(crate) fn shows_draws(&self) -> bool {
        self.tape.as_ref().is_some_and(|tape| tape.shows_draws())
    }

    /// Records a draw of the body as text, if enabled.
    pub(crate) fn show(&self, shown: &mut dyn FnMut() -> Shown) {
        if self.is_search() {
            super::super::shown::searched::show(shown);
        }
        if let Some(tape) = &self.tape {
            tape.show(shown);
        }
    }

    /// A handle to the draws of the body as text, to be read after the body has run.
    pub(crate) fn shown(&self) -> ShownLater {
        self.tape.as_ref().map_or(ShownLater::NONE, |tape| tape.shown())
    }

    /// Records that several threads drew from this source or one of its forks.
    pub(crate) fn say_several_threads(&self) {
        if let Some(tape) = &self.tape {
            tape.say_several_threads();
        }
    }

    /// Whether several threads drew from this source or one of its forks. Only recorded on tape.
    pub(crate) fn on_several_threads(&self) -> bool {
        self.tape.as_ref().is_some_and(|tape| tape.on_several_threads())
    }

    /// Returns the choices of a source on tape. A random source records nothing and returns an empty sequence.
    ///
    /// ```
    /// use forall::choice::Source;
    /// let mut source = Source::record(42, 0, 100);
    /// let (a, b) = (source.choice(9), source.choice(9));
    /// assert_eq!(source.into_sequence().values().collect::<Vec<_>>(), [a, b]);
    /// assert!(Source::random(42, 0, 100).into_sequence().is_empty());
    /// ```
    #[doc(hidden)]
    pub fn into_sequence(self) -> Sequence {
        let size = self.size;
        self.tape.map(|tape| tape.into_sequence()).unwrap_or(Sequence { size, ..Sequence::default() })
    }

    /// Returns whether the test exceeded the recording limit, and was rejected.
    ///
    /// ```
    /// use forall::choice::Source;
    /// let mut source = Source::record(42, 0, 100);
    /// while !source.is_rejected() {
    ///     source.choice(1);
    /// }
    /// assert!(source.is_overrun());
    /// ```
    #[doc(hidden)]
    pub fn is_overrun(&self) -> bool {
        self.tape.as_ref().is_some_and(|tape| tape.is_overrun())
    }

    /// Whether choices were counted that could not be recorded.
    pub(crate) fn is_cut_short(&self) -> bool {
        self.tape.as_ref().is_some_and(|tape| tape.is_cut_short())
    }

    /// The number of distinct elements that a collection found, and its minimum, if the test was rejected for that.
    pub(crate) fn shortage(&self) -> Option<(usize, usize)> {
        self.tape.as_ref()?.shortage
    }

    /// Marks a shortage, if there is one, as one of operations.
    pub(crate) fn run_out(&mut self) {
        if let Some(tape) = &mut self.tape {
            tape.ran_out = tape.shortage.is_some();
        }
    }

    /// Whether the shortage is of operations.
    pub(crate) fn has_run_out(&self) -> bool {
        self.tape.as_ref().is_some_and(|tape| tape.ran_out)
    }

    /// Whether a generator rejected a value and tried again, as a filter does: then the replayed choices are not the
    /// recorded ones.
    pub(crate) fn has_retried(&self) -> bool {
        self.tape.as_ref().is_some_and(|tape| tape.retried)
    }

    /// Whether a generator read the size: if none did, the inputs are the same at every size.
    pub(crate) fn size_was_read(&self) -> bool {
        self.tape.as_ref().is_some_and(|tape| tape.size_was_read)
    }
}
