//! thingbuf's queue, when it is full.

use super::short;
use thingbuf::ThingBuf;

/// A queue with two slots.
#[derive(Debug)]
pub struct Queue(ThingBuf<u8>);

impl Default for Queue {
    fn default() -> Self {
        Self(ThingBuf::new(2))
    }
}

impl Queue {
    /// Adds a value, if there is room.
    pub fn push(&self) -> bool {
        self.0.push(1).is_ok()
    }

    /// Removes the oldest value.
    pub fn pop(&self) -> Option<u8> {
        self.0.pop()
    }
}

/// The number of values. A slot that is being read is skipped, so a queue with room may be full: the test checks only that
/// methods return.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Model(usize);

impl Model {
    fn push(&mut self) -> bool {
        let has_room = self.0 < 2;
        self.0 += usize::from(has_room);
        has_room
    }

    fn pop(&mut self) -> Option<u8> {
        self.0 = self.0.checked_sub(1)?;
        Some(1)
    }
}

forall::machine! {
    /// The methods of the queue.
    pub spec FullBuffer for shared Queue = Queue::default(), like Model = Model::default();
    tuning short();
    fn push() -> bool;
    fn pop() -> Option<u8>;
}
