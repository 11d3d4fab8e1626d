//! How many clones of cells are alive: while there are any, nothing is taken back. See `trail.rs` for why.

use super::block::Seed;
use std::cell::Cell;

thread_local! {
    /// For the outermost blocks: the environment that each has now, and how many clones of its cells are alive.
    static CLONES: [(Cell<u32>, Cell<u32>); COUNTED] = const { [const { (Cell::new(0), Cell::new(0)) }; COUNTED] };
}

/// Clones are counted for so many blocks. What lies deeper is made again for each path.
const COUNTED: usize = 8;

/// Counts a clone of a cell of `seed`'s environment (`by` is 1), or one that is gone (-1).
#[inline]
pub(crate) fn count_clone(seed: &Seed, by: i32) {
    CLONES.with(|blocks| {
        if let Some((epoch, clones)) = blocks.get(usize::from(seed.block))
            && epoch.get() == seed.epoch
        {
            clones.set(clones.get().wrapping_add_signed(by));
        }
    });
}

/// Begins to count the clones of an environment.
pub(super) fn begin_counting(block: usize, epoch: u32) {
    CLONES.with(|blocks| {
        if let Some((now, clones)) = blocks.get(block) {
            now.set(epoch);
            clones.set(0);
        }
    });
}

/// Whether no clone of a cell of this environment is alive.
pub(super) fn has_no_clones(block: usize, epoch: u32) -> bool {
    CLONES.with(|blocks| blocks.get(block).is_some_and(|(now, clones)| now.get() == epoch && clones.get() == 0))
}
