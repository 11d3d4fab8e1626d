//! Claims about counterexamples are true: an exception among a few values prevents a claim about all.

use crate::challenges::{harder, thirteen};
use forall::choice::Sequence;
use forall::explain::{Any, Claim, Explainer, Explanation, Open, Related, Relation, Term};
use forall::prelude::*;
use forall::property::{Empty, Property, Telescope};
use forall::run::{Case, Counterexample, Run, Settings, Store, Tested, Tester, Verdict};
use std::cell::{Cell, RefCell};
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::time::{Duration, Instant};

fn settings(seed: u64) -> Settings {
    let settings = Settings::new().seed(seed).tests(2_000).store(Store::Off).enumerate(false).discard_ratio(1000);
    // Time enough on a machine that has other things to do.
    settings.explain(20 * Explainer::RUNS)
}

fn found(property: &dyn Property, settings: Settings) -> Option<Counterexample> {
    Run::new("explained", property).settings(settings).report().counterexample
}

/// The claims, each after its value, without the number of runs.
fn texts(found: &Counterexample) -> Vec<String> {
    let mut texts = Vec::new();
    for claim in &found.explanation.claims {
        let text = match claim {
            // A bound of one number is a claim of its own: see below.
            Claim::Related(Related { relation: Relation::AtLeast | Relation::AtMost, terms, .. }) if matches!(&terms[1], Term::Value(bound) if bound.parse::<f64>().is_ok()) =>
            {
                continue;
            }
            Claim::Any(any) => {
                assert!(any.runs >= 20 || any.every, "{any:?}");
                format!("{} {claim}", found.bindings[any.variable].printed.text())
            }
            _ => claim.to_string(),
        };
        texts.push(without_counts(&text));
    }
    texts
}

/// A claim without the number of values that were tried, which stands between `all` and `tried` or `others`.
fn without_counts(text: &str) -> String {
    let words: Vec<&str> = text.split(' ').collect();
    let mut kept = Vec::new();
    for (at, word) in words.iter().enumerate() {
        let is_followed = matches!(words[at + 1..], ["others", ..] | ["other", "values", ..] | ["values", "tried", ..]);
        let is_count = at > 0 && words[at - 1] == "all" && is_followed;
        if !is_count {
            kept.push(*word);
        }
    }
    kept.join(" ")
}

/// The relation that is claimed.
fn relation(related: &Related) -> String {
    let terms: Vec<String> = related.terms.iter().map(Term::to_string).collect();
    terms.join(&format!(" {} ", related.relation))
}

/// The claims about a property's counterexample, however it was found.
#[track_caller]
fn assert_says(property: &dyn Property, expected: &[&str]) {
    for seed in 0..4 {
        let found = found(property, settings(seed)).expect("the property does not hold");
        assert_eq!(texts(&found), expected);
    }
}

#[derive(Arbitrary, Clone, Debug, PartialEq)]
struct Point {
    x: i32,
    y: i32,
}

#[derive(Arbitrary, Clone, Debug)]
enum Shape {
    Nothing,
    Circle(Point, u32),
    Many(Vec<Shape>),
}

#[test]
fn variables_that_do_not_matter_can_be_anything() {
    let property = property! { forall n: u32; forall flag: bool; check *n < 100 };
    assert_says(&property, &["false fails for both values"]);
    let property = property! { forall n in 0..1000u32; forall m in 0..10u8; check *n < 100 };
    assert_says(&property, &["0 fails for all 10 values (all tried)"]);
    let property = property! { forall n: u8; forall p: Point; check *n < 3 };
    assert_says(&property, &["Point { x: 0, y: 0 } failed for all other values tried"]);
    let property = property! { forall xs: Vec<u8>; check { let _ = xs; false } };
    assert_says(&property, &["vec![] failed for all other values tried"]);
}

#[test]
fn parts_of_values_are_marked_in_their_text() {
    let property = property! { forall p: Point; check p.y < 10 };
    assert_says(
        &property,
        &["Point { x: 0, y: 10 } failed for all other values tried of the form Point { x: _, y: 10 }"],
    );
    let property = property! { forall p: (Option<u8>, Point, bool); check p.1.x != 3 };
    let said = "(None, Point { x: 3, y: 0 }, false) failed for all other values tried of the form (_, Point { x: 3, y: _ }, _)";
    assert_says(&property, &[said]);
    let property = property! { forall p: (u8, Option<u8>); check p.1.is_none() };
    assert_says(&property, &["(0, Some(0)) failed for all other values tried of the form (_, Some(_))"]);
    let property = property! { forall s: Shape; check !matches!(s, Shape::Circle(_, 1..)) };
    let said =
        "Shape::Circle(Point { x: 0, y: 0 }, 1) failed for all other values tried of the form Shape::Circle(_, 1)";
    assert_says(&property, &[said]);
}

