//! `#[forall::property]` and `#[forall::test]`: their declarations, and code that they leave unchanged.

#![forbid(unsafe_code)]
#![deny(warnings, missing_docs)]

use forall::choice::{Sequence, Source};
use forall::prelude::*;
use forall::property::{Outcome, Property};
use forall::registry::{Declared, PropertyOf};
use forall::run::{Run, Settings, Store};

/// Values of a type without `Clone`, `Debug` or `PartialEq`.
#[derive(Arbitrary)]
pub enum Expr {
    /// A number.
    Literal(i32),
    /// A sum.
    Add(Box<Expr>, Box<Expr>),
}

impl Expr {
    fn literals(&self) -> usize {
        match self {
            Expr::Literal(_) => 1,
            Expr::Add(left, right) => left.literals() + right.literals(),
        }
    }
}

fn run(property: &dyn Property, values: &[u64]) -> Outcome {
    property.run(&mut Source::replay(&Sequence::from_values(100, values)), &[]).unwrap()
}

fn settings<D: Declared>() -> Settings {
    (D::ENTRY.settings)(Settings::new())
}

/// Documented.
#[forall::property]
pub fn has_a_literal(e: Expr, #[forall(0..10)] n: usize) -> bool {
    e.literals() + n > 0
}

/// Warnings are errors here: a parameter that only a later generator uses is not unused.
#[forall::property]
pub fn lies_below(most: u32, #[forall(0..=*most, print |n| format!("{n} of {most}"))] n: u32) -> bool {
    n.count_ones() <= 32
}

#[test]
fn a_property_stays_a_function_and_is_a_value_with_a_named_type() {
    struct Kept(PropertyOf<has_a_literal>);
    let kept = Kept(has_a_literal::property());
    assert!(has_a_literal(Expr::Add(Box::new(Expr::Literal(1)), Box::new(Expr::Literal(2))), 0));
    let outline = kept.0.outline();
    assert_eq!(outline.quantifiers.iter().map(|q| q.name).collect::<Vec<_>>(), ["e", "n"]);
    assert_eq!(run(&kept.0, &[0, 5, 3]), Outcome::Pass);
    let bindings = kept.0.print(&mut Source::replay(&Sequence::from_values(100, &[0, 2, 3])), &[]).unwrap();
    assert_eq!(bindings[0].type_text, Some("Expr"));
    assert_eq!(bindings[0].printed.code.as_deref(), Some("Expr::Literal(-1)"));
    assert_eq!((bindings[1].type_text, bindings[1].printed.code.as_deref()), (Some("usize"), Some("3")));
}

#[test]
fn every_property_is_in_the_registry() {
    let entries = forall::registry::all();
    let find = |name: &str| *entries.iter().find(|entry| entry.identity.name == name).unwrap();
    let entry = find("generate::attributes::has_a_literal");
    assert!(!entry.is_test && entry.identity.file.ends_with("attributes.rs") && entry.identity.line > 0);
    assert_eq!(entry.identity.package_directory, env!("CARGO_MANIFEST_DIR"));
    assert_eq!((entry.property)().outline().quantifiers.len(), 2);
    assert!(find("generate::attributes::tests::sums_commute").is_test);
}

mod bodies {
    #[forall::property]
    fn nothing() {}

    #[forall::property]
    fn a_bool(x: u8) -> bool {
        x < 5
    }

    #[forall::property]
    fn a_result(text: String) -> Result<(), std::num::ParseIntError> {
        text.parse::<u8>().map(drop)
    }

    #[forall::property]
    fn an_outcome(x: u8) -> super::Outcome {
        if x < 5 { super::Outcome::Pass } else { super::Outcome::Discard }
    }

    #[forall::property]
    fn something(x: u8) -> impl forall::property::IntoOutcome {
        x < 5
    }

    #[forall::property]
    fn assertions(x: u8) {
        forall::assume!(x != 7);
        assert!(x < 5, "{x} is not below 5");
    }

