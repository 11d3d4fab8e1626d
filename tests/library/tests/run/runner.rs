//! The generational runner: its tests, its end, and its messages.

use forall::choice::Source;
use forall::generate::any;
use forall::prelude::property;
use forall::property::{Empty, FailureKind, IntoOutcome, Outcome, Telescope};
use forall::run::{
    Event, Example, Fact, Found, Observer, Report, Run, Schedule, Session, Settings, Statistics, Store, Verdict,
};
use std::cell::{Cell, RefCell};
use std::time::Duration;

fn settings() -> Settings {
    Settings::new().seed(1).store(Store::Off)
}

fn run(property: &dyn forall::property::Property, settings: Settings) -> Report {
    Run::new("runner test", property).settings(settings).report()
}

fn debug_of(report: &Report) -> Vec<String> {
    let bindings = &report.counterexample.as_ref().expect("a counterexample").bindings;
    bindings.iter().map(|binding| binding.printed.debug.clone().unwrap_or_default()).collect()
}

#[test]
fn a_property_that_holds_passes_after_as_many_valid_tests_as_asked_for() {
    let runs = Cell::new(0);
    let property = Empty.forall("n", |(), s| s.draw(any::<u64>())).implies(|(n, ())| n % 2 == 0).check(|_| {
        runs.set(runs.get() + 1);
    });
    let report = run(&property, settings().tests(300));
    assert_eq!(report.verdict, Verdict::Passed);
    assert_eq!((report.statistics.valid, runs.get()), (300, 300));
    assert!(report.statistics.discarded > 50);
}

#[test]
fn a_failure_is_found_and_shrunk() {
    let property = Empty.forall("n", |(), s| s.draw(any::<u64>())).check(|(n, ())| *n < 1000);
    let report = run(&property, settings());
    assert_eq!(report.verdict, Verdict::Failed);
    assert_eq!(debug_of(&report), ["1000"]);
    let found = report.counterexample.unwrap();
    assert_eq!(found.failure.kind, FailureKind::Falsified);
    assert!(matches!(found.found, Found::Random { .. }));
    assert!(found.original.is_some());
}

#[test]
fn the_same_seed_gives_the_same_run() {
    let values = |seed| {
        let seen = RefCell::new(Vec::new());
        let property = Empty
            .forall("n", |(), s| s.draw(any::<i64>()))
            .forall("m", |_, s| (s.size(), s.draw(any::<i8>())))
            .check(|(m, (n, ()))| seen.borrow_mut().push((*n, *m)));
        let report = run(&property, settings().seed(seed));
        assert!(report.verdict.is_success());
        seen.into_inner()
    };
    assert_eq!(values(5), values(5));
    assert_ne!(values(5), values(6));
}

#[test]
fn observing_every_test_does_not_change_the_run() {
    #[derive(Default)]
    struct Tests(Vec<(u64, u32, Outcome)>);
    impl Observer for Tests {
        fn wants_tests(&self) -> bool {
            true
        }
        fn event(&mut self, event: &Event<'_>) {
            if let Event::Tested { index, size, outcome, .. } = event {
                self.0.push((*index, *size, (*outcome).clone()));
            }
        }
    }
    let property = Empty
        .forall("n", |(), s| s.draw(any::<u32>()))
        .implies(|(n, ())| n % 3 != 0)
        .check(|(n, ())| assert!(*n < 1 << 31, "large"));
    let mut tests = Tests::default();
    let watched = Run::new("runner test", &property).settings(settings()).observer(&mut tests).report();
    let plain = run(&property, settings());
    assert_eq!(debug_of(&watched), debug_of(&plain));
    assert_eq!(watched.statistics, plain.statistics);
    let Found::Random { index, size } = plain.counterexample.unwrap().found else { panic!("found at random") };
    assert_eq!(tests.0.len() as u64, index + 1, "every test up to the failing one is told, once");
    let last = tests.0.last().unwrap();
    assert_eq!((last.0, last.1), (index, size));
    assert!(last.2.is_fail());
}

