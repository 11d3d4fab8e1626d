//! The search for an order that explains a history.
//!
//! A configuration is how far each process has come, and the state. From it those operations can happen next that are
//! first in their process and were called before any operation that has not happened has returned. The search goes deep
//! first; a configuration that was seen before is not looked at again, since the way to it does not matter.
//!
//! An operation that only reads happens as soon as its answer fits, without trying anything else: in every explanation that
//! goes on from here it can be moved to the front, where it is allowed to be and changes nothing for the others. (That does
//! not hold for one that happens to leave this state as it is, such as writing the value that is there: it may be needed
//! later.)

use super::{Linearizability, Object, Operation, Order, Stuck};
use crate::hash::Fnv;

pub(super) struct Search<'a, O: Object> {
    object: &'a O,
    operations: &'a [Operation<O::Input, O::Output>],
    order: Order,
    /// The operations among which it is searched. All below are called by their places here: what there is to keep must not grow
    /// with the rest of the history.
    part: Vec<usize>,
    /// The operations of each process in their order.
    processes: Vec<Vec<usize>>,
    /// How many of them have happened.
    happened: Vec<u32>,
    /// The same in words that can be compared.
    done: Done,
    /// How many that returned have not happened.
    left: usize,
    /// The order so far.
    path: Vec<Taken>,
    /// Together with what happened, so that a configuration has the same hash whichever way leads to it.
    hash: u64,
    seen: Seen<O::State>,
    longest: Longest,
    /// The configurations that led here, and what is left to try in them.
    frames: Vec<Frame>,
    /// Which operations only read.
    reads: Vec<bool>,
    /// A configuration that was just reached, and how long the order was before the operation that led to it.
    arrived: Option<(usize, O::State)>,
}

/// The longest order that was tried, and what could not happen after it.
#[derive(Default)]
struct Longest {
    order: Vec<usize>,
    candidates: Vec<usize>,
    /// So much of it is also the beginning of the order so far: only the rest has to be copied for a longer one.
    shared: usize,
    /// Whether there is one: it may be empty.
    is_known: bool,
}

/// An operation that has happened.
#[derive(Clone, Copy)]
struct Taken {
    process: usize,
    operation: usize,
}

/// A configuration under way, and what can happen next in it.
struct Frame {
    /// How long the order was before the operation that led here.
    before: usize,
    /// Where it is among those that were seen.
    configuration: usize,
    /// The processes whose next operation may happen; the next to try is last.
    next: Vec<usize>,
}

impl<'a, O: Object> Search<'a, O> {
    /// A search among the operations `part`.
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

    /// Looks at so many more configurations. The verdict, if that was enough.
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
                        // As if it had not happened, which it need not have.
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

    /// Lets what only reads and may happen do so, and says what else may be next then.
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
        // What was called first is tried first, and what never returned last: an explanation is likely to be near that order.
        next.sort_by_key(|&process| {
            let operation = self.first(process).map(|at| self.operation(at));
            std::cmp::Reverse(operation.map(|operation| (operation.returned.is_none(), operation.call)))
        });
        next
    }

    /// The state after the first operation of a process that has not happened, if it can have answered what it did.
    fn applied(&self, process: usize, state: &O::State) -> Option<O::State> {
        let operation = self.operation(self.first(process)?);
        self.object.apply(state, &operation.input, operation.output.as_ref())
    }

    /// The first return of what has not happened: nothing that is called after it can happen next.
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

    /// The first operation of a process that has not happened.
    fn first(&self, process: usize) -> Option<usize> {
        self.processes[process].get(self.happened[process] as usize).copied()
    }

    fn operation(&self, at: usize) -> &'a Operation<O::Input, O::Output> {
        &self.operations[self.part[at]]
    }

    fn take(&mut self, process: usize) {
        let operation = self.first(process).expect("what can happen is there");
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

/// What has happened, in few words: how many operations of each process, or a bit for each operation, whichever is shorter.
struct Done {
    words: Vec<u64>,
    is_counted: bool,
}

impl Done {
    fn new(processes: usize, operations: usize) -> Self {
        let bits = operations.div_ceil(64);
        Self { words: vec![0; bits.min(processes)], is_counted: processes <= bits }
    }

    fn add(&mut self, process: usize, operation: usize) {
        match self.is_counted {
            true => self.words[process] += 1,
            false => self.words[operation / 64] |= 1 << (operation % 64),
        }
    }

    fn remove(&mut self, process: usize, operation: usize) {
        match self.is_counted {
            true => self.words[process] -= 1,
            false => self.words[operation / 64] &= !(1 << (operation % 64)),
        }
    }
}

/// What an operation adds to the hash of the configurations in which it has happened.
fn mark(operation: usize) -> u64 {
    let mut hash = Fnv::default();
    hash.mix(operation as u64);
    // Once more: the first time spreads small numbers over few bits.
    hash.mix(operation as u64);
    hash.finish()
}

/// The configurations that were looked at.
struct Seen<S> {
    /// By the low bits of the hash, the first entry of a chain; `NONE` if there is none.
    buckets: Vec<u32>,
    entries: Vec<Entry<S>>,
    /// The sets of what has happened, one entry after the other.
    sets: Vec<u64>,
    /// How many words a set has.
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
    fn new(words: usize) -> Self {
        Self { buckets: vec![NONE; 64], entries: Vec::new(), sets: Vec::new(), words }
    }

    /// Where the configuration is now; none if it was seen before.
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
