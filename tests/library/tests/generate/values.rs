//! Shrinking on values: by shrinkers of variables, by the structure of types, and together with choices.

use forall::choice::Source;
use forall::prelude::*;
use forall::property::{Empty, Measure, Property, Telescope};
use forall::registry::Declared;
use forall::run::{Counterexample, Found, Run, Settings, ShrinkOn, Store, Verdict};

fn settings(on: ShrinkOn) -> Settings {
    Settings::new().store(Store::Off).enumerate(false).shrink_on(on)
}

fn shrunk(property: &dyn Property, settings: Settings) -> Counterexample {
    let report = Run::new("values", property).settings(settings).report();
    assert_eq!(report.verdict, Verdict::Failed, "{:?}", report.warnings);
    report.counterexample.unwrap()
}

fn text(found: &Counterexample) -> &str {
    found.bindings[0].printed.text()
}

/// Terms of the simply typed lambda calculus, with numbers and functions from numbers to numbers and so on.
#[derive(Arbitrary, Clone, Debug, PartialEq)]
enum Term {
    Number(u8),
    Variable(usize),
    Function(Type, Box<Term>),
    Apply(Box<Term>, Box<Term>),
}

#[derive(Arbitrary, Clone, Debug, PartialEq)]
enum Type {
    Number,
    Function(Box<Type>, Box<Type>),
}

/// The type of a term, if it has one; the variables' types innermost last.
fn type_of(term: &Term, variables: &mut Vec<Type>) -> Option<Type> {
    match term {
        Term::Number(_) => Some(Type::Number),
        Term::Variable(back) => variables.iter().rev().nth(*back).cloned(),
        Term::Function(argument, body) => {
            variables.push(argument.clone());
            let body = type_of(body, variables);
            variables.pop();
            Some(Type::Function(Box::new(argument.clone()), Box::new(body?)))
        }
        Term::Apply(function, argument) => match type_of(function, variables)? {
            Type::Function(expected, result) if type_of(argument, variables)? == *expected => Some(*result),
            _ => None,
        },
    }
}

/// A term of the given type: its choices say which type an application goes by, and the term need not show it.
fn term_of(wanted: &Type, variables: &mut Vec<Type>, depth: u32, source: &mut Source) -> Term {
    source.span(77, |source| {
        if depth > 0 && source.choice(2) > 0 {
            let argument = source.draw(any::<Type>());
            let function = Type::Function(Box::new(argument.clone()), Box::new(wanted.clone()));
            let function = term_of(&function, variables, depth - 1, source);
            return Term::Apply(Box::new(function), Box::new(term_of(&argument, variables, depth - 1, source)));
        }
        let fitting: Vec<usize> = (0..variables.len()).filter(|&at| variables[at] == *wanted).collect();
        if !fitting.is_empty() && source.choice(1) > 0 {
            let at = fitting[source.choice(fitting.len() as u64 - 1) as usize];
            return Term::Variable(variables.len() - 1 - at);
        }
        match wanted {
            Type::Number => Term::Number(source.draw(any::<u8>())),
            Type::Function(argument, result) => {
                variables.push((**argument).clone());
                let body = term_of(result, variables, depth.saturating_sub(1), source);
                variables.pop();
                Term::Function((**argument).clone(), Box::new(body))
            }
        }
    })
}

fn well_typed(source: &mut Source) -> Term {
    let wanted = source.draw(any::<Type>());
    term_of(&wanted, &mut Vec::new(), 5, source)
}

fn applications(term: &Term) -> u32 {
    match term {
        Term::Number(_) | Term::Variable(_) => 0,
        Term::Function(_, body) => applications(body),
        Term::Apply(function, argument) => 1 + applications(function) + applications(argument),
    }
}

fn size(found: &Counterexample) -> u32 {
    found.bindings.iter().map(|binding| Measure::of(&binding.printed).size).sum()
}

/// Numbers as a generator makes them that wants a seed, as those of other libraries do: nothing follows from a smaller seed.
fn numbers(source: &mut Source) -> Vec<u64> {
    let mut state = source.draw(1..=u64::MAX);
    let mut next = move || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        state
    };
    (0..20 + next() % 20).map(|_| next() % 10_000).collect()
}