#[test]
fn a_small_domain_is_tested_exhaustively() {
    let seen = RefCell::new(Vec::new());
    let property = Empty.forall("n", |(), s| s.draw(any::<u8>())).check(|(n, ())| seen.borrow_mut().push(*n));
    let report = run(&property, settings());
    assert_eq!(report.verdict, Verdict::Exhausted { inputs: 256, at_size: None });
    assert_eq!(report.statistics.valid, 256);
    let mut seen = seen.into_inner();
    seen.sort_unstable();
    assert!(seen.into_iter().eq(0..=255));
}

#[test]
fn a_domain_larger_than_the_tests_is_not_exhausted() {
    let property = Empty.forall("n", |(), s| s.draw(any::<u8>())).check(|_| true);
    assert_eq!(run(&property, settings().tests(255)).verdict, Verdict::Passed);
    let unit = Empty.check(|()| true);
    assert_eq!(run(&unit, settings().enumerate(false)).statistics.valid, 256);
    assert_eq!(run(&unit, settings()).verdict, Verdict::Exhausted { inputs: 1, at_size: None });
}

#[test]
fn a_domain_that_depends_on_the_size_is_complete_only_if_all_tests_have_that_size() {
    let property = Empty.forall("n", |(), s| {
        let size = s.size() as usize;
        s.draw(0..=size)
    });
    let property = property.check(|_| true);
    let report = run(&property, settings().size(100));
    assert_eq!(report.verdict, Verdict::Exhausted { inputs: 101, at_size: Some(100) });
    assert_eq!(run(&property, settings()).verdict, Verdict::Passed, "at other sizes there are others");
}

#[test]
fn assumptions_that_never_hold_make_the_run_give_up() {
    let property =
        Empty.forall("n", |(), s| s.draw(any::<u64>())).implies(|(n, ())| *n == 123_456_789_012).check(|_| true);
    let report = run(&property, settings().tests(100));
    let Verdict::GaveUp(text) = &report.verdict else { panic!("{:?}", report.verdict) };
    assert!(text.to_string().contains("No valid test ran, and 10,001 were discarded"), "{text}");
    assert_eq!(report.statistics.discarded, 10_001);
}

#[test]
fn a_small_domain_without_valid_inputs_makes_the_run_give_up() {
    let property = Empty.forall("b", |(), s| s.draw(0..4usize)).implies(|(n, ())| *n > 9).check(|_| true);
    let Verdict::GaveUp(text) = run(&property, settings()).verdict else { panic!("gave up") };
    assert!(text.to_string().starts_with("All 4 inputs were discarded"), "{text}");
}

#[test]
fn a_generator_that_gives_up_discards_the_test() {
    let reject = |s: &mut Source| {
        let n = s.draw(any::<u64>());
        if n.is_multiple_of(2) {
            s.reject();
        }
        n
    };
    let property = Empty.forall("n", move |(), s| reject(s)).check(|(n, ())| n % 2 == 1);
    assert_eq!(run(&property, settings()).verdict, Verdict::Passed);
    let at_once = Empty
        .forall("n", |(), s| match s.draw(any::<u64>()) {
            n if n % 2 == 0 => s.reject_now(),
            n => n,
        })
        .check(|(n, ())| n % 2 == 1);
    let report = run(&at_once, settings());
    assert_eq!(report.verdict, Verdict::Passed);
    assert!(report.statistics.discarded > 50);
}

#[test]
fn a_panic_is_a_failure_with_its_place_and_its_message() {
    let property = Empty.forall("n", |(), s| s.draw(any::<u32>())).check(|(n, ())| assert!(*n < 500, "too large"));
    let report = run(&property, settings());
    let found = report.counterexample.as_ref().unwrap();
    assert_eq!((found.failure.kind, found.failure.message.as_str()), (FailureKind::Panic, "too large"));
    assert!(found.failure.location.as_ref().unwrap().file.ends_with("runner.rs"));
    assert_eq!(debug_of(&report), ["500"]);
}

