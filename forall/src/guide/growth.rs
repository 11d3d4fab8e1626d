//! Feedback by the growth of a counter during a test: work, memory, time.

use super::{Feedback, Observed, Worth};
use std::time::Instant;

/// Feedback by a monotonic counter, such as allocated bytes: a test is useful if the counter grows at least as much as
/// for the best seed.
///
/// A search for inputs that allocate a lot, in a program with a counting allocator:
///
/// ```
/// use forall::guide::{Energy, Growth, Guide, Heap};
/// use forall::prelude::*;
/// use forall::guide::guided;
/// use forall::run::{Run, Settings, Store};
/// use std::alloc::{GlobalAlloc, Layout, System};
/// use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
///
/// struct Counting;
/// static ALLOCATED: AtomicU64 = AtomicU64::new(0);
/// // SAFETY: all calls are forwarded to the system allocator.
/// unsafe impl GlobalAlloc for Counting {
///     unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
///         ALLOCATED.fetch_add(layout.size() as u64, Relaxed);
///         unsafe { System.alloc(layout) }
///     }
///     unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
///         unsafe { System.dealloc(pointer, layout) }
///     }
/// }
/// #[global_allocator]
/// static ALLOCATOR: Counting = Counting;
///
/// let property = property! { forall bits in vec(any::<bool>()).len(40); check table(bits).len() < 100_000 };
/// /// A table whose length doubles with every two bits that are set.
/// fn table(bits: &[bool]) -> Vec<u8> {
///     vec![0; 1 << (bits.iter().filter(|&&bit| bit).count() / 2)]
/// }
/// let settings = Settings::new().tests(5_000).seed(1).store(Store::Off);
/// let session = Run::new("small tables", &property).settings(settings).session().unwrap();
/// let greedy = Guide::new(Growth::of(|| ALLOCATED.load(Relaxed) as f64), Heap::new(Energy::up_to(100)));
/// assert!(guided(session, &mut [greedy]).counterexample.is_some());
/// ```
#[derive(Clone, Debug)]
#[doc(hidden)]
pub struct Growth<F> {
    counter: F,
    before: f64,
}

impl<F: FnMut() -> f64> Growth<F> {
    /// Creates feedback by a counter, which is read before and after each test.
    ///
    /// ```
    /// use forall::guide::{Feedback, Growth, Observed};
    /// use forall::run::{Case, Tested};
    /// use std::cell::Cell;
    /// let work = Cell::new(5.0);
    /// let mut growth = Growth::of(|| work.get());
    /// growth.prepare();
    /// work.set(7.0);
    /// let worth = growth.observe(&Observed::new(0, &Case::default(), &Tested::Pass));
    /// assert_eq!(worth.unwrap().utility, 2.0);
    /// ```
    pub fn of(counter: F) -> Self {
        Self { counter, before: 0.0 }
    }
}

impl Growth<fn() -> f64> {
    /// Creates feedback by time, to search for slow inputs. The time depends on the machine's load, so such a run is not
    /// reproducible.
    ///
    /// ```
    /// use forall::guide::{Energy, Growth, Guide, Heap};
    /// let slowest = Guide::new(Growth::of_time(), Heap::new(Energy::up_to(100)));
    /// # let _ = slowest;
    /// ```
    #[doc(hidden)]
    pub fn of_time() -> Growth<impl FnMut() -> f64> {
        let start = Instant::now();
        Growth::of(move || start.elapsed().as_secs_f64())
    }
}

impl<F: FnMut() -> f64> Feedback for Growth<F> {
    fn needs_discards(&self) -> bool {
        false
    }

    fn prepare(&mut self) {
        self.before = (self.counter)();
    }

    fn observe(&mut self, test: &Observed<'_>) -> Option<Worth> {
        test.unless_worse((self.counter)() - self.before)
    }
}
