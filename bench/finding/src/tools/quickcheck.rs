//! `quickcheck`: its loop runs a [`Testable`] that generates the arguments, but does not shrink them.

use crate::{Plan, Search, Trial};
use quickcheck::{Arbitrary, Gen, QuickCheck, TestResult, Testable};
use std::marker::PhantomData;
use std::rc::Rc;

/// The default size of `QuickCheck::new`, which cannot be given a seed.
const SIZE: usize = 100;
/// The maximum number of discarded and valid tests per requested test: the ratio of quickcheck's defaults, 10,000 and
/// 100.
const MAX_TESTS_PER_TEST: u64 = 100;

/// Runs the property, with 100 tests unless the plan has another number.
pub fn search<T: Arbitrary>(plan: &Plan, holds: impl Fn(&T) -> Option<bool> + 'static) -> Search {
    let mut quickcheck = QuickCheck::new().rng(Gen::from_size_and_seed(SIZE, plan.seed));
    if let Some(tests) = plan.tests {
        quickcheck = quickcheck.tests(tests).max_tests(tests.saturating_mul(MAX_TESTS_PER_TEST));
    }
    let trial = Rc::new(Trial::start());
    let test = Test { trial: Rc::clone(&trial), holds, input: PhantomData };
    // The trial has recorded the result.
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
