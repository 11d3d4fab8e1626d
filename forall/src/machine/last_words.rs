//! The record that a test writes before each command, in case the command crashes the process.
//!
//! Only isolated tests record it, and only when their notes are requested. A test that survives shows its responses
//! itself, so the record is then removed.

use crate::context::Context;

/// While it lives, steps can be recorded; they are removed when it is dropped.
pub(super) struct LastWords {
    context: Context,
    /// Where the record begins; `None` if it is not read.
    begin: Option<u64>,
}

impl LastWords {
    #[inline]
    pub(super) fn begin(context: Context) -> Self {
        let begin = record(&context, None, None);
        Self { context, begin }
    }

    /// Starts again: the steps recorded so far did not crash the process.
    #[inline]
    pub(super) fn again(&self) {
        if self.begin.is_some() {
            record(&self.context, self.begin, None);
        }
    }

    /// Records the next step.
    pub(super) fn record(&self, text: impl FnOnce() -> String) {
        if self.begin.is_some() {
            record(&self.context, None, Some(&text()));
        }
    }
}

impl Drop for LastWords {
    #[inline]
    fn drop(&mut self) {
        self.again();
    }
}

#[inline]
fn record(context: &Context, since: Option<u64>, text: Option<&str>) -> Option<u64> {
    context.last_words(since, text)
}
