//! The record of a tape, and those of its forks.

use super::super::{Choice, Item, Sequence, Span};
use std::ops::{Deref, DerefMut, Range};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

#[derive(Debug)]
pub(super) enum Recorder {
    Own(Segment),
    /// A fork writes where its parent will read, since its last draw may come at any time.
    Fork(Arc<Mutex<Segment>>),
}

#[derive(Debug, Default)]
pub(super) struct Segment {
    pub(super) entries: Vec<Entry>,
    pub(super) spans: Vec<Span>,
}

#[derive(Debug)]
pub(super) enum Entry {
    Choice(Choice),
    Fork(Arc<Mutex<Segment>>),
}
impl Recorder {
    /// The number of recorded entries.
    pub(super) fn len(&self) -> usize {
        match self {
            Recorder::Own(segment) => segment.entries.len(),
            Recorder::Fork(shared) => shared.lock().unwrap_or_else(PoisonError::into_inner).entries.len(),
        }
    }

    pub(super) fn segment(&mut self) -> Borrowed<'_> {
        match self {
            Recorder::Own(segment) => Borrowed::Own(segment),
            Recorder::Fork(shared) => Borrowed::Fork(shared.lock().unwrap_or_else(PoisonError::into_inner)),
        }
    }
}

/// The segment of a recorder.
pub(super) enum Borrowed<'a> {
    Own(&'a mut Segment),
    Fork(MutexGuard<'a, Segment>),
}

impl Deref for Borrowed<'_> {
    type Target = Segment;

    fn deref(&self) -> &Segment {
        match self {
            Borrowed::Own(segment) => segment,
            Borrowed::Fork(segment) => segment,
        }
    }
}

impl DerefMut for Borrowed<'_> {
    fn deref_mut(&mut self) -> &mut Segment {
        match self {
            Borrowed::Own(segment) => segment,
            Borrowed::Fork(segment) => segment,
        }
    }
}

/// A recording reserves memory for at most this many items of its input at once: a long input may be hardly read.
const MOST_RESERVED: usize = 1 << 12;

impl Segment {
    /// Creates an empty one for about so many items. There is at most about one span to an item.
    pub(super) fn for_items(items: usize) -> Self {
        let items = items.min(MOST_RESERVED);
        Self { entries: Vec::with_capacity(items), spans: Vec::with_capacity(items) }
    }

    /// The choices in a part of it, up to the first fork.
    pub(super) fn choices(&self, part: Range<usize>) -> Vec<Item> {
        let mut choices = Vec::new();
        for entry in &self.entries[part] {
            let Entry::Choice(choice) = entry else { break };
            choices.push(Item::Choice(*choice));
        }
        choices
    }

    pub(super) fn flatten(&self, sequence: &mut Sequence) {
        if !self.entries.iter().any(|entry| matches!(entry, Entry::Fork(_))) {
            return self.append(sequence);
        }
        // The final position of each entry, and of the end, among the items.
        let mut places = Vec::with_capacity(self.entries.len() + 1);
        // The spans of this segment precede those of its forks, so that spans are in the order of opening per segment.
        let first_span = sequence.spans.len();
        sequence.spans.extend_from_slice(&self.spans);
        for entry in &self.entries {
            places.push(sequence.items.len() as u32);
            match entry {
                Entry::Choice(choice) => sequence.items.push(Item::Choice(*choice)),
                Entry::Fork(fork) => {
                    let at = sequence.items.len();
                    sequence.items.push(Item::Fork { len: 0 });
                    fork.lock().unwrap_or_else(PoisonError::into_inner).flatten(sequence);
                    let len = (sequence.items.len() - at - 1) as u32;
                    sequence.items[at] = Item::Fork { len };
                }
            }
        }
        places.push(sequence.items.len() as u32);
        for (at, own) in self.spans.iter().enumerate() {
            let span = &mut sequence.spans[first_span + at];
            span.start = places[own.start as usize];
            span.end = places[own.end as usize];
        }
    }

    /// As [`Segment::flatten`], without forks: each entry is one item.
    fn append(&self, sequence: &mut Sequence) {
        let first = sequence.items.len() as u32;
        sequence.items.reserve(self.entries.len());
        for entry in &self.entries {
            if let Entry::Choice(choice) = entry {
                sequence.items.push(Item::Choice(*choice));
            }
        }
        sequence.spans.reserve(self.spans.len());
        for span in &self.spans {
            sequence.spans.push(Span { start: first + span.start, end: first + span.end, ..*span });
        }
    }
}
