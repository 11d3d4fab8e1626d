//! Tests of the runner that searches for slow inputs.

use forall::prelude::*;
use forall::run::{Run, Settings, Store, Verdict};
use forall_example_runners::performance::{Hardest, hardest};
use forall_example_runners::programs::{PLACES, matches, matches_quickly};
use forall_example_runners::work;

const RANDOM: u64 = 1;
const GUIDED: u64 = 8;

fn letters(of: &'static str, most: usize) -> impl Generator<Value = String> {
    vec(elements(of.chars().collect::<Vec<_>>())).len(0..=most).map(String::from_iter)
}

/// Searches in a property that allows `limit` visits to a place.
fn search(limit: u64, seed: u64, tests: u64, from_scratch: u64) -> Hardest {
    let (patterns, texts) = (letters("ab?*", 6), letters("ab", 12));
    let property = property! {
        forall pattern in &patterns;
        forall text in &texts;
        check {
            // Runs of the shrinker do not count.
            work::begin();
            assert_eq!(matches(pattern, text), matches_quickly(pattern, text));
            assert!(work::visits().into_iter().all(|visits| visits <= limit), "too much work");
        }
    };
    let settings = Settings::new().tests(tests).seed(seed).store(Store::Off);
    hardest(Run::new("matching", &property).settings(settings).session().unwrap(), from_scratch)
}

/// Returns the sum over the places of the most visits in one test.
fn most_work(found: &Hardest) -> u64 {
    assert_eq!((found.report.statistics.valid, found.maxima.len()), (1000, PLACES.len()));
    found.maxima.iter().map(|maximum| maximum.visits).sum()
}

#[test]
fn guided_search_finds_ten_times_as_much_work_as_chance_with_as_many_tests() {
    let ratio = |seed| {
        let work = |from_scratch| most_work(&search(u64::MAX, seed, 1000, from_scratch)) as f64;
        work(GUIDED) / work(RANDOM)
    };
    let mut ratios: Vec<f64> = (0..7).map(ratio).collect();
    ratios.sort_by(f64::total_cmp);
    assert!(ratios[3] >= 10.0 && ratios[0] >= 3.0, "{ratios:.1?}");
}

#[test]
fn the_reported_input_makes_the_reported_number_of_visits() {
    for maximum in search(u64::MAX, 1, 500, GUIDED).maxima {
        let inputs: Vec<&str> = maximum
            .bindings
            .iter()
            .map(|variable| variable.printed.debug.as_deref().unwrap().trim_matches('"'))
            .collect();
        work::begin();
        matches(inputs[0], inputs[1]);
        assert_eq!(work::visits()[maximum.place], maximum.visits, "{inputs:?}");
    }
}

#[test]
fn an_exceeded_bound_on_the_work_is_shrunk() {
    assert_eq!(search(3000, 1, 2000, RANDOM).report.verdict, Verdict::Passed);
    let report = search(3000, 1, 2000, GUIDED).report;
    assert_eq!(report.verdict, Verdict::Failed);
    let found = report.counterexample.unwrap();
    let inputs: Vec<&str> = found.bindings.iter().map(|variable| variable.printed.text()).collect();
    assert!(found.failure.message.contains("too much work"), "{}", found.failure.message);
    assert_eq!(inputs, [r#"String::from("*****a")"#, r#"String::from("aaaaaaaaab")"#]);
}
