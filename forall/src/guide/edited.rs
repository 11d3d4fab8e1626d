//! The items of a mutant in the making.

use crate::choice::{Choice, Item, Sequence};
use crate::shrink::splice;
use crate::sort::sort_by;
use std::ops::Range;

/// The items of a mutant in the making. Values are changed at once, parts when all edits are known, from the last to the
/// first, since each moves what comes after it.
pub(super) struct Edited {
    items: Vec<Item>,
    replacements: Vec<(Range<usize>, Vec<Item>)>,
}

impl Edited {
    pub(super) fn new(input: &Sequence) -> Self {
        Self { items: input.items.clone(), replacements: Vec::new() }
    }

    /// How many items there were at the beginning.
    pub(super) fn len(&self) -> usize {
        self.items.len()
    }

    /// The choice at a place, if there is one.
    pub(super) fn choice(&self, at: usize) -> Option<Choice> {
        match self.items.get(at) {
            Some(&Item::Choice(choice)) => Some(choice),
            _ => None,
        }
    }

    /// Another value for the choice at a place.
    pub(super) fn set(&mut self, at: usize, new: u64) {
        if let Some(Item::Choice(choice)) = self.items.get_mut(at) {
            choice.value = new;
        }
    }

    /// Other items for a range; for an empty one, items in front of it.
    pub(super) fn replace(&mut self, range: Range<usize>, by: Vec<Item>) {
        self.replacements.push((range, by));
    }

    /// All of it done.
    pub(super) fn into_items(mut self) -> Vec<Item> {
        sort_by(&mut self.replacements, |(a, _), (b, _)| a.start.cmp(&b.start));
        let mut untouched = self.items.len();
        while let Some((range, by)) = self.replacements.pop() {
            // Of two that overlap, the later one is done.
            if range.end <= untouched {
                untouched = range.start;
                splice(&mut self.items, range, &by);
            }
        }
        self.items
    }
}
