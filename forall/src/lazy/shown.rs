//! The state of a search's environment: which cells are decided, to print a counterexample, and how many values it
//! represents.

use super::block::{ROOT, Seed, Undecided};
use super::trail::{Search, next_epoch};

impl Search {
    /// While a counterexample is shown: whether the cell of `seed` is decided on this path.
    pub(crate) fn is_shown_decided(&self, seed: &Seed) -> bool {
        let blocks = self.blocks.borrow();
        let Some(block) = blocks.get(usize::from(seed.block)).filter(|_| self.frozen.get()) else { return false };
        block.decisions.iter().any(|old| old.parent == seed.parent && old.ordinal == seed.ordinal && !old.free)
    }

    pub(crate) fn is_frozen(&self) -> bool {
        self.frozen.get()
    }

    /// The cells made by a decision that are decided, including released ones.
    pub(crate) fn children(&self, block: u16, parent: u32) -> Vec<u32> {
        let blocks = self.blocks.borrow();
        let Some(block) = blocks.get(usize::from(block)) else { return Vec::new() };
        let mut ordinals = Vec::new();
        for decision in &block.decisions {
            if decision.parent == parent {
                ordinals.push(decision.ordinal);
            }
        }
        ordinals
    }

    /// Runs `body`, which rebuilds the environment of this path to print it.
    pub(crate) fn show<R>(&self, block: usize, body: impl FnOnce() -> R) -> R {
        struct Thaw<'a>(&'a Search);
        impl Drop for Thaw<'_> {
            fn drop(&mut self) {
                self.0.frozen.set(false);
            }
        }
        let epoch = next_epoch();
        {
            let block = &mut self.blocks.borrow_mut()[block];
            (block.epoch, block.next, block.open, block.made) = (epoch, 0, ROOT, 0);
        }
        self.frozen.set(true);
        self.watches.set(true);
        let _thaw = Thaw(self);
        body()
    }

    /// Whether the creation of cells is being tracked.
    #[inline]
    pub(crate) fn watches_cells(&self) -> bool {
        self.watches.get()
    }

    /// Starts counting the undecided cells of a block.
    pub(crate) fn count_open(&self, block: usize) {
        self.watches.set(true);
        self.blocks.borrow_mut()[block].undecided = Some(Vec::new());
    }

    /// Whether they are being counted.
    pub(super) fn counts_open(&self, block: u16) -> bool {
        self.watches.get()
            && self.blocks.borrow().get(usize::from(block)).is_some_and(|block| block.undecided.is_some())
    }

    /// Records that a cell was made whose type has this many values.
    pub(crate) fn made_cell(&self, seed: &Seed, values: fn(&Search, u32) -> f64) {
        let mut blocks = self.blocks.borrow_mut();
        if let Some(undecided) = blocks.get_mut(usize::from(seed.block)).and_then(|block| block.undecided.as_mut()) {
            undecided.push(Undecided { seed: *seed, values });
        }
    }

    /// The number of values that the environment represents: the number of ways to complete its undecided parts.
    pub(crate) fn completions(&self, block: usize) -> f64 {
        let mut open = Vec::new();
        {
            let block = &self.blocks.borrow()[block];
            for cell in block.undecided.iter().flatten() {
                let Seed { parent, ordinal, .. } = cell.seed;
                if !block.decisions.iter().any(|known| known.parent == parent && known.ordinal == ordinal) {
                    open.push(*cell);
                }
            }
        }
        let mut completions = 1.0;
        for Undecided { seed, values } in open {
            completions *= values(self, seed.depth);
        }
        completions
    }
}