#[test]
fn collections_have_more_elements_or_any() {
    let property = property! { forall xs: Vec<u8>; check xs.len() < 3 };
    assert_says(&property, &["vec![0, 0, 0] failed for all other values tried of the form vec![_, _, _, ..]"]);
    let property = property! { forall xs: Vec<i32>; check xs.iter().all(|x| *x < 100) };
    assert_says(&property, &["vec![100] failed for all other values tried of the form vec![100, ..]"]);
    let property = property! { forall xs: Vec<i32>; check xs.len() != 2 };
    assert_says(&property, &["vec![0, 0] failed for all other values tried of the form vec![_, _]"]);
    let property = property! { forall xs: Vec<(u8, String)>; check xs.len() < 2 };
    assert_says(
        &property,
        &[
            "vec![(0, String::from(\"\")), (0, String::from(\"\"))] failed for all other values tried of the form vec![_, _, ..]",
        ],
    );
    let property = property! { forall s: Shape; check !matches!(s, Shape::Many(shapes) if shapes.len() > 1) };
    let found = found(&property, settings(1)).unwrap();
    assert_eq!(found.bindings[0].printed.text(), "Shape::Many(vec![Shape::Nothing, Shape::Nothing])");
}

#[test]
fn relations_of_two_variables_are_reported() {
    let related = |property: &dyn Property| -> String {
        let found = found(property, settings(1)).unwrap();
        let claims = &found.explanation.claims;
        let related = claims.iter().find_map(|claim| match claim {
            Claim::Related(related) if related.within.is_none() => Some(related),
            _ => None,
        });
        let related = related.unwrap_or_else(|| panic!("{claims:?}"));
        assert!(related.failed >= 20 && related.passed >= Some(20), "{related:?}");
        relation(related)
    };
    assert_eq!(related(&property! { forall a: u32; forall b: u32; check a != b }), "a == b");
    assert_eq!(related(&property! { forall a: u32; forall b: u32; check a == b }), "a != b");
    assert_eq!(related(&property! { forall a: i64; forall b: i64; check a >= b }), "a < b");
    assert_eq!(related(&property! { forall a: u8; forall b: u8; check a >= b }), "a < b");
    assert_eq!(related(&property! { forall a: i16; forall b: i16; check *a < *b }), "a >= b");
    assert_eq!(related(&property! { forall a: Option<u8>; forall b: Option<u8>; check a == b }), "a != b");
    assert_eq!(
        related(&property! { forall a: Option<u8>; forall n: u8; forall b: Option<u8>; check a != b || *n < 3 }),
        "a == b"
    );
}

#[test]
fn relations_of_two_parts_of_a_variable_are_reported() {
    let related = |property: &dyn Property| -> Vec<String> {
        let mut related = Vec::new();
        for claim in found(property, settings(1)).unwrap().explanation.claims {
            if let Claim::Related(found) = claim {
                related.push(format!("{} in {}", relation(&found), found.within.unwrap()));
            }
        }
        related
    };
    let property = property! { forall p: Point; check p.x != p.y };
    assert_eq!(related(&property), ["x == y in p = Point { x: x, y: y }"]);
    let property = property! { forall xs: Vec<i32>; check xs.len() != 2 || xs.is_sorted() };
    assert_eq!(related(&property), ["x > y in xs = vec![x, y]"]);
    let property = property! { forall p: (u8, bool, Option<u8>); check p.2.is_none_or(|n| n == p.0) };
    assert_eq!(related(&property), ["x != y in p = (x, false, Some(y))"]);
    // A variable's own name is left to it.
    let property = property! { forall x: (u8, u8); check x.0 <= x.1 };
    assert_eq!(related(&property), ["p > q in x = (p, q)"]);
    // A sum is none of these, and numbers that show in one place are not told apart.
    let property = property! { forall p: (u8, u8); check u32::from(p.0) + u32::from(p.1) < 100 };
    assert_eq!(related(&property), ["x >= 100 in p = (0, x)"]);
    let two_digits = || (0..10u32, 0..10u32).map(|(tens, units)| 10 * tens + units);
    let property = Empty.forall("n", move |(), s| s.draw(two_digits())).check(|(n, ())| n / 10 != n % 10);
    assert_eq!(related(&property), [""; 0]);
}

#[test]
fn relations_of_two_characters_of_a_string_are_reported() {
    let claimed = |property: &dyn Property, expected: &[&str]| {
        let mut said = Vec::new();
        for claim in found(property, settings(1)).unwrap().explanation.claims {
            if let Claim::Related(found) = claim {
                said.push(format!("{} in {}", relation(&found), found.within.unwrap()));
            }
        }
        assert_eq!(said, expected);
    };
    let two = |s: &str| <[char; 2]>::try_from(s.chars().collect::<Vec<_>>()).ok();
    let property = property! { forall s: String; check two(s).is_none_or(|[a, b]| a >= b) };
    claimed(&property, &["x < y in s = String::from(\"{x}{y}\")"]);
    let property = property! { forall s: String; check s.chars().count() < 2 || s.chars().next() != s.chars().last() };
    claimed(&property, &["x == y in s = String::from(\"{x}{y}\")"]);
    let property = property! { forall p: (u8, String); check p.0 == 0 || two(&p.1).is_none_or(|[a, b]| a == b) };
    claimed(&property, &["x >= 1 in p = (x, String::from(\"ab\"))", "x != y in p = (1, String::from(\"{x}{y}\"))"]);
    // Equal if case is ignored: neither equal nor in an order.
    let property = property! { forall s: String; check two(s).is_none_or(|[a, b]| !a.eq_ignore_ascii_case(&b)) };
    let said = texts(&found(&property, settings(1)).unwrap());
    assert!(!said.iter().any(|said| said.contains("x == y") && said.contains("passed")), "{said:?}");
}

