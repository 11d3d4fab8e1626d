//! A search takes no more memory the longer it runs.

use std::alloc::{GlobalAlloc, Layout, System};
use std::sync::atomic::{AtomicUsize, Ordering};

/// Counts the bytes that are in use, and the most there were.
struct Counting;

static IN_USE: AtomicUsize = AtomicUsize::new(0);
static MOST: AtomicUsize = AtomicUsize::new(0);

// SAFETY: everything is left to the system's allocator.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        let in_use = IN_USE.fetch_add(layout.size(), Ordering::Relaxed) + layout.size();
        MOST.fetch_max(in_use, Ordering::Relaxed);
        // SAFETY: the contract is the same.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, place: *mut u8, layout: Layout) {
        IN_USE.fetch_sub(layout.size(), Ordering::Relaxed);
        // SAFETY: the contract is the same.
        unsafe { System.dealloc(place, layout) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

/// Bytes by which the most memory in use may grow from one depth to the next: what deeper values take, and tables that depend on
/// the depth.
const A_LITTLE: usize = 16 * 1024;

#[test]
fn memory_does_not_grow_with_the_number_of_evaluations() {
    for (name, depths) in [("redblack", [3, 4]), ("listset1", [7, 10]), ("catch", [2, 3])] {
        let program = lazy_programs::all().into_iter().find(|program| program.name == name).expect("it is there");
        let property = (program.property)();
        let most = depths.map(|depth| {
            let before = IN_USE.load(Ordering::Relaxed);
            MOST.store(before, Ordering::Relaxed);
            let evaluations = forall::lazy::search(&*property, depth).evaluations;
            (evaluations, MOST.load(Ordering::Relaxed) - before)
        });
        println!("{name}: {most:?}");
        assert!(most[1].0 > 3 * most[0].0, "there are more evaluations: {most:?}");
        assert!(most[1].1 < most[0].1 + A_LITTLE, "{name} needs more memory for more evaluations: {most:?}");
    }
}