    #[test]
    fn bodies_may_return_any_outcome() {
        use super::{Outcome, run};
        assert_eq!(run(&nothing::property(), &[]), Outcome::Pass);
        assert_eq!(run(&a_bool::property(), &[1]), Outcome::Pass);
        assert!(run(&a_bool::property(), &[6]).is_fail());
        assert!(run(&a_result::property(), &[]).is_fail());
        assert_eq!(run(&an_outcome::property(), &[6]), Outcome::Discard);
        assert!(run(&something::property(), &[6]).is_fail());
        assert_eq!(run(&assertions::property(), &[1]), Outcome::Pass);
        assert!(std::panic::catch_unwind(|| run(&assertions::property(), &[6])).is_err());
    }
}

mod parameters {
    use super::*;

    #[forall::property]
    fn later_ones_depend_on_earlier_ones(
        xs: Vec<u8>,
        #[forall(0..=xs.len())] n: usize,
        #[forall(with = *n..=xs.len())] m: usize,
    ) -> bool {
        n <= m && m <= xs.len()
    }

    #[forall::property]
    fn primitives_are_values_in_later_generators(
        n: u8,
        #[forall(n..=n.saturating_add(5))] m: u8,
        #[forall(*n..=*m)] between: u8,
        flag: bool,
        #[forall(if flag { 0..1u32 } else { 1..2 })] bit: u32,
        #[forall(vec(any::<bool>()).len(2 * usize::from(n)))] twice: Vec<bool>,
    ) -> bool {
        n <= m
            && m <= n.saturating_add(5)
            && (bit == 0) == flag
            && twice.len() == 2 * usize::from(n)
            && n <= between
            && between <= m
    }

    #[forall::property]
    fn patterns(mut xs: Vec<u8>, (a, b): (u8, u8), _: bool, #[forall(*a..=255)] c: u8) -> bool {
        xs.push(a);
        let _ = b;
        c >= xs[xs.len() - 1]
    }

    #[forall::property]
    fn references(text: &str, xs: &[u8], n: &u64, out: &mut Vec<u8>) -> bool {
        out.extend_from_slice(xs);
        out.len() >= xs.len() && !(text.is_empty() && text.len() > 1) && n.count_ones() <= 64
    }

    #[forall::property]
    fn annotations(
        low: u8,
        #[forall(
            *low..=255,
            shrink |n| *low..*n,
            print |n| format!("{low}+{}", n - low),
            contract n >= low,
            contract |n| *n != 254 || *n > 3
        )]
        n: u8,
    ) -> bool {
        n >= low
    }

    #[forall::property]
    fn unused_ones(#[allow(unused_variables)] a: u8, _b: u8) {}

    fn holds(property: &dyn Property) {
        let report = Run::new("parameters", property).settings(Settings::new().store(Store::Off)).report();
        assert!(report.verdict.is_success(), "{report:?}");
    }

    #[test]
    fn parameters_may_be_of_many_kinds() {
        holds(&later_ones_depend_on_earlier_ones::property());
        holds(&primitives_are_values_in_later_generators::property());
        holds(&patterns::property());
        holds(&references::property());
        holds(&annotations::property());
        holds(&unused_ones::property());
        assert!(references("a", &[1], &2, &mut Vec::new()));
        let outline = patterns::property().outline();
        assert_eq!(outline.quantifiers.iter().map(|q| q.name).collect::<Vec<_>>(), ["xs", "(a, b)", "_", "c"]);
        let outline = annotations::property().outline();
        assert!(outline.quantifiers[1].shrinks && !outline.quantifiers[1].mutates);
    }
}

mod tests {
    use super::*;

    /// Documented.
    #[forall::test]
    fn sums_commute(a: i32, b: i32) -> bool {
        a.wrapping_add(b) == b.wrapping_add(a)
    }

    #[forall::test(tests = 10, seed = 7, store = off)]
    #[should_panic(expected = "below")]
    fn failures_panic(x: u64) {
        assert!(x < 1, "{x} is not below 1");
    }