#[test]
fn parts_that_pass_for_a_few_values_are_not_called_open() {
    // One value of many; the failure itself may speak of it.
    assert_says(&property! { forall n: u32; check *n == 77 }, &[]);
    assert_says(&property! { forall n: i32; check *n == 50 }, &[]);
    assert_says(&property! { forall n: u64; check *n == 10_000 }, &[]);
    assert_says(&property! { forall n: i64; check *n == i64::MIN }, &[]);
    assert_says(&property! { forall n: u64; check *n == u64::MAX }, &[]);
    assert_says(&property! { forall n: u64; check assert_eq!(*n, 123_456_789) }, &[]);
    assert_says(&property! { forall n: i32; check assert_eq!(*n, -123_456) }, &[]);
    assert_says(&property! { forall c in 0..=255u8; check *c == 201 }, &[]);
    assert_says(&property! { forall x: f64; check x.is_nan() || *x == f64::INFINITY }, &[]);
    assert_says(
        &property! { forall xs: Vec<u8>; check xs.is_empty() || xs.len() > 40 },
        &["vec![0] fails for every vec![_] (all tried)"],
    );
    assert_says(&property! { forall s: String; check s == "a" }, &[]);
}

#[test]
fn coupled_parts_are_not_claimed_to_vary_together() {
    // Each alone keeps the product at 0; both together do not.
    let property = property! { forall a in 0..1000u32; forall b in 0..1000u32; check a * b != 0 };
    for claim in found(&property, settings(1)).unwrap().explanation.claims {
        let Claim::Any(any) = &claim else { panic!("{claim}") };
        assert!(!any.together, "{claim}");
        assert_eq!(without_counts(&claim.to_string()), "failed for all other values tried (other inputs unchanged)");
    }
    let property = property! { forall p: Point; check i64::from(p.x) * i64::from(p.y) != 0 };
    let found = found(&property, settings(1)).unwrap();
    let said =
        "failed for all other values tried with one _ replaced in Point { x: _, y: _ } (everything else unchanged)";
    assert_eq!(without_counts(&found.explanation.claims[0].to_string()), said);
    // A sum, a difference.
    assert_says(&property! { forall a in 0..1000u32; forall b in 0..1000u32; check a + b < 1000 }, &[]);
    assert_says(&property! { forall a in 0..1000u32; forall b in 0..1000u32; check a.abs_diff(*b) != 7 }, &[]);
    assert_says(
        &property! { forall a in 0..1000u32; forall b in 0..1000u32; check a.abs_diff(*b) > 7 },
        &["failed for all values tried with a within 7 of b, passed for all others"],
    );
}

#[test]
fn a_part_of_a_printed_value_is_open_only_if_all_of_it_is() {
    // Of 5 only what is in front can be anything.
    let digits = || (0..1000u32, 0..10u32).map(|(tens, units)| 10 * tens + units);
    let property = Empty.forall("n", move |(), s| s.draw(digits())).check(|(n, ())| n % 10 != 5);
    let found_it = found(&property, settings(1)).unwrap();
    assert_eq!(texts(&found_it), [""; 0]);
    // Of a string the characters, but not its length; or one of them.
    let property = property! { forall s: String; check s.chars().count() != 2 };
    assert_says(
        &property,
        &["String::from(\"aa\") failed for all other values tried of the form String::from(<2 characters>)"],
    );
    let property = property! { forall p: (String, u8); check p.0.is_empty() || p.1 == 0 };
    assert_says(
        &property,
        &[
            "(String::from(\"a\"), 1) failed for all other values tried of the form (String::from(<1 or more characters>), 1)",
        ],
    );
    let property = property! { forall s: String; check s.chars().count() != 2 || s.as_str() < "c" };
    assert_says(&property, &[]);
    // A value that shows in two places.
    let property = Empty
        .forall("p", |(), s| {
            let n = s.draw(0..100u32);
            (n, s.draw(0..100u32), n)
        })
        .print(|(), p| format!("{p:?}"))
        .check(|(p, ())| p.1 != 50);
    let found_it = found(&property, settings(1)).unwrap();
    assert!(!found_it.explanation.claims.iter().any(is_marked), "{:?}", found_it.explanation);
}

