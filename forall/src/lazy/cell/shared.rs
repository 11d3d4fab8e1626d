//! Counted pointers to cells: `Rc` without weak references, whose memory comes from free lists.
//!
//! Programs that defer their results create and drop a cell for each of them, so half of a search would be spent in the allocator. During a
//! search, the memory of a dropped cell goes to a list of its thread and size instead, and the next cell takes it from there. When the
//! search ends, the lists are emptied (`in_search`): memory is kept for no longer than the search, and is no more than its cells took at once.
//!
//! Debug builds keep no memory, so that valgrind sees each use of a dropped cell.

use std::alloc::{Layout, alloc, dealloc, handle_alloc_error};
use std::cell::Cell;
use std::marker::PhantomData;
use std::ops::Deref;
use std::process::abort;
use std::ptr::{self, NonNull};

/// A pointer to a value that is dropped with its last pointer.
pub(in crate::lazy) struct Shared<C: ?Sized> {
    counted: NonNull<Counted<C>>,
    owns: PhantomData<Counted<C>>,
}

#[repr(C)]
pub(super) struct Counted<C: ?Sized> {
    pointers: Cell<u32>,
    value: C,
}

impl<C> Shared<C> {
    pub(super) fn new(value: C) -> Self {
        // SAFETY: it is written to once, and read only as the `Counted` that is written here.
        unsafe {
            let counted = take(Layout::new::<Counted<C>>()).cast::<Counted<C>>();
            counted.write(Counted { pointers: Cell::new(1), value });
            Self::from_counted(counted)
        }
    }
}

impl<C: ?Sized> Shared<C> {
    /// # Safety
    ///
    /// `counted` comes from `new` or `into_counted`, perhaps unsized, and its pointer is not used elsewhere.
    pub(super) unsafe fn from_counted(counted: NonNull<Counted<C>>) -> Self {
        Self { counted, owns: PhantomData }
    }

    /// The pointer without its type's drop, for `from_counted`.
    pub(super) fn into_counted(self) -> NonNull<Counted<C>> {
        let counted = self.counted;
        std::mem::forget(self);
        counted
    }

    /// Whether this is the only pointer.
    #[inline]
    pub(super) fn is_only(&self) -> bool {
        self.pointers().get() == 1
    }

    #[inline]
    fn pointers(&self) -> &Cell<u32> {
        // SAFETY: a pointer keeps it alive, and nothing refers to it mutably before the last one is dropped.
        unsafe { &(*self.counted.as_ptr()).pointers }
    }
}

impl<C: ?Sized> Deref for Shared<C> {
    type Target = C;

    #[inline]
    fn deref(&self) -> &C {
        // SAFETY: as in `pointers`.
        unsafe { &(*self.counted.as_ptr()).value }
    }
}

impl<C: ?Sized> Clone for Shared<C> {
    #[inline]
    fn clone(&self) -> Self {
        let pointers = self.pointers().get();
        if pointers == u32::MAX {
            // Pointers were forgotten: after an overflow the value would be dropped too early.
            abort();
        }
        self.pointers().set(pointers + 1);
        Self { counted: self.counted, owns: PhantomData }
    }
}

impl<C: ?Sized> Drop for Shared<C> {
    #[inline]
    fn drop(&mut self) {
        let pointers = self.pointers().get() - 1;
        self.pointers().set(pointers);
        if pointers == 0 {
            // SAFETY: this was the last pointer, so that nothing refers to the value. If its drop panics, the memory is leaked.
            unsafe {
                let layout = Layout::for_value(self.counted.as_ref());
                ptr::drop_in_place(&raw mut (*self.counted.as_ptr()).value);
                give(self.counted.cast(), layout);
            }
        }
    }
}

/// Free memory of one size.
#[derive(Clone, Copy)]
struct Free {
    next: Option<NonNull<Free>>,
}