#[test]
fn shrinking_stays_on_the_bug_that_was_found() {
    // Small numbers fail too, in another way: the minimum of the first bug is not the minimum of all.
    let property = Empty.forall("n", |(), s| s.draw(10_000..1_000_000usize)).check(|(n, ())| {
        assert!(*n >= 20_000, "small");
        assert!(*n < 600_000, "large");
    });
    let mut minima = std::collections::BTreeSet::new();
    for seed in 0..20 {
        minima.extend(debug_of(&run(&property, settings().seed(seed))));
    }
    assert_eq!(minima.into_iter().collect::<Vec<_>>(), ["10000", "600000"]);
}

#[test]
fn an_error_is_a_failure() {
    let property = Empty.forall("n", |(), s| s.draw(any::<u32>())).check(|(n, ())| -> Result<(), String> {
        if *n < 9 { Ok(()) } else { Err(format!("{n} is not small")) }
    });
    let report = run(&property, settings());
    assert_eq!(debug_of(&report), ["9"]);
    assert!(report.counterexample.unwrap().failure.message.contains("9 is not small"));
}

#[test]
fn a_failure_that_does_not_reproduce_is_flaky() {
    let runs = Cell::new(0);
    let property = Empty.forall("n", |(), s| s.draw(any::<u64>())).check(|_| {
        runs.set(runs.get() + 1);
        runs.get() != 50
    });
    let report = run(&property, settings());
    assert_eq!(report.verdict, Verdict::Flaky);
    assert!(report.counterexample.unwrap().other_run == [(forall::run::Tested::Pass, 31)]);
}

#[test]
fn a_generator_that_panics_is_at_fault_not_the_property() {
    let property = Empty
        .forall("n", |(), s| {
            let n = s.draw(any::<u64>());
            assert!(n < 1 << 40, "the generator's own trouble");
            n
        })
        .check(|_| true);
    let Verdict::Faulty(text) = run(&property, settings()).verdict else { panic!("faulty") };
    assert!(text.to_string().contains("the generator's own trouble"), "{text}");
}

#[test]
fn a_broken_contract_is_the_generators_fault_and_shows_the_value() {
    let property = Empty.forall("n", |(), s| s.draw(any::<u64>())).contract(|(n, ())| *n < 1 << 40).check(|_| true);
    let Verdict::Faulty(text) = run(&property, settings()).verdict else { panic!("faulty") };
    assert!(text.to_string().contains("The generator of `n` produced a value that violates its contract"), "{text}");
    assert!(text.to_string().contains("n = "), "{text}");
}

#[test]
fn a_test_that_misses_its_deadline_fails() {
    let property = Empty.forall("n", |(), s| s.draw(any::<u64>())).check(|(n, ())| {
        if *n > 100 {
            std::thread::sleep(Duration::from_millis(30));
        }
    });
    let report = run(&property, settings().deadline(Duration::from_millis(15)).shrink_evaluations(50));
    assert_eq!(report.verdict, Verdict::Failed);
    assert_eq!(report.counterexample.unwrap().failure.kind, FailureKind::Deadline);
}

#[test]
fn a_time_limit_ends_the_run_and_is_reported() {
    let property =
        Empty.forall("n", |(), s| s.draw(any::<u64>())).check(|_| std::thread::sleep(Duration::from_millis(2)));
    let report = run(&property, settings().tests(1_000_000).max_time(Duration::from_millis(100)));
    assert_eq!(report.verdict, Verdict::Passed);
    assert!(report.statistics.valid < 1000);
    assert!(report.warnings.iter().any(|warning| warning.to_string().contains("The time limit of 100 ms was reached")));
}

#[test]
fn zero_tests_do_not_pass() {
    let property = Empty.forall("n", |(), s| s.draw(any::<u64>())).check(|_| true);
    let Verdict::Misconfigured(text) = run(&property, settings().tests(0)).verdict else { panic!("misconfigured") };
    assert!(text.to_string().contains("at least 1"), "{text}");
}