fn is_marked(claim: &Claim) -> bool {
    matches!(claim, Claim::Any(Any { open: Open::Whole | Open::Pattern(_), .. }))
}

#[test]
fn variables_that_depend_on_others_are_left_alone() {
    // The last index: with more elements it is not the last, with fewer it is none.
    let property = Empty
        .forall("xs", |(), s| s.draw(vec(0..100u32).len(2..5)))
        .forall("n", |(xs, ()), s| s.draw(0..xs.len()))
        .check(|(n, (xs, ()))| n + 1 < xs.len());
    let found_it = found(&property, settings(1)).unwrap();
    assert_eq!(texts(&found_it), ["[0, 0] failed for all other values tried of the form [_, _]"]);
    // Where `n` is an element of the list, it reads differently with another list.
    let property = Empty
        .forall("xs", |(), s| s.draw(vec(0..100u32).len(2..5)))
        .forall("n", |(xs, ()), s| s.draw(elements(xs)))
        .check(|(n, _)| *n < 50);
    let found_it = found(&property, settings(1)).unwrap();
    assert_eq!(texts(&found_it), ["[0, 50] failed for all other values tried of the form [_, 50, ..]"]);
}

#[test]
fn parts_with_an_unstable_debug_text_can_be_open_and_parts_with_a_constant_one_cannot() {
    #[derive(Debug)]
    struct Secret;
    let property = Empty
        .forall("secret", |(), s| {
            s.draw(0..1000u32);
            Secret
        })
        .forall("set", |_, s| s.draw(any::<HashSet<u32>>()))
        .forall("n", |_, s| s.draw(0..1000u32))
        .check(|(n, _)| *n < 500);
    let found = found(&property, settings(1)).unwrap();
    let whole: Vec<usize> = found
        .explanation
        .claims
        .iter()
        .filter_map(|claim| match claim {
            Claim::Any(any) if any.open == Open::Whole => Some(any.variable),
            _ => None,
        })
        .collect();
    assert_eq!(whole, [1]);
}

#[test]
fn values_that_were_shrunk_by_steps_are_not_varied() {
    let property = Empty
        .forall("n", |(), s| s.draw(0..1000u32))
        .shrink(|(), n| Box::new([n / 2, n.saturating_sub(1)].into_iter()))
        .forall("m", |_, s| s.draw(0..10u32))
        .check(|(_, (n, ()))| *n < 100);
    let found = found(&property, settings(1)).unwrap();
    let claims = &found.explanation.claims;
    assert!(matches!(&claims[..], [Claim::Any(any)] if any.variable == 1), "{claims:?}");
}

#[test]
fn an_explanation_is_bounded_and_counted_separately() {
    let runs = Cell::new(0u64);
    let property = property! {
        forall xs: Vec<u8>;
        forall n: u32;
        check { runs.set(runs.get() + 1); xs.len() < 3 }
    };
    let with = |explain: u64| {
        runs.set(0);
        let found = found(&property, settings(3).explain(explain)).unwrap();
        (runs.get(), found.shrinking.evaluations, found.explanation)
    };
    let (without, shrinking, nothing) = with(0);
    assert_eq!(nothing, Explanation::default());
    for limit in [1, 50, 20_000] {
        let (all, evaluations, explanation) = with(limit);
        assert_eq!(evaluations, shrinking, "shrinking is not changed");
        // Where there are many, the case itself runs ten times before, to know how long that takes.
        let timed = if limit < 100 { 0 } else { 10 };
        assert_eq!(all, without + explanation.evaluations + timed, "all runs are counted");
        assert!(explanation.evaluations <= 11 * limit, "{explanation:?}");
        assert_eq!(explanation.cut_short.is_some(), limit < 1000, "{explanation:?}");
    }
    let claims = |explanation: Explanation| explanation.claims;
    assert_eq!(claims(with(20_000).2), claims(with(20_000).2), "the same seed, the same explanation");
}

#[test]
fn large_cases_of_all_kinds_are_explained_within_the_limits() {
    type Mixed = (f64, char, Result<u8, String>, BTreeMap<String, Vec<Option<u8>>>);
    for seed in 0..6 {
        let property = Empty
            .forall("shapes", |(), s| s.draw(any::<Vec<Shape>>()))
            .forall("mixed", |_, s| s.draw(any::<Mixed>()))
            // Choices that are made when the property is checked.
            .forall("later", |_, s| RefCell::new(s.fork()))
            .forall("n", |(_, (mixed, _)), s| s.draw(0..=mixed.3.len()))
            .check(|(n, (later, (mixed, (shapes, ()))))| {
                let drawn = later.borrow_mut().draw(vec(0..10u8));
                (shapes.len() + mixed.3.len() + drawn.len() + n + mixed.2.is_ok() as usize) % 7 != 3
            });
        let settings = settings(seed).size(60).shrink_evaluations(0).explain(200);
        let found = found(&property, settings).unwrap();
        assert!(found.explanation.evaluations <= 200);
        for claim in &found.explanation.claims {
            assert!(!matches!(claim, Claim::Any(any) if any.variable == 3), "`n` matters: {claim}");
        }
    }
}

