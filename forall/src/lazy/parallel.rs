//! A search on several threads: the tree of paths is cut into parts, and the parts are searched apart.
//!
//! A part is the beginning of a path; all paths that begin so belong to it. Parts are searched in the order of their paths, for
//! a while each, and what is left of a part is cut into smaller ones. The counterexample is that of the first path that
//! fails, as it would be on one thread: what lies behind it is given up, what lies before it is finished.

use super::explore::{Explored, Trouble, prepare, run};
use super::path;
use super::trail::Search;
use super::walk::Walk;
use crate::property::{Failure, Property};
use crate::run::{Case, Tester};
use std::collections::BTreeSet;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};

/// Evaluations of a part before it is cut: a few milliseconds at most for quick properties, and more than it takes to begin one.
const PART: u64 = 1 << 12;

/// Says whether a search is to end.
pub(crate) type Until = Arc<dyn Fn() -> bool + Send + Sync>;

/// The beginning of paths: which alternative each choice takes.
type Beginning = Vec<u32>;

/// What the workers share.
#[derive(Default)]
struct Board {
    state: Mutex<State>,
    changed: Condvar,
}

/// A path that fails: its choices, the same as an input, and how it does.
pub(super) struct Failed(Beginning, Case, Failure);

#[derive(Default)]
struct State {
    /// The parts that are left, in the order of their paths.
    parts: BTreeSet<Beginning>,
    working: usize,
    /// The first path that fails, as far as is known.
    failed: Option<Failed>,
    trouble: Option<Trouble>,
    evaluations: u64,
    discarded: u64,
    /// Whether a quantifier inside asked for its witnesses.
    asks: bool,
}

/// How the search of a part ended.
pub(super) enum Ended {
    Done,
    Failed(Failed),
    /// What is left of it.
    Cut(Vec<Beginning>),
    Trouble(Trouble),
}

/// What there is to know for searching a part.
#[derive(Clone)]
struct Plan {
    depth: u32,
    independent: bool,
    limit: u64,
    until: Until,
}

/// As [`explore_within`](super::explore_within), on so many threads.
pub(crate) fn explore_in_parallel(
    tester: &Tester<'_>,
    property: &(dyn Property + Sync),
    depth: u32,
    limit: u64,
    threads: usize,
    until: Until,
) -> Explored {
    let mut explored = Explored { depth, ..Explored::default() };
    let _active = tester.context().activate();
    let search = Search::new(0, || false);
    let (inputs, independent) =
        search.enter(|| search.in_block(depth, |block| prepare(property, &search, block, depth)));
    explored.inputs = inputs;
    if explored.inputs == Some(0.0) {
        return explored;
    }
    let plan = Plan { depth, independent, limit, until };
    let board = Board::default();
    board.lock().parts.insert(Vec::new());
    // Most searches are over before another thread would have begun.
    board.work_once(property, &plan);
    if board.lock().has_work() {
        std::thread::scope(|scope| {
            for number in 1..threads {
                let worker = tester.for_worker(property, number);
                let (board, plan) = (&board, plan.clone());
                scope.spawn(move || {
                    let tester = worker();
                    let _active = tester.context().activate();
                    while board.work_once(property, &plan) {}
                });
            }
            while board.work_once(property, &plan) {}
        });
    }
    let State { failed, trouble, evaluations, discarded, asks, .. } = std::mem::take(&mut *board.lock());
    (explored.evaluations, explored.discarded, explored.trouble) = (evaluations, discarded, trouble);
    explored.asks_for_witnesses = asks;
    if let Some(Failed(_, case, failure)) = failed.filter(|_| explored.trouble.is_none()) {
        (explored.case, explored.failure) = (Some(case), Some(failure));
    }
    explored
}

impl Board {
    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Searches the first part that is left, or waits for one. False if there will be none.
    fn work_once(&self, property: &dyn Property, plan: &Plan) -> bool {
        let mut state = self.lock();
        let beginning = loop {
            if state.trouble.is_some() {
                return false;
            }
            if let Some(first) = state.next() {
                break first;
            }
            if state.working == 0 {
                return false;
            }
            state = self.changed.wait(state).unwrap_or_else(PoisonError::into_inner);
        };
        state.working += 1;
        let left = plan.limit.saturating_sub(state.evaluations);
        drop(state);
        let (ended, evaluations, discarded) = search_part(property, plan, &beginning, left);
        let mut state = self.lock();
        state.working -= 1;
        state.evaluations += evaluations;
        state.discarded += discarded;
        match ended {
            Ended::Done => {}
            Ended::Cut(parts) => state.parts.extend(parts),
            Ended::Trouble(trouble) => state.trouble = Some(trouble),
            Ended::Failed(failed) => {
                if state.failed.as_ref().is_none_or(|first| failed.0 < first.0) {
                    state.failed = Some(failed);
                }
            }
        }
        drop(state);
        self.changed.notify_all();
        true
    }
}

impl State {
    fn has_work(&mut self) -> bool {
        let next = self.next();
        let has_work = next.is_some() && self.trouble.is_none();
        self.parts.extend(next);
        has_work
    }

    /// The first part, unless a path before it has failed.
    fn next(&mut self) -> Option<Beginning> {
        let first = self.parts.pop_first()?;
        if self.failed.as_ref().is_some_and(|failed| first > failed.0) {
            self.parts.clear();
            return None;
        }
        Some(first)
    }
}

fn search_part(property: &dyn Property, plan: &Plan, beginning: &[u32], limit: u64) -> (Ended, u64, u64) {
    let until = plan.until.clone();
    let search = Search::new(limit, move || until());
    search.enter(|| {
        search.in_block(plan.depth, |block| {
            search.begin_part(block, beginning);
            let mut walk = Walk::new(&search, block, plan.depth, plan.independent).at_most(PART);
            let mut explored = Explored::default();
            let cut = run(property, &mut walk, &mut explored);
            let ended = match (explored.failure, explored.trouble) {
                (_, Some(trouble)) => Ended::Trouble(trouble),
                (Some(failure), None) => {
                    let case = path::case(&search, block, plan.depth);
                    Ended::Failed(Failed(search.path(block), case, failure))
                }
                (None, None) if cut => Ended::Cut(search.parts_left(block)),
                (None, None) => Ended::Done,
            };
            (ended, search.evaluations(), walk.discarded)
        })
    })
}
