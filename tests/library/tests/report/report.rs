//! Pins what people see: every kind of report, in plain text, in colour, and on a narrow terminal.

use forall::choice::Sequence;
use forall::explain::{Any, Claim, Open, Related, Relation, Term};
use forall::prelude::property;
use forall::property::{Binding, Failure, FailureKind, Location, Printed, Step};
use forall::report::{Style, is_news, render};
use forall::run::{
    Case, Counterexample, Cover, Fact, Found, Identity, Kept, Report, Run, Settings, Store, Tested, Verdict,
};
use insta::assert_snapshot;
use std::time::Duration;

fn identity() -> Identity {
    Identity::of_item("my_crate::tests::sorts", "src/lib.rs", 12, 20, "/home/me/my_crate", false)
}

fn report(verdict: Verdict) -> Report {
    let mut report = Report::new(identity(), verdict);
    report.seed = 0x1f2e;
    report.time = Duration::from_micros(1234);
    report
}

fn printed(code: Option<String>, debug: Option<String>, type_name: &'static str) -> Printed {
    let mut printed = Printed::default();
    (printed.code, printed.debug, printed.type_name) = (code, debug, type_name);
    printed
}

fn code(name: &'static str, type_text: &'static str, code: &str) -> Binding {
    Binding { name, type_text: Some(type_text), printed: printed(Some(code.to_owned()), None, "") }
}

fn panic_at(message: &str) -> Failure {
    let location = Some(Location { file: "src/lib.rs".to_owned(), line: 20, column: 9 });
    let mut failure = Failure::new(FailureKind::Panic, message);
    failure.location = location;
    failure
}

fn case() -> Case {
    Case { sequence: Sequence::from_values(6, &[1, 1, 0, 21]), steps: Vec::new() }
}

const UNEQUAL: &str = "assertion `left == right` failed: not sorted\n  left: [1, 0]\n right: [0, 1]";

fn counterexample() -> Counterexample {
    let bindings = vec![code("xs", "Vec<i32>", "vec![1, 0]"), code("n", "usize", "21")];
    let mut found = Counterexample::new(case(), bindings, panic_at(UNEQUAL), Found::Random { index: 17, size: 6 });
    found.original = Some(vec![code("xs", "Vec<i32>", "vec![-88, 0, 34, 2147483647]"), code("n", "usize", "57")]);
    found.shrinking.accepted = 23;
    found.shrinking.evaluations = 150;
    found.stored = Some("/home/me/my_crate/.forall/sorts-5c1f/0a1b2c3d.case".to_owned());
    found
}

fn failed(counterexample: Counterexample) -> Report {
    let mut report = report(Verdict::Failed);
    report.statistics.valid = 17;
    report.counterexample = Some(counterexample);
    report
}

fn plain(report: &Report) -> String {
    render(report, &Style::plain())
}

#[test]
fn a_failure_is_one_screen() {
    let mut found = counterexample();
    found.notes = vec!["the pivot was 1".to_owned(), "two\nlines".to_owned()];
    let mut report = failed(found);
    report.statistics.discarded = 3;
    let text = plain(&report);
    assert!(text.lines().count() <= 25);
    assert_snapshot!("failure", text);
    assert_snapshot!("failure_narrow", render(&report, &Style::plain().width(40)));
    assert_snapshot!("failure_coloured", escaped(&render(&report, &Style::plain().colour(true))));
}

/// A property in its file.
const SOURCE: &str = "\
mod tests {
    #[forall::test]
    fn sorts(
        #[forall(vec(any::<i32>()))] xs: Vec<i32>, // xs:
        n: usize,
    ) {
        // \u{1b}[31mnot red\u{202e}
\tassert!(\"äö{\".len() > n); assert_eq!(sorted(&xs), xs, \"not sorted\");
    }

    fn helper(n: usize) {
        other::panics(n);
    }
}
";

/// A package with this in it, which was written before this program was built, or after.
fn package_with(source: &str, name: &str, edited_since: bool) -> &'static str {
    let package = std::env::temp_dir().join(format!("forall-report-{}-{name}", std::process::id()));
    let file = package.join("src/lib.rs");
    std::fs::create_dir_all(package.join("src")).unwrap();
    std::fs::write(&file, source).unwrap();
    let built = std::env::current_exe().unwrap().metadata().unwrap().modified().unwrap();
    let day = Duration::from_secs(24 * 60 * 60);
    let when = if edited_since { built + day } else { built - day };
    std::fs::File::options().write(true).open(file).unwrap().set_modified(when).unwrap();
    package.to_string_lossy().into_owned().leak()
}

fn package(name: &str, edited_since: bool) -> &'static str {
    package_with(SOURCE, name, edited_since)
}

