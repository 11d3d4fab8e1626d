//! Tests that run in a child process: their notes are passed on.

use super::Context;
use super::progress::Progress;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Duration;

/// Receives the notes of a test immediately.
pub(crate) trait Listen: std::fmt::Debug + Send + Sync {
    fn note(&self, text: &str);
    /// The position of the next note.
    fn mark(&self) -> u64;
    /// Drops the notes since a position.
    fn forget_since(&self, mark: u64);
    /// The number of repetitions of the test so far.
    fn repeated(&self, times: u64);
    /// Reports that the test has hung for this long and need not be waited for.
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

/// The connection of a test in a child process to its parent.
#[derive(Debug, Default)]
pub(super) struct Elsewhere {
    /// The progress of a child process, in memory that its parent can read.
    published: OnceLock<&'static Progress>,
    /// Receives each note immediately: the process may crash before the test ends.
    listener: OnceLock<&'static dyn Listen>,
    /// The timeout of a test.
    time_limit: OnceLock<Duration>,
    /// Whether to kill tests early that seem to hang.
    hurries: AtomicBool,
    /// Whether the input of a test has a schedule, which this build cannot replay.
    needs_scheduler: AtomicBool,
    /// Whether the tests of the run repeat themselves.
    repeats: AtomicBool,
    /// After how many repetitions tests recently crashed such processes; 0 if unknown.
    fails_after: AtomicU64,
}

impl Elsewhere {
    /// Passes a note on immediately.
    pub(super) fn forward_note(&self, text: &str) {
        if let Some(listener) = self.listener.get() {
            listener.note(text);
        }
    }

    /// Whether the parent of this process sees the progress of the test.
    pub(super) fn is_published(&self) -> bool {
        self.published.get().is_some()
    }
}

impl Context {
    /// Makes `progress` visible to the parent, and sends each note to `listener`.
    pub(crate) fn publish(&self, progress: &'static Progress, listener: &'static dyn Listen) {
        // A child process does this once, at its start.
        let _ = (self.0.elsewhere.published.set(progress), self.0.elsewhere.listener.set(listener));
    }

    /// Sets the timeout of tests.
    pub(crate) fn say_time_limit(&self, limit: Duration) {
        // As above.
        let _ = self.0.elsewhere.time_limit.set(limit);
    }

    /// Sets after how many repetitions tests recently crashed such processes; 0 if unknown.
    pub(crate) fn say_fails_after(&self, repetitions: u64) {
        self.0.elsewhere.fails_after.store(repetitions, Ordering::Relaxed);
    }

    pub(crate) fn fails_after(&self) -> Option<u64> {
        Some(self.0.elsewhere.fails_after.load(Ordering::Relaxed)).filter(|repetitions| *repetitions > 0)
    }

    /// Records the number of repetitions, in case the process crashes during the next one.
    pub(crate) fn say_repetitions(&self, times: u64) {
        if let Some(listener) = self.0.elsewhere.listener.get() {
            listener.repeated(times);
        }
    }

    /// Reports that the test has hung for this long. Returns whether a parent process will end this one.
    pub(crate) fn say_it_hangs(&self, time: Duration) -> bool {
        let listener = self.0.elsewhere.listener.get();
        listener.inspect(|listener| listener.hang(time)).is_some()
    }

    pub(crate) fn time_limit(&self) -> Option<Duration> {
        self.0.elsewhere.time_limit.get().copied()
    }

    /// Drops the notes since `since`, and adds one that matters only if the process crashes before it is dropped as
    /// well. Returns the position before it. `None` without a receiver.
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

    /// Records that the test cannot run here because its input has a schedule.
    pub(crate) fn say_it_needs_a_scheduler(&self) {
        self.0.elsewhere.needs_scheduler.store(true, Ordering::Relaxed);
    }

    /// Whether a test recorded this since the last call.
    pub(crate) fn take_needs_scheduler(&self) -> bool {
        self.0.elsewhere.needs_scheduler.swap(false, Ordering::Relaxed)
    }

    /// Declares that the tests of the run repeat themselves.
    pub(crate) fn say_it_repeats(&self) {
        self.0.elsewhere.repeats.store(true, Ordering::Relaxed);
    }

    pub(crate) fn repeats(&self) -> bool {
        self.0.elsewhere.repeats.load(Ordering::Relaxed)
    }

    /// Sets whether tests that seem to hang are killed early, as is done while many candidates run. The caller confirms
    /// the result.
    pub(crate) fn hurry(&self, hurry: bool) {
        self.0.elsewhere.hurries.store(hurry, Ordering::Relaxed);
    }

    pub(crate) fn hurries(&self) -> bool {
        self.0.elsewhere.hurries.load(Ordering::Relaxed)
    }
}
