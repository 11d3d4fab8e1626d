//! Six classical concurrency bugs and their fixes, for `cargo forall race`.
//!
//! Each bug needs one or two preemptions at the right places. Real threads find some of them in milliseconds on an idle machine, and
//! none on a busy one. `cargo forall race --include-ignored -p forall-example-machines --test races` finds all of them.

use std::collections::VecDeque;
use std::sync::atomic::Ordering::SeqCst;
use std::sync::atomic::{AtomicBool, AtomicU32, AtomicUsize};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// A counter with a non-atomic check-then-act.
#[derive(Debug, Default)]
pub struct CheckThenAct(AtomicU32);

impl CheckThenAct {
    /// Takes one of three seats, if one is free.
    pub fn take(&self) -> bool {
        if self.0.load(SeqCst) == 3 {
            return false;
        }
        self.0.store(self.0.load(SeqCst) + 1, SeqCst);
        true
    }

    /// Takes one of three seats, if one is free.
    pub fn take_at_once(&self) -> bool {
        self.0.fetch_update(SeqCst, SeqCst, |taken| (taken < 3).then_some(taken + 1)).is_ok()
    }
}

/// One state split into two variables.
#[derive(Debug, Default)]
pub struct TwoStateFlag {
    open: AtomicBool,
    closed: AtomicBool,
    state: AtomicBool,
}

impl TwoStateFlag {
    /// Opens it.
    pub fn open(&self) {
        self.open.store(true, SeqCst);
        self.closed.store(false, SeqCst);
    }

    /// Closes it.
    pub fn close(&self) {
        self.closed.store(true, SeqCst);
        self.open.store(false, SeqCst);
    }

    /// Returns whether it is open, or `None` if it is both or neither.
    pub fn is_open(&self) -> Option<bool> {
        let (open, closed) = (self.open.load(SeqCst), self.closed.load(SeqCst));
        (open != closed || !open).then_some(open)
    }

    /// Opens or closes it, in one variable.
    pub fn set_at_once(&self, open: bool) {
        self.state.store(open, SeqCst);
    }

    /// Returns whether it is open.
    pub fn is_open_at_once(&self) -> bool {
        self.state.load(SeqCst)
    }
}

/// More nodes than a test pushes.
const NODES: usize = 16;

/// A lock-free stack (Treiber, 1986) whose nodes are recycled, the oldest first. Without a tag in its pointers, a node that was taken
/// and put back between the load and the compare-and-swap goes unnoticed: ABA. It begins with two values.
#[derive(Debug)]
pub struct Stack<const TAGGED: bool> {
    /// The number of the first node, 0 for none; the rest is its tag.
    head: AtomicUsize,
    next: [AtomicUsize; NODES],
    values: [AtomicU32; NODES],
    free: Mutex<VecDeque<usize>>,
    used: AtomicUsize,
}

impl<const TAGGED: bool> Default for Stack<TAGGED> {
    fn default() -> Self {
        let (head, next, values) = (AtomicUsize::new(0), Default::default(), Default::default());
        let stack = Self { head, next, values, free: Mutex::default(), used: AtomicUsize::new(1) };
        stack.push(1);
        stack.push(2);
        stack
    }
}

/// The number of a node in a pointer.
const NODE: usize = 0xff;

impl<const TAGGED: bool> Stack<TAGGED> {
    /// Adds a value.
    pub fn push(&self, value: u32) {
        let node = self.node();
        self.values[node].store(value, SeqCst);
        loop {
            let first = self.head.load(SeqCst);
            self.next[node].store(first & NODE, SeqCst);
            if self.head.compare_exchange(first, Self::pointer(first, node), SeqCst, SeqCst).is_ok() {
                return;
            }
        }
    }

    /// Removes the newest value.
    pub fn pop(&self) -> Option<u32> {
        loop {
            let first = self.head.load(SeqCst);
            let node = first & NODE;
            if node == 0 {
                return None;
            }
            let next = self.next[node].load(SeqCst);
            if self.head.compare_exchange(first, Self::pointer(first, next), SeqCst, SeqCst).is_ok() {
                let value = self.values[node].load(SeqCst);
                lock(&self.free).push_back(node);
                return Some(value);
            }
        }
    }

