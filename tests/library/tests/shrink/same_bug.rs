//! Shrinking stays on the bug that was found. Other bugs are reported separately, and failures that do not reproduce are flaky.

use forall::generate::string;
use forall::prelude::*;
use forall::property::{Empty, Property, Telescope};
use forall::report::{Style, render};
use forall::run::{Report, Run, Settings, Store, Tested, Verdict};
use std::cell::{Cell, RefCell};

fn run(property: &dyn Property, settings: Settings) -> Report {
    Run::new("bugs", property).settings(settings.store(Store::Off)).report()
}

/// The message and the first variable of the failure that was found, and of the others.
fn bugs(report: &Report) -> Vec<(String, String)> {
    let found = report.counterexample.as_ref().unwrap();
    std::iter::once(found)
        .chain(&found.others)
        .map(|bug| (bug.failure.message.clone(), bug.bindings[0].printed.text().to_owned()))
        .collect()
}

#[test]
fn values_in_a_message_do_not_keep_a_bug_from_being_shrunk() {
    let property = property! {
        forall xs: Vec<u32>;
        check {
            let large = xs.iter().find(|x| **x > 100);
            assert!(large.is_none(), "found {large:?} of \"{}\" in {xs:?}", xs.len());
        }
    };
    let report = run(&property, Settings::new().seed(1));
    assert_eq!(bugs(&report).len(), 1, "{:?}", bugs(&report));
    assert_eq!(bugs(&report)[0].1, "vec![101]");
}

#[test]
#[ignore = "slow: 5 s"]
fn every_bug_found_is_shrunk_and_reported_with_a_replay_command() {
    let property = property! {
        forall n: u32;
        check {
            assert!(!(30..33).contains(n), "small");
            assert!(!(250..260).contains(n), "middle");
            assert!(*n < 5000, "large");
        }
    };
    // A number for which shrinking passes by the others.
    let reports = (0..200).map(|seed| run(&property, Settings::new().seed(seed).tests(1000)));
    let report = reports.filter(|report| !report.verdict.is_success()).max_by_key(|report| bugs(report).len()).unwrap();
    let mut seen = bugs(&report);
    assert!(seen.len() > 1, "{seen:?}");
    seen.sort();
    for (message, value) in &seen {
        let simplest = match message.as_str() {
            "small" => "30",
            "middle" => "250",
            _ => "5000",
        };
        assert_eq!(value, simplest, "{seen:?}");
    }
    let text = render(&report, &Style::plain());
    assert_eq!(text.matches("\nalso: ").count(), seen.len() - 1, "{text}");
    let text = render(&report, &Style::plain().verbose(true));
    assert_eq!(text.matches("ANOTHER FAILURE").count(), seen.len() - 1, "{text}");
    assert_eq!(text.matches("replay: ").count(), seen.len(), "{text}");
}

/// Fails for every number, in eight ways.
fn eight_bugs(numbers: std::ops::Range<u64>) -> impl Property {
    const WORDS: [&str; 8] = ["alpha", "beta", "gamma", "delta", "epsilon", "zeta", "eta", "theta"];
    Empty
        .forall("n", move |(), s| s.draw(numbers.clone()))
        .check(|(n, ())| assert!(*n == 0, "{}", WORDS[(n % 8) as usize]))
}

#[test]
fn of_many_bugs_a_few_are_shown_in_full() {
    let property = eight_bugs(1000..100_000u64);
    let report = run(&property, Settings::new().seed(1));
    let found = report.counterexample.as_ref().unwrap();
    assert_eq!((&report.verdict, found.others.len()), (&Verdict::Failed, 3));
    assert!(!found.shrinking.others.is_empty());
    assert!(render(&report, &Style::plain()).contains("also: "));
}

#[test]
fn the_limits_hold_for_all_bugs_together() {
    let property = eight_bugs(1000..100_000_000u64);
    let report = run(&property, Settings::new().seed(1).shrink_evaluations(20));
    let found = report.counterexample.unwrap();
    let spent: u64 = std::iter::once(&found).chain(&found.others).map(|bug| bug.shrinking.evaluations).sum();
    assert!(spent <= 20, "{spent}");
}

#[test]
fn a_flaky_property_shows_both_runs_with_their_notes() {
    let runs = Cell::new(0);
    let property = property! {
        forall n: u64;
        check {
            runs.set(runs.get() + 1);
            note!("{} run", if runs.get() % 3 == 0 { "third" } else { "other" });
            assert!(runs.get() % 3 > 0 || *n < 10, "every third run fails");
        }
    };
    let report = run(&property, Settings::new().seed(1));
    assert_eq!(report.verdict, Verdict::Flaky);
    let found = report.counterexample.as_ref().unwrap();
    let again = |tested: &Tested| matches!(tested, Tested::Fail(other) if other.same_origin(&found.failure));
    let kinds = [
        found.other_run.iter().any(|(tested, _)| *tested == Tested::Pass),
        found.other_run.iter().any(|(tested, _)| again(tested)),
    ];
    assert_eq!(kinds, [true, true], "{found:?}");
    assert_eq!(
        (&found.notes[..], &found.other_notes[..]),
        (&["third run".to_owned()][..], &["other run".to_owned()][..])
    );
    let text = render(&report, &Style::plain());
    let (one, other) = text.split_once("other runs of the same input:").unwrap();
    assert!(one.contains("every third run fails") && one.contains("third run\n"), "{text}");
    assert!(other.contains("passed") && other.contains("other run\n"), "{text}");
}

