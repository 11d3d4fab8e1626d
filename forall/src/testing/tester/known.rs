//! Known failures: a run that continues past failures counts each test that fails in the same way, and goes on.

use super::{Tested, Tester};
use crate::property::Failure;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// Known failures. All testers of a run share them.
#[derive(Default)]
pub(super) struct Known {
    failures: Vec<Failure>,
    /// The number of tests that failed in the same way as one of them.
    met: AtomicU64,
}

impl Tester<'_> {
    /// From here on, a test that fails in the same way counts as passed.
    pub(crate) fn pass_over(&mut self, failure: Failure) {
        let mut failures = match &self.known {
            Some(known) => known.failures.clone(),
            None => Vec::new(),
        };
        failures.push(failure);
        self.known = Some(Arc::new(Known { failures, met: AtomicU64::new(self.passed_over()) }));
    }

    /// The number of tests that failed like a known failure.
    pub(crate) fn passed_over(&self) -> u64 {
        if let Some(known) = &self.known { known.met.load(Ordering::Relaxed) } else { 0 }
    }

    /// Whether a test failed in the same way as a known failure. If so, it is counted.
    pub(super) fn is_known(&self, tested: &Tested) -> bool {
        let (Some(known), Tested::Fail(failure)) = (&self.known, tested) else { return false };
        let is_known = known.failures.iter().any(|other| other.same_origin(failure));
        known.met.fetch_add(u64::from(is_known), Ordering::Relaxed);
        is_known
    }
}