#[test]
fn the_source_of_a_failure_is_shown_and_its_values_if_verbose() {
    let package = package("shown", false);
    let mut report = failed(counterexample());
    report.identity = Identity::of_item("my_crate::tests::sorts", "src/lib.rs", 2, 9, package, false);
    let place = |report: &mut Report, file: &str, line, column| {
        let place = Location { file: file.to_owned(), line, column };
        report.counterexample.as_mut().unwrap().failure.location = Some(place);
    };
    place(&mut report, "src/lib.rs", 8, 31);
    let style = Style::plain().sources(true);
    assert_snapshot!("sources", render(&report, &style));
    assert_snapshot!("sources_narrow", render(&report, &style.width(40)));
    // The panic is in another function, in a file that is not there, in a line that is not there.
    place(&mut report, "src/lib.rs", 12, 9);
    assert_snapshot!("sources_elsewhere", render(&report, &style));
    for (file, line) in [("/rustc/library/core/src/option.rs", 1), ("src/lib.rs", 1000), ("src/lib.rs", 0)] {
        place(&mut report, file, line, 1000);
        assert!(!render(&report, &style).contains("^ n = 21\n"), "the value is in the block above");
        assert!(render(&report, &style.verbose(true)).contains("      |         ^ n = 21\n"));
    }
    std::fs::remove_dir_all(package).unwrap();
}

#[test]
fn two_variables_of_one_line_take_at_most_24_lines_at_80_columns() {
    let source = "#[forall::test]\nfn rotating_keeps_sums(xs: Vec<i32>, n: usize) {\n    let before = sum(&xs);\n    let after = \
                  sum(&rotated(&xs, n));\n    assert_eq!(before, after);\n}\n";
    let package = package_with(source, "lines", false);
    let mut found = counterexample();
    found.failure = panic_at("assertion `left == right` failed\n  left: [1, 0]\n right: [0, 1]");
    found.failure.location = Some(Location { file: "src/lib.rs".to_owned(), line: 5, column: 5 });
    let any = |variable, open| Any { variable, open, together: true, runs: 1_200, every: false, up_to_depth: None };
    let pattern = Open::Pattern("vec![_, 0, ..]".to_owned());
    found.explanation.claims = vec![Claim::Any(any(0, pattern)), Claim::Any(any(1, Open::Whole))];
    let mut report = failed(found);
    report.identity = Identity::of_item("my_crate::rotating_keeps_sums", "src/lib.rs", 1, 6, package, false);
    let text = render(&report, &Style::plain().sources(true).width(80));
    std::fs::remove_dir_all(package).unwrap();
    assert!(text.contains("    5 |     assert_eq!(before, after);\n"), "{text}");
    assert!(text.lines().count() <= 24, "{} lines:\n{text}", text.lines().count());
}

#[test]
fn long_values_show_their_difference() {
    let mut found = counterexample();
    let zeros = |count| vec!["0"; count].join(", ");
    let blob = format!("vec![{}, 171, {}]", zeros(6071), zeros(3928));
    let map = "std::collections::BTreeMap::from([(0, String::from(\"\"))])";
    found.bindings = vec![code("xs", "Vec<u8>", &blob), code("m", "BTreeMap<u8, String>", map)];
    found.explanation.claims = vec![Claim::Related(Related {
        terms: vec![Term::Value("x".to_owned()), Term::Value("0".to_owned())],
        relation: Relation::Equal,
        within: Some("m = std::collections::BTreeMap::from([(x, String::from(\"\"))])".to_owned()),
        alone: true,
        failed: 40,
        passed: None,
    })];
    let text = plain(&failed(found));
    assert!(text.contains("    let xs: Vec<u8> = [vec![0; 6071], vec![171], vec![0; 3928]].concat();\n"), "{text}");
    assert!(text.contains(" = BTreeMap::from([(0, String::from(\"\"))]);\n"), "{text}");
    assert!(text.contains("in m = BTreeMap::from([(x, String::from(\"\"))])"), "{text}");
}

/// The lines of a source that a report of this failure shows.
fn excerpt(source: &str, name: &str, (line, last_line): (u32, u32), failed_at: (u32, u32)) -> String {
    let package = package_with(source, &name.replace(' ', "-"), false);
    let mut report = failed(counterexample());
    report.identity =
        Identity::of_item(format!("my_crate::{name}").leak(), "src/lib.rs", line, last_line, package, false);
    let place = Location { file: "src/lib.rs".to_owned(), line: failed_at.0, column: failed_at.1 };
    report.counterexample.as_mut().unwrap().failure.location = Some(place);
    let text = render(&report, &Style::plain().sources(true));
    std::fs::remove_dir_all(package).unwrap();
    let lines = text.lines().filter(|line| line.get(5..8).is_some_and(|gutter| gutter.starts_with(" |")));
    lines.map(|line| line.to_owned() + "\n").collect()
}

