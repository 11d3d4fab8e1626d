//! Testers for other threads.

use super::Tester;
use crate::context::Context;
use crate::property::Property;
#[cfg(feature = "coverage")]
use std::cell::RefCell;
use std::sync::atomic::Ordering;

impl Tester<'_> {
    /// Makes a tester of the same property for another thread, on that thread. What its tests say is counted apart, if at all.
    pub(crate) fn for_worker<'b>(
        &self,
        property: &'b (dyn Property + Sync),
        number: usize,
        counts_labels: bool,
    ) -> impl FnOnce() -> Tester<'b> + Send + use<'b> {
        let context = self.context.for_worker(number);
        context.count_labels(counts_labels);
        self.with_context(property, context)
    }

    /// As [`Tester::for_worker`], for candidates of shrinking: what they say does not count, and they are taken for runs of the
    /// test that is being shrunk.
    pub(crate) fn for_candidates<'b>(
        &self,
        property: &'b (dyn Property + Sync),
        number: usize,
    ) -> impl FnOnce() -> Tester<'b> + Send + use<'b> {
        let context = self.context.for_worker(number);
        context.count_labels(false);
        context.progress().index.store(self.context.index(), Ordering::Relaxed);
        self.with_context(property, context)
    }

    fn with_context<'b>(
        &self,
        property: &'b (dyn Property + Sync),
        context: Context,
    ) -> impl FnOnce() -> Tester<'b> + Send + use<'b> {
        context.cancel_like(&self.context);
        let (deadline, assumes) = (self.deadline, self.assumes);
        move || Tester {
            property,
            context,
            deadline,
            assumes,
            #[cfg(feature = "coverage")]
            running: RefCell::default(),
        }
    }
}