#[test]
fn sizes_that_would_exhaust_memory_are_rejected() {
    let property = Empty.forall("xs", |(), s| s.draw(any::<Vec<u8>>())).check(|_| true);
    for schedule in [Schedule::Constant(u32::MAX), Schedule::Spread { from: 0, to: 1_000_001 }] {
        let Verdict::Misconfigured(text) = run(&property, settings().size(schedule)).verdict else { panic!("refused") };
        assert!(text.to_string().contains("at most 1,000,000"), "{text}");
    }
}

#[test]
fn an_unknown_runner_is_rejected() {
    let property = Empty.forall("n", |(), s| s.draw(any::<u64>())).check(|_| true);
    let Verdict::Misconfigured(text) = run(&property, settings().runner("psychic")).verdict else { panic!() };
    assert!(text.to_string().contains("psychic") && text.to_string().contains("generational"), "{text}");
}

#[test]
fn shrinking_is_bounded_in_evaluations() {
    let property = Empty.forall("n", |(), s| s.draw(any::<u64>())).check(|(n, ())| *n < 1000);
    let report = run(&property, settings().shrink_evaluations(3));
    let shrinking = report.counterexample.unwrap().shrinking;
    assert_eq!(shrinking.evaluations, 3);
    assert!(shrinking.cut_short.unwrap().to_string().contains("3 evaluations"));
    let report = run(&property, settings().shrink_evaluations(0));
    assert_eq!(report.counterexample.unwrap().shrinking.evaluations, 0);
}

#[test]
fn shrinking_is_bounded_in_time() {
    let slow = Cell::new(false);
    let property = Empty.forall("n", |(), s| s.draw(any::<u64>())).check(|(n, ())| {
        if slow.get() {
            std::thread::sleep(Duration::from_millis(10));
        }
        slow.set(slow.get() || *n >= 1000);
        *n < 1000
    });
    let report = run(&property, settings().shrink_time(Duration::from_millis(30)));
    let shrinking = report.counterexample.unwrap().shrinking;
    assert!(shrinking.cut_short.is_some());
    assert!(shrinking.evaluations <= 5, "{} evaluations of at least 10 ms each in 30 ms", shrinking.evaluations);
}

#[test]
fn a_debug_that_panics_does_not_lose_the_counterexample() {
    struct Rude;
    impl std::fmt::Debug for Rude {
        fn fmt(&self, _: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
            panic!("not telling")
        }
    }
    let property = Empty.forall("rude", |(), _| Rude).forall("n", |_, s| s.draw(0..10u8)).check(|(n, _)| *n < 3);
    let report = run(&property, settings());
    assert_eq!(report.verdict, Verdict::Failed);
    let printed = debug_of(&report);
    assert!(printed[0].contains("not telling"), "{printed:?}");
    assert_eq!(printed[1], "3");
}

#[test]
fn a_panic_caught_by_the_body_is_not_a_failure() {
    let property = Empty.forall("n", |(), s| s.draw(any::<u64>())).check(|(n, ())| {
        let caught = std::panic::catch_unwind(|| assert!(*n == 0, "expected"));
        forall::assume!(n % 2 == 0);
        caught.is_err() || *n == 0
    });
    let report = run(&property, settings());
    assert_eq!(report.verdict, Verdict::Passed, "{:?}", report.counterexample);
    assert!(report.statistics.discarded > 50);
}

#[test]
fn a_thread_that_panics_fails_the_test_only_if_it_is_joined() {
    let property = Empty.forall("n", |(), s| s.draw(any::<u64>())).check(|(n, ())| {
        let n = *n;
        let context = forall::context();
        let joined = std::thread::spawn(move || context.enter(|| assert!(n < 1000, "in a thread"))).join();
        joined.is_ok()
    });
    let report = run(&property, settings().tests(100));
    assert_eq!(debug_of(&report), ["1000"]);
    let notes = report.counterexample.unwrap().notes;
    assert!(notes.iter().any(|note| note.contains("a thread of this test panicked: in a thread")), "{notes:?}");
}

