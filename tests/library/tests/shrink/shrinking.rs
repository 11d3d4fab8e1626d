//! Shrinking with faulty properties, generators and shrinkers: it ends within its limits with a value that failed, and reports
//! the fault.

use forall::choice::{Choice, Item, Sequence, Source};
use forall::generate::{GeneratorExt, any, from_fn, hash_map, range, recursive, string, vec};
use forall::property::{Empty, Failure, FailureKind, Outcome, Property, Telescope};
use forall::report::{Style, render};
use forall::run::{Case, Report, Run, Settings, Shrinking, Store, Tested, Tester, Verdict};
use forall::shrink::Shrinker;
use std::cell::{Cell, RefCell};
use std::collections::{HashMap, HashSet};
use std::time::{Duration, Instant};

/// Finds a failure of a property and shrinks it, at most so often.
fn shrunk(property: &dyn Property, evaluations: u64) -> (Case, Failure, Shrinking) {
    let tester = Tester::new("bad", property, 1);
    let found = (0..100_000).find_map(|index| match tester.record(index, (index % 100) as u32 + 1) {
        (case, Tested::Fail(failure)) => Some((case, failure)),
        _ => None,
    });
    let (case, failure) = found.expect("it fails");
    Shrinker::new(&tester, case, failure).limits(evaluations, Duration::from_secs(10)).shrink(|_, _, _| {})
}

#[test]
fn a_property_that_always_fails_shrinks_to_the_simplest_at_once() {
    let property = Empty.forall("xs", |(), s| s.draw(any::<Vec<String>>())).check(|_| false);
    let (case, _, story) = shrunk(&property, 1000);
    assert_eq!(case.sequence.values().collect::<Vec<_>>(), [0]);
    // One for the larger size, one for the simplest of all.
    assert!(story.evaluations <= 2 && story.cut_short.is_none(), "{story:?}");
}

#[test]
fn a_flaky_property_ends_with_an_input_that_failed() {
    let (runs, failed) = (Cell::new(0u64), RefCell::new(Vec::new()));
    let property = Empty.forall("xs", |(), s| s.draw(vec(any::<u32>()))).check(|(xs, ())| {
        runs.set(runs.get() + 1);
        let fails = xs.len() > 2 && runs.get() % 3 == 0;
        if fails {
            failed.borrow_mut().push(xs.clone());
        }
        !fails
    });
    let (case, _, story) = shrunk(&property, 2000);
    let xs = Source::replay(&case.sequence).draw(vec(any::<u32>()));
    assert!(failed.borrow().contains(&xs), "{xs:?}");
    assert!(story.evaluations <= 2000);
}

#[test]
#[ignore = "slow: 3 s"]
fn slow_properties_are_bounded_in_time() {
    let property = Empty.forall("xs", |(), s| s.draw(vec(any::<u64>()).len(20..30))).check(|(xs, ())| {
        std::thread::sleep(Duration::from_millis(5));
        xs.iter().any(|x| *x < 5)
    });
    let tester = Tester::new("slow", &property, 1);
    let failing = (0..).find_map(|index| match tester.record(index, 100) {
        (case, Tested::Fail(failure)) => Some((case, failure)),
        _ => None,
    });
    let (case, failure) = failing.unwrap();
    let before = Instant::now();
    let shrinker = Shrinker::new(&tester, case, failure).limits(u64::MAX, Duration::from_millis(60));
    let (_, _, story) = shrinker.shrink(|_, _, _| {});
    assert!(story.cut_short.unwrap().to_string().contains("FORALL_SHRINK_TIME"));
    assert!(before.elapsed() < Duration::from_secs(20), "{:?}", before.elapsed());
}

#[derive(Debug)]
struct Bomb(u32);

impl Drop for Bomb {
    fn drop(&mut self) {
        assert!(self.0 <= 100 || std::thread::panicking(), "dropped badly");
    }
}

#[test]
fn a_panic_in_drop_is_shrunk_like_any_other() {
    let property = Empty.forall("bomb", |(), s| Bomb(s.draw(any::<u32>()))).check(|_| true);
    let (case, failure, _) = shrunk(&property, 1000);
    assert_eq!(case.sequence.values().collect::<Vec<_>>(), [101]);
    assert_eq!((failure.kind, failure.message.as_str()), (FailureKind::Panic, "dropped badly"));
}

#[test]
fn values_that_panic_in_drop_are_printed() {
    let property = Empty.forall("bomb", |(), s| Bomb(s.draw(any::<u32>()))).check(|_| true);
    let report = Run::new("bomb", &property).settings(Settings::new().seed(1).store(Store::Off)).report();
    assert_eq!(report.verdict, Verdict::Failed, "{report:?}");
    assert_eq!(report.counterexample.unwrap().bindings[0].printed.text(), "Bomb(101)");
}

