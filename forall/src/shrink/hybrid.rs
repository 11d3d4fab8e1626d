//! Shrinking on values and on choices, for variables of which neither alone makes the smallest.
//!
//! Smaller choices need not make a smaller value: a generator of well-typed terms spends choices on types that the term
//! does not show. And the steps of a shrinker change one place at a time: two numbers that must stay equal are out of its
//! reach, and not out of that of choices.
//!
//! What was made on values has no choices of its own, only those that the path to it begins with. So the hybrid is
//!
//! 1. a path on values, as far as it leads;
//! 2. simpler choices at the beginning of that path, with the same steps taken from there: a step that is not there any
//!    more, or a value at the end that is no simpler, is no improvement. Then the path is continued, until neither gets anywhere;
//! 3. all over again in the other order: choices first, as if there were no shrinkers, and the path from what they end at.
//!
//! The smaller of the two ends stands, of equals the one with fewer steps, so within the limits the result is no larger than what choices or values alone
//! would have come to.

use super::search::Search;

impl Search<'_> {
    pub(super) fn shrink_both(&mut self) {
        self.resize();
        self.freeze();
        self.shrink_choices();
        if !self.has_frozen() {
            return;
        }
        let begin = self.position();
        self.shrink_values();
        self.thaw();
        self.simplify_values(true);
        while self.shrink_choices() && self.shrink_values() {}

        self.go_back_to(begin);
        self.simplify_values(false);
        self.shrink_choices();
        self.simplify_values(true);
        while self.shrink_values() && self.shrink_choices() {}
    }
}
