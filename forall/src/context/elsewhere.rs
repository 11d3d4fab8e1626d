//! Tests that run in another process: what they say is handed over.

use super::Context;
use super::progress::Progress;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Duration;

/// Who hears what a test says at the moment that it says it.
pub(crate) trait Listen: std::fmt::Debug + Send + Sync {
    fn note(&self, text: &str);
    /// Where the next note will be.
    fn mark(&self) -> u64;
    /// Forgets the notes since a mark.
    fn forget_since(&self, mark: u64);
    /// The test has repeated what it does so often.
    fn repeated(&self, times: u64);
    /// The test hangs, for so long: it need not be waited for any longer.
    fn hang(&self, time: Duration);
}

/// Whether this process runs tests for another one.
static SERVING: AtomicBool = AtomicBool::new(false);

pub(crate) fn serve() {
    SERVING.store(true, Ordering::Relaxed);
}

pub(crate) fn is_serving() -> bool {
    SERVING.load(Ordering::Relaxed)
}

/// What a test in a child process has to do with its parent.
#[derive(Debug, Default)]
pub(super) struct Elsewhere {
    /// The progress of a child process is where its parent can see it, and this is it.
    published: OnceLock<&'static Progress>,
    /// Hears each note at once: the process may not live until the test ends.
    listener: OnceLock<&'static dyn Listen>,
    /// A test that takes longer is killed.
    time_limit: OnceLock<Duration>,
    /// Tests that seem to hang are given up early.
    hurries: AtomicBool,
    /// The tests of the run are programs that are repeated by themselves.
    repeats: AtomicBool,
    /// After how many repetitions tests have ended processes like this one lately; 0 if that is not known.
    fails_after: AtomicU64,
}

impl Elsewhere {
    /// Hands a note over at once.
    pub(super) fn hears_note(&self, text: &str) {
        if let Some(listener) = self.listener.get() {
            listener.note(text);
        }
    }

    /// Whether the parent of this process sees how far the test is.
    pub(super) fn is_published(&self) -> bool {
        self.published.get().is_some()
    }
}

impl Context {
    /// From now on, who can look at `progress` sees where the run stands, and `listener` hears each note.
    pub(crate) fn publish(&self, progress: &'static Progress, listener: &'static dyn Listen) {
        // A child process does this once, when it begins.
        let _ = (self.0.elsewhere.published.set(progress), self.0.elsewhere.listener.set(listener));
    }

    /// From now on a test that takes longer is killed.
    pub(crate) fn say_time_limit(&self, limit: Duration) {
        // As above.
        let _ = self.0.elsewhere.time_limit.set(limit);
    }

    /// Tests have ended processes like this one after so many repetitions lately; 0 if that is not known.
    pub(crate) fn say_fails_after(&self, repetitions: u64) {
        self.0.elsewhere.fails_after.store(repetitions, Ordering::Relaxed);
    }

    pub(crate) fn fails_after(&self) -> Option<u64> {
        Some(self.0.elsewhere.fails_after.load(Ordering::Relaxed)).filter(|repetitions| *repetitions > 0)
    }

    /// What the test does was done so often: known even if the process does not survive the next time.
    pub(crate) fn say_repetitions(&self, times: u64) {
        if let Some(listener) = self.0.elsewhere.listener.get() {
            listener.repeated(times);
        }
    }

    /// Says that the test hangs, for so long. Whether there is somebody who ends this process for that.
    pub(crate) fn say_it_hangs(&self, time: Duration) -> bool {
        let listener = self.0.elsewhere.listener.get();
        listener.inspect(|listener| listener.hang(time)).is_some()
    }

    pub(crate) fn time_limit(&self) -> Option<Duration> {
        self.0.elsewhere.time_limit.get().copied()
    }

    /// Says something that is of interest only if the process does not live to say more: before the mark that is given back, all
    /// is kept. None if nobody hears it.
    pub(crate) fn last_words(&self, since: Option<u64>, text: Option<&str>) -> Option<u64> {
        let listener = self.0.elsewhere.listener.get().filter(|_| self.wants_notes())?;
        let _one_at_a_time = self.records();
        if let Some(mark) = since {
            listener.forget_since(mark);
        }
        let mark = listener.mark();
        if let Some(text) = text {
            listener.note(text);
        }
        Some(mark)
    }

    pub(crate) fn progress(&self) -> &Progress {
        if let Some(published) = self.0.elsewhere.published.get() {
            return published;
        }
        &self.0.progress
    }

    /// Says that the tests of the run are programs that are repeated by themselves.
    pub(crate) fn say_it_repeats(&self) {
        self.0.elsewhere.repeats.store(true, Ordering::Relaxed);
    }

    pub(crate) fn repeats(&self) -> bool {
        self.0.elsewhere.repeats.load(Ordering::Relaxed)
    }

    /// Whether tests that seem to hang are given up early from now on: while many are tried. Who does this makes sure of what comes
    /// out.
    pub(crate) fn hurry(&self, hurry: bool) {
        self.0.elsewhere.hurries.store(hurry, Ordering::Relaxed);
    }

    pub(crate) fn hurries(&self) -> bool {
        self.0.elsewhere.hurries.load(Ordering::Relaxed)
    }
}
