//! Strategies: where to preempt when no plan says so.
//!
//! Runs without preemption come first, one for each of a few orders of the threads. They show how many points there are
//! and which places of the code touch memory that two threads touch: those are the candidates for preemptions. Then all
//! runs with one preemption follow, then those with two, and so on, as long as the budget allows a whole level. The
//! rest of the budget goes to PCT (Burckhardt, Kothari, Musuvathi, Nagarakatte, ASPLOS 2010), to random walks, and to
//! both at points of any kind, because shared memory may be missing among the candidates.
//!
//! A level counts as complete only if its runs left nothing out: see [`Search::exhausted`].

use super::plan::Plan;
use std::collections::{HashMap, HashSet, VecDeque};
use std::sync::Arc;

/// The address that stands for a point without one: a command begins, or a wait ends.
pub(super) const NO_ADDRESS: usize = 0;
/// The same for an edge of the control flow.
pub(super) const EDGE: usize = 1;

/// The number of thread orders to try without preemption: all of them for two or three threads.
const ORDERS: usize = 6;

/// PCT lowers the priority of the running thread at up to this many points; most bugs need one or two.
const DEPTH: u64 = 3;

/// The number of runs that are examined for shared memory.
const LEARNING: u64 = 8;

/// The number of accesses of a run that are examined for shared memory.
const MOST_ACCESSES: usize = 1 << 16;

/// How often a search may restart because more shared memory was seen.
const RESTARTS: u32 = 3;

/// An access to memory.
#[derive(Clone, Copy, Debug)]
pub(super) struct Access {
    pub(super) thread: usize,
    pub(super) address: usize,
    pub(super) place: usize,
}

/// A search for a schedule of one program that fails.
pub(crate) struct Search {
    dice: Dice,
    threads: usize,
    budget: Budget,
    /// The number of runs so far, and the number of random ones.
    runs: u64,
    random: u64,
    /// The systematic runs that are left, those with fewer preemptions first.
    queue: VecDeque<Node>,
    /// The number of preemptions of the last run from the queue.
    level: usize,
    /// How often it was restarted because more shared memory was seen.
    restarts: u32,
    /// The number of runs before the last restart.
    discarded: u64,
    /// The number of preemptions up to which all runs were tried, and the number of those runs.
    complete: Option<(usize, u64)>,
    /// Whether some runs with as few preemptions as those so far were left out.
    is_partial: bool,
    /// Empty, for the accesses of the next run.
    accesses: Vec<Access>,
    shared: Arc<HashSet<usize>>,
    owners: HashMap<usize, usize>,
    /// The number of candidates in the longest run so far.
    candidates: u64,
    points: u64,
    current: Option<Node>,
}

/// The maximum numbers of runs of a search.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Budget {
    /// Systematic runs, in order of the number of preemptions.
    pub(crate) systematic: u64,
    /// The maximum number of preemptions of those.
    pub(crate) switches: usize,
    /// Random runs, after those.
    pub(crate) random: u64,
}

/// A run that differs from one without preemption at these candidates.
#[derive(Clone, Debug)]
struct Node {
    order: Vec<usize>,
    switches: Vec<(u64, usize)>,
}

impl Search {
    /// Creates a search with this many threads.
    pub(crate) fn new(seed: u64, threads: usize, budget: Budget) -> Self {
        let (queue, are_all) = orders(threads);
        Self {
            dice: Dice(seed | 1),
            threads,
            budget,
            runs: 0,
            random: 0,
            queue,
            level: 0,
            restarts: 0,
            discarded: 0,
            complete: None,
            is_partial: !are_all,
            accesses: Vec::new(),
            shared: Arc::default(),
            owners: HashMap::new(),
            candidates: 0,
            points: 0,
            current: None,
        }
    }

    /// The number of preemptions up to which every run was tried, and the number of those runs: random ones are not among them.
    ///
    /// Nothing was left out: the scheduler controlled every thread; where a thread waited, yielded or ended, at most one other could
    /// go on, and no time limit could pass; all orders of the branches were tried; the preemptions of each run took place where they
    /// were planned; and all accesses were examined for shared memory.
    pub(crate) fn exhausted(&self) -> Option<(usize, u64)> {
        self.complete
    }

    /// Whether no runs are left.
    pub(crate) fn is_over(&self) -> bool {
        self.queue.is_empty() && self.random >= self.budget.random
    }

