//! Shrinking on several threads ends with the same result in the same steps as on one, sooner.

#[path = "../support/after_two.rs"]
mod after_two;

use after_two::AfterTwo;
use forall::prelude::*;
use forall::property::Property;
use forall::run::{Cancel, Counterexample, Event, Identity, Observer, Report, Run, Settings, ShrinkOn, Store, Verdict};
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::thread::{available_parallelism, scope, sleep};
use std::time::{Duration, Instant};

/// Long enough to be handed to other threads.
const SLOW: Duration = Duration::from_micros(400);

fn settings(threads: usize) -> Settings {
    Settings::new().seed(7).threads(threads).store(Store::Off).explain(0)
}

fn report(property: &(dyn Property + Sync), settings: Settings) -> Report {
    Run::named_parallel(Identity::new("shrinking"), property).settings(settings).report()
}

fn found(property: &(dyn Property + Sync), settings: Settings) -> Counterexample {
    report(property, settings).counterexample.expect("it fails")
}

/// Observes each test, so tests run on one thread. Candidates do not.
struct Observing;

impl Observer for Observing {
    fn event(&mut self, _: &Event<'_>) {}

    fn wants_tests(&self) -> bool {
        true
    }
}

/// Everything that is known of a counterexample, but what chance has a part in.
fn without_chance(mut found: Counterexample) -> String {
    found.repeats = 0;
    let shrinking = &mut found.shrinking;
    (shrinking.time, shrinking.handed_over, shrinking.wasted) = (Duration::ZERO, 0, 0);
    for other in &mut found.others {
        other.repeats = 0;
        let shrinking = &mut other.shrinking;
        (shrinking.time, shrinking.handed_over, shrinking.wasted) = (Duration::ZERO, 0, 0);
    }
    format!("{found:#?}")
}

/// Checks that several threads come to the same counterexample by the same way, and that they were at work.
fn same_on_any_number(property: &(dyn Property + Sync), base: &Settings) -> String {
    let alone = without_chance(found(property, base.clone().threads(1)));
    for threads in [2, 3, 8] {
        let found = found(property, base.clone().threads(threads));
        assert!(found.shrinking.handed_over * 2 > found.shrinking.evaluations, "{:?}", found.shrinking);
        assert_eq!(without_chance(found), alone, "{threads} threads");
    }
    alone
}

#[test]
fn choices_are_shrunk_the_same_way() {
    let property = property! {
        forall xss: Vec<Vec<u32>>;
        check {
            sleep(SLOW);
            xss.iter().map(|xs| xs.iter().filter(|&&x| x > 1000).count()).sum::<usize>() < 4
        }
    };
    let text = same_on_any_number(&property, &settings(1));
    assert!(text.contains("1001"), "{text}");
}

#[test]
fn panics_discards_and_other_bugs_are_met_in_the_same_order() {
    let property = property! {
        forall a in 0..10_000u32;
        forall b: Vec<u16>;
        implies a % 7 != 3;
        check {
            sleep(SLOW);
            assume!(a % 11 != 5 && b.len() != 1);
            assert!(*a < 500, "too large");
            assert!(*a < 100 || a % 2 == 0, "odd");
        }
    };
    let text = same_on_any_number(&property, &settings(1).tests(1000));
    assert!(text.contains("odd") && text.contains("too large"), "{text}");
}

#[test]
fn values_are_shrunk_the_same_way_on_them_and_on_both() {
    let property = property! {
        forall pairs: Vec<(u8, bool)>, shrink Arbitrary::shrink;
        forall n: u16;
        check {
            sleep(SLOW);
            pairs.iter().filter(|(byte, flag)| *byte > 100 && *flag).count() < 2 || *n < 9
        }
    };
    for on in [ShrinkOn::Values, ShrinkOn::Both, ShrinkOn::Choices] {
        same_on_any_number(&property, &settings(1).shrink_on(on));
    }
}

/// A stack whose fourth element gets lost, and a model of it. Its commands take their time.
mod stack {
    #[derive(Clone, Default)]
    pub struct Model(Vec<u8>);

    impl Model {
        pub fn push(&mut self, value: u8) {
            self.0.push(value);
        }

        pub fn pop(&mut self) -> Option<u8> {
            self.0.pop()
        }
    }

    #[derive(Default)]
    pub struct System(Vec<u8>);

    impl System {
        pub fn push(&mut self, value: u8) {
            std::thread::sleep(std::time::Duration::from_micros(100));
            if self.0.len() != 3 {
                self.0.push(value);
            }
        }

        pub fn pop(&mut self) -> Option<u8> {
            self.0.pop()
        }
    }

