//! Shrinking ends with the same minimal counterexample from every start, in few evaluations.
//!
//! `cargo test --release -p forall-tests --test shrink challenges -- --ignored --nocapture` prints a table over 100 seeds (`SEEDS=…` for more), of
//! failures as an ordinary run finds them, small ones first. With `FORALL_SIZE=100` all are found large.

mod commands;
mod counted;
mod drawn;
mod everyday;
mod floats;
mod further;
pub mod harder;
mod looped;
mod ported;
mod practice;
mod quality;
mod realigned;
mod remaining;
mod terms;
pub mod thirteen;
mod unseen;
mod usual;
mod values;

use commands::COMMANDS;
use counted::COUNTED;
use drawn::{DRAWN, TIGHT};
use everyday::EVERYDAY;
use floats::{FLOATS, HELD_OUT, HELD_OUT_LATER};
use forall::property::Property;
use forall::run::{Run, Schedule, Settings, Shrinking, Store, Verdict};
use further::FURTHER;
use harder::HARDER;
use looped::LOOPED;
use ported::PORTED;
use practice::PRACTICE;
use quality::{QUALITY, QUALITY_LOOPS};
use realigned::REALIGNED;
use remaining::REMAINING;
use std::collections::{BTreeMap, BTreeSet};
use terms::TERMS;
use thirteen::{Challenge, THIRTEEN};
use unseen::UNSEEN;
use usual::USUAL;
use values::VALUES;

/// Finds a failure among tests of these sizes and shrinks it. The result, and the record of the search.
fn shrunk(property: &dyn Property, sizes: Schedule, seed: u64) -> (String, Shrinking) {
    let settings = Settings::new().size(sizes).store(Store::Off).enumerate(false).discard_ratio(1000).explain(0);
    for attempt in 0..100_000 {
        let settings = settings.clone().seed(seed << 32 | attempt);
        let report = Run::new("challenge", property).settings(settings).report();
        match report.verdict {
            Verdict::Passed => {}
            Verdict::Failed => {
                let found = report.counterexample.unwrap();
                let texts: Vec<_> = found.bindings.iter().map(|binding| binding.printed.text().to_owned()).collect();
                return (texts.join(", "), found.shrinking);
            }
            other => panic!("{other:?}"),
        }
    }
    panic!("no failure found");
}

/// The results of a challenge over many seeds.
struct Tally {
    results: BTreeMap<String, u64>,
    evaluations: Vec<u64>,
    nanoseconds: u128,
    passes: BTreeMap<&'static str, (u64, u64)>,
}

fn tally(challenge: &Challenge, sizes: Schedule, seeds: u64) -> Tally {
    let property = (challenge.property)();
    let mut tally =
        Tally { results: BTreeMap::new(), evaluations: Vec::new(), nanoseconds: 0, passes: BTreeMap::new() };
    for seed in 0..seeds {
        let (result, story) = shrunk(&*property, sizes, seed);
        *tally.results.entry(result).or_default() += 1;
        tally.evaluations.push(story.evaluations);
        tally.nanoseconds += story.time.as_nanos();
        for pass in &story.passes {
            let (tried, accepted) = tally.passes.entry(pass.name).or_default();
            *tried += pass.tried;
            *accepted += pass.accepted;
        }
    }
    tally
}

impl Tally {
    fn mean(&self) -> f64 {
        self.evaluations.iter().sum::<u64>() as f64 / self.evaluations.len() as f64
    }
}

/// Asserts that each challenge has one result, the ideal, and a bound on the mean number of evaluations. The median of these.
fn always_ideal(challenges: &[Challenge], sizes: Schedule, most_evaluations: f64) -> f64 {
    ideal_from_seeds(20, challenges, sizes, most_evaluations)
}

/// The same, from so many seeds.
fn ideal_from_seeds(seeds: u64, challenges: &[Challenge], sizes: Schedule, most_evaluations: f64) -> f64 {
    let mut means = Vec::new();
    for challenge in challenges {
        let tally = tally(challenge, sizes, seeds);
        let results: Vec<_> = tally.results.keys().map(String::as_str).collect();
        assert_eq!(results, [challenge.ideal], "{}", challenge.name);
        assert!(tally.mean() <= most_evaluations, "{}: {} evaluations", challenge.name, tally.mean());
        means.push(tally.mean());
    }
    means.sort_by(f64::total_cmp);
    means[means.len() / 2]
}

#[test]
fn the_thirteen_always_end_at_their_ideal() {
    let median = always_ideal(&THIRTEEN, Schedule::default(), 150.0);
    assert!(median <= 40.0, "{median}");
}

