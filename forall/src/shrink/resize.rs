//! Switches to a standard size.
//!
//! At a small size, a tree may have no room for its simplest form: when the size is used up, generators draw fewer
//! choices, so other forms count as shorter. The result of shrinking should not depend on the size at which the failure
//! was found. So first of all the case is given the size of the last tests of a normal run. Where the same choices are
//! drawn, nothing needs to be run. If some parts draw more at their ends, zeros are added there: then the values are
//! unchanged. Not covered: generators that turn the same choices into different values.

use super::fit::with_zeros;
use super::search::Search;
use crate::testing::Case;

/// The size at which cases are shrunk: that of the last tests of an ordinary run.
const SIZE: u32 = 100;
/// The largest number of zeros that are added.
const MAX_ADDED: usize = 200;
/// All choices are drawn again for each zero: the maximum total.
const MAX_DRAWN: usize = 1_000_000;

impl Search<'_> {
    pub(super) fn resize(&mut self) {
        if self.best.sequence.size >= SIZE || !self.best.steps.is_empty() {
            return;
        }
        let mut larger = self.best.clone();
        larger.sequence.size = SIZE;
        let drawn = self.tester.drawn(&larger);
        if drawn.items == self.best.sequence.items {
            self.go_over_to(Case { sequence: drawn, steps: Vec::new() });
            return;
        }
        self.begin("size");
        let most = MAX_ADDED.min(MAX_DRAWN / drawn.len().max(1));
        let fitted = with_zeros(self.tester, &larger, drawn, most);
        let _ = fitted.is_some_and(|fitted| self.go_over_if_it_fails(&fitted)) || self.go_over_if_it_fails(&larger);
    }
}
