//! Testers for other threads.

use super::Tester;
use crate::property::Property;
use std::cell::{Cell, RefCell};
use std::sync::atomic::Ordering;
use std::sync::{Mutex, OnceLock};

impl Tester<'_> {
    /// Returns a function that creates testers of the same property for other threads, by their numbers. Each thread
    /// creates its own, so that the data that it writes with every test is in its own memory. Labels are counted
    /// separately, if at all.
    pub(crate) fn for_workers<'b>(
        &self,
        property: &'b (dyn Property + Sync),
        counts_labels: bool,
    ) -> impl Fn(usize) -> Tester<'b> + Send + Sync + use<'b> {
        let (run, deadline, assumes) = (self.context.clone(), self.deadline, self.assumes);
        let known = self.known.clone();
        move |number| {
            let context = run.for_worker(number);
            context.count_labels(counts_labels);
            context.cancel_like(&run);
            Tester {
                property,
                context,
                deadline,
                assumes,
                draws: OnceLock::new(),
                printed: Mutex::new(None),
                beside: None,
                runs_beside: Cell::new(0),
                running: RefCell::default(),
                known: known.clone(),
            }
        }
    }

    /// As [`Tester::for_workers`], for candidates of shrinking: their labels do not count, and they appear as runs of
    /// the test that is being shrunk.
    pub(crate) fn for_candidates<'b>(
        &self,
        property: &'b (dyn Property + Sync),
    ) -> impl Fn(usize) -> Tester<'b> + Send + Sync + use<'b> {
        let (make, index) = (self.for_workers(property, false), self.context.index());
        move |number| {
            let tester = make(number);
            tester.context.progress().index.store(index, Ordering::Relaxed);
            tester
        }
    }
}
