//! Messages of the library that are seldom met, all in one place: each says what was seen, and what to do. (`tests/report.rs` pins those
//! that are met more often.)

use forall::choice::{DecodeError, Sequence, Source};
use forall::generate::{Regex, check_generator, check_shrinker, recursive};
use forall::lazy::Lazy;
use forall::prelude::*;
use forall::property::{Empty, Property, Telescope};
use forall::report::{Style, render};
use forall::run::profiles::Profiles;
use forall::run::{Fact, Identity, Kept, Run, Settings, Store, Verdict};
use forall::store::{Cause, Entry, EntryError, StoreError};
use insta::assert_snapshot;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

fn listed(texts: impl IntoIterator<Item = String>) -> String {
    texts.into_iter().map(|text| text + "\n\n").collect()
}

#[test]
fn rare_facts_have_advice() {
    let seconds = Duration::from_secs;
    let text = |text: &str| text.to_owned();
    let (variable, property, origin) = (text("xs"), text("demo::sorts"), text(".forall/sorts/1.case"));
    let place = Some(text("src/lib.rs:3:5"));
    let facts = [
        Fact::Stopped { valid: 17, wanted: 256 },
        Fact::FeedbackPanicked { message: text("index out of bounds") },
        Fact::ScoreIsNan,
        Fact::RunnerNamedTwice { runner: text("mine"), places: vec![text("src/lib.rs:3"), text("tests/a.rs:7")] },
        Fact::RunnerPanicked { runner: text("mine"), message: text("index out of bounds, at src/lib.rs:9:5") },
        Fact::RunnerReportedAnother { runner: text("mine"), property: text("demo::other") },
        Fact::RunnerDidNotFinish { runner: text("mine") },
        Fact::CoverNotMet { label: text("empty"), percent: 10.0, hits: 3, valid: 256, low: 0.2, high: 3.4 },
        Fact::NotDecidable,
        Fact::ExplanationSlow { runs: 0 },
        Fact::NoProcess { error: text("Resource temporarily unavailable (os error 11)") },
        Fact::DeadlineMissedWaiting { deadline: seconds(2) },
        Fact::GeneratorCrashed { message: text("SIGSEGV") },
        Fact::OtherValue { variable: variable.clone(), first: text("vec![1]"), second: text("vec![2]") },
        Fact::Unrecorded { limit: 1_000_000 },
        Fact::BeginningOfUnrecorded { limit: 1_000_000 },
        Fact::StillRunning {
            property: property.clone(),
            test: Some(text("sorts")),
            index: 17,
            seed: 0x1f,
            tests: 256,
            taken: seconds(10),
        },
        Fact::FailedMeanwhile { message: text("two threads inside"), path: Some(origin.clone()) },
        Fact::BesideOutOfRange { beside: 0, most: 256 },
        Fact::StillRunningInput { property: property.clone(), taken: seconds(10) },
        Fact::StillAtTest { property: property.clone(), index: 17, seed: 0x1f, taken: seconds(10) },
        Fact::PanickedTwice { property, index: 17, seed: 0x1f, panics: vec![text("first"), text("second")] },
        Fact::NothingWasRunning,
        Fact::PathChanged { origin: origin.clone(), value: text("xs = [_]") },
        Fact::ShrinkingEndedTheProcess { origin: origin.clone() },
        Fact::UnknownVariable { variable: text("FORALL_TSETS") },
        Fact::IgnoredWithoutFeature { what: text("FORALL_LITERALS"), feature: "full" },
        Fact::IgnoredWithoutFeature { what: text("demo/forall.toml"), feature: "full" },
        Fact::NeedsTokio,
        Fact::NotInstrumented,
        Fact::IsolatedCoverage,
        Fact::IsolatedSearch,
        Fact::NoSuchProperty { property: text("demo::sorst") },
        Fact::EmptyShard { tests: 3 },
        Fact::FoundMeanwhile { message: text("two threads inside"), path: Some(origin.clone()) },
        Fact::PastKnown { failures: 2, tests: 1234 },
        Fact::CheckpointUnusable { path: text("/tmp/checkpoint"), error: text("it is not the index of a test") },
        Fact::CorpusIsNoDirectory { scheme: text("redis") },
        Fact::CorpusIsMissing { path: text("/shared/corpus") },
        Fact::CorpusIsNone { path: text("/shared") },
        Fact::CorpusIsOfAnotherVersion { path: text("/shared/corpus"), found: text("forall corpus 7") },
        Fact::SearchIsNotSplit,
        Fact::NothingToKeep,
        Fact::ShrinkerPanicked { variable: variable.clone(), message: text("index out of bounds"), place },
        Fact::ShrinkerReturnsTheValue { variable: variable.clone() },
        Fact::ShrinkerGoesInCircles { variable: variable.clone() },
        Fact::TooManySteps { steps: 100_000 },
        Fact::TooManyDiscards { valid: 1, discarded: 1, clause: text("xs.is_sorted()"), ratio: 10 },
        Fact::AllDiscarded { discarded: 1, clause: text("xs.is_sorted()") },
        Fact::NoLongerFails { origin, threads: None, kept: Kept::Corpus },
        Fact::ShrinkerOnlyGrows { variable },
        Fact::MostlyRejected { rejected: 990, tried: 1000 },
        Fact::ExplanationSlow { runs: 40 },
    ];
    assert_snapshot!("seldom_given", listed(facts.map(|fact| fact.to_string())));
    let signals = [6, 9, 11, 31].map(|signal| Fact::KilledBySignal { signal });
    let ends = signals.into_iter().chain([Fact::CalledExit, Fact::Hung { limit: seconds(10) }]);
    assert_snapshot!("ends_of_processes", listed(ends.map(|fact| fact.to_string())));
    let crashes = [0, 3].map(|earlier| Fact::CrashDidNotRepeat { earlier });
    let crashes = crashes.into_iter().chain([Fact::CrashHistoryTooLong { earlier: 300 }]);
    assert_snapshot!("crashes_that_do_not_repeat", listed(crashes.map(|fact| fact.to_string())));
}