#[test]
fn shrinking_on_values_works_where_smaller_choices_do_not() {
    let property = property! {
        forall xs: Vec<u64> in from_fn(numbers), shrink Arbitrary::shrink;
        check xs.iter().all(|x| *x < 1000)
    };
    for seed in 0..10 {
        let run = |on| shrunk(&property, settings(on).seed(seed));
        assert!(size(&run(ShrinkOn::Choices)) > 20, "any seed makes twenty numbers");
        assert_eq!(text(&run(ShrinkOn::Values)), "vec![1000]");
        assert_eq!(text(&run(ShrinkOn::Both)), "vec![1000]");
    }
}

#[test]
fn where_a_step_on_one_value_is_not_enough_shrinking_on_choices_does() {
    let property = property! {
        forall pair: (u32, u32) in any::<u32>().map(|n| (n, n)), shrink Arbitrary::shrink;
        check pair.0 != pair.1 || pair.0 < 10
    };
    let run = |on, seed| text(&shrunk(&property, settings(on).seed(seed))).to_owned();
    assert!((0..10).any(|seed| run(ShrinkOn::Values, seed) != "(10, 10)"));
    for seed in 0..10 {
        assert_eq!(run(ShrinkOn::Choices, seed), "(10, 10)");
        assert_eq!(run(ShrinkOn::Both, seed), "(10, 10)");
    }
}

#[test]
#[ignore = "slow: 21 s"]
fn shrinking_on_both_is_no_worse_than_either_alone() {
    let property = property! {
        forall term: Term in from_fn(well_typed), shrink Arbitrary::shrink;
        implies type_of(term, &mut Vec::new()).is_some();
        check applications(term) < 2
    };
    for seed in 0..3 {
        // A path on values from a larger term takes all of the time.
        let run = |on| size(&shrunk(&property, settings(on).seed(seed).size(8)));
        let (choices, values, both) = (run(ShrinkOn::Choices), run(ShrinkOn::Values), run(ShrinkOn::Both));
        assert!(both <= choices && both <= values, "seed {seed}: {choices}, {values}, {both}");
        // Two applications of two functions, each of one number, and the boxes and brackets.
        assert_eq!(both, 46, "seed {seed}");
    }
}

#[test]
fn shrinking_on_values_backtracks() {
    // From 100, the first failing candidate leads to 60 and no further; a later one leads to 7.
    let offered = |n: u32| match n {
        100 => vec![60, 80],
        80 => vec![7],
        _ => vec![],
    };
    let property = Empty
        .forall("n", |(), s| s.choice(0) as u32 + 100)
        .shrink(move |(), n| Box::new(offered(*n).into_iter()))
        .check(|_| false);
    let report = Run::new("back", &property).settings(settings(ShrinkOn::Values)).report();
    assert_eq!(text(&report.counterexample.unwrap()), "60", "7 is a word, and so is 60");
    let property = Empty
        .forall("xs", |(), s| vec![1; s.choice(0) as usize + 100])
        .shrink(move |(), xs| Box::new(offered(xs.len() as u32).into_iter().map(|n| vec![1; n as usize])))
        .check(|_| false);
    let report = Run::new("back", &property).settings(settings(ShrinkOn::Values)).report();
    assert_eq!(text(&report.counterexample.unwrap()), "[1, 1, 1, 1, 1, 1, 1]");
}

#[test]
fn later_variables_and_their_shrinkers_follow_a_changed_one() {
    let property = property! {
        forall low in 0..1000u32, shrink |n| 0..*n;
        forall high in *low..2000u32, shrink |high| *low..*high, contract |high| high >= low;
        check *high < 100
    };
    for seed in 0..20 {
        let run = |on| shrunk(&property, settings(on).seed(seed));
        // The two keep their distance when `low` is lowered, so `low` may end above 0, but no `high` ends below its `low`.
        let values = run(ShrinkOn::Values);
        assert_eq!(values.bindings[1].printed.text(), "100", "seed {seed}");
        assert!(values.shrinking.faults.is_empty(), "{:?}", values.shrinking.faults);
        let both = run(ShrinkOn::Both);
        assert_eq!((text(&both), both.bindings[1].printed.text()), ("0", "100"), "seed {seed}");
    }
}

#[test]
fn a_path_on_values_is_stored_and_replayed() {
    let directory = std::env::temp_dir().join(format!("forall-values-{}", std::process::id()));
    let property = property! {
        forall xs: Vec<u64> in from_fn(numbers), shrink Arbitrary::shrink;
        check xs.iter().all(|x| *x < 1000)
    };
    let settings = || settings(ShrinkOn::Values).store(Store::Directory(directory.clone()));
    let found = shrunk(&property, settings().seed(1));
    assert!(!found.case.steps.is_empty());
    let again = shrunk(&property, settings().seed(2));
    assert!(matches!(again.found, Found::Stored(_)), "{:?}", again.found);
    assert_eq!((text(&again), &again.case, again.shrinking.evaluations), ("vec![1000]", &found.case, 0));
    std::fs::remove_dir_all(&directory).unwrap();
}