    #[forall::test]
    #[ignore = "it fails"]
    fn ignored(x: u64) -> bool {
        x < 1
    }

    #[forall::test]
    #[cfg(any())]
    fn configured_away(x: Missing) -> bool {
        x
    }

    #[forall::test]
    #[expect(clippy::needless_range_loop, unused_mut, reason = "lints belong to the body")]
    fn lints_apply_to_the_body_only(mut x: u8) {
        let array = [0; 3];
        for i in 0..3 {
            assert_eq!(array[i], 0, "{x}");
        }
    }

    #[forall::test(
        tests = 2 * 21,
        seed = 0x1f,
        size = 50,
        discard_ratio = 3,
        shrink_on = both,
        max_time = "1m",
        deadline = "1.5s",
        shrink_evaluations = 9,
        shrink_time = std::time::Duration::from_secs(3),
        explain = off,
        enumerate = off,
        runner = "generational",
        threads = all,
        isolate = off,
        timeout = "200ms",
        store = "somewhere",
        read_only,
        verbose = on,
        crate = ::forall
    )]
    #[ignore = "only its settings are looked at"]
    fn configured(x: u64) -> bool {
        x > 0
    }

    #[test]
    fn keys_are_settings() {
        use std::time::Duration;
        let settings = settings::<configured>();
        assert_eq!((settings.tests, settings.seed, settings.discard_ratio), (42, Some(0x1f), 3));
        assert_eq!((settings.explain, settings.shrink_on), (0, forall::run::ShrinkOn::Both));
        assert_eq!(settings.max_time, Some(Duration::from_secs(60)));
        assert_eq!(settings.deadline, Some(Duration::from_millis(1500)));
        assert_eq!(settings.timeout, Some(Duration::from_millis(200)));
        assert_eq!(settings.store, Store::Directory("somewhere".into()));
        assert!(settings.read_only && settings.verbose && !settings.enumerate && settings.threads > 0);
        assert!(configured::call(1) && sums_commute::call(1, 2));
    }

    #[forall::test(tests = 1)]
    #[example(vec![1, 2], 1)]
    #[example(Vec::new(), 0)]
    fn with_examples(xs: Vec<u8>, #[forall(0..=xs.len())] n: usize) -> bool {
        n <= xs.len()
    }

    #[test]
    fn examples_are_reported_as_written() {
        let [first, second] = with_examples::ENTRY.examples else { panic!() };
        assert_eq!(first.bindings, [("xs", "Vec<u8>", "vec![1, 2]"), ("n", "usize", "1")]);
        assert_eq!(second.bindings[0].2, "Vec::new()");
        assert_eq!((first.run)(), Outcome::Pass);
    }

    #[forall::test(tests = 10, store = off)]
    #[should_panic(expected = "the example is wrong")]
    #[example(&[4])]
    fn examples_run_first(xs: &[u8]) {
        assert!(xs != [4], "the example is wrong");
    }
}

#[test]
fn properties_can_be_defined_in_functions() {
    #[forall::property]
    fn inner(x: u8) -> bool {
        u16::from(x) < 256
    }
    assert!(inner(1));
    forall::check("inner", &inner::property());
}

mod in_macros {
    use super::*;

