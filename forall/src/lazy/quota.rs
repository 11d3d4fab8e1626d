//! An evaluation limit shared by several threads.

use super::trail::Search;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// The number of evaluations left that no thread has claimed.
#[derive(Debug)]
pub(super) struct Quota(AtomicU64);

/// The number of evaluations claimed at once: small enough that little is left unused when another thread has none.
const CLAIM: u64 = 1 << 9;

impl Quota {
    pub(super) fn new(evaluations: u64) -> Self {
        Self(AtomicU64::new(evaluations))
    }

    /// Claims some evaluations; returns 0 if there are none left.
    pub(super) fn claim(&self) -> u64 {
        let take = |left: u64| Some(left - left.min(CLAIM));
        let before = self.0.fetch_update(Ordering::Relaxed, Ordering::Relaxed, take).unwrap_or_else(|left| left);
        before.min(CLAIM)
    }
}

impl Search {
    /// Creates a search that shares its evaluation limit with others.
    pub(super) fn sharing(quota: &Arc<Quota>, is_over: impl Fn() -> bool + 'static) -> Self {
        let mut search = Self::new(0, is_over);
        search.quota = Some(quota.clone());
        search
    }
}

impl Drop for Search {
    fn drop(&mut self) {
        if let Some(quota) = &self.quota {
            quota.0.fetch_add(self.limit.get().saturating_sub(self.evaluations.get()), Ordering::Relaxed);
        }
    }
}
