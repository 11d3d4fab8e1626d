//! Draws inside a property's body: `fn p(s: &mut Source)`.

use forall::prelude::*;
use forall::property::{Draws, Empty, Property, Telescope};
use forall::report::{Style, render};
use forall::run::{Fault, Found, Report, Run, Schedule, Settings, Store, Tested, Tester, Verdict};

fn settings() -> Settings {
    Settings::new().seed(1).store(Store::Off)
}

fn run(name: &'static str, property: &dyn Property) -> Report {
    Run::new(name, property).settings(settings()).report()
}

fn shown(report: &Report) -> Vec<String> {
    let bindings = &report.counterexample.as_ref().expect("a counterexample").bindings;
    let drawn = bindings.iter().filter(|binding| binding.printed.debug.is_some());
    drawn.map(|binding| format!("{} = {}", binding.name, binding.printed.text())).collect()
}

#[forall::property]
fn both_are_small(s: &mut Source) {
    let a = s.draw(0..=99u64);
    let b = s.draw_as("second", 0..=99u64);
    assert!(a <= 50 || b <= 50, "{a} and {b}");
}

#[test]
fn draws_of_the_body_are_shrunk_and_shown() {
    let report = run("both", &both_are_small::property());
    assert_eq!(report.verdict, Verdict::Failed);
    assert_eq!(shown(&report), ["draw 1 = 51", "second = 51"]);
}

#[test]
fn bodies_of_the_property_macro_draw() {
    let property = property! {
        forall least in 0..=10u64;
        forall s: &mut Source;
        implies *least > 2;
        check {
            let a = s.draw(0..=99u64);
            let b = s.draw_as("second", 0..=99u64);
            "7".parse::<u64>()? == 7 && (a < *least + 50 || b <= 50)
        }
    };
    let report = run("macro", &property);
    assert_eq!(report.verdict, Verdict::Failed);
    assert_eq!(shown(&report), ["least = 3", "draw 1 = 53", "second = 51"]);
}

#[forall::property]
fn draws_of_many_types(s: &mut Source) {
    let all = s.draw(vec(any::<Option<u8>>()).len(2..));
    let text: String = s.draw_as("the text", any::<String>());
    let time = s.draw(any::<std::time::Duration>());
    assert!(all.len() < 2 || text.len() > 99 || time.is_zero(), "{all:?}");
}

#[test]
fn draws_are_printed_as_code_to_paste() {
    let text = render(&run("types", &draws_of_many_types::property()), &Style::plain());
    assert!(text.contains("    let draw_1: Vec<Option<u8>> = vec![None, None];"), "{text}");
    assert!(text.contains("    let the_text: String = String::from(\"\");"), "{text}");
    assert!(text.contains("    // draw 3 = "), "no code form is known of a duration: {text}");
}

#[cfg(target_os = "linux")]
mod isolated {
    use super::*;

    fn run(name: &'static str, property: &dyn Property) -> Report {
        Run::new(name, property).settings(settings().isolate(true).timeout("1s")).report()
    }

    #[forall::property]
    fn aborts(s: &mut Source) {
        let (a, b) = (s.draw(0..=99u64), s.draw(0..=99u64));
        if a > 50 && b > 50 {
            std::process::abort();
        }
    }

    #[test]
    fn the_draws_of_the_body_survive_an_abort() {
        let report = run("aborts", &aborts::property());
        assert_eq!(report.verdict, Verdict::Failed);
        assert_eq!(shown(&report), ["draw 1 = 51", "draw 2 = 51"]);
    }

    #[test]
    fn the_draws_of_forks_survive_an_abort() {
        let property = property! { forall s: &mut Source; check {
            let mut fork = s.fork();
            let later = s.draw_as("later", 0..=99u32);
            let forked = std::thread::scope(|scope| scope.spawn(|| fork.draw_as("forked", 0..=99u32)).join().unwrap());
            if later >= 20 && forked >= 30 {
                std::process::abort();
            }
        } };
        let report = run("forks", &property);
        assert_eq!(report.verdict, Verdict::Failed, "{report:?}");
        assert_eq!(shown(&report), ["forked = 30", "later = 20"]);
    }

