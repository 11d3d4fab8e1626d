//! Claims about counterexamples hold from every seed: no known value refutes them. Simple truths are claimed.

use crate::battery::says;
use forall::explain::{Any, Claim, Explainer, Open, Related, Term};
use forall::prelude::*;
use forall::property::{Outcome, Property};
use forall::run::{Case, Run, Settings, Store, Tested, Tester};
use std::collections::BTreeSet;
use std::time::Duration;

/// The claims for the counterexample from each of a hundred seeds: as often as not, it is the same one.
fn claims(property: &dyn Property) -> Vec<Vec<Claim>> {
    let mut cases: Vec<Case> = Vec::new();
    for seed in 0..100 {
        let settings = Settings::new().seed(seed).tests(2_000).store(Store::Off).discard_ratio(1000).explain(0);
        let found = Run::new("claimed", property).settings(settings).report().counterexample;
        // Not from every seed is a rare failure found.
        cases.extend(found.map(|found| found.case).filter(|case| !cases.contains(case)));
    }
    assert!(!cases.is_empty(), "the property does not hold");
    cases.into_iter().map(|case| explain(property, case)).collect()
}

fn explain(property: &dyn Property, case: Case) -> Vec<Claim> {
    let tester = Tester::new("claimed", property, 1);
    let (case, Tested::Fail(failure)) = tester.run(&case) else { panic!("it failed before") };
    let limit = Duration::from_secs(600);
    let explanation = Explainer::new(&tester, case, failure).limits(Explainer::RUNS, limit).explain();
    assert_eq!(explanation.cut_short, None, "{:?}", explanation.claims);
    explanation.claims
}

/// No claim that the property passes for values that are not related.
#[track_caller]
fn fails_otherwise(property: &dyn Property) {
    for claims in claims(property) {
        for claim in &claims {
            let Claim::Related(Related { terms, passed, .. }) = claim else { continue };
            let by_value = terms.iter().all(|term| matches!(term, Term::Value(_)));
            assert!(passed.is_none() || !by_value, "{claim}");
        }
    }
}

/// No claim that says one of these things.
#[track_caller]
fn not_claimed(property: &dyn Property, false_ones: &[&str]) {
    for claims in claims(property) {
        for claim in claims {
            let text = claim.to_string();
            let open = text.split_once(" of the form ").map_or(&*text, |(_, form)| form);
            assert!(!false_ones.iter().any(|one| open.starts_with(one)), "{text}");
        }
    }
}

#[test]
fn equality_of_three_numbers_is_not_claimed_if_one_value_passes() {
    let bits = property! { forall a: u8; forall b: u8; forall c: u8; check a & b & c == 0 };
    let ends = property! { forall a: u8; forall b: u8; forall c: u8; check a != b || b != c || *a == u8::MAX };
    for property in [&bits as &dyn Property, &ends] {
        for claim in claims(property).concat() {
            assert!(!claim.to_string().contains("a == b == c"), "{claim}");
        }
    }
}

/// No claim that a whole variable does not matter, whatever the others are.
#[track_caller]
fn not_open(property: &dyn Property) {
    for claims in claims(property) {
        for claim in claims {
            assert!(!matches!(claim, Claim::Any(Any { open: Open::Whole, together: true, .. })), "{claim}");
        }
    }
}

/// Just these claims, without the number of runs.
#[track_caller]
fn claimed(property: &dyn Property, expected: &[&str]) {
    for claims in claims(property) {
        let mut texts = Vec::new();
        for claim in &claims {
            texts.push(claim.to_string().replace(|c: char| c.is_ascii_digit() || c == ',', ""));
        }
        assert_eq!(texts, expected);
    }
}