    /// The next run, if there is one.
    pub(super) fn next(&mut self) -> Option<Strategy> {
        self.runs += 1;
        if let Some(node) = self.queue.pop_front() {
            self.level = node.switches.len();
            let strategy = self.strategy(Kind::Exact(node.switches.clone()), node.order.clone(), true);
            self.current = Some(node);
            return Some(strategy);
        }
        self.current = None;
        if self.random >= self.budget.random {
            return None;
        }
        self.random += 1;
        let mut order: Vec<usize> = (0..self.threads).collect();
        for at in (1..order.len()).rev() {
            order.swap(at, self.dice.below(at as u64 + 1) as usize);
        }
        let filtered = !self.runs.is_multiple_of(3) && self.candidates > 1;
        let most = if filtered { self.candidates } else { self.points }.max(1);
        let kind = if self.runs.is_multiple_of(4) {
            Kind::Random { one_in: 1 << (1 + self.dice.below(5)) }
        } else {
            let depth = 1 + self.dice.below(DEPTH);
            let mut at: Vec<u64> = (0..depth).map(|_| self.dice.below(most)).collect();
            at.sort_unstable();
            at.dedup();
            Kind::Lower(at)
        };
        Some(self.strategy(kind, order, filtered))
    }

    fn strategy(&mut self, kind: Kind, order: Vec<usize>, filtered: bool) -> Strategy {
        let is_systematic = matches!(kind, Kind::Exact(_));
        Strategy {
            kind,
            plan: Plan { order, switches: Vec::new() },
            filtered,
            shared: Arc::clone(&self.shared),
            seen: 0,
            points: 0,
            others: Vec::new(),
            dice: Dice(self.dice.word() | 1),
            accesses: (self.runs <= LEARNING || is_systematic && !self.is_partial)
                .then(|| std::mem::take(&mut self.accesses)),
            made: 0,
            forgoes: false,
        }
    }

    /// Learns from a run that has ended.
    pub(super) fn learn(&mut self, mut ran: Strategy) {
        self.points = self.points.max(ran.points);
        if ran.filtered {
            self.candidates = self.candidates.max(ran.seen);
        }
        if let Some(mut accesses) = ran.accesses.take() {
            let is_examined = accesses.len() < MOST_ACCESSES && self.learn_shared(&accesses);
            self.is_partial |= self.current.is_some() && !is_examined;
            accesses.clear();
            self.accesses = accesses;
        }
        let Some(node) = self.current.take() else { return };
        self.is_partial |= ran.forgoes || ran.made < node.switches.len();
        if self.level < self.budget.switches {
            let first = node.switches.last().map_or(0, |&(at, _)| at as usize + 1);
            for (at, &others) in ran.others.iter().enumerate().skip(first) {
                for to in 0..usize::from(others) {
                    let mut switches = node.switches.clone();
                    switches.push((at as u64, to));
                    self.queue.push_back(Node { order: node.order.clone(), switches });
                }
            }
        }
        if self.queue.front().is_none_or(|next| next.switches.len() > self.level) {
            if !self.is_partial {
                self.complete = Some((self.level, self.runs - self.discarded));
            }
            // A level that does not fit into the budget is not begun.
            if self.runs + self.queue.len() as u64 >= self.budget.systematic {
                self.queue.clear();
            }
        }
    }

    /// Records the places that access memory which another thread accesses as well. Returns false if it is too late to
    /// try preemptions there, so that runs are missing.
    fn learn_shared(&mut self, accesses: &[Access]) -> bool {
        const SEVERAL: usize = usize::MAX;
        self.owners.clear();
        for access in accesses {
            let owner = self.owners.entry(access.address >> 3).or_insert(access.thread);
            if *owner != access.thread {
                *owner = SEVERAL;
            }
        }
        let is_new =
            |access: &&Access| self.owners[&(access.address >> 3)] == SEVERAL && !self.shared.contains(&access.place);
        let new: Vec<usize> = accesses.iter().filter(is_new).map(|access| access.place).collect();
        if new.is_empty() {
            return true;
        }
        // Queued runs refer to candidates by number, so the candidates must not change meanwhile.
        let is_fixed = self.level > 0 && !self.queue.is_empty() || self.restarts == RESTARTS || self.runs > LEARNING;
        if is_fixed {
            return false;
        }
        let mut shared = HashSet::clone(&self.shared);
        shared.extend(new);
        self.shared = Arc::new(shared);
        let begins_again = self.level == 0 && (self.current.is_some() || !self.queue.is_empty());
        if begins_again {
            self.restarts += 1;
            self.discarded = self.runs;
            self.queue = orders(self.threads).0;
            self.current = None;
        }
        begins_again
    }
}

/// Runs without preemption, in a few orders of the threads; and whether these are all orders.
fn orders(threads: usize) -> (VecDeque<Node>, bool) {
    let mut queue = VecDeque::new();
    let mut order: Vec<usize> = (0..threads).collect();
    let mut are_all = false;
    while !are_all && queue.len() < ORDERS {
        queue.push_back(Node { order: order.clone(), switches: Vec::new() });
        are_all = !next_permutation(&mut order);
    }
    if let Some(Node { order, .. }) = queue.back_mut().filter(|_| threads > 3) {
        // With many branches, the reverse order is not among those tried, so it replaces the last one.
        *order = (0..threads).rev().collect();
    }
    (queue, are_all)
}