    fn recurse(depth: u64) -> u64 {
        if depth == u64::MAX { 0 } else { std::hint::black_box(recurse(depth + 1)) + 1 }
    }

    #[forall::property]
    fn overflows(n: u8, s: &mut Source) {
        let steps = s.draw_as("steps", 0..=30u8);
        for _ in 0..steps {
            let key = s.draw_as("key", 0..10u8);
            let keep: bool = s.draw_as("keep", any::<bool>());
            if keep && key == 7 && n >= 20 {
                recurse(0);
            }
        }
    }

    #[test]
    fn the_draws_of_the_body_survive_a_stack_overflow() {
        let report = run("overflows", &overflows::property());
        assert_eq!(report.verdict, Verdict::Failed);
        assert_eq!(shown(&report), ["n = 20", "steps = 1", "key = 7", "keep = true"]);
    }

    #[forall::property]
    fn hangs(s: &mut Source) {
        let xs = s.draw_as("xs", vec(0..10u8));
        if xs.len() >= 3 {
            loop {
                std::thread::sleep(std::time::Duration::from_secs(1));
            }
        }
    }

    #[test]
    #[ignore = "slow: 13 s"]
    fn the_draws_of_the_body_survive_a_hang() {
        let report = run("hangs", &hangs::property());
        assert_eq!(report.verdict, Verdict::Failed);
        assert_eq!(shown(&report), ["xs = [0, 0, 0]"]);
    }

    #[test]
    fn draws_from_a_generators_fork_are_recorded() {
        let late = from_fn(|s| std::cell::RefCell::new(s.fork()));
        let property = property! { forall late in &late; check {
            let mut s = late.borrow_mut();
            let (a, b) = (s.draw(0..=99u64), s.draw(0..=99u64));
            if a > 50 && b > 50 {
                std::process::abort();
            }
        } };
        let report = run("late", &property);
        assert_eq!(report.verdict, Verdict::Failed);
        let values: Vec<u64> = report.counterexample.unwrap().case.sequence.values().collect();
        assert_eq!(values, [51, 51]);
    }
}

#[forall::property]
fn no_seven(s: &mut Source) {
    let a = s.draw_as("a", 0..=99u64);
    assert_ne!(a, 7);
    let count = s.draw_as("count", 0..=4usize);
    for _ in 0..count {
        s.draw_as("rest", any::<bool>());
    }
}

#[test]
fn a_value_that_passes_is_evidence_even_if_the_body_then_draws_more() {
    let report = run("seven", &no_seven::property());
    assert_eq!(shown(&report), ["a = 7"]);
    let claims: Vec<String> =
        report.counterexample.unwrap().explanation.claims.iter().map(|claim| claim.to_string()).collect();
    assert!(claims.iter().all(|claim| !claim.contains("other values tried")), "{claims:?}");
}

#[forall::property]
fn steps_in_a_loop(s: &mut Source) {
    let steps = s.draw_as("steps", 0..=30u8);
    let mut balance = 0i64;
    for _ in 0..steps {
        let (account, amount, deposit) = (s.draw(0..3u8), s.draw(0..1000i64), s.draw(any::<bool>()));
        balance += if deposit { amount } else { -amount };
        assert!(account != 2 || balance < 500);
    }
}

#[test]
fn a_loop_of_draws_is_shrunk_to_one_iteration() {
    let report = run("steps", &steps_in_a_loop::property());
    assert_eq!(shown(&report), ["steps = 1", "draw 2 = 2", "draw 3 = 500", "draw 4 = true"]);
}

#[forall::property]
fn draws_on_two_threads(s: &mut Source) {
    let s = std::sync::Mutex::new(s);
    std::thread::scope(|scope| {
        for _ in 0..2 {
            scope.spawn(|| s.lock().unwrap().draw(0..10u8));
        }
    });
}

