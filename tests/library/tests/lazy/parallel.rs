//! A search on several threads.

use forall::lazy::{Lazy, List};
use forall::prelude::*;
use forall::property::Property;
use forall::run::{Report, Run, Settings, Store, Verdict};

fn run<P: Property + Sync>(property: &P, threads: usize, depth: u32) -> Report {
    let settings = Settings::new().seed(1).store(Store::Off).runner("exhaustive").threads(threads).depth(depth);
    Run::parallel("parallel", property).settings(settings.evaluations(1_000_000)).report()
}

fn shown(report: &Report) -> Vec<&str> {
    let found = report.counterexample.as_ref().expect("a counterexample");
    found.bindings.iter().filter_map(|binding| binding.printed.debug.as_deref()).collect()
}

#[test]
fn a_search_that_finds_nothing_makes_the_same_evaluations() {
    let property = property! { forall xs: Lazy<List<u8>>; check xs.iter().map(|x| u32::from(**x)).sum::<u32>() < 1000 };
    let (one, three) = (run(&property, 1, 8), run(&property, 3, 8));
    assert_eq!((one.verdict, &one.searched), (Verdict::Passed, &three.searched));
    assert!(one.searched[8].evaluations > 6 * 16384, "enough to be cut: {:?}", one.searched[8]);
}

#[test]
fn the_counterexample_is_that_of_one_thread() {
    // There are many counterexamples, and the first of them is far from the first path.
    let property = property! {
        forall xs: Lazy<List<u8>>;
        check { let sum: u32 = xs.iter().map(|x| u32::from(**x)).sum(); !(xs.len() == 8 && sum > 20 && sum % 7 == 6) }
    };
    let one = run(&property, 1, 8);
    assert!(one.searched[8].evaluations > 2 * 16384, "it is found while several are searching: {:?}", one.searched[8]);
    for threads in [2, 3, 5] {
        let several = run(&property, threads, 8);
        assert_eq!((several.verdict.clone(), shown(&several)), (Verdict::Failed, shown(&one)));
        let claims = |report: &Report| report.counterexample.as_ref().map(|found| found.explanation.claims.clone());
        assert_eq!(claims(&several), claims(&one));
    }
}

#[test]
fn quantifiers_inside_are_searched_on_the_thread_that_needs_them() {
    let property = property! { forall xs: Lazy<List<u8>>; exists n: u8; check xs.iter().all(|x| **x <= *n) };
    let (one, two) = (run(&property, 1, 6), run(&property, 2, 6));
    assert_eq!((one.verdict, one.searched), (Verdict::Passed, two.searched));
}

#[test]
fn the_evaluation_limit_is_respected() {
    use std::sync::atomic::{AtomicU64, Ordering};
    let made = AtomicU64::new(0);
    let property = property! {
        forall xs: Lazy<List<u8>>;
        check { made.fetch_add(1, Ordering::Relaxed); xs.iter().map(|x| u32::from(**x)).sum::<u32>() < 1000 }
    };
    for threads in [1, 3] {
        made.store(0, Ordering::Relaxed);
        let settings = Settings::new().seed(1).store(Store::Off).runner("exhaustive").threads(threads).depth(9);
        let report = Run::parallel("limited", &property).settings(settings.evaluations(40_000)).report();
        let told: u64 = report.searched.iter().map(|depth| depth.evaluations).sum();
        assert_eq!((report.verdict, told), (Verdict::Passed, made.load(Ordering::Relaxed)));
        // Blocks that another thread claimed but did not need may remain.
        assert!((40_000 - 512 * threads as u64..=40_000).contains(&told), "{told} on {threads} threads");
    }
}

#[test]
fn a_search_that_fails_reports_the_evaluations_of_one_thread() {
    let property = property! {
        forall xs: Lazy<List<u8>>;
        check { let sum: u32 = xs.iter().map(|x| u32::from(**x)).sum(); label!("{}", if sum > 9 { "large" } else { "small" }); assume!(sum % 3 != 1); !(xs.len() == 8 && sum > 20 && sum % 7 == 6) }
    };
    let one = run(&property, 1, 8);
    assert!(one.searched[8].evaluations > 2 * 16384, "it is found while several are searching: {:?}", one.searched[8]);
    for threads in [2, 4, 8] {
        let several = run(&property, threads, 8);
        assert_eq!((several.verdict, &several.searched), (Verdict::Failed, &one.searched));
        assert_eq!(several.statistics, one.statistics);
    }
}

#[test]
fn faults_after_the_counterexample_are_ignored() {
    fn ones() -> Lazy<List<u8>> {
        Lazy::defer(|| List::Cons(Lazy::new(1), ones()))
    }
    // The last paths do not terminate; an earlier one fails.
    let property = property! {
        forall first: bool;
        forall xs: Lazy<List<u8>>;
        check {
            let sum: u32 = xs.iter().map(|x| u32::from(**x)).sum();
            if *first && xs.len() == 7 && sum == 21 { ones().len() > 1 } else { *first || xs.len() < 7 || sum < 19 }
        }
    };
    for threads in [1, 2, 8] {
        assert_eq!(run(&property, threads, 7).verdict, Verdict::Failed, "{threads} threads");
    }
}
