//! Records of tests: notes, labels, rows of tables, requirements, scores.

use super::{CURRENT, Context, told};
use crate::statistics::{ByName, Cover, Statistics};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// The records of a run's tests, and which of them are enabled.
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
    /// The records of the current test so far. They count once the test is valid.
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
    Score { name: String, score: f64 },
}

/// The records of one test.
#[derive(Debug, PartialEq)]
pub(crate) struct Said(pub(crate) Vec<Record>);

impl Context {
    /// Takes the highest score of `target!` since the last query, for guided runners.
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

    /// Returns the named scores of the last test, in order: those of `target!` with a name. If the test reported
    /// several scores for one name, the highest one counts.
    ///
    /// ```
    /// # use forall::prelude::*;
    /// use forall::run::Tester;
    /// let property = property! {
    ///     forall xs in vec(0..10u8).len(3..=3);
    ///     check {
    ///         target!(xs.len() as f64, "length");
    ///         target!(1.0, "other");
    ///     }
    /// };
    /// let tester = Tester::new("scores", &property, 1);
    /// tester.record(0, 100);
    /// assert_eq!(tester.context().scores(), [("length".to_owned(), 3.0), ("other".to_owned(), 1.0)]);
    /// ```
    pub fn scores(&self) -> Vec<(String, f64)> {
        let mut scores: Vec<(String, f64)> = Vec::new();
        for record in self.said_by_last_test().0 {
            let Record::Score { name, score } = record else { continue };
            match scores.iter_mut().find(|(known, _)| *known == name) {
                Some((_, known)) => *known = known.max(score),
                None => scores.push((name, score)),
            }
        }
        scores
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

    /// Enables or disables notes; returns the previous state. Existing notes stay.
    pub(crate) fn replace_notes_wanted(&self, wanted: bool) -> bool {
        self.0.records.notes_wanted.swap(wanted, Ordering::Relaxed)
    }

    pub(crate) fn take_notes(&self) -> Vec<String> {
        std::mem::take(&mut self.records().notes)
    }

    /// Enables or disables labels: those of random tests count, those of replays and of shrinking do not.
    pub(crate) fn count_labels(&self, count: bool) {
        self.0.records.counts_labels.store(count, Ordering::Relaxed);
    }

    pub(crate) fn counts_labels(&self) -> bool {
        self.0.records.counts_labels.load(Ordering::Relaxed)
    }

    /// The labels of the tests so far, including the pending ones of the last test.
    pub(crate) fn take_statistics(&self) -> Statistics {
        let mut records = self.records();
        records.commit();
        std::mem::take(&mut records.statistics)
    }

    /// The requirements of `cover!` so far, with their hits.
    pub(crate) fn covers(&self) -> ByName<Cover> {
        let mut records = self.records();
        records.commit();
        records.statistics.covers.clone()
    }

    /// Drops the records of the current test.
    pub(crate) fn forget(&self) {
        let index = self.index();
        let mut records = self.records();
        if records.pending_index == index {
            records.pending.clear();
        } else {
            // These records belong to an earlier test, which was valid.
            records.commit();
        }
    }

    /// Ends one path of a search: its records count if it was valid, separately from those of the next path.
    #[inline]
    pub(crate) fn settle(&self, is_valid: bool) {
        // Most properties record nothing, and then this must be almost free.
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

    /// The records of the last test that still count, and its score.
    pub(crate) fn said_by_last_test(&self) -> (Vec<Record>, Option<f64>) {
        let index = self.index();
        let records = self.records();
        let is_its = records.pending_index == index;
        (if is_its { records.pending.clone() } else { Vec::new() }, records.score)
    }

    pub(super) fn note(&self, text: String) {
        let mut records = self.records();
        self.0.elsewhere.forward_note(&text);
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

    /// Records a score if it is the highest since the last query.
    pub(super) fn score(&self, score: f64) {
        let mut records = self.records();
        // NaN is recorded, so that the runner can warn about it.
        if records.score.is_none_or(|before| score.is_nan() || score > before) {
            records.score = Some(score);
        }
    }

    /// Takes the records of the last test.
    pub(crate) fn take_said(&self) -> Said {
        Said(std::mem::take(&mut self.records().pending))
    }

    /// Adds the records of a test that ran elsewhere.
    pub(crate) fn say_again(&self, said: Said) {
        for record in said.0 {
            self.record(record);
        }
    }

    /// Counts the records of tests that ran elsewhere.
    pub(crate) fn add_statistics(&self, statistics: &Statistics) {
        let mut records = self.records();
        records.commit();
        records.statistics.add(statistics);
    }

    /// Locks the records; others cannot be added while the guard is held.
    pub(super) fn records(&self) -> MutexGuard<'_, Log> {
        self.0.records.log.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Log {
    /// The last test was valid: its records count.
    fn commit(&mut self) {
        let said = std::mem::take(&mut self.pending);
        self.statistics.count(said);
    }
}

impl Statistics {
    fn count(&mut self, said: Vec<Record>) {
        // A label counts once per test.
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
                    // Of two requirements of the same name, the higher one counts.
                    cover.percent = cover.percent.max(percent);
                    if hit && !covered.contains(&label) {
                        cover.hits += 1;
                        covered.push(label);
                    }
                }
                // Runners read scores test by test.
                Record::Score { .. } => {}
                Record::Feature { name, value } => {
                    let values = self.features.entry(name, ByName::default());
                    let is_counted = values.len() < told::FEATURE_VALUES || values.get(&value).is_some();
                    *values.entry(if is_counted { value } else { told::OTHERS.to_owned() }, 0) += 1;
                }
            }
        }
    }
}

/// Drops the records of the current test, which was discarded.
pub(crate) fn forget_labels() {
    CURRENT.with_borrow(|current| {
        // Most tests record nothing, and then this must be almost free.
        if let Some(context) = current
            && context.0.records.labelled.load(Ordering::Relaxed)
        {
            context.forget();
        }
    });
}