#[test]
#[ignore = "slow: 2 s"]
fn slow_properties_are_not_made_slower() {
    let slow = property! {
        forall n in 0..100u32;
        forall m in 0..1_000_000u32;
        check { std::thread::sleep(Duration::from_millis(100)); *n < 1 }
    };
    let settings = settings(1).shrink_evaluations(0).explain(Explainer::RUNS);
    let started = Instant::now();
    let found = found(&slow, settings).unwrap();
    assert!(found.explanation.time < Explainer::TIME + Duration::from_millis(200), "{:?}", found.explanation);
    assert!(found.explanation.cut_short.is_some() && started.elapsed() < Duration::from_secs(30));
}

#[test]
fn parts_without_time_to_examine_get_no_claim() {
    let slow = property! { forall xs: Vec<u8>; check { std::thread::sleep(Duration::from_millis(1)); xs.len() < 3 } };
    let tester = Tester::new("slow", &slow, 1);
    let three = Case { sequence: Sequence::from_values(100, &[1, 0, 1, 0, 1, 0, 0]), steps: vec![] };
    let (three, Tested::Fail(failure)) = tester.run(&three) else { panic!("three are not fewer than three") };
    for milliseconds in [30, 100, 200, 300] {
        let time = Duration::from_millis(milliseconds);
        let explanation = Explainer::new(&tester, three.clone(), failure.clone()).limits(2000, time).explain();
        assert!(explanation.slow, "{explanation:?}");
        for claim in &explanation.claims {
            assert!(!matches!(claim, Claim::Any(Any { open: Open::Whole, .. })), "short lists pass: {claim}");
        }
    }
}

#[test]
fn two_variables_are_not_related_if_a_third_depends_on_them() {
    // With a == x == 1 and b == 1 it passes, but `b` is chosen in another way then.
    let between = property! {
        forall a: i32;
        forall b in *a..=i32::MAX;
        forall x: i32;
        check !(*a <= *x && *x <= *b && *a < *b)
    };
    let found = found(&between, settings(1).explain(Explainer::RUNS)).unwrap();
    for text in texts(&found) {
        assert!(!text.contains(" tried with "), "{text}");
    }
}

#[test]
fn bounds_of_numbers_are_claimed() {
    let bounds = |property: &dyn Property| -> Vec<String> {
        let found = found(property, settings(1)).unwrap();
        found.explanation.claims.iter().map(|claim| without_counts(&claim.to_string())).collect()
    };
    let claimed = |relation: &str| [format!("failed for all values tried with {relation}, passed for all others")];
    assert_eq!(bounds(&property! { forall n: u32; check *n < 5000 }), claimed("n >= 5000"));
    assert_eq!(bounds(&property! { forall n: i64; check *n > -77 }), claimed("n <= -77"));
    let one_passes = bounds(&property! { forall n in 0..100u32; check *n == 0 });
    assert_eq!(one_passes, ["failed for all values tried with n >= 1, passed for the only other one"]);
    assert_eq!(bounds(&property! { forall n: i8; check *n < 0 || *n == i8::MAX }), [""; 0]);
    assert_eq!(bounds(&property! { forall n in 0..100_000u32; check *n < 5000 || (6000..8000).contains(n) }), [""; 0]);
    let property = property! { forall xs: Vec<i32>; check xs.iter().all(|x| *x < 100) };
    assert_eq!(bounds(&property)[1..], claimed("x >= 100 in xs = vec![x]"));
}

#[test]
fn relations_of_lengths_orders_and_negations_are_claimed() {
    let claimed = |property: &dyn Property, relation: &str| {
        for seed in 0..3 {
            let said = texts(&found(property, settings(seed)).unwrap());
            let expected = format!("failed for all values tried with {relation}, passed for all others");
            assert!(said.contains(&expected), "{relation}: {said:?}");
        }
    };
    claimed(&property! { forall n in 0..40usize; forall xs: Vec<u8>; check *n != xs.len() }, "n == xs.len()");
    claimed(&property! { forall xs: Vec<u8>; forall i: usize; check *i < xs.len() }, "xs.len() <= i");
    claimed(
        &property! { forall s: String; forall i in 0..20usize; check *i >= s.chars().count() },
        "s.chars().count() > i",
    );
    claimed(
        &property! { forall a: Vec<u8>; forall b: String; check a.len() >= b.chars().count() },
        "a.len() < b.chars().count()",
    );
    claimed(&property! { forall a: u16; forall b: u16; forall c: u16; check !(a < b && b < c) }, "a < b < c");
    claimed(&property! { forall a in -50..=50i32; forall b in -50..=50i32; check *a != -b }, "a == -b");
    claimed(&property! { forall a: u8; forall b: u8; check a.abs_diff(*b) > 3 }, "a within 3 of b");
    claimed(&property! { forall a: u8; forall b: u8; check a.abs_diff(*b) <= 3 }, "a more than 3 from b");
}

