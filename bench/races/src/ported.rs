// The races of `examples/machines`, each as a fixed program of the fewest commands that fail. Included once per tool, which provides
// the modules `sync` and `thread`.

use std::collections::VecDeque;
use sync::atomic::Ordering::SeqCst;
use sync::atomic::{AtomicBool, AtomicU32, AtomicUsize};
use sync::{Arc, Condvar, Mutex};

/// Runs both on threads of their own, and returns their results.
fn both<A: Send + 'static, B: Send + 'static>(
    first: impl FnOnce() -> A + Send + 'static,
    second: impl FnOnce() -> B + Send + 'static,
) -> (A, B) {
    let (first, second) = (thread::spawn(first), thread::spawn(second));
    (first.join().unwrap(), second.join().unwrap())
}

/// The program of this race.
pub fn program(case: &str) -> fn() {
    match case {
        "check_then_act" => check_then_act,
        "two_state_flag" => two_state_flag,
        "aba" => aba,
        "lock_order" => lock_order,
        "lost_wake_up" => lost_wake_up,
        "double_checked" => double_checked,
        _ => panic!("no race is called {case}"),
    }
}

fn check_then_act() {
    fn take(taken: &AtomicU32) -> bool {
        if taken.load(SeqCst) == 3 {
            return false;
        }
        taken.store(taken.load(SeqCst) + 1, SeqCst);
        true
    }
    let taken = Arc::new(AtomicU32::new(2));
    let other = Arc::clone(&taken);
    let (first, second) = both(move || take(&taken), move || take(&other));
    assert!(!(first && second));
}

fn two_state_flag() {
    // Closed.
    let flag = Arc::new((AtomicBool::new(false), AtomicBool::new(true)));
    let other = Arc::clone(&flag);
    let open = move || {
        flag.0.store(true, SeqCst);
        flag.1.store(false, SeqCst);
    };
    let ((), (open, closed)) = both(open, move || (other.0.load(SeqCst), other.1.load(SeqCst)));
    assert!(!(open && closed));
}

struct Stack {
    head: AtomicUsize,
    next: [AtomicUsize; 4],
    values: [AtomicU32; 4],
    free: Mutex<VecDeque<usize>>,
    used: AtomicUsize,
}

impl Stack {
    fn new() -> Self {
        let next = std::array::from_fn(|_| AtomicUsize::new(0));
        let values = std::array::from_fn(|_| AtomicU32::new(0));
        let (head, used) = (AtomicUsize::new(0), AtomicUsize::new(1));
        let stack = Self { head, next, values, free: Mutex::new(VecDeque::new()), used };
        stack.push(1);
        stack.push(2);
        stack
    }

    fn push(&self, value: u32) {
        let recycled = self.free.lock().unwrap().pop_front();
        let node = recycled.unwrap_or_else(|| self.used.fetch_add(1, SeqCst));
        self.values[node].store(value, SeqCst);
        loop {
            let first = self.head.load(SeqCst);
            self.next[node].store(first, SeqCst);
            if self.head.compare_exchange(first, node, SeqCst, SeqCst).is_ok() {
                return;
            }
        }
    }

    fn pop(&self) -> Option<u32> {
        loop {
            let node = self.head.load(SeqCst);
            if node == 0 {
                return None;
            }
            let next = self.next[node].load(SeqCst);
            if self.head.compare_exchange(node, next, SeqCst, SeqCst).is_ok() {
                let value = self.values[node].load(SeqCst);
                self.free.lock().unwrap().push_back(node);
                return Some(value);
            }
        }
    }
}

fn aba() {
    let stack = Arc::new(Stack::new());
    let (one, other) = (Arc::clone(&stack), Arc::clone(&stack));
    let (first, [second, third]) = both(
        move || one.pop(),
        move || {
            let popped = [other.pop(), other.pop()];
            other.push(3);
            popped
        },
    );
    let mut all: Vec<u32> = [first, second, third].into_iter().flatten().collect();
    // A list that has become a circle is not emptied.
    all.extend((0..4).map_while(|_| stack.pop()));
    all.sort_unstable();
    assert_eq!(all, [1, 2, 3]);
}

fn lock_order() {
    let accounts = Arc::new((Mutex::new(0), Mutex::new(0)));
    let other = Arc::clone(&accounts);
    let sum = move || {
        let first = accounts.0.lock().unwrap();
        let second = accounts.1.lock().unwrap();
        *first + *second
    };
    let backwards = move || {
        let second = other.1.lock().unwrap();
        let first = other.0.lock().unwrap();
        *first + *second
    };
    let _: (i32, i32) = both(sum, backwards);
}

fn lost_wake_up() {
    let gate = Arc::new((Mutex::new(false), Condvar::new()));
    let other = Arc::clone(&gate);
    let pass = move || {
        let is_open = *gate.0.lock().unwrap();
        if !is_open {
            let open = gate.0.lock().unwrap();
            drop(gate.1.wait(open).unwrap());
        }
    };
    let open = move || {
        *other.0.lock().unwrap() = true;
        other.1.notify_all();
    };
    both(pass, open);
}

fn double_checked() {
    fn get(lazy: &(AtomicBool, AtomicU32, Mutex<()>)) -> u32 {
        if !lazy.0.load(SeqCst) {
            let _computing = lazy.2.lock().unwrap();
            if !lazy.0.load(SeqCst) {
                lazy.0.store(true, SeqCst);
                lazy.1.store(7, SeqCst);
            }
        }
        lazy.1.load(SeqCst)
    }
    let lazy = Arc::new((AtomicBool::new(false), AtomicU32::new(0), Mutex::new(())));
    let other = Arc::clone(&lazy);
    assert_eq!(both(move || get(&lazy), move || get(&other)), (7, 7));
}