/// No step down leads on from one that is large, since the next lower one that fails is 97 away.
#[test]
fn a_number_with_a_given_remainder_shrinks_to_the_smallest_from_any_size() {
    ends_at_13(&Empty.forall("n", |(), s| s.choice(u64::MAX)).check(|(n, ())| n % 97 != 13));
    let assumes = Empty.forall("n", |(), s| s.choice(u64::MAX)).implies(|(n, ())| n % 7 != 0);
    ends_at_13(&assumes.check(|(n, ())| n % 97 != 13));
}

fn ends_at_13(property: &dyn Property) {
    let tester = Tester::new("rest", property, 1);
    for found in [97 * 5 + 13, 97 * 1_000_000 + 13, 97 * 317_868_583_943_851 + 13] {
        let mut case = tester.record(0, 100).0;
        case.sequence.items = vec![Item::Choice(Choice { value: found, max: u64::MAX })];
        let (case, Tested::Fail(failure)) = tester.run(&case) else { panic!("{found} fails") };
        let limited = Shrinker::new(&tester, case, failure).limits(1000, Duration::from_secs(10));
        assert_eq!(limited.shrink(|_, _, _| {}).0.sequence.values().collect::<Vec<_>>(), [13], "from {found}");
    }
}

#[test]
fn properties_that_need_much_memory_when_the_input_is_small_are_run_no_more_often_than_needed() {
    let property = Empty.forall("n", |(), s| s.draw(any::<u16>())).check(|(n, ())| {
        let held = vec![0u8; (u16::MAX - n) as usize * 100];
        held.is_empty() || *n < 1000
    });
    let (case, _, story) = shrunk(&property, 1000);
    assert_eq!(case.sequence.values().collect::<Vec<_>>(), [1000]);
    assert!(story.evaluations < 50, "{story:?}");
}

#[test]
fn a_generator_that_rejects_most_candidates_still_shrinks() {
    let property = Empty
        .forall("xs", |(), s| s.draw(vec(any::<u32>().filter(|n| n % 7 == 3))))
        .check(|(xs, ())| xs.iter().all(|x| *x < 100) || xs.len() < 2);
    let (case, _, story) = shrunk(&property, 2000);
    let xs = Source::replay(&case.sequence).draw(vec(any::<u32>().filter(|n| n % 7 == 3)));
    assert_eq!(xs.len(), 2, "{xs:?} {story:?}");
    assert!(xs.contains(&3), "{xs:?}");
}

#[test]
#[ignore = "slow: 1 s"]
fn a_generator_that_draws_until_a_condition_holds_ends() {
    let until = |s: &mut Source| {
        let mut tries = 1;
        while s.draw(0..100u8) < 90 {
            tries += 1;
        }
        tries
    };
    let property = Empty.forall("tries", move |(), s| until(s)).check(|(tries, ())| *tries < 3);
    let before = Instant::now();
    let (case, _, story) = shrunk(&property, 1000);
    assert_eq!(case.sequence.values().collect::<Vec<_>>(), [0, 0, 90]);
    assert!(story.cut_short.is_none() && story.faults.is_empty(), "{story:?}");
    assert!(before.elapsed() < Duration::from_secs(20), "{:?}", before.elapsed());
}

/// The report of a run that fails, and the values of its variables.
fn failed(property: &dyn Property, seed: u64) -> (Report, String) {
    let settings = Settings::new().seed(seed).discard_ratio(1000).explain(0).store(Store::Off);
    let report = Run::new("bad", property).settings(settings).report();
    let found = report.counterexample.as_ref().unwrap_or_else(|| panic!("{report:?}"));
    let values: Vec<_> = found.bindings.iter().map(|binding| binding.printed.text().to_owned()).collect();
    let values = values.join(" ");
    (report, values)
}

/// Whichever seed it is, the property ends with these values, and the report says that most inputs were rejected.
#[track_caller]
fn assert_ends_past_rejections(property: &dyn Property, end: &str) {
    for seed in 0..10 {
        let (report, values) = failed(property, seed);
        assert_eq!(values, end, "seed {seed}");
        let shrinking = &report.counterexample.as_ref().unwrap().shrinking;
        let said = format!("{} of {} simpler inputs were", shrinking.rejected, shrinking.evaluations);
        let text = render(&report, &Style::plain());
        assert!(text.contains("note:     ") && text.replace(',', "").contains(&said), "{text}");
    }
}

