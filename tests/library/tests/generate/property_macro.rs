//! `property!`: its meaning, and its hygiene.

use forall::choice::{Sequence, Source};
use forall::prelude::*;
use forall::property::{Discarded, Outcome, Property, Step, Stop};
use forall::run::{Run, Settings, Store};

/// Runs the property on given choices.
fn run(property: &dyn Property, values: &[u64]) -> Result<Outcome, Stop> {
    property.run(&mut Source::replay(&Sequence::from_values(100, values)), &[])
}

fn bindings(property: &dyn Property, values: &[u64], steps: &[Step]) -> Vec<String> {
    let bindings = property.print(&mut Source::replay(&Sequence::from_values(100, values)), steps).unwrap();
    let text = |printed: forall::property::Printed| printed.code.or(printed.debug).unwrap_or("?".into());
    bindings
        .into_iter()
        .map(|binding| {
            let ty = binding.type_text.map(|ty| format!(": {ty}")).unwrap_or_default();
            format!("{}{ty} = {}", binding.name, text(binding.printed))
        })
        .collect()
}

#[track_caller]
fn holds(property: &dyn Property) {
    let report = Run::new("holds", property).settings(Settings::new().store(Store::Off)).report();
    assert!(report.verdict.is_success(), "{report:?}");
}

#[test]
fn later_clauses_depend_on_earlier_ones() {
    let property = property! {
        forall xs: Vec<i32>;
        implies !xs.is_empty();
        forall n in 0..xs.len();
        check xs.get(*n).is_some()
    };
    holds(&property);
    let outline = property.outline();
    assert_eq!(outline.quantifiers.iter().map(|q| q.name).collect::<Vec<_>>(), ["xs", "n"]);
    assert_eq!(outline.assumptions, ["!xs.is_empty()"]);
}

#[test]
fn a_printed_discard_names_its_clause_and_the_bound_variables() {
    let property = property! {
        forall a in 0..10u32;
        implies *a > 3;
        forall b in 0..10u32;
        implies a + b != 9;
        check true
    };
    let print = |values: &[u64]| property.print(&mut Source::replay(&Sequence::from_values(100, values)), &[]);
    let Err(Stop::Discarded(discarded)) = print(&[4, 5]) else { panic!() };
    let Discarded { text, bindings, .. } = *discarded;
    assert_eq!((text, bindings.len()), ("a + b != 9", 2));
    let Err(Stop::Discarded(discarded)) = print(&[1]) else { panic!() };
    let Discarded { text, bindings, .. } = *discarded;
    assert_eq!((text, bindings.len()), ("*a > 3", 1));
}

#[test]
fn literals_of_ranges_are_inferred() {
    holds(&property! { forall n in 0..10; check *n < 10 });
    holds(&property! { forall n in 0..10; forall m in *n..=10; check m >= n });
    holds(&property! { forall x in 0.0..1.0; check *x < 1.0f32 });
    holds(&property! { forall n in 0..10; check [0u8; 10].get::<usize>(*n).is_some() });
    holds(&property! { forall c in 'a'..='z'; check c.is_ascii_lowercase() });
}

#[test]
fn types_and_values_are_shown_as_written() {
    struct Opaque;
    let property = property! {
        forall xs: Vec<u8> in vec(0..10u8).len(2);
        forall n in 0..10;
        forall o in from_fn(|_| Opaque);
        check { let _ = (xs, n, o); true }
    };
    assert_eq!(bindings(&property, &[1, 2, 3], &[]), ["xs: Vec<u8> = vec![1, 2]", "n = 3", "o = ?"]);
}

#[test]
fn values_are_printed_by_the_best_available_trait() {
    #[derive(Arbitrary)]
    struct Code(u8);
    #[derive(Debug)]
    struct Debugged(#[expect(dead_code, reason = "shown by Debug")] u8);
    #[derive(Arbitrary, Debug)]
    struct Both(u8);
    #[forall::property]
    fn of_each(code: Code, #[forall(from_fn(|s| Debugged(s.draw(0..10))))] debugged: Debugged, both: Both) {
        let _ = (code.0, debugged, both.0);
    }
    let property = property! {
        forall code: Code;
        forall debugged in from_fn(|s| Debugged(s.draw(0..10)));
        forall both: Both;
        check { let _ = (code.0, debugged, both.0); true }
    };
    let shown = ["code: Code = Code(1)", "debugged = Debugged(2)", "both: Both = Both(3)"];
    assert_eq!(bindings(&property, &[1, 2, 3], &[]), shown);
    let shown = shown.map(|line| line.replace("debugged =", "debugged: Debugged ="));
    assert_eq!(bindings(&of_each::property(), &[1, 2, 3], &[]), shown);
}

#[test]
fn annotations_may_depend_on_earlier_variables() {
    let property = property! {
        forall low in 0..10u32;
        forall n in *low..100,
            shrink |n| (*low..*n).filter(|candidate| candidate % 2 == 0),
            print |n| format!("{low} + {}", n - low),
            mutate |n, _| n + low,
            feedback |n| f64::from(*n),
            contract n >= low,
            contract |n| *n < 200,
            with "anything";
        check n >= low
    };
    let outline = property.outline();
    assert!(outline.quantifiers[1].shrinks && outline.quantifiers[1].mutates);
    let step = Step::Shrink { quantifier: 1, candidate: 1 };
    assert_eq!(bindings(&property, &[3, 7], &[]), ["low: u32 = 3", "n = 3 + 7"].map(|s| s.replace(": u32", "")));
    assert_eq!(bindings(&property, &[3, 7], &[step]), ["low = 3", "n = 3 + 3"]);
    let step = Step::Mutate { quantifier: 1, seed: 1 };
    assert_eq!(bindings(&property, &[3, 7], &[step]), ["low = 3", "n = 3 + 10"]);
    holds(&property);
}

#[test]
fn shrinkers_may_be_functions_and_may_borrow() {
    fn halves(n: &u64) -> Vec<u64> {
        vec![n / 2]
    }
    let property = property! {
        forall n: u64, shrink halves;
        forall xs: Vec<u8>, shrink |xs| xs.shrink(), print |xs| xs.len();
        check *n == 0 || xs.is_empty()
    };
    assert!(property.outline().quantifiers.iter().all(|quantifier| quantifier.shrinks));
}

#[test]
fn a_broken_contract_is_not_a_failed_property() {
    let property = property! {
        forall n in 0..10u32, contract n % 2 == 0;
        check true
    };
    let broken = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| run(&property, &[3]))).unwrap_err();
    let broken = broken.downcast_ref::<forall::property::ContractBroken>().unwrap();
    assert_eq!((broken.quantifier, broken.text), ("n", "n % 2 == 0"));
}

