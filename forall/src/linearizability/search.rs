//! The search for an order that explains a history.
//!
//! A configuration is the progress of each process, together with the state. The operations that can happen next are
//! those that are first in their process and were called before the earliest return of an operation that has not
//! happened. The search is depth-first; a configuration seen before is not explored again, since the path to it does
//! not matter.
//!
//! A read-only operation happens as soon as its output fits, without trying alternatives: in every explanation that
//! continues from here it can be moved to the front, where it is allowed and changes nothing for the others. (This does
//! not hold for an operation that merely happens to leave the current state unchanged, such as writing the current
//! value: it may be needed later.)

use super::{Linearizability, Object, Operation, Order, Stuck};
use crate::hash::Fnv;

pub(super) struct Search<'a, O: Object> {
    object: &'a O,
    operations: &'a [Operation<O::Input, O::Output>],
    order: Order,
    /// The operations to search among. Everything below refers to their indices here, so that memory does not grow with
    /// the rest of the history.
    part: Vec<usize>,
    /// The operations of each process in their order.
    processes: Vec<Vec<usize>>,
    /// The number of them that have happened.
    happened: Vec<u32>,
    /// The same, packed into words for comparison.
    done: Done,
    /// The number of completed operations that have not happened yet.
    left: usize,
    /// The order so far.
    path: Vec<Taken>,
    /// The hash of what has happened, independent of the order.
    hash: u64,
    seen: Seen<O::State>,
    longest: Longest,
    /// The configurations on the current path, and what is left to try in each.
    frames: Vec<Frame>,
    /// Which operations only read.
    reads: Vec<bool>,
    /// A configuration just reached, and the length of the order before the operation that led to it.
    arrived: Option<(usize, O::State)>,
}

/// The longest order tried, and what could not happen after it.
#[derive(Default)]
struct Longest {
    order: Vec<usize>,
    candidates: Vec<usize>,
    /// The length of its common prefix with the current order: only the rest needs to be copied.
    shared: usize,
    /// Whether there is one: the order itself may be empty.
    is_known: bool,
}

/// An operation that has happened.
#[derive(Clone, Copy)]
struct Taken {
    process: usize,
    operation: usize,
}

/// A configuration being explored, and what can happen next in it.
struct Frame {
    /// How long the order was before the operation that led here.
    before: usize,
    /// Its index among the configurations seen.
    configuration: usize,
    /// The processes whose next operation may happen; the next to try is last.
    next: Vec<usize>,
}

impl<'a, O: Object> Search<'a, O> {
    /// A search among the operations `part`.
    #[inline]
    pub(super) fn new(
        object: &'a O,
        operations: &'a [Operation<O::Input, O::Output>],
        part: Vec<usize>,
        order: Order,
    ) -> Self {
        let mut sorted: Vec<usize> = (0..part.len()).collect();
        sorted.sort_by_key(|&at| operations[part[at]].turn());
        let mut processes: Vec<Vec<usize>> = Vec::new();
        for at in sorted {
            match processes.last_mut() {
                Some(process) if operations[part[process[0]]].process == operations[part[at]].process => {
                    process.push(at);
                }
                _ => processes.push(vec![at]),
            }
        }
        let left = part.iter().filter(|&&at| operations[at].returned.is_some()).count();
        let happened = vec![0; processes.len()];
        let done = Done::new(processes.len(), part.len());
        let seen = Seen::new(done.words.len());
        let reads = |&at: &usize| object.only_reads(&operations[at].input, operations[at].output.as_ref());
        let reads = part.iter().map(reads).collect();
        let (path, longest, frames) = (Vec::new(), Longest::default(), Vec::new());
        let arrived = Some((0, object.initial()));
        Self {
            object,
            operations,
            order,
            part,
            processes,
            happened,
            done,
            left,
            path,
            hash: 0,
            seen,
            longest,
            frames,
            reads,
            arrived,
        }
    }