#[test]
fn an_assumption_in_a_thread_that_joined_discards_the_test_however_the_thread_is_joined() {
    fn in_a_scope(n: u64) {
        let test = forall::context();
        std::thread::scope(|scope| {
            scope.spawn(|| {
                test.enter(|| {
                    forall::assume!(n > 5);
                    assert!(n < 1000);
                })
            });
        });
    }
    fn unwrapped(n: u64) {
        let test = forall::context();
        std::thread::spawn(move || test.enter(|| forall::assume!(n > 5))).join().unwrap();
        assert!(n < 1000);
    }
    fn looked_at(n: u64) -> bool {
        let test = forall::context();
        std::thread::spawn(move || test.enter(|| forall::assume!(n > 5))).join().is_ok() && n < 1000
    }
    let number = || Empty.forall("n", |(), s| s.draw(any::<u64>()));
    let properties: [Box<dyn forall::property::Property>; 3] = [
        Box::new(number().check(|(n, ())| in_a_scope(*n))),
        Box::new(number().check(|(n, ())| unwrapped(*n))),
        Box::new(number().check(|(n, ())| looked_at(*n))),
    ];
    for property in &properties {
        assert_eq!(debug_of(&run(&**property, settings())), ["1000"]);
    }
    // A test that ignores how the thread ends is valid.
    let ignored = number().check(|_| {
        let test = forall::context();
        let _ = std::thread::spawn(move || test.enter(|| forall::assume!(false))).join();
    });
    let report = run(&ignored, settings().tests(20));
    assert_eq!((report.verdict, report.statistics.valid), (Verdict::Passed, 20));
}

#[test]
fn panics_of_threads_that_did_not_join_are_held_back_and_the_last_is_reported() {
    let output = std::process::Command::new(std::env::current_exe().unwrap())
        .args(["--exact", "runner::child_whose_threads_panic", "--ignored", "--nocapture"])
        .output()
        .unwrap();
    let output = String::from_utf8_lossy(&output.stderr);
    let printed = output.matches("in a stray thread").count();
    assert_eq!(printed, 2, "one when it was found, and one in the report:\n{output}");
    assert!(output.contains("panicked, the last with: 1000 is in a stray thread, at "), "{output}");
}

#[test]
#[ignore = "run by its parent"]
fn child_whose_threads_panic() {
    let property = Empty.forall("n", |(), s| s.draw(any::<u64>())).check(|(n, ())| {
        let n = *n;
        std::thread::spawn(move || assert!(n < 1000, "{n} is in a stray thread")).join().is_ok()
    });
    Run::new("stray", &property).settings(settings()).test();
}

#[test]
fn sizes_follow_the_schedule() {
    let sizes = |schedule: Schedule| {
        let seen = RefCell::new(Vec::new());
        let property = Empty.forall("n", |(), s| (s.size(), s.draw(any::<u64>()))).check(|((size, _), ())| {
            seen.borrow_mut().push(*size);
        });
        assert!(run(&property, settings().tests(101).size(schedule)).verdict.is_success());
        seen.into_inner()
    };
    let spread = sizes(Schedule::default());
    assert_eq!(spread[..5], [92, 84, 97, 89, 81]);
    assert!(spread[..16].iter().all(|size| *size >= 80), "{spread:?}");
    for sizes in spread[16..].chunks_exact(20) {
        assert!(sizes.iter().any(|size| *size < 10) && sizes.iter().any(|size| *size > 90), "{sizes:?}");
    }
    assert!(sizes(Schedule::Constant(7)).into_iter().all(|size| size == 7));
    assert_eq!(sizes(Schedule::Log2)[64], 6);
    assert_eq!(sizes(Schedule::Function(|index| index as u32 % 3))[..4], [0, 1, 2, 0]);
}

#[test]
fn indices_can_be_run_alone() {
    // The basis of the request `run P a..b`: the tests of a block do not depend on where it starts.
    let whole = RefCell::new(Vec::new());
    let property = Empty.forall("n", |(), s| (s.size(), s.draw(any::<u64>()))).check(|(n, ())| {
        whole.borrow_mut().push(*n);
    });
    run(&property, settings().tests(100));
    let tests = whole.borrow().clone();
    whole.borrow_mut().clear();
    let tester = forall::run::Tester::new("runner test", &property, 1);
    let block = Schedule::default().block(1, 40..60);
    assert_eq!(tester.run_block(&block).index, block.indices.end);
    assert_eq!(*whole.borrow(), tests[40..block.indices.end as usize]);
}

