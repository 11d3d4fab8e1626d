//! One input on several threads at once, to find tested code that is not thread-safe.
//!
//! All threads generate the same input and run the test on it at the same moment, several times. The test fails if it
//! fails on any of them. The tester does this for every input, including those of shrinking and replaying.

use super::{Tested, Tester};
use crate::choice::{Item, Origin, Source};
use crate::effects::{self, Cwd, OwnCwd};
use crate::panic;
use crate::property::{Outcome, Property, Step, Stop};
use crate::testing::guest::Relayed;
use std::hint::spin_loop;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};
use std::thread::{Builder, scope, yield_now};
use std::time::{Duration, Instant};

/// How often the threads run an input. While there are many more inputs, unlikely races are left to those.
const ROUNDS: usize = 20;
/// Slow inputs are run less often: no round begins after this time.
const TIME: Duration = Duration::from_millis(1);
/// The same for an input that failed or is a shrinking candidate: missing the race there costs a counterexample.
const ROUNDS_OF_CANDIDATE: usize = 200;
const TIME_OF_CANDIDATE: Duration = Duration::from_millis(20);

/// A thread that waits for the others spins this often before it yields its core.
const SPINS: u32 = 200;

/// The maximum number of threads for one input: more would only wait for each other.
pub(crate) const MOST_BESIDE: usize = 256;

/// How a tester runs each input on several threads.
#[derive(Clone, Copy)]
pub(crate) struct Beside<'a> {
    pub(crate) property: &'a (dyn Property + Sync),
    /// At least 2.
    pub(crate) threads: usize,
    /// Which runs of the input share a current directory.
    pub(crate) own_cwd: Cwd,
}

impl Beside<'_> {
    /// Runs the input of `source` on all threads. Only the labels, notes and draws of the first round on this thread
    /// count.
    pub(super) fn run(&self, tester: &Tester<'_>, source: &mut Source, steps: &[Step]) -> Result<Outcome, Stop> {
        let (items, literals) = (source.origin().items.to_vec(), source.origin().literals.to_owned());
        let origin: Origin<'_> = Origin { items: &items as &[Item], literals: &literals, ..source.origin() };
        let rounds = match tester.context.is_one_of_many() {
            true => Rounds::new(ROUNDS, TIME),
            false => Rounds::new(ROUNDS_OF_CANDIDATE, TIME_OF_CANDIDATE),
        };
        let failed = Mutex::new(None);
        let make = tester.for_candidates(self.property);
        let work = |number| {
            // Without its own directory it would interfere with the other threads, so it leaves the rounds to them.
            let own_cwd = OwnCwd::enter(self.own_cwd);
            rounds.arrive(own_cwd.is_ok());
            if own_cwd.is_err() {
                return;
            }
            let tester = make(number);
            for round in 0.. {
                effects::renew();
                if !rounds.begin(round) {
                    return;
                }
                let (_, tested, _) = tester.test_once(Source::from_origin(&origin), steps);
                if let Tested::Fail(_) = tested {
                    failed.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert(tested);
                    rounds.end();
                }
            }
        };
        let first = scope(|scope| {
            let (work, mut started) = (&work, 0);
            for number in 1..self.threads {
                let thread = Builder::new().name(format!("forall-beside-{number}"));
                // With fewer threads, the same races occur, but more rarely.
                if thread.spawn_scoped(scope, move || work(number)).is_err() {
                    break;
                }
                started += 1;
            }
            rounds.open(started);
            self.run_here(tester, source, &origin, steps, &rounds)
        });
        match (first, failed.into_inner().unwrap_or_else(PoisonError::into_inner)) {
            (Ok(Ok(Outcome::Pass | Outcome::Discard)), Some(failed)) => Relayed(failed).unwind(),
            (Ok(ended), _) => ended,
            (Err(unwound), _) => Relayed(tester.unwound(unwound)).unwind(),
        }
    }

    /// The work of the thread to which the tester belongs.
    fn run_here(
        &self,
        tester: &Tester<'_>,
        source: &mut Source,
        origin: &Origin<'_>,
        steps: &[Step],
        rounds: &Rounds,
    ) -> Result<Result<Outcome, Stop>, panic::Unwound> {
        let context = &tester.context;
        rounds.begin(0);
        let first = panic::catch(|| self.property.run(source, steps));
        let passes = |ended: &_| matches!(ended, Ok(Ok(Outcome::Pass)));
        let is_late = tester.missed().is_some();
        if !passes(&first) || is_late {
            rounds.end();
        }
        let (labels, notes) = (context.counts_labels(), context.replace_notes_wanted(false));
        context.count_labels(false);
        let (mut ended, mut round) = (first, 1);
        loop {
            // Before the round, so that all threads begin it together.
            effects::renew();
            if !rounds.begin(round) {
                break;
            }
            let again = panic::catch(|| self.property.run(&mut Source::from_origin(origin), steps));
            if passes(&ended) && !passes(&again) {
                ended = again;
                rounds.end();
            }
            round += 1;
        }
        tester.runs_beside.set(tester.runs_beside.get() + (round * rounds.threads.load(Ordering::Acquire)) as u64);
        context.count_labels(labels);
        context.replace_notes_wanted(notes);
        if tester.deadline.is_some() && !is_late {
            // The deadline applies to one round, which was in time.
            context.begin_test();
        }
        ended
    }
}

