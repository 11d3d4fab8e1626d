//! A search on several threads: the tree of paths is cut into parts, and the parts are searched apart.
//!
//! Parts are searched in the order of their paths, and cut where someone else has nothing to do. The counterexample is that of the
//! first path that fails, as it would be on one thread: what lies behind it is given up, what lies before it is finished.

use super::beginning::Part;
use super::explore::{Exploration, Trouble, prepare, run};
use super::path;
use super::quota::Quota;
use super::signal::Signal;
use super::trail::Search;
use crate::property::walk::Walk;
use crate::property::{Failure, Property};
use crate::run::{Case, Statistics, Tester};
use std::collections::BTreeSet;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};

/// So many paths are taken before other threads begin: some milliseconds, which it may take until they do.
const ALONE: u64 = 1 << 14;

/// After so many paths a worker looks whether it is to hand something over, or to stop.
const PAUSE: u64 = 1 << 9;

/// Says whether a search is to end.
pub(crate) type Until = Arc<dyn Fn() -> bool + Send + Sync>;

/// What the workers share.
struct Board {
    state: Mutex<State>,
    changed: Condvar,
    /// How many parts are to be there for others.
    wanted: usize,
    /// How many there are, and whether a path has failed: as the state says, for those who do not want to wait for it.
    there: AtomicUsize,
    has_failed: AtomicBool,
}

/// A path that fails: its choices, the same as an input, and how it does.
struct Failed {
    path: Vec<u32>,
    case: Case,
    failure: Failure,
}

#[derive(Default)]
struct State {
    /// The parts that are left, in the order of their paths.
    parts: BTreeSet<Part>,
    working: usize,
    /// The first path that fails, as far as is known.
    failed: Option<Failed>,
    trouble: Option<Trouble>,
    evaluations: u64,
    discarded: u64,
    checked: u64,
    /// Whether a quantifier inside asked for its witnesses.
    asks: bool,
    /// Whether there is a quantifier inside of the property.
    nests: bool,
}

/// How the search of a part ended.
enum Ended {
    Done,
    Failed(Failed),
    /// What is left of it.
    Cut(Vec<Part>),
    Trouble(Trouble),
}

/// What a part came to.
struct Searched {
    ended: Ended,
    evaluations: u64,
    discarded: u64,
    checked: u64,
    asks: bool,
    /// Whether there is a quantifier inside of the property.
    nests: bool,
}

/// What there is to know for searching a part.
#[derive(Clone)]
struct Plan {
    depth: u32,
    independent: bool,
    quota: Arc<Quota>,
    until: Until,
    /// After how many paths to look at the board.
    pause: u64,
}

/// As [`explore_within`](super::explore_within), on so many threads.
pub(crate) fn explore_in_parallel(
    tester: &Tester<'_>,
    property: &(dyn Property + Sync),
    depth: u32,
    limit: u64,
    threads: usize,
    until: Until,
) -> Exploration {
    let mut explored = Exploration { depth, ..Exploration::default() };
    let _active = tester.context().activate();
    let search = Search::new(0, || false);
    let (inputs, independent) =
        search.enter(|| search.in_block(depth, |block| prepare(property, &search, block, depth)));
    explored.inputs = inputs;
    if explored.inputs == Some(0.0) {
        return explored;
    }
    let plan = Plan { depth, independent, quota: Arc::new(Quota::new(limit)), until, pause: ALONE };
    let board = Board::new(threads);
    board.lock().parts.insert(Part::default());
    // Most searches are over before another thread would have begun.
    board.work_once(property, &plan);
    if board.has_work() {
        let plan = Plan { pause: PAUSE, ..plan };
        let said = Mutex::new(Statistics::default());
        let make = tester.for_workers(property, true);
        std::thread::scope(|scope| {
            for number in 1..threads {
                let (make, board, plan, said) = (&make, &board, plan.clone(), &said);
                scope.spawn(move || {
                    let tester = make(number);
                    let _active = tester.context().activate();
                    while board.work_once(property, &plan) {}
                    said.lock().unwrap_or_else(PoisonError::into_inner).add(&tester.context().take_statistics());
                });
            }
            while board.work_once(property, &plan) {}
        });
        tester.context().add_statistics(&said.into_inner().unwrap_or_else(PoisonError::into_inner));
    }
    let State { failed, trouble, evaluations, discarded, checked, asks, nests, .. } =
        std::mem::take(&mut *board.lock());
    explored.checked = checked;
    (explored.evaluations, explored.discarded, explored.trouble) = (evaluations, discarded, trouble);
    (explored.asks_for_witnesses, explored.nests) = (asks, nests);
    if let Some(Failed { case, failure, .. }) = failed.filter(|_| explored.trouble.is_none()) {
        (explored.case, explored.failure) = (Some(case), Some(failure));
    }
    explored
}