#[test]
fn unreadable_entries_and_sequences() {
    let id = "00c0ffee00c0ffee".parse().unwrap();
    let errors = [
        EntryError::NotAnEntry,
        EntryError::Format("2".to_owned()),
        EntryError::Choices(1),
        EntryError::Choices(3),
        EntryError::Kind("dream".to_owned()),
        EntryError::NotText { line: 3 },
        EntryError::Line { number: 2, found: "\"kindness\"".to_owned(), expected: "`kind failure`" },
        EntryError::Missing("case"),
        EntryError::Case(DecodeError::Checksum.to_string()),
        EntryError::TooLarge,
        EntryError::Property { expected: "demo::sorts".to_owned(), found: "\"demo::other\"".to_owned() },
        EntryError::Name { expected: id },
        EntryError::NotAFile,
        EntryError::Unreadable("Permission denied (os error 13)".to_owned()),
        EntryError::TooMany { left_out: 3 },
    ];
    assert_snapshot!("entries", listed(errors.map(|error| error.to_string())));
    let denied = std::io::Error::from(std::io::ErrorKind::PermissionDenied);
    let errors = [
        StoreError::io("write", ".forall/sorts/1.case", &denied),
        StoreError::io("write", ".forall/sorts/1.case", &std::io::ErrorKind::StorageFull.into()),
        StoreError::io("write", ".forall/sorts/1.case", &std::io::ErrorKind::NotADirectory.into()),
        StoreError::io("read", ".forall/sorts", &std::io::Error::other("Input/output error (os error 5)")),
        StoreError::new("write", ".forall/sorts", Cause::Link),
        StoreError::new("write", ".forall/sorts", Cause::ReadOnly),
        StoreError::new("write", ".forall/sorts", Cause::Entry(EntryError::TooLarge)),
    ];
    assert_snapshot!("stores", listed(errors.map(|error| error.to_string())));
    let given = ["", "7-AAAA", "1-AAAA", "abc", "2-A!", "2-AAAA", "2-ZDuFOCxD6wTuDgMci0Q"];
    let long = format!("2-{}", "A".repeat(64 << 20));
    let told = |text: &str| Sequence::from_text(text).unwrap_err().to_string();
    let malformed = [2, 0xff, 0xff, 0xff, 0xff, 0xff, 0x7f, 0, 0, 0, 0, 0, 0, 0, 0];
    let malformed = Sequence::from_bytes(&malformed).unwrap_err().to_string();
    assert_eq!(malformed, "the sequence is malformed; paste it as it was printed");
    assert_snapshot!("sequences", listed(given.map(told)) + &told(&long));
    assert!(Entry::from_bytes(b"").is_err());
}