#[test]
fn a_source_may_have_braces_anywhere_and_wide_characters() {
    // A brace inside a text, and the last one in the line of something else.
    let source = "#[forall::test]\nfn raw(n: usize) {\n    let text = r#\"\n}\n\"#; fails(n, text) }\n";
    assert_snapshot!("sources_braces", excerpt(source, "raw", (1, 5), (5, 5)));
    // The compiler counts columns as terminals do, and four for a tab.
    let source =
        "#[forall::test]\nfn wide(/* 日本語 ✅ */\tn: usize) {\n\tlet 名 = \"日本 👍🏽 ✅\";\tassert!(n < 1);\n}\n";
    assert_snapshot!("sources_wide", excerpt(source, "wide", (1, 4), (3, 33)));
    // A property that is a value: from its first variable to where it is run.
    let source = "fn other(n: u8) {\n    forall n in 0..9;\n}\n\nfn values() {\n    let property = property! {\n        forall xs: \
                  Vec<i32>;\n        forall n in 0..99usize;\n        check n < 21\n    };\n    forall::check(\"a value\", &property);\n}\n";
    assert_snapshot!("sources_value", excerpt(source, "a value", (11, 0), (9, 15)));
}

#[test]
fn an_outdated_source_is_not_shown() {
    let edited = package("edited", true);
    let other = package("other", false);
    let mut report = failed(counterexample());
    let style = Style::plain().sources(true);
    for (name, file, line, package) in [
        ("my_crate::tests::sorts", "src/lib.rs", 2, edited),
        ("my_crate::tests::renamed", "src/lib.rs", 2, other),
        ("my_crate::tests::sorts", "src/lib.rs", 5, other),
        ("my_crate::tests::sorts", "src/main.rs", 2, other),
        ("my_crate::tests::sorts", "src/lib.rs", 2, "/no/such/folder"),
        ("my_crate::tests::sorts", "", 0, ""),
    ] {
        report.identity = Identity::of_item(name, file, line, 9, package, false);
        assert_eq!(render(&report, &style), plain(&report), "{name} {file} {line} {package}");
    }
    std::fs::remove_dir_all(edited).unwrap();
    std::fs::remove_dir_all(other).unwrap();
}

/// ANSI sequences in a form that can be read in a snapshot.
fn escaped(text: &str) -> String {
    text.replace('\x1b', "␛")
}

#[test]
fn nothing_but_escapes_differs_in_colour() {
    let report = failed(counterexample());
    let mut coloured = render(&report, &Style::plain().colour(true));
    while let Some(start) = coloured.find('\x1b') {
        let end = start + coloured[start..].find('m').unwrap();
        coloured.replace_range(start..=end, "");
    }
    let unmarked: String =
        plain(&report).lines().filter(|line| !line.trim().starts_with('^')).map(|l| l.to_owned() + "\n").collect();
    assert_eq!(coloured, unmarked);
}

#[test]
fn values_without_code_are_in_comments() {
    let mut found = counterexample();
    let debug = printed(None, Some("Expr(Add, \"\x1b[31m\nlet x = 1;\")".to_owned()), "my_crate::Expr");
    let name = printed(None, None, "my_crate::Secret");
    let long = (0..40).map(|i| format!("Point {{ x: {i}, y: {} }}", i * i)).collect::<Vec<_>>().join(", ");
    found.bindings = vec![
        code(
            "points",
            "Vec<Point>",
            &format!(
                "vec![{}]",
                (0..4)
                    .map(|i| format!("Point {{ x: {i}, y: {i}, label: \"a, b\".into() }}"))
                    .collect::<Vec<_>>()
                    .join(", ")
            ),
        ),
        code("bytes", "Vec<u8>", &format!("vec![{}]", (0..60u8).map(|i| i.to_string()).collect::<Vec<_>>().join(", "))),
        Binding { name: "e", type_text: None, printed: debug },
        Binding { name: "many", type_text: None, printed: printed(None, Some(format!("[{long}]")), "") },
        Binding { name: "key", type_text: None, printed: name },
    ];
    assert_snapshot!("no_code_form", plain(&failed(found)));
}

#[test]
fn claims_are_printed_after_the_line() {
    let mut found = counterexample();
    let debug = printed(None, Some("Secret(0, 1)".to_owned()), "my_crate::Secret");
    let long = (0..20).map(|i| format!("Point {{ x: {i}, y: 0 }}")).collect::<Vec<_>>().join(", ");
    found.bindings.push(code("flag", "bool", "false"));
    found.bindings.push(code("points", "Vec<Point>", &format!("vec![{long}]")));
    found.bindings.push(Binding { name: "secret", type_text: None, printed: debug });
    found.bindings.push(code("text", "String", "String::from(\"a\")"));
    let any = |variable, open, runs| Any { variable, open, together: true, runs, every: false, up_to_depth: None };
    let pattern = |text: &str| Open::Pattern(text.to_owned());
    let long = pattern(&format!("vec![{}, ..]", long.replace('0', "_")));
    found.explanation.claims = vec![
        Claim::Any(any(0, pattern("vec![1, _, ..]"), 100)),
        Claim::Any(any(1, Open::Whole, 1_200)),
        Claim::Any(Any { every: true, ..any(2, Open::Whole, 1) }),
        Claim::Any(any(3, long, 100)),
        Claim::Any(Any { together: false, ..any(4, pattern("Secret(_, _)"), 100) }),
        Claim::Any(any(5, Open::Whole, 21)),
        Claim::Related(Related {
            terms: vec![Term::Value("xs".to_owned()), Term::Value("ys".to_owned())],
            relation: Relation::Different,
            within: None,
            alone: false,
            failed: 40,
            passed: Some(20),
        }),
    ];
    let report = failed(found);
    assert_snapshot!("explained", plain(&report));
    assert_snapshot!("explained_narrow", render(&report, &Style::plain().width(40)));
    assert_snapshot!("explained_coloured", escaped(&render(&report, &Style::plain().colour(true))));
}

