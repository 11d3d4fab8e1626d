//! Panics of threads that belong to no test: held back while a failing input is replayed, shrunk and explained, and
//! reported at the end of a run that passes.
//!
//! A body may spawn threads that do not [join](crate::Context::enter) its test. The test of such a thread is unknown,
//! and hundreds of its panics would be printed while a failure is shrunk. So they are counted by location, and the last
//! message of each location is reported with the counterexample. None is dropped: a thread of another test may be among
//! them.
//!
//! At other times they are printed as they happen, where the harness hides them if the test passes. A property whose
//! threads panic unnoticed tests less than it seems to, so the first run to end reports them.

use super::Caught;
use crate::fact::Fact;
use crate::output::print_uncaptured;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// The number of locations to distinguish; panics at further locations are printed as they happen.
const MAX_PLACES: usize = 100;

static HELD: Mutex<Held> = Mutex::new(Held { holders: 0, strays: Vec::new(), printed: 0, told: 0, last: None });

struct Held {
    holders: usize,
    strays: Vec<Stray>,
    /// The number of panics that were printed, the number of those that were reported, and the last one.
    printed: u64,
    told: u64,
    last: Option<Caught>,
}

/// The panics at one location.
struct Stray {
    last: Caught,
    times: u64,
}

/// While one exists, panics of threads that belong to no test are held back.
pub(crate) struct Hold(());

impl Hold {
    pub(crate) fn begin() -> Self {
        held().holders += 1;
        Self(())
    }

    /// The panics held back so far, one fact for each location.
    pub(crate) fn take(&self) -> Vec<Fact> {
        take(&mut held())
    }
}

impl Drop for Hold {
    fn drop(&mut self) {
        let mut held = held();
        held.holders -= 1;
        // They were held back, but not reported.
        let left = if held.holders == 0 { take(&mut held) } else { Vec::new() };
        drop(held);
        for panics in &left {
            print_uncaptured(&format!("forall: {panics}\n"));
        }
    }
}

/// Whether the panic of this thread, which belongs to no test, is held back.
pub(super) fn holds(panic: impl FnOnce() -> Caught) -> bool {
    if is_test() {
        return false;
    }
    let (mut held, panic) = (held(), panic());
    if held.holders == 0 || held.strays.len() >= MAX_PLACES {
        held.printed += 1;
        held.last = Some(panic);
        return false;
    }
    match held.strays.iter_mut().find(|stray| stray.last.location == panic.location) {
        Some(stray) => *stray = Stray { last: panic, times: stray.times + 1 },
        None => held.strays.push(Stray { last: panic, times: 1 }),
    }
    true
}

/// The number printed so far.
pub(crate) fn printed() -> u64 {
    held().printed
}

/// The number printed since then, and the last message; returned once.
pub(crate) fn printed_since(before: u64) -> Option<(u64, Caught)> {
    let mut held = held();
    let times = held.printed - held.told.max(before);
    held.told = held.printed;
    if times == 0 { None } else { Some((times, held.last.take()?)) }
}

/// Whether this may be the thread of a test, which the harness names after the test. Threads that tests spawn have no
/// name, or usually one that is not the name of a function.
fn is_test() -> bool {
    let thread = std::thread::current();
    matches!(thread.name(), Some(name) if name.chars().all(|c| c == '_' || c == ':' || c.is_alphanumeric()))
}

fn held() -> MutexGuard<'static, Held> {
    HELD.lock().unwrap_or_else(PoisonError::into_inner)
}

fn take(held: &mut Held) -> Vec<Fact> {
    let mut panics = Vec::new();
    for Stray { last, times } in &std::mem::take(&mut held.strays) {
        panics.push(Fact::StrayPanics { times: *times, last: last.to_string() });
    }
    panics
}
