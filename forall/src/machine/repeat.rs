//! How often a parallel program is repeated: a little at random, more where it once failed.

use super::Tuning;
use crate::context::{self, Context, Phase};
use std::cell::RefCell;
use std::time::{Duration, Instant};

thread_local! {
    /// What is known of the run that tests on this thread.
    static KNOWN: RefCell<Option<Known>> = const { RefCell::new(None) };
}

/// What is known of a run.
struct Known {
    context: Context,
    /// When its first program ran.
    began: Instant,
    /// How often programs were repeated until one of them failed, that time included.
    repetitions: u64,
    /// Whether one has.
    found: bool,
    /// After how many repetitions it and smaller ones failed again, the last time at the end.
    failures: Vec<u64>,
    /// Whether it did not fail again, and other programs were tried in its place.
    lost: bool,
    /// How long nothing happened at most in programs that came to their end, or before they hung.
    longest_pause: Duration,
    /// How many programs hung. Their threads are still there, and may take time from others.
    hung: u32,
}

/// So many times as often as failures took lately a smaller program is repeated before it is taken to pass: what fails as often is
/// then missed once in twenty times.
const CONFIDENCE: u64 = 3;

/// The same for the program that is shown: were it missed once, the failure would be called flaky. It rarely takes that long.
const CERTAINTY: u64 = 8;

/// From so many failures it is taken how often they show: one alone says little.
const LATELY: usize = 3;

/// A program with no more commands in its branches than this is nearly as small as it can be. It is repeated for a while however often
/// failures show: it may fail less often than one with more commands, and takes little time.
const FEW_COMMANDS: usize = 6;
const A_WHILE: Duration = Duration::from_millis(20);

/// A run that took long to find a failure may take so many times the patience to see it again.
const MOST_PATIENCE: u32 = 10;

/// Where many programs are tried that may hang, one in which nothing happens for so many times as long as ever before is given up; but
/// none before it has had so long, and a part more for each that hangs already.
const MUCH_LONGER: u32 = 10;
const LEAST_PATIENCE: Duration = Duration::from_millis(200);
const MORE_FOR_EACH: u32 = 4;

/// A part of the time after which the process of an isolated test is killed, so that repeating is not taken for hanging.
const SHARE_OF_LIMIT: u32 = 4;

/// How often a program is repeated, and when it is given up.
pub(super) struct Repeats {
    /// So often, unless it fails,
    pub(super) times: u64,
    /// and then until this time;
    pub(super) until: Option<Instant>,
    /// but no longer than this.
    pub(super) no_longer_than: Option<Instant>,
    /// How long nothing may happen.
    pub(super) hangs_after: Duration,
    /// The same, or less while many programs are tried: whoever does that makes sure that what comes out of it is not merely slow.
    pub(super) give_up_after: Duration,
    context: Context,
}

#[derive(Clone, Copy, PartialEq)]
enum Stage {
    /// One of many tests, or no test at all.
    Testing,
    /// A program that failed once and should fail again: when it is made sure of, replayed or shown.
    Again,
    /// A program that is like one that failed.
    Shrinking,
}

impl Stage {
    fn of(context: &Context) -> Self {
        match context.phase().0 {
            _ if !context::is_active() || context.is_one_of_many() => Stage::Testing,
            Phase::Quoting => Stage::Testing,
            // What is to be shown.
            _ if context::wants_notes() => Stage::Again,
            Phase::Testing => Stage::Again,
            Phase::Shrinking | Phase::Explaining => Stage::Shrinking,
        }
    }
}

impl Repeats {
    /// As often as it takes to be surer, but only until a time.
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

    /// For a program whose branches have so many commands.
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
                // How long it took to find is not known to a process that was started after that.
                let took = if fails_after(&repeats.context).is_some() { most_patience } else { began.elapsed() };
                repeats.no_longer_than = Some(now + took.clamp(patience, most_patience));
            }
            // Nothing happens at the same time. What fails all the same fails soon.
            Stage::Shrinking if !is_parallel => {
                repeats.times = lately.map_or(surer, |lately| (CONFIDENCE * lately).clamp(few, surer));
                repeats.no_longer_than = Some(now + patience);
            }
            Stage::Shrinking => {
                // Where failures are frequent, few repetitions tell; where they are rare, many are needed.
                repeats.times = lately.map_or(surer, |lately| (CONFIDENCE * lately).max(few));
                repeats.until = (commands <= FEW_COMMANDS).then(|| now + A_WHILE.min(patience));
                repeats.no_longer_than = Some(now + patience);
            }
        }
        repeats
    }

    /// Whether it was repeated enough.
    pub(super) fn are_enough(&self, done: u64) -> bool {
        let is_over = |end: Option<Instant>| end.is_some_and(|end| Instant::now() >= end);
        match done >= self.times {
            true => self.until.is_none() || is_over(self.until),
            // What was never run did not pass.
            false => done > 0 && is_over(self.no_longer_than),
        }
    }

    /// Remembers how fast things go.
    pub(super) fn learn_pace(&self, came_to_its_end: bool, longest_pause: Duration) {
        with_known(&self.context, |known| {
            known.longest_pause = known.longest_pause.max(longest_pause);
            known.hung += u32::from(!came_to_its_end);
        });
    }

    /// Remembers how often a failure shows.
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

/// Whether this is the time to look for commands that fail without others: a program that has failed does so no more, and what there
/// is to be said of it is wanted. Once in a run.
pub(super) fn is_lost() -> bool {
    let context = context::context();
    let is_time = Stage::of(&context) == Stage::Again && context::wants_notes();
    is_time
        && with_known(&context, |known| {
            (known.found || !known.failures.is_empty()) && !std::mem::replace(&mut known.lost, true)
        })
}

/// How long a program may be repeated, and how long one may be that took long to find.
pub(super) fn patience(tuning: &Tuning) -> [Duration; 2] {
    let most = time_limit().map_or(Duration::MAX, |limit| limit / SHARE_OF_LIMIT);
    [1, MOST_PATIENCE].map(|times| tuning.patience.saturating_mul(times).min(most))
}

fn time_limit() -> Option<Duration> {
    context::context().time_limit()
}

impl Known {
    /// How many repetitions it took lately to see a failure, on average. When it was seen once, it may be as rare as it took to find.
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

    /// How long nothing may happen while many programs are tried that may hang.
    fn hurried(&self) -> Duration {
        let least = LEAST_PATIENCE.max(self.longest_pause.saturating_mul(MUCH_LONGER));
        least.saturating_add(LEAST_PATIENCE * self.hung / MORE_FOR_EACH)
    }
}

/// After how many repetitions other processes have ended lately that did the same.
fn fails_after(context: &Context) -> Option<u64> {
    context.fails_after()
}

/// What is known of the run that this context belongs to.
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
