//! Counts live clones of cells: as long as there are any, nothing is rolled back. See `trail.rs` for why.

use super::block::Seed;
use std::cell::Cell;

thread_local! {
    /// For the outermost blocks: the current environment of each, and the number of live clones of its cells.
    static CLONES: [(Cell<u32>, Cell<u32>); COUNTED] = const { [const { (Cell::new(0), Cell::new(0)) }; COUNTED] };
}

/// Clones are counted for this many blocks. The environments of deeper blocks are rebuilt for each path.
const COUNTED: usize = 8;

/// Counts a clone (`by` is 1) or the drop of a clone (-1) of a cell in the environment of `seed`.
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