/// The free lists of a thread: list `n` has memory of `n + 1` times `UNIT` bytes.
struct Lists {
    free: [Cell<Option<NonNull<Free>>>; LISTS],
    /// The number of searches that run, one inside the other. Without one, nothing is kept.
    searches: Cell<u32>,
}

/// The sizes and the alignment of memory that is kept. A `Free` fits into it.
const UNIT: usize = 16;
/// Larger cells are rare, and their memory is left to the allocator.
const LISTS: usize = 16;

thread_local! {
    // It needs no drop, since the lists are empty when no search runs: cells can be dropped even while the thread ends.
    static LISTS_OF_THREAD: Lists = const { Lists { free: [const { Cell::new(None) }; LISTS], searches: Cell::new(0) } };
}

/// The list for memory of this layout, and the layout of the memory in it.
#[inline]
fn list(layout: Layout) -> Option<(usize, Layout)> {
    let list = layout.size().wrapping_sub(1) / UNIT;
    if layout.align() > UNIT || list >= LISTS {
        return None;
    }
    // SAFETY: the alignment is a power of two, and the size is small.
    Some((list, unsafe { Layout::from_size_align_unchecked((list + 1) * UNIT, UNIT) }))
}

/// Takes memory for a cell.
///
/// # Safety
///
/// The layout has a size.
#[inline]
unsafe fn take(layout: Layout) -> NonNull<u8> {
    let layout = match list(layout) {
        Some((list, layout)) => {
            let first = LISTS_OF_THREAD.with(|lists| {
                let first = lists.free[list].get()?;
                // SAFETY: what is in a list is free memory, which begins with a `Free`.
                lists.free[list].set(unsafe { first.read() }.next);
                Some(first)
            });
            if let Some(first) = first {
                return first.cast();
            }
            layout
        }
        None => layout,
    };
    // SAFETY: by the contract, and a list's layout has a size.
    NonNull::new(unsafe { alloc(layout) }).unwrap_or_else(|| handle_alloc_error(layout))
}

/// Gives memory back.
///
/// # Safety
///
/// It comes from `take` with the same layout, and is not used again.
#[inline]
unsafe fn give(memory: NonNull<u8>, layout: Layout) {
    let layout = match list(layout) {
        Some((list, layout)) => {
            let is_kept = LISTS_OF_THREAD.with(|lists| {
                let is_kept = !cfg!(debug_assertions) && lists.searches.get() > 0;
                if is_kept {
                    // SAFETY: it is large enough and aligned for a `Free`, and nothing else uses it.
                    unsafe { memory.cast().write(Free { next: lists.free[list].get() }) };
                    lists.free[list].set(Some(memory.cast()));
                }
                is_kept
            });
            if is_kept {
                return;
            }
            layout
        }
        None => layout,
    };
    // SAFETY: `take` allocated it with this layout.
    unsafe { dealloc(memory.as_ptr(), layout) };
}

/// Keeps the memory of dropped cells while `body` runs, for new ones.
pub(in crate::lazy) fn in_search<R>(body: impl FnOnce() -> R) -> R {
    struct Leave;
    impl Drop for Leave {
        fn drop(&mut self) {
            LISTS_OF_THREAD.with(|lists| {
                lists.searches.set(lists.searches.get() - 1);
                if lists.searches.get() == 0 {
                    lists.empty();
                }
            });
        }
    }
    LISTS_OF_THREAD.with(|lists| lists.searches.set(lists.searches.get() + 1));
    let _leave = Leave;
    body()
}

impl Lists {
    fn empty(&self) {
        for (list, first) in self.free.iter().enumerate() {
            let mut next = first.take();
            while let Some(memory) = next {
                // SAFETY: it is free memory of this list, which `take` allocated with this layout. It is in no list any more.
                unsafe {
                    next = memory.read().next;
                    dealloc(memory.as_ptr().cast(), Layout::from_size_align_unchecked((list + 1) * UNIT, UNIT));
                }
            }
        }
    }
}