impl Board {
    fn new(threads: usize) -> Self {
        Self {
            state: Mutex::default(),
            changed: Condvar::new(),
            wanted: threads,
            there: AtomicUsize::new(0),
            has_failed: AtomicBool::new(false),
        }
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn has_work(&self) -> bool {
        let state = self.lock();
        !state.parts.is_empty() && state.trouble.is_none() && state.failed.is_none()
    }

    /// Searches the first part that is left, or waits for one. False if there will be none.
    fn work_once(&self, property: &dyn Property, plan: &Plan) -> bool {
        let mut state = self.lock();
        let part = loop {
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
        self.there.store(state.parts.len(), Ordering::Relaxed);
        drop(state);
        let searched = self.search(property, plan, &part);
        let mut state = self.lock();
        state.working -= 1;
        state.evaluations += searched.evaluations;
        state.discarded += searched.discarded;
        state.checked += searched.checked;
        state.asks |= searched.asks;
        state.nests |= searched.nests;
        match searched.ended {
            Ended::Done => {}
            Ended::Cut(parts) => state.parts.extend(parts),
            Ended::Trouble(trouble) => state.trouble = Some(trouble),
            Ended::Failed(failed) => {
                if state.failed.as_ref().is_none_or(|first| failed.path < first.path) {
                    state.failed = Some(failed);
                    self.has_failed.store(true, Ordering::Relaxed);
                }
            }
        }
        self.there.store(state.parts.len(), Ordering::Relaxed);
        drop(state);
        self.changed.notify_all();
        true
    }

    /// Whether the search of a part is to stop before a path: because others have nothing to do, or because a path before it has
    /// failed.
    fn is_to_stop(&self, path: impl FnOnce() -> Vec<u32>) -> bool {
        self.there.load(Ordering::Relaxed) < self.wanted
            || self.has_failed.load(Ordering::Relaxed) && self.lock().is_behind(&path())
    }

    fn search(&self, property: &dyn Property, plan: &Plan, part: &Part) -> Searched {
        let until = plan.until.clone();
        let search = Search::sharing(&plan.quota, move || until());
        search.enter(|| {
            search.in_block(plan.depth, |block| {
                search.begin_part(block, part);
                let stop = || {
                    if self.is_to_stop(|| search.path(block)) {
                        Signal::Cut.unwind();
                    }
                };
                let mut walk = Walk::new(&search, block, plan.depth, plan.independent).asking(plan.pause, &stop);
                let mut explored = Exploration::default();
                let is_cut = run(property, &mut walk, &mut explored);
                let ended = match (explored.failure, explored.trouble) {
                    (_, Some(trouble)) => Ended::Trouble(trouble),
                    (Some(failure), None) => {
                        let (path, case) = (search.path(block), path::case(&search, block, plan.depth));
                        Ended::Failed(Failed { path, case, failure })
                    }
                    (None, None) if is_cut => Ended::Cut(search.cut(block)),
                    (None, None) => Ended::Done,
                };
                let (evaluations, discarded, checked) = (search.evaluations(), walk.discarded, walk.checked);
                let (asks, nests) = (search.asks_for_witnesses(), search.nests.get());
                Searched { ended, evaluations, discarded, checked, asks, nests }
            })
        })
    }
}

impl State {
    /// The first part, unless a path before it has failed.
    fn next(&mut self) -> Option<Part> {
        let first = self.parts.pop_first()?;
        if self.is_behind(&first.path) {
            self.parts.clear();
            return None;
        }
        Some(first)
    }

    /// Whether a path that fails is before this one.
    fn is_behind(&self, path: &[u32]) -> bool {
        self.failed.as_ref().is_some_and(|failed| failed.path[..] < *path)
    }
}
