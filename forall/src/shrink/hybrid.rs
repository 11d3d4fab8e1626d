//! Shrinking on values and on choices, for variables that neither alone can minimise.
//!
//! Smaller choices need not make a smaller value: a generator of well-typed terms spends choices on types that the term
//! does not show. And the steps of a shrinker change one place at a time: two numbers that must stay equal are out of
//! its reach, but within reach of choices.
//!
//! A value found by a shrinker has no choices of its own, only those at the start of the path to it. The hybrid does
//! the following:
//!
//! 1. simpler choices, as if there were no shrinkers;
//! 2. a path on values from there, as far as it leads;
//! 3. simpler choices at the beginning of that path, with the same steps taken from there: if a step no longer exists,
//!    or the resulting value is not simpler, it is no improvement. Then the path is continued, until neither gets
//!    anywhere;
//! 4. steps 2 and 3 again, from the value that was found.
//!
//! The smaller of the two results is kept, or the one with fewer steps if they are equal, so within the limits the
//! result is no larger than what choices or values alone would have found. Choices come first because they reduce large
//! values in few evaluations: a path from a large value might use up all the time.

use super::search::Search;

/// Choices at the start of a path are tried at least this often, and otherwise no more often than values: most choices
/// of a long input no longer matter once the path has made it small.
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