#[test]
fn a_truncated_value_names_the_file_with_the_full_value() {
    let mut found = counterexample();
    found.bindings =
        vec![code("xs", "Vec<u32>", &format!("vec![{}]", "123456, 123457, ".repeat(1_000))), code("n", "usize", "1")];
    let report = failed(found);
    let text = plain(&report);
    assert!(text.contains("16,006 characters"), "{text}");
    let whole = "; the full value is in .forall/sorts-5c1f/0a1b2c3d.case, or set FORALL_VERBOSE=1";
    let unwrapped = text.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(unwrapped.contains(whole), "{text}");
    assert!(text.contains("    let n: usize = 1;\n"), "{text}");
    assert!(text.len() < 8_000);
    assert!(render(&report, &Style::plain().verbose(true)).contains("    let xs: Vec<u32> = vec![\n"));
}

#[test]
fn each_kind_of_failure_is_reported() {
    let failures = [
        panic_at("attempt to divide by zero"),
        panic_at("assertion `left != right` failed\n  left: 1\n right: 1"),
        panic_at(&format!("assertion `left == right` failed\n  left: {:?}\n right: {:?}", long_list(3), long_list(4))),
        panic_at("assertion `left == right` failed\n  left: Hidden\n right: Hidden"),
        panic_at(&format!(
            "assertion `left == right` failed\n  left: {:#?}\n right: {:#?}",
            (0..200).collect::<Vec<u32>>(),
            (1000..1200).collect::<Vec<u32>>()
        )),
        panic_at(&"a line\n".repeat(100)),
        panic_at("a message\nof two lines \x1b[2J"),
        Failure::new(FailureKind::Panic, "no place"),
        Failure::new(FailureKind::Falsified, "the property returned false"),
        Failure::new(FailureKind::Error, "the property returned an error: ParseIntError { kind: Empty }"),
        Failure::new(FailureKind::Deadline, "the test took 350 ms, longer than its deadline of 200 ms"),
    ];
    let mut all = String::new();
    for failure in failures {
        let mut found = counterexample();
        found.failure = failure;
        let text = plain(&failed(found));
        let (_, rest) = text.split_once("21;\n\n").unwrap();
        let (what, _) = rest.split_once("\n\nreplay:").unwrap();
        all += &format!("{what}\n---\n");
    }
    assert_snapshot!("kinds_of_failure", all);
}

fn long_list(seven: u32) -> Vec<Option<String>> {
    (0..20).map(|i| Some(format!("number {}", if i == 7 { seven } else { i }))).collect()
}

#[test]
fn the_original_input_is_omitted_where_it_does_not_help() {
    let shown = |original: Option<Vec<Binding>>, style: &Style| {
        let mut found = counterexample();
        found.original = original;
        let text = render(&failed(found), style);
        text.lines().find(|line| line.trim_start().starts_with("original:")).map(str::to_owned)
    };
    let other = vec![code("xs", "Vec<i32>", "vec![9, 0]"), code("n", "usize", "57")];
    let numbers: String = (100..200).map(|n| format!("{n}, ")).collect();
    let long = vec![code("xs", "Vec<i32>", &format!("vec![{numbers}0]")), code("n", "usize", "57")];
    let plain = Style::plain();
    assert!(shown(Some(other), &plain).is_some_and(|line| line.contains("vec![9, 0]")));
    assert_eq!(shown(None, &plain), None, "no input was shrunk");
    assert_eq!(shown(Some(counterexample().bindings), &plain), None, "it is the counterexample");
    assert_eq!(shown(Some(long.clone()), &plain), None, "it does not fit on the line");
    assert!(shown(Some(long), &Style::plain().verbose(true)).is_some(), "verbose reports have all of it");
}

#[test]
fn the_origin_of_a_counterexample_is_reported() {
    let mut all = String::new();
    let committed = "forall-regressions/sorts-5c1f/0a1b2c3d.case".to_owned();
    for found in [Found::Enumerated, Found::Example(1), Found::Stored(committed), Found::Given] {
        let mut counterexample = counterexample();
        counterexample.original = None;
        counterexample.stored = None;
        counterexample.shrinking.accepted = 0;
        counterexample.found = found;
        counterexample.shrinking.cut_short = Some("after 10,000 evaluations (`FORALL_SHRINK_EVALUATIONS`)".into());
        let text = plain(&failed(counterexample));
        let (head, _) = text.split_once("\n\n").unwrap();
        let (_, next) = text.rsplit_once("\n\n").unwrap();
        all += &format!("{head}\n{next}---\n");
    }
    assert_snapshot!("origins", all);
}

