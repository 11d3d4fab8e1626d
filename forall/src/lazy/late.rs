//! Undecided values that are read when they can no longer be decided: after the evaluation that they belong to.

use super::block::{ROOT, Seed};
use super::trail::{Next, Search};
use crate::generate::series::Series;
use std::cell::Cell;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::thread::panicking;

thread_local! {
    /// Whether this happened on this thread.
    static READ_LATE: Cell<bool> = const { Cell::new(false) };
}

/// Whether it has happened since the last call.
pub(super) fn was_read_late() -> bool {
    READ_LATE.take()
}

/// A cell was read too late.
#[cold]
pub(super) fn look<T>(make: fn(&mut Series<'_>) -> T, depth: u32) -> T {
    READ_LATE.set(true);
    if panicking() {
        return placeholder(make, depth);
    }
    panic!(
        "an undecided value was read after its evaluation had ended; do not keep parts of the input beyond a test, and do not \
         read them in a `Drop`"
    )
}

/// The first possible value, for a `Drop` that is called during unwinding. A second unwind would abort the process, and
/// the effects of the `Drop` are discarded anyway.
fn placeholder<T>(make: fn(&mut Series<'_>) -> T, depth: u32) -> T {
    let search = Search::new(u64::MAX, || false);
    search.enter(|| {
        search.in_block(depth, |block| {
            loop {
                let epoch = search.begin_environment(block);
                let seed = Seed { epoch, parent: ROOT, ordinal: 0, depth, block: block as u16 };
                let ended = catch_unwind(AssertUnwindSafe(|| make(&mut Series::new(&search, seed))));
                search.arrive();
                match ended {
                    Ok(value) => return value,
                    Err(payload) if search.advance(block, false) == Next::Done => resume_unwind(payload),
                    Err(_) => {}
                }
            }
        })
    })
}