#[test]
fn a_shrinker_that_violates_the_contract_is_reported_and_the_counterexample_stays() {
    let property = Empty
        .forall("n", |(), s| s.draw(any::<u64>()) | 1)
        .shrink(|(), n| Box::new([n / 2, n.saturating_sub(2)].into_iter()))
        .contract(|(n, ())| n % 2 == 1)
        .check(|(n, ())| *n < 1001);
    let report = run(&property, settings());
    assert_eq!(debug_of(&report), ["1001"]);
    let caveats = report.counterexample.unwrap().caveats;
    assert!(
        caveats[0].to_string().contains("The shrinker of `n` produced a value that violates its contract"),
        "{caveats:?}"
    );
}

#[test]
fn a_misused_combinator_is_named_with_its_variable() {
    let property =
        Empty.forall("n", |(), s| s.draw(any::<usize>())).forall("m", |(n, ()), s| s.draw(*n..*n)).check(|_| true);
    let Verdict::Faulty(text) = run(&property, settings()).verdict else { panic!("faulty") };
    assert!(text.to_string().starts_with("The generator of `m` cannot produce any value: "), "{text}");
    assert!(text.to_string().contains("is empty"), "{text}");
}

#[test]
fn the_stack_of_a_panic_is_that_of_the_tested_code() {
    let name = "runner::child_that_panics_with_a_stack";
    let output = std::process::Command::new(std::env::current_exe().unwrap())
        .args(["--exact", name, "--ignored", "--nocapture"])
        .env("RUST_BACKTRACE", "1")
        .output()
        .unwrap();
    let said = String::from_utf8_lossy(&output.stderr);
    let stack = said.split("stack:").nth(1).unwrap_or_else(|| panic!("no stack in {said}"));
    assert!(stack.contains("deep_inside"), "{said}");
    assert!(!stack.contains("catch_unwind") && !stack.contains("core::panicking"), "{said}");
}

#[inline(never)]
fn deep_inside(n: u64) {
    assert!(n < 1000, "too deep");
}

#[test]
#[ignore = "run by its parent"]
fn child_that_panics_with_a_stack() {
    let property = Empty.forall("n", |(), s| s.draw(any::<u64>())).check(|(n, ())| deep_inside(*n));
    Run::new("stack", &property).settings(settings()).test();
}

#[test]
fn a_generator_that_is_interrupted_now_and_then_is_not_called_slow() {
    let drawn = Cell::new(0);
    let property = Empty
        .forall("n", |(), s| {
            drawn.set(drawn.get() + 1);
            // After the run, while inputs are made again to find out what that costs, the machine is busy.
            if drawn.get() > 100 && drawn.get() % 2 == 0 {
                std::thread::sleep(Duration::from_millis(40));
            }
            s.draw(any::<u64>())
        })
        .check(|_| {
            std::thread::sleep(Duration::from_millis(11));
            true
        });
    let report = run(&property, settings().enumerate(false).tests(100));
    assert_eq!((&report.verdict, &report.warnings[..]), (&Verdict::Passed, &[][..]));
    assert!(drawn.get() > 100, "some were made again");
}

#[test]
fn slow_generators_get_advice() {
    let property = Empty
        .forall("n", |(), s| {
            std::thread::sleep(Duration::from_millis(5));
            s.draw(any::<u64>())
        })
        .check(|_| true);
    let report = run(&property, settings().enumerate(false));
    assert_eq!(report.verdict, Verdict::Passed);
    assert!(report.warnings[0].to_string().contains("Generating an input took"), "{:?}", report.warnings);
}