    forall::machine! {
        pub spec Stack for System = System::default(), like Model = Model::default();
        fn push(value: u8) -> ();
        fn pop() -> Option<u8>;
    }
}

#[test]
fn traces_of_state_machines_are_shrunk_the_same_way() {
    use forall::machine::Sequential;
    let property = property! { forall commands: Sequential<stack::Stack>; check commands.check() };
    let text = same_on_any_number(&property, &settings(1).tests(500));
    assert!(text.contains("Stack::push(1), Stack::pop()"), "{text}");
    let found = found(&property, settings(3).tests(500));
    assert!(found.shrinking.handed_over > 0, "candidates are slow enough to be handed over");
}

#[test]
fn fitted_parts_are_predicted() {
    #[derive(Debug, Arbitrary)]
    enum Tree {
        Leaf(u8),
        Node(Box<Tree>, Box<Tree>),
    }
    fn depth(tree: &Tree) -> u32 {
        match tree {
            Tree::Leaf(byte) => u32::from(*byte > 10),
            Tree::Node(left, right) => 1 + depth(left).max(depth(right)),
        }
    }
    let property = property! { forall tree: Tree; check { sleep(SLOW); depth(tree) < 4 } };
    same_on_any_number(&property, &settings(1).tests(2000));
}

#[test]
fn delays_that_shake_the_order_change_nothing() {
    let salt = AtomicU64::new(0);
    let property = property! {
        forall xs: Vec<u16>;
        check {
            let sum = xs.iter().map(|&x| u64::from(x)).sum::<u64>();
            let noise = (sum ^ salt.load(Ordering::Relaxed)).wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 54;
            sleep(SLOW / 2 + Duration::from_micros(noise));
            sum < 5000
        }
    };
    let alone = without_chance(found(&property, settings(1)));
    for round in 1..20u64 {
        salt.store(round, Ordering::Relaxed);
        assert_eq!(without_chance(found(&property, settings(2 + round as usize % 5))), alone, "round {round}");
    }
}

/// Threads of one property that wait for a core must not keep those of another from running.
#[test]
fn more_properties_than_cores_shrink_at_the_same_time() {
    let property = property! {
        forall xs: Vec<u16>;
        check { sleep(SLOW); xs.iter().map(|&x| u64::from(x)).sum::<u64>() < 5000 }
    };
    let alone = without_chance(found(&property, settings(1)));
    let properties = 2 * available_parallelism().map_or(1, usize::from);
    scope(|scope| {
        for _ in 0..properties {
            scope.spawn(|| {
                for threads in [2, 3, 4] {
                    assert_eq!(without_chance(found(&property, settings(threads))), alone, "{threads} threads");
                }
            });
        }
    });
}

#[test]
fn fast_candidates_are_not_handed_over() {
    let property = property! { forall xs: Vec<u16>; check xs.iter().map(|&x| u64::from(x)).sum::<u64>() < 5000 };
    let shrinking = found(&property, settings(4)).shrinking;
    assert!(shrinking.evaluations > 20, "{shrinking:?}");
    assert_eq!((shrinking.handed_over, shrinking.wasted), (0, 0));
}

#[test]
fn slow_candidates_are_evaluated_side_by_side() {
    let (running, most) = (AtomicUsize::new(0), AtomicUsize::new(0));
    let property = property! {
        forall xs: Vec<u16>;
        check {
            most.fetch_max(running.fetch_add(1, Ordering::Relaxed) + 1, Ordering::Relaxed);
            sleep(Duration::from_millis(5));
            running.fetch_sub(1, Ordering::Relaxed);
            xs.iter().map(|&x| u64::from(x)).sum::<u64>() < 100_000
        }
    };
    for threads in [1, 2] {
        let shrinking = found(&property, settings(threads).tests(100)).shrinking;
        assert_eq!(most.swap(0, Ordering::Relaxed), threads);
        // How much faster that is, the benchmarks measure.
        assert_eq!(shrinking.handed_over > shrinking.evaluations / 2, threads == 2, "{shrinking:?}");
    }
}

#[test]
fn limits_hold_as_on_one_thread() {
    let property = property! {
        forall xs: Vec<u16>;
        check {
            sleep(SLOW);
            xs.iter().map(|&x| u64::from(x)).sum::<u64>() < 5000
        }
    };
    let base = settings(1).shrink_evaluations(9);
    let text = same_on_any_number(&property, &base);
    let shrinking = found(&property, base.threads(4)).shrinking;
    assert!(shrinking.cut_short.unwrap().to_string().contains("FORALL_SHRINK_EVALUATIONS"), "{text}");
    let shrinking = found(&property, settings(4).shrink_time("1ms")).shrinking;
    assert!(shrinking.cut_short.unwrap().to_string().contains("FORALL_SHRINK_TIME"));
}

#[test]
fn deadlines_apply_on_workers() {
    let property = property! {
        forall xs: Vec<u8>;
        check sleep(if xs.len() > 5 { Duration::from_millis(60) } else { SLOW })
    };
    let found = found(&property, settings(3).deadline("50ms"));
    assert_eq!(found.failure.kind, forall::property::FailureKind::Deadline);
    assert!(found.bindings[0].printed.text().starts_with("vec![0, 0, 0, 0, 0, 0"), "{:?}", found.bindings);
}

#[test]
fn a_run_that_is_stopped_keeps_the_best_so_far() {
    let property = property! {
        forall xs: Vec<u16>;
        check {
            sleep(SLOW);
            xs.iter().map(|&x| u64::from(x)).sum::<u64>() < 5000
        }
    };
    let cancel = Cancel::new();
    let mut observer = AfterTwo::new(&cancel);
    let run = Run::parallel("stopped", &property).settings(settings(3)).observer(&mut observer).cancelled_by(&cancel);
    let found = run.report().counterexample.unwrap();
    assert_eq!(found.shrinking.accepted, 2);
    assert_eq!(found.shrinking.cut_short.unwrap().to_string(), "when the run was stopped");
}

#[test]
fn a_candidate_may_stop_the_run() {
    let property = property! {
        forall xs: Vec<u16>;
        check {
            sleep(SLOW);
            if xs.len() == 3 { forall::context().cancel(); }
            xs.len() < 3
        }
    };
    let found = found(&property, settings(2));
    assert_eq!(found.shrinking.cut_short.unwrap().to_string(), "when the run was stopped");
}

#[test]
fn cancelled_candidates_stop_at_their_next_checkpoint_and_clean_up() {
    // Candidates that do not fail take long, and those behind one that fails are not waited for.
    let (started, cleaned, ended) = (AtomicU64::new(0), AtomicU64::new(0), AtomicU64::new(0));
    let property = property! {
        forall xs: Vec<u16>;
        check {
            sleep(SLOW);
            let fails = xs.iter().filter(|&&x| x > 100).count() >= 3;
            if !fails {
                started.fetch_add(1, Ordering::SeqCst);
                let clean_up = || { cleaned.fetch_add(1, Ordering::SeqCst); };
                forall::graceful(clean_up, || for _ in 0..20 {
                    forall::checkpoint();
                    sleep(SLOW);
                });
                ended.fetch_add(1, Ordering::SeqCst);
            }
            !fails
        }
    };
    let found = found(&property, settings(3));
    assert_eq!(found.bindings[0].printed.text(), "vec![101, 101, 101]");
    let (started, cleaned, ended) = (started.into_inner(), cleaned.into_inner(), ended.into_inner());
    assert!(cleaned > 0, "{:?}", found.shrinking);
    assert_eq!(started, cleaned + ended);
}

#[test]
fn candidates_have_the_index_of_their_test_and_small_worker_numbers() {
    let index = AtomicU64::new(u64::MAX);
    let wrong = AtomicBool::new(false);
    let property = property! {
        forall xs: Vec<u16>;
        check {
            sleep(SLOW);
            let test = forall::context();
            if xs.len() >= 5 {
                let _ = index.compare_exchange(u64::MAX, test.index(), Ordering::SeqCst, Ordering::SeqCst);
            }
            let shrinking = index.load(Ordering::SeqCst) != u64::MAX;
            // The first test, which passed, is run once more to see whether it still does.
            let other = shrinking && test.index() != index.load(Ordering::SeqCst) && test.index() != 0;
            if other || forall::worker() >= 3 || test.property() != "shrinking" || test.seed() != 7 {
                wrong.store(true, Ordering::SeqCst);
            }
            label!("seen");
            xs.len() < 5
        }
    };
    // Tests are observed one by one, so they run on one thread, and the first that fails is the one that is shrunk.
    let mut observing = Observing;
    let report = Run::parallel("shrinking", &property).settings(settings(3)).observer(&mut observing).report();
    assert!(report.counterexample.unwrap().shrinking.handed_over > 0);
    assert!(!wrong.into_inner());
    assert!(report.statistics.labels["seen"] < 256, "candidates do not count");
}

#[test]
fn a_race_among_candidates_is_reported_as_a_race() {
    let inside = AtomicU64::new(0);
    let property = property! {
        forall xs: Vec<u16>;
        check {
            let others = inside.fetch_add(1, Ordering::SeqCst);
            sleep(Duration::from_millis(1));
            inside.fetch_sub(1, Ordering::SeqCst);
            // Alone, only large inputs fail; concurrently, all do.
            assert!(others == 0 && xs.len() < 20, "it fails");
        }
    };
    let mut observing = Observing;
    let report = Run::parallel("shrinking", &property).settings(settings(3)).observer(&mut observing).report();
    assert_eq!(report.verdict, Verdict::Flaky);
    assert!(
        report.warnings.iter().any(|warning| warning.to_string().contains("races with itself")),
        "{:?}",
        report.warnings
    );
}

#[test]
fn wasted_evaluations_are_counted() {
    let property = property! { forall xs: Vec<u16>; check { sleep(SLOW); xs.len() < 3 } };
    let style = forall::report::Style::plain().verbose(true).width(200);
    let text = forall::report::render(&report(&property, settings(2)), &style);
    assert!(text.contains(" run ahead on other threads, ") && text.contains(" more wasted"), "{text}");
    let started = Instant::now();
    let alone = forall::report::render(&report(&property, settings(1)), &style);
    assert!(!alone.contains(" on other threads"), "{alone} {:?}", started.elapsed());
}
