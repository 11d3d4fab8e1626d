//! What the workers of a run on several threads need of its context.

use super::Context;
use crate::statistics::{ByName, Cover, Statistics};
use std::sync::Arc;
use std::sync::atomic::Ordering;

impl Context {
    /// The context of another worker of the same run.
    pub(crate) fn for_worker(&self, worker: usize) -> Self {
        let context = Self::with_last(self.property(), self.seed(), worker, Arc::clone(&self.0.last));
        context.say_tests(self.tests());
        context.say_deadline(self.deadline());
        context.end_in(self.time_left());
        context
    }

    /// The same stops this run that stops another.
    pub(crate) fn cancel_like(&self, other: &Context) {
        if let Some(cancel) = other.0.cancel.get() {
            self.cancel_with(cancel.clone());
        }
    }

    /// Says that tests with a higher index than this are of no use any more.
    pub(crate) fn say_last(&self, index: u64) {
        self.0.last.fetch_min(index, Ordering::Relaxed);
    }

    /// Forgets what [`Context::say_last`] said: the run is over, and tests are replayed and shrunk.
    pub(crate) fn forget_last(&self) {
        self.0.last.store(u64::MAX, Ordering::Relaxed);
    }

    /// Says whether nobody waits for the running test.
    pub(crate) fn abandon(&self, unwanted: bool) {
        self.0.unwanted.store(unwanted, Ordering::Relaxed);
    }

    /// Counts what tests have said elsewhere.
    pub(crate) fn add_statistics(&self, statistics: &Statistics) {
        let mut records = self.records();
        records.commit();
        records.statistics.add(statistics);
    }
}

impl Statistics {
    /// Adds what tests said that came after those that are counted here.
    pub(crate) fn add(&mut self, later: &Statistics) {
        self.valid += later.valid;
        self.discarded += later.discarded;
        for (label, count) in &later.labels {
            *self.labels.entry(label.to_owned(), 0) += count;
        }
        for (table, rows) in &later.tables {
            let table = self.tables.entry(table.to_owned(), ByName::default());
            for (row, count) in rows {
                *table.entry(row.to_owned(), 0) += count;
            }
        }
        for (name, values) in &later.features {
            let feature = self.features.entry(name.to_owned(), ByName::default());
            for (value, count) in values {
                *feature.entry(value.to_owned(), 0) += count;
            }
        }
        for (label, cover) in &later.covers {
            let sum = self.covers.entry(label.to_owned(), Cover { hits: 0, ..*cover });
            (sum.hits, sum.percent) = (sum.hits + cover.hits, sum.percent.max(cover.percent));
        }
    }
}