/// How one run is scheduled.
pub(super) struct Strategy {
    kind: Kind,
    /// The order, and the switches that were made.
    pub(super) plan: Plan,
    /// Whether only accesses to shared memory are candidates.
    filtered: bool,
    shared: Arc<HashSet<usize>>,
    /// The number of candidates so far, and of points.
    seen: u64,
    points: u64,
    /// At each candidate, how many other threads could have run.
    others: Vec<u8>,
    dice: Dice,
    accesses: Option<Vec<Access>>,
    /// The number of planned preemptions that took place.
    made: usize,
    /// Whether there may be runs with as few preemptions that no plan can express, or something was not controlled.
    pub(super) forgoes: bool,
}

enum Kind {
    /// Preempts at these candidates.
    Exact(Vec<(u64, usize)>),
    /// Preempts at these candidates, in favour of the thread with the highest priority: PCT.
    Lower(Vec<u64>),
    /// Preempts at one in this many candidates.
    Random { one_in: u64 },
}

impl Strategy {
    /// At a point: which of `others` is to run in place of this thread, if any.
    pub(super) fn at_point(&mut self, access: Access, others: usize) -> Option<usize> {
        self.points += 1;
        if let Some(accesses) =
            self.accesses.as_mut().filter(|accesses| access.address > EDGE && accesses.len() < MOST_ACCESSES)
        {
            accesses.push(access);
        }
        let is_candidate = !self.filtered
            || access.address == NO_ADDRESS
            || access.address > EDGE && self.shared.contains(&access.place);
        if !is_candidate {
            return None;
        }
        let at = self.seen;
        self.seen += 1;
        match &self.kind {
            Kind::Exact(switches) => {
                self.others.push(others.min(usize::from(u8::MAX)) as u8);
                let switch = switches.iter().find(|switch| switch.0 == at)?;
                self.made += usize::from(switch.1 < others);
                Some(switch.1)
            }
            Kind::Lower(points) => points.binary_search(&at).is_ok().then_some(0),
            Kind::Random { one_in } => {
                let one_in = *one_in;
                (self.dice.below(one_in) == 0).then(|| self.dice.below(others.max(1) as u64) as usize)
            }
        }
    }
}

/// A stream of random numbers.
struct Dice(u64);

impl Dice {
    fn word(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut word = self.0;
        word = (word ^ (word >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        word = (word ^ (word >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        word ^ (word >> 31)
    }

    /// A number below `end`.
    fn below(&mut self, end: u64) -> u64 {
        ((u128::from(self.word()) * u128::from(end.max(1))) >> 64) as u64
    }
}

/// Advances to the next permutation in lexicographic order. Returns false after the last.
fn next_permutation(order: &mut [usize]) -> bool {
    let Some(at) = order.windows(2).rposition(|pair| pair[0] < pair[1]) else { return false };
    let with = order.iter().rposition(|&other| other > order[at]).unwrap_or(at + 1);
    order.swap(at, with);
    order[at + 1..].reverse();
    true
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Searches among the runs of two threads of which the first makes these accesses, in its `run`-th run, and the second accesses
    /// address 8. Returns the level that is claimed to be exhausted.
    fn claimed(accesses: impl Fn(u64) -> Vec<Access>) -> Option<usize> {
        let mut search = Search::new(7, 2, Budget { systematic: 100_000, switches: 1, random: 3 });
        let mut run = 0;
        while let Some(mut strategy) = search.next() {
            for access in accesses(run) {
                strategy.at_point(access, 1);
            }
            strategy.at_point(Access { thread: 1, address: 8, place: 1 }, 0);
            search.learn(strategy);
            run += 1;
        }
        search.exhausted().map(|(level, _)| level)
    }

    fn access(address: usize, place: usize) -> Access {
        Access { thread: 0, address, place }
    }

    #[test]
    fn schedules_are_exhausted_if_all_accesses_are_examined() {
        assert_eq!(claimed(|_| vec![access(8, 2), access(16, 3)]), Some(1));
    }

    #[test]
    fn schedules_with_preemptions_at_accesses_that_were_noticed_late_are_not_exhausted() {
        // A place that touches shared memory only in runs after the first ones.
        let late =
            |run| (0..LEARNING as usize).map(|at| access(if run > LEARNING && at == 5 { 8 } else { 64 }, at)).collect();
        let at_once = |run| [vec![access(8, 7); 9], late(run)].concat();
        assert_eq!(claimed(at_once), Some(0));
    }

    #[test]
    fn schedules_of_a_run_with_too_many_accesses_are_not_exhausted() {
        assert_eq!(claimed(|_| vec![access(16, 3); MOST_ACCESSES - 1]), None);
        // No memory is shared, so there is nothing to preempt at.
        assert_eq!(claimed(|_| vec![access(16, 3); MOST_ACCESSES - 2]), Some(0));
    }
}
