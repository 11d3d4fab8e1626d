//! A search on several threads: the tree of paths is split into parts, which are searched independently.
//!
//! Parts are searched in the order of their paths, and split when a worker is idle. The counterexample is the first
//! failing path, as on one thread: parts after it are abandoned, parts before it are finished.

use super::beginning::Part;
use super::explore::{Exploration, Trouble, prepare, run};
use super::path;
use super::quota::Quota;
use super::signal::Signal;
use super::trail::Search;
use super::twin::Pruning;
use crate::context::context;
use crate::property::walk::Walk;
use crate::property::{Failure, Property};
use crate::run::{Case, Statistics, Tester};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};

/// The number of paths to search before other threads start: a few milliseconds' work, about as long as starting them
/// takes.
const ALONE: u64 = 1 << 14;

/// A worker checks after this many paths whether it should hand over work, or stop.
const PAUSE: u64 = 1 << 9;

/// Returns whether a search should end.
pub(crate) type Until = Arc<dyn Fn() -> bool + Send + Sync>;

/// The state that the workers share.
struct Board {
    state: Mutex<State>,
    changed: Condvar,
    /// The number of parts to keep available for idle workers.
    wanted: usize,
    /// The number of available parts, and whether the search ends at some path: copies of the state that can be read
    /// without locking.
    there: AtomicUsize,
    has_end: AtomicBool,
}

/// A path at which a search ends.
struct End {
    path: Vec<u32>,
    why: Why,
}

enum Why {
    /// The path failed: it as an input, and the failure.
    Failed(Case, Failure),
    Trouble(Trouble),
}

/// The results from a path on.
struct Made {
    path: Vec<u32>,
    evaluations: u64,
    discarded: u64,
    checked: u64,
    pruning: Pruning,
    statistics: Statistics,
}

#[derive(Default)]
struct State {
    /// The remaining parts, in reverse order of their paths.
    parts: Vec<Part>,
    working: usize,
    /// The first path known to end the search.
    end: Option<End>,
    /// The results of the parts that were searched.
    made: Vec<Made>,
    /// Whether a nested quantifier asked for its witnesses.
    asks: bool,
    /// Whether the property has a nested quantifier.
    nests: bool,
}

/// How the search of a part ended.
enum Ended {
    Done,
    At(End),
    /// The part that remains to be searched.
    Cut(Vec<Part>),
}

/// The result of a part.
struct Searched {
    ended: Ended,
    made: Made,
    asks: bool,
    /// Whether the property contains a nested quantifier.
    nests: bool,
}

/// Everything needed to search a part.
#[derive(Clone)]
struct Plan {
    depth: u32,
    independent: bool,
    quota: Arc<Quota>,
    until: Until,
    /// The number of paths after which to look at the board.
    pause: u64,
}

/// Like [`explore_within`], on several threads.
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
    board.lock().parts.push(Part::default());
    // Most searches are over before other threads would have started.
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
        // A single thread would not have reached later parts. A limit on evaluations is shared by all threads.
        if end.as_ref().is_none_or(|end| made.path <= end.path || matches!(end.why, Why::Trouble(Trouble::Spent))) {
            explored.evaluations += made.evaluations;
            explored.discarded += made.discarded;
            explored.checked += made.checked;
            explored.pruning.add(made.pruning);
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
            Ended::Cut(parts) => parts.into_iter().for_each(|part| state.add(part)),
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

    /// Whether the search of a part should stop before a path: because other workers are idle, or because the search
    /// ends at an earlier path.
    fn is_to_stop(&self, path: impl FnOnce() -> Vec<u32>) -> bool {
        self.there.load(Ordering::Relaxed) < self.wanted
            || self.has_end.load(Ordering::Relaxed) && self.lock().ends_before(&path())
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
                    pruning: search.rejections.pruning.get(),
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
        let first = self.parts.pop()?;
        if self.ends_before(&first.path) {
            self.parts.clear();
            return None;
        }
        Some(first)
    }

    fn add(&mut self, part: Part) {
        let at = self.parts.partition_point(|other| *other > part);
        self.parts.insert(at, part);
    }

    /// Whether the search ends at a path before this one.
    fn ends_before(&self, path: &[u32]) -> bool {
        self.end.as_ref().is_some_and(|end| end.path[..] < *path)
    }
}