#[test]
#[ignore = "slow: 6 s"]
fn rejections_by_filters_loops_and_assumptions_are_skipped_and_reported() {
    let tenth = |n: &u32| n % 10 == 7;
    let filter = Empty.forall("n", move |(), s| s.draw(any::<u32>().filter(tenth))).check(|(n, ())| *n < 1000);
    assert_ends_past_rejections(&filter, "1007");
    let filters = Empty
        .forall("xs", move |(), s| s.draw(vec(any::<u32>().filter(tenth))))
        .check(|(xs, ())| xs.len() < 2 || xs.iter().map(|x| u64::from(*x)).sum::<u64>() < 1000);
    assert_ends_past_rejections(&filters, "[7, 997]");
    let looped = Empty
        .forall("n", move |(), s| {
            loop {
                let n = s.draw(any::<u32>());
                if tenth(&n) || s.is_rejected() {
                    return n;
                }
            }
        })
        .check(|(n, ())| *n < 1000);
    assert_ends_past_rejections(&looped, "1007");
    let assumed =
        Empty.forall("n", |(), s| s.draw(any::<u32>())).implies(|(n, ())| n % 10 == 7).check(|(n, ())| *n < 1000);
    assert_ends_past_rejections(&assumed, "1007");
    let body = Empty.forall("n", |(), s| s.draw(any::<u32>())).check(|(n, ())| {
        forall::assume!(n % 10 == 7);
        *n < 1000
    });
    assert_ends_past_rejections(&body, "1007");
    let pair = || range(0..100u32).zip(range(0..100u32)).filter(|(a, b)| a + b == 99);
    let pairs = Empty.forall("pair", move |(), s| s.draw(pair())).check(|((a, _), ())| *a < 30);
    assert_ends_past_rejections(&pairs, "(30, 69)");
}

#[test]
fn a_generator_that_rejects_little_is_not_reported() {
    let property = Empty.forall("n", |(), s| s.draw(any::<u32>().filter(|n| n % 5 > 0))).check(|(n, ())| *n < 1000);
    for seed in 0..20 {
        let (report, values) = failed(&property, seed);
        assert_eq!((values.as_str(), report.counterexample.unwrap().caveats), ("1001", Vec::new()), "seed {seed}");
    }
}

#[test]
fn a_generator_that_counts_its_calls_is_reported_with_both_values() {
    let calls = Cell::new(0u64);
    let property = Empty
        .forall("n", |(), s| {
            calls.set(calls.get() + 1);
            s.draw(0..10u64) + calls.get()
        })
        .check(|(n, ())| *n < 5);
    let (report, _) = failed(&property, 1);
    let text = render(&report, &Style::plain());
    assert!(
        text.contains("note:     the generator of `n` is not deterministic: the same choices produced ")
            && text.contains("the clock, a global"),
        "{text}"
    );
}

#[test]
fn a_generator_that_depends_on_hash_order_is_reported() {
    let property = Empty
        .forall("order", |(), s| {
            let names: HashMap<u32, u32> = (0..20).map(|n| (n, n)).collect();
            let last = s.draw(0..1000u32);
            names.into_keys().chain([last]).collect::<Vec<_>>()
        })
        .check(|(order, ())| order[20] < 10);
    let (report, _) = failed(&property, 1);
    let caveats = report.counterexample.unwrap().caveats;
    assert!(caveats.iter().any(|caveat| caveat.to_string().contains("the order of a hash map")), "{caveats:?}");
}

#[test]
fn values_with_an_unstable_debug_text_are_not_reported() {
    /// Its `Debug` lists the entries in the order of the hashes, which is another one for every map.
    #[derive(Debug)]
    struct Config {
        #[expect(dead_code, reason = "printed")]
        names: HashSet<(u32, String)>,
        limits: HashMap<u32, Vec<u8>>,
        #[expect(dead_code, reason = "printed, as an address")]
        place: *const u8,
    }
    let property = Empty
        .forall("config", |(), s| {
            let place = Box::into_raw(Box::new(0u8)).cast_const();
            let limits = s.draw(hash_map(any::<u32>(), any::<Vec<u8>>()));
            Config { names: (0..9).map(|n| (n, format!("{n}, {{"))).collect(), limits, place }
        })
        .check(|(config, ())| config.limits.len() < 5);
    for seed in 0..10 {
        let (report, _) = failed(&property, seed);
        assert_eq!(report.counterexample.unwrap().caveats, [], "seed {seed}");
    }
}

