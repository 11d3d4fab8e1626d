//! Shareable collections of the standard library, tested with the macro for the common case. They must pass.

use std::collections::BTreeMap;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Mutex, OnceLock, PoisonError, RwLock};

/// A map behind a read-write lock.
#[derive(Debug, Default)]
pub struct Map(RwLock<BTreeMap<u8, u8>>);

impl Map {
    /// Sets a value, and returns the previous one.
    pub fn insert(&self, key: u8, value: u8) -> Option<u8> {
        self.0.write().unwrap_or_else(PoisonError::into_inner).insert(key % 4, value)
    }

    /// Removes a value, and returns it.
    pub fn remove(&self, key: u8) -> Option<u8> {
        self.0.write().unwrap_or_else(PoisonError::into_inner).remove(&(key % 4))
    }

    /// Returns the value of a key.
    pub fn get(&self, key: u8) -> Option<u8> {
        self.0.read().unwrap_or_else(PoisonError::into_inner).get(&(key % 4)).copied()
    }

    /// Returns the number of entries.
    pub fn len(&self) -> usize {
        self.0.read().unwrap_or_else(PoisonError::into_inner).len()
    }

    /// Returns whether the map is empty.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

/// The model of a map, without locks.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct PlainMap(BTreeMap<u8, u8>);

impl PlainMap {
    fn insert(&mut self, key: u8, value: u8) -> Option<u8> {
        self.0.insert(key % 4, value)
    }

    fn remove(&mut self, key: u8) -> Option<u8> {
        self.0.remove(&(key % 4))
    }

    fn get(&self, key: u8) -> Option<u8> {
        self.0.get(&(key % 4)).copied()
    }

    fn len(&self) -> usize {
        self.0.len()
    }
}

forall::machine! {
    /// A map behind a lock.
    pub spec MapSpec for shared Map = Map::default(), like PlainMap = PlainMap::default();
    fn insert(key: u8, value: u8) -> Option<u8>;
    fn remove(key: u8) -> Option<u8>;
    fn get(key: u8) -> Option<u8>;
    fn len() -> usize;
}

/// A channel whose two ends are shared.
#[derive(Debug)]
pub struct Channel(Sender<u8>, Mutex<Receiver<u8>>);

impl Default for Channel {
    fn default() -> Self {
        let (sender, receiver) = channel();
        Self(sender, Mutex::new(receiver))
    }
}

impl Channel {
    /// Sends a value. Returns whether it can be received.
    pub fn send(&self, value: u8) -> bool {
        self.0.send(value).is_ok()
    }

    /// Returns the next value, if there is one.
    pub fn receive(&self) -> Option<u8> {
        self.1.lock().unwrap_or_else(PoisonError::into_inner).try_recv().ok()
    }
}

/// The model of a channel, without threads.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct PlainQueue(std::collections::VecDeque<u8>);

impl PlainQueue {
    fn send(&mut self, value: u8) -> bool {
        self.0.push_back(value);
        true
    }

    fn receive(&mut self) -> Option<u8> {
        self.0.pop_front()
    }
}

forall::machine! {
    /// A channel.
    pub spec ChannelSpec for shared Channel = Channel::default(), like PlainQueue = PlainQueue::default();
    fn send(value: u8) -> bool;
    fn receive() -> Option<u8>;
}

/// A cell that is set once.
#[derive(Debug, Default)]
pub struct Once(OnceLock<u8>);

impl Once {
    /// Sets the cell, if it is not set. Returns whether it was not.
    pub fn set(&self, value: u8) -> bool {
        self.0.set(value).is_ok()
    }

    /// Returns the value, and sets it if it is not set.
    pub fn get_or_set(&self, value: u8) -> u8 {
        *self.0.get_or_init(|| value)
    }

    /// Returns the value, if it is set.
    pub fn get(&self) -> Option<u8> {
        self.0.get().copied()
    }
}

/// The model of the cell, without threads.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct PlainOnce(Option<u8>);

impl PlainOnce {
    fn set(&mut self, value: u8) -> bool {
        let is_new = self.0.is_none();
        self.0.get_or_insert(value);
        is_new
    }

    fn get_or_set(&mut self, value: u8) -> u8 {
        *self.0.get_or_insert(value)
    }

    fn get(&self) -> Option<u8> {
        self.0
    }
}

forall::machine! {
    /// A cell that is set once.
    pub spec OnceSpec for shared Once = Once::default(), like PlainOnce = PlainOnce::default();
    fn set(value: u8) -> bool;
    fn get_or_set(value: u8) -> u8;
    fn get() -> Option<u8>;
}