#[test]
fn a_property_that_stops_failing_while_shrinking_is_flaky_with_an_input_that_failed() {
    let (runs, failed) = (Cell::new(0u64), RefCell::new(Vec::new()));
    let property = property! {
        forall n: u64;
        check {
            // Fails like any other until it has been shrunk a little, and then only for every other input.
            runs.set(runs.get() + u64::from(*n >= 1000));
            let fails = *n >= 1000 && (runs.get() < 6 || runs.get() % 2 == 0 && runs.get() < 100);
            if fails {
                failed.borrow_mut().push(*n);
            }
            assert!(!fails, "now and then");
        }
    };
    let report = run(&property, Settings::new().seed(1));
    let found = report.counterexample.as_ref().unwrap();
    assert!(failed.borrow().contains(&found.bindings[0].printed.text().parse().unwrap()), "{found:?}");
    assert!(found.shrinking.evaluations <= 10_000);
    assert!(matches!(report.verdict, Verdict::Flaky | Verdict::Failed), "{:?}", report.verdict);
}

#[test]
fn random_failures_are_flaky() {
    for (chance, at_most) in [(5u64, 1), (9, 2)] {
        let mut called_failed = 0;
        for seed in 0..30u64 {
            // Fails in so many runs of ten, whatever the input.
            let runs = Cell::new(seed << 32);
            let property = property! {
                forall n: u64;
                check {
                    runs.set(runs.get() + 1);
                    let mut random = Source::random(7, runs.get(), 100);
                    random.choice(9) >= chance
                }
            };
            let report = run(&property, Settings::new().seed(seed));
            called_failed += u32::from(report.verdict == Verdict::Failed);
            let is_flaky = report.verdict == Verdict::Flaky;
            assert!(is_flaky || report.verdict == Verdict::Failed, "{:?}", report.verdict);
            let claims = report.counterexample.unwrap().explanation.claims;
            assert!(!is_flaky || claims.is_empty(), "{claims:?}");
        }
        assert!(called_failed <= at_most, "{called_failed} of 30 with a chance of {chance} in ten");
    }
}

#[test]
fn constant_failures_are_not_flaky_and_slow_inputs_are_not_repeated() {
    let runs = Cell::new(0u64);
    let property = property! { forall n: u64; check { runs.set(runs.get() + 1); *n < 10 } };
    assert_eq!(run(&property, Settings::new().seed(1)).verdict, Verdict::Failed);
    let slow = property! {
        forall n: u64;
        check {
            runs.set(runs.get() + 1);
            std::thread::sleep(std::time::Duration::from_millis(10));
            false
        }
    };
    runs.set(0);
    let settings = Settings::new().seed(1).threads(1).explain(0).shrink_evaluations(0);
    assert_eq!(run(&slow, settings).verdict, Verdict::Failed);
    assert!(runs.get() <= 4, "found, recorded, made sure of and shown: {}", runs.get());
}

#[forall::property]
fn small_and_printed(n: u64) {
    if n > 5 {
        println!("n is {n}");
    }
    assert!(n < 1000);
}

#[forall::property]
fn small_and_noted(n: u64) {
    // A name like that of a macro, and no call of it.
    let println = !n;
    note!("n is {n}, {println}");
    assert!(n < 1000);
}

#[test]
fn a_body_that_prints_is_rerun_less_and_the_report_has_advice() {
    let report = |name: &str| {
        let entries = forall::registry::all();
        let entry = entries.iter().find(|entry| entry.identity.name.ends_with(name)).unwrap();
        let settings = (entry.settings)(Settings::new()).seed(1).store(Store::Off);
        Run::named(entry.identity.clone(), &*(entry.property)()).settings(settings).report()
    };
    let printed = report("small_and_printed").counterexample.unwrap();
    assert!((1..=5).contains(&printed.repeats), "{}", printed.repeats);
    let runs = printed.repeats + printed.shrinking.evaluations + printed.explanation.evaluations;
    assert!(runs > 20, "{runs}");
    let [caveat] = &printed.caveats[..] else { panic!("{:?}", printed.caveats) };
    assert!(
        caveat.to_string().contains(&format!("ran about {runs} times")) && caveat.to_string().contains("note!"),
        "{caveat}"
    );

    // On a busy machine a run may take too long to be repeated.
    let repeated = |report: &Report| report.counterexample.as_ref().is_some_and(|shown| shown.repeats > 1);
    let noted = std::iter::repeat_with(|| report("small_and_noted")).take(100).find(repeated).expect("it is repeated");
    let shown = noted.counterexample.as_ref().unwrap();
    assert!(shown.caveats.is_empty(), "{:?}", shown.caveats);
    let text = forall::report::render(&noted, &forall::report::Style::plain().verbose(true));
    assert!(text.contains(&format!("confirming: {} runs", shown.repeats)), "{text}");
}

/// Texts of which some word has a `q`: how the failure of the smallest is told.
fn words_with_q(fail: fn(&str) -> Result<(), String>) -> Vec<(String, String)> {
    let words = vec(string('a'..='z').len(1..=5)).len(1..=4).map(|words| words.join(" "));
    let property = property! { forall text in &words; check if text.contains('q') { fail(text) } else { Ok(()) } };
    let mut all: Vec<_> =
        (0..20).flat_map(|seed| bugs(&run(&property, Settings::new().seed(seed).tests(2000)))).collect();
    all.sort();
    all.dedup();
    all
}

#[test]
#[ignore = "slow: 6 s"]
fn input_strings_in_a_message_do_not_make_it_another_bug() {
    let told = |message: &str| vec![(message.to_owned(), "String::from(\"q\")".to_owned())];
    assert_eq!(words_with_q(|text| panic!("{text}")), told("q"));
    assert_eq!(words_with_q(|text| panic!("{text} has a letter too many")), told("q has a letter too many"));
    let returned = words_with_q(|text| Err(format!("wrong: {text}, that is")));
    assert_eq!(returned, told("the property returned an error: \"wrong: q, that is\""));
}
