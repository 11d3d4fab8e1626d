//! How often a parallel program is repeated: a little in random tests, more once it has failed.

use super::Tuning;
use crate::context::{self, Context, Phase};
use std::cell::RefCell;
use std::time::{Duration, Instant};

thread_local! {
    /// The knowledge about the run whose tests run on this thread.
    static KNOWN: RefCell<Option<Known>> = const { RefCell::new(None) };
}

/// The knowledge about a run.
struct Known {
    context: Context,
    /// When its first program ran.
    began: Instant,
    /// The number of repetitions of all programs up to the first failure, including it.
    repetitions: u64,
    /// Whether a program has failed.
    found: bool,
    /// After how many repetitions it and smaller programs failed again, the latest last.
    failures: Vec<u64>,
    /// Whether it did not fail again, and other programs were tried instead.
    lost: bool,
    /// The longest pause in programs that ended, or before they hung.
    longest_pause: Duration,
    /// The number of programs that hung. Their threads still exist, and may take CPU time from others.
    hung: u32,
}

/// A smaller program is taken to pass after this many times the recent number of repetitions per failure: one that
/// fails equally often is then missed once in twenty times.
const CONFIDENCE: u64 = 3;

/// The same for the reported program: if it were missed, the failure would be called flaky. It rarely takes that long.
const CERTAINTY: u64 = 8;

/// The number of recent failures from which the failure rate is estimated: a single one says little.
const LATELY: usize = 3;

/// A program with no more commands in its branches than this is nearly as small as it can be. It is repeated for a
/// while, regardless of the failure rate: it may fail less often than a program with more commands, and takes little
/// time.
const FEW_COMMANDS: usize = 6;
const A_WHILE: Duration = Duration::from_millis(20);

/// A run that took long to find a failure may take up to this many times the patience to reproduce it.
const MOST_PATIENCE: u32 = 10;

/// When many programs that may hang are tried, one is given up after a pause of this many times the longest one so far;
/// but not before a minimum time, which grows with the number of programs that already hang.
const MUCH_LONGER: u32 = 10;
const LEAST_PATIENCE: Duration = Duration::from_millis(200);
const MORE_FOR_EACH: u32 = 4;

/// The divisor of an isolated test's timeout that limits repeating, so that repeating is not mistaken for hanging.
const SHARE_OF_LIMIT: u32 = 4;

/// The number of repetitions of a program, and when it is given up.
pub(super) struct Repeats {
    /// The number of repetitions, unless one fails.
    pub(super) times: u64,
    /// After these, more repetitions follow until this time.
    pub(super) until: Option<Instant>,
    /// but no longer than this.
    pub(super) no_longer_than: Option<Instant>,
    /// The longest allowed pause.
    pub(super) hangs_after: Duration,
    /// The same, or less while many programs are tried: the caller then confirms that the result is not merely slow.
    pub(super) give_up_after: Duration,
    context: Context,
}

#[derive(Clone, Copy, PartialEq)]
enum Stage {
    /// One of many tests, or outside of a test.
    Testing,
    /// A program that failed once and should fail again: it is confirmed, replayed or reported.
    Again,
    /// A program that is like one that failed.
    Shrinking,
}

impl Stage {
    #[inline]
    fn of(context: &Context) -> Self {
        match context.phase().0 {
            _ if !context::is_active() || context.is_one_of_many() => Stage::Testing,
            Phase::Quoting => Stage::Testing,
            // The reported program.
            _ if context::wants_notes() => Stage::Again,
            Phase::Testing => Stage::Again,
            Phase::Shrinking | Phase::Explaining => Stage::Shrinking,
        }
    }
}

impl Repeats {
    /// As many repetitions as for confirming a failure, but only until `end`.
    #[inline]
    pub(super) fn surer_until(tuning: &Tuning, end: Instant) -> Self {
        Self {
            times: u64::from(tuning.repetitions.max(1)) * u64::from(tuning.surer.max(1)),
            until: None,
            no_longer_than: Some(end),
            hangs_after: tuning.hangs_after,
            give_up_after: tuning.hangs_after,
            context: context::context(),
        }
    }

