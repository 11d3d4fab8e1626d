//! Code that is hard to schedule: it spins, forks, reads the clock, blocks in the kernel or leaves threads behind. `cargo forall race`
//! reports each or runs it to its end. Plain `cargo test` skips them: on real threads some never end.

use forall::machine::{Parallel, Tuning};
use forall::property::Outcome;
use std::cell::RefCell;
use std::ffi::c_int;
use std::io::Write;
use std::sync::atomic::Ordering::SeqCst;
use std::sync::atomic::{AtomicBool, AtomicU32};
use std::sync::{Arc, Mutex, mpsc};
use std::time::{Duration, Instant};

/// The state shared by the commands.
#[derive(Debug, Default)]
struct System {
    count: Arc<AtomicU32>,
    held: AtomicBool,
    guarded: Mutex<u32>,
}

/// A model that expects nothing.
#[derive(Clone, Debug, Default, PartialEq)]
struct Anything;

impl Anything {
    fn act(&self) {}
}

fn short() -> Tuning {
    Tuning { prefix: 0, branch: 2, repetitions: 20, hangs_after: Duration::from_secs(5), ..Tuning::default() }
}

/// A property whose branches call one function.
macro_rules! awkward {
    ($name:ident, $branches:literal, $act:expr) => {
        mod $name {
            use super::*;

            #[derive(Debug, Default)]
            struct Shared(System);

            impl Shared {
                fn act(&self) {
                    let act: fn(&System) = $act;
                    act(&self.0);
                }
            }

            forall::machine! {
                spec Acts for shared Shared = Shared::default(), like Anything = Anything;
                tuning short();
                fn act();
            }

            #[forall::test(tests = 5)]
            #[ignore = "run by `cargo forall race`"]
            fn $name(program: Parallel<Acts, $branches>) -> Outcome {
                program.check()
            }
        }
    };
}

awkward!(a_loop_without_end, 2, |_| loop {
    std::hint::spin_loop();
});

awkward!(a_loop_that_stores_without_end, 2, |system| loop {
    system.count.fetch_add(1, SeqCst);
});

awkward!(a_spin_lock, 2, |system| {
    while system.held.compare_exchange(false, true, SeqCst, SeqCst).is_err() {
        std::hint::spin_loop();
    }
    system.count.store(system.count.load(SeqCst) + 1, SeqCst);
    system.held.store(false, SeqCst);
});

awkward!(a_spin_lock_that_is_never_released, 2, |system| { while system.held.swap(true, SeqCst) {} });

awkward!(a_wait_for_the_clock, 2, |_| {
    let began = Instant::now();
    while began.elapsed() < Duration::from_millis(2) {}
    std::thread::sleep(Duration::from_secs(3600));
    assert!(began.elapsed() >= Duration::from_secs(3600));
});

unsafe extern "C" {
    fn signal(number: c_int, handler: extern "C" fn(c_int)) -> usize;
    fn raise(number: c_int) -> c_int;
}

static SIGNALS: AtomicU32 = AtomicU32::new(0);

extern "C" fn on_signal(_: c_int) {
    SIGNALS.fetch_add(1, SeqCst);
}

awkward!(a_signal_handler, 2, |_| {
    const SIGUSR1: c_int = 10;
    let before = SIGNALS.load(SeqCst);
    // SAFETY: the handler changes an atomic, which signal handlers may.
    unsafe {
        signal(SIGUSR1, on_signal);
        raise(SIGUSR1);
    }
    assert!(SIGNALS.load(SeqCst) > before);
});

awkward!(a_child_process, 2, |_| {
    assert!(std::process::Command::new("true").status().is_ok_and(|status| status.success()));
});

awkward!(a_panic_with_a_lock_held, 2, |system| {
    let mut guarded = system.guarded.lock().unwrap();
    *guarded += 1;
    assert!(*guarded < 2, "two were here");
});

awkward!(a_thread_that_outlives_the_test, 2, |system| {
    let (sender, receiver) = mpsc::channel::<()>();
    let count = Arc::clone(&system.count);
    std::thread::spawn(move || {
        count.fetch_add(1, SeqCst);
        let _ = receiver.recv();
    });
    std::mem::forget(sender);
});

/// Counts when it is dropped.
struct Counts(Arc<AtomicU32>);

impl Drop for Counts {
    fn drop(&mut self) {
        self.0.fetch_add(1, SeqCst);
    }
}

thread_local! {
    static COUNTS: RefCell<Option<Counts>> = const { RefCell::new(None) };
}

awkward!(a_thread_local_destructor, 2, |system| {
    let count = Arc::clone(&system.count);
    let before = count.load(SeqCst);
    let set = move || COUNTS.with(|counts| *counts.borrow_mut() = Some(Counts(count)));
    std::thread::spawn(set).join().unwrap();
    assert!(system.count.load(SeqCst) > before);
});

awkward!(a_library_without_hooks, 2, |system| {
    // The lock of the standard error is one of the standard library, which is not instrumented.
    let mut out = std::io::stderr().lock();
    let _ = out.write_all(b"");
    system.count.fetch_add(1, SeqCst);
});

awkward!(many_branches, 64, |system| {
    *system.guarded.lock().unwrap() += 1;
});
