//! Exploring: tests beyond the requested ones.
//!
//! A run explores for one of two reasons: its tests are so fast that more of them cost next to nothing ([`explore`]),
//! or it did not get enough valid tests ([`make_up_for_discards`]).
//!
//! Explored tests come in two kinds. Fresh ones are generated like the other tests of a run. Variations change an input
//! that was accepted before: where an assumption discards most fresh inputs, it accepts many variations of an accepted
//! one. Variations are made in `exploring/varying.rs`.

mod archive;
mod varying;

use varying::Explorer;

use super::budget::next_length;
use super::generational::stopped;
use super::session::{Ending, Session};
use super::{Budget, Explored, Found};
use crate::choice::ROUND;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

/// In interactive runs, exploring ends after this many tests if most inputs were accepted. In 50 runs, every bug of the
/// tuned half is found within this many. If valid inputs grow out of a few accepted ones (as in ETNA), exploring uses
/// all of its time, and so it does in unoptimised builds.
const ENOUGH_TESTS: u64 = 20_000;
/// After this time, half of [`ENOUGH_TESTS`] are enough: such tests are not fast.
const ENOUGH_TIME: Duration = Duration::from_millis(15);

/// An interactive run explores only if its own tests took less than this: someone is waiting for it.
const QUICK: Duration = Duration::from_millis(10);

/// All properties of a process together explore for no longer than this, unless `extra_time` is set.
const PROCESS_TIME: Duration = Duration::from_secs(2);

/// At most this many tests are run to make up for discarded ones.
const MOST_TO_MAKE_UP: u64 = 100_000;

/// Continues after a run that passed, if the settings request that and its tests are fast. Returns the ending, if a
/// test failed.
pub(super) fn explore(session: &mut Session<'_>, budget: &mut Budget) -> Option<Ending> {
    /// In nanoseconds.
    static SPENT: AtomicU64 = AtomicU64::new(0);
    let extra = session.settings.extra_time?;
    let at_desk = session.settings.explores_at_desk;
    let spent = Duration::from_nanos(SPENT.load(Ordering::Relaxed));
    let waits = at_desk && (session.elapsed() >= QUICK || spent >= PROCESS_TIME);
    if extra.is_zero() || waits || session.one_by_one() || session.is_over() {
        return None;
    }
    let (began, context) = (Instant::now(), session.tester.context().clone());
    context.count_labels(false);
    let mut explored = Budget::new(session).wanting(u64::MAX);
    explored.may_discard = u64::MAX;
    let (mut fresh, mut explorer, mut number) = (Fresh::new(), Explorer::new(session), 0);
    let mut ending = None;
    let may_end_soon = session.settings.ends_exploring_soon;
    let goes_on = |session: &Session<'_>, explored: &Budget, ending: &Option<Ending>| {
        let elapsed = began.elapsed();
        let enough = if elapsed < ENOUGH_TIME { ENOUGH_TESTS } else { ENOUGH_TESTS / 2 };
        let is_enough = may_end_soon && explored.valid > explored.discarded.max(enough);
        ending.is_none() && !is_enough && elapsed < extra && !session.is_over()
    };
    while goes_on(session, &explored, &ending) {
        ending = fresh.block(session, &mut explored);
        let enough = number + if explorer.varies_mostly() { 512 } else { 32 };
        while number < enough && goes_on(session, &explored, &ending) {
            ending = explorer.test(session, &mut explored, number);
            number += 1;
        }
    }
    context.count_labels(true);
    let time = began.elapsed();
    if at_desk {
        SPENT.fetch_add(u64::try_from(time.as_nanos()).unwrap_or(u64::MAX), Ordering::Relaxed);
    }
    budget.explored = Explored { valid: explored.valid, discarded: explored.discarded, time };
    ending
}

/// Varies the accepted inputs when so many were discarded that the run would otherwise give up. Each distinct input
/// counts only once, since a run with hardly any valid inputs must not pass. Ends after a number of tests, so that the
/// result depends on the seed alone.
pub(super) fn make_up_for_discards(session: &mut Session<'_>, budget: &mut Budget) -> Option<Ending> {
    let mut explorer = Explorer::new(session).skipping_repeats();
    let may_discard = std::mem::replace(&mut budget.may_discard, u64::MAX);
    let mut ending = None;
    for number in 0..may_discard.saturating_mul(4).min(MOST_TO_MAKE_UP) {
        if ending.is_some() || budget.is_spent(session) {
            break;
        }
        ending = explorer.test(session, budget, number);
    }
    budget.may_discard = may_discard;
    if budget.valid >= budget.wanted {
        // The statistics and a warning report how many tests were discarded.
        budget.may_discard = budget.discarded;
    }
    ending
}

/// Fresh tests, in blocks that record nothing.
struct Fresh {
    next: u64,
    /// How many tests the next block has.
    length: u64,
}

impl Fresh {
    /// The target duration of a block.
    const AIM: Duration = Duration::from_millis(1);
    /// The longest block.
    const LONGEST: u64 = 4096;
    /// The number of tests in a round: shaped ones first, then many plain ones.
    const ROUND_LENGTH: u64 = 1 << 13;

    fn new() -> Self {
        Self { next: ROUND, length: 1 }
    }

    /// Runs the next tests. Returns the ending, if one did not pass.
    fn block(&mut self, session: &mut Session<'_>, budget: &mut Budget) -> Option<Ending> {
        let start = self.next;
        let block = session.settings.size.block(session.seed, start..start + self.length);
        let began = Instant::now();
        let tested = session.tester.run_block(&block);
        self.length = next_length(self.length, began.elapsed(), Self::AIM, Self::LONGEST);
        budget.discarded += tested.discarded;
        budget.valid += tested.index - start - tested.discarded;
        self.next = tested.index;
        if self.next % ROUND >= Self::ROUND_LENGTH {
            self.next += ROUND - self.next % ROUND;
        }
        let failed = tested.stopped_by?;
        let sequence = session.tester.choices(tested.index, session.size(tested.index));
        Some(stopped(session, failed, tested.index, sequence))
    }
}

/// The index of a test that an explorer generates: many of the first tests of a round are shaped.
fn index_of(number: u64) -> u64 {
    const ROUND_LENGTH: u64 = 1024;
    /// After all rounds of [`Fresh`].
    const FIRST: u64 = 1 << 20;
    ROUND * (FIRST + number / ROUND_LENGTH) + number % ROUND_LENGTH
}

/// How the test with this number was found.
fn found(number: u64) -> Found {
    Found::Explored { number: number + 1 }
}
