//! `heapless` (pull request 45): the length of a ring buffer was wrong once its contents wrapped around.

use crate::Bug;
use std::collections::VecDeque;

const SLOTS: usize = 8;

/// `Some` pushes a value, `None` pops one.
pub fn holds(bug: Bug, operations: &[Option<u8>]) -> Option<bool> {
    let (mut ring, mut model) = (Ring::default(), VecDeque::new());
    for operation in operations {
        match operation {
            Some(byte) if model.len() < SLOTS - 1 => {
                ring.push(*byte);
                model.push_back(*byte);
            }
            Some(_) => {}
            None => {
                if ring.pop() != model.pop_front() {
                    return Some(false);
                }
            }
        }
        if ring.len(bug) != model.len() {
            return Some(false);
        }
    }
    Some(true)
}

pub fn witness() -> (Vec<Option<u8>>,) {
    ([[Some(1), None]; 7].concat().into_iter().chain([Some(1)]).collect(),)
}

#[derive(Default)]
struct Ring {
    slots: [u8; SLOTS],
    head: usize,
    tail: usize,
}

impl Ring {
    fn push(&mut self, byte: u8) {
        self.slots[self.tail] = byte;
        self.tail = (self.tail + 1) % SLOTS;
    }

    fn pop(&mut self) -> Option<u8> {
        let byte = (self.head != self.tail).then(|| self.slots[self.head])?;
        self.head = (self.head + 1) % SLOTS;
        Some(byte)
    }

    fn len(&self, bug: Bug) -> usize {
        match bug {
            Bug::Present => self.head.abs_diff(self.tail),
            Bug::Fixed => (self.tail + SLOTS - self.head) % SLOTS,
        }
    }
}
