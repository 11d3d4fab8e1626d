//! Deciding a cell: where its choices are, and whether it may be decided at all.

use super::block::{Decision, Open, ROOT, Seed};
use super::fuel::LOOK_AT_STACK;
use super::pins::FREE;
use super::signal::Signal;
use super::trail::Search;

impl Search {
    /// Begins to decide a cell. None if it must stay open.
    pub(crate) fn begin_decision(&self, seed: &Seed, cell: *const (), empty: unsafe fn(*const ())) -> Option<Open<'_>> {
        let number = usize::from(seed.block);
        let mut blocks = self.blocks.borrow_mut();
        let block = blocks.get_mut(number).filter(|block| block.epoch == seed.epoch)?;
        let (before, resume) = (block.open, self.frozen.get().then_some(block.next));
        if self.frozen.get() {
            let known = |old: &Decision| old.parent == seed.parent && old.ordinal == seed.ordinal && !old.free;
            let index = block.decisions.iter().position(known)?;
            block.next = block.decisions[index].start as usize;
            block.open = index as u32;
        } else {
            // A cell that was decided at this point before may be decided again. Any other cell was refused then, and
            // must be refused now.
            if self.guarded.get() && self.refuses(number, block.expects(seed)) {
                drop(blocks);
                self.raise(Signal::Undecided);
            }
            let (start, index) = (block.next as u32, block.decisions.len() as u32);
            let outermost = block.decisions.get(before as usize).map_or(index, |outer| outer.outermost);
            let Seed { parent, ordinal, .. } = *seed;
            let pin = block.pins.as_ref().map_or(FREE, |pins| {
                let above = block.decisions.get(parent as usize).map_or(ROOT, |decision| decision.pin);
                pins.of_cell(above, ordinal)
            });
            if index % LOOK_AT_STACK == LOOK_AT_STACK - 1 && self.goes_too_deep(block, parent) {
                drop(blocks);
                self.raise(Signal::Endless);
            }
            block.decisions.push(Decision { cell, empty, start, outermost, parent, ordinal, pin, free: false });
            block.open = index;
        }
        let (made, pinned) = (std::mem::take(&mut block.made), std::mem::take(&mut block.pinned));
        Some(Open { search: self, block: number, index: block.open, before, made, pinned, resume, finished: false })
    }
}