    /// Explores up to this many more configurations. Returns the verdict, if they were enough.
    pub(super) fn advance(&mut self, configurations: u64) -> Option<Linearizability> {
        let mut left = configurations;
        loop {
            if let Some((before, state)) = self.arrived.take() {
                let next = self.what_can_happen(&state);
                if self.left == 0 && self.object.may_end(&state) {
                    return Some(Linearizability::Linearizable(self.order_so_far()));
                }
                let hash = self.hash ^ self.object.digest(&state);
                match self.seen.insert(hash, &self.done.words, state) {
                    Some(configuration) => {
                        self.remember_longest();
                        self.frames.push(Frame { before, configuration, next });
                    }
                    None => self.back_to(before),
                }
            }
            let Some(frame) = self.frames.last_mut() else {
                let Longest { order, candidates, .. } = std::mem::take(&mut self.longest);
                return Some(Linearizability::Violation(Stuck { order, candidates }));
            };
            match frame.next.pop() {
                Some(process) => {
                    let configuration = frame.configuration;
                    let state = self.seen.state(configuration);
                    let Some(after) = self.applied(process, state) else { continue };
                    let returned = self.first(process).is_some_and(|at| self.operation(at).returned.is_some());
                    if !returned && after == *state {
                        // As if it had not happened, which is possible.
                        continue;
                    }
                    self.arrived = Some((self.path.len(), after));
                    self.take(process);
                    if left == 0 {
                        return None;
                    }
                    left -= 1;
                }
                None => {
                    let before = frame.before;
                    self.frames.pop();
                    self.back_to(before);
                }
            }
        }
    }

    fn order_so_far(&self) -> Vec<usize> {
        self.path.iter().map(|taken| self.part[taken.operation]).collect()
    }

    /// Applies all read-only operations that can happen, and returns what else can happen then.
    fn what_can_happen(&mut self, state: &O::State) -> Vec<usize> {
        let mut next: Vec<usize> = Vec::new();
        'again: loop {
            next.clear();
            let horizon = self.horizon();
            for process in 0..self.processes.len() {
                let Some(at) = self.first(process).filter(|&at| self.operation(at).call <= horizon) else { continue };
                if !self.reads[at] {
                    next.push(process);
                } else if self.applied(process, state).is_some() {
                    self.take(process);
                    continue 'again;
                }
            }
            break;
        }
        // Earlier calls are tried first, and those that never returned last: an explanation is likely to be close to
        // that order.
        next.sort_by_key(|&process| {
            let operation = self.first(process).map(|at| self.operation(at));
            std::cmp::Reverse(operation.map(|operation| (operation.returned.is_none(), operation.call)))
        });
        next
    }

    /// The state after the next operation of a process, if its output is possible.
    fn applied(&self, process: usize, state: &O::State) -> Option<O::State> {
        let operation = self.operation(self.first(process)?);
        self.object.apply(state, &operation.input, operation.output.as_ref())
    }

    /// The earliest return of an operation that has not happened: nothing called after it can happen next.
    fn horizon(&self) -> u64 {
        if self.order == Order::PerProcess {
            return u64::MAX;
        }
        let mut horizon = u64::MAX;
        for process in 0..self.processes.len() {
            let returned = self.first(process).and_then(|at| self.operation(at).returned);
            horizon = horizon.min(returned.unwrap_or(u64::MAX));
        }
        horizon
    }

    /// The next operation of a process.
    fn first(&self, process: usize) -> Option<usize> {
        self.processes[process].get(self.happened[process] as usize).copied()
    }

    fn operation(&self, at: usize) -> &'a Operation<O::Input, O::Output> {
        &self.operations[self.part[at]]
    }

    fn take(&mut self, process: usize) {
        let operation = self.first(process).expect("an operation that can happen exists");
        self.happened[process] += 1;
        self.done.add(process, operation);
        self.hash ^= mark(operation);
        self.left -= usize::from(self.operation(operation).returned.is_some());
        self.path.push(Taken { process, operation });
    }

    fn back_to(&mut self, depth: usize) {
        while self.path.len() > depth {
            let Some(Taken { process, operation }) = self.path.pop() else { return };
            self.happened[process] -= 1;
            self.done.remove(process, operation);
            self.hash ^= mark(operation);
            self.left += usize::from(self.operation(operation).returned.is_some());
        }
        self.longest.shared = self.longest.shared.min(depth);
    }

    fn remember_longest(&mut self) {
        if self.longest.is_known && self.longest.order.len() >= self.path.len() {
            return;
        }
        let horizon = self.horizon();
        let mut candidates = std::mem::take(&mut self.longest.candidates);
        candidates.clear();
        for process in 0..self.processes.len() {
            let Some(at) = self.first(process) else { continue };
            let operation = self.operation(at);
            if operation.returned.is_some() && operation.call <= horizon {
                candidates.push(self.part[at]);
            }
        }
        let Longest { mut order, shared, .. } = std::mem::take(&mut self.longest);
        order.truncate(shared);
        order.extend(self.path[shared..].iter().map(|taken| self.part[taken.operation]));
        self.longest = Longest { order, candidates, shared: self.path.len(), is_known: true };
    }
}