#[test]
fn control_characters_in_names_are_escaped_in_commands() {
    let mut report = failed(counterexample());
    report.identity.name = "it's \x1b[31m red\n".into();
    let text = plain(&report);
    assert!(text.contains(r"FORALL_DO=$'replay it\'s \x1b[31m red\x0a "), "{text}");
    assert!(!text.contains('\x1b'), "{text:?}");
}

#[test]
fn steps_on_values_and_odd_names_are_in_the_command() {
    let mut found = counterexample();
    found.case.steps = vec![Step::Shrink { quantifier: 0, candidate: 3 }, Step::Mutate { quantifier: 1, seed: 77 }];
    let mut report = failed(found);
    report.identity = Identity::new("it's sorted");
    let text = plain(&report);
    assert!(text.contains("+s0.3+m1.77' cargo test 'it'\\''s sorted'\n"), "{text}");
    assert!(text.contains("FORALL_DO='replay it'\\''s sorted 2-"), "{text}");
    assert!(!text.contains("#[example"), "a property without an item has no place for an attribute: {text}");
}

#[test]
fn the_command_replays_the_case() {
    let text = plain(&failed(counterexample()));
    let (_, rest) = text.split_once("FORALL_DO='replay my_crate::tests::sorts ").unwrap();
    let (sequence, rest) = rest.split_once('\'').unwrap();
    assert_eq!(Case::from_text(sequence).unwrap(), case());
    assert!(rest.starts_with(" cargo test tests::sorts\n"));
}

#[test]
fn a_long_sequence_is_replayed_from_the_store_or_generated_again() {
    let mut found = counterexample();
    found.case.sequence = Sequence::from_values(6, &[u64::MAX; 2_000]);
    let text = plain(&failed(found.clone()));
    assert!(text.contains("replay:   cargo test tests::sorts\n"), "{text}");
    assert!(
        text.contains("replays .forall/sorts-5c1f/0a1b2c3d.case first; 2,000 choices are too many for a command\n"),
        "{text}"
    );
    found.stored = None;
    let text = plain(&failed(found.clone()));
    assert!(text.contains("FORALL_DO='run my_crate::tests::sorts "), "a random test is made again: {text}");
    let why = "generates the original input again: it has too many choices for a command";
    assert!(text.split_whitespace().collect::<Vec<_>>().join(" ").contains(why), "{text}");
    assert!(text.len() < 4_000, "{text}");
    found.found = Found::Guided { index: 3 };
    assert!(plain(&failed(found)).len() > 20_000, "what can neither be stored nor made again must be in the command");
}

#[test]
fn the_runner_that_found_a_counterexample_is_named() {
    let mut found = counterexample();
    found.found = Found::Guided { index: 3 };
    assert!(plain(&failed(found.clone())).contains("found:    by your own runner, test 3, seed 0x1f2e\n"));
    found.found = Found::Explored { number: 1_234 };
    assert!(plain(&failed(found)).contains("found:    in extra time, test 1,234, seed 0x1f2e\n"));
    let property =
        property! { forall n: u64; check { forall::target!(f64::from(n.count_ones())); n.count_ones() < 60 } };
    let settings = Settings::new().seed(1).store(Store::Off).tests(100_000).runner("targeted");
    let text = plain(&Run::new("bits", &property).settings(settings).report());
    assert!(text.contains("found:    by the `targeted` runner, test "), "{text}");
}

#[test]
fn a_failure_that_depends_on_earlier_tests_is_reported_with_them() {
    let mut found = counterexample();
    found.before = vec![forall::run::Earlier { case: case(), bindings: vec![code("n", "usize", "3")] }];
    let text = plain(&failed(found));
    assert!(
        text.contains("The input does not fail on its own, only after 1 earlier test in the same process:\n"),
        "{text}"
    );
}

#[test]
fn a_flaky_property_shows_both_runs() {
    let mut found = counterexample();
    found.original = None;
    found.shrinking.accepted = 0;
    found.other_run = vec![(Tested::Fail(found.failure.clone()), 6), (Tested::Pass, 4)];
    (found.reruns.runs, found.reruns.failed) = (10, 6);
    found.notes = vec!["swapped 1 and 0".to_owned()];
    found.other_notes = vec!["swapped nothing".to_owned()];
    let mut report = failed(found);
    report.verdict = Verdict::Flaky;
    assert_snapshot!("flaky", plain(&report));
}

#[test]
fn other_bugs_are_shown_one_after_the_other() {
    let mut found = counterexample();
    let mut other = counterexample();
    other.bindings.truncate(1);
    other.failure = Failure::new(FailureKind::Falsified, "the property returned false");
    other.found = Found::WhileShrinking;
    found.others.push(other);
    found.shrinking.others.push((Case::default(), panic_at("attempt to divide by zero")));
    assert_snapshot!("others", plain(&failed(found.clone())));
    let verbose = render(&failed(found.clone()), &Style::plain().verbose(true));
    assert!(verbose.contains("\nANOTHER FAILURE, found while shrinking the one above\n\n    let xs"), "{verbose}");
    let mut third = counterexample();
    third.failure.kind = FailureKind::Panic;
    found.others.push(third);
    assert!(plain(&failed(found)).ends_with("total:    1 falsified, 2 panics\n"));
}

