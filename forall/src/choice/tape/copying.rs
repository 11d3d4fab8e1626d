//! Copies of earlier parts of a shaped test: a copy is the input of the part that it fills.

use super::super::{Item, Span, scale};
use super::Tape;
use std::sync::Arc;

/// The number of spans that can be copied: all are examined for each copy.
const MOST_SPANS: usize = 1024;

/// The number of collections that can be copied.
const MOST_COLLECTIONS: usize = 64;

/// The part that a copy fills. At its end, the rest of the copy is dropped.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Copying {
    /// The span at this nesting depth.
    Span { depth: usize },
    /// The collection that began at this number of recorded items.
    Collection { start: usize },
}

impl Tape {
    /// In a shaped test: now and then copies an earlier span of the same kind into the span that is about to be opened.
    #[cold]
    pub(super) fn copy_span(&mut self, label: u32) {
        if self.has_input() || self.copying.is_some() || !self.random_at_end {
            return;
        }
        let Some(shape) = &mut self.shape else { return };
        if label >> 31 == 1 {
            shape.begin_variable();
        }
        let Some(word) = shape.copies_here() else { return };
        let segment = self.recorded.segment();
        let mut same = Vec::new();
        for (at, span) in segment.spans.iter().take(MOST_SPANS).enumerate() {
            if Span::are_alike(span.label, label) && span.start < span.end && !self.open.contains(&at) {
                same.push(span.start as usize..span.end as usize);
            }
        }
        let Some(last) = same.len().checked_sub(1) else { return };
        let mut copy = segment.choices(same[scale(word, last as u64) as usize].clone());
        drop(segment);
        shape.spend(&mut copy);
        self.copy(copy, Copying::Span { depth: self.open.len() });
    }

    /// The same for a collection, a string or another.
    pub(in crate::choice) fn copy_collection(&mut self, is_text: bool) {
        if self.has_input() || self.copying.is_some() || !self.random_at_end {
            return;
        }
        let Some(shape) = &mut self.shape else { return };
        let Some(copied) = shape.collection_of(is_text) else { return };
        let segment = self.recorded.segment();
        let (mut copy, start) = (segment.choices(copied), segment.entries.len());
        drop(segment);
        shape.spend_on_collection(&mut copy, is_text);
        self.copy(copy, Copying::Collection { start });
    }

    /// Ends a collection that began at this number of recorded items.
    pub(in crate::choice) fn end_collection(&mut self, start: usize, length: usize, is_text: bool) {
        let end = self.recorded.segment().entries.len();
        if self.copying == Some(Copying::Collection { start }) {
            self.end_copy();
        }
        let Some(shape) = &mut self.shape else { return };
        shape.remember_length(length);
        if shape.collections.len() < MOST_COLLECTIONS {
            shape.collections.push(start..end);
            if is_text {
                shape.texts.push(start..end);
            }
        }
    }

    fn copy(&mut self, mut copy: Vec<Item>, copying: Copying) {
        if let Some(shape) = &mut self.shape {
            shape.alter(&mut copy);
        }
        (self.next, self.end) = (0, copy.len());
        (self.input, self.copying) = (Arc::from(copy), Some(copying));
    }

    /// Drops the rest of a copy. Other input is not affected.
    pub(in crate::choice) fn end_copy(&mut self) {
        if self.copying.take().is_some() {
            self.next = self.end;
        }
    }

    /// Skips the next choice of a copy if its maximum is `max`.
    pub(in crate::choice) fn skip_copied(&mut self, max: u64) {
        if self.copying.is_some()
            && matches!(self.input[self.next..self.end].first(), Some(Item::Choice(choice)) if choice.max == max)
        {
            self.next += 1;
        }
    }

    /// Draws at random in the middle of a copy, until it is resumed.
    pub(in crate::choice) fn set_copy_aside(&mut self) -> Option<usize> {
        self.copying.map(|_| std::mem::replace(&mut self.next, self.end))
    }

    pub(in crate::choice) fn resume_copy(&mut self, copy: Option<usize>) {
        if let Some(next) = copy {
            self.next = next;
        }
    }
}