    macro_rules! commutes {
        ($($name:ident: $t:ty, $generator:expr, $same:ident;)*) => {$(
            #[derive(Arbitrary)]
            #[expect(non_camel_case_types)]
            struct $same(#[forall(with = $generator)] $t, Option<$t>);

            #[forall::test(tests = 20)]
            #[example(1, 2)]
            fn $name(a: $t, #[forall($generator)] b: $t) -> bool {
                let property = property! {
                    forall s: $same;
                    forall x in $generator;
                    check s.0.wrapping_add(*x) >= s.0 || s.1.is_some()
                };
                let _ = property;
                a.wrapping_add(b) == b.wrapping_add(a)
            }
        )*};
    }

    commutes! {
        bytes: u8, 0..10, some_bytes;
        words: u64, 0..=10, some_words;
    }

    #[test]
    fn macro_fragments_are_reported_with_their_values() {
        assert_eq!(bytes::ENTRY.examples[0].bindings[1], ("b", "u8", "2"));
    }

    /// Fragments of every kind, where they can stand.
    macro_rules! of_fragments {
        (
            $(#[$meta:meta])* $visibility:vis $name:ident($n:ident, $text:ident, $pattern:pat, $borrowed:ty, $ty:ty, $sum:expr) -> $output:ty
            $body:block, $tests:literal, $time:literal, $krate:path, $contract:expr, $item:item
        ) => {
            $(#[$meta])*
            #[forall::test(tests = $tests, deadline = $time, crate = $krate)]
            #[example($sum + 3, (1, 2), "a")]
            $visibility fn $name(
                #[forall(2 * $sum..2 * $sum + 3, contract $contract)] $n: $ty,
                $pattern: (u8, u8),
                $text: $borrowed
            ) -> $output $body

            #[forall::test]
            $item

            fn with_fragments() -> impl Property {
                property! {
                    forall x: $ty in $sum + 3..=$sum + 3, contract $contract;
                    forall y: Vec<$ty>;
                    implies y.len() < $sum + 100;
                    check { let ok: bool = *x == 6; ok }
                }
            }
        };
    }

    of_fragments! {
        #[should_panic(expected = "the end")] pub(super) fragments(n, text, (a, b), &str, usize, 1 + 2) -> bool
        {
            assert!(n >= 6, "{a} {b} {text}");
            panic!("the end")
        }, 3, "1m", ::forall, |n| *n > 5, #[ignore] pub fn an_item(x: u8) -> bool { x > 0 }
    }

    #[test]
    fn fragments_are_read() {
        assert_eq!(settings::<fragments>().tests, 3);
        assert_eq!(fragments::ENTRY.examples[0].bindings[0], ("n", "usize", "(1 + 2) + 3"));
        assert_eq!(an_item::property().outline().quantifiers.len(), 1);
        forall::check("fragments", &with_fragments());
    }
}

/// The names that expansions use are taken here.
#[allow(missing_docs, dead_code)]
mod without_prelude {
    #![no_implicit_prelude]

    pub struct Option;
    pub struct Source;
    pub struct Outcome;
    pub fn source() -> ::core::ops::Range<u8> {
        0..3
    }

    #[::forall::property]
    fn env(#[forall(source())] source: u8, #[forall(0..=*source)] built: u8) -> bool {
        built <= source
    }

    #[::forall::test]
    fn argument_0(argument_1: u8, settings: u8) -> bool {
        argument_1.wrapping_add(settings) == settings.wrapping_add(argument_1)
    }

    #[test]
    fn property() {
        ::forall::check("env", &env::property());
        let property = ::forall::prelude::property! { forall n in source(); implies *n < 3; check *n < 3 };
        ::forall::check("property", &property);
    }
}

#[forall::property(tests = 5, discard_ratio = 7)]
#[example(3)]
fn differs_from_three(n: u64) -> bool {
    n != 3
}

#[test]
fn runs_of_a_declared_property_use_the_settings_and_examples_of_its_attribute() {
    use forall::run::{Found, Verdict};
    let property = differs_from_three::property();
    let report = Run::new("differs from three", &property).without_environment().report();
    assert_eq!(report.verdict, Verdict::Failed);
    assert_eq!(report.counterexample.unwrap().found, Found::Example(0));

    let session = Run::new("differs from three", &property).without_environment().session().unwrap();
    assert_eq!((session.settings.tests, session.settings.discard_ratio), (5, 7));
    // Settings of the run replace those of the attribute.
    let session =
        Run::new("differs from three", &property).settings(Settings::new().tests(9)).without_environment().session();
    assert_eq!((session.as_ref().unwrap().settings.tests, session.unwrap().settings.discard_ratio), (9, 100));
}
