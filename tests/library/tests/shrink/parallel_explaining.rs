//! Explanations are the same on any number of threads, and slow tests are explained on all of them.

use forall::explain::Explanation;
use forall::prelude::*;
use forall::property::Property;
use forall::run::{Identity, Run, Settings, Store};
use std::collections::BTreeSet;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::sleep;
use std::time::Duration;

/// Long enough to be handed to other threads, and far from where slower tests get fewer runs.
const SLOW: Duration = Duration::from_micros(400);

/// With fewer runs than usual: each takes time.
fn explained(property: &(dyn Property + Sync), threads: usize) -> Explanation {
    let settings = Settings::new().seed(7).threads(threads).store(Store::Off).explain(1000);
    let report = Run::named_parallel(Identity::new("explained"), property).settings(settings).report();
    report.counterexample.expect("it fails").explanation
}

/// Whether this thread is one of those that explain.
fn is_helper() -> bool {
    std::thread::current().name().is_some_and(|name| name.starts_with("forall-explain"))
}

/// The threads that ran tests.
#[derive(Default)]
struct Helpers(Mutex<BTreeSet<String>>);

impl Helpers {
    fn note(&self) {
        if is_helper() {
            self.0.lock().unwrap().insert(std::thread::current().name().unwrap_or_default().to_owned());
        }
    }

    fn take(&self) -> usize {
        std::mem::take(&mut *self.0.lock().unwrap()).len()
    }
}

fn same_on_any_number(property: &(dyn Property + Sync), helpers: &Helpers) -> Explanation {
    let alone = explained(property, 1);
    assert_eq!(helpers.take(), 0);
    for threads in [2, 3, 8] {
        let mut other = explained(property, threads);
        // Properties of other tests may use some of the cores.
        let helped = helpers.take();
        assert!((2..=threads).contains(&helped), "{helped} of {threads} threads explain");
        other.time = alone.time;
        assert_eq!(other, alone, "{threads} threads");
    }
    alone
}

#[test]
fn parts_of_a_list_are_explained_the_same_way() {
    let helpers = Helpers::default();
    let property = property! {
        forall xs: Vec<u16>;
        check {
            helpers.note();
            sleep(SLOW);
            !(xs.len() > 3 && xs.iter().any(|x| *x > 1000))
        }
    };
    let claims: Vec<String> = same_on_any_number(&property, &helpers).claims.iter().map(ToString::to_string).collect();
    assert!(claims[0].ends_with("of the form vec![_, _, _, 1001, ..]"), "{claims:?}");
}

#[test]
fn related_variables_are_explained_the_same_way() {
    let helpers = Helpers::default();
    let property = property! {
        forall a: u32;
        forall b: u32;
        forall flag: bool;
        check {
            helpers.note();
            sleep(SLOW);
            let _ = flag;
            a <= b
        }
    };
    let claims: Vec<String> = same_on_any_number(&property, &helpers).claims.iter().map(ToString::to_string).collect();
    assert!(claims.iter().any(|claim| claim.contains("a > b")), "{claims:?}");
}

#[test]
fn quick_tests_are_explained_on_the_calling_thread() {
    let helpers = Helpers::default();
    let property = property! {
        forall n: u32;
        check {
            helpers.note();
            *n < 1000
        }
    };
    let alone = explained(&property, 1);
    // A busy machine may interrupt tests long enough to make them look slow.
    let all_on_the_calling_thread = (0..20).any(|_| {
        let mut other = explained(&property, 4);
        other.time = alone.time;
        assert_eq!(other, alone);
        helpers.take() == 0
    });
    assert!(all_on_the_calling_thread);
}

#[test]
fn failures_on_helper_threads_only_are_not_evidence() {
    let raced = AtomicBool::new(false);
    let property = property! {
        forall n: u32;
        check {
            sleep(SLOW);
            raced.fetch_or(is_helper(), Ordering::Relaxed);
            assert!(*n < 1000 && !is_helper(), "too large");
        }
    };
    let alone = explained(&property, 1);
    let mut other = explained(&property, 4);
    assert!(raced.load(Ordering::Relaxed), "other threads explained first");
    other.time = alone.time;
    assert_eq!(other, alone);
    assert!(alone.claims[0].to_string().contains("n >= 1000"), "{}", alone.claims[0]);
}

#[test]
fn slow_tests_have_fewer_runs_and_the_report_notes_it() {
    let property = property! {
        forall n: u32;
        check {
            sleep(Duration::from_millis(20));
            *n < 1000
        }
    };
    let settings = Settings::new().seed(7).threads(8).store(Store::Off);
    let report = Run::named_parallel(Identity::new("slow"), &property).settings(settings).report();
    let found = report.counterexample.unwrap();
    assert!(found.explanation.evaluations <= 150, "{}", found.explanation.evaluations);
    let caveats: Vec<String> = found.caveats.iter().map(ToString::to_string).collect();
    assert!(caveats.iter().any(|caveat| caveat.starts_with("explanation limited to ")), "{caveats:?}");
}
