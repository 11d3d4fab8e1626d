//! State that tests leave behind, in a static or in a file: it makes inputs fail that would pass in a fresh process,
//! and shrinking would end at an input unrelated to the bug.
//!
//! Isolated tests are rerun in a new process instead (`crash.rs`). In this process, inputs that passed earlier in the
//! run are rerun: if all of them fail now, the input is not the cause. Random tests are identified by their index; of those
//! with literals, enumerated and guided ones, the first that pass are remembered. Saved failures and examples run before
//! all others, so there is nothing to compare them with.

use super::{Ending, Session, fails_alike};
use crate::explain::{Any, Claim, Open};
use crate::fact::Fact;
use crate::property::{Binding, Failure, FailureKind};
use crate::run::keeping::Stage;
use crate::run::{Case, Counterexample, Found, Shrinking, Tested, Verdict};
use crate::testing::summary;
use std::sync::atomic::Ordering;

/// The number of reruns of passed inputs that must all fail. By chance that happens once in a thousand times, if a test
/// fails in half of its runs.
pub(super) const RUNS: usize = 10;

/// The input is truncated to this many columns.
const NAMED: usize = 60;

/// An input that passed before, and fails now.
pub(super) struct Tainted {
    index: u64,
    bindings: Vec<Binding>,
}

impl Session<'_> {
    /// The first test of this run whose input passed and now fails in the same way, if all inputs that are tried do the
    /// same. Usually this takes one run, which passes.
    pub(super) fn tainted(&self, failure: &Failure) -> Option<Tainted> {
        let may_be_told = matches!(failure.kind, FailureKind::Falsified | FailureKind::Error | FailureKind::Panic);
        let is_over = self.tester.context().is_cancelled();
        if !may_be_told || is_over || self.is_isolated() || self.repeats_by_itself() {
            return None;
        }
        let progress = self.tester.context().progress();
        let here = progress.index.load(Ordering::Relaxed);
        let (mut first, mut failed) = (None, 0);
        let at_random: Vec<u64> = self.seen.passed.clone().take(RUNS).collect();
        let known = if at_random.is_empty() { self.seen.passing.len() } else { at_random.len() };
        for place in 0..2 * RUNS {
            if known == 0 {
                break;
            }
            let (index, (case, tested)) = match at_random.get(place % known) {
                Some(&index) => (index, self.tester.record(index, self.size(index))),
                None => {
                    let (index, case) = &self.seen.passing[place % known];
                    (*index, self.tester.run(case))
                }
            };
            match tested {
                Tested::Discard(_) => {}
                tested if fails_alike(&tested, failure) => {
                    first.get_or_insert((index, case));
                    failed += 1;
                }
                _ => {
                    first = None;
                    break;
                }
            }
            if failed == RUNS {
                break;
            }
        }
        progress.index.store(here, Ordering::Relaxed);
        let (index, case) = first.filter(|_| failed == RUNS)?;
        Some(Tainted { index, bindings: self.tester.print(&case) })
    }

    /// Ends with the original input, because inputs that passed before fail now.
    pub(super) fn show_tainted(
        &mut self,
        (case, failure, bindings): (Case, Failure, Vec<Binding>),
        found: Found,
        tainted: &Tainted,
    ) -> Ending {
        self.keep(&case, &bindings, &failure, Stage::Found);
        let mut shown = Counterexample::new(case, bindings, failure, found);
        self.look_again(&mut shown);
        self.tell_reruns(&mut shown);
        let (index, input) = (tainted.index, summary(&tainted.bindings, NAMED));
        shown.caveats.push(Fact::StateLeftBehind { index, input, runs: RUNS as u64 });
        shown.stored = self.keeper.path();
        (Verdict::Flaky, Some(shown))
    }

    /// Whether no run of the property passed, neither before this failure nor while it was shrunk and explained: then a
    /// failure caused by the input cannot be distinguished from one caused by leftover state.
    pub(super) fn never_passed(&self, shown: &Counterexample) -> bool {
        let Shrinking { evaluations, accepted, rejected, .. } = shown.shrinking;
        let may_be_told = accepted > 0 && evaluations <= accepted + rejected;
        let alone = !self.seen.has_passing();
        let mut open = 0;
        for claim in &shown.explanation.claims {
            open += usize::from(matches!(claim, Claim::Any(Any { open: Open::Whole, together: true, .. })));
        }
        may_be_told && alone && open == shown.bindings.len() && !self.is_isolated() && !self.repeats_by_itself()
    }

    /// Remembers a passed test, if it is one of the first.
    pub(crate) fn remember_passing(&mut self, index: u64, case: &Case) {
        self.seen.remember_passing(index, case);
    }

    fn is_isolated(&self) -> bool {
        self.workplace.isolation.is_some()
    }
}
