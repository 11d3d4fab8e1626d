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
use crate::context::context;
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
    /// How many there are, and whether the search ends at a path: as the state says, for those who do not want to wait for it.
    there: AtomicUsize,
    has_end: AtomicBool,
}

/// A path at which a search ends.
struct End {
    path: Vec<u32>,
    why: Why,
}

enum Why {
    /// It fails: the path as an input, and how it does.
    Failed(Case, Failure),
    Trouble(Trouble),
}

/// What was made from a path on.
struct Made {
    path: Vec<u32>,
    evaluations: u64,
    discarded: u64,
    checked: u64,
    statistics: Statistics,
}

#[derive(Default)]
struct State {
    /// The parts that are left, in the order of their paths.
    parts: BTreeSet<Part>,
    working: usize,
    /// The first path at which the search ends, as far as is known.
    end: Option<End>,
    /// What was made of the parts that were searched.
    made: Vec<Made>,
    /// Whether a quantifier inside asked for its witnesses.
    asks: bool,
    /// Whether there is a quantifier inside of the property.
    nests: bool,
}

/// How the search of a part ended.
enum Ended {
    Done,
    At(End),
    /// What is left of it.
    Cut(Vec<Part>),
}

/// What a part came to.
struct Searched {
    ended: Ended,
    made: Made,
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
    let (board, before) = (Board::new(threads), tester.context().take_statistics());
    board.lock().parts.insert(Part::default());
    // Most searches are over before another thread would have begun.
    board.work_once(property, &plan);
    if board.has_work() {
        let plan = Plan { pause: PAUSE, ..plan };
        let make = tester.for_workers(property, true);
        std::thread::scope(|scope| {
            for number in 1..threads {
                let (make, board, plan) = (&make, &board, plan.clone());
                scope.spawn(move || {
                    let tester = make(number);
                    let _active = tester.context().activate();
                    while board.work_once(property, &plan) {}
                });
            }
            while board.work_once(property, &plan) {}
        });
    }
    let State { end, made, asks, nests, .. } = std::mem::take(&mut *board.lock());
    for made in made {
        // One thread would not have come to what lies behind. What was allowed is spent by all of them together.
        if end.as_ref().is_none_or(|end| made.path <= end.path || matches!(end.why, Why::Trouble(Trouble::Spent))) {
            explored.evaluations += made.evaluations;
            explored.discarded += made.discarded;
            explored.checked += made.checked;
            tester.context().add_statistics(&made.statistics);
        }
    }
    tester.context().add_statistics(&before);
    (explored.asks_for_witnesses, explored.nests) = (asks, nests);
    match end.map(|end| end.why) {
        Some(Why::Failed(case, failure)) => (explored.case, explored.failure) = (Some(case), Some(failure)),
        Some(Why::Trouble(trouble)) => explored.trouble = Some(trouble),
        None => {}
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
            has_end: AtomicBool::new(false),
        }
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn has_work(&self) -> bool {
        let state = self.lock();
        !state.parts.is_empty() && state.end.is_none()
    }

    /// Searches the first part that is left, or waits for one. False if there will be none.
    fn work_once(&self, property: &dyn Property, plan: &Plan) -> bool {
        let mut state = self.lock();
        let part = loop {
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
        state.made.push(searched.made);
        state.asks |= searched.asks;
        state.nests |= searched.nests;
        match searched.ended {
            Ended::Done => {}
            Ended::Cut(parts) => state.parts.extend(parts),
            Ended::At(end) => {
                if state.end.as_ref().is_none_or(|first| end.path < first.path) {
                    state.end = Some(end);
                    self.has_end.store(true, Ordering::Relaxed);
                }
            }
        }
        self.there.store(state.parts.len(), Ordering::Relaxed);
        drop(state);
        self.changed.notify_all();
        true
    }

    /// Whether the search of a part is to stop before a path: because others have nothing to do, or because the search ends at a path
    /// before it.
    fn is_to_stop(&self, path: impl FnOnce() -> Vec<u32>) -> bool {
        self.there.load(Ordering::Relaxed) < self.wanted
            || self.has_end.load(Ordering::Relaxed) && self.lock().is_behind(&path())
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
                if explored.failure.is_some() {
                    context().settle(false);
                }
                let at = |why| Ended::At(End { path: search.path(block), why });
                let ended = match (explored.failure, explored.trouble) {
                    (_, Some(trouble)) => at(Why::Trouble(trouble)),
                    (Some(failure), None) => at(Why::Failed(path::case(&search, block, plan.depth), failure)),
                    (None, None) if is_cut => Ended::Cut(search.cut(block)),
                    (None, None) => Ended::Done,
                };
                let made = Made {
                    path: part.path.clone(),
                    evaluations: search.evaluations(),
                    discarded: walk.discarded,
                    checked: walk.checked,
                    statistics: context().take_statistics(),
                };
                let (asks, nests) = (search.asks_for_witnesses(), search.nests.get());
                Searched { ended, made, asks, nests }
            })
        })
    }
}

impl State {
    /// The first part, unless the search ends at a path before it.
    fn next(&mut self) -> Option<Part> {
        let first = self.parts.pop_first()?;
        if self.is_behind(&first.path) {
            self.parts.clear();
            return None;
        }
        Some(first)
    }

    /// Whether the search ends at a path before this one.
    fn is_behind(&self, path: &[u32]) -> bool {
        self.end.as_ref().is_some_and(|end| end.path[..] < *path)
    }
}