#[test]
fn invalid_profiles_are_reported() {
    let files = [
        "[ci",
        "[]",
        "[ci]\n[ci]",
        "= 3",
        "tests",
        "tests =",
        "tests = 3 4",
        "tests = 1\ntests = 2",
        "tests = many",
        "tests = -3",
        "tests = [1]",
        "inherits = \"ci\"",
        "max_time = \"30s",
        "store = \"a\\b\"",
        "tsets = 3",
        "max_time = \"soon\"",
        "memory = \"much\"",
        "shrink_on = \"luck\"",
        "threads = 0",
        "[a]\ninherits = \"a\"",
    ];
    let told = files.map(|file| {
        let parsed = Profiles::parse(file, "forall.toml").and_then(|profiles| profiles.under("a", Settings::new()));
        format!("{file}\n{}", parsed.expect_err(file))
    });
    assert_snapshot!("profiles", listed(told));
}

#[test]
fn invalid_regular_expressions_are_reported() {
    let patterns = [
        "(",
        r"\y",
        r"\p{Nope}",
        "a(?=b)",
        r"(a)\1",
        "(?-u)\\xff",
        "[a&&b]",
        r"a\bc",
        "a$b",
        "a^b",
        "a{1000001}",
        "a{1000000}",
    ];
    let told = patterns.map(|pattern| match Regex::new(pattern) {
        Ok(_) => format!("{pattern} is fine"),
        Err(error) => error.to_string(),
    });
    assert_snapshot!("patterns", listed(told));
}

#[test]
fn invalid_searches_are_reported() {
    let property = property! { forall xs: Vec<u8>; check { assume!(xs.len() > 100); true } };
    let told = |settings: Settings| {
        let report = Run::new("search", &property).settings(settings.runner("exhaustive").store(Store::Off)).report();
        match report.verdict {
            Verdict::GaveUp(why) | Verdict::Misconfigured(why) | Verdict::NotDecidable(why) | Verdict::Faulty(why) => {
                why.to_string()
            }
            verdict => format!("{verdict:?}"),
        }
    };
    let checked = property! { forall a: bool; forall b: bool; check u8::from(*a) + u8::from(*b) < 3 };
    let settings = Settings::new().runner("exhaustive").depth(3).evaluations(1).store(Store::Off);
    let verdict = Run::new("search", &checked).settings(settings).report().verdict;
    let Verdict::GaveUp(too_few) = verdict else { panic!("one evaluation is too little: {verdict:?}") };
    assert_snapshot!("too_few_evaluations", too_few.to_string());
    assert_snapshot!(
        "searches",
        listed([
            told(Settings::new().depth(1)),
            told(Settings::new().depth(3).evaluations(0)),
            told(Settings::new().depth(3).evaluations(1)),
            told(Settings::new().threads(0)),
        ])
    );
}

#[test]
fn entries_with_invalid_lines_are_reported() {
    let entry = "forall 1\nkind failure\nproperty demo::sorts\nversion 0.1.0\ncase 2-ZDuFOCxD6wTuDgMci0Q\n";
    let lines = [
        "\\ \\u{zz}",
        "version \\q",
        "unfinished soon",
        "beside him",
        "value xs",
        "| a text of nothing",
        "kind failure",
        "kindness",
        &format!("{}after x", "after x\n".repeat(1024)),
        &format!("{}value y: u8", "value x: u8\n".repeat(1024)),
    ];
    let told = lines.map(|line| Entry::from_bytes(format!("{entry}{line}\n").as_bytes()).unwrap_err().to_string());
    assert_snapshot!("wrong_lines", listed(told));
    let steps = entry.replace("Mci0Q\n", &format!("Mci0Q{}\n", "+s0.1".repeat((1 << 20) + 1)));
    let told = Entry::from_bytes(steps.as_bytes()).unwrap_err().to_string();
    assert_snapshot!("too_many_steps", told);
}

#[test]
fn unknown_words_are_reported() {
    let told = [
        "c0ffee".parse::<forall::store::Id>().unwrap_err(),
        "luck".parse::<forall::run::ShrinkOn>().unwrap_err(),
        forall::run::protocol::Request::parse("fly").unwrap_err().to_string(),
    ];
    assert_snapshot!("words", listed(told));
}

