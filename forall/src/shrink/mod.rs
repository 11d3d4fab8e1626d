//! Counterexample minimisation: on choices, and on values by the shrinkers that users annotate.
//!
//! Every candidate goes through one gate, `Shrinker::consider`: it must be simpler than the best so far and not have
//! been tried, it is run, and it becomes the best only if it fails in the same way. So whatever a pass proposes, the
//! result was seen to fail, and the search ends.

mod choices;
mod values;

use crate::choice::{Item, Sequence};
use crate::property::Failure;
use crate::run::{Case, Shrinking, Tested, Tester};
use std::collections::HashSet;
use std::time::{Duration, Instant};

/// Minimises a failing case.
///
/// ```
/// use forall::property::{Empty, Telescope};
/// use forall::run::{Tested, Tester};
/// use forall::shrink::Shrinker;
/// use std::time::Duration;
///
/// let property = Empty.forall("n", |(), s| s.draw(0..1000u32)).check(|(n, ())| *n < 10);
/// let tester = Tester::new("below ten", &property, 1);
/// let (case, failure) = (0..)
///     .find_map(|index| match tester.record(index, 100) {
///         (case, Tested::Fail(failure)) => Some((case, failure)),
///         _ => None,
///     })
///     .unwrap();
/// let (minimal, _, story) = Shrinker::new(&tester, case, failure).limits(10_000, Duration::from_secs(5)).shrink(|_, _, _| {});
/// assert_eq!(minimal.sequence.values().collect::<Vec<_>>(), [10]);
/// assert!(story.evaluations > 0);
/// ```
pub struct Shrinker<'a> {
    tester: &'a Tester<'a>,
    best: Case,
    failure: Failure,
    /// For each variable whether its choices are left alone, because it has a shrinker of its own.
    frozen: Vec<bool>,
    seen: HashSet<Vec<u64>>,
    story: Shrinking,
    started: Instant,
    max_evaluations: u64,
    max_time: Duration,
}

/// As many faults of shrinkers are told.
const MAX_FAULTS: usize = 1;

/// Who hears of each better case, how it fails, and the number of evaluations so far.
type Improved<'a> = &'a mut dyn FnMut(&Case, &Failure, u64);

impl<'a> Shrinker<'a> {
    /// A shrinker that starts from `case`, which failed with `failure`.
    pub fn new(tester: &'a Tester<'a>, case: Case, failure: Failure) -> Self {
        let quantifiers = tester.property().outline().quantifiers;
        Self {
            tester,
            best: case,
            failure,
            frozen: quantifiers.iter().map(|quantifier| quantifier.shrinks).collect(),
            seen: HashSet::new(),
            story: Shrinking::default(),
            started: Instant::now(),
            max_evaluations: 10_000,
            max_time: Duration::from_secs(30),
        }
    }

    /// Stops after so many evaluations, or so long.
    pub fn limits(mut self, evaluations: u64, time: Duration) -> Self {
        self.max_evaluations = evaluations;
        self.max_time = time;
        self
    }

    /// Minimises. `improved` hears of each better case, so that it can be kept before the next is tried.
    pub fn shrink(mut self, mut improved: impl FnMut(&Case, &Failure, u64)) -> (Case, Failure, Shrinking) {
        self.started = Instant::now();
        let improved: Improved<'_> = &mut improved;
        // Choices first: what a variable with its own shrinker depends on should be simple before its path is laid.
        self.shrink_choices(improved);
        while self.frozen.contains(&true) && self.shrink_values(improved) && self.shrink_choices(improved) {}
        self.story.time = self.started.elapsed();
        (self.best, self.failure, self.story)
    }

    /// The gate: runs a candidate if it is simpler and new, and takes it if it fails like the best.
    fn consider(&mut self, items: Vec<Item>, improved: Improved<'_>) -> bool {
        if !simpler(&items, &self.best.sequence.items) || !self.may_go_on() {
            return false;
        }
        if !self.seen.insert(items.iter().map(Item::weight).collect()) {
            return false;
        }
        let sequence = Sequence { items, ..Sequence { size: self.best.sequence.size, ..Sequence::default() } };
        let candidate = Case { sequence, steps: self.best.steps.clone() };
        match self.evaluate(&candidate) {
            // What counts is what was drawn, which may be shorter than what was proposed, or not simpler at all.
            Some((case, failure)) if simpler(&case.sequence.items, &self.best.sequence.items) => {
                self.accept(case, failure, improved);
                true
            }
            _ => false,
        }
    }

    /// Runs a case: the case as drawn, if it fails in the way that is being shrunk.
    fn evaluate(&mut self, case: &Case) -> Option<(Case, Failure)> {
        self.story.evaluations += 1;
        match self.tester.run(case) {
            (case, Tested::Fail(failure)) if failure.same_origin(&self.failure) => Some((case, failure)),
            (_, Tested::Fault(fault)) => {
                if self.story.faults.len() < MAX_FAULTS {
                    self.story.faults.push(fault.to_string());
                }
                None
            }
            _ => None,
        }
    }

    fn accept(&mut self, case: Case, failure: Failure, improved: Improved<'_>) {
        self.story.accepted += 1;
        self.best = case;
        self.failure = failure;
        improved(&self.best, &self.failure, self.story.evaluations);
    }

    fn may_go_on(&mut self) -> bool {
        if self.story.cut_short.is_none() {
            if self.story.evaluations >= self.max_evaluations {
                self.story.cut_short =
                    Some(format!("after {} evaluations (`FORALL_SHRINK_EVALUATIONS`)", self.story.evaluations));
            } else if self.started.elapsed() >= self.max_time {
                self.story.cut_short = Some(format!("after {:.1?} (`FORALL_SHRINK_TIME`)", self.started.elapsed()));
            } else if self.tester.context().is_cancelled() {
                self.story.cut_short = Some("when the run was stopped".to_owned());
            }
        }
        self.story.cut_short.is_none()
    }
}

/// Shortlex.
fn simpler(items: &[Item], than: &[Item]) -> bool {
    let weights = items.iter().map(Item::weight);
    items.len() < than.len() || items.len() == than.len() && weights.lt(than.iter().map(Item::weight))
}
