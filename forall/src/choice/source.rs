//! Where a generator's choices come from.

#[cfg(any(feature = "coverage", feature = "isolate"))]
use super::Item;
use super::generator::Generator;
#[cfg(feature = "isolate")]
use super::journal::{Journal, Keep};
use super::shape::Meaning;
#[cfg(any(feature = "coverage", feature = "isolate"))]
use super::tape::MAX_ITEMS;
use super::tape::{AtEnd, Mark, ShownLater, Tape};
use super::{Draw, Random, Sequence, Shape, Shown};
use std::ops::RangeInclusive;
use std::panic::resume_unwind;
#[cfg(feature = "lazy")]
use std::sync::OnceLock;

#[cfg(feature = "laws")]
mod near;
#[cfg(feature = "literals")]
mod quoting;

/// Supplies the choices of one test.
///
/// A source works in one of two ways. *Random*, the hot one, is a step of a counter-based generator and records
/// nothing. On *tape*, values come from a given [`Sequence`] as long as it lasts, and everything drawn is recorded.
///
/// ```
/// use forall::choice::Source;
///
/// let mut source = Source::random(42, 0, 100);
/// let die = source.draw(1..=6);
/// assert!((1..=6).contains(&die));
/// ```
#[derive(Debug)]
pub struct Source {
    random: Random,
    size: u32,
    state: State,
    is_fork: bool,
    assumptions: Assumptions,
    tape: Option<Box<Tape>>,
}

/// The label of a value that the body of a property drew.
pub(crate) const DRAW: u32 = 1 << 30 | 0x00d4_a500;

/// Makes the choices of searches, from a maximum and a depth. All searches have the same.
#[cfg(feature = "lazy")]
static SEARCHING: OnceLock<fn(u64, u32) -> u64> = OnceLock::new();

/// One byte that every draw looks at.
#[derive(Clone, Copy, Debug, PartialEq)]
#[repr(u8)]
enum State {
    Random,
    Tape,
    /// The test was given up; what is drawn until the generator returns does not matter.
    Rejected,
    /// The choices are those of the search that runs on this thread.
    #[cfg(feature = "lazy")]
    Search,
}

/// What becomes of the assumptions of a property.
#[derive(Clone, Copy, Debug, PartialEq)]
#[repr(u8)]
enum Assumptions {
    /// They are checked, and one that does not hold tells of which values.
    Told,
    /// They are checked, and nobody looks at the values.
    Checked,
    /// They are taken for granted.
    Granted,
}

/// The payload with which [`Source::reject_now`] unwinds. A runner that catches it discards the test.
///
/// ```
/// use forall::choice::{Rejected, Source};
/// let caught = std::panic::catch_unwind(|| Source::random(0, 0, 0).reject_now());
/// assert!(caught.unwrap_err().is::<Rejected>());
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Rejected;

/// The payload with which a block of tests unwinds when more is drawn, from forks, than a tape holds.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Overrun;

/// The payload with which a block of tests unwinds when a body drew from one source on several threads.
#[derive(Clone, Copy, Debug)]
pub(crate) struct SeveralThreads;

impl Source {
    /// To be restarted for a test in random mode.
    pub(crate) const BLANK: Self = Self::random(0, 0, 0);

