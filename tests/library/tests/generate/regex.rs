//! Strings from regular expressions: they match, they reach what they can be, and they shrink to the shortest match.

use forall::choice::{Sequence, Source};
use forall::generate::{Regex, check_generator, regex, sample_with};
use forall::prelude::*;
use forall::run::{Run, Settings, Store, Verdict};

const PATTERNS: &[&str] = &[
    "",
    "abc",
    "^abc$",
    "[a-z]+",
    r"\d{3}-\d{4}",
    r"[\w.+-]+@[\w-]+\.(com|org|net)",
    "(?i)select",
    "(a|bc|def)*",
    "((x+y)?z){2,5}",
    r"\p{Greek}{1,3}",
    r"[^a-z]",
    r"(?s).",
    r"\PC*",
    "ü?ß+",
    "(?:^a|b$)?",
    "(^|x)?y($|z)?",
    "[[:alpha:]]{0,4}|-?[0-9]+(\\.[0-9]+)?",
    "(?-u:[a-f])+",
    r"\w{3}\d\p{Han}[^a-zé]",
    r"[\d--0-9]{2}\p{Braille}?",
    "(a|b|cd){3}|(ef|g*)",
    "(a{10}){10}",
    r"\bword\b",
    r"\b\w+\b",
    r"(\b[a-z]+\b[ .,])*",
    r"a\b\b -\B-",
    r"\b{start}[α-ω]+\b{end}!\B-?!",
    r"\<a\>|b\Bc",
    r"([a-c]+(-\b[a-c]+)*)?",
];

/// Whether the `regex` crate matches the whole string.
fn matches(pattern: &str, text: &str) -> bool {
    regex_of_all(pattern).is_match(text)
}

fn regex_of_all(pattern: &str) -> ::regex::Regex {
    ::regex::Regex::new(&format!("^(?:{pattern})$")).expect("a pattern of the list")
}

#[test]
#[ignore = "slow: 8 s"]
fn every_string_matches_whatever_its_choices() {
    for pattern in PATTERNS {
        let whole = regex_of_all(pattern);
        check_generator(regex(pattern)).valid(move |text: &String| whole.is_match(text)).run().expect(pattern);
    }
}

#[test]
fn a_string_is_a_generator() {
    let property = property! { forall text in "[ab]{2}"; check text.len() == 2 };
    let report = Run::new("ab", &property).settings(Settings::new().store(Store::Off)).report();
    assert!(matches!(report.verdict, Verdict::Exhausted { .. }));
    assert_eq!(report.statistics.valid, 4);
}

#[test]
fn the_simplest_string_is_the_shortest_match() {
    for (pattern, shortest) in [
        ("hello|[0-9]+x?", "0"),
        ("(?i)z|aa", "z"),
        ("(?:a*b?c*){0,3}d|xy", "d"),
        (r"\w+@\w+\.(museum|com)", "a@a.com"),
        (r"[^a]", "b"),
        ("[0-9A-Z]", "A"),
        ("(abc|d)(e|fgh){2,}", "dee"),
        (r"\p{Cyrillic}+", "\u{400}"),
    ] {
        assert!(matches(pattern, shortest));
        assert_eq!(Source::replay(&Sequence::default()).draw(regex(pattern)), shortest, "{pattern}");
        for seed in 0..20 {
            let property = property! { forall text in regex(pattern); check text.is_empty() };
            let settings = Settings::new().seed(seed).enumerate(false).explain(0).store(Store::Off);
            let report = Run::new("shortest", &property).settings(settings).report();
            let text = report.counterexample.expect("no text is empty").bindings[0].printed.debug.clone();
            assert_eq!(text, Some(format!("{shortest:?}")), "{pattern} from seed {seed}");
        }
    }
}

#[test]
fn counterexamples_shrink_within_the_expression() {
    let property = property! {
        forall address in r"[a-z]{1,20}(\.[a-z]{1,20}){0,3}@[a-z]{1,20}\.(com|org)";
        check !address.split('@').next().unwrap_or_default().contains(".q")
    };
    for seed in 0..10 {
        let settings = Settings::new().seed(seed).tests(2000).store(Store::Off);
        let report = Run::new("addresses", &property).settings(settings).report();
        let found = report.counterexample.expect("about every tenth has one");
        assert_eq!(found.bindings[0].printed.debug.as_deref(), Some("\"a.q@a.com\""));
    }
}

