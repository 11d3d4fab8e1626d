//! Beginnings of paths, as choices: what a part of a search is told by, and an input that was found before.

use super::block::{Choice, ROOT, UNKNOWN};
use super::trail::Search;

impl Search {
    /// Begins a part of a search: the paths that begin with these choices.
    pub(super) fn begin_part(&self, block: usize, beginning: &[u32]) {
        let block = &mut self.blocks.borrow_mut()[block];
        block.trail = beginning.iter().map(|&value| Choice { value, max: UNKNOWN, owner: ROOT }).collect();
        block.given = beginning.len();
    }

    /// The choices of the path, each with the largest that it could have been.
    pub(super) fn choices(&self, block: usize) -> Vec<(u32, u32)> {
        let mut choices = Vec::new();
        for choice in &self.blocks.borrow()[block].trail {
            choices.push((choice.value, choice.max));
        }
        choices
    }

    /// The choices of the path.
    pub(super) fn path(&self, block: usize) -> Vec<u32> {
        self.blocks.borrow()[block].trail.iter().map(|choice| choice.value).collect()
    }

    /// What is left of a part whose search stopped before a path: that path, and all that come after it.
    pub(super) fn parts_left(&self, block: usize) -> Vec<Vec<u32>> {
        let path = self.path(block);
        let block = &self.blocks.borrow()[block];
        let mut parts = vec![path.clone()];
        for place in block.given..path.len() {
            for value in path[place] + 1..=block.trail[place].max {
                let mut beginning = path[..place].to_vec();
                beginning.push(value);
                parts.push(beginning);
            }
        }
        parts
    }
}
