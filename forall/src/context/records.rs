//! What tests say of themselves: notes, labels, rows of tables, demands, scores.

use super::{CURRENT, Context, told};
use crate::statistics::{ByName, Cover, Statistics};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// What the tests of a run say, and what of it is wanted.
#[derive(Debug)]
pub(super) struct Records {
    notes_wanted: AtomicBool,
    counts_labels: AtomicBool,
    /// Whether any test of the run had a label.
    labelled: AtomicBool,
    log: Mutex<Log>,
}

impl Default for Records {
    fn default() -> Self {
        Self {
            notes_wanted: AtomicBool::new(false),
            counts_labels: AtomicBool::new(true),
            labelled: AtomicBool::new(false),
            log: Mutex::default(),
        }
    }
}

#[derive(Debug, Default)]
pub(super) struct Log {
    /// What the running test said so far. It counts when the test turns out valid.
    pending: Vec<Record>,
    pending_index: u64,
    statistics: Statistics,
    notes: Vec<String>,
    score: Option<f64>,
}

#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Record {
    Label(String),
    Row { table: String, row: String },
    Cover { label: String, percent: f64, hit: bool },
    Feature { name: String, value: String },
}

/// What one test said of itself.
#[derive(Debug, PartialEq)]
pub(crate) struct Said(pub(crate) Vec<Record>);

impl Context {
    /// The highest score that `target!` gave since it was last asked for, for runners that search for high scores.
    ///
    /// ```
    /// # use forall::prelude::*;
    /// use forall::run::Tester;
    /// let property = property! { forall n in 7..8u32; check { target!(f64::from(*n)); } };
    /// let tester = Tester::new("high", &property, 1);
    /// tester.record(0, 100);
    /// assert_eq!(tester.context().take_score(), Some(7.0));
    /// assert_eq!(tester.context().take_score(), None, "it was taken");
    /// ```
    #[doc(hidden)]
    pub fn take_score(&self) -> Option<f64> {
        self.records().score.take()
    }

    pub(crate) fn replace_score(&self, score: Option<f64>) {
        self.records().score = score;
    }

    pub(crate) fn wants_notes(&self) -> bool {
        self.0.records.notes_wanted.load(Ordering::Relaxed)
    }

    pub(crate) fn want_notes(&self, wanted: bool) {
        self.0.records.notes_wanted.store(wanted, Ordering::Relaxed);
        self.records().notes.clear();
    }

    /// Whether notes are wanted, from now on and before. Those that there are stay.
    pub(crate) fn replace_notes_wanted(&self, wanted: bool) -> bool {
        self.0.records.notes_wanted.swap(wanted, Ordering::Relaxed)
    }

    pub(crate) fn take_notes(&self) -> Vec<String> {
        std::mem::take(&mut self.records().notes)
    }

    /// Whether labels count from now on: those of random tests do, those of replays and of shrinking do not.
    pub(crate) fn count_labels(&self, count: bool) {
        self.0.records.counts_labels.store(count, Ordering::Relaxed);
    }

    pub(crate) fn counts_labels(&self) -> bool {
        self.0.records.counts_labels.load(Ordering::Relaxed)
    }

    /// The labels of the tests so far, the pending ones of the last test included.
    pub(crate) fn take_statistics(&self) -> Statistics {
        let mut records = self.records();
        records.commit();
        std::mem::take(&mut records.statistics)
    }

    /// What `cover!` demanded so far, and how often that was there.
    pub(crate) fn covers(&self) -> ByName<Cover> {
        let mut records = self.records();
        records.commit();
        records.statistics.covers.clone()
    }

    /// What the running test said does not count.
    pub(crate) fn forget(&self) {
        let index = self.index();
        let mut records = self.records();
        if records.pending_index == index {
            records.pending.clear();
        } else {
            // That was said by an earlier test, which was valid.
            records.commit();
        }
    }