#[test]
fn every_character_of_a_class_is_reached_and_repetitions_grow_with_the_size() {
    let letters = sample_with(regex("[a-zA-Z]"), 4000, 1, |_| 100);
    let distinct: std::collections::BTreeSet<String> = letters.into_iter().collect();
    assert_eq!(distinct.len(), 52);
    let longest = |size| sample_with(regex("a*"), 500, 1, |_| size).iter().map(String::len).max().unwrap();
    assert_eq!(longest(0), 0);
    assert!((5..=10).contains(&longest(10)) && (50..=100).contains(&longest(100)));
    let words = sample_with(regex(r"\w"), 4000, 1, |_| 100);
    let ascii = words.iter().filter(|word| word.is_ascii()).count();
    assert!((2000..3900).contains(&ascii), "{ascii} of 4000 are ASCII");
    // Nested repetitions share the size: they do not multiply.
    let nested = sample_with(regex("((a*b)*c)*"), 500, 1, |_| 100);
    assert!(nested.iter().all(|text| text.len() < 2000));
}

#[test]
fn unsupported_expressions_are_reported_with_location_and_advice() {
    for (pattern, parts) in [
        ("a(?=b)", &["look-around", ".filter(…)", "column 2"][..]),
        ("a(?<!b)c", &["look-around", "column 2"]),
        (r"(.)x\1", &["back-reference", "from_fn", "column 5"]),
        ("[a-", &["unclosed character class", "column 1"]),
        ("a{3,1}", &["invalid repetition", "column 2"]),
        ("x\ny(", &["unclosed group", "line 2, column 2"]),
        (r"(?P<n>.)x(?P=n)", &["back-reference", "from_fn", "column 12"]),
        (r"(?<n>.)x\k<n>", &["back-reference", "from_fn", "column 9"]),
        (r"a(?>b)", &["unrecognized flag", "crate `regex`", "column 4"]),
        (r"a\Qb\E", &["unrecognized escape", "crate `regex`", "column 2"]),
        (r"a.\b", &["\\b", ".filter(…)", "column 3"]),
        (r"x(\B-|b)", &["\\b", "column 3"]),
        (r"\b", &["every match", "column 1"]),
        (r"(a?\b)", &["every match", "column 4"]),
        (r"(a\b-?)+", &["every match", "column 3"]),
        (r"(?-u:é\b)", &["every match", "column 7"]),
        ("a^b", &["`^` is not at the start", "remove it", "column 2"]),
        ("(a$)+", &["`$` is not at the end", "column 3"]),
        (r"\z.", &["`$` is not at the end", "column 1"]),
        (r"x[^\s\S]", &["class is empty", "column 2"]),
        ("a{99999999}", &["99999999 characters", "smaller number", "column 2"]),
        ("x(ab{3000}){0,3000}", &["9003000 characters", "column 12"]),
        ("a{2000000,}", &["2000000 characters", "column 2"]),
        (r"\p{Klingon}", &["Unicode property", "column 1"]),
        (r"(?-u:\xff)", &["UTF-8", "remove `(?-u)`"]),
        (r"(?-u:.)", &["UTF-8", "remove `(?-u)`", "column 6"]),
    ] {
        let error = Regex::new(pattern).expect_err(pattern).to_string();
        for part in parts {
            assert!(error.contains(part), "{part} is not in: {error}");
        }
    }
}

#[test]
fn a_property_with_an_invalid_expression_has_an_invalid_generator() {
    let property = property! { forall text in "a(?=b)"; check text.is_empty() };
    let report = Run::new("look", &property).settings(Settings::new().store(Store::Off)).report();
    let Verdict::Faulty(why) = &report.verdict else { panic!("{report:?}") };
    assert!(why.to_string().contains("look-around"), "{why}");
}

#[test]
fn an_invalid_expression_created_before_the_run_is_reported_by_the_run() {
    let texts = regex("a(?=b)");
    let property = property! { forall text in &texts; check text.is_empty() };
    let report = Run::new("look", &property).settings(Settings::new().store(Store::Off)).report();
    assert!(matches!(&report.verdict, Verdict::Faulty(why) if why.to_string().contains("look-around")), "{report:?}");
    let sampled = std::panic::catch_unwind(|| sample_with(regex("a(?=b)"), 1, 1, |_| 10)).unwrap_err();
    assert!(sampled.downcast_ref::<String>().is_some_and(|told| told.contains("look-around")));
}
