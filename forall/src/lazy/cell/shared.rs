//! Counted pointers to cells: `Rc` without weak references, whose memory comes from free lists.
//!
//! Programs that defer their results create and drop a cell for each of them, so a quarter of their search would be spent in the allocator. During a
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
    /// The free list of its memory, or `LISTS` if there is none.
    list: u32,
    value: C,
}

impl<C> Shared<C> {
    /// Creates a value in place: a cell is mostly space for a value that comes later, which is not to be copied.
    ///
    /// # Safety
    ///
    /// `write` initialises the value that it gets a pointer to.
    #[inline]
    pub(super) unsafe fn written(write: impl FnOnce(*mut C)) -> Self {
        let list = list(Layout::new::<Counted<C>>());
        // SAFETY: the layout is that of a `Counted`, which has a size; all of its fields are written.
        unsafe {
            let counted = take(list, Layout::new::<Counted<C>>()).cast::<Counted<C>>();
            (&raw mut (*counted.as_ptr()).pointers).write(Cell::new(1));
            (&raw mut (*counted.as_ptr()).list).write(list as u32);
            write(&raw mut (*counted.as_ptr()).value);
            Self::from_counted(counted)
        }
    }
}

impl<C: ?Sized> Shared<C> {
    /// # Safety
    ///
    /// `counted` comes from `into_counted`, perhaps unsized since then, and is used once.
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
                let counted = self.counted.as_ref();
                let (list, layout) = (counted.list as usize, Layout::for_value(counted));
                ptr::drop_in_place(&raw mut (*self.counted.as_ptr()).value);
                give(self.counted.cast(), list, layout);
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

/// Whether memory is kept: not in debug builds, but for the tests below.
const KEEPS: bool = cfg!(any(test, not(debug_assertions)));

/// The sizes and the alignment of memory that is kept. A `Free` fits into it.
const UNIT: usize = 16;
/// Larger cells are rare, and their memory is left to the allocator.
const LISTS: usize = 16;

thread_local! {
    // It needs no drop, since the lists are empty when no search runs: cells can be dropped even while the thread ends.
    static LISTS_OF_THREAD: Lists = const { Lists { free: [const { Cell::new(None) }; LISTS], searches: Cell::new(0) } };
}

/// The list for memory of this layout, or `LISTS`.
#[inline]
fn list(layout: Layout) -> usize {
    let list = layout.size().wrapping_sub(1) / UNIT;
    if layout.align() > UNIT { LISTS } else { list.min(LISTS) }
}

/// The layout of memory in a list.
#[inline]
fn layout_in(list: usize) -> Layout {
    // SAFETY: the alignment is a power of two, and the size is small.
    unsafe { Layout::from_size_align_unchecked((list + 1) * UNIT, UNIT) }
}

/// Takes memory for a cell.
///
/// # Safety
///
/// The layout has a size, and `list` is that for the layout.
#[inline]
unsafe fn take(list: usize, layout: Layout) -> NonNull<u8> {
    let first = LISTS_OF_THREAD.with(|lists| {
        let list = lists.free.get(list)?;
        let first = list.get()?;
        // SAFETY: what is in a list is free memory, which begins with a `Free`.
        list.set(unsafe { first.read() }.next);
        Some(first.cast())
    });
    // SAFETY: by the contract.
    first.unwrap_or_else(|| unsafe { allocate(if list < LISTS { layout_in(list) } else { layout }) })
}

/// # Safety
///
/// The layout has a size.
#[cold]
unsafe fn allocate(layout: Layout) -> NonNull<u8> {
    // SAFETY: by the contract.
    NonNull::new(unsafe { alloc(layout) }).unwrap_or_else(|| handle_alloc_error(layout))
}

/// Gives memory back.
///
/// # Safety
///
/// It comes from `take` with the same arguments, and is not used again.
#[inline]
unsafe fn give(memory: NonNull<u8>, list: usize, layout: Layout) {
    let is_kept = LISTS_OF_THREAD.with(|lists| match lists.free.get(list) {
        Some(list) if KEEPS && lists.searches.get() > 0 => {
            // SAFETY: it is large enough and aligned for a `Free`, and nothing else uses it.
            unsafe { memory.cast().write(Free { next: list.get() }) };
            list.set(Some(memory.cast()));
            true
        }
        _ => false,
    });
    if !is_kept {
        let layout = if list < LISTS { layout_in(list) } else { layout };
        // SAFETY: `take` allocated it with this layout.
        unsafe { dealloc(memory.as_ptr(), layout) };
    }
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
                    dealloc(memory.as_ptr().cast(), layout_in(list));
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::panic::catch_unwind;
    use std::rc::Rc;

    fn shared<C>(value: C) -> Shared<C> {
        // SAFETY: the value is written.
        unsafe { Shared::written(|place: *mut C| place.write(value)) }
    }

    fn address<C>(shared: &Shared<C>) -> usize {
        &raw const **shared as usize
    }

    fn kept() -> usize {
        LISTS_OF_THREAD.with(|lists| lists.free.iter().filter(|list| list.get().is_some()).count())
    }

    #[test]
    fn a_value_is_dropped_once_with_its_last_pointer() {
        let owner = Rc::new(());
        let (first, unsized_value) = (shared(owner.clone()), shared([owner.clone(), owner.clone()]));
        let second = first.clone();
        assert!(!first.is_only());
        drop(first);
        assert!(second.is_only() && Rc::strong_count(&owner) == 4);
        // SAFETY: the pointer is used once.
        let slice: Shared<[Rc<()>]> =
            unsafe { Shared::from_counted(unsized_value.into_counted() as NonNull<Counted<[Rc<()>]>>) };
        assert_eq!(slice.len(), 2);
        drop((second, slice));
        assert_eq!(Rc::strong_count(&owner), 1);
    }

    #[test]
    fn memory_is_reused_within_a_search_only() {
        in_search(|| {
            let first = shared([1u64; 3]);
            let at = address(&first);
            drop(first);
            in_search(|| assert_eq!(kept(), 1));
            assert_eq!(kept(), 1, "the outer search goes on");
            let (second, other) = (shared([2u64; 3]), shared([3u64; 3]));
            assert_eq!((address(&second), kept()), (at, 0));
            assert_ne!(address(&other), at);
        });
        assert_eq!(kept(), 0);
        drop(shared(5));
        assert_eq!(kept(), 0);
    }

    #[test]
    fn values_of_all_sizes_and_alignments_fit() {
        #[repr(align(64))]
        struct Aligned(u8);
        in_search(|| {
            for _ in 0..3 {
                let (aligned, large, empty) = (shared(Aligned(7)), shared([8u8; 1000]), shared(()));
                assert_eq!(address(&aligned) % 64, 0);
                assert_eq!((aligned.0, large[999], *empty), (7, 8, ()));
                let sized: Vec<Shared<[u8; 255]>> = (0..9).map(|n| shared([n; 255])).collect();
                assert!((0..9).all(|n| sized[usize::from(n)].iter().all(|byte| *byte == n)));
            }
        });
        assert_eq!(kept(), 0);
    }

    #[test]
    fn a_search_that_unwinds_gives_its_memory_back() {
        let unwound = catch_unwind(|| {
            in_search(|| {
                drop(shared("text"));
                panic!("the search ends");
            })
        });
        assert!(unwound.is_err());
        assert_eq!(kept(), 0);
    }
}