#[test]
fn numbers_with_the_same_remainder_are_not_claimed_to_be_equal() {
    fails_otherwise(&property! { forall a: u32; forall b: u32; check a % 37 != b % 37 });
    fails_otherwise(&property! { forall a: u32; forall b: u32; check a % 1009 != b % 1009 });
    fails_otherwise(&property! { forall a: i64; forall b: i64; check a % 1009 != b % 1009 });
    fails_otherwise(&property! { forall a: i32; forall b: i32; check a.rem_euclid(600) != b.rem_euclid(600) });
    fails_otherwise(&property! { forall a: u8; forall b: u8; check a % 101 != b % 101 });
    fails_otherwise(&property! { forall a: u16; forall b: u16; check a.count_ones() != b.count_ones() });
    fails_otherwise(&property! { forall p: (u32, u32); check p.0 % 777 != p.1 % 777 });
}

#[test]
fn similar_strings_are_not_claimed_to_be_equal() {
    fails_otherwise(&property! { forall a: String; forall b: String; check a.len() != b.len() });
    fails_otherwise(&property! { forall a: String; forall b: String; check a.trim() != b.trim() });
    fails_otherwise(&property! { forall a: String; forall b: String; check a.to_lowercase() != b.to_lowercase() });
    fails_otherwise(&property! {
        forall a: String;
        forall b: String;
        check a.trim().is_empty() || a.trim_end() != b.trim_end()
    });
}

#[test]
#[ignore = "slow: 4 s"]
fn similar_collections_are_not_claimed_to_be_equal() {
    fn set(xs: &[u8]) -> BTreeSet<u8> {
        xs.iter().copied().collect()
    }
    fn sorted(xs: &[u8]) -> Vec<u8> {
        let mut xs = xs.to_vec();
        xs.sort();
        xs
    }
    fn is_subsequence(xs: &[u8], ys: &[u8]) -> bool {
        let mut ys = ys.iter();
        xs.iter().all(|x| ys.any(|y| x == y))
    }
    fails_otherwise(&property! { forall a: Vec<u8>; forall b: Vec<u8>; check a.len() != b.len() });
    fails_otherwise(&property! { forall a: Vec<u8>; forall b: Vec<u8>; check set(a) != set(b) });
    fails_otherwise(&property! { forall a: Vec<u8>; forall b: Vec<u8>; check sorted(a) != sorted(b) });
    fails_otherwise(&property! { forall a: Vec<u8>; forall b: Vec<u8>; check !is_subsequence(a, b) });
    fails_otherwise(&property! {
        forall a: Vec<u8>;
        forall b: Vec<u8>;
        check b.len() < 2 || !is_subsequence(b, a)
    });
    fails_otherwise(&property! { forall a: Vec<u8>; forall b: u8; check !a.contains(b) });
    fails_otherwise(&property! { forall a: Vec<Vec<u8>>; forall b: Vec<Vec<u8>>; check a.concat() != b.concat() });
    fails_otherwise(&property! {
        forall a in vec(0..3u8).len(4..9);
        forall b in vec(0..3u8).len(4..9);
        check sorted(a) != sorted(b)
    });
}

#[derive(Arbitrary, Clone, Debug)]
enum Tree {
    Leaf,
    Node(Box<Tree>, u8, Box<Tree>),
}

impl Tree {
    fn in_order(&self) -> Vec<u8> {
        match self {
            Tree::Leaf => vec![],
            Tree::Node(left, value, right) => [left.in_order(), vec![*value], right.in_order()].concat(),
        }
    }
}

#[test]
fn trees_with_the_same_contents_are_not_claimed_to_be_equal() {
    fails_otherwise(&property! { forall a: Tree; forall b: Tree; check a.in_order() != b.in_order() });
}

#[test]
fn extremes_are_tried_together() {
    let sum = |b: u8, c: u8| u32::from(b) + u32::from(c);
    not_open(&property! { forall a: u8; forall b: u8; forall c: u8; check *a < 3 || sum(*b, *c) >= 500 });
    not_open(
        &property! { forall a: u8; forall b: u32; forall c: u64; check *a < 3 || *b == u32::MAX && *c == u64::MAX },
    );
    not_open(&property! { forall a: u8; forall b: i32; forall c: i32; check *a < 3 || *b > 0 && b == c });
    not_open(&property! { forall a: u8; forall p: (u8, u8); check *a < 3 || sum(p.0, p.1) >= 508 });
    not_open(&property! { forall a: u8; forall p: (u8, u8); check *a < 3 || p.1 == 200 });
    not_open(&property! { forall a: u8; forall p: Option<u8>; check *a < 3 || *p == Some(77) });
}

