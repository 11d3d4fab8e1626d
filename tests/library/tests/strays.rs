//! Threads that a property starts and does not join. Alone in their binary, and one after the other: panics of threads are
//! the whole process'.

use forall::generate::any;
use forall::prelude::*;
use forall::property::{Empty, Telescope};
use forall::run::{Identity, Report, Run, Settings, Store, Verdict};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::thread;

/// While a test has this, no other runs.
fn alone() -> MutexGuard<'static, ()> {
    static ALONE: Mutex<()> = Mutex::new(());
    ALONE.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Runs a property whose tests start a thread each, and wait until it has ended.
fn run(body: impl Fn(u8) + Clone + Send + 'static) -> Report {
    let property = property! {
        forall n: u8;
        check { let (body, n) = (body.clone(), *n); let _ = thread::spawn(move || body(n)).join(); }
    };
    Run::new("threads", &property).settings(Settings::new().seed(1).store(Store::Off)).report()
}

#[test]
fn a_property_that_passes_although_its_threads_panic_warns_once() {
    let _alone = alone();
    let report = run(|n| assert!(n < 254, "{n} is too much"));
    assert_eq!(report.verdict, Verdict::Exhausted { inputs: 256, at_size: None });
    let [warning] = &report.warnings[..] else { panic!("{:?}", report.warnings) };
    let warning = warning.to_string().replace(&format!(", at {}", file!()), " at [place]");
    let expected = "Threads that belong to no test panicked 2 times while the property ran, the last: 255 is too much at [place]:29:26
The property passed nevertheless. If the property started the thread, `unwrap` the result of its `join` in the body; threads that panic on purpose may call `enter` on `forall::context()`. Otherwise the thread belongs to another test.";
    assert_eq!(warning, expected);
    assert_eq!(run(|_| ()).warnings, [], "it was told");
    // Those that join the test belong to it.
    let property = property! {
        forall n: u8;
        check {
            let (context, n) = (forall::context(), *n);
            let _ = thread::spawn(move || context.enter(|| assert!(n < 254))).join();
        }
    };
    let report = Run::new("joined", &property).settings(Settings::new().seed(1).store(Store::Off)).report();
    assert_eq!((report.verdict.is_success(), &report.warnings[..]), (true, &[][..]));
}

#[test]
fn a_resumed_panic_of_a_joined_thread_is_the_failure_of_its_test() {
    let _alone = alone();
    let property = property! {
        forall n in 0..1000u32;
        check thread::scope(|scope| {
            scope.spawn(|| assert!(*n < 500, "half of them")).join().map_err(std::panic::resume_unwind).ok();
        })
    };
    for threads in [1, 3] {
        let settings = Settings::new().seed(7).threads(threads).explain(0).store(Store::Off);
        let report = Run::named_parallel(Identity::new("resumed"), &property).settings(settings).report();
        let found = report.counterexample.unwrap();
        assert_eq!(found.bindings[0].printed.debug.as_deref(), Some("500"), "{threads} threads");
        assert_eq!(found.failure.message, "half of them");
    }
}

#[test]
fn an_assumption_in_a_thread_that_did_not_join_is_reported_with_location_and_advice() {
    let _alone = alone();
    let property = Empty.forall("n", |(), s| s.draw(any::<u64>())).check(|(n, ())| {
        thread::scope(|scope| {
            scope.spawn(|| forall::assume!(*n > 5));
        });
    });
    let report = Run::new("astray", &property).settings(Settings::new().seed(1).store(Store::Off)).report();
    let found = report.counterexample.unwrap();
    assert_eq!(found.bindings[0].printed.debug.as_deref(), Some("0"));
    let notes = found.notes.join("\n");
    assert!(notes.contains("assumption does not hold: *n > 5") && notes.contains("test.enter("), "{notes}");
    assert!(notes.contains(file!()), "{notes}");
}

#[test]
fn panics_of_threads_without_a_test_are_reported() {
    let _alone = alone();
    let property = property! { forall n: u64; check *n < 10 || thread::spawn(|| panic!("astray")).join().is_ok() };
    let told = |settings: Settings| {
        let report = Run::new("strays", &property).settings(settings.seed(1).explain(0).store(Store::Off)).report();
        let text = format!("{report:?}");
        (text.contains("meanwhile, threads that belong to no test panicked, the last with: astray, at "), text)
    };
    let (is_told, text) = told(Settings::new());
    assert!(is_told, "{text}");
    // Of one thread, whenever that is.
    let once = |when: u32| {
        let calls = std::sync::atomic::AtomicU32::new(0);
        let property = property! { forall n: u64; check {
            if *n >= 10 && calls.fetch_add(1, std::sync::atomic::Ordering::Relaxed) == when {
                let _ = thread::spawn(|| panic!("astray")).join();
            }
            *n < 10
        } };
        let settings = Settings::new().seed(1).explain(0).store(Store::Off);
        let text = format!("{:?}", Run::new("strays", &property).settings(settings).report());
        text.contains("meanwhile, a thread that belongs to no test panicked: astray, at ")
    };
    assert!((1..10).any(once));
}
