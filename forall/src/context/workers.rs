//! Contexts of the workers of a parallel run.

use super::Context;
use crate::statistics::{ByName, Cover, Statistics};

impl Context {
    /// The context of another worker of the same run.
    pub(crate) fn for_worker(&self, worker: usize) -> Self {
        let context = Self::wanting(self.property(), self.seed(), worker, self.0.wanted.for_worker());
        context.say_deadline(self.deadline());
        context.end_in(self.time_left());
        context
    }
}

impl Statistics {
    /// Adds the records of later tests.
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
