//! Code that is hard to schedule: it spins, forks, reads the clock, blocks in the kernel or leaves threads behind. `cargo forall race`
//! reports each or runs it to its end; those whose names begin with `uses_` pass under its control. Plain `cargo test` skips them: on
//! real threads some never end.

use forall::machine::{Parallel, Tuning};
use forall::property::Outcome;
use std::cell::RefCell;
use std::ffi::c_int;
use std::io::Write;
use std::sync::atomic::Ordering::SeqCst;
use std::sync::atomic::{AtomicBool, AtomicU32};
use std::sync::{Arc, Barrier, Condvar, Mutex, OnceLock, RwLock, mpsc};
use std::thread;
use std::time::{Duration, Instant, SystemTime};

/// The state shared by the commands.
#[derive(Debug, Default)]
struct System {
    count: Arc<AtomicU32>,
    held: AtomicBool,
    guarded: Mutex<u32>,
    shared: RwLock<[u32; 2]>,
    once: OnceLock<()>,
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

/// The function that commands of the next system call.
static ACT: Mutex<fn(&System)> = Mutex::new(|_| ());

/// A state, and the function of the property that runs. Properties run one at a time, and share the code of one specification: it
/// is compiled once, not for each of them.
#[derive(Debug)]
struct Shared {
    system: System,
    act: fn(&System),
}

impl Default for Shared {
    fn default() -> Self {
        Self { system: System::default(), act: *ACT.lock().unwrap() }
    }
}

impl Shared {
    fn act(&self) {
        (self.act)(&self.system);
    }
}

forall::machine! {
    spec Acts for shared Shared = Shared::default(), like Anything = Anything;
    tuning short();
    fn act();
}

/// A property whose branches call one function.
macro_rules! awkward {
    ($name:ident, $branches:literal, $act:expr) => {
        mod $name {
            use super::*;

            #[forall::test(tests = 5)]
            #[ignore = "run by `cargo forall race`"]
            fn $name(program: Parallel<Acts, $branches>) -> Outcome {
                let act: fn(&System) = $act;
                *ACT.lock().unwrap() = act;
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
    thread::sleep(Duration::from_secs(3600));
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

unsafe extern "C" {
    fn fork() -> c_int;
    fn waitpid(process: c_int, status: *mut c_int, options: c_int) -> c_int;
    fn _exit(status: c_int) -> !;
}

awkward!(a_fork, 2, |system| {
    let before = system.count.load(SeqCst);
    // SAFETY: the child changes an atomic of its own copy and exits.
    let child = unsafe { fork() };
    if child == 0 {
        system.count.store(before + 1, SeqCst);
        // SAFETY: nothing of the child is used any more.
        unsafe { _exit(i32::from(system.count.load(SeqCst) != before + 1)) };
    }
    let mut status = 1;
    // SAFETY: the status can be written to.
    assert_eq!(unsafe { waitpid(child, &raw mut status, 0) }, child);
    assert_eq!((status, system.count.load(SeqCst)), (0, before));
});

mod a_pool_in_the_constructor {
    use super::*;

    /// A thread that counts its requests, started with the system.
    #[derive(Debug)]
    struct Pool(Mutex<mpsc::Sender<mpsc::Sender<usize>>>);

    impl Default for Pool {
        fn default() -> Self {
            let (sender, requests) = mpsc::channel::<mpsc::Sender<usize>>();
            thread::spawn(move || {
                for (number, reply) in requests.iter().enumerate() {
                    let _ = reply.send(number);
                }
            });
            Self(Mutex::new(sender))
        }
    }

    impl Pool {
        fn act(&self) {
            let (reply, answer) = mpsc::channel();
            self.0.lock().unwrap().send(reply).unwrap();
            answer.recv().unwrap();
        }
    }

    forall::machine! {
        spec Asks for shared Pool = Pool::default(), like Anything = Anything;
        tuning short();
        fn act();
    }

    #[forall::test(tests = 5)]
    #[ignore = "run by `cargo forall race`"]
    fn a_pool_in_the_constructor(program: Parallel<Asks>) -> Outcome {
        program.check()
    }
}

static HAS_FAILED: AtomicBool = AtomicBool::new(false);

awkward!(a_failure_that_does_not_repeat, 2, |_| {
    assert!(HAS_FAILED.swap(true, SeqCst), "the first call fails");
});

static CALLS: AtomicU32 = AtomicU32::new(0);

awkward!(a_failure_that_nearly_always_repeats, 2, |_| {
    assert!(CALLS.fetch_add(1, SeqCst) % 7 == 6, "six calls in seven fail");
});

awkward!(uses_park, 2, |_| {
    let parked = thread::spawn(thread::park);
    parked.thread().unpark();
    parked.join().unwrap();
});

awkward!(uses_a_channel, 2, |_| {
    let (sender, receiver) = mpsc::sync_channel(1);
    let sends = thread::spawn(move || (0..3).for_each(|number| sender.send(number).unwrap()));
    assert_eq!(receiver.iter().collect::<Vec<u32>>(), [0, 1, 2]);
    sends.join().unwrap();
});

awkward!(uses_scoped_threads, 2, |system| {
    let before = system.count.load(SeqCst);
    thread::scope(|scope| {
        for _ in 0..2 {
            scope.spawn(|| system.count.fetch_add(1, SeqCst));
        }
    });
    assert!(system.count.load(SeqCst) >= before + 2);
});

awkward!(uses_once, 2, |system| {
    system.once.get_or_init(|| {
        thread::yield_now();
        system.count.fetch_add(1, SeqCst);
    });
    assert_eq!(system.count.load(SeqCst), 1);
});

awkward!(uses_a_barrier, 2, |system| {
    let (barrier, count) = (Arc::new(Barrier::new(2)), Arc::clone(&system.count));
    let before = count.load(SeqCst);
    let other = Arc::clone(&barrier);
    let meets = thread::spawn(move || {
        count.fetch_add(1, SeqCst);
        other.wait();
    });
    barrier.wait();
    assert!(system.count.load(SeqCst) > before);
    meets.join().unwrap();
});

awkward!(uses_a_read_write_lock, 2, |system| {
    {
        let shared = system.shared.read().unwrap();
        assert_eq!(shared[0], shared[1]);
    }
    let mut shared = system.shared.write().unwrap();
    shared[0] += 1;
    thread::yield_now();
    shared[1] += 1;
});

awkward!(a_panic_with_a_lock_held, 2, |system| {
    let mut guarded = system.guarded.lock().unwrap();
    *guarded += 1;
    assert!(*guarded < 2, "two were here");
});

awkward!(a_thread_that_outlives_the_test, 2, |system| {
    let (sender, receiver) = mpsc::channel::<()>();
    let count = Arc::clone(&system.count);
    thread::spawn(move || {
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
    thread::spawn(set).join().unwrap();
    assert!(system.count.load(SeqCst) > before);
});

awkward!(a_library_without_hooks, 2, |system| {
    // The lock of the standard error is one of the standard library, which is not instrumented.
    let mut out = std::io::stderr().lock();
    let _ = out.write_all(b"");
    system.count.fetch_add(1, SeqCst);
});

mod a_prefix_that_waits_for_ever {
    use super::*;

    /// A gate that no thread opens.
    #[derive(Debug, Default)]
    struct Gate(Mutex<bool>, Condvar);

    impl Gate {
        fn act(&self) {
            drop(self.1.wait_while(self.0.lock().unwrap(), |open| !*open).unwrap());
        }
    }

    forall::machine! {
        spec Gates for shared Gate = Gate::default(), like Anything = Anything;
        tuning short();
        fn act();
    }

    #[forall::test]
    #[ignore = "run by `cargo forall race`"]
    fn a_prefix_that_waits_for_ever() -> Outcome {
        Parallel::<Gates>::of(vec![Gates::act()], vec![vec![Gates::act()], vec![]]).check()
    }
}

mod clocks_that_go_forwards {
    use super::*;

    /// Reads clocks when it is created, in the prefix and in the branches.
    #[derive(Debug)]
    struct Clocks(Mutex<(Instant, SystemTime)>);

    impl Default for Clocks {
        fn default() -> Self {
            Self(Mutex::new((Instant::now(), SystemTime::now())))
        }
    }

    impl Clocks {
        fn act(&self) {
            thread::sleep(Duration::from_secs(60));
            let mut last = self.0.lock().unwrap();
            let now = (Instant::now(), SystemTime::now());
            assert!(now.0 >= last.0 && now.1 >= last.1, "time goes backwards");
            *last = now;
        }
    }

    forall::machine! {
        spec Reads for shared Clocks = Clocks::default(), like Anything = Anything;
        tuning short();
        fn act();
    }

    #[forall::test]
    #[ignore = "run by `cargo forall race`"]
    fn clocks_that_go_forwards() -> Outcome {
        Parallel::<Reads>::of(vec![Reads::act()], vec![vec![Reads::act()], vec![Reads::act()]]).check()
    }
}

awkward!(many_branches, 64, |system| {
    *system.guarded.lock().unwrap() += 1;
});