/// Types that contain each other, always.
#[derive(Arbitrary, Debug)]
struct Chicken(#[allow(dead_code)] Box<Egg>);

#[derive(Arbitrary, Debug)]
struct Egg(#[allow(dead_code)] Box<Chicken>);

/// A value whose computation looks at the value.
fn needs_itself() -> Lazy<u8> {
    let place = std::rc::Rc::new(std::cell::RefCell::new(None::<Lazy<u8>>));
    let inside = place.clone();
    let value = Lazy::defer(move || **inside.borrow().as_ref().expect("it was put there"));
    *place.borrow_mut() = Some(value.clone());
    value
}

/// The message of a run with an invalid generator.
fn faulty(property: &dyn Property) -> String {
    let report = Run::new("faulty", property).settings(Settings::new().seed(1).store(Store::Off)).report();
    match report.verdict {
        Verdict::Faulty(why) | Verdict::GaveUp(why) => why.to_string(),
        verdict => format!("{verdict:?}"),
    }
}

#[test]
#[allow(clippy::reversed_empty_ranges, reason = "that is what is told")]
fn misused_generators_are_reported() {
    let gone = {
        let kept = std::cell::RefCell::new(None);
        let _tree = recursive(any::<u8>(), |inner| {
            *kept.borrow_mut() = Some(inner.clone());
            inner.map(|n: u8| n / 2)
        });
        kept.into_inner().expect("it was given")
    };
    let told = [
        faulty(&Empty.forall("n", move |(), source| source.draw(&gone)).check(|_| true)),
        faulty(&Empty.forall("xs", |(), source| source.draw(vec(any::<u8>()).len(5..2))).check(|_| true)),
        faulty(&Empty.forall("xs", |(), source| source.draw(vec(any::<u8>()).len(5..=2))).check(|_| true)),
        faulty(&Empty.forall("x", |(), source| source.draw(f64::INFINITY..)).check(|_| true)),
        faulty(&Empty.forall("x", |(), source| source.draw(..=f64::NEG_INFINITY)).check(|_| true)),
        faulty(&Empty.forall("x", |(), _| *needs_itself()).check(|_| true)),
        faulty(&Empty.forall("egg", |(), source| source.draw(any::<Egg>())).check(|_| true)),
    ];
    // Where in the library a panic is does not matter.
    let told = told.map(|text| match text.split_once("forall/src/lazy/cell.rs:") {
        Some((before, after)) => {
            format!("{before}[place]{}", after.trim_start_matches(|c: char| c.is_ascii_digit() || c == ':'))
        }
        None => text,
    });
    assert_snapshot!("misused", listed(told));
}

/// The message for a generator that changes its draws every few calls, whichever call is replayed.
fn replays_otherwise() -> forall::generate::Broken {
    let broken = |every: u32| {
        let calls = std::cell::Cell::new(0);
        let odd = |source: &mut Source| {
            calls.set(calls.get() + 1);
            if u32::is_multiple_of(calls.get(), every) {
                source.draw(0..9u8)
            } else {
                source.draw(0..9u8) + source.draw(0..9u8)
            }
        };
        check_generator(from_fn(odd)).run().unwrap_err()
    };
    (2..100).map(broken).find(|broken| broken.to_string().contains("replayed")).expect("it is replayed")
}

#[test]
fn violated_laws_of_generators_and_shrinkers_are_reported() {
    let calls = std::cell::Cell::new(0u32);
    let changing = |source: &mut Source| {
        calls.set(calls.get() + 1);
        (0..calls.get() % 3).map(|_| source.draw(any::<u8>())).fold(0, u8::wrapping_add)
    };
    let panics = |source: &mut Source| 7 / source.draw(0..2u8);
    let endless = |source: &mut Source| (0..200_000).map(|_| source.draw(0..9u8)).fold(0, u8::wrapping_add);
    let few = |source: &mut Source| source.draw(vec(0..9u8).len(30)).len();
    let told = [
        check_generator(0..10).valid(|n| *n < 9).run().unwrap_err(),
        replays_otherwise(),
        check_generator(0..10).reaches("ten", |n| *n == 10).run().unwrap_err(),
        check_generator(from_fn(panics)).run().unwrap_err(),
        check_generator(from_fn(changing)).run().unwrap_err(),
        check_generator(from_fn(endless)).run().unwrap_err(),
        check_generator(from_fn(few)).most_choices(10).run().unwrap_err(),
        check_shrinker(0..10u8, |n: &u8| Box::new([*n].into_iter())).run().unwrap_err(),
        check_shrinker(0..10u8, |n: &u8| Box::new([n.wrapping_add(1)].into_iter())).run().unwrap_err(),
        check_shrinker(1..10u8, |n: &u8| Box::new([n + 1].into_iter())).smaller(|a, b| a < b).run().unwrap_err(),
        check_shrinker(1..10u8, |n: &u8| Box::new((*n > 0).then(|| n - 1).into_iter()))
            .valid(|n| *n > 0)
            .run()
            .unwrap_err(),
    ];
    assert_snapshot!("laws", listed(told.map(|broken| broken.to_string())));
}

#[test]
fn invalid_corpus_inputs_are_reported() {
    use forall::run::Case;
    use forall::store::Seeds;
    let root = forall::scratch_dir().unwrap();
    let corpus = Seeds::new(&root, "demo::sorts");
    let write = |name: &str, contents: &[u8]| std::fs::write(corpus.folder().join(name), contents).unwrap();
    std::fs::create_dir_all(corpus.folder().join("folder.seed")).unwrap();
    write("large.seed", &vec![b'1'; (1 << 20) + 1]);
    write("bytes.seed", &[0xff]);
    write("scribble.seed", b"scribble");
    let sized = Case { sequence: Sequence::from_values(2_000_000_000, &[1]), steps: Vec::new() };
    write("sized.seed", sized.to_text().as_bytes());
    let property = property! { forall xs: Lazy<forall::lazy::List<bool>>; check xs.is_empty() };
    let settings = Settings::new().runner("exhaustive").depth(3).store(Store::Off);
    let searched = Run::new("search", &property).settings(settings).report().counterexample.unwrap().case;
    write("searched.seed", searched.to_text().as_bytes());
    let mut told: Vec<_> = corpus.load().skipped.iter().map(ToString::to_string).collect();
    told.sort();
    assert_snapshot!("seeds", listed(told).replace(&corpus.folder().display().to_string(), "FOLDER"));
    for number in 0..150 {
        write(&format!("{number}.seed"), b"scribble");
    }
    let more = corpus.load().skipped.pop().unwrap();
    assert_eq!(more.to_string(), "56 more files there are not used; delete them");
}

#[test]
fn saved_entries_begin_with_an_explanation() {
    use forall::run::Case;
    let case = || Case { sequence: Sequence::from_values(6, &[1]), steps: Vec::new() };
    let mut long = Entry::failure("demo::sorts", case());
    long.message = "a line of a message that has no end\n".repeat(100_000);
    let texts = [
        Entry::failure("demo::sorts", case()),
        Entry::seed("demo::sorts", case()),
        Entry::best("demo::sorts", case(), 7.5),
        Entry::statistics("demo::sorts", "{\"valid\":1}"),
    ]
    .map(|entry| entry.to_text());
    // The version of the library is none of this.
    assert_snapshot!("tops", listed(texts).replace(env!("CARGO_PKG_VERSION"), "VERSION"));
    let long = long.to_text();
    assert!(long.contains("… (truncated, 3600000 bytes in total)\n"), "{}", &long[long.len() - 100..]);
}

#[test]
fn generators_have_debug_output() {
    let inner = std::cell::RefCell::new(String::new());
    let tree = recursive(any::<u8>(), |part| {
        *inner.borrow_mut() = format!("{part:?}");
        part.map(|n: u8| n / 2)
    });
    assert_eq!(format!("{tree:?}"), "a recursive generator of u8");
    assert_eq!(inner.into_inner(), "the inner generator of u8");
}

/// A value that cannot be shown.
struct Shy(u8);

impl std::fmt::Debug for Shy {
    fn fmt(&self, _: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        panic!("{} is nobody's business", self.0)
    }
}

#[test]
fn a_value_whose_debug_panics_is_reported_with_the_panic() {
    let property = Empty.forall("shy", |(), source| Shy(source.draw(any()))).check(|(shy, ())| shy.0 < 10);
    let report = Run::new("shy", &property).settings(Settings::new().seed(1).store(Store::Off)).report();
    let shown = report.counterexample.unwrap().bindings[0].printed.text().to_owned();
    let (text, _) = shown.split_once(", at ").unwrap();
    assert_eq!(text, "<printing it panicked: 10 is nobody's business");
}

/// A value that prints another number each time.
struct Ticket(u8);

impl std::fmt::Debug for Ticket {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        static PRINTED: AtomicU64 = AtomicU64::new(1_000);
        write!(f, "Ticket {{ seat: {}, printed: {} }}", self.0, PRINTED.fetch_add(1, Ordering::Relaxed))
    }
}

#[test]
fn a_value_whose_debug_differs_each_time_is_reported_without_claims_about_it() {
    let property = Empty
        .forall("ticket", |(), source| Ticket(source.draw(any())))
        .forall("row", |_, source| source.draw(any::<u8>()))
        .check(|(_, (ticket, ()))| ticket.0 < 10);
    let settings = Settings::new().seed(1).store(Store::Off);
    let mut report = Run::named(Identity::new("tickets"), &property).settings(settings).report();
    report.time = Duration::from_micros(1234);
    let text = render(&report, &Style::plain());
    let mut parts = text.split("printed: ");
    let mut shown = parts.next().unwrap().to_owned();
    for part in parts {
        shown += "printed: …";
        shown += part.trim_start_matches(|c: char| c.is_ascii_digit());
    }
    assert_snapshot!("debug_differs", shown);
}

#[test]
#[ignore = "slow: 10 s"]
fn a_property_that_takes_a_second_is_reported_after_few_evaluations() {
    let property = property! { forall n: u32; check { std::thread::sleep(Duration::from_secs(1)); *n < 1_000 } };
    let settings = Settings::new().seed(1).store(Store::Off).enumerate(false).shrink_evaluations(3);
    let report = Run::new("slow", &property).settings(settings).report();
    let found = report.counterexample.as_ref().unwrap();
    assert!(found.shrinking.evaluations <= 3 && found.shrinking.at_random == 0, "{:?}", found.shrinking);
    assert!(found.explanation.evaluations <= 3 && found.explanation.claims.is_empty(), "{:?}", found.explanation);
    let text = render(&report, &Style::plain());
    assert!(text.contains("stopped after 3 evaluations (`FORALL_SHRINK_EVALUATIONS`)"), "{text}");
    assert!(text.contains("not explained, because the tests are slow"), "{text}");
}

#[test]
fn a_panic_without_a_message_is_reported() {
    let property = property! { forall n: u8; check if *n > 9 { std::panic::panic_any(7) } };
    let report = Run::new("dumb", &property).settings(Settings::new().seed(1).store(Store::Off)).report();
    assert_eq!(report.counterexample.unwrap().failure.message, "a panic without a message");
}

#[test]
fn an_incomplete_explanation_is_reported_with_the_reason() {
    let slow = property! { forall n: u64; check { std::thread::sleep(Duration::from_millis(60)); *n < 10 } };
    let settings = || Settings::new().seed(1).store(Store::Off).shrink_evaluations(0);
    let found = Run::new("slow", &slow).settings(settings()).report().counterexample.unwrap();
    let why = found.explanation.cut_short.unwrap().to_string();
    let plain: String = why.chars().map(|c| if c.is_ascii_digit() { '0' } else { c }).collect();
    assert_eq!(plain.replace("00", "0"), "after 0 runs, because they are slow");
    let large = property! { forall xs in vec(any::<u64>()).len(5000); check xs.len() < 10 };
    let found = Run::new("large", &large).settings(settings().explain(100)).report().counterexample.unwrap();
    let why = found.explanation.cut_short.unwrap().to_string();
    let plain: String = why.chars().map(|c| if c.is_ascii_digit() { '0' } else { c }).collect();
    assert_eq!(plain.replace("00", "0"), "after 0 runs, because the values are large");
}

#[test]
fn facts_of_other_machines_have_advice() {
    let lost = Fact::InputNotWritten { path: "target/x".to_owned(), error: "Permission denied".to_owned() };
    let expected = "The input of a test that crashes will be lost, because target/x cannot be written: Permission denied. Make the target \
                    directory writable, or set CARGO_TARGET_DIR to another one.";
    assert_eq!(lost.to_string(), expected);
    let expected = "Coverage is supported on x86-64 Linux only.\nRun the property there, or use another runner.";
    assert_eq!(Fact::CoverageNeedsLinux.to_string(), expected);
}

#[test]
fn durations_and_amounts_that_do_not_parse_have_advice() {
    let time = "soon".parse::<forall::run::Time>().unwrap_err();
    assert_eq!(time, "`soon` is not a duration: use 200ms, 30s, 5m or 1h");
    let memory = "lots".parse::<forall::run::Bytes>().unwrap_err();
    assert_eq!(memory, "`lots` is not an amount of memory: use 64KB, 512MB or 2GiB");
}

#[test]
fn a_search_whose_failure_does_not_reproduce_has_advice() {
    insta::assert_snapshot!(Fact::SearchDoesNotRepeat.to_string(), @r"
    The property failed for this input, but passed when the same input was rerun.
    Remove everything it depends on besides its input: time, global state, the order of a hash map, changes to parts of the input.
    ");
}
