//! Dropping chains of deferred cells, however long they are.
//!
//! What a deferred cell holds may end in another one, and so on: a list that a program computes has no bound. Dropped one in
//! the other, they would take the stack that they are long. So from a certain depth on they wait until those around them
//! are gone.

use super::Inner;
use std::any::Any;
use std::cell::{Cell, RefCell};
use std::rc::Rc;

thread_local! {
    /// How many cells are being dropped, one in the other.
    static NESTED: Cell<u32> = const { Cell::new(0) };
    static WAITING: RefCell<Vec<Rc<dyn Any>>> = const { RefCell::new(Vec::new()) };
}

/// So many cells are dropped one in the other. More than most values have, and a few kilobytes of stack.
const MOST_NESTED: u32 = 32;

/// Restores the depth, also if what is dropped panics.
struct Leave(u32);

impl Drop for Leave {
    fn drop(&mut self) {
        NESTED.set(self.0);
    }
}

/// Drops a cell, now or as soon as those around it are gone.
pub(super) fn drop_in_turn<T: 'static>(cell: Rc<Inner<T>>) {
    let nested = NESTED.get();
    if nested >= MOST_NESTED {
        // When the thread ends there may be no list any more: then it is dropped here.
        let _ = WAITING.try_with(|waiting| waiting.borrow_mut().push(cell));
        return;
    }
    let leave = Leave(nested);
    NESTED.set(nested + 1);
    drop(cell);
    if nested == 0 {
        while let Ok(Some(next)) = WAITING.try_with(|waiting| waiting.borrow_mut().pop()) {
            drop(next);
        }
    }
    drop(leave);
}