#[test]
fn one_passing_value_prevents_the_claim_about_the_whole() {
    not_claimed(&property! { forall r: Result<u8, String>; check *r == Ok(0) }, &["_"]);
    not_claimed(&property! { forall r: Result<u8, String>; check matches!(r, Err(text) if text.len() > 3) }, &["_"]);
}

#[test]
fn a_string_is_not_open_because_each_of_its_digits_is() {
    let digits = from_fn(|s| format!("{}{}{}", s.draw(0..=9u8), s.draw(0..=9u8), s.draw(0..=9u8)));
    let property = property! { forall text in digits; check text.starts_with('2') && text.ends_with('2') };
    for claim in claims(&property).concat() {
        assert!(!claim.to_string().contains("String::from(_)"), "{claim}");
    }
}

#[test]
fn values_tried_for_one_part_are_tried_while_the_others_vary() {
    // A space in front, and something behind it.
    let passes = |s: &str| s.is_empty() || s.starts_with(' ') && s.trim() != "";
    not_claimed(&property! { forall s: String; check passes(s) }, &["String::from(<1 or more characters>)"]);
}

#[test]
fn collections_are_tried_with_special_values() {
    not_claimed(&property! { forall v: Vec<u8>; check v.len() < 3 || v.contains(&200) }, &["vec![_, _, _, ..]"]);
    not_claimed(&property! { forall v: Vec<u8>; check v.len() < 2 || v.len() % 16 == 0 }, &["vec![_, _, ..]"]);
    not_claimed(&property! { forall v: Vec<u16>; check v.len() < 2 || v.len() == 27 }, &["vec![_, _, ..]"]);
    not_claimed(
        &property! { forall s: String; check s.len() < 3 || s.starts_with('z') },
        &["String::from(<3 or more characters>)"],
    );
    not_open(&property! { forall n: u8; forall v: Vec<u8>; check *n < 3 || v.len() == 16 });
    not_open(&property! { forall n: u8; forall s: String; check *n < 3 || s.contains('z') });
    not_claimed(
        &property! { forall v: Vec<u8>; check v.len() < 2 || v.iter().map(|x| u32::from(*x)).sum::<u32>() == 510 },
        &["vec![_, _]", "vec![_, _, ..]"],
    );
}

const AT_LEAST: &str = "failed for all  values tried with a >=  passed for all  others (other inputs unchanged)";

#[test]
fn simple_truths_are_claimed() {
    let equal = ["failed for all  values tried with a == b passed for all  others"];
    claimed(&property! { forall a: u32; forall b: u32; check a != b }, &equal);
    claimed(&property! { forall a: i64; forall b: i64; check a != b }, &equal);
    claimed(&property! { forall a: String; forall b: String; check a != b }, &equal);
    claimed(&property! { forall a: Vec<u8>; forall b: Vec<u8>; check a != b }, &equal);
    claimed(&property! { forall a: Tree; forall b: Tree; check format!("{a:?}") != format!("{b:?}") }, &equal);
    claimed(
        &property! { forall a: Vec<u8>; forall b: Vec<u8>; check a.len() != b.len() },
        &["failed for all  values tried with a.len() == b.len() passed for all  others"],
    );
    claimed(
        &property! { forall a: u8; forall b: u8; forall c: u64; forall d: String; check *a < 3 },
        &[&["failed for all  other values tried"; 3][..], &[AT_LEAST]].concat(),
    );
    claimed(&property! { forall a: u8; forall b: u8; check *a < 3 }, &["fails for all  values (all tried)", AT_LEAST]);
    claimed(
        &property! { forall v: Vec<u8>; check v.len() < 3 },
        &["failed for all  other values tried of the form vec![_ _ _ ..]"],
    );
    claimed(
        &property! { forall s: String; check s.len() < 3 },
        &["failed for all  other values tried of the form String::from(< or more characters>)"],
    );
}