#[test]
fn draws_on_several_threads_are_rejected() {
    let report = run("threads", &draws_on_two_threads::property());
    let text = render(&report, &Style::plain());
    assert!(
        matches!(&report.verdict, Verdict::Faulty(why) if why.to_string().contains("The body draws from `s` on several \
                                                                                    threads: the order of the draws \
                                                                                    varies from run to run")),
        "{text}"
    );
}

#[forall::property]
fn forks_on_two_threads(s: &mut Source) {
    let s = std::sync::Mutex::new(s);
    std::thread::scope(|scope| {
        for _ in 0..2 {
            scope.spawn(|| s.lock().unwrap().fork().draw(0..10u8));
        }
    });
}

#[test]
fn forks_that_are_created_on_several_threads_are_rejected() {
    let tested = Tester::new("forks", &forks_on_two_threads::property(), 1).run_source(Source::record(1, 0, 50), &[]).1;
    assert!(matches!(tested, Tested::Fault(Fault::SeveralThreads { .. })), "{tested:?}");
}

#[forall::property]
fn draws_without_end(s: &mut Source) {
    while s.draw(0..100u8) < 100 {}
}

#[test]
#[ignore = "slow: 5 s"]
fn endless_draws_are_rejected() {
    let report = run("endless", &draws_without_end::property());
    let text = render(&report, &Style::plain());
    let told = "The body drew more than 4,194,304 choices from `s`, the recording limit";
    assert!(matches!(&report.verdict, Verdict::Faulty(why) if why.to_string().contains(told)), "{text}");
}

#[forall::property]
fn chooses_without_end(s: &mut Source) {
    while s.choice(9) < 10 {}
}

#[test]
fn endless_generators_and_bodies_are_rejected() {
    let endless = from_fn(|source| while source.draw(0..100u8) < 100 {});
    let generator = "The generator of `n` made more than 4,194,304 choices";
    let body = "The body drew more than 4,194,304 choices from `s`";
    let cases: [(&dyn Property, &str); 2] = [
        (&property! { forall n in endless; check matches!(n, ()) }, generator),
        (&chooses_without_end::property(), body),
    ];
    for (property, told) in cases {
        let report = run("never ends", property);
        let text = render(&report, &Style::plain());
        assert!(matches!(&report.verdict, Verdict::Faulty(why) if why.to_string().contains(told)), "{text}");
    }
}

#[forall::property]
fn chooses_without_end_now_and_then(s: &mut Source) {
    while s.draw(0..=100u32) > 60 && s.choice(9) < 10 {
        while s.choice(9) < 10 {}
    }
}

#[test]
fn loops_that_are_endless_in_a_later_test_are_rejected() {
    /// Draws without end, but not in the first test of the run.
    fn endless(source: &mut Source) -> u32 {
        let n = source.draw(0..=100u32);
        while n > 60 && source.draw((0..10u8, any::<bool>())).0 < 10 {}
        n
    }
    let generator = "The generator of `n` made more than 4,194,304 choices";
    let body = "The body drew more than 4,194,304 choices from `s`";
    let cases: [(&dyn Property, &str); 2] = [
        (&property! { forall n in from_fn(endless); check *n <= 100 }, generator),
        (&chooses_without_end_now_and_then::property(), body),
    ];
    for (property, told) in cases {
        for seed in 1..3 {
            let report = Run::new("ends at times", property).settings(settings().seed(seed)).report();
            let text = render(&report, &Style::plain());
            assert!(matches!(&report.verdict, Verdict::Faulty(why) if why.to_string().contains(told)), "{text}");
        }
    }
}

#[forall::property]
fn draws_until_zero(s: &mut Source) {
    while s.draw(any::<u64>()) != 0 {}
}

