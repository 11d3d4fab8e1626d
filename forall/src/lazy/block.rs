//! A block of adjacent quantifiers of the same kind: its trail of choices, and the cells they decided.

use super::pending::Pending;
use super::pins::Pins;
use super::trail::Search;
use crate::choice::Rejected;

/// The number of alternatives of a choice made by another worker, until it is made here.
pub(super) const UNKNOWN: u32 = u32::MAX;

/// The owner of a choice or cell that was made while creating the environment, outside of any cell.
pub(crate) const ROOT: u32 = u32::MAX;

pub(super) use crate::generate::series::Seed;

/// The quantifiers that share a trail.
pub(super) struct Block {
    pub(super) epoch: u32,
    pub(super) depth: u32,
    pub(super) trail: Vec<Choice>,
    /// The number of fixed choices at the start of the trail, which identify a part of the search and are not advanced.
    pub(super) given: usize,
    /// The index of the next choice; before the end of the trail, the recorded choice is repeated.
    pub(super) next: usize,
    pub(super) decisions: Vec<Decision>,
    /// The decision that is being made, or [`ROOT`].
    pub(super) open: u32,
    /// Whether the environment can be rolled back.
    pub(super) plain: bool,
    /// The number of cells made outside of a series for the decision in progress, or for the environment.
    pub(super) made: u32,
    /// Whether a run diverged from the trail.
    pub(super) strayed: bool,
    /// While a counterexample is being widened: the pinned decisions, and the number of choices of the current decision
    /// (or the environment) taken from them.
    pub(super) pins: Option<Pins>,
    pub(super) pinned: u32,
    /// The index of the first cell of each variable drawn from its type.
    pub(super) variables: Vec<u32>,
    /// For a nested quantifier: its variable and that variable's type.
    pub(super) quantifier: (&'static str, &'static str),
    /// The number of decided cells in the enclosing blocks when its trail began.
    pub(super) around: usize,
    /// The cells that were made, if they are being counted.
    pub(super) undecided: Option<Vec<Undecided>>,
}

/// A cell that was made: its parent, and the number of its possible values.
#[derive(Clone, Copy)]
pub(super) struct Undecided {
    pub(super) seed: Seed,
    pub(super) values: fn(&Search, u32) -> f64,
}

#[derive(Clone, Copy, Debug)]
pub(super) struct Choice {
    pub(super) value: u32,
    pub(super) max: u32,
    /// The decision it belongs to, or [`ROOT`].
    pub(super) owner: u32,
    /// The [`mark`] of the cell that was decided.
    pub(super) asked: u32,
}

/// A cell that was decided.
#[derive(Clone, Copy)]
pub(super) struct Decision {
    pub(super) cell: *const (),
    pub(super) empty: unsafe fn(*const ()),
    /// Its first choice.
    pub(super) start: u32,
    /// The outermost decision during which this one was made, or itself.
    pub(super) outermost: u32,
    pub(super) parent: u32,
    pub(super) ordinal: u32,
    /// While a counterexample is widened: its pin.
    pub(super) pin: u32,
    /// And whether it is free (unpinned).
    pub(super) free: bool,
}

impl Block {
    pub(super) fn new(depth: u32) -> Self {
        Self {
            epoch: 0,
            depth,
            trail: Vec::new(),
            given: 0,
            next: 0,
            decisions: Vec::new(),
            open: ROOT,
            plain: true,
            made: 0,
            strayed: false,
            pins: None,
            pinned: 0,
            variables: Vec::new(),
            quantifier: ("", ""),
            around: 0,
            undecided: None,
        }
    }
}

/// A fingerprint of a cell, derived from what made it; different cells almost always have different ones. This detects
/// a property that reads different cells from run to run, even if those cells have equally many alternatives.
#[inline]
fn mark(parent: u32, ordinal: u32) -> u32 {
    let odd = 0x9e37_79b1;
    parent.wrapping_mul(odd) ^ ordinal
}

impl Block {
    /// The mark of the cell that is being decided.
    #[inline]
    pub(super) fn asked(&self) -> u32 {
        self.decisions.get(self.open as usize).map_or(0, |open| mark(open.parent, open.ordinal))
    }

    /// Whether the trail says that this cell is decided next.
    pub(super) fn expects(&self, seed: &Seed) -> bool {
        let next = self.trail.get(self.next);
        next.is_some_and(|next| next.max != UNKNOWN && next.asked == mark(seed.parent, seed.ordinal))
    }
}

/// A decision under way.
pub(crate) struct Open<'a> {
    pub(crate) search: &'a Search,
    pub(crate) block: usize,
    pub(crate) index: u32,
    /// The enclosing decision.
    pub(super) before: u32,
    pub(super) made: u32,
    pub(super) pinned: u32,
    /// While a counterexample is being shown: the position at which the environment resumes.
    pub(super) resume: Option<usize>,
    /// Whether there is a value.
    pub(crate) finished: bool,
}

impl Drop for Open<'_> {
    fn drop(&mut self) {
        if !self.finished && Rejected::was_raised() {
            self.search.remember(Pending::Rejected(self.block));
        }
        if let Some(block) = self.search.blocks.borrow_mut().get_mut(self.block) {
            (block.open, block.made, block.pinned) = (self.before, self.made, self.pinned);
            if let Some(next) = self.resume {
                block.next = next;
            }
        }
    }
}