#[test]
fn the_same_case_is_explained_in_the_same_way_however_large_its_values_may_become() {
    #[derive(Arbitrary, Clone, Debug)]
    enum Json {
        Null,
        Number(f64),
        Text(String),
        Array(Vec<Json>),
        Object(Vec<(String, Json)>),
    }
    fn depth(json: &Json) -> usize {
        match json {
            Json::Array(items) => 1 + items.iter().map(depth).max().unwrap_or(0),
            Json::Object(fields) => 1 + fields.iter().map(|(_, json)| depth(json)).max().unwrap_or(0),
            Json::Null | Json::Number(_) | Json::Text(_) => 0,
        }
    }
    let shallow = property! { forall json: Json; check depth(json) < 3 };
    let settings = Settings::new().seed(1).tests(5_000).store(Store::Off);
    let explained = || {
        let found = Run::new("shallow", &shallow).settings(settings.clone()).report().counterexample.unwrap();
        (found.explanation.evaluations, found.explanation.cut_short, found.explanation.claims)
    };
    let first = explained();
    assert!(first.2.iter().all(|claim| matches!(claim, Claim::Any(any) if any.open != Open::Whole)), "{first:?}");
    // A machine that has something else to do leaves less time for the last of the runs.
    assert!((0..20).any(|_| explained() == explained()), "{first:?}");
}

#[derive(Arbitrary, Clone, Debug)]
struct User {
    name: String,
    age: u8,
    email: Option<String>,
    admin: bool,
}

#[derive(Arbitrary, Clone, Debug)]
struct Node {
    id: u32,
    parent: Option<u32>,
}

/// No claim that an input fails which passes: one of these, or of some thousand others. Each is given by the text of its
/// variables, which are named `a` and `b`.
#[track_caller]
fn no_false_claim(property: &dyn Property, known: &[&[&str]]) {
    let mut passing: Vec<Vec<String>> = Vec::new();
    for text in known {
        passing.push(text.iter().map(|&text| text.to_owned()).collect());
    }
    for index in 0..5_000 {
        let source = || Source::record(1, index, index as u32 % 101);
        if let Ok(Outcome::Pass) = property.run(&mut source(), &[]) {
            let bindings = property.print(&mut source(), &[]).unwrap();
            passing.push(bindings.iter().map(|binding| binding.printed.text().to_owned()).collect());
        }
    }
    for seed in 0..10 {
        let settings = Settings::new().seed(seed).tests(2_000).store(Store::Off);
        let found = Run::new("claimed", property).settings(settings).report().counterexample.unwrap();
        let minimal: Vec<String> = found.bindings.iter().map(|binding| binding.printed.text().to_owned()).collect();
        let claims = found.explanation.claims;
        for input in &passing {
            // A relation is about inputs in which the other variables are unchanged.
            let is_related = |claim: &Related, name: &str| match &claim.within {
                Some(within) => within.starts_with(&format!("{name} = ")),
                None => {
                    claim.terms.iter().any(|term| matches!(term, Term::Value(own) | Term::Length(own) if own == name))
                }
            };
            let speaks = |claim: &Claim| match claim {
                Claim::Related(related) => ["a", "b"].iter().enumerate().take(input.len()).all(|(variable, name)| {
                    related.alone || is_related(related, name) || input[variable] == minimal[variable]
                }),
                _ => true,
            };
            let fails = |claim: &&Claim| speaks(claim) && says(claim, &claims, &minimal, input) == Some(true);
            let refuted = claims.iter().find(fails);
            assert!(refuted.is_none(), "{input:?} passes; {minimal:?}: {}", refuted.unwrap());
        }
    }
}

