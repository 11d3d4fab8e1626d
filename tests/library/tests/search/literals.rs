//! Literals of the tested code as test data.

use forall::choice::{Sequence, Source};
use forall::prelude::*;
use forall::property::Property;
use forall::registry::Declared;
use forall::run::{Event, Found, Observer, Report, Run, Settings, Store, Verdict};

/// A run with the default number of tests.
fn run(property: &dyn Property, seed: u64) -> Report {
    Run::new("literals", property).settings(Settings::new().seed(seed).store(Store::Off)).report()
}

/// The printed counterexamples for a few seeds.
fn found<D: Declared>(_: fn() -> D::Property) -> Vec<Vec<String>> {
    (0..20).map(|seed| shown(&run(&D::property(), seed))).collect()
}

fn shown(report: &Report) -> Vec<String> {
    let found = report.counterexample.as_ref().map(|found| &found.bindings[..]).unwrap_or_default();
    found.iter().map(|binding| binding.printed.text().to_owned()).collect()
}

/// Declares properties that fail for the values at their end, and tests that these are found whatever the seed.
macro_rules! finds {
    ($($name:ident($($parameter:ident: $type:ty $(= $generator:expr)?),*) $body:block: $($value:expr),*;)*) => {$(
        #[test]
        fn $name() {
            #[forall::property]
            #[allow(clippy::float_cmp)]
            fn fails($($(#[forall($generator)])? $parameter: $type),*) $body
            let mut others = found::<fails>(fails::property);
            others.retain(|values| *values != [$($value),*]);
            assert_eq!(others, [] as [Vec<String>; 0]);
        }
    )*};
}

finds! {
    bytes(n: u8) { assert!(n != 0xb7) }: "183";
    negative_numbers(n: i16) { assert!(n != -31_007) }: "-31007";
    long_numbers(n: u64, _m: i32) { assert!(n != 0x5eed_cafe_0bad_f00d) }: "6840346601512103949", "0";
    very_long_numbers(n: i128) { assert!(n != 170_141_183_460_469_231_731_687) }: "170141183460469231731687";
    the_longest_numbers(n: u128 = 5..) { assert!(n != 0xffff_0000_ffff_0000_ffff_0000_ffff_0000) }:
        "340277174703306882242637262502835978240";
    one_of_many(n: u32) {
        let magic = [90_001, 90_037, 90_053, 90_059, 90_067, 90_071];
        assert!(n != 90_059 || !magic.contains(&n));
    }: "90059";
    inside_of_ranges(n: i64 = 1_000..1_000_000_000) { assert!(n != 123_456_789) }: "123456789";
    floats(x: f64) { assert!(x != 2.998e8) }: "299800000.0";
    floats_of_ranges(x: f32 = 0.0..1e9) { assert!(x != 6.5e4) }: "65000.0";
    characters(c: char) { assert!(c != '水') }: "'水'";
    characters_of_ranges(c: char = '\u{1000}'..) { assert!(c != '水') }: "'水'";
    whole_texts(s: String) { assert!(s != "magic header") }: "String::from(\"magic header\")";
    beginnings_of_bytes(bytes: Vec<u8>) { assert!(!(bytes.starts_with(b"\x89PNG") && bytes.len() > 6)) }:
        "vec![137, 80, 78, 71, 0, 0, 0]";
    arrays_of_bytes(bytes: [u8; 4]) { assert!(bytes != *b"RIFF") }: "[82, 73, 70, 70]";
    parts_of_texts(s: String) { assert!(!s.contains("needle") || s.starts_with("needle")) }:
        "String::from(\"aneedle\")";
}

#[test]
#[ignore = "slow: 4 s"]
fn values_of_struct_fields_are_usually_found() {
    #[forall::property]
    fn fails(pair: (Option<String>, Vec<u32>)) {
        assert!(!(pair.0.as_deref() == Some("key") && pair.1.contains(&65_537)));
    }
    let (all, mut found) = (60, Vec::new());
    for seed in 0..all {
        found.extend(shown(&run(&fails::property(), seed)));
    }
    assert!(found.iter().all(|value| value == "(Some(String::from(\"key\")), vec![65537])"), "{found:?}");
    // 97 in 100 are: it takes two literals in one test.
    assert!(found.len() >= 54, "{} of {all}", found.len());
}

#[test]
#[ignore = "slow: 4 s"]
fn neighbours_are_found_mostly() {
    #[forall::property]
    fn next(n: u32) {
        assert!(n != 0x5eed_cafe + 1);
    }
    #[forall::property]
    fn previous(n: u32) {
        assert!(n != 0x5eed_cafe - 1);
    }
    let all = [found::<next>(next::property), found::<previous>(previous::property)].concat();
    assert!(all.iter().filter(|values| !values.is_empty()).count() >= 35, "{all:?}");
}

#[test]
fn a_failure_is_reported_and_replayed_without_the_literals() {
    #[forall::property]
    fn has_it(n: u32) {
        assert!(n != 0x5eed_cafe, "found it");
    }
    #[forall::property]
    fn no_longer_has_it(n: u32) {
        let _ = n;
    }
    let report = run(&has_it::property(), 7);
    let counterexample = report.counterexample.as_ref().unwrap();
    assert!(matches!(counterexample.found, Found::Literals { .. }));
    assert!(forall::report::render(&report, &forall::report::Style::plain()).contains("with literals from the source"));
    let value = |property: &dyn Property, sequence: &Sequence| {
        property.print(&mut Source::replay(sequence), &[]).unwrap()[0].printed.text().to_owned()
    };
    let sequence = &counterexample.case.sequence;
    assert_eq!(value(&no_longer_has_it::property(), sequence), value(&has_it::property(), sequence));
}

#[test]
fn the_same_seed_gives_the_same_tests_and_random_ones_stay() {
    use std::sync::Mutex;
    static SEEN: Mutex<Vec<u32>> = Mutex::new(Vec::new());
    #[forall::property]
    fn with(n: u32) {
        SEEN.lock().unwrap().push(n);
        assert_ne!(n.wrapping_mul(3), 777_777);
    }
    #[forall::property]
    fn without(n: u32) {
        SEEN.lock().unwrap().push(n);
    }
    let seen = |property: &dyn Property| {
        assert_eq!(run(property, 7).verdict, Verdict::Passed);
        std::mem::take(&mut *SEEN.lock().unwrap())
    };
    let (first, again, random) = (seen(&with::property()), seen(&with::property()), seen(&without::property()));
    assert_eq!(first, again);
    assert_eq!(random.len(), 256);
    assert_eq!(first[first.len() - 256..], random, "the random tests are those without literals");
    assert!(first.len() <= 256 + 64 && first[..64].contains(&777_777));
}

#[test]
fn a_time_limited_run_spends_most_time_on_random_tests() {
    #[forall::property]
    fn slow(n: u32) {
        std::thread::sleep(std::time::Duration::from_millis(1));
        assert_ne!(n.wrapping_mul(3), 777_777);
    }
    // A literal is worth 256 tests, which take longer than all of the time.
    let limit = std::time::Duration::from_millis(200);
    let settings = Settings::new().seed(7).store(Store::Off).tests(u64::MAX).max_time(limit);
    let report = Run::new("literals", &slow::property()).settings(settings).report();
    assert_eq!(report.verdict, Verdict::Passed);
    assert!(report.statistics.valid > 0);
}

#[test]
fn labels_and_requirements_are_about_random_tests() {
    #[forall::property]
    fn labelled(n: u32) {
        classify!(n == 40_404, "literal");
    }
    let report = run(&labelled::property(), 3);
    assert_eq!((report.statistics.valid, report.statistics.labels.get("literal")), (256, None));
}

#[cfg(target_os = "linux")]
#[forall::test(isolate, tests = 100)]
#[should_panic(expected = "7777777")]
fn isolated_tests_use_literals(n: u32) {
    if n == 7_777_777 {
        std::process::abort();
    }
}

#[test]
fn guided_runners_begin_with_literals() {
    #[forall::property]
    fn guided(n: u64) {
        assert!(n != 0x0123_4567_89ab);
    }
    for runner in ["targeted", "combinatorial", "constructors"] {
        let settings = Settings::new().seed(5).store(Store::Off).runner(runner);
        let property = guided::property();
        let report = Run::new("literals", &property).settings(settings).report();
        assert_eq!(shown(&report), ["1250999896491"], "{runner}");
    }
}

#[test]
fn values_after_a_string_may_be_literals() {
    #[forall::property]
    fn version(data: Vec<u8>) {
        assert!(data.strip_prefix(b"magic") != Some(&[201]));
    }
    let settings = Settings::new().seed(1).store(Store::Off).tests(4000);
    let report = Run::new("literals", &version::property()).settings(settings).report();
    assert_eq!(shown(&report), ["vec![109, 97, 103, 105, 99, 201]"]);
}

/// Writes down the index of each test.
#[derive(Default)]
struct Indices(Vec<u64>);

impl Observer for Indices {
    fn wants_tests(&self) -> bool {
        true
    }

    fn event(&mut self, event: &Event<'_>) {
        if let Event::Tested { index, .. } = event {
            self.0.push(*index);
        }
    }
}

#[test]
fn observers_distinguish_tests_with_literals() {
    #[forall::property]
    fn holds(n: u64) {
        assert!(n.checked_sub(77).is_none_or(|rest| rest <= n));
    }
    let (property, mut indices) = (holds::property(), Indices::default());
    let settings = Settings::new().tests(40).store(Store::Off);
    Run::new("indices", &property).settings(settings).observer(&mut indices).report();
    let (with_literals, random): (Vec<u64>, Vec<u64>) = indices.0.iter().partition(|index| **index >= 1 << 63);
    assert!(
        !with_literals.is_empty() && with_literals.iter().zip(1u64 << 63..).all(|(index, expected)| *index == expected)
    );
    assert_eq!(random, (0..40).collect::<Vec<u64>>());
}

#[test]
#[ignore = "slow: 5 s"]
fn the_first_of_them_that_fails_is_reported_on_any_number_of_threads() {
    #[forall::property]
    fn slow(n: u32, xs: Vec<u8>) {
        std::thread::sleep(std::time::Duration::from_micros(300));
        if n == 777_777 || n == 888_888 {
            // The first input takes longest.
            std::thread::sleep(std::time::Duration::from_millis(4 * (xs.len() as u64 % 3)));
            panic!("{n}, {} bytes", xs.len());
        }
    }
    let on = |threads: usize| {
        let settings = Settings::new().seed(3).tests(2000).threads(threads).explain(0).store(Store::Off);
        let report = Run::parallel("literals", &slow::property()).settings(settings).report();
        let found = report.counterexample.unwrap();
        assert!(matches!(found.found, Found::Literals { .. }));
        (found.found, found.case, found.failure.message, found.original)
    };
    let alone = format!("{:?}", on(1));
    for threads in [2, 3, 7, 16] {
        assert_eq!(format!("{:?}", on(threads)), alone, "{threads} threads");
    }
}

#[test]
fn slow_tests_with_literals_run_in_parallel() {
    #[forall::property]
    fn slow(n: u32) {
        WORKERS.lock().unwrap().insert(forall::worker());
        std::thread::sleep(std::time::Duration::from_millis(1));
        if forall::context().index() < 100 {
            label!("with literals or at random");
        }
        assert!(n != 777_777 || n > 1);
    }
    static WORKERS: std::sync::Mutex<std::collections::BTreeSet<usize>> =
        std::sync::Mutex::new(std::collections::BTreeSet::new());
    let settings = Settings::new().seed(3).tests(100).threads(3).store(Store::Off);
    // The cores may be in use by other tests of this program.
    for _ in 0..100 {
        let report = Run::parallel("literals", &slow::property()).settings(settings.clone()).report();
        assert_eq!(report.verdict, Verdict::Passed);
        let labelled = report.statistics.labels.get("with literals or at random");
        assert_eq!(labelled, Some(&100), "only random tests are counted");
        if WORKERS.lock().unwrap().len() == 3 {
            return;
        }
    }
    panic!("{:?} of 3 threads ran tests", WORKERS.lock().unwrap());
}

#[test]
fn tests_with_literals_leave_time_for_random_tests() {
    #[forall::property]
    fn slow(n: u32) {
        std::thread::sleep(std::time::Duration::from_millis(1));
        assert!(n != 777_777 || n > 1);
    }
    for threads in [1, 2] {
        let settings = Settings::new().seed(3).tests(100_000).threads(threads).max_time("200ms").store(Store::Off);
        let report = Run::parallel("literals", &slow::property()).settings(settings).report();
        assert_eq!(report.verdict, Verdict::Passed, "{threads} threads");
    }
}

#[forall::test(tests = 10)]
#[ignore = "run by the test below"]
fn literals_from_a_file(n: u64) {
    let _ = n;
}

#[test]
fn unreadable_literals_are_reported() {
    let folder = forall::scratch_dir().unwrap();
    let file = folder.join("literals");
    let said = |file: &std::path::Path| {
        let mut command = std::process::Command::new(std::env::current_exe().unwrap());
        command.args(["--exact", "literals::literals_from_a_file", "--ignored", "--nocapture"]);
        command.env("FORALL_LITERALS", file).env("FORALL_STORE", "off").env("NO_COLOR", "1");
        let output = command.output().unwrap();
        let text = String::from_utf8_lossy(&[output.stdout, output.stderr].concat()).into_owned();
        // Reports are wrapped to the width of a terminal.
        text.split_whitespace().collect::<Vec<_>>().join(" ").replace(&file.display().to_string(), "FILE")
    };
    let none = "the literals in `FORALL_LITERALS=FILE` cannot be read: No such file or directory (os error 2). Name a \
                file with one literal per line, or set `FORALL_LITERALS=off`; the property is tested without literals.";
    let text = said(&file);
    assert!(text.contains(none), "{text}");
    std::fs::write(&file, "17\nmagic\n").unwrap();
    let wrong = "`magic`, line 2 of `FORALL_LITERALS=FILE`, is not a Rust literal. Write one per line, strings in \
                 quotes; a line that begins with `#` names a file. Invalid lines are skipped.";
    let text = said(&file);
    assert!(text.contains(wrong), "{text}");
}