#[forall::property(shrink_on = values)]
fn sums_stay_small(#[forall(from_fn(numbers))] xs: Vec<u64>, #[forall(0..5u8)] extra: u8) -> bool {
    xs.iter().sum::<u64>() < 5000 || extra > 3
}

#[test]
fn under_the_attribute_all_parameters_are_shrunk_by_their_structure() {
    let settings = (<sums_stay_small as Declared>::ENTRY.settings)(settings(ShrinkOn::Choices));
    assert_eq!(settings.shrink_on, ShrinkOn::Values);
    let property = sums_stay_small::property();
    assert!(property.outline().quantifiers.iter().all(|variable| variable.shrinks));
    let found = shrunk(&property, settings.seed(1));
    assert_eq!((text(&found), found.bindings[1].printed.text()), ("vec![5000]", "0"));
}

#[test]
fn a_variable_whose_shrinker_has_nothing_to_offer_is_shrunk_on_choices() {
    let property = property! { forall n: u64, shrink |_| None::<u64>; check *n < 1000 };
    assert_eq!(text(&shrunk(&property, settings(ShrinkOn::Values).seed(1))), "1000");
}

#[test]
fn the_environment_sets_shrink_on() {
    let with = |value: &str| {
        let value = value.to_owned();
        Settings::new().with_environment(move |name| (name == "FORALL_SHRINK_ON").then(|| value.clone()))
    };
    assert_eq!(with("both").unwrap().shrink_on, ShrinkOn::Both);
    assert_eq!(with("choices").unwrap().shrink_on, ShrinkOn::Choices);
    assert!(with("everything").unwrap_err().to_string().contains("`choices`, `values` or `both`"));
}

/// Runs a property that fails from 1000 on, with a shrinker that may be wrong in any way.
fn with_shrinker(candidates: fn(u64) -> Box<dyn Iterator<Item = u64>>) -> Counterexample {
    let property = Empty
        .forall("n", |(), s| s.draw(5000..1_000_000u64) | 1)
        .shrink(move |(), n| candidates(*n))
        .check(|(n, ())| *n < 1000);
    let found = shrunk(&property, settings(ShrinkOn::Values).seed(1).shrink_evaluations(500));
    assert!(found.shrinking.evaluations <= 500, "{:?}", found.shrinking);
    assert!(text(&found).parse::<u64>().unwrap() >= 1000, "it was seen to fail");
    found
}

fn fault_of(found: &Counterexample) -> String {
    found.shrinking.faults.first().map_or(String::new(), ToString::to_string)
}

#[test]
fn cyclic_shrinkers_terminate_and_are_reported() {
    let same = with_shrinker(|n| Box::new([n, n, n - 1].into_iter()));
    assert!(fault_of(&same).contains("looks like the original value"), "{:?}", same.shrinking.faults);
    assert!(same.shrinking.evaluations > 100, "what else it offers is tried");
    let circle = with_shrinker(|n| Box::new([n ^ 2, n ^ 4].into_iter()));
    assert!(fault_of(&circle).contains("cycles"), "{:?}", circle.shrinking.faults);
    assert!(circle.shrinking.evaluations < 10, "four values: {:?}", circle.shrinking);
}

#[test]
fn growing_shrinkers_terminate_and_are_reported() {
    let property = Empty
        .forall("xs", |(), s| vec![7u8; s.draw(3..9usize)])
        .shrink(|(), xs| Box::new(std::iter::once([&xs[..], &[7]].concat())))
        .check(|_| false);
    let found = shrunk(&property, settings(ShrinkOn::Values).seed(1));
    assert!(found.original.is_none(), "it is shown as it was found");
    assert!(fault_of(&found).contains("only larger values"), "{:?}", found.shrinking.faults);
    assert!(found.shrinking.evaluations < 10, "{:?}", found.shrinking);
    let numbers = with_shrinker(|n| Box::new([n + 2, n * 10].into_iter()));
    assert!(numbers.original.is_none(), "{numbers:?}");
    assert!(fault_of(&numbers).contains("only larger values"), "{:?}", numbers.shrinking.faults);
}

