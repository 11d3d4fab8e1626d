//! Shrinking on values, by the shrinkers that hang on variables.
//!
//! A candidate is a path: the choices of the value that shrinking started from, and which candidate was taken at each
//! step. It is reached by walking the path again, so values need not be `Clone`.

use super::{Improved, Shrinker};
use crate::property::Step;
use crate::run::Case;

/// No path grows longer: walking it again and again would take more time than it can gain.
const MAX_STEPS: usize = 1000;

impl Shrinker<'_> {
    /// Takes the first candidate that fails, of the first variable that has one, until there is none. Whether any step
    /// was taken. Shrinkers that return what they were given, or go in circles, end at the limits.
    pub(super) fn shrink_values(&mut self, improved: Improved<'_>) -> bool {
        let before = self.story.accepted;
        'next: while self.best.steps.len() < MAX_STEPS {
            let counts = self.tester.candidates(&self.best);
            for (quantifier, count) in (0..).zip(counts) {
                for candidate in 0..count {
                    if !self.may_go_on() {
                        return self.story.accepted > before;
                    }
                    let mut case = Case { sequence: self.best.sequence.clone(), steps: self.best.steps.clone() };
                    case.steps.push(Step::Shrink { quantifier, candidate });
                    if let Some((case, failure)) = self.evaluate(&case) {
                        self.accept(case, failure, improved);
                        continue 'next;
                    }
                }
            }
            break;
        }
        self.story.accepted > before
    }
}
