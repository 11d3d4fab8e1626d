//! Testers for other threads.

use super::Tester;
use crate::property::Property;
use std::cell::RefCell;
use std::sync::atomic::Ordering;
use std::sync::{Mutex, OnceLock};

impl Tester<'_> {
    /// Makes testers of the same property for other threads, by their numbers. Each makes its own, wherever it was started:
    /// what it writes with every test then lies in memory of its own. What its tests say is counted apart, if at all.
    pub(crate) fn for_workers<'b>(
        &self,
        property: &'b (dyn Property + Sync),
        counts_labels: bool,
    ) -> impl Fn(usize) -> Tester<'b> + Send + Sync + use<'b> {
        let (run, deadline, assumes) = (self.context.clone(), self.deadline, self.assumes);
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
                running: RefCell::default(),
            }
        }
    }

    /// As [`Tester::for_workers`], for candidates of shrinking: what they say does not count, and they are taken for runs of the
    /// test that is being shrunk.
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