#[test]
fn other_verdicts_have_advice() {
    let mut all = String::new();
    let mut push = |mut report: Report, valid, discarded| {
        (report.statistics.valid, report.statistics.discarded) = (valid, discarded);
        all += &format!("{}---\n{}---\n", plain(&report), render(&report, &Style::plain().width(40)));
    };
    push(report(Verdict::Passed), 256, 0);
    push(report(Verdict::Passed), 1, 12);
    push(report(Verdict::Exhausted { inputs: 256, at_size: None }), 256, 0);
    push(report(Verdict::Exhausted { inputs: 1, at_size: Some(100) }), 0, 1);
    let clause = "!xs.is_empty()".to_owned();
    let discards = Fact::TooManyDiscards { valid: 3, discarded: 2_561, clause, ratio: 10 };
    push(report(Verdict::GaveUp(discards)), 3, 2_561);
    push(report(Verdict::Faulty(broken("n % 2 == 0", "generator"))), 4, 0);
    push(report(Verdict::Misconfigured(Fact::ZeroTests)), 0, 0);
    push(report(Verdict::NotDecidable("This runner does not know `exists`: use `runner = exhaustive`.".into())), 0, 0);
    assert_snapshot!("verdicts", all);
}

#[test]
fn statistics_have_bars() {
    let mut report = report(Verdict::Passed);
    let statistics = &mut report.statistics;
    statistics.valid = 256;
    statistics.labels =
        [("empty", 12), ("sorted", 131), ("long \x1b[31m", 1)].map(|(label, n)| (label.to_owned(), n)).into();
    let lengths = (0..30u64).map(|i| (format!("length {i}"), 30 - i)).collect();
    let kinds = [("Add".to_owned(), 900), ("Neg".to_owned(), 124)].into();
    statistics.tables = [("lengths".to_owned(), lengths), ("constructors".to_owned(), kinds)].into();
    let cover = |percent, hits| {
        let mut cover = Cover::default();
        (cover.percent, cover.hits) = (percent, hits);
        cover
    };
    statistics.covers =
        [("a duplicate".to_owned(), cover(10.0, 40)), ("two duplicates".to_owned(), cover(2.5, 1))].into();
    report.warnings =
        vec![Fact::CoverUndecided { label: "two duplicates".to_owned(), percent: 2.5, hits: 1, valid: 256 }];
    assert!(is_news(&report, &Style::plain()));
    assert_snapshot!("statistics", plain(&report));
    assert_snapshot!("statistics_narrow", render(&report, &Style::plain().width(40)));
    assert_snapshot!("statistics_coloured", escaped(&render(&report, &Style::plain().colour(true).warnings(false))));
}

fn broken(contract: &str, by: &str) -> Fact {
    let (variable, contract) = ("n".to_owned(), contract.to_owned());
    Fact::ContractBroken { variable, contract, value: "7".to_owned(), by: by.to_owned() }
}

