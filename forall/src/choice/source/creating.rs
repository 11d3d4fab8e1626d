//! Creating sources: random, recorded, replayed, from bytes, or equivalent to a source in another process.

use super::super::tape::{AtEnd, MAX_ITEMS, Tape};
use super::super::{Item, Random, Sequence, Shape};
use super::taped::SEARCHING;
use super::{Assumptions, Source, State};

/// As many items as most tests with a list record: growing the record costs more than the draws.
const USUAL_ITEMS: usize = 128;

impl Source {
    /// A placeholder to call `restart` on, in random mode.
    pub(crate) const BLANK: Self = Self::random(0, 0, 0);

    /// Creates the source of test `index` of a run with `seed`, at `size`. Records nothing.
    ///
    /// ```
    /// use forall::choice::Source;
    /// let mut source = Source::random(42, 0, 100);
    /// let first: u8 = source.draw(0..100);
    /// assert_eq!(first, Source::random(42, 0, 100).draw(0..100), "same seed, same test, same value");
    /// ```
    #[inline(always)]
    pub const fn random(seed: u64, index: u64, size: u32) -> Self {
        let random = Random::for_test(seed, index);
        Self { random, size, state: State::Random, is_fork: false, assumptions: Assumptions::Checked, tape: None }
    }

    /// Like [`Source::random`], with everything recorded. The values are the same.
    ///
    /// ```
    /// use forall::choice::Source;
    /// let mut source = Source::record(42, 0, 100);
    /// let value = source.choice(9);
    /// assert_eq!(value, Source::random(42, 0, 100).choice(9));
    /// assert_eq!(source.into_sequence().values().collect::<Vec<_>>(), [value]);
    /// ```
    #[doc(hidden)]
    pub fn record(seed: u64, index: u64, size: u32) -> Self {
        Self::on_tape(Random::for_test(seed, index), size, Tape::new(&[], true, size))
    }

    /// Creates the source of test `index` of a run with `seed`, at `size`, with its choices recorded.
    ///
    /// Some tests of a run are *shaped*: parts of them are equal, numbers repeat or come in order, everything after the first
    /// few choices is the simplest. Which tests are, and how, depends on `seed` and `index` alone. The others draw what
    /// [`Source::record`] draws.
    ///
    /// ```
    /// use forall::choice::Source;
    /// use forall::generate::{any, vec};
    /// let keys = |index| Source::test(42, index, 100).draw(vec(any::<u32>()).len(10));
    /// let repeats = |keys: &[u32]| (1..keys.len()).any(|at| keys[..at].contains(&keys[at]));
    /// assert!((0..20).filter(|&index| repeats(&keys(index))).count() > 5);
    /// ```
    #[doc(hidden)]
    pub fn test(seed: u64, index: u64, size: u32) -> Self {
        let mut source = Self::record(seed, index, size);
        if let Some(shape) = Shape::of(seed, index) {
            source.shape(shape);
        }
        source
    }

    /// Creates a source with the draws of [`Source::test`]. Only shaped tests are recorded, because they need it and it
    /// takes time.
    #[doc(hidden)]
    pub fn test_unrecorded(seed: u64, index: u64, size: u32) -> Self {
        if !Shape::is_due(index) {
            return Self::random(seed, index, size);
        }
        let mut source = Self::test(seed, index, size);
        if let Some(tape) = &mut source.tape {
            tape.reserve(USUAL_ITEMS);
        }
        source
    }

    /// The choices of [`Source::random`], counted: a test that exceeds the limit is rejected, so that an endless
    /// generator stops. Records nothing.
    pub(crate) fn counted(seed: u64, index: u64, size: u32) -> Self {
        let mut source = Self::record(seed, index, size);
        if let Some(tape) = &mut source.tape {
            tape.only_count();
        }
        source
    }

    /// The choices of [`Source::test`], counted beyond the recording limit, with the same limit as [`Source::counted`].
    pub(crate) fn test_of_block(seed: u64, index: u64, size: u32) -> Self {
        let mut source = Self::test(seed, index, size);
        if let Some(tape) = &mut source.tape {
            tape.go_on();
        }
        source
    }

    pub(super) fn shape(&mut self, shape: Shape) {
        if let Some(tape) = &mut self.tape {
            tape.swarm = shape.swarm;
            tape.shape = Some(Box::new(shape));
        }
    }

    /// Creates a source that supplies the choices of `sequence`, then the simplest ones.
    ///
    /// ```
    /// use forall::choice::{Sequence, Source};
    /// let mut source = Source::replay(&Sequence::from_values(100, &[7, 3]));
    /// assert_eq!([source.draw(0..10), source.draw(0..10), source.draw(0..10)], [7, 3, 0]);
    /// ```
    #[doc(hidden)]
    pub fn replay(sequence: &Sequence) -> Self {
        Self::tape(sequence, AtEnd::Simplest)
    }

    /// As [`Source::replay`], but the test is rejected when it draws more than `items`.
    pub(crate) fn replay_within(sequence: &Sequence, items: usize) -> Self {
        Self::replay(sequence).within(items)
    }

    /// Sets the recording limit of this source to `items`. On tape only.
    pub(crate) fn within(mut self, items: usize) -> Self {
        if let Some(tape) = &mut self.tape {
            tape.limit = tape.limit.min(items);
        }
        self
    }

