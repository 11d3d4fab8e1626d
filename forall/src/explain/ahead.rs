//! Explaining on several threads.
//!
//! An explanation is a sequence of steps: a part is explored, or tested further, or two are varied together. A step runs until a run
//! refutes something, which most do not. So before a step it is *rehearsed*: it runs on a copy of its state, every outcome taken
//! not to refute anything, and each variation that it would run is given to a [`Pool`]. Then it runs, and takes the outcomes of what it
//! requests. It is therefore the same explanation on any number of threads.

use super::Explanation;
use super::vary::{Change, Useless, Vary};
use crate::choice::Sequence;
use crate::effects::Cwd;
use crate::property::{Failure, Property};
use crate::testing::cores::Sharing;
use crate::testing::pool::{Pool, Waited};
use crate::testing::{Case, MORE, Tested, Tester};
use std::collections::VecDeque;
use std::thread::scope;
use std::time::{Duration, Instant};

/// Tests that take less are run by the thread that explains: handing them over costs a good part of this.
const WORTH_IT: Duration = Duration::from_micros(60);
/// A step is rehearsed as far as this many choices of variations.
const MAX_CHOICES: usize = 1 << 20;

/// Threads that explain.
#[derive(Clone, Copy)]
pub(super) struct Several<'a> {
    pub(super) property: &'a (dyn Property + Sync),
    pub(super) threads: usize,
    pub(super) own_cwd: Cwd,
}

/// Explains on several threads. None if failures that other threads saw do not occur alone: the test races with itself.
pub(super) fn explain_on_threads(
    tester: &Tester<'_>,
    several: Several<'_>,
    explain: impl FnOnce(Ahead<'_>) -> (Explanation, Vec<Case>),
    failure: &Failure,
) -> Option<Explanation> {
    let Several { property, threads, own_cwd } = several;
    let pool = Pool::new(tester.context().clone());
    let _sharing = Sharing::begin(threads);
    let (explanation, checks) = scope(|scope| {
        let _closed = pool.close_when_dropped();
        let start = |number: usize| {
            let make = tester.for_candidates(property);
            let name = format!("forall-explain-{number}");
            pool.start(scope, name, own_cwd, move || make(number)).is_ok()
        };
        explain(Ahead { helpers: Some(Helpers { pool: &pool, threads, start: &start }), ..Ahead::default() })
    });
    for case in &checks {
        let (_, tested, _) = tester.run_within(case, case.sequence.len() + MORE);
        let fails = matches!(tested, Tested::Fail(other) if other.same_origin(failure));
        if !fails && !tester.context().is_cancelled() {
            return None;
        }
    }
    Some(explanation)
}

/// The part of an explanation that deals with other threads.
#[derive(Default)]
pub(super) struct Ahead<'a> {
    helpers: Option<Helpers<'a>>,
    /// About how long a run takes, and whether threads were started.
    takes: Option<Duration>,
    started: bool,
    rehearsal: Option<Rehearsal>,
    /// The variations that the last rehearsal met, by the hashes of their choices: printing them takes time.
    changes: VecDeque<(u64, Result<Change, Useless>)>,
    /// The number of failures on other threads, and some of these failures, to be run alone in the end.
    failed: u64,
    pub(super) checks: Vec<Case>,
}

/// The threads.
struct Helpers<'a> {
    pool: &'a Pool,
    threads: usize,
    start: &'a dyn Fn(usize) -> bool,
}

/// A step that runs only to see what it runs.
struct Rehearsal {
    /// Whether it ends when a variation does not fail.
    until_it_passes: bool,
    choices: usize,
    enough: bool,
}

