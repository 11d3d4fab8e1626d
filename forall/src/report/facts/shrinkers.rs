//! Shrinkers of variables that do not do what shrinkers do, and generators that leave shrinking little to do.

use super::quoted;
use crate::text::{count, number};
use std::time::Duration;

/// A shrinker panicked, or a mutator.
pub(super) fn shrinker_panicked(variable: &str, message: &str, place: Option<&str>) -> String {
    let place = place.map(|place| format!(" at {place}")).unwrap_or_default();
    format!(
        "the shrinker of `{}` panicked{place}: {}; what it offered before was tried, and the rest is when it is repaired",
        quoted(variable),
        quoted(message)
    )
}

/// A shrinker offers the value that it was given.
pub(super) fn shrinker_returns_the_value(variable: &str) -> String {
    format!(
        "the shrinker of `{}` offers a value that looks like the one it was given; such candidates are left out, and cost time: leave them out of what it offers",
        quoted(variable)
    )
}

/// A shrinker comes back to a value that it came from.
pub(super) fn shrinker_goes_in_circles(variable: &str) -> String {
    format!(
        "the shrinker of `{}` goes in circles: it offers a value that led to the one it was given; have it offer simpler ones only",
        quoted(variable)
    )
}

/// Shrinking on values went as many steps as it may.
pub(super) fn too_many_steps(steps: u64) -> String {
    format!(
        "shrinking on values ended after {} steps: a shrinker that offers the simplest values first gets there sooner",
        number(steps)
    )
}

/// A shrinker offers nothing but larger values.
pub(super) fn shrinker_only_grows(variable: &str) -> String {
    format!(
        "the shrinker of `{}` offers larger values only, none of which is taken for simpler: have it offer smaller ones",
        quoted(variable)
    )
}

/// Most of the inputs that were run for shrinking came to nothing, since they were rejected.
pub(super) fn mostly_rejected(rejected: u64, of: u64) -> String {
    format!(
        "{} of {} were rejected by a generator or an assumption, so simpler ones may fail that were never tried. Generate \
         what you want (build it, or use a narrower range) instead of filtering what you do not.",
        number(rejected),
        count(of, "simpler input")
    )
}

/// Says that the clock ended an explanation, which therefore need not be the same next time.
pub(super) fn explained_by_the_clock(runs: u64) -> String {
    format!(
        "explanation stopped after {} (slow tests); results may vary. Set `FORALL_EXPLAIN=40000` to spend twenty times as long.",
        count(runs, "run")
    )
}

/// Says why a flaky failure is not shrunk: its input did not fail again in so many runs.
pub(super) fn flaky_and_lost(runs: u64) -> String {
    format!(
        "Not shrunk: it did not fail again in {}, which is too rare to look for simpler inputs.",
        count(runs, "run")
    )
}

/// Says why a flaky failure is not shrunk: simpler inputs failed, and not again.
pub(super) fn flaky_when_simpler() -> String {
    "Not shrunk: simpler inputs failed once, and none of them was seen to fail twice. This is the input as it was found.".to_owned()
}

/// Says that no run passed, so that a failure of the process cannot be told from one of the input.
pub(super) fn never_passed() -> String {
    "no run passed, so state left behind by a test cannot be ruled out; `replay:` runs the input in a fresh process"
        .to_owned()
}

/// Says why a failure is not shrunk: an input that passed in this run, that of test `index`, now failed in all of so many runs of such.
pub(super) fn state_left_behind(index: u64, input: &str, runs: u64) -> String {
    format!(
        "Not shrunk: test {} of this run ({}) passed, and fails now: {} of inputs that had passed all failed. Most likely tests leave \
         state behind, in a static or a file, and this input may pass in a fresh process. Reset the state at the start of each test.",
        number(index),
        quoted(input),
        count(runs, "run")
    )
}

/// Where shrinking stopped: at the limit on its runs.
pub(super) fn evaluations_spent(evaluations: u64) -> String {
    format!("after {evaluations} evaluations (`FORALL_SHRINK_EVALUATIONS`)")
}

/// At the limit on its time.
pub(super) fn shrink_time_spent(taken: Duration) -> String {
    format!("after {taken:.1?} (`FORALL_SHRINK_TIME`)")
}

/// Where a flaky failure was shrunk on with one run for each candidate.
pub(super) fn retries_spent(runs: u64) -> String {
    format!("retrying candidates that pass after {runs} extra runs")
}

/// At a flaky input whose simpler candidates were not seen to fail again.
pub(super) fn last_failed_twice() -> String {
    "at the last input that was seen to fail twice".to_owned()
}

/// Where the explanation stopped: at the limit on its runs.
pub(super) fn explanation_spent(runs: u64) -> String {
    format!("after {runs} runs (`FORALL_EXPLAIN`)")
}

/// Because of the size of the values.
pub(super) fn explanation_of_large_values(runs: u64) -> String {
    format!("after {runs} runs, because the values are large")
}

/// Because of the time that runs take.
pub(super) fn explanation_of_slow_runs(runs: u64) -> String {
    format!("after {runs} runs, because they are slow")
}

/// Where either stopped that was cancelled.
pub(super) fn when_the_run_was_stopped() -> String {
    "when the run was stopped".to_owned()
}
