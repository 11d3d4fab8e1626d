//! Shrinking on values and on choices, for variables of which neither alone makes the smallest.
//!
//! Smaller choices need not make a smaller value: a generator of well-typed terms spends choices on types that the term
//! does not show. And the steps of a shrinker change one place at a time: two numbers that must stay equal are out of its
//! reach, and not out of that of choices.
//!
//! What was made on values has no choices of its own, only those that the path to it begins with. So the hybrid is
//!
//! 1. simpler choices, as if there were no shrinkers;
//! 2. a path on values from there, as far as it leads;
//! 3. simpler choices at the beginning of that path, with the same steps taken from there: a step that is not there any
//!    more, or a value at the end that is no simpler, is no improvement. Then the path is continued, until neither gets anywhere;
//! 4. steps 2 and 3 again, from the value that was found.
//!
//! The smaller of the two ends stands, of equals the one with fewer steps, so within the limits the result is no larger than
//! what choices or values alone would have come to. Choices are first because they make large values small in few
//! evaluations: a path from a large value may take all of the time.

use super::search::Search;

/// Choices at the beginning of a path are tried at least so often, and else no more often than values: of a long input
/// that the path makes small, most do not matter any more.
const MIN_TRIES: u64 = 200;

impl Search<'_> {
    pub(super) fn shrink_both(&mut self) {
        self.resize();
        self.freeze();
        self.shrink_choices();
        if !self.has_frozen() {
            return;
        }
        self.thaw();
        let begin = self.position();
        self.shrink_choices();
        self.alternate();
        self.go_back_to(begin);
        self.alternate();
    }

    /// Continues the path on values, and simplifies the choices that it begins with, until neither gets anywhere.
    fn alternate(&mut self) {
        loop {
            let before = self.evaluations();
            if !self.shrink_values() {
                return;
            }
            let tries = (self.evaluations() - before).max(MIN_TRIES);
            self.simplify_values(true);
            let gained = self.for_at_most(tries, |search| {
                search.shrink_choices();
            });
            self.simplify_values(false);
            if !gained {
                return;
            }
        }
    }
}
