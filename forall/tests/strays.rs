//! Threads that a property starts and does not join. Alone in their binary: panics of threads are the whole process'.

use forall::prelude::*;
use forall::run::{Report, Run, Settings, Store, Verdict};
use std::thread;

/// Runs a property whose tests start a thread each, and wait until it has ended.
fn run(body: impl Fn(u8) + Clone + Send + 'static) -> Report {
    let property = property! {
        forall n: u8;
        check { let (body, n) = (body.clone(), *n); let _ = thread::spawn(move || body(n)).join(); }
    };
    Run::new("threads", &property).settings(Settings::new().seed(1).store(Store::Off)).report()
}

#[test]
fn a_property_that_passes_although_its_threads_panic_is_told_so_once() {
    let report = run(|n| assert!(n < 254, "{n} is too much"));
    assert_eq!(report.verdict, Verdict::Exhausted { inputs: 256, at_size: None });
    let [warning] = &report.warnings[..] else { panic!("{:?}", report.warnings) };
    let warning = warning.replace(&format!(", at {}", file!()), " at [place]");
    let expected = "Threads that no test joined panicked 2 times while the property ran, the last: 255 is too much at [place]:18:26
The property passed all the same. Of threads that it starts, `unwrap` in the body what `join` returns; those that are to panic may call \
`enter` on `forall::context()`. Others are another test's.";
    assert_eq!(warning, expected);
    assert_eq!(run(|_| ()).warnings, [""; 0], "it was told");
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