#[test]
fn sets_that_the_generator_seldom_makes_are_not_overlooked() {
    let user = |name: &str, age: u8, admin: bool| {
        format!("User {{ name: String::from({name:?}), age: {age}, email: None, admin: {admin} }}")
    };
    let text = |text: &str| format!("String::from({text:?})");
    no_false_claim(&property! { forall a: String; check a.starts_with('-') }, &[&[&text("-")], &[&text("-a")]]);
    no_false_claim(&property! { forall a: String; check a.ends_with('\n') }, &[&[&text("\n")], &[&text("a\n")]]);
    no_false_claim(
        &property! { forall a: User; check (90..=110).contains(&a.age) && a.admin },
        &[&[&user("", 100, true)], &[&user("a", 90, true)]],
    );
    no_false_claim(
        &property! { forall a: User; check a.name.starts_with('A') },
        &[&[&user("A", 0, false)], &[&user("Ab", 1, true)]],
    );
    no_false_claim(&property! { forall a: u32; check (5000..6000).contains(a) }, &[&["5000"], &["5432"], &["5999"]]);
    no_false_claim(
        &property! { forall a in 0.0..1.0; check (0.40..0.41).contains(a) },
        &[&["0.4"], &["0.40625"], &["0.409"]],
    );
    no_false_claim(&property! { forall a: f64; check (0.25..0.3).contains(a) }, &[&["0.25"], &["0.28125"]]);
    no_false_claim(
        &property! { forall a: u32; forall b: u32; check a == b || (5000..6000).contains(a) },
        &[&["5000", "0"], &["5999", "1"], &["7", "7"]],
    );
    no_false_claim(
        &property! { forall a: String; check a.chars().any(|c| ('\u{1F300}'..='\u{1FAFF}').contains(&c)) },
        &[&[&text("🌍")], &[&text("a😀")]],
    );
    no_false_claim(
        &property! { forall a: Option<u32>; check a.is_some_and(|a| (5000..6000).contains(&a)) },
        &[&["Some(5000)"], &["Some(5999)"]],
    );
    no_false_claim(
        &property! { forall a: Node; check a.parent.is_some_and(|parent| parent.wrapping_add(1) == a.id) },
        &[&["Node { id: 1, parent: Some(0) }"], &["Node { id: 0, parent: Some(4294967295) }"]],
    );
    no_false_claim(&property! { forall a: Vec<u8>; check a.len() >= 300 }, &[]);
    no_false_claim(&property! { forall a in 0.0..1.0; check *a == 0.0 }, &[&["0.0"]]);
    no_false_claim(
        &property! { forall a in -10..=10i64; forall b in -10..=10i64; check a + 7 != *b },
        &[&["0", "0"], &["1", "7"]],
    );
}

#[test]
fn options_and_results_with_contents_are_open() {
    claimed(
        &property! { forall r: Result<u8, String>; check r.as_ref().is_err_and(|text| text.len() >= 4) },
        &["fails for every Ok(_) (all tried)"],
    );
    claimed(
        &property! { forall u: User; check u.age < 18 || u.admin },
        &[
            "failed for all  other values tried of the form User { name: String::from(_) age:  email: _ admin: false }",
            "failed for all  values tried with x >=  in u = User { name: String::from(\"\") age: x email: None admin: false } passed for all  others",
        ],
    );
    claimed(
        &property! { forall o: Option<String>; check o.is_none() },
        &["failed for all  other values tried of the form Some(String::from(_))"],
    );
    claimed(
        &property! { forall o: Option<String>; forall a: u8; check *a < 3 },
        &["failed for all  other values tried", AT_LEAST],
    );
    claimed(
        &property! { forall r: Result<u8, String>; check r.is_ok() },
        &["failed for all  other values tried of the form Err(String::from(_))"],
    );
    claimed(
        &property! { forall r: Result<u8, String>; forall a: u8; check *a < 3 },
        &["failed for all  other values tried", AT_LEAST],
    );
}

/// Properties that pass for one literal.
mod literal {
    #[forall::property]
    pub fn hexadecimal(n: u32) -> bool {
        n == 0x5eed_cafe
    }

    #[forall::property]
    pub fn binary(n: u64) -> bool {
        n == 0b1010_0000_0000_0000_0000_0101_u64
    }

    #[forall::property]
    pub fn octal(n: u32) -> bool {
        n == 0o7_654_321
    }