/// The linearized operations, in compact form: the number of operations per process, or one bit per operation,
/// whichever is shorter.
struct Done {
    words: Vec<u64>,
    is_counted: bool,
}

impl Done {
    #[inline]
    fn new(processes: usize, operations: usize) -> Self {
        let bits = operations.div_ceil(64);
        Self { words: vec![0; bits.min(processes)], is_counted: processes <= bits }
    }

    #[inline]
    fn add(&mut self, process: usize, operation: usize) {
        match self.is_counted {
            true => self.words[process] += 1,
            false => self.words[operation / 64] |= 1 << (operation % 64),
        }
    }

    #[inline]
    fn remove(&mut self, process: usize, operation: usize) {
        match self.is_counted {
            true => self.words[process] -= 1,
            false => self.words[operation / 64] &= !(1 << (operation % 64)),
        }
    }
}

/// The contribution of an operation to the hash of the configurations in which it has happened.
#[inline]
fn mark(operation: usize) -> u64 {
    let mut hash = Fnv::default();
    hash.mix(operation as u64);
    // Twice: a single round spreads small numbers over only a few bits.
    hash.mix(operation as u64);
    hash.finish()
}

/// The configurations that were looked at.
struct Seen<S> {
    /// By the low bits of the hash, the first entry of a chain; `NONE` if there is none.
    buckets: Vec<u32>,
    entries: Vec<Entry<S>>,
    /// The sets of operations that have happened, one entry after another.
    sets: Vec<u64>,
    /// The length of a set, in words.
    words: usize,
}

struct Entry<S> {
    hash: u64,
    state: S,
    /// The next entry of the chain.
    next: u32,
}

const NONE: u32 = u32::MAX;

impl<S: PartialEq> Seen<S> {
    #[inline]
    fn new(words: usize) -> Self {
        Self { buckets: vec![NONE; 64], entries: Vec::new(), sets: Vec::new(), words }
    }

    /// The index of the new configuration; `None` if it was seen before.
    fn insert(&mut self, hash: u64, set: &[u64], state: S) -> Option<usize> {
        let mut at = self.buckets[self.bucket(hash)];
        while at != NONE {
            let entry = &self.entries[at as usize];
            if entry.hash == hash && self.set(at) == set && entry.state == state {
                return None;
            }
            at = entry.next;
        }
        if self.entries.len() >= self.buckets.len() {
            self.grow();
        }
        let bucket = self.bucket(hash);
        let next = std::mem::replace(&mut self.buckets[bucket], self.entries.len() as u32);
        self.entries.push(Entry { hash, state, next });
        self.sets.extend_from_slice(set);
        Some(self.entries.len() - 1)
    }

    fn state(&self, configuration: usize) -> &S {
        &self.entries[configuration].state
    }

    fn set(&self, entry: u32) -> &[u64] {
        let start = entry as usize * self.words;
        &self.sets[start..start + self.words]
    }

    fn bucket(&self, hash: u64) -> usize {
        hash as usize & (self.buckets.len() - 1)
    }

    fn grow(&mut self) {
        self.buckets = vec![NONE; self.buckets.len() * 4];
        for at in 0..self.entries.len() {
            let bucket = self.bucket(self.entries[at].hash);
            self.entries[at].next = std::mem::replace(&mut self.buckets[bucket], at as u32);
        }
    }
}
