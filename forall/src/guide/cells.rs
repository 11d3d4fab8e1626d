//! Elements of strings and byte strings, as choices.

use crate::choice::{Choice, Item, Sequence, Span};
use crate::generate::{Coded, ELEMENT, FIXED_ELEMENT};
use std::ops::Range;

/// An element of a collection that is one byte or one character.
pub(super) struct Cell {
    pub(super) range: Range<usize>,
    /// Its value as a byte in memory, if it is a single byte.
    pub(super) byte: Option<u8>,
    is_char: bool,
}

impl Cell {
    /// The cell in a span, if it has one.
    pub(super) fn of(input: &Sequence, span: &Span) -> Option<Self> {
        let length = match span.label {
            ELEMENT => 2,
            FIXED_ELEMENT => 1,
            _ => return None,
        };
        let range = span.start as usize..span.end as usize;
        let Item::Choice(Choice { value, max }) = *input.items.get(range.clone())?.last()? else { return None };
        let is_char = max == u64::from(char::MAX.encode());
        let byte = if is_char {
            u8::try_from(char::decode(value as u32)).ok().filter(u8::is_ascii)
        } else {
            u8::try_from(value).ok()
        };
        (span.len() == length && (is_char || max == u64::from(u8::MAX))).then_some(Self { range, byte, is_char })
    }

    pub(super) fn is_char(&self) -> bool {
        self.is_char
    }

    /// Whether it belongs to a collection of fixed length, so that there is no choice for its presence.
    pub(super) fn is_fixed(&self) -> bool {
        self.range.len() == 1
    }

    /// The items of such elements that spell a string.
    pub(super) fn spell(&self, text: &[u8]) -> Vec<Item> {
        spell(text, self.is_char, self.is_fixed())
    }
}

/// The items of elements that spell a string.
pub(super) fn spell(text: &[u8], chars: bool, fixed: bool) -> Vec<Item> {
    let mut items = Vec::new();
    for &byte in text {
        if !fixed {
            items.push(Item::Choice(Choice { value: 1, max: 1 }));
        }
        let value = if chars { u64::from(char::from(byte).encode()) } else { u64::from(byte) };
        items.push(Item::Choice(Choice { value, max: u64::MAX }));
    }
    items
}