    /// A node that is free: one that was used before, or a new one.
    fn node(&self) -> usize {
        lock(&self.free).pop_front().unwrap_or_else(|| self.used.fetch_add(1, SeqCst))
    }

    fn pointer(before: usize, node: usize) -> usize {
        if TAGGED { (before & !NODE).wrapping_add(NODE + 1) | node } else { node }
    }
}

/// Two accounts with a lock each.
#[derive(Debug, Default)]
pub struct Accounts {
    first: Mutex<u32>,
    second: Mutex<u32>,
}

impl Accounts {
    /// Returns the sum, and locks the first account first.
    pub fn sum(&self) -> u32 {
        let first = lock(&self.first);
        let second = lock(&self.second);
        *first + *second
    }

    /// Returns the sum, and locks the second account first: a lock-order deadlock.
    pub fn sum_backwards(&self) -> u32 {
        let second = lock(&self.second);
        let first = lock(&self.first);
        *first + *second
    }
}

/// A gate that threads wait at.
#[derive(Debug, Default)]
pub struct Gate {
    open: Mutex<bool>,
    opened: Condvar,
}

impl Gate {
    /// Opens it.
    pub fn open(&self) {
        *lock(&self.open) = true;
        self.opened.notify_all();
    }

    /// Waits until it is open. Bug: releases the lock between the check and the wait, so a wake-up can be lost.
    pub fn pass(&self) {
        if !*lock(&self.open) {
            drop(self.opened.wait(lock(&self.open)).unwrap_or_else(PoisonError::into_inner));
        }
    }

    /// Waits until it is open.
    pub fn pass_safely(&self) {
        let mut open = lock(&self.open);
        while !*open {
            open = self.opened.wait(open).unwrap_or_else(PoisonError::into_inner);
        }
    }
}

/// A value that is computed when it is first needed.
#[derive(Debug, Default)]
pub struct Lazy {
    ready: AtomicBool,
    value: AtomicU32,
    computing: Mutex<()>,
}

impl Lazy {
    /// Returns the value. Bug: sets `ready` before the value: incorrect double-checked initialisation.
    pub fn get(&self) -> u32 {
        self.get_in_order(false)
    }

    /// Returns the value.
    pub fn get_safely(&self) -> u32 {
        self.get_in_order(true)
    }

    fn get_in_order(&self, value_first: bool) -> u32 {
        if !self.ready.load(SeqCst) {
            let _computing = lock(&self.computing);
            if !self.ready.load(SeqCst) {
                if value_first {
                    self.value.store(7, SeqCst);
                }
                self.ready.store(true, SeqCst);
                self.value.store(7, SeqCst);
            }
        }
        self.value.load(SeqCst)
    }
}

/// The models of all of them.
pub mod models {
    /// Three seats.
    #[derive(Clone, Debug, Default, PartialEq)]
    pub struct Seats(u32);

    impl Seats {
        /// Takes one.
        pub fn take(&mut self) -> bool {
            self.0 += 1;
            self.0 <= 3
        }

        /// Takes one.
        pub fn take_at_once(&mut self) -> bool {
            self.take()
        }
    }

    /// Open or not.
    #[derive(Clone, Debug, Default, PartialEq)]
    pub struct Flag(bool);

    impl Flag {
        /// Opens it.
        pub fn open(&mut self) {
            self.0 = true;
        }

        /// Closes it.
        pub fn close(&mut self) {
            self.0 = false;
        }

        /// Returns whether it is open.
        pub fn is_open(&self) -> Option<bool> {
            Some(self.0)
        }

        /// Opens or closes it.
        pub fn set_at_once(&mut self, open: bool) {
            self.0 = open;
        }

        /// Returns whether it is open.
        pub fn is_open_at_once(&self) -> bool {
            self.0
        }
    }

    /// A stack that begins with two values.
    #[derive(Clone, Debug, PartialEq)]
    pub struct Stack(Vec<u32>);