/// The rounds of one input: all threads begin a round together.
struct Rounds {
    /// The number of threads; 0 until all have started.
    threads: AtomicUsize,
    /// The number of other threads that have started, and the number of those that take part.
    arrived: AtomicUsize,
    ready: AtomicUsize,
    /// The number of threads that wait for the next round.
    waiting: AtomicUsize,
    /// The number of rounds that have begun.
    begun: AtomicUsize,
    /// Whether no further round is needed.
    ended: AtomicBool,
    /// Whether no further round begins. Decided by the last thread that arrives, so that all threads see the same
    /// value.
    closed: AtomicBool,
    most: usize,
    until: Instant,
}

impl Rounds {
    fn new(most: usize, time: Duration) -> Self {
        Self {
            threads: AtomicUsize::new(0),
            arrived: AtomicUsize::new(0),
            ready: AtomicUsize::new(0),
            waiting: AtomicUsize::new(0),
            begun: AtomicUsize::new(0),
            ended: AtomicBool::new(false),
            closed: AtomicBool::new(false),
            most,
            until: Instant::now() + time,
        }
    }

    /// Declares that another thread has started, and whether it takes part.
    fn arrive(&self, takes_part: bool) {
        self.ready.fetch_add(usize::from(takes_part), Ordering::AcqRel);
        self.arrived.fetch_add(1, Ordering::AcqRel);
    }

    /// Waits for this many other threads to start. Then the first round may begin.
    fn open(&self, others: usize) {
        wait_until(|| self.arrived.load(Ordering::Acquire) == others);
        self.threads.store(self.ready.load(Ordering::Acquire) + 1, Ordering::Release);
    }

    /// Makes the current round the last one.
    fn end(&self) {
        self.ended.store(true, Ordering::Release);
    }

    /// Waits for the others, and begins round number `round` with them. Returns whether there is one.
    fn begin(&self, round: usize) -> bool {
        wait_until(|| self.threads.load(Ordering::Acquire) > 0);
        if self.waiting.fetch_add(1, Ordering::AcqRel) + 1 == self.threads.load(Ordering::Acquire) {
            let enough = round > 0 && (round >= self.most || Instant::now() >= self.until);
            if enough || self.ended.load(Ordering::Acquire) {
                self.closed.store(true, Ordering::Release);
            }
            self.waiting.store(0, Ordering::Release);
            self.begun.store(round + 1, Ordering::Release);
        } else {
            wait_until(|| self.begun.load(Ordering::Acquire) > round);
        }
        !self.closed.load(Ordering::Acquire)
    }
}

/// Waits without sleeping: a thread that has to be woken up starts too late for a race.
fn wait_until(is_so: impl Fn() -> bool) {
    let mut spins = 0;
    while !is_so() {
        if spins < SPINS {
            spins += 1;
            spin_loop();
        } else {
            yield_now();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_threads_run_the_same_rounds_and_stop_together() {
        let rounds = Rounds::new(1000, Duration::from_secs(60));
        let ran: Mutex<Vec<usize>> = Mutex::default();
        let work = |number| {
            if number > 0 {
                rounds.arrive(number != 3);
            }
            if number == 3 {
                return;
            }
            let mut round = 0;
            while rounds.begin(round) {
                if number == 2 && round == 7 {
                    rounds.end();
                }
                round += 1;
            }
            ran.lock().unwrap().push(round);
        };
        scope(|scope| {
            for number in 1..5 {
                let work = &work;
                scope.spawn(move || work(number));
            }
            rounds.open(4);
            work(0);
        });
        let ran = ran.into_inner().unwrap();
        assert_eq!(ran.len(), 4, "one thread takes no part");
        assert!(ran.iter().all(|rounds| *rounds == 8), "{ran:?}");
    }
}
