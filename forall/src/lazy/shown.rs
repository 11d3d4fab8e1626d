//! What a search says of its environment: which cells are decided, to show a counterexample, and how many values it stands for.

use super::block::{Block, ROOT, Seed};
use super::trail::{Search, next_epoch};

impl Search {
    /// While a counterexample is shown: whether the cell of `seed` is decided on this path.
    pub(crate) fn is_shown_decided(&self, seed: &Seed) -> bool {
        self.frozen.get() && self.children(seed.block, seed.parent).contains(&seed.ordinal)
    }

    pub(crate) fn is_frozen(&self) -> bool {
        self.frozen.get()
    }

    /// Which of the cells that a decision made are decided.
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

    /// Runs `body`, which makes the environment of this path again to show it.
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

    /// Whether anyone wants to know of cells that are made.
    #[inline]
    pub(crate) fn watches_cells(&self) -> bool {
        self.watches.get()
    }

    /// From now on, what is undecided in a block is counted.
    pub(crate) fn count_open(&self, block: usize) {
        self.watches.set(true);
        self.blocks.borrow_mut()[block].undecided = Some(Vec::new());
    }

    /// A cell was made, whose type has so many values.
    pub(crate) fn made_cell(&self, seed: &Seed, values: impl FnOnce() -> f64) {
        let counts = |block: &Block| block.undecided.is_some();
        if !self.blocks.borrow().get(usize::from(seed.block)).is_some_and(counts) {
            return;
        }
        let values = values();
        if let Some(undecided) = &mut self.blocks.borrow_mut()[usize::from(seed.block)].undecided {
            undecided.push((seed.parent, seed.ordinal, values));
        }
    }

    /// How many values the environment stands for: those that what is undecided in it can be completed to.
    pub(crate) fn completions(&self, block: usize) -> f64 {
        let blocks = self.blocks.borrow();
        let block = &blocks[block];
        let mut completions = 1.0;
        for &(parent, ordinal, values) in block.undecided.iter().flatten() {
            if !block.decisions.iter().any(|known| known.parent == parent && known.ordinal == ordinal) {
                completions *= values;
            }
        }
        completions
    }
}