#[test]
#[ignore = "slow: 5 s"]
fn the_harder_ones_always_end_at_their_ideal() {
    let median = always_ideal(&HARDER, Schedule::default(), 300.0);
    assert!(median <= 80.0, "{median}");
}

#[test]
#[ignore = "slow: 12 s"]
fn the_everyday_ones_always_end_at_their_ideal() {
    always_ideal(&EVERYDAY, Schedule::default(), 300.0);
}

#[test]
fn common_challenges_shrink_to_their_ideal() {
    always_ideal(&USUAL, Schedule::default(), 600.0);
}

#[test]
#[ignore = "slow: 5 s"]
fn terms_always_end_at_their_ideal() {
    always_ideal(&TERMS, Schedule::default(), 1000.0);
}

#[test]
fn counted_loops_always_end_at_their_ideal() {
    ideal_from_seeds(10, &COUNTED, Schedule::default(), 400.0);
}

#[test]
#[ignore = "slow: 7 s"]
fn equal_exchanged_and_moved_values_always_end_at_their_ideal() {
    ideal_from_seeds(10, &VALUES, Schedule::default(), 700.0);
}

#[test]
#[ignore = "slow: 8 s"]
fn floats_of_ranges_always_end_at_their_ideal() {
    ideal_from_seeds(50, &FLOATS, Schedule::default(), 200.0);
    ideal_from_seeds(50, &HELD_OUT, Schedule::default(), 200.0);
    ideal_from_seeds(50, &HELD_OUT_LATER, Schedule::default(), 200.0);
    for challenges in [&FLOATS[..], &HELD_OUT, &HELD_OUT_LATER] {
        ideal_from_seeds(10, challenges, Schedule::Constant(100), 200.0);
    }
}

#[test]
fn challenges_that_were_held_back_always_end_at_their_ideal() {
    ideal_from_seeds(10, &UNSEEN, Schedule::default(), 400.0);
}

#[test]
fn generators_whose_draws_depend_on_earlier_ones_always_end_at_their_ideal() {
    ideal_from_seeds(20, &REALIGNED, Schedule::default(), 700.0);
}

#[test]
fn bits_ranges_strides_shares_and_shapes_drawn_by_hand_always_end_at_their_ideal() {
    ideal_from_seeds(20, &REMAINING, Schedule::default(), 700.0);
}

#[test]
fn terms_intervals_addresses_products_and_results_always_end_at_their_ideal() {
    ideal_from_seeds(5, &FURTHER, Schedule::default(), 2000.0);
}

#[test]
fn generators_from_practice_always_end_at_their_ideal() {
    ideal_from_seeds(20, &PRACTICE, Schedule::default(), 600.0);
}

#[test]
fn commands_that_depend_on_each_other_always_end_at_their_ideal() {
    ideal_from_seeds(20, &COMMANDS, Schedule::default(), 1500.0);
}

#[test]
fn loops_in_place_of_collections_always_end_at_their_ideal() {
    ideal_from_seeds(10, &LOOPED, Schedule::default(), 1000.0);
}

#[test]
fn generators_drawn_by_hand_always_end_at_their_ideal() {
    ideal_from_seeds(10, &DRAWN, Schedule::default(), 2000.0);
}

#[test]
fn quality_tests_of_hypothesis_always_end_at_their_ideal() {
    ideal_from_seeds(10, &QUALITY, Schedule::default(), 400.0);
}

#[test]
fn quality_tests_with_loops_end_like_those_with_lists() {
    for challenge in &QUALITY_LOOPS {
        let list = challenge.name.strip_suffix("_loop").unwrap();
        let list = QUALITY.iter().find(|other| other.name == list).expect(challenge.name);
        assert_eq!(challenge.ideal, list.ideal, "{}", challenge.name);
    }
    ideal_from_seeds(10, &QUALITY_LOOPS, Schedule::default(), 1000.0);
}

#[test]
fn ported_tests_of_hypothesis_always_end_at_their_ideal() {
    ideal_from_seeds(5, &PORTED, Schedule::default(), 1500.0);
}

#[test]
fn a_name_is_that_of_one_challenge() {
    let sets: [&[Challenge]; 22] = [
        &THIRTEEN,
        &HARDER,
        &EVERYDAY,
        &USUAL,
        &TERMS,
        &COMMANDS,
        &COUNTED,
        &VALUES,
        &LOOPED,
        &PRACTICE,
        &REALIGNED,
        &REMAINING,
        &UNSEEN,
        &DRAWN,
        &[TIGHT],
        &QUALITY,
        &QUALITY_LOOPS,
        &PORTED,
        &FURTHER,
        &FLOATS,
        &HELD_OUT,
        &HELD_OUT_LATER,
    ];
    let mut seen = BTreeSet::new();
    for challenge in sets.into_iter().flatten() {
        assert!(seen.insert(challenge.name), "two challenges are named {}", challenge.name);
    }
}

