//! Counts how often a program visits its places, in place of a compiler's instrumentation at every branch.

use std::cell::RefCell;

thread_local! {
    static VISITS: RefCell<Vec<u64>> = const { RefCell::new(Vec::new()) };
}

/// Counts a visit of a place.
///
/// ```
/// use forall_example_runners::work;
/// work::begin();
/// (0..5).for_each(|_| work::visit(1));
/// assert_eq!(work::visits(), [0, 5]);
/// ```
pub fn visit(place: usize) {
    VISITS.with_borrow_mut(|visits| {
        if visits.len() <= place {
            visits.resize(place + 1, 0);
        }
        visits[place] += 1;
    });
}

/// Resets the counts.
pub fn begin() {
    VISITS.with_borrow_mut(Vec::clear);
}

/// Returns how often each place was visited since the reset.
pub fn visits() -> Vec<u64> {
    VISITS.with_borrow(Vec::clone)
}