    /// One path of a search has come to its end: what it said counts, if it was valid, apart from what the next one says.
    #[inline]
    pub(crate) fn settle(&self, is_valid: bool) {
        // Most properties say nothing, and this must cost next to nothing for them.
        if self.0.records.labelled.load(Ordering::Relaxed) {
            self.settle_labels(is_valid);
        }
    }

    #[cold]
    fn settle_labels(&self, is_valid: bool) {
        let mut records = self.records();
        if is_valid {
            records.commit();
        } else {
            records.pending.clear();
        }
    }

    /// What the last test said of itself, as far as it still counts, and how near it came to its target.
    pub(crate) fn said_by_last_test(&self) -> (Vec<Record>, Option<f64>) {
        let index = self.index();
        let records = self.records();
        let is_its = records.pending_index == index;
        (if is_its { records.pending.clone() } else { Vec::new() }, records.score)
    }

    pub(super) fn note(&self, text: String) {
        let mut records = self.records();
        self.0.elsewhere.hears_note(&text);
        records.notes.push(text);
    }

    pub(super) fn record(&self, record: Record) {
        if self.0.records.counts_labels.load(Ordering::Relaxed) {
            let index = self.index();
            let mut records = self.records();
            if records.pending_index != index {
                records.commit();
                records.pending_index = index;
            }
            records.pending.push(record);
            self.0.records.labelled.store(true, Ordering::Relaxed);
        }
    }

    /// Keeps a score if it is the highest since the last was taken.
    pub(super) fn score(&self, score: f64) {
        let mut records = self.records();
        // NaN is kept, so that the runner can complain of it.
        if records.score.is_none_or(|before| score.is_nan() || score > before) {
            records.score = Some(score);
        }
    }

    /// Takes what the test said that ran last.
    pub(crate) fn take_said(&self) -> Said {
        Said(std::mem::take(&mut self.records().pending))
    }

    /// Says what a test said elsewhere.
    pub(crate) fn say_again(&self, said: Said) {
        for record in said.0 {
            self.record(record);
        }
    }

    /// Counts what tests have said elsewhere.
    pub(crate) fn add_statistics(&self, statistics: &Statistics) {
        let mut records = self.records();
        records.commit();
        records.statistics.add(statistics);
    }

    /// While this is held, nothing else is said.
    pub(super) fn records(&self) -> MutexGuard<'_, Log> {
        self.0.records.log.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Log {
    /// The test that spoke last was valid: what it said counts.
    fn commit(&mut self) {
        let said = std::mem::take(&mut self.pending);
        self.statistics.count(said);
    }
}

impl Statistics {
    fn count(&mut self, said: Vec<Record>) {
        // A test that bears a label twice counts once.
        let (mut seen, mut covered) = (Vec::new(), Vec::new());
        for record in said {
            match record {
                Record::Label(label) => {
                    if !seen.contains(&label) {
                        *self.labels.entry(label.clone(), 0) += 1;
                        seen.push(label);
                    }
                }
                Record::Row { table, row } => {
                    *self.tables.entry(table, ByName::default()).entry(row, 0) += 1;
                }
                Record::Cover { label, percent, hit } => {
                    let cover = self.covers.entry(label.clone(), Cover { percent, hits: 0 });
                    // Of two demands of one name the higher one counts.
                    cover.percent = cover.percent.max(percent);
                    if hit && !covered.contains(&label) {
                        cover.hits += 1;
                        covered.push(label);
                    }
                }
                Record::Feature { name, value } => {
                    let values = self.features.entry(name, ByName::default());
                    let is_counted = values.len() < told::FEATURE_VALUES || values.get(&value).is_some();
                    *values.entry(if is_counted { value } else { told::OTHERS.to_owned() }, 0) += 1;
                }
            }
        }
    }
}

/// What the running test said does not count: it was discarded.
pub(crate) fn forget_labels() {
    CURRENT.with_borrow(|current| {
        // Most tests say nothing, and this must cost next to nothing for them.
        if let Some(context) = current
            && context.0.records.labelled.load(Ordering::Relaxed)
        {
            context.forget();
        }
    });
}