#[test]
fn bodies_may_return_bools_results_and_outcomes() {
    holds(&property! { forall b: bool; check *b || !b });
    holds(&property! { forall b: bool; check { assert!(*b || !b); } });
    holds(&property! { forall b: bool; check if *b { Ok(()) } else { Ok::<_, String>(()) } });
    holds(&property! { forall b: bool; check if *b { Outcome::Pass } else { Outcome::Discard }; });
    holds(&property! { check 1 + 1 == 2 });
    holds(&property! { forall b: bool; check { if *b { return true; } !b } });
}

#[test]
fn the_question_mark_operator_works() {
    holds(&property! { forall n: i32; check n.to_string().parse::<i32>()? == *n });
    holds(&property! { forall n: i32; check { assert_eq!(n.to_string().parse::<i32>()?, *n); } });
    holds(&property! { forall n: i32; check { n.to_string().parse::<i32>()?; Ok(()) } });
    holds(&property! { forall n: i32; check { n.to_string().parse::<i32>()?; Ok(*n == *n) } });
    holds(&property! {
        forall n: i32;
        check {
            let text = std::str::from_utf8(b"7")?;
            matches!(text.parse::<i32>(), Ok(7)) && n == n
        }
    });
    let failing = property! { forall n in 0..10; check { n.to_string().parse::<bool>()?; Ok(()) } };
    let Ok(Outcome::Fail(failure)) = run(&failing, &[0]) else { panic!() };
    assert_eq!(failure.message, "the property returned an error: ParseBoolError");
}

#[test]
fn the_macro_is_hygienic() {
    let (env, source, own, value, built) = (1, 2, 3, 4, 5);
    let property = property! {
        forall a in 0..env + source + own + value + built, shrink |_| [env, source, own, value, built].into_iter();
        implies *a < env + source + own + value + built;
        check {
            let env = env + source + own + value + built;
            *a < env
        }
    };
    let _ = &property;
    let property = property! {
        forall env in 0..10;
        forall source in 0..=*env;
        forall value in *source..=*env;
        check source <= value && value <= env
    };
    holds(&property);
}

#[test]
fn a_property_can_capture_its_environment() {
    fn below(limit: u32) -> impl Property {
        property! { move forall n in 0..limit, contract *n < limit; implies *n < limit; check *n < limit }
    }
    holds(&below(7));
}

#[test]
fn generators_may_contain_commas() {
    fn both<A, B>(a: A, b: B) -> (A, B) {
        (a, b)
    }
    let property = property! {
        forall pair in both::<_, std::ops::Range<u8>>(0..10u8, 0..3), print |pair: &(u8, u8)| format!("{pair:?}");
        check pair.0 < 10 && pair.1 < 3
    };
    holds(&property);
    let property = property! {
        forall n: u8 in <std::ops::Range<u8> as Into<std::ops::Range<u8>>>::into(1..200), contract |n| -> bool { *n > 0 };
        forall f: fn(u8) -> Vec<Vec<u8>> in constant((|n| vec![vec![n]]) as fn(u8) -> Vec<Vec<u8>>);
        forall xs in vec(any::<Vec<u8>>()).len(1..3), shrink |xs: &Vec<Vec<u8>>| -> Vec<Vec<Vec<u8>>> { vec![xs.clone()] };
        implies *n < 100 && xs.len() as u8 + 1 > 0;
        check f(*n)[0][0] == *n && *n as usize + xs.len() >= 1 << 1
    };
    holds(&property);
}

#[test]
fn macro_fragments_keep_their_precedence() {
    macro_rules! of_fragments {
        ($three:expr, $small:expr, $ty:ty) => {
            property! {
                forall n in 2 * $three..7;
                forall m: $ty in 0..100, contract |m| *m < $three * 100;
                implies 10 * $three == 30 && $small(m);
                check $three * *n == 18 && $three * <$ty>::from(30u8) == 90 && *m < 100
            }
        };
    }
    holds(&of_fragments!(1 + 2, |m: &u16| *m < 100, u16));
}
