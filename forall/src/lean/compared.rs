//! Without the `coverage` feature, nothing is recorded.

/// Whether comparisons of this thread are recorded.
#[inline(always)]
pub(crate) fn is_recording() -> bool {
    false
}

/// Logs a value of the test's `feature!`, if the test is recorded.
#[inline(always)]
pub(crate) fn announce_feature(_name: &str, _value: &str) {}

/// Logs a score of the test's `target!`, if the test is recorded.
#[inline(always)]
pub(crate) fn announce_score(_name: &str, _score: f64) {}
