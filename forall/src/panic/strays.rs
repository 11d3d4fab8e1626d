//! Panics of threads that no test knows of: held back while a failing input is replayed, shrunk and explained, and told at the
//! end of a run that passes.
//!
//! A body may spawn threads that do not [join](crate::Context::enter) its test. Nobody can say whose thread it is that
//! panics, and printed as they happen, its panics would come by the hundred while a failure is made small. So they are
//! counted by their place, and what the last one at each place said is told with the counterexample. Nothing is lost: a thread
//! of another test may be among them.
//!
//! At other times they are printed as they happen, where the harness hides them if the test passes. A property whose threads
//! panic unnoticed tests less than it seems to, so the run that ends first tells of them.

use super::Caught;
use crate::fact::Fact;
use crate::output::shout;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// As many places are told apart; panics at others are printed as they happen.
const MAX_PLACES: usize = 100;

static HELD: Mutex<Held> = Mutex::new(Held { holders: 0, strays: Vec::new(), printed: 0, told: 0, last: None });

struct Held {
    holders: usize,
    strays: Vec<Stray>,
    /// How many were printed, how many of these a run has told of, and the last of them.
    printed: u64,
    told: u64,
    last: Option<Caught>,
}

/// The panics at one place.
struct Stray {
    last: Caught,
    times: u64,
}

/// While one lives, panics of threads that no test knows of are held back.
pub(crate) struct Hold(());

impl Hold {
    pub(crate) fn begin() -> Self {
        held().holders += 1;
        Self(())
    }

    /// What was held back so far, one fact for each place.
    pub(crate) fn take(&self) -> Vec<Fact> {
        take(&mut held())
    }
}

impl Drop for Hold {
    fn drop(&mut self) {
        let mut held = held();
        held.holders -= 1;
        // Whoever held them back did not come to tell of them.
        let left = if held.holders == 0 { take(&mut held) } else { Vec::new() };
        drop(held);
        for panics in &left {
            shout(&format!("forall: {panics}\n"));
        }
    }
}

/// Whether the panic of this thread, which is no test's, is held back.
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

/// How many were printed so far.
pub(crate) fn printed() -> u64 {
    held().printed
}

/// How many were printed since there were so many, and what the last one said; once.
pub(crate) fn printed_since(before: u64) -> Option<(u64, Caught)> {
    let mut held = held();
    let times = held.printed - held.told.max(before);
    held.told = held.printed;
    if times == 0 { None } else { Some((times, held.last.take()?)) }
}

/// Whether this may be the thread of a test, which the harness names after it. Threads that tests spawn have no name, or
/// most often one that no function could have.
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
