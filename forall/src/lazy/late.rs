//! Undecided values that are looked at when they can no longer be decided: after the evaluation that they were made for.

use super::block::{ROOT, Seed};
use super::trail::{Next, Search};
use crate::generate::series::Series;
use std::cell::Cell;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::thread::panicking;

thread_local! {
    /// Whether that happened on this thread.
    static LOOKED: Cell<bool> = const { Cell::new(false) };
}

/// What is said of a search in which it happened.
pub(super) const LATE: &str = "An undecided value was looked at after the evaluation that it was made for.\nDo not keep parts of the \
                               input beyond a test. In a `Drop`, look at decided parts only: `Lazy::is_decided` tells.";

/// Whether it happened since this was asked for the last time.
pub(super) fn was_looked_at() -> bool {
    LOOKED.take()
}

/// A cell is looked at too late.
#[cold]
pub(super) fn look<T>(make: fn(&mut Series<'_>) -> T, depth: u32) -> T {
    LOOKED.set(true);
    if panicking() {
        return stand_in(make, depth);
    }
    panic!(
        "an undecided value was looked at after the evaluation that it was made for; do not keep parts of the input beyond a \
         test, nor look at them in a `Drop`"
    )
}

/// The first value there is: for a `Drop` that is called while something unwinds. Nothing else can unwind then without the end of the
/// process, and what the `Drop` does is in vain anyway.
fn stand_in<T>(make: fn(&mut Series<'_>) -> T, depth: u32) -> T {
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
