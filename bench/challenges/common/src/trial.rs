//! One run of a tool, seen from inside the property: evaluations and CPU time from the first failure on, and the failing
//! value that was evaluated last, which with every tool is the result.

use crate::{Challenge, Outcome, Shrunk};
use nix::time::{ClockId, clock_gettime};
use std::any::Any;
use std::cell::RefCell;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::Duration;

#[derive(Default)]
struct Trial {
    /// When the first failure was seen.
    failed: Option<Duration>,
    /// Evaluations since then.
    evaluations: u64,
    /// The last value that failed: of the type that the challenge is about.
    last: Option<Box<dyn Any>>,
}

thread_local! {
    static TRIAL: RefCell<Trial> = RefCell::default();
}

/// Evaluates the property, and counts.
pub fn evaluate<C: Challenge>(value: &C::Value) -> Outcome {
    let outcome = C::check(value);
    TRIAL.with_borrow_mut(|trial| {
        trial.evaluations += u64::from(trial.failed.is_some());
        if outcome == Outcome::Fails {
            trial.last = Some(Box::new(value.clone()));
            trial.failed.get_or_insert_with(now);
        }
    });
    outcome
}

/// The same for tools whose generators make no value that the property does not speak of.
pub fn fails<C: Challenge>(value: &C::Value) -> bool {
    evaluate::<C>(value) == Outcome::Fails
}

/// Lets a tool run, which may end by panicking.
pub(crate) fn record<C: Challenge>(run: impl FnOnce()) -> Option<Shrunk> {
    TRIAL.take();
    // How a tool says that it found a failure is of no interest: the property was there.
    let _ = catch_unwind(AssertUnwindSafe(run));
    let end = now();
    let Trial { failed, evaluations, last } = TRIAL.take();
    let value = last?.downcast::<C::Value>().expect("a value of this challenge");
    Some(Shrunk { ideal: C::is_ideal(&value), evaluations, apart: 0, cpu: end - failed?, result: format!("{value:?}") })
}

/// The CPU time of this process, all its threads together.
pub fn now() -> Duration {
    clock_gettime(ClockId::CLOCK_PROCESS_CPUTIME_ID).expect("every Linux has this clock").into()
}
