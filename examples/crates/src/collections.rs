//! Popular concurrent collections, tested with the macro for the common case.
//!
//! A specification must accept correct systems: two queues and a map pass. Three operations are less atomic than they
//! seem, as these specifications found:
//!
//! - two calls of `remove` of the skip list's map may both return the same entry (in version 0.1.3);
//! - `insert` of the skip list's map removes the old entry *before* it inserts, as documented, and other threads observe that;
//! - while `force_push` of the bounded queue replaces the first element of a full one, `len` counts one less than full.

use crossbeam_queue::{ArrayQueue, SegQueue};
use crossbeam_skiplist::SkipMap;
use dashmap::DashMap;
use forall::Arbitrary;
use forall::machine::{Provoke, Tuning};
use std::collections::{BTreeMap, VecDeque};

/// The model of an unbounded queue.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Queue(VecDeque<u8>);

impl Queue {
    fn push(&mut self, value: u8) {
        self.0.push_back(value);
    }

    fn pop(&mut self) -> Option<u8> {
        self.0.pop_front()
    }

    fn len(&self) -> usize {
        self.0.len()
    }

    fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

forall::machine! {
    /// A segmented queue.
    pub spec SegQueueSpec for shared SegQueue<u8> = SegQueue::new(), like Queue = Queue::default();
    fn push(value: u8);
    fn pop() -> Option<u8>;
    fn len() -> usize;
    fn is_empty() -> bool;
}

/// The capacity of the bounded queue: small, so that it is often full.
const ROOM: usize = 3;

/// The model of a bounded queue.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Bounded(VecDeque<u8>);

impl Bounded {
    fn push(&mut self, value: u8) -> Result<(), u8> {
        if self.0.len() == ROOM {
            return Err(value);
        }
        self.0.push_back(value);
        Ok(())
    }

    fn force_push(&mut self, value: u8) -> Option<u8> {
        let first = if self.0.len() == ROOM { self.0.pop_front() } else { None };
        self.0.push_back(value);
        first
    }

    fn pop(&mut self) -> Option<u8> {
        self.0.pop_front()
    }

    fn len(&self) -> usize {
        self.0.len()
    }
}

forall::machine! {
    /// A ring buffer queue.
    pub spec ArrayQueueSpec for shared ArrayQueue<u8> = ArrayQueue::new(ROOM), like Bounded = Bounded::default();
    fn push(value: u8) -> Result<(), u8>;
    fn pop() -> Option<u8>;
    fn len() -> usize;
}

forall::machine! {
    /// The same with `force_push`, which replaces an element if the queue is full.
    pub spec ForcingSpec for shared ArrayQueue<u8> = ArrayQueue::new(ROOM), like Bounded = Bounded::default();
    tuning interrupted();
    fn force_push(value: u8) -> Option<u8>;
    fn len() -> usize;
}

/// Short programs that are interrupted in the middle of commands.
fn interrupted() -> Tuning {
    Tuning { provoke: Provoke { signals: true, ..Provoke::default() }, ..Tuning::short() }
}

/// Few keys, so that branches share keys.
#[derive(Arbitrary, Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Key {
    /// The first.
    A,
    /// The second.
    B,
    /// The last.
    C,
}

/// A sharded map.
#[derive(Debug, Default)]
pub struct Sharded(DashMap<Key, u8>);

impl Sharded {
    fn insert(&self, key: Key, value: u8) -> Option<u8> {
        self.0.insert(key, value)
    }

    fn remove(&self, key: Key) -> Option<u8> {
        self.0.remove(&key).map(|(_, value)| value)
    }

    fn get(&self, key: Key) -> Option<u8> {
        self.0.get(&key).map(|value| *value)
    }

    fn add(&self, key: Key, more: u8) -> u8 {
        let mut value = self.0.entry(key).or_insert(0);
        *value = value.wrapping_add(more);
        *value
    }
}

/// The model of a map.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Map(BTreeMap<Key, u8>);

impl Map {
    fn insert(&mut self, key: Key, value: u8) -> Option<u8> {
        self.0.insert(key, value)
    }

    fn remove(&mut self, key: Key) -> Option<u8> {
        self.0.remove(&key)
    }

    fn get(&self, key: Key) -> Option<u8> {
        self.0.get(&key).copied()
    }

    fn add(&mut self, key: Key, more: u8) -> u8 {
        let value = self.0.entry(key).or_insert(0);
        *value = value.wrapping_add(more);
        *value
    }

    fn replace(&mut self, key: Key, value: u8) {
        self.0.insert(key, value);
    }

    fn get_or_insert(&mut self, key: Key, value: u8) -> u8 {
        *self.0.entry(key).or_insert(value)
    }
}

forall::machine! {
    /// A sharded map.
    pub spec DashMapSpec for shared Sharded = Sharded::default(), like Map = Map::default();
    fn insert(key: Key, value: u8) -> Option<u8>;
    fn remove(key: Key) -> Option<u8>;
    fn get(key: Key) -> Option<u8>;
    fn add(key: Key, more: u8) -> u8;
}

/// A skip list map.
#[derive(Debug, Default)]
pub struct Skipping(SkipMap<Key, u8>);

impl Skipping {
    fn replace(&self, key: Key, value: u8) {
        self.0.insert(key, value);
    }

    fn get_or_insert(&self, key: Key, value: u8) -> u8 {
        *self.0.get_or_insert(key, value).value()
    }

    fn remove(&self, key: Key) -> Option<u8> {
        self.0.remove(&key).map(|entry| *entry.value())
    }

    fn get(&self, key: Key) -> Option<u8> {
        self.0.get(&key).map(|entry| *entry.value())
    }
}

forall::machine! {
    /// A skip list map, without replacing entries.
    pub spec SkipMapSpec for shared Skipping = Skipping::default(), like Map = Map::default();
    tuning interrupted();
    fn get_or_insert(key: Key, value: u8) -> u8;
    fn remove(key: Key) -> Option<u8>;
    fn get(key: Key) -> Option<u8>;
}

forall::machine! {
    /// The same with replacing entries.
    pub spec ReplacingSpec for shared Skipping = Skipping::default(), like Map = Map::default();
    tuning interrupted();
    fn replace(key: Key, value: u8);
    fn get(key: Key) -> Option<u8>;
}
