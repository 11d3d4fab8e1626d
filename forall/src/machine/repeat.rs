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
    /// After how many repetitions the last failures came, the last one at the end.
    failures: Vec<u64>,
    /// Whether it was looked for commands that fail without others.
    narrowed: bool,
}

/// So many times as often as failures took lately a smaller program is repeated before it is taken to pass: what fails as often is
/// then missed once in twenty times.
const CONFIDENCE: u64 = 3;

/// From so many failures it is taken how often they show: one alone says little.
const LATELY: usize = 3;

/// A program with no more commands in its branches than this is nearly as small as it can be. It is repeated for a while however often
/// failures show: it may fail less often than one with more commands, and takes little time.
const FEW_COMMANDS: usize = 6;
const A_WHILE: Duration = Duration::from_millis(20);

/// A run that took long to find a failure may take so many times the patience to see it again.
const MOST_PATIENCE: u32 = 10;

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
            _ if !context::is_active() || context.is_in_block() => Stage::Testing,
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
            context: context::context(),
        }
    }

    /// For a program with so many commands in its branches.
    pub(super) fn of(tuning: &Tuning, commands: usize) -> Self {
        let context = context::context();
        let stage = Stage::of(&context);
        let (now, few) = (Instant::now(), u64::from(tuning.repetitions.max(1)));
        let surer = few * u64::from(tuning.surer.max(1));
        let (began, lately) = with_known(&context, |known| (known.began, known.lately()));
        let mut repeats =
            Self { times: few, until: None, no_longer_than: None, hangs_after: tuning.hangs_after, context };
        match stage {
            Stage::Testing => return repeats,
            Stage::Again => {
                repeats.times = surer;
                let patience = began.elapsed().clamp(tuning.patience, tuning.patience * MOST_PATIENCE);
                repeats.until = Some(now + patience);
            }
            Stage::Shrinking => {
                // Where failures are frequent, few repetitions tell; where they are rare, many are needed.
                repeats.times = lately.map_or(surer, |lately| (CONFIDENCE * lately).max(few));
                repeats.until = (commands <= FEW_COMMANDS).then(|| now + A_WHILE.min(tuning.patience));
                repeats.no_longer_than = Some(now + tuning.patience);
            }
        }
        // Less, once it is known to hang: shrinking would take for ever.
        repeats.hangs_after /= 5;
        repeats
    }

    /// Whether it was repeated enough.
    pub(super) fn are_enough(&self, done: u64) -> bool {
        let is_over = |end: Option<Instant>| end.is_some_and(|end| Instant::now() >= end);
        match done >= self.times {
            true => self.until.is_none() || is_over(self.until),
            false => is_over(self.no_longer_than),
        }
    }

    /// Remembers how often a failure shows.
    pub(super) fn learn(&self, failed: bool, repetitions: u64) {
        if failed {
            with_known(&self.context, |known| {
                known.failures.push(repetitions);
                if known.failures.len() > LATELY {
                    known.failures.remove(0);
                }
            });
        }
    }
}

/// Whether this is the time to look for commands that fail without others: a program that has failed does so no more, and what there
/// is to be said of it is wanted. Once in a run.
pub(super) fn is_lost() -> bool {
    let context = context::context();
    let is_time = Stage::of(&context) == Stage::Again && context::wants_notes();
    is_time && with_known(&context, |known| !known.failures.is_empty() && !std::mem::replace(&mut known.narrowed, true))
}

impl Known {
    /// How many repetitions it took lately to see a failure, on average.
    fn lately(&self) -> Option<u64> {
        let sum: u64 = self.failures.iter().sum();
        (!self.failures.is_empty()).then(|| sum.div_ceil(self.failures.len() as u64))
    }
}

/// What is known of the run that this context belongs to.
fn with_known<T>(context: &Context, act: impl FnOnce(&mut Known) -> T) -> T {
    KNOWN.with_borrow_mut(|known| match known {
        Some(known) if known.context.is_same(context) => act(known),
        _ => {
            let new = Known { context: context.clone(), began: Instant::now(), failures: Vec::new(), narrowed: false };
            act(known.insert(new))
        }
    })
}