/// Rising numbers never come to 0, nor do two numbers that repeat; the simplest never come to 1.
#[test]
fn loops_that_end_at_random_end_in_every_test() {
    let counts = |again: fn(&mut Source) -> bool| from_fn(move |s| (0u64..).find(|_| !again(s)).unwrap_or(0));
    let zero = counts(|s| s.draw(any::<u64>()) != 0);
    let seven = counts(|s| s.draw(0..1000u32) != 7);
    let one = counts(|s| s.draw(any::<i64>()) == 0);
    let text = counts(|s| s.draw(any::<String>()).len() != 3);
    let variant = counts(|s| s.draw(one_of(["stop", "go", "wait"])) != "stop");
    let late = counts(|s| s.fork().draw(any::<u16>()) != 0);
    let cases: [&dyn Property; 7] = [
        &property! { forall n in &zero; check *n < 1 << 24 },
        &property! { forall n in &seven; check *n < 1 << 24 },
        &property! { forall n in &one; check *n < 1 << 24 },
        &property! { forall n in &text; check *n < 1 << 24 },
        &property! { forall n in &variant; check *n < 1 << 24 },
        &property! { forall n in &late; check *n < 1 << 24 },
        &draws_until_zero::property(),
    ];
    for property in cases {
        let report = Run::new("ends", property).settings(settings().tests(64)).report();
        assert_eq!(report.verdict, Verdict::Passed, "{}", render(&report, &Style::plain()));
    }
}

#[test]
fn blocks_of_tests_stop_at_misuse() {
    let (threads, endless) = (draws_on_two_threads::property(), draws_without_end::property());
    let stopped_by = |property: &dyn Property, tests: std::ops::Range<u64>| {
        let block = Schedule::Constant(50).block(1, tests);
        Tester::new("block", property, 1).run_block(&block).stopped_by
    };
    assert!(matches!(stopped_by(&threads, 0..20), Some(Tested::Fault(Fault::SeveralThreads { .. }))));
    // On tape, and at random.
    for index in [0, 28] {
        let tested = stopped_by(&endless, index..index + 1);
        assert!(matches!(tested, Some(Tested::Fault(Fault::TooLarge { .. }))), "{tested:?}");
    }
}

#[forall::property]
fn forks_go_to_threads(s: &mut Source) {
    let mut forks = [s.fork(), s.fork()];
    let drawn = std::thread::scope(|scope| {
        let threads = forks.each_mut().map(|fork| scope.spawn(|| fork.draw(0..1000u32)));
        threads.map(|thread| thread.join().unwrap())
    });
    assert!(drawn[0] < 100 || drawn[1] < 200, "{drawn:?}");
}

#[test]
fn each_thread_may_draw_from_a_fork() {
    let report = run("forks", &forks_go_to_threads::property());
    assert_eq!(report.verdict, Verdict::Failed);
    assert_eq!(report.counterexample.unwrap().failure.message, "[100, 200]");
}

#[forall::property]
fn draws_from_a_fork_later(s: &mut Source) {
    let mut fork = s.fork();
    let plain = s.draw_as("plain", any::<bool>());
    let later = s.draw_as("later", 0..=99u32);
    let forked = std::thread::scope(|scope| scope.spawn(|| fork.draw_as("forked", 0..=99u32)).join().unwrap());
    let _ = plain;
    assert!(later < 20 || forked < 30);
}

#[test]
fn draws_of_forks_are_shown_in_the_order_of_their_choices() {
    let report = run("order", &draws_from_a_fork_later::property());
    assert_eq!(shown(&report), ["forked = 30", "plain = false", "later = 20"]);
    // A claim belongs to the draw that it was made for.
    let text = render(&report, &Style::plain());
    let plain = text.lines().find(|line| line.contains("let plain")).expect("a line for the draw");
    assert!(plain.ends_with("= false; // fails for both values"), "{text}");
}

#[forall::property]
fn may_panic_in_a_generator(s: &mut Source) {
    let pushes = from_fn(|s| {
        let n = s.draw(0..100u64);
        assert!(n < 50, "bug in the tested code");
        n
    });
    assert!(s.draw(pushes) < 1000);
}

#[test]
fn a_panic_of_tested_code_in_a_body_generator_fails_the_property() {
    let report = run("panics", &may_panic_in_a_generator::property());
    assert_eq!(report.verdict, Verdict::Failed);
    let found = report.counterexample.unwrap();
    assert_eq!(found.failure.message, "bug in the tested code");
    assert_eq!(found.case.sequence.values().collect::<Vec<_>>(), [50]);
}