#[test]
fn many_numbers_end_at_the_least_that_fails_and_in_order() {
    ideal_from_seeds(2, &[TIGHT], Schedule::default(), 10_000.0);
}

#[test]
#[ignore = "slow: 24 s"]
fn all_challenges_shrink_to_their_ideal_from_large_failures() {
    always_ideal(&THIRTEEN, Schedule::Constant(100), 150.0);
    always_ideal(&HARDER, Schedule::Constant(100), 300.0);
    always_ideal(&EVERYDAY, Schedule::Constant(100), 600.0);
    always_ideal(&USUAL, Schedule::Constant(100), 600.0);
    ideal_from_seeds(5, &COUNTED, Schedule::Constant(100), 400.0);
}

fn table(challenges: &[Challenge]) {
    let seeds = std::env::var("SEEDS").ok().and_then(|seeds| seeds.parse().ok()).unwrap_or(100);
    let only = std::env::var("ONLY").ok();
    println!("| challenge | ideal % | results | mean evals | max evals | µs per shrink |");
    println!("| --- | --- | --- | --- | --- | --- |");
    let mut means = Vec::new();
    for challenge in challenges.iter().filter(|c| only.as_ref().is_none_or(|only| c.name == only)) {
        let tally = tally(challenge, Schedule::default(), seeds);
        let ideal = tally.results.get(challenge.ideal).copied().unwrap_or(0);
        means.push(tally.mean());
        println!(
            "| {} | {:.0} | {} | {:.0} | {} | {} |",
            challenge.name,
            100.0 * ideal as f64 / seeds as f64,
            tally.results.len(),
            tally.mean(),
            tally.evaluations.iter().max().unwrap(),
            tally.nanoseconds / 1000 / u128::from(seeds),
        );
        let mut others: Vec<_> = tally.results.iter().filter(|(result, _)| *result != challenge.ideal).collect();
        others.sort_by_key(|(_, count)| std::cmp::Reverse(**count));
        for (result, count) in others.iter().take(5) {
            println!("    {count} × {result}");
        }
        if only.is_some() {
            for (name, (tried, accepted)) in &tally.passes {
                println!("    {name}: {accepted} of {tried}");
            }
        }
    }
    means.sort_by(f64::total_cmp);
    if let Some(median) = means.get(means.len() / 2) {
        println!("median of means: {median:.1}");
    }
}

#[test]
#[ignore = "prints a table"]
fn table_of_the_thirteen() {
    table(&THIRTEEN);
}

#[test]
#[ignore = "prints a table"]
fn table_of_the_harder_ones() {
    table(&HARDER);
}

#[test]
#[ignore = "prints a table"]
fn table_of_the_everyday_ones() {
    table(&EVERYDAY);
}

#[test]
#[ignore = "prints a table"]
fn table_of_the_usual_ones() {
    table(&USUAL);
}

#[test]
#[ignore = "prints a table"]
fn table_of_the_counted_loops() {
    table(&COUNTED);
}

#[test]
#[ignore = "prints a table"]
fn table_of_the_values() {
    table(&VALUES);
}

#[test]
#[ignore = "prints a table"]
fn table_of_the_floats() {
    table(&FLOATS);
}

#[test]
#[ignore = "prints a table"]
fn table_of_the_floats_that_were_held_out() {
    table(&HELD_OUT);
    table(&HELD_OUT_LATER);
}

#[test]
#[ignore = "prints a table"]
fn table_of_those_from_practice() {
    table(&PRACTICE);
}

#[test]
#[ignore = "prints a table"]
fn table_of_generators_whose_draws_depend_on_earlier_ones() {
    table(&REALIGNED);
}

#[test]
#[ignore = "prints a table"]
fn table_of_the_further_ones() {
    table(&FURTHER);
}

#[test]
#[ignore = "prints a table"]
fn table_of_the_unseen_ones() {
    table(&UNSEEN);
}

#[test]
#[ignore = "prints a table"]
fn table_of_the_loops_in_place_of_collections() {
    table(&LOOPED);
}

#[test]
#[ignore = "prints a table"]
fn table_of_the_terms() {
    table(&TERMS);
}

#[test]
#[ignore = "prints a table"]
fn table_of_those_that_are_drawn_by_hand() {
    table(&DRAWN);
}

#[test]
#[ignore = "prints a table"]
fn table_of_the_quality_tests() {
    table(&QUALITY);
    table(&QUALITY_LOOPS);
}

#[test]
#[ignore = "prints a table"]
fn table_of_the_ported_tests() {
    table(&PORTED);
}