#[test]
fn faults_of_a_shrinker_are_reported() {
    let same = Empty
        .forall("n", |(), s| s.draw(any::<u32>()))
        .shrink(|(), n| Box::new(std::iter::repeat_n(*n, 3)))
        .check(|(n, ())| *n < 10);
    let panics = Empty
        .forall("n", |(), s| s.draw(any::<u32>()))
        .shrink(|(), n| Box::new((0..3).map(|_| if *n > 9 { panic!("no idea") } else { 0 })))
        .check(|(n, ())| *n < 10);
    for (property, said) in [(&same as &dyn Property, "looks like the original value"), (&panics, "panicked")] {
        let text = render(&failed(property, 1).0, &Style::plain().warnings(false));
        let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(text.contains("note: the shrinker of `n`") && text.contains(said), "{text}");
    }
}

#[test]
fn a_nondeterministic_generator_ends_with_an_input_that_failed() {
    let (runs, failed) = (Cell::new(0u64), RefCell::new(Vec::new()));
    let property = Empty
        .forall("xs", |(), s| {
            runs.set(runs.get() + 1);
            s.draw(vec(0..100 + runs.get()).len(..(5 + runs.get() % 7) as usize))
        })
        .check(|(xs, ())| {
            let fails = xs.iter().sum::<u64>() > 150;
            if fails {
                failed.borrow_mut().push(xs.clone());
            }
            !fails
        });
    let (case, _, story) = shrunk(&property, 1000);
    assert!(story.evaluations <= 1000);
    let xs = Source::replay(&case.sequence).draw(vec(0..10_000u64));
    assert!(failed.borrow().contains(&xs) || xs.iter().sum::<u64>() > 150, "{xs:?}");
    let report = Run::new("outside", &property).settings(Settings::new().seed(1).store(Store::Off)).report();
    assert!(!report.verdict.is_success());
    let caveats = report.counterexample.unwrap().caveats;
    assert!(caveats.iter().any(|caveat| caveat.to_string().contains("made different draws")), "{caveats:?}");
}

#[test]
fn a_second_bug_found_while_shrinking_is_not_confused_with_the_first() {
    let property = Empty.forall("n", |(), s| s.draw(any::<u32>())).check(|(n, ())| {
        assert!(*n == 0 || *n > 50, "small");
        assert!(*n < 1000, "large");
    });
    let tester = Tester::new("two", &property, 1);
    let case = Case { sequence: Sequence::from_values(100, &[70_000]), steps: Vec::new() };
    let (case, Tested::Fail(failure)) = tester.run(&case) else { panic!("it fails") };
    let (minimal, failure, story) = Shrinker::new(&tester, case, failure).shrink(|_, _, _| {});
    assert_eq!(minimal.sequence.values().collect::<Vec<_>>(), [1000]);
    assert_eq!(failure.message, "large");
    let others: Vec<_> = story.others.iter().map(|(_, failure)| failure.message.as_str()).collect();
    assert_eq!(others, ["small"], "but it is told");
}

#[test]
fn candidates_are_counted_per_pass() {
    let property = Empty.forall("xs", |(), s| s.draw(vec(any::<u32>()))).check(|(xs, ())| {
        if xs.iter().any(|x| *x > 100) {
            Outcome::Fail(Box::new(Failure::new(FailureKind::Falsified, "large")))
        } else {
            Outcome::Pass
        }
    });
    let (case, _, story) = shrunk(&property, 1000);
    assert_eq!(case.sequence.values().collect::<Vec<_>>(), [1, 101, 0]);
    assert_eq!(story.passes.iter().map(|pass| pass.tried).sum::<u64>(), story.evaluations + story.at_random);
    assert_eq!(story.passes.iter().map(|pass| pass.accepted).sum::<u64>(), story.accepted);
    assert!(story.candidates >= story.evaluations);
    assert!(story.passes.iter().any(|pass| pass.name == "lower numbers" && pass.accepted > 0), "{story:?}");
}

#[test]
fn random_candidates_are_counted_separately_and_deterministic() {
    fn common(a: u32, b: u32) -> u32 {
        if b == 0 { a } else { common(b, a % b) }
    }
    let property = Empty
        .forall("a", |(), s| s.draw(1..2000u32))
        .forall("b", |_, s| s.draw(1..2000u32))
        .check(|(b, (a, ()))| a >= b || common(*a, *b) != 6 || b % a == 0);
    let (case, _, story) = shrunk(&property, 10_000);
    assert!(story.at_random > 0 && story.evaluations < 1000, "{story:?}");
    assert_eq!(story.cut_short, None);
    let (again, _, told) = shrunk(&property, 10_000);
    assert_eq!((case, story.at_random), (again, told.at_random));
    // They have what the passes leave of the limit.
    let limit = story.evaluations + 20;
    let (_, _, story) = shrunk(&property, limit);
    // A pass may look at a few neighbours of a number at the limit.
    assert!(story.evaluations + story.at_random <= limit + 8, "{story:?}");
}