#[forall::property]
fn notes_and_labels(n: u8, s: &mut Source) -> bool {
    let m = s.draw_as("m", any::<u8>());
    label!("drawn");
    note!("the sum is {}", u16::from(n) + u16::from(m));
    u16::from(n) + u16::from(m) < 300
}

#[test]
fn notes_are_those_of_one_run_and_labels_count_once() {
    let report = run("notes", &notes_and_labels::property());
    assert_eq!(report.verdict, Verdict::Failed);
    let found = report.counterexample.as_ref().unwrap();
    assert_eq!(found.notes, ["the sum is 300"]);
    assert_eq!(shown(&report)[0].split(' ').next(), Some("n"));
    let passing = Empty.forall("s", |(), s: &mut Source| s.fork()).check_owned(|(mut s, ())| {
        Draws::new(&mut s).draw(0..1_000_000u32);
        label!("drawn");
    });
    let report = Run::new("labels", &passing).settings(settings().tests(100).extra_time("0s")).report();
    assert_eq!(report.statistics.labels.iter().map(|(_, count)| *count).sum::<u64>(), report.statistics.valid);
}

#[test]
fn a_failure_is_saved_and_replayed_with_the_draws_of_the_body() {
    let directory = std::env::temp_dir().join(format!("forall-drawing-{}", std::process::id()));
    let property = both_are_small::property();
    let run = || Run::new("saved", &property).settings(settings().store(Store::Directory(directory.clone()))).report();
    let first = run();
    assert_eq!(shown(&first), ["draw 1 = 51", "second = 51"]);
    let again = run();
    assert_eq!(shown(&again), shown(&first));
    assert!(matches!(again.counterexample.unwrap().found, Found::Stored { .. }));
    std::fs::remove_dir_all(&directory).unwrap();
}

/// An unrelated type with the same name.
mod another {
    #[derive(Debug, forall::Arbitrary)]
    pub struct Source {
        pub text: String,
    }

    impl Source {
        pub fn draw(&mut self) -> usize {
            self.text.push('!');
            self.text.len()
        }
    }

    #[forall::property]
    pub fn is_never_empty(s: &mut Source) -> bool {
        s.draw() > 0
    }
}

#[test]
fn another_type_that_is_called_source_is_left_alone() {
    assert_eq!(run("another", &another::is_never_empty::property()).verdict, Verdict::Passed);
}

fn helper(s: &mut Source) -> u8 {
    s.draw(0..10u8)
}

#[forall::property]
fn has_all_of_a_source(s: &mut Source) {
    let (own, size) = (helper(s), s.size());
    let small = s.with_size(0, |s| s.draw(vec(any::<u8>())));
    assert!(own < 10 && size <= 100 && small.is_empty());
    let even = s.draw_silent(from_fn(|s| s.draw(0..10u8) * 2));
    assume!(even > 0);
    if even > 16 {
        s.reject();
    }
}

#[test]
fn a_body_has_the_full_source_api_and_may_discard() {
    let report = run("all", &has_all_of_a_source::property());
    assert_eq!(report.verdict, Verdict::Passed);
    assert!(report.statistics.discarded > 0);
}

#[forall::property]
async fn draws_in_a_future(s: &mut Source) {
    let a = s.draw(0..100u8);
    std::future::ready(()).await;
    assert!(s.draw(0..100u8) <= a.max(10));
}

#[test]
fn an_async_body_draws() {
    let report = run("async", &draws_in_a_future::property());
    assert_eq!(shown(&report), ["draw 1 = 0", "draw 2 = 11"]);
}

#[test]
fn all_runners_take_a_body_that_draws() {
    let property = both_are_small::property();
    for runner in ["targeted", "combinatorial", "constructors", "exhaustive"] {
        let report = Run::new("runners", &property).settings(settings().runner(runner)).report();
        assert_eq!(shown(&report), ["draw 1 = 51", "second = 51"], "{runner}");
    }
}