#[test]
fn large_inputs_get_advice() {
    // Nine inputs in ten have this length, and the simplest one is empty.
    let numbers = |length| {
        let generate = move |(): &(), s: &mut Source| {
            let length = if s.draw(0..10u32) == 0 { 0 } else { length };
            s.draw(forall::generate::vec(any::<u64>()).len(length))
        };
        Empty.forall("xs", generate).check(|_| std::thread::sleep(Duration::from_millis(20)))
    };
    let is_large = |warning: &Fact| warning.to_string().contains("Inputs are large");
    let report = run(&numbers(20_000), settings().tests(10));
    assert!(report.warnings.iter().any(is_large), "{:?}", report.warnings);
    let report = run(&numbers(1_000), settings().tests(10));
    assert!(report.warnings.is_empty(), "{:?}", report.warnings);
}

#[test]
fn large_inputs_and_discards_that_were_asked_for_get_no_advice() {
    let fixed = Empty.forall("xs", |(), s| s.draw(forall::generate::vec(any::<u64>()).len(20_000))).check(|_| {
        std::thread::sleep(Duration::from_millis(20));
    });
    let is_large = |warning: &Fact| warning.to_string().contains("Inputs are large");
    assert!(!run(&fixed, settings().tests(10)).warnings.iter().any(is_large), "the length is fixed");
    let rare = property! { forall n: u64; implies n % 8 == 0; check n % 4 == 0 };
    assert_eq!(run(&rare, settings().discard_ratio(1000)).warnings, [], "the ratio was raised");
    assert_eq!(run(&rare, settings()).warnings.len(), 1);
}

#[test]
fn a_custom_runner_runs_after_the_examples_and_its_report_decides_the_test() {
    let property = Empty.forall("n", |(), s| s.draw(any::<u64>())).check(|(n, ())| n.count_ones() <= 64);
    let passes = Example { bindings: &[("n", "u64", "1")], run: || Outcome::Pass };
    let fails = Example { bindings: &[("n", "u64", "2")], run: || false.into_outcome() };
    let run = |example: &Example, called: &Cell<u32>| {
        let runner = |session: Session<'_>| {
            called.set(called.get() + 1);
            session.finish((Verdict::GaveUp("I gave up".into()), None), Statistics::default())
        };
        let settings = Settings::new().store(Store::Off).runner("targeted");
        let run = || {
            Run::new("own", &property).settings(settings.clone()).examples(std::slice::from_ref(example)).runner(runner)
        };
        let panics = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| run().test())).is_err();
        (run().report().verdict, panics)
    };
    let called = Cell::new(0);
    assert_eq!(run(&fails, &called), (Verdict::Failed, true));
    assert_eq!(called.get(), 0, "an example failed before");
    assert_eq!(run(&passes, &called), (Verdict::GaveUp("I gave up".into()), true));
    assert_eq!(called.get(), 2);
}

#[test]
fn a_failing_test_has_run_once_when_its_event_is_sent() {
    struct RunsBefore<'r>(&'r Cell<u32>, Option<u32>);
    impl Observer for RunsBefore<'_> {
        fn event(&mut self, event: &Event<'_>) {
            if let Event::Failed { .. } = event {
                self.1 = Some(self.0.get());
            }
        }
    }
    let runs = Cell::new(0);
    let property = Empty.forall("n", |(), s| s.draw(any::<u64>())).check(|_| {
        runs.set(runs.get() + 1);
        false
    });
    let mut before = RunsBefore(&runs, None);
    Run::new("fails at once", &property).settings(settings()).observer(&mut before).report();
    assert_eq!(before.1, Some(1));
}

#[test]
fn spaces_around_environment_variables_are_ignored() {
    let said =
        [("FORALL_THREADS", " 4 "), ("FORALL_TESTS", "x2 "), ("FORALL_MAX_TIME", "1s "), ("FORALL_STORE", "off ")];
    let of = |name: &str| said.iter().find(|(other, _)| *other == name).map(|(_, value)| (*value).to_owned());
    let settings = Settings::new().tests(100).with_environment(of).unwrap();
    assert_eq!((settings.threads, settings.tests), (4, 200));
    assert_eq!((settings.max_time, settings.store), (Some(Duration::from_secs(1)), Store::Off));
    let blank = Settings::new().with_environment(|name| (name == "FORALL_THREADS").then(|| " ".to_owned())).unwrap();
    assert_eq!(blank.threads, 1);
}
