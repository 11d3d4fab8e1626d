//! Dropping chains of cells of any length.
//!
//! The value of a cell may end in another cell, and so on: a computed list has no bound, and a list of a search is as
//! long as the search is deep. Recursive drops would need stack in proportion. Beyond a certain nesting depth, cells
//! are therefore queued and dropped after the cells that contain them.

use super::shared::{self, Counted, Shared};
use std::cell::{Cell, RefCell};
use std::mem::MaybeUninit;
use std::ptr::NonNull;

thread_local! {
    /// The number of cells that are being dropped, one inside the other.
    static NESTED: Cell<u32> = const { Cell::new(0) };
    /// Whether cells wait: this is cheaper to read than the list of them.
    static WAIT: Cell<bool> = const { Cell::new(false) };
    static WAITING: RefCell<Vec<Waiting>> = const { RefCell::new(Vec::new()) };
}

/// This many cells are dropped recursively: more than most values have, and a few kilobytes of stack.
const MAX_NESTED: u32 = 32;

/// Space for a pointer to a sized or unsized value.
type Pointer = MaybeUninit<[*const (); 2]>;

/// A cell that waits, without its type.
struct Waiting {
    cell: Pointer,
    drop: unsafe fn(Pointer),
}

/// Restores the nesting, even if a drop panics. Cells that still wait then are leaked.
struct Leave(u32);

impl Drop for Leave {
    fn drop(&mut self) {
        NESTED.set(self.0);
        if self.0 == 0 && WAIT.replace(false) {
            let _ = WAITING.try_with(|waiting| waiting.borrow_mut().clear());
        }
    }
}

/// Drops a cell, now or as soon as the cells that contain it have been dropped.
pub(super) fn drop_in_turn<C: ?Sized>(cell: Shared<C>) {
    let nested = NESTED.get();
    if nested >= MAX_NESTED {
        // The list may be gone when the thread ends: then the cell is dropped here.
        let _ = WAITING.try_with(|waiting| {
            WAIT.set(true);
            waiting.borrow_mut().push(Waiting { cell: into_pointer(cell), drop: drop_cell::<C> });
        });
        return;
    }
    let leave = Leave(nested);
    NESTED.set(nested + 1);
    drop(cell);
    if nested == 0 && WAIT.get() {
        while let Ok(Some(next)) = WAITING.try_with(|waiting| waiting.borrow_mut().pop()) {
            // SAFETY: it was made of a `Shared` of the type that `drop` is for, and is taken out once. It waited for no longer than
            // the outermost of the cells that it was dropped with, and not beyond its search (`in_search`), so what it borrows is
            // alive: see `Lazy::drop`.
            unsafe { (next.drop)(next.cell) };
        }
    }
    drop(leave);
}

/// Runs a search. All cells that it drops have been freed when it returns, even if it runs during the drop of other
/// cells: values of a search may borrow data that lives as long as the search, and no longer.
pub(in crate::lazy) fn in_search<R>(body: impl FnOnce() -> R) -> R {
    struct Restore(u32);
    impl Drop for Restore {
        fn drop(&mut self) {
            NESTED.set(self.0);
        }
    }
    let _restore = Restore(NESTED.replace(0));
    shared::in_search(body)
}

fn into_pointer<C: ?Sized>(cell: Shared<C>) -> Pointer {
    type To<C> = NonNull<Counted<C>>;
    const { assert!(size_of::<To<C>>() <= size_of::<Pointer>() && align_of::<To<C>>() <= align_of::<Pointer>()) };
    let mut pointer = Pointer::uninit();
    // SAFETY: there is space for it, as asserted.
    unsafe { pointer.as_mut_ptr().cast::<To<C>>().write(cell.into_counted()) };
    pointer
}

/// # Safety
///
/// `cell` comes from `into_pointer` of a `Shared<C>`, which this drops.
unsafe fn drop_cell<C: ?Sized>(cell: Pointer) {
    // SAFETY: by the contract.
    drop(unsafe { Shared::from_counted(cell.as_ptr().cast::<NonNull<Counted<C>>>().read()) });
}
