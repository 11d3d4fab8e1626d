//! Dropping chains of cells, however long they are.
//!
//! What a cell holds may end in another one, and so on: a list that a program computes has no bound, and one of a search is as
//! long as the search is deep. Dropped one in the other, they would take the stack that they are long. So from a certain depth on
//! they wait until those around them are gone.

use super::Inner;
use std::cell::{Cell, RefCell};
use std::rc::Rc;

thread_local! {
    /// How many cells are being dropped, one in the other.
    static NESTED: Cell<u32> = const { Cell::new(0) };
    static WAITING: RefCell<Vec<Waiting>> = const { RefCell::new(Vec::new()) };
}

/// So many cells are dropped one in the other. More than most values have, and a few kilobytes of stack.
const MOST_NESTED: u32 = 32;

/// A cell that waits, without its type.
struct Waiting {
    cell: *const (),
    drop: unsafe fn(*const ()),
}

/// Restores the depth, also if what is dropped panics. What still waits then is leaked.
struct Leave(u32);

impl Drop for Leave {
    fn drop(&mut self) {
        NESTED.set(self.0);
        if self.0 == 0 {
            let _ = WAITING.try_with(|waiting| waiting.borrow_mut().clear());
        }
    }
}

/// Drops a cell, now or as soon as those around it are gone.
pub(super) fn drop_in_turn<T>(cell: Rc<Inner<T>>) {
    let nested = NESTED.get();
    if nested >= MOST_NESTED {
        // When the thread ends there may be no list any more: then it is dropped here.
        let _ = WAITING.try_with(|waiting| {
            waiting.borrow_mut().push(Waiting { cell: Rc::into_raw(cell).cast(), drop: drop_cell::<T> });
        });
        return;
    }
    let leave = Leave(nested);
    NESTED.set(nested + 1);
    drop(cell);
    if nested == 0 {
        while let Ok(Some(next)) = WAITING.try_with(|waiting| waiting.borrow_mut().pop()) {
            // SAFETY: it was made of an `Rc` of the type that `drop` is for, and is taken out once. It waited for no longer than
            // the outermost of the cells that it was dropped with, and not beyond its search (`in_search`), so what it borrows is
            // alive: see `Lazy::drop`.
            unsafe { (next.drop)(next.cell) };
        }
    }
    drop(leave);
}

/// Runs a search. The cells that it drops are gone when it ends, even if it runs while others are dropped: values of a search may borrow
/// what lives as long as the search, and no longer.
pub(in crate::lazy) fn in_search<R>(body: impl FnOnce() -> R) -> R {
    struct Restore(u32);
    impl Drop for Restore {
        fn drop(&mut self) {
            NESTED.set(self.0);
        }
    }
    let _restore = Restore(NESTED.replace(0));
    body()
}

/// # Safety
///
/// `cell` comes from `Rc::into_raw` of an `Rc<Inner<T>>` that is dropped by this.
unsafe fn drop_cell<T>(cell: *const ()) {
    // SAFETY: by the contract.
    drop(unsafe { Rc::from_raw(cell.cast::<Inner<T>>()) });
}
