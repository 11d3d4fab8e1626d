//! Shrinking on values, by the shrinkers that hang on variables.
//!
//! A candidate is a path: the choices of the value that shrinking started from, and which candidate was taken at each
//! step. It is reached by walking the path again, so values need not be `Clone`.

use super::search::Search;
use crate::property::Step;

/// No path grows longer: walking it again and again would take more time than it can gain.
const MAX_STEPS: usize = 1000;

impl Search<'_> {
    /// Takes the first candidate that fails, of the first variable that has one, until there is none. Whether any step
    /// was taken. Shrinkers that return what they were given, or go in circles, end at the limits.
    pub(super) fn shrink_values(&mut self) -> bool {
        let before = self.accepted();
        self.begin("the variables' own shrinkers");
        'next: while self.best.steps.len() < MAX_STEPS {
            let counts = self.tester.candidates(&self.best);
            for (quantifier, count) in (0..).zip(counts) {
                for candidate in 0..count {
                    if self.consider_step(Step::Shrink { quantifier, candidate }) {
                        continue 'next;
                    }
                    if !self.may_go_on() {
                        break 'next;
                    }
                }
            }
            break;
        }
        self.accepted() > before
    }
}