    /// The repetitions of a program whose branches have these numbers of commands.
    #[inline]
    pub(super) fn of(tuning: &Tuning, branches: &[usize]) -> Self {
        let commands: usize = branches.iter().sum();
        let is_parallel = branches.iter().filter(|&&commands| commands > 0).count() > 1;
        let context = context::context();
        let stage = Stage::of(&context);
        let [patience, most_patience] = patience(tuning);
        let (now, few) = (Instant::now(), u64::from(tuning.repetitions.max(1)));
        let surer = few * u64::from(tuning.surer.max(1));
        let (began, lately, lost, hurried) =
            with_known(&context, |known| (known.began, known.lately(), known.lost, known.hurried()));
        let hangs_after = tuning.hangs_after;
        let give_up_after = if context.hurries() { hurried.min(hangs_after) } else { hangs_after };
        let mut repeats = Self { times: few, until: None, no_longer_than: None, hangs_after, give_up_after, context };
        match stage {
            Stage::Testing => {
                repeats.until = is_parallel.then(|| now + tuning.at_least);
                return repeats;
            }
            // It has been tried for long enough.
            Stage::Again if lost => repeats.times = surer,
            Stage::Again => {
                repeats.times = lately.map_or(surer, |lately| (CERTAINTY * lately).max(surer));
                repeats.until = Some(now + patience);
                // A process that was started later does not know how long it took to find the failure.
                let took = if fails_after(&repeats.context).is_some() { most_patience } else { began.elapsed() };
                repeats.no_longer_than = Some(now + took.clamp(patience, most_patience));
            }
            // Nothing runs concurrently. A program that fails nevertheless fails soon.
            Stage::Shrinking if !is_parallel => {
                repeats.times = lately.map_or(surer, |lately| (CONFIDENCE * lately).clamp(few, surer));
                repeats.no_longer_than = Some(now + patience);
            }
            Stage::Shrinking => {
                // Frequent failures need few repetitions, rare ones many.
                repeats.times = lately.map_or(surer, |lately| (CONFIDENCE * lately).max(few));
                repeats.until = (commands <= FEW_COMMANDS).then(|| now + A_WHILE.min(patience));
                repeats.no_longer_than = Some(now + patience);
            }
        }
        repeats
    }

    /// Whether this many repetitions are enough.
    #[inline]
    pub(super) fn are_enough(&self, done: u64) -> bool {
        let is_over = |end: Option<Instant>| end.is_some_and(|end| Instant::now() >= end);
        match done >= self.times {
            true => self.until.is_none() || is_over(self.until),
            // A program that never ran has not passed.
            false => done > 0 && is_over(self.no_longer_than),
        }
    }

    /// Remembers the longest pause.
    #[inline]
    pub(super) fn learn_pace(&self, came_to_its_end: bool, longest_pause: Duration) {
        with_known(&self.context, |known| {
            known.longest_pause = known.longest_pause.max(longest_pause);
            known.hung += u32::from(!came_to_its_end);
        });
    }

    /// Remembers how often a failure occurs.
    #[inline]
    pub(super) fn learn(&self, failed: bool, repetitions: u64) {
        with_known(&self.context, |known| {
            if Stage::of(&self.context) == Stage::Testing {
                known.repetitions += repetitions;
                known.found |= failed;
            } else if failed {
                known.failures.push(repetitions);
                if known.failures.len() > LATELY {
                    known.failures.remove(0);
                }
            }
        });
    }
}

/// Whether to search for the kinds of commands that suffice to fail: a failed program no longer fails, and its notes
/// are requested. True once per run.
#[inline]
pub(super) fn is_lost() -> bool {
    let context = context::context();
    let is_time = Stage::of(&context) == Stage::Again && context::wants_notes();
    is_time
        && with_known(&context, |known| {
            (known.found || !known.failures.is_empty()) && !std::mem::replace(&mut known.lost, true)
        })
}

/// The time limits for repeating a program: the usual one, and the one for a failure that took long to find.
#[inline]
pub(super) fn patience(tuning: &Tuning) -> [Duration; 2] {
    let most = time_limit().map_or(Duration::MAX, |limit| limit / SHARE_OF_LIMIT);
    [1, MOST_PATIENCE].map(|times| tuning.patience.saturating_mul(times).min(most))
}

#[inline]
fn time_limit() -> Option<Duration> {
    context::context().time_limit()
}

impl Known {
    /// The recent average number of repetitions until a failure. After a single failure, it may be as rare as the
    /// search for it suggests.
    #[inline]
    fn lately(&self) -> Option<u64> {
        if let Some(elsewhere) = fails_after(&self.context) {
            return Some(elsewhere);
        }
        let sum: u64 = self.failures.iter().sum();
        match self.failures.len() as u64 {
            0 => self.found.then_some(self.repetitions),
            failures => Some(sum.div_ceil(failures)),
        }
    }

    /// The longest allowed pause while many programs that may hang are tried.
    #[inline]
    fn hurried(&self) -> Duration {
        let least = LEAST_PATIENCE.max(self.longest_pause.saturating_mul(MUCH_LONGER));
        least.saturating_add(LEAST_PATIENCE * self.hung / MORE_FOR_EACH)
    }
}

/// The recent average number of repetitions after which other processes that ran this test crashed.
#[inline]
fn fails_after(context: &Context) -> Option<u64> {
    context.fails_after()
}

/// Calls `act` with the knowledge about the run of this context.
fn with_known<T>(context: &Context, act: impl FnOnce(&mut Known) -> T) -> T {
    KNOWN.with_borrow_mut(|known| match known {
        Some(known) if known.context.is_same(context) => act(known),
        _ => {
            context.say_it_repeats();
            let new = Known {
                context: context.clone(),
                began: Instant::now(),
                repetitions: 0,
                found: false,
                failures: Vec::new(),
                lost: false,
                longest_pause: Duration::ZERO,
                hung: 0,
            };
            act(known.insert(new))
        }
    })
}