#[test]
fn trees_made_by_recursive_shrink_to_their_subtrees() {
    #[derive(Clone, Debug, PartialEq)]
    enum Json {
        Number(u8),
        Array(Vec<Json>),
    }
    fn has_pair(json: &Json) -> bool {
        let pair = Json::Array(vec![Json::Number(7), Json::Number(3)]);
        *json == pair || matches!(json, Json::Array(items) if items.iter().any(has_pair))
    }
    let json = recursive(any::<u8>().map(Json::Number), |inner| vec(inner).len(0..=3).map(Json::Array));
    let property = Empty.forall("json", move |(), s| s.draw(&json)).check(|(json, ())| !has_pair(json));
    let tester = Tester::new("recursive", &property, 1);
    // [5, [[7, 3], 9]]
    let values = [1, 1, 0, 5, 1, 1, 1, 1, 1, 0, 7, 1, 0, 3, 0, 1, 0, 9, 0, 0];
    let case = Case { sequence: Sequence::from_values(100, &values), steps: Vec::new() };
    let (case, Tested::Fail(failure)) = tester.run(&case) else { panic!("it fails") };
    let (minimal, _, story) = Shrinker::new(&tester, case, failure).shrink(|_, _, _| {});
    assert_eq!(minimal.sequence.values().collect::<Vec<_>>(), [1, 1, 0, 7, 1, 0, 3, 0]);
    assert!(story.passes.iter().any(|pass| pass.name == "subtrees for trees" && pass.accepted > 0), "{story:?}");
}

/// Something of everything: lists in lists, drawn lengths, filters, forks, loops, alternatives, spans.
fn anything(source: &mut Source, depth: u32) -> String {
    source.span(5, |s| match s.choice(if depth == 0 { 3 } else { 9 }) {
        0 => s.draw(any::<i16>()).to_string(),
        1 => s.draw(string('a'..='z')) + &s.draw(any::<char>()).to_string(),
        2 => s.draw(any::<f32>()).to_string(),
        3 => s.draw(any::<u8>().filter(|n| n % 3 == 1)).to_string(),
        4 => {
            let length = s.draw(0..5usize);
            format!("{:?}", s.draw(vec(any::<u8>()).len(length)))
        }
        5 => (0..s.choice(3)).map(|_| anything(s, depth - 1)).collect(),
        6 => format!("{:?}", s.draw(vec(from_fn(|s| anything(s, depth - 1))).len(0..4))),
        7 => {
            let mut fork = s.fork();
            let late = anything(s, depth - 1);
            late + &anything(&mut fork, depth - 1)
        }
        8 => s.draw(any::<Vec<Vec<bool>>>()).len().to_string() + &anything(s, depth - 1),
        _ => anything(s, depth - 1) + &anything(s, depth - 1),
    })
}

/// Failures without rhyme or reason take the shrinker everywhere. Nothing there may go wrong.
#[test]
fn shrinking_always_ends_with_a_simpler_failing_input() {
    let hash =
        |text: &str| text.bytes().fold(7u32, |hash, byte| (hash ^ u32::from(byte)).wrapping_mul(0x0100_0193) >> 1);
    for seed in 0..300 {
        let property = Empty
            .forall("a", |(), s| anything(s, 3))
            .forall("b", |_, s| anything(s, 2))
            .check(|(b, (a, ()))| hash(a) % 5 > 1 || hash(b) % 4 > 1);
        let tester = Tester::new("anything", &property, seed);
        let failing = (0..).find_map(|index| match tester.record(index, (index % 60) as u32) {
            (case, Tested::Fail(failure)) => Some((case, failure)),
            _ => None,
        });
        let (case, failure) = failing.unwrap();
        let length = case.sequence.len();
        let shrinker = Shrinker::new(&tester, case, failure).limits(600, Duration::from_secs(10));
        // A case of another size may be longer than the one before it, not than the first.
        let (minimal, _, story) = shrinker.shrink(|case, _, _| assert!(case.sequence.len() <= length, "seed {seed}"));
        assert!(minimal.sequence.len() <= length, "seed {seed}: {story:?}");
        let (drawn, tested) = tester.run(&minimal);
        assert!(matches!(tested, Tested::Fail(_)), "seed {seed}: {story:?}");
        assert_eq!(drawn, minimal, "seed {seed}");
    }
}
