//! Sources of choices. Drawing is here; `source/` has the creation of sources (`creating.rs`), the cold half of each
//! draw (`taped.rs`), shapes (`shaping.rs`), and the result of a test's draws (`result.rs`).

use super::generator::Generator;
use super::tape::Tape;
use super::{Draw, Random};
use std::cell::Cell;
use std::panic::resume_unwind;

mod creating;
mod literals;
mod near;
mod result;
mod shaping;
mod taped;

pub(crate) use creating::Origin;
pub(crate) use taped::Place;

/// A source of choices for one test.
///
/// A source is random or on tape (exhaustive searches have a third mode). In *random* mode, the hot path, a draw is one
/// step of a counter-based generator, and nothing is recorded. On *tape*, values come from a given
/// [`Sequence`](super::Sequence) as long as it lasts, and every draw is recorded.
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

/// The mode: one byte that every draw reads.
#[derive(Clone, Copy, Debug, PartialEq)]
#[repr(u8)]
enum State {
    Random,
    Tape,
    /// The test was rejected; draws until the generator returns do not matter.
    Rejected,
    /// The choices are those of the search on this thread.
    Search,
}

/// How the assumptions of a property are handled.
#[derive(Clone, Copy, Debug, PartialEq)]
#[repr(u8)]
enum Assumptions {
    /// Checked.
    Checked,
    /// Checked, and the values of a discarded test are printed.
    Printed,
    /// Assumed to hold.
    Assumed,
}

/// The payload with which [`Source::reject_now`] unwinds. A runner that catches it discards the test.
///
/// ```
/// use forall::choice::{Rejected, Source};
/// let caught = std::panic::catch_unwind(|| Source::random(0, 0, 0).reject_now());
/// assert!(caught.unwrap_err().is::<Rejected>());
/// ```
#[derive(Clone, Copy, Debug)]
#[doc(hidden)]
pub struct Rejected;

impl Rejected {
    /// Rejects a test.
    #[cold]
    pub(crate) fn unwind() -> ! {
        RAISED.set(true);
        resume_unwind(Box::new(Rejected))
    }

    /// Whether a test was rejected on this thread since the last call.
    pub(crate) fn was_raised() -> bool {
        RAISED.take()
    }
}

thread_local! {
    static RAISED: Cell<bool> = const { Cell::new(false) };
}

/// The payload with which a block of tests unwinds when forks exceed the recording limit.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Overrun;

/// The payload with which a block of tests unwinds when a body drew from one source on several threads.
#[derive(Clone, Copy, Debug)]
pub(crate) struct SeveralThreads;

impl Source {
    /// Whether the choices are those of a search.
    pub(crate) fn is_search(&self) -> bool {
        self.state == State::Search
    }

    /// Whether its tape still has choices to draw.
    pub(crate) fn has_input(&self) -> bool {
        self.state == State::Tape && self.tape.as_ref().is_some_and(|tape| tape.has_input())
    }

    /// Whether the next item on its tape is a fork: the recorded run forked here.
    pub(crate) fn has_fork_ahead(&self) -> bool {
        self.state == State::Tape && self.tape.as_ref().is_some_and(|tape| tape.has_fork_ahead())
    }

    /// Draws a value from a generator: `source.draw(0..10)`, `source.draw(any::<String>())`.
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

    /// Draws one choice from 0 to `max`, both included, all equally likely.
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

    /// Draws one choice from 0 to `max` with a custom distribution: `pick` receives the random stream and the size.
    ///
    /// The distribution affects only random testing; replay, shrinking and enumeration see only the value. A value
    /// above `max` returned by `pick` is clamped to `max`.
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
    #[doc(hidden)]
    pub fn choice_with(&mut self, max: u64, pick: impl Fn(&mut Random, u32) -> u64) -> u64 {
        if self.is_random() { pick(&mut self.random, self.size).min(max) } else { self.choice_on_tape(max, &pick) }
    }

    /// Returns the size of this test, 0 to 100 in an ordinary run. Generators produce larger values as it grows.
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

    /// Sets the size until further notice; returns the previous one. For generators that treat it as a budget.
    #[inline(always)]
    pub(crate) fn set_size(&mut self, size: u32) -> u32 {
        std::mem::replace(&mut self.size, size)
    }

    /// A random word that is not a choice: it shapes the distribution of later ones. `None` on a tape that still has
    /// input, or ends with the simplest.
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

    /// Moves the random stream to another position; returns the previous one. For generators that repeat themselves.
    #[inline(always)]
    pub(crate) fn replace_random(&mut self, random: Random) -> Random {
        std::mem::replace(&mut self.random, random)
    }

    /// Groups the draws of `body` into one part of the input, which the shrinker may delete, replace or move as a
    /// whole.
    ///
    /// `label` is the kind of the part; parts with the same label are interchangeable. Labels from 2^30 on are reserved
    /// for the library.
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

    /// Returns a separate source for choices that are made later: in a lazy cell, a function, a command that has not
    /// run yet.
    ///
    /// Its choices are placed in the sequence where the fork was created, regardless of the order of draws.
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

    /// A fork that depends on `key`, and not on when it is created: for a table that is filled on demand.
    pub(crate) fn fork_for(&mut self, key: u64) -> Source {
        let before = self.random;
        let own = Random::from_key(self.random.word() ^ Random::from_key(key).word());
        let fork = self.fork();
        self.random = before;
        Source { random: own, ..fork }
    }

    /// Rejects this test: it will be discarded. Until the generator returns, every draw produces the simplest value.
    #[cold]
    ///
    /// On a fork, which may be used after generation, this rejects the test immediately, like [`Source::reject_now`].
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
            Rejected::unwind();
        }
    }

    /// Rejects this test at once by unwinding, for generators that have no value to return.
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
        Rejected::unwind()
    }

    /// Takes the assumptions of the property (`implies`) for granted instead of checking them: for generators that are
    /// correct by construction. See [`Tester::without_assumptions`](crate::run::Tester::without_assumptions).
    pub(crate) fn trust(&mut self) {
        self.assumptions = Assumptions::Assumed;
    }

    pub(crate) fn trusts(&self) -> bool {
        self.assumptions == Assumptions::Assumed
    }

    /// Prints the values up to an assumption that does not hold, which takes longer than most tests. A search does not:
    /// it discards often.
    pub(crate) fn print_discarded(&mut self) {
        if self.assumptions == Assumptions::Checked && !self.is_search() {
            self.assumptions = Assumptions::Printed;
        }
    }

    pub(crate) fn prints_discarded(&self) -> bool {
        self.assumptions == Assumptions::Printed
    }

    /// Returns whether the test was rejected.
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

    /// Returns whether choices are random and unrecorded: the fast path of a generator.
    ///
    /// ```
    /// use forall::choice::Source;
    /// assert!(Source::random(42, 0, 100).is_random());
    /// assert!(!Source::record(42, 0, 100).is_random());
    /// ```
    #[inline(always)]
    #[doc(hidden)]
    pub fn is_random(&self) -> bool {
        self.state as u8 == State::Random as u8
    }

    /// Rejects this test: a collection found `count` distinct elements, and needs at least `least`.
    #[cold]
    pub(crate) fn reject_for_want(&mut self, count: usize, least: usize) -> ! {
        if let Some(tape) = &mut self.tape {
            tape.shortage = Some((count, least));
        }
        // By unwinding: callers rely on the minimum.
        self.reject_now()
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
}
