//! Tests that run in another process: what they say is handed over.

use super::progress::Progress;
use super::{Context, Record};
use std::sync::atomic::{AtomicBool, Ordering};
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

/// What one test said of itself.
#[derive(Debug, PartialEq)]
pub(crate) struct Said(pub(crate) Vec<Record>);

impl Context {
    /// From now on, who can look at `progress` sees where the run stands, and `listener` hears each note.
    pub(crate) fn publish(&self, progress: &'static Progress, listener: &'static dyn Listen) {
        // A child process does this once, when it begins.
        let _ = (self.0.published.set(progress), self.0.listener.set(listener));
    }

    /// From now on a test that takes longer is killed.
    pub(crate) fn say_time_limit(&self, limit: Duration) {
        // As above.
        let _ = self.0.time_limit.set(limit);
    }

    /// Tests have ended processes like this one after so many repetitions lately; 0 if that is not known.
    pub(crate) fn say_fails_after(&self, repetitions: u64) {
        self.0.fails_after.store(repetitions, Ordering::Relaxed);
    }

    pub(crate) fn fails_after(&self) -> Option<u64> {
        Some(self.0.fails_after.load(Ordering::Relaxed)).filter(|repetitions| *repetitions > 0)
    }

    /// What the test does was done so often: known even if the process does not survive the next time.
    pub(crate) fn say_repetitions(&self, times: u64) {
        if let Some(listener) = self.0.listener.get() {
            listener.repeated(times);
        }
    }

    /// Says that the test hangs, for so long. Whether there is somebody who ends this process for that.
    pub(crate) fn say_it_hangs(&self, time: Duration) -> bool {
        let listener = self.0.listener.get();
        listener.inspect(|listener| listener.hang(time)).is_some()
    }

    pub(crate) fn time_limit(&self) -> Option<Duration> {
        self.0.time_limit.get().copied()
    }

    /// Says something that is of interest only if the process does not live to say more: before the mark that is given back, all
    /// is kept. None if nobody hears it.
    pub(crate) fn last_words(&self, since: Option<u64>, text: Option<&str>) -> Option<u64> {
        let listener = self.0.listener.get().filter(|_| self.wants_notes())?;
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

    /// What the test said that ran last.
    pub(crate) fn take_said(&self) -> Said {
        Said(std::mem::take(&mut self.records().pending))
    }

    /// Says what a test said elsewhere.
    pub(crate) fn say_again(&self, said: Said) {
        for record in said.0 {
            self.record(record);
        }
    }

    pub(crate) fn is_waited_for(&self) -> bool {
        self.0.must_end.load(Ordering::Relaxed)
    }
}