impl Ahead<'_> {
    pub(super) fn is_rehearsal(&self) -> bool {
        self.rehearsal.is_some()
    }

    /// Keeps what a rehearsal found out about a variation.
    pub(super) fn note_change(&mut self, hash: u64, change: &Result<Change, Useless>) {
        if self.is_rehearsal() {
            self.changes.push_back((hash, change.clone()));
        }
    }

    /// The result of this step's rehearsal for a variation.
    pub(super) fn take_change(&mut self, hash: u64) -> Option<Result<Change, Useless>> {
        if self.is_rehearsal() {
            return None;
        }
        let place = self.changes.iter().position(|(known, _)| *known == hash)?;
        self.changes.drain(..=place).next_back().map(|(_, change)| change)
    }

    /// Whether a rehearsal can end.
    pub(super) fn has_seen_enough(&self) -> bool {
        matches!(&self.rehearsal, Some(rehearsal) if rehearsal.enough)
    }

    /// Plans a variation that a rehearsal met.
    pub(super) fn plan(&mut self, case: &Case) {
        if let (Some(rehearsal), Some(helpers)) = (&mut self.rehearsal, &self.helpers) {
            let items = case.sequence.len() + MORE;
            let may_be_requested = helpers.pool.add(case.clone(), items, rehearsal.until_it_passes);
            rehearsal.choices += case.sequence.len();
            rehearsal.enough = !may_be_requested || rehearsal.choices > MAX_CHOICES;
        }
    }

    /// Notes the duration of a run.
    pub(super) fn took(&mut self, took: Duration) {
        self.takes = Some(self.takes.map_or(took, |takes| takes * 7 / 8 + took / 8));
    }

    /// Whether variations are worth handing over. Threads are started when they first are.
    fn hands_over(&mut self) -> bool {
        let Some(helpers) = &self.helpers else { return false };
        if self.takes.is_none_or(|takes| takes < WORTH_IT) {
            return false;
        }
        if !self.started {
            self.started = true;
            let mut number = 0;
            while number < helpers.threads && (helpers.start)(number) {
                number += 1;
            }
        }
        helpers.pool.workers() > 1
    }

    /// Runs a variation, here or on another thread: its choices, and its outcome.
    pub(super) fn run(&mut self, tester: &Tester<'_>, case: &Case, failure: &Failure) -> (Sequence, Tested) {
        let items = case.sequence.len() + MORE;
        if !self.hands_over() {
            let started = Instant::now();
            let (drawn, tested, _) = tester.run_within(case, items);
            self.took(started.elapsed());
            return (drawn.sequence, tested);
        }
        let Some(pool) = self.helpers.as_ref().map(|helpers| helpers.pool) else {
            unreachable!("without threads nothing is handed over")
        };
        pool.request(case, items);
        loop {
            if let Waited::Ran(outcome) = pool.wait(tester, true) {
                tester.context().beat();
                self.took(outcome.took);
                if matches!(&outcome.tested, Tested::Fail(other) if other.same_origin(failure)) {
                    self.failed += 1;
                    // A race that makes everything fail shows in a few of them, and one that does not refutes what it makes fail now and then.
                    if self.failed.is_power_of_two() {
                        self.checks.push(case.clone());
                    }
                }
                return (outcome.drawn.sequence, outcome.tested);
            }
        }
    }
}

impl Vary<'_> {
    /// Plans what a step runs, where that is of use. `step` runs on a copy of its state; all it does to this one is
    /// undone. It ends at the first variation that does not fail, or continues.
    pub(super) fn foresee(&mut self, until_it_passes: bool, step: impl FnOnce(&mut Self)) {
        if self.ahead.is_rehearsal() || !self.ahead.hands_over() {
            return;
        }
        if let Some(helpers) = &self.ahead.helpers {
            helpers.pool.clear();
        }
        self.ahead.changes.clear();
        let before = self.remember();
        self.ahead.rehearsal = Some(Rehearsal { until_it_passes, choices: 0, enough: false });
        step(self);
        self.ahead.rehearsal = None;
        self.restore(before);
    }
}

impl<'a> super::Explainer<'a> {
    /// Explains on several threads, where tests are slow enough. The explanation is the same as on one.
    pub(crate) fn threads(mut self, property: &'a (dyn Property + Sync), threads: usize, own_cwd: Cwd) -> Self {
        // A body that draws runs to print its variations: that leaves nothing to run ahead.
        let runs_ahead = threads > 1 && !self.tester.draws();
        self.several = runs_ahead.then_some(Several { property, threads, own_cwd });
        self
    }
}