#[test]
fn flaky_failures_and_missed_deadlines_get_no_claims() {
    let runs = Cell::new(0u64);
    let flaky = property! { forall n: u32; check { runs.set(runs.get() + 1); runs.get().is_multiple_of(2) } };
    let report = Run::new("flaky", &flaky).settings(settings(1)).report();
    assert_eq!(report.verdict, Verdict::Flaky);
    assert_eq!(report.counterexample.unwrap().explanation, Explanation::default());
    let late = property! { forall n: u32; check std::thread::sleep(Duration::from_millis(5)) };
    let found = found(&late, settings(1).deadline("1ms").shrink_evaluations(5)).unwrap();
    assert_eq!((found.explanation.claims, found.explanation.evaluations), (Vec::new(), 0));
}

/// Random properties of three small numbers, whose combinations can all be tested: the claims are exactly the true
/// ones.
#[test]
fn claims_about_small_domains_are_true() {
    const VALUES: u64 = 5;
    let (mut said, mut together) = (0, 0);
    for seed in 0..300u64 {
        // The failing inputs: about this many in four, often independently of one or two of the numbers.
        let fails = move |a: u64, b: u64, c: u64| {
            let mut source = Source::random(seed, 0, 100);
            let (used, density) = (source.choice(7), source.choice(3));
            let seen = [(a, 1), (b, 2), (c, 4)].map(|(n, bit)| if used & bit > 0 { n } else { 0 });
            Source::random(seed, 1 + seen[0] + VALUES * seen[1] + VALUES * VALUES * seen[2], 100).choice(3) <= density
        };
        let property = Empty
            .forall("a", |(), s| s.draw(0..VALUES))
            .forall("b", |_, s| s.draw(0..VALUES))
            .forall("c", |_, s| s.draw(0..VALUES))
            .check(|(c, (b, (a, ())))| !fails(*a, *b, *c));
        let Some(found) = found(&property, settings(seed)) else { continue };
        let minimal: Vec<u64> = found.case.sequence.values().collect();
        let with = |changes: &[(usize, u64)]| {
            let mut values = minimal.clone();
            changes.iter().for_each(|(variable, value)| values[*variable] = *value);
            fails(values[0], values[1], values[2])
        };
        let is_open = |v: usize| (0..VALUES).all(|value| with(&[(v, value)]));
        let open: Vec<usize> = (0..3).filter(|&variable| is_open(variable)).collect();
        let mut claimed = Vec::new();
        for claim in &found.explanation.claims {
            match claim {
                Claim::Any(any) => {
                    assert!(any.every && any.open == Open::Whole, "{any:?}");
                    claimed.push((any.variable, any.together));
                }
                // Of this few values there are too few pairs for a relation.
                other => panic!("{other}"),
            }
        }
        assert_eq!(claimed.iter().map(|(variable, _)| *variable).collect::<Vec<_>>(), open, "seed {seed}");
        let all = VALUES.pow(open.len() as u32);
        let really = (0..all).all(|n| {
            let values = open.iter().enumerate().map(|(i, v)| (*v, n / VALUES.pow(i as u32) % VALUES));
            with(&values.collect::<Vec<_>>())
        });
        for (_, together) in &claimed {
            assert_eq!(*together, really, "seed {seed}");
        }
        said += claimed.len();
        together += usize::from(open.len() > 1 && really);
    }
    assert!(said > 100 && together > 20, "{said} claims, {together} of several variables together");
}

#[test]
fn explaining_can_be_disabled_everywhere() {
    let with = |value: &'static str| {
        Settings::new().with_environment(move |name: &str| (name == "FORALL_EXPLAIN").then(|| value.to_owned()))
    };
    assert_eq!(with("off").unwrap().explain, 0);
    assert_eq!(with("5000").unwrap().explain, 5000);
    assert_eq!(with("").unwrap().explain, Explainer::RUNS);
    let why = with("never").unwrap_err();
    assert!(why.to_string().contains("FORALL_EXPLAIN=never") && why.to_string().contains("`off`"), "{why}");
}

/// Ten times the runs, with other values: the claims must still hold.
#[test]
#[ignore = "slow: 9 s"]
fn more_runs_do_not_refute_the_claims_about_the_challenges() {
    for challenge in thirteen::THIRTEEN.iter().chain(&harder::HARDER) {
        let property = (challenge.property)();
        let explained = |runs| (0..).find_map(|seed| found(&*property, settings(seed).explain(runs))).unwrap();
        let minimal = explained(3 * Explainer::RUNS);
        let values: Vec<&str> = minimal.bindings.iter().map(|binding| binding.printed.text()).collect();
        assert_eq!(values.join(", "), challenge.ideal, "{}", challenge.name);
        let said: Vec<String> = minimal.explanation.claims.iter().map(open).collect();
        let known: Vec<String> = explained(30 * Explainer::RUNS).explanation.claims.iter().map(open).collect();
        for claim in &said {
            assert!(known.contains(claim), "{}: {claim} is contradicted: {known:?}", challenge.name);
        }
        let expected = match challenge.name {
            "large_union" => Some("[[0, 1, -1, 2, -2, ..], ..]"),
            "calculator" => Some("Div(_, Add(Int(0), Int(0)))"),
            "deletion" => Some("[0, 0, ..]"),
            "distinct" => Some("[0, 1, -1, ..]"),
            "nested" => Some("[[_, _, _, _, _, _, _, _, _, _, _, ..], ..]"),
            "chunks" => Some("[1, _, 1, _, ..]"),
            "commands" => Some("[Push(100), Pop, ..]"),
            _ => None,
        };
        if let Some(expected) = expected {
            assert!(said.iter().any(|claim| claim.ends_with(expected)), "{}: {said:?}", challenge.name);
        }
    }
}