#[test]
fn infinite_shrinkers_are_truncated() {
    let same = with_shrinker(|n| Box::new(std::iter::repeat(n)));
    assert_eq!(same.shrinking.evaluations, 0);
    let property = Empty
        .forall("n", |(), s| s.draw(500_000..1_000_000u64))
        .shrink(|(), n| Box::new((1..*n).map(move |less| n - less)))
        .check(|(n, ())| *n < 1000);
    let smallest_last = shrunk(&property, settings(ShrinkOn::Values).seed(1).shrink_evaluations(50));
    assert_eq!(smallest_last.shrinking.evaluations, 50);
    assert!(smallest_last.shrinking.cut_short.is_some(), "{:?}", smallest_last.shrinking);
}

#[test]
fn panicking_shrinkers_are_reported_and_the_value_stays() {
    let later = with_shrinker(|n| {
        Box::new((0..4).map(move |at| match at {
            0 => n / 2,
            1 => n.saturating_sub(100),
            2 => n - 1,
            _ => panic!("the shrinker's own trouble"),
        }))
    });
    assert_eq!(text(&later), "1000", "what was offered before the panic was tried");
    assert!(fault_of(&later).contains("the shrinker's own trouble"), "{:?}", later.shrinking.faults);
    let at_once = with_shrinker(|_| panic!("no candidates at all"));
    assert_eq!(text(&at_once), "5001", "then the choices are shrunk, and 5000 is the least");
    assert!(fault_of(&at_once).contains("no candidates at all"), "{:?}", at_once.shrinking.faults);
    let deep = with_shrinker(|n| if n < 3000 { panic!("too small for me") } else { Box::new(std::iter::once(n / 2)) });
    assert!(text(&deep).parse::<u64>().unwrap() < 3000);
    assert!(deep.others.is_empty(), "a panic of the shrinker is no bug of the property: {:?}", deep.others);
}

#[test]
fn a_shrinker_panic_in_a_changed_environment_is_not_a_failure_of_the_property() {
    let property = Empty
        .forall("a", |(), s| s.draw(100..200u64))
        .shrink(|(), a| Box::new(0..*a))
        .forall("b", |_, s| s.draw(1000..2000u64))
        .shrink(|(a, ()), b| {
            assert!(*a > 50, "a is too small for me");
            Box::new(1000..*b)
        })
        .check(|(b, (a, ()))| *a < 20 || *b < 1000);
    let found = shrunk(&property, settings(ShrinkOn::Values).seed(1));
    assert_eq!(text(&found), "20");
    assert!(found.others.is_empty(), "{:?}", found.others);
    assert!(
        found.shrinking.faults.iter().any(|fault| fault.to_string().contains("`b`")),
        "{:?}",
        found.shrinking.faults
    );
}

#[test]
fn values_without_a_text_are_shrunk_in_the_order_of_their_shrinker() {
    struct Secret(u64);
    let property = Empty
        .forall_opaque("secret", |(), s| Secret(s.draw(5000..1_000_000u64)))
        .shrink(|(), secret| Box::new([secret.0 / 2, secret.0 - 1].into_iter().map(Secret)))
        .check(|(secret, ())| assert!(secret.0 < 1000, "{}", secret.0));
    assert_eq!(shrunk(&property, settings(ShrinkOn::Values).seed(1)).failure.message, "1000");
    // Nothing tells a circle here: it ends at the limits.
    let property = Empty
        .forall_opaque("secret", |(), s| Secret(s.draw(5000..1_000_000u64)))
        .shrink(|(), secret| Box::new(std::iter::once(Secret(secret.0 ^ 1))))
        .check(|(secret, ())| assert!(secret.0 < 1000, "{}", secret.0));
    let found = shrunk(&property, settings(ShrinkOn::Values).seed(1).shrink_evaluations(300));
    assert!(found.shrinking.cut_short.is_some() && found.shrinking.evaluations <= 300, "{:?}", found.shrinking);
}

#[test]
fn shrinking_on_both_returns_a_value_that_failed() {
    // A generator that depends on the size, so that the case cannot be put under another one.
    let property = property! {
        forall xs in from_fn(|s| vec![0u8; 100usize.saturating_sub(s.size() as usize)]);
        forall n in 0..10u32, shrink |n| 0..*n;
        check xs.is_empty() || *n < 3
    };
    for on in [ShrinkOn::Values, ShrinkOn::Both, ShrinkOn::Choices] {
        let settings = Settings::new().seed(1).size(50).store(Store::Off).enumerate(false).shrink_on(on);
        assert_eq!(Run::new("sized", &property).settings(settings).report().verdict, Verdict::Failed, "{on:?}");
    }
}
