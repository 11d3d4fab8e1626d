//! The end of what has no end: how much one evaluation may force.

use super::block::Block;
use super::signal::Signal;
use super::trail::Search;

/// The deferred cells that one evaluation may force: more than a structure has that fits a bounded search, and reached within
/// a second where there is no end, also without optimisation.
pub(super) const FUEL: u64 = 1 << 20;

/// And the stack that it may take for that, in bytes: half of what a thread of the test harness has. Functions that recur along
/// an endless structure come to the end of the stack before they come to the end of the fuel.
const STACK: usize = 1 << 20;

/// And how deep the cells that it decides may lie in each other: a type that contains itself at the same depth has no end to
/// them, and what lies so deep cannot be dropped within the stack.
const MOST_NESTED: u32 = 1 << 11;

/// A deep search may have more of them: so many in each other for each of its depth. A list has one; what is wrapped has more.
const NESTED_PER_DEPTH: u32 = 4;

/// After so many decisions it is looked how deep they are.
pub(super) const LOOK_AT_STACK: u32 = 1 << 6;

/// About where the stack is.
#[inline(never)]
pub(super) fn stack_pointer() -> usize {
    let here = 0u8;
    &raw const here as usize
}

impl Search {
    /// Counts a deferred cell that is forced.
    pub(crate) fn burn(&self) {
        let left = self.fuel.get();
        if left == 0 || self.is_stack_spent() {
            self.raise(Signal::Endless);
        }
        self.fuel.set(left - 1);
    }

    /// Whether a cell that this decision made lies too deep, or there is no stack to go on.
    #[cold]
    pub(super) fn goes_too_deep(&self, block: &Block, mut parent: u32) -> bool {
        let mut nesting = 0;
        while let Some(outer) = block.decisions.get(parent as usize) {
            (parent, nesting) = (outer.parent, nesting + 1);
        }
        nesting >= MOST_NESTED.max(block.depth.saturating_mul(NESTED_PER_DEPTH)) || self.is_stack_spent()
    }

    /// Whether there is not much of the stack left.
    pub(crate) fn is_stack_spent(&self) -> bool {
        self.base.get().abs_diff(stack_pointer()) > STACK
    }
}
