//! `quickcheck`: its loop runs a [`Testable`] that generates the arguments, but does not shrink them.

use crate::{Plan, Search, Trial};
use quickcheck::{Arbitrary, Gen, QuickCheck, TestResult, Testable};
use std::marker::PhantomData;
use std::rc::Rc;

/// The default of `QuickCheck::new`, where it cannot be given a seed.
const SIZE: usize = 100;
/// Discarded and valid tests per test that is asked for: the ratio of quickcheck's defaults, 10,000 and 100.
const MAX_TESTS_PER_TEST: u64 = 100;

/// Runs the property, with 100 tests unless the plan has another number.
pub fn search<T: Arbitrary>(plan: &Plan, holds: impl Fn(&T) -> Option<bool> + 'static) -> Search {
    let mut quickcheck = QuickCheck::new().rng(Gen::from_size_and_seed(SIZE, plan.seed));
    if let Some(tests) = plan.tests {
        quickcheck = quickcheck.tests(tests).max_tests(tests.saturating_mul(MAX_TESTS_PER_TEST));
    }
    let trial = Rc::new(Trial::start());
    let test = Test { trial: Rc::clone(&trial), holds, input: PhantomData };
    // The trial has seen the result.
    let _ = quickcheck.quicktest(test);
    trial.end()
}

struct Test<T, F> {
    trial: Rc<Trial>,
    holds: F,
    input: PhantomData<fn() -> T>,
}

impl<T: Arbitrary, F: Fn(&T) -> Option<bool> + 'static> Testable for Test<T, F> {
    fn result(&self, g: &mut Gen) -> TestResult {
        let input = T::arbitrary(g);
        self.trial.test(|| (self.holds)(&input)).map_or_else(TestResult::discard, TestResult::from_bool)
    }
}