#[test]
fn every_fact_has_an_observation_and_advice() {
    let ms = Duration::from_millis;
    let text = |text: &str| text.to_owned();
    let (variable, property) = (text("xs"), text("my_crate::tests::sorts"));
    let (case, local, value) = (text(".forall/sorts/1.case"), text(".forall/sorts/1.txt"), text("xs = vec![1]"));
    let facts = [
        Fact::TooManyDiscards { valid: 0, discarded: 2_561, clause: variable.clone(), ratio: 10 },
        Fact::TooManyDiscards { valid: 12, discarded: 2_561, clause: text(""), ratio: 10 },
        Fact::AllDiscarded { discarded: 2, clause: text("assume!") },
        Fact::TooFewOperations { variable: text("steps"), discarded: 2_561, found: 3, least: 5 },
        Fact::SlowGeneration { mean: ms(40), tests: 25, share: 0.97 },
        Fact::LargeInputs { choices: 25_000, tests: 100 },
        Fact::InputTooLarge { variable: variable.clone(), limit: 1_000_000 },
        Fact::ZeroTests,
        Fact::SizeTooLarge { size: u32::MAX.into(), most: 1_000_000 },
        Fact::TimeLimit { valid: 0, wanted: 256, limit: ms(2_000) },
        Fact::TimeLimit { valid: 17, wanted: 256, limit: ms(2_000) },
        Fact::GeneratorPanicked {
            variable,
            message: text("index out of bounds: the len is 0 but the index is 0"),
            place: Some(text("src/lib.rs:3:5")),
        },
        broken("", "shrinker"),
        broken("n % 2 == 0", "mutator"),
        Fact::Misuse { variable: text("n"), message: text("the range 10..0 is empty: it ends before it begins") },
        Fact::NotDeterministic,
        Fact::CoverUndecided { label: text("empty"), percent: 10.0, hits: 3, valid: 256 },
        Fact::Exited { property: property.clone(), index: 17, seed: 0x1f },
        Fact::ExitedWhile {
            property: property.clone(),
            doing: text("a failing input was being shrunk"),
            input: text("x = 7458830868170162627"),
        },
        Fact::ExitedWhile { property, doing: text("a test ran"), input: text("") },
        Fact::HookReplaced,
        Fact::ThreadsPanicked { times: 1, last: text("no connection, at src/pool.rs:7:9") },
        Fact::SettingDoesNotParse {
            variable: text("FORALL_SEED"),
            value: text("0xZZ"),
            expected: text("a number up to 2^64 - 1, decimal or hexadecimal, such as `7` or `0x1f`"),
        },
        Fact::SettingDoesNotParse {
            variable: text("FORALL_MAX_TIME"),
            value: text("soon"),
            expected: text("a time such as `30s`"),
        },
        Fact::UnknownRunner { runner: text("fast"), known: vec![text("generational")] },
        Fact::NeedsFeature { what: text("The runner `targeted`"), feature: "full" },
        Fact::ThreadsNeedFeature { threads: 4 },
        Fact::StoreUnwritable { error: text("cannot write .forall: Permission denied (os error 13)") },
        Fact::StoreUnreadable { path: local.clone(), error: text("the sequence is truncated") },
        Fact::StoreUnlistable { path: text("/p/.forall/sorts"), error: text("Not a directory (os error 20)") },
        Fact::RegressionUnreadable {
            path: text("forall-regressions/sorts/1.case"),
            error: text("truncated: no line begins with `case`"),
        },
        Fact::RegressionsUnclaimed { count: 5, listed: vec![text("`demo::sorts` (forall-regressions/demo-sorts-1f)")] },
        Fact::WorkWasCutOff {
            origin: case.clone(),
            value: text("x = 7458830868170162627"),
            message: text("assertion failed: x < 1000"),
            times: 2,
        },
        Fact::ChangedAndFails { origin: case.clone(), value: value.clone() },
        Fact::UnusableName { property: text("") },
        Fact::TooFewDifferent { variable: text("s"), discarded: 2_561, found: 3, least: 10 },
        Fact::AssumedOutsideOfATest { condition: text("x > 5") },
        Fact::BodyPrints { runs: 274 },
        Fact::StillFails { origin: local.clone() },
        Fact::NoLongerFails { origin: local.clone(), threads: None, kept: Kept::Local },
        Fact::NoLongerFails { origin: text("forall-regressions/sorts/1.txt"), threads: Some(4), kept: Kept::Committed },
        Fact::NoLongerFails { origin: local.clone(), threads: Some(1), kept: Kept::Shared },
        Fact::RaceNotReplayed { origin: local.clone(), threads: 4, isolated: false },
        Fact::RaceNotReplayed { origin: local, threads: 4, isolated: true },
        Fact::SameName { own: text("src/lib.rs:3"), other: text("src/lib.rs:30 over (n: u32)") },
        Fact::GeneratorChanged { origin: text("forall-regressions/sorts/1.case"), value },
        Fact::NowDiscarded { origin: case },
        Fact::GivenInputDiscarded,
        Fact::GivenInputChanged,
        Fact::ExampleDiscarded { place: 0 },
        Fact::EmptyIndices { start: 5, end: 3 },
        Fact::ManyDiscards { valid: 256, discarded: 1_500, clause: text("xs.is_sorted()") },
        Fact::NotACommand { command: text("fly"), error: text("there is no verb `fly`") },
        Fact::DeadlineMissed { taken: ms(350), cpu: Some(ms(12)), deadline: ms(200) },
        Fact::ThreadsRefused { got: 2, wanted: 16, error: text("Resource temporarily unavailable (os error 11)") },
        Fact::RaceWithItself { threads: 4 },
        Fact::FailedInAnotherWay { threads: 4, message: text("two threads inside") },
        Fact::NotShared { threads: 4 },
        Fact::IsSerial { threads: 4 },
        Fact::NoOwnCwd { error: text("Operation not permitted (os error 1)") },
    ];
    let mut all = String::new();
    for fact in facts {
        let mut report = report(Verdict::Passed);
        report.warnings = vec![fact];
        let shown = plain(&report);
        assert!(shown.lines().all(|line| line.chars().count() <= 100), "{shown}");
        all += shown.split_once("\n\n").unwrap().1;
        all.push('\n');
    }
    assert_snapshot!("advice", all);
}