/// A claim without its evidence.
fn open(claim: &Claim) -> String {
    match claim {
        Claim::Any(any) => {
            let open = match &any.open {
                Open::Pattern(pattern) => pattern.as_str(),
                Open::Whole => "anything",
                _ => "parts",
            };
            format!("{}: {open}", any.variable)
        }
        Claim::Related(related) => format!("{} in {:?}", relation(related), related.within),
        _ => unreachable!(),
    }
}

#[test]
fn few_runs_are_no_claim_where_most_inputs_are_discarded() {
    // Of the values that the assumption allows, the failing ones are few.
    let property = property! { forall n: u64; implies n % 1000 == 0; check *n > 1 << 33 };
    let found = found(&property, settings(1)).unwrap();
    assert!(texts(&found).is_empty(), "{:?}", found.explanation.claims);
}

#[test]
fn another_failure_does_not_count_as_passing() {
    let property = property! {
        forall a in 0..1000u32;
        forall b in 0..1000u32;
        check {
            assert!(a != b, "equal");
            assert!(a == b, "different");
        }
    };
    for seed in 0..5 {
        let found = found(&property, settings(seed)).unwrap();
        assert!(!found.explanation.claims.iter().any(|claim| matches!(claim, Claim::Related(_))), "{found:?}");
    }
}

#[test]
fn special_values_are_tried_before_a_claim() {
    fn no_claim(property: &dyn Property) {
        for seed in 0..3 {
            let found = found(property, settings(seed)).unwrap();
            assert!(!texts(&found).iter().any(|text| text.ends_with("other values tried")), "{:?}", texts(&found));
        }
    }
    no_claim(&property! { forall a: u32; forall d: f64; check *a < 5 || d.is_infinite() });
    no_claim(&property! { forall a: u32; forall d: f64; check *a < 5 || d.abs() > 1e200 });
    no_claim(&property! { forall a: u32; forall d: f64; check *a < 5 || d.is_subnormal() });
    no_claim(&property! { forall a: u32; forall d: f32; check *a < 5 || d.abs() > 1e30 });
    no_claim(&property! { forall a: u32; forall d: i32; check *a < 5 || *d == i32::MAX });
    no_claim(&property! { forall a: u32; forall d: i64; check *a < 5 || *d == i64::MIN });
}

