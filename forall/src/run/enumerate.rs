//! Exhaustive enumeration of a small domain, in the order of choices.
//!
//! The next input is the previous one with its last incrementable choice incremented, as in loom and exhaustigen. The
//! only state is the current path.

use crate::choice::{Item, Sequence};

/// The enumeration of all sequences that a generator draws.
///
/// ```
/// use forall::choice::Source;
/// use forall::run::Enumeration;
///
/// let mut seen = Vec::new();
/// let mut enumeration = Enumeration::new(100);
/// while let Some(prefix) = enumeration.next() {
///     let mut source = Source::replay(&prefix);
///     seen.push((source.draw(0..2u8), source.draw(0..3u8)));
///     if !enumeration.ran(&source.into_sequence()) {
///         break;
///     }
/// }
/// assert_eq!(seen, [(0, 0), (0, 1), (0, 2), (1, 0), (1, 1), (1, 2)]);
/// ```
#[derive(Clone, Debug)]
#[doc(hidden)]
pub struct Enumeration {
    size: u32,
    next: Option<Vec<u64>>,
    ran: u64,
}

impl Enumeration {
    /// Creates an enumeration that starts with the simplest input, at `size`.
    ///
    /// ```
    /// use forall::run::Enumeration;
    /// let first = Enumeration::new(100).next().unwrap();
    /// assert!(first.is_empty(), "nothing is chosen yet: all simplest");
    /// ```
    pub fn new(size: u32) -> Self {
        Self { size, next: Some(Vec::new()), ran: 0 }
    }

    /// Returns the prefix of choices of the next input, to be followed by the simplest ones; `None` after the last input.
    ///
    /// ```
    /// use forall::{choice::Source, run::Enumeration};
    /// let mut enumeration = Enumeration::new(100);
    /// let mut source = Source::replay(&enumeration.next().unwrap());
    /// source.choice(9);
    /// enumeration.ran(&source.into_sequence());
    /// assert_eq!(enumeration.next().unwrap().values().collect::<Vec<_>>(), [1]);
    /// ```
    #[expect(clippy::should_implement_trait, reason = "what comes next depends on what `ran` is told")]
    pub fn next(&mut self) -> Option<Sequence> {
        self.next.take().map(|values| Sequence::from_values(self.size, &values))
    }

    /// Records the choices of a test. Returns false if the enumeration cannot continue, because some choices may be
    /// made after generation.
    ///
    /// ```
    /// use forall::{choice::Source, run::Enumeration};
    /// let mut enumeration = Enumeration::new(100);
    /// let mut source = Source::replay(&enumeration.next().unwrap());
    /// source.fork().choice(9);
    /// assert!(!enumeration.ran(&source.into_sequence()), "a fork may be drawn from late");
    /// ```
    pub fn ran(&mut self, drawn: &Sequence) -> bool {
        self.ran += 1;
        let mut path = Vec::with_capacity(drawn.len());
        for item in &drawn.items {
            match item {
                Item::Choice(choice) => path.push(*choice),
                Item::Fork { .. } => return false,
            }
        }
        self.next = None;
        while let Some(last) = path.pop() {
            if last.value < last.max {
                let mut values = Vec::with_capacity(path.len() + 1);
                for choice in &path {
                    values.push(choice.value);
                }
                values.push(last.value + 1);
                self.next = Some(values);
                break;
            }
        }
        true
    }

    /// Returns a lower bound on the number of inputs, after the test that drew `drawn`.
    ///
    /// ```
    /// use forall::{choice::Source, run::Enumeration};
    /// let mut enumeration = Enumeration::new(100);
    /// let mut source = Source::replay(&enumeration.next().unwrap());
    /// source.choice(9);
    /// let drawn = source.into_sequence();
    /// enumeration.ran(&drawn);
    /// assert_eq!(enumeration.at_least(&drawn), 10);
    /// ```
    pub fn at_least(&self, drawn: &Sequence) -> u64 {
        let mut inputs = self.ran;
        for item in &drawn.items {
            if let Item::Choice(choice) = item {
                inputs = inputs.saturating_add(choice.max - choice.value);
            }
        }
        inputs
    }
}
