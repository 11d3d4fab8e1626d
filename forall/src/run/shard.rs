//! The tests of a shard.

use super::generational::run_tests_of_range;
use super::session::{Ending, Session};
use super::{Budget, Settings, Shard};
use crate::settings::GENERATIONAL;
use std::ops::Range;

impl Settings {
    /// The number of tests of this run: all, unless it is a shard.
    pub(super) fn tests_here(&self) -> u64 {
        self.shard.map_or(self.tests, |shard| shard.share(self.tests))
    }

    /// The seed of random choices, in a run whose shards all have this seed.
    pub(super) fn seed_here(&self, seed: u64) -> u64 {
        self.shard.filter(|_| self.runner != GENERATIONAL).map_or(seed, |shard| shard.seed(seed))
    }
}

/// Runs the tests of a shard among `indices`, within the budget. Returns the ending, if a test did not pass.
pub(super) fn run_tests_of_shard(
    session: &mut Session<'_>,
    budget: &mut Budget,
    shard: Shard,
    indices: Range<u64>,
) -> Option<Ending> {
    for block in shard.blocks(session.settings.tests) {
        let start = indices.start.saturating_add(block.start);
        let end = indices.start.saturating_add(block.end).min(indices.end);
        if start >= end || budget.is_spent(session) {
            break;
        }
        let mut part = budget.rest();
        let ending = run_tests_of_range(session, &mut part, start..end);
        budget.add(&part);
        if ending.is_some() {
            return ending;
        }
    }
    None
}