#[test]
fn control_sequences_are_escaped_for_the_terminal() {
    let evil = "\x1b]0;title\x07\r\u{202e}\u{9b}31m";
    let mut found = counterexample();
    found.failure.message = evil.to_owned();
    found.notes = vec![evil.to_owned()];
    found.stored = Some(evil.to_owned());
    found.other_run = vec![(Tested::Fail(Failure::new(FailureKind::Error, evil)), 1)];
    found.bindings.push(code("s", "String", &format!("\"{evil}\".to_owned()")));
    found.bindings.push(Binding { name: "d", type_text: None, printed: printed(None, Some(evil.to_owned()), "") });
    found.original = Some(found.bindings.clone());
    let mut report = failed(found);
    report.warnings = vec![evil.into()];
    report.statistics.labels.insert(evil.to_owned(), 1);
    for verdict in [Verdict::Failed, Verdict::Flaky, Verdict::GaveUp(evil.into())] {
        report.verdict = verdict;
        let text = render(&report, &Style::plain().verbose(true));
        assert!(!text.contains(|c: char| c.is_control() && c != '\n' || c == '\u{202e}'), "{text:?}");
    }
}

#[test]
fn a_passing_property_prints_nothing() {
    let mut report = report(Verdict::Passed);
    assert!(!is_news(&report, &Style::plain()));
    report.warnings = vec!["x".into()];
    assert!(is_news(&report, &Style::plain()));
    assert!(!is_news(&report, &Style::plain().warnings(false)));
    assert!(is_news(&self::report(Verdict::Failed), &Style::plain()));
}

/// The child of the next test.
#[test]
fn fails_with_stderr_closed() {
    if std::env::var_os("FORALL_TEST_SPEAK").is_some() {
        forall::report::print_captured("said\n");
        forall::report::print_uncaptured("shouted\n");
        let mut terminal = forall::report::Terminal::new();
        forall::run::Observer::event(&mut terminal, &forall::run::Event::Warned { fact: &"warned".into() });
    }
}

#[test]
#[cfg(target_os = "linux")]
fn a_closed_stderr_is_not_a_failure() {
    let full = std::fs::OpenOptions::new().write(true).open("/dev/full").unwrap();
    let child = std::process::Command::new(std::env::current_exe().unwrap())
        .args(["--exact", "report::fails_with_stderr_closed", "--nocapture"])
        .env("FORALL_TEST_SPEAK", "1")
        .stderr(full)
        .output()
        .unwrap();
    assert!(child.status.success(), "{}", String::from_utf8_lossy(&child.stdout));
}

#[test]
fn a_real_run_fits_on_a_screen() {
    use forall::property::{Empty, Telescope};
    let property = Empty
        .forall("xs", |(), s| s.draw(forall::generate::vec(forall::generate::any::<u8>())))
        .printed_by(Printed::code)
        .check(|(xs, ())| {
            let mut sorted = xs.clone();
            sorted.sort();
            assert_eq!(xs, &sorted, "not sorted");
        });
    let settings = Settings::new().seed(1).store(Store::Off);
    let mut report = Run::named(identity(), &property).settings(settings).report();
    report.time = Duration::from_micros(1234);
    let text = plain(&report);
    let claim = "\n    let xs: Vec<u8> = vec![1, 0];\n    // failed for all ";
    let (_, claim) = text.split_once(claim).expect(&text);
    let (count, _) = claim.split_once(" other values tried of the form vec![1, 0, ..]\n").expect(&text);
    assert!(count.replace(',', "").parse::<u32>().unwrap() >= 1_000, "{text}");
    assert!(text.contains("\nassertion `left == right` failed: not sorted\n   left: [1, 0]\n"), "{text}");
    assert!(text.contains("\nexample:  #[example(vec![1, 0])]\n"), "{text}");
}

#[test]
fn all_text_is_escaped_for_the_terminal() {
    use forall::generate::any;
    use forall::property::{Empty, Telescope};
    use forall::run::{Run, Settings, Store};
    let property = Empty
        .forall("left", |(), s| s.draw(any::<String>()))
        .forall("right", |_, s| s.draw(any::<String>()))
        .forall("width", |_, s| s.draw(0..120usize))
        .check(|(width, (right, (left, ())))| {
            let mut found = counterexample();
            found.failure.message =
                format!("assertion `left == right` failed: {left}\n  left: {left}\n right: {right}");
            found.notes = vec![left.clone()];
            found.bindings.push(code("c", "String", left));
            let printed = printed(None, Some(right.clone()), "");
            found.bindings.push(Binding { name: "d", type_text: None, printed });
            let mut report = failed(found);
            report.statistics.tables.insert(left.clone(), [(right.clone(), 3)].into());
            report.warnings = vec![right.as_str().into()];
            let text = render(&report, &Style::plain().width(*width).verbose(true));
            assert!(!text.contains(|c: char| c.is_control() && c != '\n' && c != '\t'), "{text:?}");
            // The block of code ends with `d`, all of which is in comments.
            let (_, block) = text.split_once("// d =").unwrap();
            let (comments, _) = block.split_once("\n\n").unwrap();
            assert!(comments.lines().skip(1).all(|line| line.starts_with("    //")), "{text}");
        });
    let settings = Settings::new().seed(3).tests(500).store(Store::Off);
    Run::new("whatever is said is shown safely", &property).settings(settings).test();
}
