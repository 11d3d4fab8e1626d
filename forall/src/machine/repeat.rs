//! How often a parallel program is repeated: a little at random, more where it once failed.

use super::Tuning;
use crate::context::{self, Context, Phase};
use std::cell::RefCell;
use std::time::{Duration, Instant};

thread_local! {
    /// The last failure of a program on this thread: of which run, and after how many repetitions it came.
    static LAST: RefCell<Option<(Context, u64)>> = const { RefCell::new(None) };
}

/// So many times as often as the last failure took a smaller program is repeated before it is taken to pass: what fails as
/// often is then missed once in twenty times.
const CONFIDENCE: u64 = 3;

/// How often a program is repeated, and when it is given up.
pub(super) struct Repeats {
    tuning: Tuning,
    context: Context,
    stage: Stage,
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

impl Repeats {
    pub(super) fn of(tuning: &Tuning) -> Self {
        let context = context::context();
        let stage = match context.phase().0 {
            _ if !context::is_active() || context.is_in_block() => Stage::Testing,
            Phase::Testing => Stage::Again,
            Phase::Shrinking | Phase::Explaining => Stage::Shrinking,
        };
        Self { tuning: tuning.clone(), context, stage }
    }

    pub(super) fn at_least(&self) -> u64 {
        let repetitions = u64::from(self.tuning.repetitions.max(1));
        let surer = repetitions * u64::from(self.tuning.surer.max(1));
        match self.stage {
            Stage::Testing => repetitions,
            Stage::Again => surer,
            // Where failures are frequent, few repetitions tell; where they are rare, many are needed.
            Stage::Shrinking => match self.last_failure() {
                Some(after) => (CONFIDENCE * after).clamp(repetitions, CONFIDENCE * surer),
                None => surer,
            },
        }
    }

    /// Until when it is repeated after that.
    pub(super) fn until(&self) -> Option<Instant> {
        (self.stage == Stage::Again).then(|| Instant::now() + self.tuning.patience)
    }

    /// How long nothing may happen. Less, once it is known to hang: shrinking would take for ever.
    pub(super) fn hangs_after(&self) -> Duration {
        match self.stage {
            Stage::Testing => self.tuning.hangs_after,
            Stage::Again | Stage::Shrinking => self.tuning.hangs_after / 5,
        }
    }

    /// Remembers how often a failure shows.
    pub(super) fn learn(&self, failed: bool, repetitions: u64) {
        if failed {
            LAST.set(Some((self.context.clone(), repetitions)));
        }
    }

    fn last_failure(&self) -> Option<u64> {
        LAST.with_borrow(|last| match last {
            Some((context, after)) if context.is_same(&self.context) => Some(*after),
            _ => None,
        })
    }
}
