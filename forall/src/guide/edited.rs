//! The items of a mutant while it is edited.

use crate::choice::{Choice, Item, Sequence};
use crate::shrink::splice;
use crate::sort::sort_by;
use std::ops::Range;

/// The items of a mutant while it is edited. Values are changed immediately; parts are replaced once all edits are
/// known, from last to first, since each replacement shifts the items after it.
pub(super) struct Edited {
    items: Vec<Item>,
    replacements: Vec<(Range<usize>, Vec<Item>)>,
}

impl Edited {
    pub(super) fn new(input: &Sequence) -> Self {
        Self { items: input.items.clone(), replacements: Vec::new() }
    }

    /// The original number of items.
    pub(super) fn len(&self) -> usize {
        self.items.len()
    }

    /// The choice at a position, if there is one.
    pub(super) fn choice(&self, at: usize) -> Option<Choice> {
        match self.items.get(at) {
            Some(&Item::Choice(choice)) => Some(choice),
            _ => None,
        }
    }

    /// Replaces the value of the choice at a position.
    pub(super) fn set(&mut self, at: usize, new: u64) {
        if let Some(Item::Choice(choice)) = self.items.get_mut(at) {
            choice.value = new;
        }
    }

    /// Replaces a range of items; inserts before it if it is empty.
    pub(super) fn replace(&mut self, range: Range<usize>, by: Vec<Item>) {
        self.replacements.push((range, by));
    }

    /// Applies all edits.
    pub(super) fn into_items(mut self) -> Vec<Item> {
        sort_by(&mut self.replacements, |(a, _), (b, _)| a.start.cmp(&b.start));
        let mut untouched = self.items.len();
        while let Some((range, by)) = self.replacements.pop() {
            // Of two overlapping ones, the later one is applied.
            if range.end <= untouched {
                untouched = range.start;
                splice(&mut self.items, range, &by);
            }
        }
        self.items
    }
}
