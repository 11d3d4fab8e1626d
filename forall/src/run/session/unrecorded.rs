//! A failure whose input exceeds the recording limit.
//!
//! It can be reproduced only by its seed and index. But usually a prefix of such an input fails as well, and is then an
//! ordinary counterexample.

use super::{Ending, Session, fails_alike};
use crate::choice::{MAX_ITEMS, Sequence, Source};
use crate::fact::Fact;
use crate::panic::Hold;
use crate::property::Failure;
use crate::run::{Case, Counterexample, Found, Tested, Verdict};

/// The lengths of the prefixes to try, followed by the simplest choices.
const BEGINNINGS: [usize; 4] = [1_000, 30_000, 1_000_000, MAX_ITEMS - 1];

impl Session<'_> {
    /// Handles a failed test, of which only a prefix could be recorded.
    pub(in crate::run) fn found_unrecorded(&mut self, first: &Sequence, failure: Failure, found: Found) -> Ending {
        let hold = Hold::begin();
        for &count in &BEGINNINGS {
            let items = first.items[..count.min(first.len())].to_vec();
            let beginning = Sequence { size: first.size, items, spans: Vec::new() };
            let (case, tested) = self.tester.run(&Case { sequence: beginning, steps: Vec::new() });
            if let Tested::Fail(again) = tested
                && again.same_origin(&failure)
            {
                let (verdict, mut shown) = self.found(case, again, found);
                if let Some(shown) = &mut shown {
                    shown.caveats.insert(0, Fact::BeginningOfUnrecorded { limit: MAX_ITEMS as u64 });
                }
                return (verdict, shown);
            }
        }
        let mut shown = Counterexample::new(Case::default(), Vec::new(), failure, found);
        shown.unrecorded = true;
        shown.caveats.push(Fact::Unrecorded { limit: MAX_ITEMS as u64 });
        let mut verdict = Verdict::Failed;
        if let Found::Random { index, size } = shown.found {
            let source = || Source::random(self.seed, index, size);
            shown.bindings = self.tester.print_source(source(), &[]);
            let (_, again) = self.tester.run_as(index, source(), &[]);
            if !fails_alike(&again, &shown.failure) {
                shown.other_run.push((again, 1));
                self.advise_on_race(&mut shown);
                verdict = Verdict::Flaky;
            }
        }
        self.tell_strays(&hold, Some(&mut shown));
        (verdict, Some(shown))
    }
}