    /// The choices of test `index` of a run with `seed`, at `size`. Records nothing.
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
        Self { random, size, state: State::Random, is_fork: false, assumptions: Assumptions::Told, tape: None }
    }

    /// As [`Source::random`], with everything recorded. The values are the same.
    ///
    /// ```
    /// use forall::choice::Source;
    /// let mut source = Source::record(42, 0, 100);
    /// let value = source.choice(9);
    /// assert_eq!(value, Source::random(42, 0, 100).choice(9));
    /// assert_eq!(source.into_sequence().values().collect::<Vec<_>>(), [value]);
    /// ```
    pub fn record(seed: u64, index: u64, size: u32) -> Self {
        Self::on_tape(Random::for_test(seed, index), size, Tape::new(&[], true, size))
    }

    /// The choices of test `index` of a run with `seed`, at `size`, recorded.
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
    pub fn test(seed: u64, index: u64, size: u32) -> Self {
        let mut source = Self::record(seed, index, size);
        if let Some(shape) = Shape::of(seed, index) {
            source.shape(shape);
        }
        source
    }

    fn shape(&mut self, shape: Shape) {
        if let Some(tape) = &mut self.tape {
            tape.swarm = shape.swarm;
            tape.shape = Some(Box::new(shape));
        }
    }

    /// The choices of `sequence`, then the simplest.
    ///
    /// ```
    /// use forall::choice::{Sequence, Source};
    /// let mut source = Source::replay(&Sequence::from_values(100, &[7, 3]));
    /// assert_eq!([source.draw(0..10), source.draw(0..10), source.draw(0..10)], [7, 3, 0]);
    /// ```
    pub fn replay(sequence: &Sequence) -> Self {
        Self::tape(sequence, AtEnd::Simplest)
    }

    /// As [`Source::replay`], but the test is rejected when it draws more than `items`.
    pub(crate) fn replay_within(sequence: &Sequence, items: usize) -> Self {
        Self::replay(sequence).within(items)
    }

    /// The same source, with which the test is rejected when it draws more than `items`. On tape only.
    pub(crate) fn within(mut self, items: usize) -> Self {
        if let Some(tape) = &mut self.tape {
            tape.limit = tape.limit.min(items);
        }
        self
    }

    /// The choices of `sequence`, then what `at_end` says.
    ///
    /// ```
    /// use forall::choice::{AtEnd, Sequence, Source};
    /// let sequence = Sequence::from_values(100, &[7]);
    /// let mut source = Source::tape(&sequence, AtEnd::Random(1));
    /// assert_eq!(source.choice(9), 7);
    /// assert!(source.choice(9) <= 9, "from here on at random");
    /// ```
    pub fn tape(sequence: &Sequence, at_end: AtEnd) -> Self {
        let seed = match at_end {
            AtEnd::Simplest => 0,
            AtEnd::Random(seed) => seed,
        };
        let tape = Tape::new(&sequence.items, at_end != AtEnd::Simplest, sequence.size);
        Self::on_tape(Random::from_key(seed), sequence.size, tape)
    }

    /// The choices that bytes stand for, then the simplest: any bytes make a test, and everything drawn is recorded. This is
    /// how fuzzers that know nothing but bytes make inputs.
    ///
    /// A choice takes as many bytes as its maximum has, low ones first, and wraps around.
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

    fn on_tape(random: Random, size: u32, tape: Tape) -> Self {
        let tape = Some(Box::new(tape));
        Self { random, size, state: State::Tape, is_fork: false, assumptions: Assumptions::Told, tape }
    }

    /// The choices of the search that runs on this thread, by the function that makes them: the deeper, the larger what is drawn.
    #[cfg(feature = "lazy")]
    pub(crate) fn search(depth: u32, choose: fn(u64, u32) -> u64) -> Self {
        SEARCHING.get_or_init(|| choose);
        Self { state: State::Search, ..Self::random(0, 0, depth) }
    }

    /// Whether the choices are those of a search.
    #[cfg(feature = "lazy")]
    pub(crate) fn is_search(&self) -> bool {
        self.state == State::Search
    }

    #[cfg(not(feature = "lazy"))]
    pub(crate) fn is_search(&self) -> bool {
        false
    }

    /// Whether there are choices on its tape that were not drawn yet.
    #[cfg(feature = "lazy")]
    pub(crate) fn has_input(&self) -> bool {
        self.state == State::Tape && self.tape.as_ref().is_some_and(|tape| tape.has_input())
    }

    /// What the choices of this source depend on, if nothing was drawn from it yet.
    #[cfg(any(feature = "coverage", feature = "isolate"))]
    pub(crate) fn origin(&self) -> Origin<'_> {
        let (items, random_at_end) = self.tape.as_ref().map_or((&[][..], true), |tape| tape.beginning());
        let limit = self.tape.as_ref().map_or(MAX_ITEMS, |tape| tape.limit);
        let at_end = random_at_end.then(|| self.random.place());
        #[cfg(feature = "literals")]
        let quotes = self.quotes_as_text();
        #[cfg(not(feature = "literals"))]
        let quotes = "";
        let shape = self.tape.as_ref().and_then(|tape| tape.shape.as_ref()).map(|shape| shape.key());
        Origin { items, size: self.size, at_end, limit, trusts: self.trusts(), quotes, shape }
    }

    /// The source, on tape, whose choices depend on this.
    #[cfg(any(feature = "coverage", feature = "isolate"))]
    pub(crate) fn from_origin(origin: &Origin<'_>) -> Self {
        let &Origin { items, size, at_end, limit, trusts, quotes, shape } = origin;
        let mut tape = Tape::new(items, at_end.is_some(), size);
        #[cfg(feature = "literals")]
        tape.quote(quotes);
        #[cfg(not(feature = "literals"))]
        let _ = quotes;
        tape.limit = limit.min(MAX_ITEMS);
        let assumptions = if trusts { Assumptions::Granted } else { Assumptions::Told };
        let mut source = Self { assumptions, ..Self::on_tape(Random::at(at_end.unwrap_or(0)), size, tape) };
        if let Some(key) = shape {
            source.shape(Shape::from_key(key));
        }
        source
    }

    /// Takes over what another process drew from a source of the same origin. Nothing is drawn from this one any more.
    #[cfg(feature = "isolate")]
    pub(crate) fn adopt(&mut self, drawn: Sequence, size_was_read: bool) {
        if let Some(tape) = &mut self.tape {
            tape.size_was_read = size_was_read;
            tape.adopted = Some(drawn);
        }
    }

    /// Takes over the draws of the body that another process showed.
    #[cfg(feature = "isolate")]
    pub(crate) fn adopt_shown(&self, shown: Vec<Shown>) {
        if let Some(tape) = &self.tape {
            tape.adopt_shown(shown);
        }
    }

    /// From now on, everything recorded is kept by `keeper` at once. On tape only.
    #[cfg(feature = "isolate")]
    pub(crate) fn keep_journal(&mut self, keeper: &'static dyn Keep) {
        if let Some(tape) = &mut self.tape {
            tape.keep_journal(Journal::new(keeper));
        }
    }

    /// From now on, draws of the body are kept as text. On tape only.
    pub(crate) fn show_draws(&self) {
        if let Some(tape) = &self.tape {
            tape.show_draws();
        }
    }

    #[cfg(feature = "isolate")]
    pub(crate) fn shows_draws(&self) -> bool {
        self.tape.as_ref().is_some_and(|tape| tape.shows_draws())
    }

    /// Keeps a draw of the body as text, if that is wanted.
    pub(crate) fn show(&self, shown: &mut dyn FnMut() -> Shown) {
        #[cfg(feature = "lazy")]
        if self.is_search() {
            super::shown::searched::show(shown);
        }
        if let Some(tape) = &self.tape {
            tape.show(shown);
        }
    }

    /// The draws of the body as text, to be looked at when it has run.
    pub(crate) fn shown(&self) -> ShownLater {
        self.tape.as_ref().map_or(ShownLater::NONE, |tape| tape.shown())
    }

    /// Says that it, or a fork of it, was drawn from on several threads.
    pub(crate) fn say_several_threads(&self) {
        if let Some(tape) = &self.tape {
            tape.say_several_threads();
        }
    }

    /// Whether it, or a fork of it, was drawn from on several threads. Only a tape knows.
    pub(crate) fn on_several_threads(&self) -> bool {
        self.tape.as_ref().is_some_and(|tape| tape.on_several_threads())
    }

    /// Begins test `index` of a run with `seed` in place. For loops that make no source per test.
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
    pub fn restart(&mut self, seed: u64, index: u64, size: u32) {
        self.random = Random::for_test(seed, index);
        self.size = size;
    }

    /// Draws a value from a generator. `source.draw(0..10)`, `source.draw(any::<String>())`.
    ///
    /// ```
    /// use forall::choice::Source;
    /// use forall::generate::{any, vec};
    /// let mut source = Source::random(42, 0, 100);
    /// let digits = source.draw(vec(0..10u8));
    /// assert!(digits.iter().all(|&digit| digit < 10));
    /// let text: String = source.draw(any());
    /// # let _ = text;
    /// ```
    #[inline(always)]
    pub fn draw<G: Generator>(&mut self, generator: G) -> G::Value {
        generator.generate(self)
    }

    /// One choice from 0 to `max`, both included, all equally likely.
    ///
    /// ```
    /// use forall::choice::{Sequence, Source};
    /// let mut source = Source::replay(&Sequence::from_values(100, &[2]));
    /// let colour = ["red", "green", "blue"][source.choice(2) as usize];
    /// assert_eq!(colour, "blue");
    /// ```
    #[inline(always)]
    pub fn choice(&mut self, max: u64) -> u64 {
        if self.is_random() { self.random.up_to(max) } else { self.uniform_on_tape(max) }
    }

    /// One choice from 0 to `max` with a distribution of its own: `pick` gets the random stream and the size.
    ///
    /// The distribution belongs to random testing alone; replay, shrinking and enumeration see only the value.
    /// A value of `pick` above `max` counts as `max`.
    ///
    /// ```
    /// use forall::choice::{Sequence, Source};
    /// // Usually 0, the common case; now and then anything.
    /// fn rare(source: &mut Source) -> u64 {
    ///     source.choice_with(9, |random, _| if random.up_to(9) > 0 { 0 } else { random.up_to(9) })
    /// }
    /// let zeros = (0..1000).filter(|&index| rare(&mut Source::random(42, index, 100)) == 0).count();
    /// assert!(zeros > 800);
    /// assert_eq!(rare(&mut Source::replay(&Sequence::from_values(100, &[7]))), 7);
    /// ```
    #[inline(always)]
    pub fn choice_with(&mut self, max: u64, pick: impl Fn(&mut Random, u32) -> u64) -> u64 {
        if self.is_random() { pick(&mut self.random, self.size).min(max) } else { self.choice_on_tape(max, &pick) }
    }

    /// The size of this test: generators make larger values as it grows. 0 to 100 in an ordinary run.
    ///
    /// ```
    /// use forall::choice::Source;
    /// let mut source = Source::random(42, 0, 30);
    /// let longest = source.size() as usize;
    /// assert_eq!(longest, 30);
    /// ```
    #[inline(always)]
    pub fn size(&mut self) -> u32 {
        if !self.is_random() {
            self.note_size_read();
        }
        self.size
    }

    /// Runs `body` at another size.
    ///
    /// ```
    /// use forall::choice::Source;
    /// use forall::generate::{any, vec};
    /// let mut source = Source::random(42, 0, 100);
    /// let short = source.with_size(3, |source| source.draw(vec(any::<u8>())));
    /// assert!(short.len() <= 3);
    /// assert_eq!(source.size(), 100);
    /// ```
    #[inline(always)]
    pub fn with_size<T>(&mut self, size: u32, body: impl FnOnce(&mut Self) -> T) -> T {
        let before = std::mem::replace(&mut self.size, size);
        let undecided = if self.is_random() { None } else { self.replace_undecided(None) };
        let value = body(self);
        self.size = before;
        if !self.is_random() {
            self.replace_undecided(undecided);
        }
        value
    }

    /// Sets the size until it is set again; gives the one before. For generators that treat it as a budget.
    #[inline(always)]
    pub(crate) fn set_size(&mut self, size: u32) -> u32 {
        std::mem::replace(&mut self.size, size)
    }

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

    fn replace_undecided(&mut self, undecided: Option<u32>) -> Option<u32> {
        self.tape.as_mut().and_then(|tape| std::mem::replace(&mut tape.undecided, undecided))
    }

    /// A random draw that is not a choice: it shapes the distribution of those that follow. None on a tape that still
    /// has input, or ends with the simplest.
    #[inline(always)]
    pub(crate) fn hidden_draw(&mut self) -> Option<Draw> {
        if self.is_random() || self.is_at_random_end() { Some(self.random.draw()) } else { None }
    }

    #[cold]
    #[inline(never)]
    pub(crate) fn is_at_random_end(&self) -> bool {
        let tape = self.tape.as_ref().filter(|_| self.state == State::Tape);
        tape.is_some_and(|tape| tape.random_at_end && !tape.has_input())
    }

    /// Moves the random stream to another place; gives the place before. For generators that repeat themselves.
    #[inline(always)]
    pub(crate) fn replace_random(&mut self, random: Random) -> Random {
        std::mem::replace(&mut self.random, random)
    }

    /// Groups what `body` draws into one part of the input, which the shrinker may remove, replace or move as a whole.
    ///
    /// `label` says what kind of part it is; parts of one label can stand for each other. Labels from 2^30 on are ours.
    ///
    /// ```
    /// use forall::choice::Source;
    /// const POINT: u32 = 1;
    /// let mut source = Source::record(42, 0, 100);
    /// let point = source.span(POINT, |source| (source.draw(0..10), source.draw(0..10)));
    /// assert!(point.0 < 10 && point.1 < 10);
    /// let sequence = source.into_sequence();
    /// assert_eq!((sequence.spans[0].label, sequence.spans[0].len()), (POINT, 2));
    /// ```
    #[inline(always)]
    pub fn span<T>(&mut self, label: u32, body: impl FnOnce(&mut Self) -> T) -> T {
        self.open_span(label);
        let value = body(self);
        self.close_span();
        value
    }

    #[inline(always)]
    pub(crate) fn open_span(&mut self, label: u32) {
        if !self.is_random() {
            self.open_span_on_tape(label);
        }
    }

    #[inline(always)]
    pub(crate) fn close_span(&mut self) {
        if !self.is_random() {
            self.close_span_on_tape();
        }
    }

    /// A source of its own for choices that are made later: in a lazy cell, a function, a command that has not run yet.
    ///
    /// Its choices stand in the sequence where the fork was made, whatever the order in which forks are drawn from.
    ///
    /// ```
    /// use forall::choice::Source;
    /// let mut source = Source::record(42, 0, 100);
    /// let mut later = source.fork();
    /// let last = source.choice(9);
    /// let first = later.choice(9);
    /// drop(later);
    /// assert_eq!(source.into_sequence().values().collect::<Vec<_>>(), [first, last]);
    /// ```
    #[inline]
    pub fn fork(&mut self) -> Source {
        let random = Random::from_key(self.random.word());
        let tape = match (self.state, &mut self.tape) {
            (State::Tape, Some(tape)) => Some(Box::new(tape.fork())),
            _ => None,
        };
        Source { random, size: self.size, state: self.state, is_fork: true, assumptions: self.assumptions, tape }
    }

    /// A fork that depends on `key`, and not on when it is made: for a table that is filled as it is asked.
    #[cfg(feature = "lazy")]
    pub(crate) fn fork_for(&mut self, key: u64) -> Source {
        let before = self.random;
        let own = Random::from_key(self.random.word() ^ Random::from_key(key).word());
        let fork = self.fork();
        self.random = before;
        Source { random: own, ..fork }
    }

    /// On tape, records a choice that was made elsewhere.
    #[cfg(feature = "lazy")]
    pub(crate) fn write_down(&mut self, value: u64, max: u64) {
        if let (State::Tape, Some(tape)) = (self.state, &mut self.tape)
            && !tape.record(value, max)
        {
            self.reject();
        }
    }

    /// Gives this test up: it will be discarded. Until the generator returns, every draw gives the simplest value.
    #[cold]
    ///
    /// A fork may be drawn from when generation is over, so it gives the test up at once, as [`Source::reject_now`] does.
    ///
    /// ```
    /// use forall::choice::Source;
    /// use forall::generate::from_fn;
    /// let even = from_fn(|source| {
    ///     let n = source.draw(0..10u32);
    ///     if n % 2 == 1 {
    ///         source.reject();
    ///     }
    ///     n
    /// });
    /// let mut source = Source::random(42, 0, 100);
    /// let n = source.draw(even);
    /// assert_eq!(source.is_rejected(), n % 2 == 1);
    /// ```
    pub fn reject(&mut self) {
        self.state = State::Rejected;
        if self.is_fork {
            resume_unwind(Box::new(Rejected));
        }
    }

    /// Gives this test up at once, by unwinding: for generators that have no value to return.
    ///
    /// ```
    /// use forall::choice::{Rejected, Source};
    /// use forall::generate::from_fn;
    /// let none = from_fn(|source| -> String { source.reject_now() });
    /// let caught = std::panic::catch_unwind(|| Source::random(42, 0, 100).draw(none));
    /// assert!(caught.unwrap_err().is::<Rejected>());
    /// ```
    #[cold]
    pub fn reject_now(&mut self) -> ! {
        self.reject();
        resume_unwind(Box::new(Rejected))
    }

    /// Takes the assumptions of the property (`implies`) for granted instead of checking them: for generators that are
    /// correct by construction. See [`Tester::without_assumptions`](crate::run::Tester::without_assumptions).
    pub(crate) fn trust(&mut self) {
        self.assumptions = Assumptions::Granted;
    }

    pub(crate) fn trusts(&self) -> bool {
        self.assumptions == Assumptions::Granted
    }

    /// If the test is discarded, nobody asks of which values: printing them takes longer than most tests.
    pub(crate) fn discard_quietly(&mut self) {
        if self.assumptions == Assumptions::Told {
            self.assumptions = Assumptions::Checked;
        }
    }

    /// Whether a discarded test tells of its values. A search discards often, and nobody looks at what.
    pub(crate) fn tells_of_discards(&self) -> bool {
        self.assumptions == Assumptions::Told && !self.is_search()
    }

    /// Whether the test was given up.
    ///
    /// ```
    /// use forall::choice::Source;
    /// let mut source = Source::random(42, 0, 100);
    /// assert!(!source.is_rejected());
    /// source.reject();
    /// assert!(source.is_rejected());
    /// ```
    #[inline(always)]
    pub fn is_rejected(&self) -> bool {
        matches!(self.state, State::Rejected)
    }

    /// Whether choices are random and unrecorded: the fast path of a generator.
    ///
    /// ```
    /// use forall::choice::Source;
    /// assert!(Source::random(42, 0, 100).is_random());
    /// assert!(!Source::record(42, 0, 100).is_random());
    /// ```
    #[inline(always)]
    pub fn is_random(&self) -> bool {
        self.state as u8 == State::Random as u8
    }

    /// What was drawn from a source on tape. A random source records nothing and gives an empty sequence.
    ///
    /// ```
    /// use forall::choice::Source;
    /// let mut source = Source::record(42, 0, 100);
    /// let (a, b) = (source.choice(9), source.choice(9));
    /// assert_eq!(source.into_sequence().values().collect::<Vec<_>>(), [a, b]);
    /// assert!(Source::random(42, 0, 100).into_sequence().is_empty());
    /// ```
    pub fn into_sequence(self) -> Sequence {
        let size = self.size;
        self.tape.map(|tape| tape.into_sequence()).unwrap_or(Sequence { size, ..Sequence::default() })
    }

    /// Whether the test drew more than a tape holds, and was rejected for that.
    ///
    /// ```
    /// use forall::choice::Source;
    /// let mut source = Source::record(42, 0, 100);
    /// while !source.is_rejected() {
    ///     source.choice(1);
    /// }
    /// assert!(source.is_overrun());
    /// ```
    pub fn is_overrun(&self) -> bool {
        self.tape.as_ref().is_some_and(|tape| tape.is_overrun())
    }

    /// Whether it was from forks that more was drawn than a tape holds.
    pub(crate) fn has_overrun_forks(&self) -> bool {
        self.tape.as_ref().is_some_and(|tape| tape.has_overrun_forks())
    }

    /// Gives this test up: a collection found `count` elements that differ, and needs at least `least`.
    #[cold]
    pub(crate) fn reject_for_want(&mut self, count: usize, least: usize) -> ! {
        if let Some(tape) = &mut self.tape {
            tape.shortage = Some((count, least));
        }
        // By unwinding: who asks for so many relies on it.
        self.reject_now()
    }

    /// How many elements that differ a collection found, and how many it needs, if the test was given up for that.
    pub(crate) fn shortage(&self) -> Option<(usize, usize)> {
        self.tape.as_ref()?.shortage
    }

    /// Says that a shortage, if there is one, is of operations.
    #[cfg(feature = "extra")]
    pub(crate) fn run_out(&mut self) {
        if let Some(tape) = &mut self.tape {
            tape.ran_out = tape.shortage.is_some();
        }
    }

    /// Whether the shortage is of operations.
    #[cfg(feature = "extra")]
    pub(crate) fn has_run_out(&self) -> bool {
        self.tape.as_ref().is_some_and(|tape| tape.ran_out)
    }

    /// Whether a generator threw away what it had made and tried again, as a filter does: what was offered to it is then not
    /// what it took.
    pub(crate) fn has_retried(&self) -> bool {
        self.tape.as_ref().is_some_and(|tape| tape.retried)
    }

    /// Whether a generator asked for the size: if none did, the inputs are the same at every size.
    pub(crate) fn size_was_read(&self) -> bool {
        self.tape.as_ref().is_some_and(|tape| tape.size_was_read)
    }

    /// The random stream, for the fast paths of generators.
    #[inline(always)]
    pub(crate) fn stream(&mut self) -> (&mut Random, u32) {
        (&mut self.random, self.size)
    }

    /// Makes a rejected random source usable for the next test.
    #[inline(always)]
    pub(crate) fn clear_rejection(&mut self) {
        self.state = State::Random;
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

    fn shaped_on_tape(
        &mut self,
        max: u64,
        pick: &dyn Fn(&mut Random, u32) -> u64,
        meaning: Option<&dyn Meaning>,
        settle: &dyn Fn(u64) -> u64,
    ) -> u64 {
        let (State::Tape, Some(tape)) = (self.state, &mut self.tape) else {
            #[cfg(feature = "lazy")]
            if self.is_search() {
                return settle(SEARCHING.get().map_or(0, |choose| choose(max, self.size)));
            }
            if self.is_overrun() {
                // A generator that draws until something comes would draw the simplest for ever.
                self.reject_now();
            }
            return settle(0);
        };
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
    fn uniform_on_tape(&mut self, max: u64) -> u64 {
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

    fn replace_swarm(&mut self, key: Option<u64>) -> Option<u64> {
        self.tape.as_mut().and_then(|tape| std::mem::replace(&mut tape.swarm, key))
    }

    /// On tape, a collection begins: gives how much was recorded by then.
    pub(crate) fn begin_collection(&mut self, is_text: bool) -> usize {
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
    fn open_span_on_tape(&mut self, label: u32) {
        if let (State::Tape, Some(tape)) = (self.state, &mut self.tape) {
            tape.open_span(label);
        }
    }

    #[cold]
    #[inline(never)]
    fn close_span_on_tape(&mut self) {
        if let (State::Tape, Some(tape)) = (self.state, &mut self.tape) {
            tape.close_span();
        }
    }

    #[cold]
    #[inline(never)]
    fn note_size_read(&mut self) {
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
        #[cfg(feature = "lazy")]
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

/// What the choices of a source depend on: what can be written down before a test runs.
#[cfg(any(feature = "coverage", feature = "isolate"))]
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Origin<'a> {
    pub(crate) items: &'a [Item],
    pub(crate) size: u32,
    /// The place of the random stream that goes on at the end of the items; none if the simplest does.
    pub(crate) at_end: Option<u64>,
    /// How many items may be recorded.
    pub(crate) limit: usize,
    /// Whether assumptions are taken for granted.
    pub(crate) trusts: bool,
    /// Literals that stand for random values here and there, one in each line.
    pub(crate) quotes: &'a str,
    /// The key of the shape of what is drawn at random.
    pub(crate) shape: Option<u64>,
}

/// So often a choice among alternatives is made again when it falls on one that is turned off.
const SWARM_TRIES: u32 = 64;

/// Where a source may be taken back to. The random stream is not: another attempt draws other values.
#[derive(Clone, Copy)]
pub(crate) struct Place {
    size: u32,
    tape: Option<Mark>,
}
