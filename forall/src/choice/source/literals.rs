//! Literals of the code under test in place of random values: on tape, where a generator would draw at random.
//!
//! The hot path is not affected. Generators ask for a literal before they draw on tape, and record the result.

use super::super::literals::Literals;
use super::{Random, Source, Tape};

impl Source {
    /// Test `number` among those with `literals`, one per line. Everything is recorded.
    pub(crate) fn with_literals(literals: &str, seed: u64, number: u64, size: u32) -> Self {
        let mut tape = Tape::new(&[], true, size);
        tape.use_literals(literals);
        // Distinct from the stream of a random test.
        Self::on_tape(Random::for_test(!seed, number), size, tape)
    }

    /// Its literals, one per line.
    pub(super) fn literals_as_text(&self) -> &str {
        self.tape.as_ref().and_then(|tape| tape.literals.as_ref()).map_or("", |literals| literals.text())
    }

    /// The literals, if the next choice is random.
    fn literals(&mut self) -> Option<(&mut Literals, &mut Random)> {
        if !self.is_at_random_end() {
            return None;
        }
        Some((self.tape.as_mut()?.literals.as_mut()?, &mut self.random))
    }

    /// A fitting integer literal; or, for a byte, the next one of a string.
    #[cold]
    pub(crate) fn literal_integer(&mut self, is_byte: bool, fits: &dyn Fn(i128) -> bool) -> Option<i128> {
        let (literals, random) = self.literals()?;
        literals.integer(random, is_byte, fits)
    }

    /// A number literal.
    #[cold]
    pub(crate) fn literal_float(&mut self) -> Option<f64> {
        let (literals, random) = self.literals()?;
        literals.float(random)
    }

    /// A character literal, or the next character of a string.
    #[cold]
    pub(crate) fn literal_char(&mut self) -> Option<char> {
        let (literals, random) = self.literals()?;
        literals.char(random)
    }

    /// Starts a collection of this length: returns its new length if a string is written into it.
    #[cold]
    pub(crate) fn begin_literal(&mut self, planned: usize, fits: &dyn Fn(usize) -> bool) -> Option<usize> {
        let (literals, random) = self.literals()?;
        literals.begin(random, planned, fits)
    }

    /// Ends the collection.
    #[cold]
    pub(crate) fn end_literal(&mut self) {
        if let Some((literals, _)) = self.literals() {
            literals.end();
        }
    }
}

impl Tape {
    /// Uses these literals in place of some random values from here on.
    pub(super) fn use_literals(&mut self, literals: &str) {
        self.literals = Literals::of(literals).map(Box::new);
    }
}
