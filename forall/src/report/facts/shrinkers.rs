//! Invalid shrinkers, and failures that are not shrunk or not completely.

use super::quoted;
use crate::fact::LITERALS_INDICES;
use crate::text::{count, number, time};
use std::time::Duration;

/// A shrinker panicked, or a mutator.
pub(super) fn shrinker_panicked(variable: &str, message: &str, place: Option<&str>) -> String {
    let place = place.map(|place| format!(" at {place}")).unwrap_or_default();
    format!(
        "the shrinker of `{}` panicked{place}: {}; only the candidates before the panic were tried. Fix the shrinker",
        quoted(variable),
        quoted(message)
    )
}

/// A shrinker yields its own argument.
pub(super) fn shrinker_returns_the_value(variable: &str) -> String {
    format!(
        "the shrinker of `{}` yields a candidate that looks like the original value; such candidates are skipped, but \
         cost time: do not yield them",
        quoted(variable)
    )
}

/// A shrinker yields a value that it was called with before.
pub(super) fn shrinker_goes_in_circles(variable: &str) -> String {
    format!(
        "the shrinker of `{}` cycles: it yields a value that it has already been called with; yield only simpler values",
        quoted(variable)
    )
}

/// Shrinking by your own shrinkers reached its limit of steps.
pub(super) fn too_many_steps(steps: u64) -> String {
    format!(
        "shrinking stopped after {} steps of your own shrinkers: shrinkers that yield the simplest values first need \
         fewer",
        number(steps)
    )
}

/// A shrinker yields only larger values.
pub(super) fn shrinker_only_grows(variable: &str) -> String {
    format!(
        "the shrinker of `{}` yields only larger values, which are not accepted as simpler: yield smaller ones",
        quoted(variable)
    )
}

/// Most shrinking candidates were rejected.
pub(super) fn mostly_rejected(rejected: u64, of: u64) -> String {
    format!(
        "{} of {} were rejected by a generator or an assumption, so there may be a simpler counterexample. Generate \
         valid inputs directly (build them, or use a narrower range) instead of filtering.",
        number(rejected),
        count(of, "simpler input")
    )
}

/// The explanation has fewer runs because tests are slow, so it may differ on another machine.
pub(super) fn explained_by_the_clock(runs: u64) -> String {
    if runs == 0 {
        return "not explained, because the tests are slow. Set `FORALL_EXPLAIN=40000` to spend twenty times as long."
            .to_owned();
    }
    format!(
        "explanation limited to {} (slow tests); results may vary. Set `FORALL_EXPLAIN=40000` to spend twenty times as long.",
        count(runs, "run")
    )
}

/// A flaky failure is not shrunk: its input did not fail again in this many runs.
pub(super) fn flaky_and_lost(runs: u64) -> String {
    format!("Not shrunk: the input did not fail again in {}; failures this rare cannot be shrunk.", count(runs, "run"))
}

/// A flaky failure is not shrunk: simpler inputs failed once, but not twice.
pub(super) fn flaky_when_simpler() -> String {
    "Not shrunk: simpler inputs failed once, but none of them twice. This is the original input.".to_owned()
}

/// No run passed, so a failure caused by leftover state cannot be ruled out.
pub(super) fn never_passed() -> String {
    "no run passed; run the `replay:` command to rule out leftover state".to_owned()
}

/// A failure is not shrunk, because inputs that passed in this run, such as that of test `index`, fail now.
pub(super) fn state_left_behind(index: u64, input: &str, runs: u64) -> String {
    let test = match index.checked_sub(LITERALS_INDICES) {
        Some(literals) => format!("test {} with literals", number(literals)),
        None => format!("test {} of this run", number(index)),
    };
    format!(
        "Not shrunk: {test} ({}) passed earlier but fails now, and so did all {} of inputs that had passed. Most \
         likely tests leave state behind, in a static or a file, and this input may pass in a fresh process. Reset the \
         state at the start of each test.",
        quoted(input),
        count(runs, "rerun")
    )
}

/// Shrinking stopped at its limit of evaluations.
pub(super) fn evaluations_spent(evaluations: u64) -> String {
    format!("after {evaluations} evaluations (`FORALL_SHRINK_EVALUATIONS`)")
}

/// Shrinking stopped at its time limit.
pub(super) fn shrink_time_spent(taken: Duration) -> String {
    format!("after {} (`FORALL_SHRINK_TIME`)", time(taken))
}

/// The retries for a flaky failure are used up: each candidate runs once from there on.
pub(super) fn retries_spent(runs: u64) -> String {
    format!("retrying passing candidates after {runs} extra runs")
}

/// No simpler candidate of a flaky failure failed twice.
pub(super) fn last_failed_twice() -> String {
    "at the last input that failed twice".to_owned()
}

/// The explanation stopped at its limit of runs.
pub(super) fn explanation_spent(runs: u64) -> String {
    format!("after {runs} runs (`FORALL_EXPLAIN`)")
}

/// The explanation stopped early, because values are large.
pub(super) fn explanation_of_large_values(runs: u64) -> String {
    format!("after {runs} runs, because the values are large")
}

/// The explanation stopped early, because runs are slow.
pub(super) fn explanation_of_slow_runs(runs: u64) -> String {
    format!("after {runs} runs, because they are slow")
}

/// Shrinking or the explanation was cancelled.
pub(super) fn when_the_run_was_stopped() -> String {
    "when the run was stopped".to_owned()
}
