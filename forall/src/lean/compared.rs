//! Without the `coverage` feature, nothing is recorded.

/// Whether comparisons of this thread are recorded.
#[inline(always)]
pub(crate) fn is_recording() -> bool {
    false
}

/// Logs what the test announces by `feature!`, if it is recorded.
#[inline(always)]
pub(crate) fn announce_feature(_name: &str, _value: &str) {}

/// Logs what the test announces by `target!`, if it is recorded.
#[inline(always)]
pub(crate) fn announce_score(_name: &str, _score: f64) {}
