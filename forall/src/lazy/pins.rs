//! The decisions of a path, cell by cell, so that some can be released: see `widen.rs`.

use super::block::{Block, Choice, Decision, ROOT};
use super::trail::Search;

/// A cell, or a part of one, that is not pinned.
pub(super) const FREE: u32 = u32::MAX - 1;

/// The decisions of a path, grouped by cell.
#[derive(Default)]
pub(super) struct Pins {
    /// The choices made while creating the environment.
    root: Vec<u32>,
    cells: Vec<Pin>,
}

struct Pin {
    parent: u32,
    ordinal: u32,
    choices: Vec<u32>,
    free: bool,
}

impl Pins {
    /// The pin of a cell; `FREE` if it, or a cell that contains it, is released.
    pub(super) fn of_cell(&self, parent: u32, ordinal: u32) -> u32 {
        let same = |pin: &Pin| pin.parent == parent && pin.ordinal == ordinal;
        match self.cells.iter().position(same) {
            Some(place) if !self.cells[place].free && parent != FREE => place as u32,
            _ => FREE,
        }
    }

    /// The choice of a pin at a position, if any.
    pub(super) fn choice(&self, pin: u32, place: u32) -> Option<u32> {
        let choices = match pin {
            ROOT => &self.root,
            FREE => return None,
            _ => &self.cells.get(pin as usize)?.choices,
        };
        choices.get(place as usize).copied()
    }

    /// The number of cells.
    pub(super) fn len(&self) -> usize {
        self.cells.len()
    }

    /// Whether a cell is part of a released cell.
    pub(super) fn is_inside_free(&self, cell: usize) -> bool {
        let parent = self.cells[cell].parent;
        parent != ROOT && (self.cells[parent as usize].free || self.is_inside_free(parent as usize))
    }

    pub(super) fn set_free(&mut self, cell: usize, free: bool) {
        self.cells[cell].free = free;
    }

    pub(super) fn is_free(&self, cell: usize) -> bool {
        self.cells[cell].free
    }
}

/// The choices of a path and the cells they decided, to be restored later.
#[derive(Clone)]
pub(super) struct Trail {
    trail: Vec<Choice>,
    decisions: Vec<Decision>,
}

impl Search {
    /// The choices and decisions of the path of a block.
    pub(super) fn pins(&self, block: usize) -> (Trail, Pins) {
        let block = &self.blocks.borrow()[block];
        let mut pins = Pins::default();
        for decision in &block.decisions {
            let Decision { parent, ordinal, .. } = *decision;
            pins.cells.push(Pin { parent, ordinal, choices: Vec::new(), free: false });
        }
        for choice in &block.trail {
            match pins.cells.get_mut(choice.owner as usize) {
                Some(pin) => pin.choices.push(choice.value),
                None => pins.root.push(choice.value),
            }
        }
        (Trail { trail: block.trail.clone(), decisions: block.decisions.clone() }, pins)
    }

    /// Begins a search over what the pins leave free.
    pub(super) fn pin(&self, block: usize, pins: Pins) {
        let block = &mut self.blocks.borrow_mut()[block];
        *block = Block { pins: Some(pins), ..Block::new(block.depth) };
    }

    /// Ends it.
    pub(super) fn unpin(&self, block: usize) -> Pins {
        self.blocks.borrow_mut()[block].pins.take().unwrap_or_default()
    }

    /// Restores a path; only what is not free is shown.
    pub(super) fn restore(&self, block: usize, path: Trail, pins: &Pins) {
        let Trail { trail, mut decisions } = path;
        for (cell, decision) in decisions.iter_mut().enumerate() {
            decision.free = pins.is_free(cell);
        }
        let block = &mut self.blocks.borrow_mut()[block];
        *block = Block { trail, decisions, ..Block::new(block.depth) };
    }
}
