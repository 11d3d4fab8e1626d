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
use super::{Budget, Explored, Found, Shard};
use crate::choice::ROUND;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

/// In interactive runs, exploring ends after this many valid tests if most are valid. In 50 runs, every bug of the tuned
/// half is found within this many. In unoptimised builds, exploring mostly uses all of its time.
const ENOUGH_TESTS: u64 = 20_000;
/// After this time, half of [`ENOUGH_TESTS`] are enough: such tests are not fast.
const ENOUGH_TIME: Duration = Duration::from_millis(15);
/// If most fresh inputs are discarded, exploring ends after this many tests, most of them variations, which take longer.
/// Without this limit, exploring finds 95 % of ETNA's bugs in place of 91, in 1.8 times the CPU time.
const ENOUGH_VARIATIONS: u64 = 2500;

/// If most fresh inputs are discarded, at most this many are generated between two series of variations.
const FEW_FRESH: u64 = 8;

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
    let waits = at_desk && (session.one_by_one() || !is_cheap(session.elapsed(), spent));
    if extra.is_zero() || waits || session.is_over() {
        return None;
    }
    let (began, context) = (Instant::now(), session.tester.context().clone());
    context.count_labels(false);
    let mut explored = Budget::new(session).wanting(u64::MAX);
    explored.may_discard = u64::MAX;
    let (mut fresh, mut explorer, mut number) = (Fresh::new(session), Explorer::new(session), 0);
    let mut ending;
    let may_end_soon = session.settings.ends_exploring_soon;
    let goes_on = |session: &Session<'_>, explored: &Budget, fresh: &Fresh, ending: &Option<Ending>| {
        let elapsed = began.elapsed();
        let is_enough =
            may_end_soon && is_enough(explored.valid, explored.discarded, fresh.mostly_discarded(), elapsed);
        ending.is_none() && !is_enough && elapsed < extra && !session.is_over()
    };
    // At least one test runs, however long this thread had to wait.
    loop {
        ending = fresh.block(session, &mut explored);
        let enough = number + if explorer.varies_mostly() { 512 } else { 32 };
        while number < enough && goes_on(session, &explored, &fresh, &ending) {
            ending = explorer.test(session, &mut explored, number);
            number += 1;
        }
        if !goes_on(session, &explored, &fresh, &ending) {
            break;
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

/// Returns whether a user hardly notices exploring: the tests of this run took `own`, and all properties of this process explored
/// for `spent` so far.
fn is_cheap(own: Duration, spent: Duration) -> bool {
    own < QUICK && spent < PROCESS_TIME
}

/// Whether more tests are unlikely to find anything, or take too long. On a clock that stands still, the number of tests
/// decides.
fn is_enough(valid: u64, discarded: u64, fresh_mostly_discarded: bool, elapsed: Duration) -> bool {
    if fresh_mostly_discarded && valid + discarded > ENOUGH_VARIATIONS {
        return true;
    }
    let enough = if elapsed < ENOUGH_TIME { ENOUGH_TESTS } else { ENOUGH_TESTS / 2 };
    valid > discarded.max(enough)
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
    rounds: Rounds,
    /// The number of the current round.
    round: u64,
    next: u64,
    /// The number of tests in the next block.
    length: u64,
    /// The numbers of valid and of discarded tests.
    valid: u64,
    discarded: u64,
}

impl Fresh {
    /// The target duration of a block.
    const AIM: Duration = Duration::from_millis(1);
    /// The longest block.
    const LONGEST: u64 = 4096;
    /// The number of tests in a round: shaped ones first, then many plain ones.
    const ROUND_LENGTH: u64 = 1 << 13;

    fn new(session: &Session<'_>) -> Self {
        let rounds = Rounds::fresh(session.settings.shard);
        Self { rounds, round: 0, next: rounds.start_of(0), length: 1, valid: 0, discarded: 0 }
    }

    /// Returns whether most of the tests were discarded.
    fn mostly_discarded(&self) -> bool {
        self.discarded > self.valid
    }

    /// Runs the next tests. Returns the ending, if one did not pass.
    fn block(&mut self, session: &mut Session<'_>, budget: &mut Budget) -> Option<Ending> {
        let length = if session.one_by_one() { 1 } else { self.length };
        let (valid, discarded) = (budget.valid, budget.discarded);
        let (tested, took) = budget.run_all(session, self.next..self.next + length);
        self.valid += budget.valid - valid;
        self.discarded += budget.discarded - discarded;
        let longest = if self.mostly_discarded() { FEW_FRESH } else { Self::LONGEST };
        self.length = next_length(length, took, Self::AIM, longest);
        self.next = tested.index;
        if self.next % ROUND >= Self::ROUND_LENGTH {
            self.round += 1;
            self.next = self.rounds.start_of(self.round);
        }
        let failed = tested.stopped_by?;
        let sequence = session.tester.choices(tested.index, session.size(tested.index));
        Some(stopped(session, failed, tested.index, sequence))
    }
}

/// The rounds of the tests of one kind: far apart, since the first tests of each are shaped. The shards of a run, which
/// share a seed, take turns.
#[derive(Clone, Copy)]
struct Rounds {
    first: u64,
    count: u64,
    shard: Option<Shard>,
}

impl Rounds {
    /// Rounds of [`Fresh`] precede this one, and those of an [`Explorer`] follow.
    const MIDDLE: u64 = 1 << 20;

    fn fresh(shard: Option<Shard>) -> Self {
        Self { first: 1, count: Self::MIDDLE - 1, shard }
    }

    fn of_explorer(shard: Option<Shard>) -> Self {
        Self { first: Self::MIDDLE, count: u64::MAX / ROUND - Self::MIDDLE, shard }
    }

    /// The index of the first test in a round.
    fn start_of(self, round: u64) -> u64 {
        let turn = match self.shard {
            Some(shard) => round.wrapping_mul(shard.of()).wrapping_add(shard.number() - 1),
            None => round,
        };
        ROUND * (self.first + turn % self.count)
    }

    /// The index of a test that an explorer generates: many of the first tests of a round are shaped.
    fn index_of(self, number: u64) -> u64 {
        const LENGTH: u64 = 1024;
        self.start_of(number / LENGTH) + number % LENGTH
    }
}

/// How the test with this number was found.
fn found(number: u64) -> Found {
    Found::Explored { number: number + 1 }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn interactive_runs_explore_after_quick_tests_and_for_a_limited_time() {
        let [quick, slow] = [9, 10].map(Duration::from_millis);
        assert!(is_cheap(Duration::ZERO, Duration::ZERO) && is_cheap(quick, Duration::from_millis(1999)));
        assert!(!is_cheap(slow, Duration::ZERO), "the tests took long");
        assert!(!is_cheap(quick, Duration::from_secs(2)), "the process explored for long");
    }

    #[test]
    fn exploring_ends_by_the_number_of_tests_on_a_coarse_clock() {
        let [at_first, later] = [0, 15].map(Duration::from_millis);
        assert!(!is_enough(20_000, 0, false, at_first) && is_enough(20_001, 0, false, at_first));
        assert!(!is_enough(10_000, 0, false, later) && is_enough(10_001, 0, false, later));
        assert!(!is_enough(30_000, 30_000, false, later), "few variations are valid");
        assert!(!is_enough(2_000, 500, true, later) && is_enough(2_000, 501, true, later), "variations are slow");
        // The clock may stand still for as long as a block takes.
        let lengths = std::iter::successors(Some(1), |length| {
            Some(next_length(*length, Duration::ZERO, Fresh::AIM, Fresh::LONGEST))
        });
        assert_eq!(lengths.take(100).max(), Some(Fresh::LONGEST));
    }

    #[test]
    fn shards_explore_different_tests() {
        let shards = || (1..=3).map(|number| Shard::new(number, 3));
        for rounds in [Rounds::fresh, Rounds::of_explorer] {
            let mut starts = BTreeSet::new();
            for shard in shards() {
                starts.extend((0..100).map(|round| rounds(shard).start_of(round)));
            }
            let alone: BTreeSet<u64> = (0..300).map(|round| rounds(None).start_of(round)).collect();
            assert_eq!(starts, alone);
        }
        let last = Shard::new(u64::MAX, u64::MAX);
        assert!(Rounds::of_explorer(last).index_of(u64::MAX) > Rounds::fresh(last).start_of(u64::MAX));
    }
}
