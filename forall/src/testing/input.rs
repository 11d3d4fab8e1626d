//! The input of a test: the origin of its choices, and the steps applied to its values.
//!
//! ```text
//! input = size (4) end (1: 0 simplest, 1 random) random (8) limit (8) trusts (1) shaped (1) shape (8) literals: length (4) bytes
//!         steps: count (4) step*  items: count (4) item*
//! step  = kind (1) number (8) quantifier (4)         item = kind (1: 0 choice, 1 fork) number (8)
//! ```

use crate::choice::{Choice, Item, Origin, Source};
use crate::property::Step;
use crate::wire::{Reader, Writer};

/// The input of a test.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Input {
    pub(crate) steps: Vec<Step>,
    items: Vec<Item>,
    size: u32,
    at_end: Option<u64>,
    limit: usize,
    trusts: bool,
    shape: Option<u64>,
    literals: String,
}

impl Input {
    /// A source with the choices of the test.
    pub(crate) fn source(&self) -> Source {
        let &Self { ref items, size, at_end, limit, trusts, shape, ref literals, .. } = self;
        Source::from_origin(&Origin { items, size, at_end, limit, trusts, literals, shape })
    }

    /// Encodes the origin of a source, and steps.
    pub(crate) fn write(writer: &mut Writer, origin: &Origin<'_>, steps: &[Step]) {
        writer.short(origin.size);
        writer.flag(origin.at_end.is_some());
        writer.number(origin.at_end.unwrap_or(0));
        writer.number(origin.limit as u64);
        writer.flag(origin.trusts);
        writer.flag(origin.shape.is_some());
        writer.number(origin.shape.unwrap_or(0));
        writer.text(origin.literals);
        writer.short(steps.len() as u32);
        for step in steps {
            let (kind, quantifier, number) = match *step {
                Step::Shrink { quantifier, candidate } => (0, quantifier, u64::from(candidate)),
                Step::Mutate { quantifier, seed } => (1, quantifier, seed),
                Step::Search { depth } => (2, 0, u64::from(depth)),
            };
            writer.byte(kind);
            writer.number(number);
            writer.short(quantifier);
        }
        writer.short(origin.items.len() as u32);
        for item in origin.items {
            let (kind, number) = match item {
                Item::Choice(choice) => (0, choice.value),
                Item::Fork { len } => (1, u64::from(*len)),
            };
            writer.byte(kind);
            writer.number(number);
        }
    }

    pub(crate) fn read(reader: &mut Reader<'_>) -> Option<Self> {
        let size = reader.short()?;
        let (is_random, place) = (reader.flag()?, reader.number()?);
        let at_end = is_random.then_some(place);
        let limit = usize::try_from(reader.number()?).ok()?;
        let trusts = reader.flag()?;
        let (is_shaped, key) = (reader.flag()?, reader.number()?);
        let shape = is_shaped.then_some(key);
        let literals = reader.text()?.to_owned();
        let mut steps = Vec::new();
        for _ in 0..reader.short()? {
            let (kind, number, quantifier) = (reader.byte()?, reader.number()?, reader.short()?);
            steps.push(match kind {
                0 => Step::Shrink { quantifier, candidate: u32::try_from(number).ok()? },
                1 => Step::Mutate { quantifier, seed: number },
                2 => Step::Search { depth: u32::try_from(number).ok()? },
                _ => return None,
            });
        }
        let mut items = Vec::new();
        for _ in 0..reader.short()? {
            items.push(match (reader.byte()?, reader.number()?) {
                (0, value) => Item::Choice(Choice { value, max: u64::MAX }),
                (1, len) => Item::Fork { len: u32::try_from(len).ok()? },
                _ => return None,
            });
        }
        Some(Self { steps, items, size, at_end, limit, trusts, shape, literals })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::prelude::*;

    #[test]
    fn decoding_an_input_is_total() {
        let property = property! { forall bytes: Vec<u8>; check drop(Input::read(&mut Reader::new(bytes))) };
        forall::check("reading an input", &property);
    }
}
