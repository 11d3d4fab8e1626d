//! `proptest`: `any::<(A, B, …)>()`, which is what `fn test(a: A, b: B)` in `proptest!` generates.

use crate::{Plan, Search, Trial};
use proptest::prelude::*;
use proptest::test_runner::{RngAlgorithm, TestRng, TestRunner};

/// Runs the property, with 256 cases unless the plan has another number.
pub fn search<T: Arbitrary>(plan: &Plan, holds: impl Fn(&T) -> Option<bool>) -> Search {
    let mut config = ProptestConfig { failure_persistence: None, max_shrink_iters: 0, ..ProptestConfig::default() };
    if let Some(tests) = plan.tests {
        config.cases = tests.try_into().unwrap_or(u32::MAX);
    }
    let mut bytes = [0; 32];
    bytes[..8].copy_from_slice(&plan.seed.to_le_bytes());
    let rng = TestRng::from_seed(RngAlgorithm::ChaCha, &bytes);
    let trial = Trial::start();
    // The trial has recorded the result.
    let _ = TestRunner::new_with_rng(config, rng).run(&any::<T>(), |input| match trial.test(|| holds(&input)) {
        Some(true) => Ok(()),
        Some(false) => Err(TestCaseError::fail("falsified")),
        None => Err(TestCaseError::reject("discarded")),
    });
    trial.end()
}