    #[forall::property]
    pub fn above_signed(n: u64) -> bool {
        n == 0xffff_ffff_ffff_ff01
    }

    #[forall::property]
    pub fn below_zero(n: i64) -> bool {
        n == -0x7fff_ffff_ffff_ff01
    }

    #[forall::property]
    pub fn exponent(x: f64) -> bool {
        x == 1.5e7
    }

    #[forall::property]
    pub fn exponent_of_an_integer(n: u32) -> bool {
        f64::from(n) == 2.5e6
    }

    #[forall::property]
    pub fn wide(n: u128) -> bool {
        n == 0x1234_5678_9abc_def0_1234_5678_9abc_def0
    }

    #[forall::property]
    pub fn wide_below_zero(n: i128) -> bool {
        n == -1_000_000_000_000_000_000_000_000
    }

    #[forall::property]
    pub fn beyond_floats(pair: (u64, u32)) -> bool {
        pair.0 == 9_007_199_254_740_993
    }

    #[forall::property]
    pub fn of_many(n: u32) -> bool {
        [1101, 2202, 3303, 4404, 5505, 6606, 7707, 8808, 9909, 11011, 12012, 13013, 14014].len() == 13 && n == 77_777
    }

    #[forall::property]
    pub fn escaped(s: String) -> bool {
        s == "\u{2603}\t"
    }
}

#[test]
fn literals_in_any_form_are_tried() {
    not_open(&literal::hexadecimal::property());
    not_open(&literal::binary::property());
    not_open(&literal::octal::property());
    not_open(&literal::above_signed::property());
    not_open(&literal::below_zero::property());
    not_open(&literal::exponent::property());
    not_open(&literal::exponent_of_an_integer::property());
    not_open(&literal::wide::property());
    not_open(&literal::wide_below_zero::property());
    not_open(&literal::beyond_floats::property());
    not_open(&literal::of_many::property());
    not_open(&literal::escaped::property());
}

#[test]
fn each_claim_about_a_quick_property_has_a_thousand_values_or_all() {
    #[derive(Arbitrary, Clone, Debug)]
    enum Shape {
        Nothing,
        Many(Vec<Shape>),
        Named(String, Vec<Option<u16>>),
    }
    fn shapes(shape: &Shape) -> usize {
        match shape {
            Shape::Nothing => 1,
            Shape::Many(inner) => 1 + inner.iter().map(shapes).sum::<usize>(),
            Shape::Named(..) => 2,
        }
    }
    let properties: [Box<dyn Property>; 12] = [
        Box::new(property! { forall v: Vec<u8>; check v.len() < 3 }),
        Box::new(property! { forall v: Vec<u8>; check !v.contains(&171) }),
        Box::new(property! { forall s: String; check s.len() < 3 }),
        Box::new(property! { forall v: Vec<String>; check v.len() < 2 }),
        Box::new(property! { forall v: Vec<String>; check v.iter().all(|s| !s.contains('x')) }),
        Box::new(property! { forall v: Vec<Vec<u8>>; check v.concat().len() < 3 }),
        Box::new(property! { forall v: Vec<(u8, String)>; check v.iter().all(|pair| pair.0 < 7) }),
        Box::new(property! { forall v: BTreeSet<i32>; check v.iter().all(|n| *n < 100) }),
        Box::new(property! { forall v: (Vec<u8>, Option<bool>); check v.0.len() < 2 }),
        Box::new(property! { forall v: Vec<String>; forall n: u32; check *n < 3 }),
        Box::new(property! { forall s: Shape; check shapes(s) < 3 }),
        Box::new(property! { forall u: User; check u.age < 18 || u.admin }),
    ];
    for (number, property) in properties.iter().enumerate() {
        let mut claimed = 0;
        for claim in claims(&**property).concat() {
            let Claim::Any(any) = &claim else { continue };
            claimed += 1;
            assert!(any.runs >= 1_000 || any.every, "property {number}: {claim}");
        }
        assert!(claimed > 0, "property {number}");
    }
}