    impl Default for Stack {
        fn default() -> Self {
            Self(vec![1, 2])
        }
    }

    impl Stack {
        /// Adds a value.
        pub fn push(&mut self, value: u32) {
            self.0.push(value);
        }

        /// Removes the newest value.
        pub fn pop(&mut self) -> Option<u32> {
            self.0.pop()
        }
    }

    /// A model without state.
    #[derive(Clone, Debug, Default, PartialEq)]
    pub struct Constant;

    impl Constant {
        /// Both accounts are empty.
        pub fn sum(&self) -> u32 {
            0
        }

        /// Both accounts are empty.
        pub fn sum_backwards(&self) -> u32 {
            0
        }

        /// Opens a gate.
        pub fn open(&self) {}

        /// Passes a gate.
        pub fn pass(&self) {}

        /// Passes a gate.
        pub fn pass_safely(&self) {}

        /// The value that is computed.
        pub fn get(&self) -> u32 {
            7
        }

        /// The value that is computed.
        pub fn get_safely(&self) -> u32 {
            7
        }
    }
}

use forall::machine::Tuning;

fn short() -> Tuning {
    Tuning { prefix: 3, branch: 4, ..Tuning::default() }
}

forall::machine! {
    /// A counter with a non-atomic check-then-act.
    pub spec CheckThenActSpec for shared CheckThenAct = CheckThenAct::default(), like models::Seats = models::Seats::default();
    tuning short();
    fn take() -> bool;
}

forall::machine! {
    /// The same in one step.
    pub spec CheckedSpec for shared CheckThenAct = CheckThenAct::default(), like models::Seats = models::Seats::default();
    tuning short();
    fn take_at_once() -> bool;
}

forall::machine! {
    /// One state split into two variables.
    pub spec TwoStateSpec for shared TwoStateFlag = TwoStateFlag::default(), like models::Flag = models::Flag::default();
    tuning short();
    fn open();
    fn close();
    fn is_open() -> Option<bool>;
}

forall::machine! {
    /// One variable for one state.
    pub spec OneStateSpec for shared TwoStateFlag = TwoStateFlag::default(), like models::Flag = models::Flag::default();
    tuning short();
    fn set_at_once(open: bool);
    fn is_open_at_once() -> bool;
}

forall::machine! {
    /// A stack with ABA.
    pub spec AbaSpec for shared Stack<false> = Stack::default(), like models::Stack = models::Stack::default();
    tuning short();
    fn push(value: u32);
    fn pop() -> Option<u32>;
}

forall::machine! {
    /// A stack without.
    pub spec TaggedSpec for shared Stack<true> = Stack::default(), like models::Stack = models::Stack::default();
    tuning short();
    fn push(value: u32);
    fn pop() -> Option<u32>;
}

forall::machine! {
    /// Inconsistent lock order.
    pub spec LockOrderSpec for shared Accounts = Accounts::default(), like models::Constant = models::Constant;
    tuning short();
    fn sum() -> u32;
    fn sum_backwards() -> u32;
}

forall::machine! {
    /// Consistent lock order.
    pub spec OneOrderSpec for shared Accounts = Accounts::default(), like models::Constant = models::Constant;
    tuning short();
    fn sum() -> u32;
}

forall::machine! {
    /// A gate with a lost wake-up.
    pub spec LostWakeUpSpec for shared Gate = Gate::default(), like models::Constant = models::Constant;
    tuning short();
    fn open();
    fn pass();
}

forall::machine! {
    /// A gate without.
    pub spec WakeUpSpec for shared Gate = Gate::default(), like models::Constant = models::Constant;
    tuning short();
    fn open();
    fn pass_safely();
}

forall::machine! {
    /// Incorrect double-checked initialisation.
    pub spec DoubleCheckedSpec for shared Lazy = Lazy::default(), like models::Constant = models::Constant;
    tuning short();
    fn get() -> u32;
}

forall::machine! {
    /// Correct double-checked initialisation.
    pub spec LazySpec for shared Lazy = Lazy::default(), like models::Constant = models::Constant;
    tuning short();
    fn get_safely() -> u32;
}
