//! Finds the earlier tests that a crash depends on.

use super::history::{History, Test};
use super::isolated::Isolated;
use crate::context::Context;
use crate::property::Failure;
use crate::run::Case;
use crate::run::elsewhere::Needed;
use std::time::Instant;

/// The limit on tests to try: earlier ones are out of reach.
const MOST_TESTS: usize = 1 << 16;

/// The factor by which the examined part of the history grows, until it suffices: recent tests are the most likely
/// cause.
const GROWTH: usize = 4;

impl Isolated {
    /// The fewest tests of a history after which a case fails in the same way in a new process.
    pub(crate) fn needed(
        &self,
        context: &Context,
        history: &History,
        case: &Case,
        failure: &Failure,
        until: Option<Instant>,
    ) -> Needed {
        let tests = history.tests(MOST_TESTS);
        let is_late = || until.is_some_and(|until| Instant::now() >= until);
        let mut fails = |tests: &[Test]| !is_late() && self.dies_after(context, tests, case, failure);
        let mut count = 1;
        loop {
            if fails(&tests[tests.len().saturating_sub(count)..]) {
                break;
            }
            if is_late() {
                return Needed::Unknown(tests.len());
            }
            if count >= tests.len() {
                return Needed::Nothing(tests.len());
            }
            count *= GROWTH;
        }
        let needed = fewest(tests[tests.len().saturating_sub(count)..].to_vec(), &mut fails);
        match self.run_all(context, &needed) {
            Some(cases) => Needed::Tests(cases),
            None => Needed::Nothing(tests.len()),
        }
    }
}

/// Removes as many tests as possible: large parts first, then smaller ones, then single tests.
fn fewest(mut tests: Vec<Test>, fails: &mut dyn FnMut(&[Test]) -> bool) -> Vec<Test> {
    let mut part = tests.len().div_ceil(2);
    while part > 0 {
        let before = tests.len();
        let mut at = 0;
        while at < tests.len() {
            let end = (at + part).min(tests.len());
            let rest = [&tests[..at], &tests[end..]].concat();
            if fails(&rest) {
                tests = rest;
            } else {
                at = end;
            }
        }
        // One test may have been needed only because of another one that is removed by now.
        if part > 1 || tests.len() == before {
            part /= 2;
        }
    }
    tests
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_needed_tests_remain() {
        let tests: Vec<Test> = (0..100).map(|index| Test::Random { seed: 0, index, size: 0 }).collect();
        let index = |test: &Test| match test {
            Test::Random { index, .. } => *index,
            Test::Input(_) => unreachable!("there are only random ones"),
        };
        let mut tried = 0;
        let left = fewest(tests, &mut |tests| {
            tried += 1;
            [17, 18, 90].iter().all(|wanted| tests.iter().any(|test| index(test) == *wanted))
        });
        assert_eq!(left.iter().map(index).collect::<Vec<_>>(), [17, 18, 90]);
        assert!(tried < 60, "{tried}");
    }
}
