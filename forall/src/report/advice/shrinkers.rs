//! Shrinkers of variables that do not do what shrinkers do, and generators that leave shrinking little to do.

use super::super::text::{count, number};
use super::quoted;
use crate::property::Location;

/// A shrinker panicked, or a mutator.
///
/// ```
/// use forall::report::advice::shrinker_panicked;
/// assert!(shrinker_panicked("xs", "index out of bounds", None).starts_with("the shrinker of `xs` panicked"));
/// ```
pub fn shrinker_panicked(variable: &str, message: &str, location: Option<&Location>) -> String {
    let place = location.map(|location| format!(" at {location}")).unwrap_or_default();
    format!(
        "the shrinker of `{}` panicked{place}: {}; what it offered before was tried, and the rest is when it is repaired",
        quoted(variable),
        quoted(message)
    )
}

/// A shrinker offers the value that it was given.
///
/// ```
/// use forall::report::advice::shrinker_returns_the_value;
/// assert!(shrinker_returns_the_value("xs").contains("`xs`"));
/// ```
pub fn shrinker_returns_the_value(variable: &str) -> String {
    format!(
        "the shrinker of `{}` offers a value that looks like the one it was given; such candidates are left out, and cost time: leave them out of what it offers",
        quoted(variable)
    )
}

/// A shrinker comes back to a value that it came from.
///
/// ```
/// use forall::report::advice::shrinker_goes_in_circles;
/// assert!(shrinker_goes_in_circles("xs").contains("circles"));
/// ```
pub fn shrinker_goes_in_circles(variable: &str) -> String {
    format!(
        "the shrinker of `{}` goes in circles: it offers a value that led to the one it was given; have it offer simpler ones only",
        quoted(variable)
    )
}

/// Shrinking on values went as many steps as it may.
///
/// ```
/// assert!(forall::report::advice::too_many_steps(1000).contains("1,000 steps"));
/// ```
pub fn too_many_steps(steps: u64) -> String {
    format!(
        "shrinking on values ended after {} steps: a shrinker that offers the simplest values first gets there sooner",
        number(steps)
    )
}

/// A shrinker offers nothing but larger values.
///
/// ```
/// use forall::report::advice::shrinker_only_grows;
/// assert!(shrinker_only_grows("xs").contains("larger"));
/// ```
pub fn shrinker_only_grows(variable: &str) -> String {
    format!(
        "the shrinker of `{}` offers larger values only, none of which is taken for simpler: have it offer smaller ones",
        quoted(variable)
    )
}

/// If most of the inputs that were run for shrinking came to nothing, since they were rejected: what that means.
///
/// ```
/// use forall::report::advice::mostly_rejected;
/// assert!(mostly_rejected(90, 100).unwrap().starts_with("90 of 100 simpler inputs were rejected"));
/// assert_eq!(mostly_rejected(10, 100), None);
/// ```
pub fn mostly_rejected(rejected: u64, of: u64) -> Option<String> {
    const MANY: u64 = 20;
    (rejected >= MANY && rejected > of / 2).then(|| {
        format!(
            "{} of {} were rejected by a generator or an assumption, so simpler ones may fail that were never tried. Generate \
             what you want (build it, or use a narrower range) instead of filtering what you do not.",
            number(rejected),
            count(of, "simpler input")
        )
    })
}

/// Says that the clock ended an explanation, which therefore need not be the same next time.
///
/// ```
/// assert!(forall::report::advice::explained_by_the_clock(12).starts_with("explanation stopped after 12 runs"));
/// ```
pub fn explained_by_the_clock(runs: u64) -> String {
    format!(
        "explanation stopped after {} (slow tests); results may vary. Set `FORALL_EXPLAIN=40000` to spend twenty times as long.",
        count(runs, "run")
    )
}

/// Says why a flaky failure is not shrunk: its input did not fail again in so many runs.
///
/// ```
/// assert!(forall::report::advice::flaky_and_lost(11).starts_with("Not shrunk: it did not fail again in 11 runs"));
/// ```
pub fn flaky_and_lost(runs: u64) -> String {
    format!(
        "Not shrunk: it did not fail again in {}, which is too rare to look for simpler inputs.",
        count(runs, "run")
    )
}

/// Says why a flaky failure is not shrunk: simpler inputs failed, and not again.
///
/// ```
/// assert!(forall::report::advice::flaky_when_simpler().starts_with("Not shrunk: simpler inputs failed once"));
/// ```
pub fn flaky_when_simpler() -> String {
    "Not shrunk: simpler inputs failed once, and none of them was seen to fail twice. This is the input as it was found.".to_owned()
}

/// Says that no run passed, so that a failure of the process cannot be told from one of the input.
///
/// ```
/// assert!(forall::report::advice::never_passed().starts_with("no run passed"));
/// ```
pub fn never_passed() -> String {
    "no run passed, so state left behind by a test cannot be ruled out; `replay:` runs the input in a fresh process"
        .to_owned()
}

/// Says why a failure is not shrunk: an input that passed in this run, that of test `index`, now failed in all of so many runs of such.
///
/// ```
/// let text = forall::report::advice::state_left_behind(0, "xs = vec![]", 10);
/// assert!(text.starts_with("Not shrunk: test 0 of this run (xs = vec![]) passed, and fails now"));
/// ```
pub fn state_left_behind(index: u64, input: &str, runs: u64) -> String {
    format!(
        "Not shrunk: test {} of this run ({}) passed, and fails now: {} of inputs that had passed all failed. Most likely tests leave \
         state behind, in a static or a file, and this input may pass in a fresh process. Reset the state at the start of each test.",
        number(index),
        quoted(input),
        count(runs, "run")
    )
}
