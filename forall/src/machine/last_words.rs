//! What a test of commands says before each: should the process not survive one, that is known of it.
//!
//! Only isolated tests are heard, and only when their notes are wanted. What survives shows its responses by itself, so what was said
//! is taken back then.

use crate::context::Context;

/// While it lives, steps can be told; they are taken back at its end.
pub(super) struct LastWords {
    context: Context,
    /// Where they begin; none if nobody hears them.
    begin: Option<u64>,
}

impl LastWords {
    pub(super) fn begin(context: Context) -> Self {
        let begin = say(&context, None, None);
        Self { context, begin }
    }

    /// Begins once more: what was said belongs to something that was survived.
    pub(super) fn again(&self) {
        if self.begin.is_some() {
            say(&self.context, self.begin, None);
        }
    }

    /// Says what is about to be done.
    pub(super) fn say(&self, text: impl FnOnce() -> String) {
        if self.begin.is_some() {
            say(&self.context, None, Some(&text()));
        }
    }
}

impl Drop for LastWords {
    fn drop(&mut self) {
        self.again();
    }
}

fn say(context: &Context, since: Option<u64>, text: Option<&str>) -> Option<u64> {
    context.last_words(since, text)
}
