//! The end of what has no end: how much one evaluation may force.

use super::signal::Signal;
use super::trail::Search;

/// The deferred cells that one evaluation may force: more than a structure has that fits a bounded search, and reached within
/// a second where there is no end, also without optimisation.
pub(super) const FUEL: u64 = 1 << 20;

/// And the stack that it may take for that, in bytes: half of what a thread of the test harness has. Functions that recur along
/// an endless structure come to the end of the stack before they come to the end of the fuel.
const STACK: usize = 1 << 20;

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
        if left == 0 || self.base.get().abs_diff(stack_pointer()) > STACK {
            Signal::Endless.unwind();
        }
        self.fuel.set(left - 1);
    }
}