#[test]
#[ignore = "slow: 24 s"]
fn sorted_collections_are_not_called_open() {
    #[derive(Debug)]
    struct Wrapped(#[allow(dead_code)] HashMap<u8, Vec<i32>>);
    let some_full = |values: Vec<&Vec<i32>>| values.len() >= 2 && values.iter().any(|v| !v.is_empty());
    let sorted = property! { forall m: BTreeMap<u8, Vec<i32>>; check !some_full(m.values().collect()) };
    let hashed = property! { forall m: HashMap<u8, Vec<i32>>; check !some_full(m.values().collect()) };
    let set = property! { forall m: BTreeSet<u8>; check m.len() < 2 };
    let hash_set = property! { forall m: HashSet<u8>; check m.len() < 2 };
    let wrapped = Empty
        .forall("m", |(), s| Wrapped(s.draw(any::<HashMap<u8, Vec<i32>>>())))
        .check(|(m, ())| !some_full(m.0.values().collect()));
    let properties: [&dyn Property; 5] = [&sorted, &hashed, &set, &hash_set, &wrapped];
    for property in properties {
        for seed in 0..6 {
            let said = texts(&found(property, settings(seed)).unwrap());
            for text in &said {
                let is_all = text.contains("(_)") || text.ends_with("other values tried");
                assert!(!is_all, "an empty one passes: {text}");
            }
            assert_eq!(said, texts(&found(property, settings(seed)).unwrap()), "the same each time");
        }
    }
    assert!(texts(&found(&wrapped, settings(1)).unwrap()).is_empty());
}

#[test]
fn values_that_would_change_later_variables_get_no_claim() {
    // No input with an `a` below 5 fails.
    let property = property! { forall a: u8; forall b in 0..=*a; check *b < 5 };
    assert_says(&property, &[]);
    let property = property! { forall a: u64; forall b in 0..=*a; check *b < 5 };
    assert_says(&property, &[]);
    let property = property! { forall p: (u64, u64); forall b in 0..=p.0; check *b < 5 };
    assert_says(&property, &["(5, 0) failed for all other values tried of the form (5, _)"]);
    let property = property! { forall xs: Vec<u8>; forall n in 0..=xs.len(); check *n < 2 };
    for seed in 0..4 {
        let said = texts(&found(&property, settings(seed)).unwrap());
        assert!(!said.iter().any(|text| text.ends_with("other values tried")), "{said:?}");
    }
}

#[test]
fn near_relations_are_not_reported() {
    fn no_relation(property: &dyn Property) {
        for seed in 0..6 {
            let found = found(property, settings(seed).explain(Explainer::RUNS)).unwrap();
            let related = found
                .explanation
                .claims
                .iter()
                .find(|claim| matches!(claim, Claim::Related(Related { passed: Some(_), .. })));
            assert!(related.is_none(), "{}", related.unwrap());
        }
    }
    no_relation(&property! { forall a: u32; forall b: u32; check *a as u8 != *b as u8 });
    no_relation(&property! { forall a: i64; forall b: i64; check *a as i8 != *b as i8 });
    no_relation(&property! { forall a: u64; forall b: u64; check *a as u32 != *b as u32 });
    no_relation(&property! { forall a: u32; forall b: u32; check a % 100 != b % 100 });
    no_relation(&property! { forall a: i32; forall b: i32; check a.unsigned_abs() != b.unsigned_abs() });
    no_relation(&property! { forall a: u16; forall b: u16; check a != b && u32::from(*a) * 2 != u32::from(*b) });
    no_relation(&property! { forall p: (u32, u32); check p.0 as u16 != p.1 as u16 });
}

#[derive(Arbitrary, Clone, Debug)]
struct Big {
    a: u32,
    b: i64,
    c: u8,
    d: u16,
    e: i32,
    f: bool,
    g: u64,
    h: i8,
    i: u32,
    j: i64,
    k: u8,
    l: u16,
    m: i32,
    n: bool,
    o: u64,
}

#[test]
fn a_few_runs_are_no_claim_unless_there_are_no_other_values() {
    let property = property! { forall p: (u64, bool); check p.0 < 5 };
    assert_says(&property, &["(5, false) fails for every (5, _) (all tried)"]);
    // Nine values of an unnamed variable.
    let two_digits = || (0..10u32, 0..10u32).map(|(tens, units)| 10 * tens + units);
    let property = Empty.forall("n", move |(), s| s.draw(two_digits())).check(|(n, ())| n % 10 != 5);
    assert_says(&property, &[]);
    let property = property! { forall big: Big; check big.b < 3 || big.k < 7 };
    for seed in 0..4 {
        let found = found(&property, settings(seed).explain(Explainer::RUNS)).unwrap();
        let said = "Big { a: _, b: 3, c: _, d: _, e: _, f: _, g: _, h: _, i: _, j: _, k: 7, l: _, m: _, n: _, o: _ }";
        assert!(texts(&found)[0].ends_with(said), "{:?}", found.explanation);
    }
}

#[test]
fn parts_with_few_values_are_tried_with_all_of_them() {
    assert_says(
        &property! { forall n: u32; forall flag: Option<bool>; check *n < 10 },
        &["None fails for all 3 values (all tried)"],
    );
    assert_says(
        &property! { forall parts: (u32, Option<bool>, bool); check parts.0 < 10 },
        &["(10, None, false) fails for every (10, _, _) (all tried)"],
    );
    let one_passes = property! { forall n: u32; forall flag: Option<bool>; check *n < 10 || *flag == Some(true) };
    assert_says(&one_passes, &[]);
}

#[test]
fn a_generator_that_draws_until_a_condition_holds_is_explained_quickly() {
    let until = |s: &mut Source| loop {
        let n = s.draw(any::<u32>());
        if n % 10 == 7 || s.is_rejected() {
            return n;
        }
    };
    let property = Empty.forall("n", move |(), s| until(s)).forall("m", |_, s| s.draw(any::<u8>()));
    let found = found(&property.check(|(_, (n, ()))| *n < 1000), settings(1)).unwrap();
    assert!(!found.explanation.slow && found.explanation.evaluations < 1_000, "{:?}", found.explanation);
    assert_eq!(texts(&found), ["0 fails for all 256 values (all tried)"]);
}

#[test]
fn string_elements_that_are_not_characters_are_not_reported_as_characters() {
    let words = property! {
        forall text in vec(0..10u8).map(|digits| digits.iter().map(|digit| format!("{digit},")).collect::<String>());
        check text.matches(',').count() < 3
    };
    for seed in 0..20 {
        let Some(counterexample) = found(&words, settings(seed)) else { continue };
        let claims: Vec<String> = counterexample.explanation.claims.iter().map(open).collect();
        assert!(!claims.iter().any(|claim| claim.contains("character")), "{claims:?}");
    }
}
