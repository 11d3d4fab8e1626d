//! Lists of commands for data structures that lose elements when they grow. Commands depend on each other: fewer of them fail only if
//! another one moves, or has another kind.

use super::thirteen::Challenge;
use forall::Arbitrary;
use forall::prelude::property;
use forall::property::Property;
use std::collections::VecDeque;

pub const COMMANDS: [Challenge; 2] = [
    Challenge {
        name: "ring",
        property: ring,
        ideal: "vec![Queue::Push(0), Queue::Pop, Queue::Push(0), Queue::Push(0), Queue::Push(0), Queue::Push(1), Queue::Push(0), \
                Queue::Pop, Queue::Pop, Queue::Pop, Queue::Pop]",
    },
    Challenge {
        name: "deque",
        property: deque,
        ideal: "vec![Deque::PushFront(0), Deque::PushFront(0), Deque::PushBack(1), Deque::PushFront(0), Deque::PopBack]",
    },
];

/// A buffer that does not move its elements when it grows.
struct Ring {
    buffer: Vec<i32>,
    head: usize,
    length: usize,
}

impl Ring {
    fn new(capacity: usize) -> Self {
        Self { buffer: vec![0; capacity], head: 0, length: 0 }
    }

    fn place(&self, at: usize) -> usize {
        (self.head + at) % self.buffer.len()
    }

    fn grow(&mut self) {
        if self.length == self.buffer.len() {
            self.buffer.resize(2 * self.length, 0);
        }
        self.length += 1;
    }

    fn push_back(&mut self, x: i32) {
        self.grow();
        let place = self.place(self.length - 1);
        self.buffer[place] = x;
    }

    fn push_front(&mut self, x: i32) {
        self.grow();
        self.head = self.place(self.buffer.len() - 1);
        self.buffer[self.head] = x;
    }

    fn pop_front(&mut self) -> Option<i32> {
        self.length = self.length.checked_sub(1)?;
        let x = self.buffer[self.head];
        self.head = self.place(1);
        Some(x)
    }

    fn pop_back(&mut self) -> Option<i32> {
        self.length = self.length.checked_sub(1)?;
        Some(self.buffer[self.place(self.length)])
    }
}

#[derive(Clone, Debug, Arbitrary)]
enum Queue {
    Push(i32),
    Pop,
    Len,
}

fn ring() -> Box<dyn Property> {
    Box::new(property! { forall commands: Vec<Queue>; check {
        let (mut ring, mut model) = (Ring::new(4), VecDeque::new());
        commands.iter().all(|command| match command {
            Queue::Push(x) => {
                ring.push_back(*x);
                model.push_back(*x);
                true
            }
            Queue::Pop => ring.pop_front() == model.pop_front(),
            Queue::Len => ring.length == model.len(),
        })
    } })
}

#[derive(Clone, Debug, Arbitrary)]
enum Deque {
    PushFront(i32),
    PushBack(i32),
    PopFront,
    PopBack,
    Len,
}

fn deque() -> Box<dyn Property> {
    Box::new(property! { forall commands: Vec<Deque>; check {
        let (mut ring, mut model) = (Ring::new(3), VecDeque::new());
        commands.iter().all(|command| match command {
            Deque::PushFront(x) => {
                ring.push_front(*x);
                model.push_front(*x);
                true
            }
            Deque::PushBack(x) => {
                ring.push_back(*x);
                model.push_back(*x);
                true
            }
            Deque::PopFront => ring.pop_front() == model.pop_front(),
            Deque::PopBack => ring.pop_back() == model.pop_back(),
            Deque::Len => ring.length == model.len(),
        })
    } })
}
