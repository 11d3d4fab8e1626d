//! Literals of the tested code in the place of random values: on tape, where a generator would draw at random.
//!
//! The hot path knows nothing of them. Generators ask for one before they draw on tape, and record what they got.

use super::super::quotes::Quotes;
use super::{Random, Source, Tape};

impl Source {
    /// Test `number` among those that quote `literals`, one in each line. Everything is recorded.
    pub(crate) fn quoting(literals: &str, seed: u64, number: u64, size: u32) -> Self {
        let mut tape = Tape::new(&[], true, size);
        tape.quote(literals);
        // Not the stream of a random test.
        Self::on_tape(Random::for_test(!seed, number), size, tape)
    }

    /// What it quotes, one literal in each line.
    pub(super) fn quotes_as_text(&self) -> &str {
        self.tape.as_ref().and_then(|tape| tape.quotes.as_ref()).map_or("", |quotes| quotes.text())
    }

    /// What may be quoted here, if the next choice is random.
    fn quotes(&mut self) -> Option<(&mut Quotes, &mut Random)> {
        if !self.is_at_random_end() {
            return None;
        }
        Some((self.tape.as_mut()?.quotes.as_mut()?, &mut self.random))
    }

    /// An integer literal that fits here; or, if this is a byte, the next one of a text.
    #[cold]
    pub(crate) fn quoted_integer(&mut self, is_byte: bool, fits: &dyn Fn(i128) -> bool) -> Option<i128> {
        let (quotes, random) = self.quotes()?;
        quotes.integer(random, is_byte, fits)
    }

    /// A number literal.
    #[cold]
    pub(crate) fn quoted_float(&mut self) -> Option<f64> {
        let (quotes, random) = self.quotes()?;
        quotes.float(random)
    }

    /// A character literal, or the next character of a text.
    #[cold]
    pub(crate) fn quoted_char(&mut self) -> Option<char> {
        let (quotes, random) = self.quotes()?;
        quotes.char(random)
    }

    /// A collection begins that was to have so many elements: how many it has, if a text is to be written into it.
    #[cold]
    pub(crate) fn begin_quote(&mut self, planned: usize, fits: &dyn Fn(usize) -> bool) -> Option<usize> {
        let (quotes, random) = self.quotes()?;
        quotes.begin(random, planned, fits)
    }

    /// The collection is complete.
    #[cold]
    pub(crate) fn end_quote(&mut self) {
        if let Some((quotes, _)) = self.quotes() {
            quotes.end();
        }
    }
}

impl Tape {
    /// From here on these literals stand for random values here and there.
    pub(super) fn quote(&mut self, literals: &str) {
        self.quotes = Quotes::of(literals).map(Box::new);
    }
}
