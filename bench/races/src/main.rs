//! The classical races of `examples/machines` with other tools: `bench-races TOOL CASE SEED SECONDS` prints the number of schedules until
//! the race showed, or `none` and the number of schedules that were tried.
//!
//! The tools are `threads` (real threads, the code as it is), `shuttle-random`, `shuttle-pct` and `loom` (ported code). Their programs are
//! fixed, the smallest ones that fail; forall has to find the program as well.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::time::{Duration, Instant};

mod with_threads {
    use std::{sync, thread};
    include!("ported.rs");
}

mod with_loom {
    use loom::{sync, thread};
    include!("ported.rs");
}

mod with_shuttle {
    use shuttle::{sync, thread};
    include!("ported.rs");
}

/// The number of schedules so far.
static SCHEDULES: AtomicU64 = AtomicU64::new(0);

/// More than any tool tries in the time it gets.
const MOST: usize = 100_000_000;

/// PCT lowers a priority at this many points, as forall does at most.
const DEPTH: usize = 3;

/// A round of real threads that takes longer has come to a deadlock.
const DEADLOCK: Duration = Duration::from_secs(2);

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [tool, case, seed, seconds] = &arguments[..] else {
        eprintln!("usage: bench-races TOOL CASE SEED SECONDS");
        std::process::exit(2);
    };
    let seed = seed.parse().expect("the seed is a number");
    let until = Instant::now() + Duration::from_secs(seconds.parse().expect("the time is a number"));
    std::panic::set_hook(Box::new(|_| {}));
    let found = match tool.as_str() {
        "threads" => on_threads(with_threads::program(case), until),
        "shuttle-random" => {
            let scheduler = shuttle::scheduler::RandomScheduler::new_from_seed(seed, MOST);
            by_shuttle(scheduler, with_shuttle::program(case), until)
        }
        "shuttle-pct" => {
            let scheduler = shuttle::scheduler::PctScheduler::new_from_seed(seed, DEPTH, MOST);
            by_shuttle(scheduler, with_shuttle::program(case), until)
        }
        "loom" => by_loom(with_loom::program(case), until),
        _ => {
            eprintln!("no tool is called {tool}: use threads, shuttle-random, shuttle-pct or loom");
            std::process::exit(2);
        }
    };
    let schedules = SCHEDULES.load(Ordering::Relaxed);
    println!("{}{schedules}", if found { "" } else { "none " });
    // Threads in a deadlock are left behind.
    std::process::exit(0);
}

fn count(until: Instant) {
    SCHEDULES.fetch_add(1, Ordering::Relaxed);
    if Instant::now() > until {
        SCHEDULES.fetch_sub(1, Ordering::Relaxed);
        println!("none {}", SCHEDULES.load(Ordering::Relaxed));
        std::process::exit(0);
    }
}

fn on_threads(program: fn(), until: Instant) -> bool {
    while Instant::now() < until {
        SCHEDULES.fetch_add(1, Ordering::Relaxed);
        let (sender, receiver) = mpsc::channel();
        std::thread::spawn(move || sender.send(catch_unwind(program).is_ok()));
        match receiver.recv_timeout(DEADLOCK) {
            Ok(true) => {}
            Ok(false) | Err(RecvTimeoutError::Timeout | RecvTimeoutError::Disconnected) => return true,
        }
    }
    false
}

fn by_shuttle(scheduler: impl shuttle::scheduler::Scheduler + 'static, program: fn(), until: Instant) -> bool {
    let mut config = shuttle::Config::new();
    config.failure_persistence = shuttle::FailurePersistence::None;
    let runner = shuttle::Runner::new(scheduler, config);
    catch_unwind(AssertUnwindSafe(|| {
        runner.run(move || {
            count(until);
            program();
        })
    }))
    .is_err()
}

fn by_loom(program: fn(), until: Instant) -> bool {
    catch_unwind(AssertUnwindSafe(|| {
        loom::model::Builder::new().check(move || {
            count(until);
            program();
        });
    }))
    .is_err()
}
