//! A block of like quantifiers: its trail of choices, and the cells that they decided.

use super::pending::Pending;
use super::pins::Pins;
use super::trail::Search;
use crate::choice::Rejected;

/// The number of alternatives of a choice that was made elsewhere, until it is made here.
pub(super) const UNKNOWN: u32 = u32::MAX;

/// What made a choice or a cell when no cell was being decided: the making of the environment.
pub(crate) const ROOT: u32 = u32::MAX;

pub(super) use crate::generate::series::Seed;

/// The quantifiers that share a trail.
pub(super) struct Block {
    pub(super) epoch: u32,
    pub(super) depth: u32,
    pub(super) trail: Vec<Choice>,
    /// So many choices at its beginning are given, and not advanced: a part of a search has them.
    pub(super) given: usize,
    /// The next choice to be made: before the end of the trail it is made as it stands there.
    pub(super) next: usize,
    pub(super) decisions: Vec<Decision>,
    /// The decision that is being made, or [`ROOT`].
    pub(super) open: u32,
    /// Whether the environment can be taken back.
    pub(super) plain: bool,
    /// How many cells were made for the decision that is being made, or the environment, other than by a series.
    pub(super) made: u32,
    /// Something did not go as the trail says.
    pub(super) strayed: bool,
    /// While a counterexample is widened: what is decided already, and how many choices of the decision that is being made, or
    /// of the environment, were taken from there.
    pub(super) pins: Option<Pins>,
    pub(super) pinned: u32,
    /// Where the cells of each variable that is drawn by its type begin.
    pub(super) variables: Vec<u32>,
    /// Of a quantifier inside: its variable and the type of that.
    pub(super) quantifier: (&'static str, &'static str),
    /// How many cells of the blocks around it were decided when its trail began.
    pub(super) around: usize,
    /// Where it matters: the cells that were made.
    pub(super) undecided: Option<Vec<Undecided>>,
}

/// A cell that was made: by what, and how many values it can have.
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
    /// The decision in whose making this one was made, or itself.
    pub(super) outermost: u32,
    pub(super) parent: u32,
    pub(super) ordinal: u32,
    /// While a counterexample is widened: its pin.
    pub(super) pin: u32,
    /// And whether it is let go.
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

/// A number for a cell, by what made it: other cells most likely have another. So a property that does not look at the same cells
/// each time it runs is noticed, even if they have as many alternatives.
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

    /// Whether a cell is the next to be decided, by the trail.
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
    /// The decision in whose making it is made.
    pub(super) before: u32,
    pub(super) made: u32,
    pub(super) pinned: u32,
    /// While a counterexample is shown: where the environment goes on.
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
