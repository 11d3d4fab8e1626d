//! Detects endless evaluation: limits how much one evaluation may force.

use super::block::Block;
use super::signal::Signal;
use super::trail::Search;

/// The number of deferred cells that one evaluation may force: more than any structure in a bounded search has, and few
/// enough to be reached within a second by an endless one, even in a debug build.
pub(super) const FUEL: u64 = 1 << 20;

/// And the stack that it may use for this, in bytes: half of the stack of a test harness thread. Functions that recurse
/// along an endless structure run out of stack before they run out of fuel.
const STACK: usize = 1 << 20;

/// And the maximum nesting of the cells that it decides: in a type that contains itself at the same depth they nest
/// without end, and such deep values cannot be dropped without overflowing the stack.
const MAX_NESTED: u32 = 1 << 11;

/// A deep search may nest them further: by this many cells per level of depth. A list needs one per level, wrapped
/// types more.
const NESTED_PER_DEPTH: u32 = 4;

/// The nesting is checked every this many decisions.
pub(super) const LOOK_AT_STACK: u32 = 1 << 6;

/// And the stack every this many deferred cells: between two checks, these use a small part of what is left.
const LOOK_AT_STACK_WHEN_FORCED: u64 = 1 << 3;

/// The approximate stack pointer.
#[inline(never)]
pub(super) fn stack_pointer() -> usize {
    let here = 0u8;
    &raw const here as usize
}

impl Search {
    /// Counts a deferred cell that is forced.
    pub(crate) fn burn(&self) {
        let left = self.fuel.get();
        if left.is_multiple_of(LOOK_AT_STACK_WHEN_FORCED) && (left == 0 || self.is_stack_spent()) {
            self.raise(Signal::Endless);
        }
        self.fuel.set(left - 1);
    }

    /// Whether a cell made by this decision is nested too deeply, or the stack is nearly used up.
    #[cold]
    pub(super) fn goes_too_deep(&self, block: &Block, mut parent: u32) -> bool {
        let mut nesting = 0;
        while let Some(outer) = block.decisions.get(parent as usize) {
            (parent, nesting) = (outer.parent, nesting + 1);
        }
        nesting >= MAX_NESTED.max(block.depth.saturating_mul(NESTED_PER_DEPTH)) || self.is_stack_spent()
    }

    /// Whether little of the stack is left.
    pub(crate) fn is_stack_spent(&self) -> bool {
        self.base.get().abs_diff(stack_pointer()) > STACK
    }
}
