//! Going over to an ordinary size.
//!
//! Under a small size a tree may have no room for its simplest form: where no size is left, generators draw fewer choices,
//! so that other forms count as shorter. What shrinking ends with should not depend on the size at which the failure
//! happened to be found. So before all else the case is put under the size of the last tests of an ordinary run. Where the
//! same choices are drawn, nothing needs to be run. Where more are drawn at the end of some parts, these get zeros there:
//! then the values are the same again. What this misses: generators that make something else of the same choices.

use super::fit::with_zeros;
use super::search::Search;
use crate::testing::Case;

/// The size at which cases are shrunk: that of the last tests of an ordinary run.
const SIZE: u32 = 100;
/// So many zeros are added at most.
const MAX_ADDED: usize = 200;
/// For each zero all choices are drawn again: so many are, together.
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