    /// Creates a source that supplies the choices of `sequence`, then those of `at_end`.
    ///
    /// ```
    /// use forall::choice::{AtEnd, Sequence, Source};
    /// let sequence = Sequence::from_values(100, &[7]);
    /// let mut source = Source::tape(&sequence, AtEnd::Random(1));
    /// assert_eq!(source.choice(9), 7);
    /// assert!(source.choice(9) <= 9, "from here on at random");
    /// ```
    #[doc(hidden)]
    pub fn tape(sequence: &Sequence, at_end: AtEnd) -> Self {
        let seed = match at_end {
            AtEnd::Simplest => 0,
            AtEnd::Random(seed) => seed,
        };
        let tape = Tape::new(&sequence.items, at_end != AtEnd::Simplest, sequence.size);
        Self::on_tape(Random::from_key(seed), sequence.size, tape)
    }

    /// The draws of [`Source::tape`], which are not recorded.
    pub(crate) fn tape_unrecorded(sequence: &Sequence, at_end: AtEnd) -> Self {
        let seed = match at_end {
            AtEnd::Simplest => 0,
            AtEnd::Random(seed) => seed,
        };
        let tape = Tape::unrecorded(&sequence.items, at_end != AtEnd::Simplest, sequence.size);
        Self::on_tape(Random::from_key(seed), sequence.size, tape)
    }

    /// Creates a source that reads its choices from bytes and then supplies the simplest ones. Any bytes are a valid
    /// test, and every draw is recorded. Byte-based fuzzers produce inputs this way.
    ///
    /// A choice takes as many bytes as its maximum has, low bytes first, and wraps around.
    ///
    /// ```
    /// use forall::choice::Source;
    /// let mut source = Source::from_bytes(&[7, 0x34, 0x12], 100);
    /// assert_eq!((source.choice(9), source.choice(0xffff), source.choice(9)), (7, 0x1234, 0));
    /// assert_eq!(Source::from_bytes(&[13], 100).choice(9), 3, "13 is 3 more than the ten values from 0 to 9");
    /// ```
    #[inline]
    pub fn from_bytes(bytes: &[u8], size: u32) -> Self {
        Self::on_tape(Random::from_key(0), size, Tape::of_bytes(bytes, size))
    }

    pub(super) fn on_tape(random: Random, size: u32, tape: Tape) -> Self {
        let tape = Some(Box::new(tape));
        Self { random, size, state: State::Tape, is_fork: false, assumptions: Assumptions::Checked, tape }
    }

    /// The choices of the search on this thread, from the function that makes them: the deeper, the larger the values.
    pub(crate) fn search(depth: u32, choose: fn(u64, u32) -> u64) -> Self {
        SEARCHING.get_or_init(|| choose);
        Self { state: State::Search, ..Self::random(0, 0, depth) }
    }

    /// The origin of this source's choices, if nothing was drawn from it yet.
    pub(crate) fn origin(&self) -> Origin<'_> {
        let (items, random_at_end) = self.tape.as_ref().map_or((&[][..], true), |tape| tape.beginning());
        let limit = self.tape.as_ref().map_or(MAX_ITEMS, |tape| tape.limit);
        let at_end = random_at_end.then(|| self.random.place());
        let literals = self.literals_as_text();
        let shape = self.tape.as_ref().and_then(|tape| tape.shape.as_ref()).map(|shape| shape.key());
        Origin { items, size: self.size, at_end, limit, trusts: self.trusts(), literals, shape }
    }

    /// The source on tape with this origin.
    pub(crate) fn from_origin(origin: &Origin<'_>) -> Self {
        let &Origin { items, size, at_end, limit, trusts, literals, shape } = origin;
        let mut tape = Tape::new(items, at_end.is_some(), size);
        tape.use_literals(literals);
        tape.limit = limit.min(MAX_ITEMS);
        let assumptions = if trusts { Assumptions::Assumed } else { Assumptions::Checked };
        let mut source = Self { assumptions, ..Self::on_tape(Random::at(at_end.unwrap_or(0)), size, tape) };
        if let Some(key) = shape {
            source.shape(Shape::from_key(key));
        }
        source
    }

    /// Restarts this source as test `index` of a run with `seed`, for loops that do not create a source per test.
    ///
    /// ```
    /// use forall::choice::Source;
    /// let mut source = Source::random(42, 0, 0);
    /// for index in 0..10 {
    ///     source.restart(42, index, 100);
    ///     assert_eq!(source.choice(9), Source::random(42, index, 100).choice(9));
    /// }
    /// ```
    #[inline(always)]
    #[doc(hidden)]
    pub fn restart(&mut self, seed: u64, index: u64, size: u32) {
        self.random = Random::for_test(seed, index);
        self.size = size;
    }

    /// As [`Source::restart`] of a source without a tape, even after a rejected test.
    #[inline(always)]
    pub(crate) fn restart_plain(&mut self, seed: u64, index: u64, size: u32) {
        self.restart(seed, index, size);
        self.state = State::Random;
    }
}

/// The origin of a source's choices, which can be saved before a test runs.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Origin<'a> {
    pub(crate) items: &'a [Item],
    pub(crate) size: u32,
    /// The position of the random stream after the items; `None` if the simplest choices follow.
    pub(crate) at_end: Option<u64>,
    /// The recording limit.
    pub(crate) limit: usize,
    /// Whether assumptions are assumed to hold.
    pub(crate) trusts: bool,
    /// Literals that occasionally replace random values, one per line.
    pub(crate) literals: &'a str,
    /// The key of the shape of random draws.
    pub(crate) shape: Option<u64>,
}
