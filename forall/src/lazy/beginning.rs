//! Prefixes of paths, as choices: they identify a part of a search, and an input found earlier.

use super::block::{Choice, ROOT, UNKNOWN};
use super::trail::Search;

/// A part of a search: a path and all later paths that share its first `given` choices.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Part {
    pub(super) path: Vec<u32>,
    pub(super) given: usize,
}

impl Part {
    /// All paths that begin with these choices.
    pub(super) fn beginning(path: Vec<u32>) -> Self {
        Self { given: path.len(), path }
    }
}

impl Search {
    /// Begins a part of a search.
    pub(super) fn begin_part(&self, block: usize, part: &Part) {
        let block = &mut self.blocks.borrow_mut()[block];
        block.trail = part.path.iter().map(|&value| Choice { value, max: UNKNOWN, owner: ROOT, asked: 0 }).collect();
        block.given = part.given;
    }

    /// The choices of the path, each with the maximum it could have had.
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

    /// Splits the rest of a part whose search stopped before a path: the continuation of that path, and the
    /// alternatives of the first choice that has any. These are the largest parts there are, so splitting is rarely
    /// needed again.
    pub(super) fn cut(&self, block: usize) -> Vec<Part> {
        let path = self.path(block);
        let block = &self.blocks.borrow()[block];
        let mut first = block.given;
        while first < path.len() && path[first] == block.trail[first].max {
            first += 1;
        }
        let mut parts = vec![Part { given: path.len().min(first + 1), path: path.clone() }];
        if first < path.len() {
            for value in path[first] + 1..=block.trail[first].max {
                let mut beginning = path[..first].to_vec();
                beginning.push(value);
                parts.push(Part::beginning(beginning));
            }
        }
        parts
    }
}
