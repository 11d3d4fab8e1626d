//! Shows what the three runners of this crate find: `cargo run --release -p forall-example-runners`.

use forall::prelude::*;
use forall::report::{Style, render};
use forall::run::{Run, Settings, Store};
use forall_example_runners::programs::{PLACES, Tree, matches, matches_quickly, shares};
use forall_example_runners::{bypassing, collecting, hardest};
use std::cell::Cell;

fn main() {
    trusted_assumptions();
    all_failures();
    slow_inputs();
}

fn settings() -> Settings {
    Settings::new().seed(2026).store(Store::Off).enumerate(false)
}

fn trusted_assumptions() {
    heading("1. Trusted assumptions: a search tree loses keys when one is deleted");
    let evaluated = Cell::new(0);
    let is_search_tree = |tree: &Tree| {
        evaluated.set(evaluated.get() + 1);
        tree.is_search_tree()
    };
    let search_tree = vec(0..1000u32).map(|keys| Tree::of(&keys));
    let property = property! {
        forall tree: Tree in &search_tree, print |tree| format!("{:?}", tree.keys());
        implies is_search_tree(tree);
        forall key in 0..1000u32;
        check {
            let mut left = tree.keys();
            left.retain(|other| other != key);
            assert_eq!(tree.clone().delete(*key).keys(), left);
        }
    };
    let run = |shrink| {
        let settings = settings().tests(20_000).shrink_evaluations(shrink);
        Run::new("deleting", &property).settings(settings)
    };
    // Without shrinking, which evaluates the assumption with either runner: only the cost of finding the bug is compared.
    let count = |run: Run| format!("{} tests passed, {} evaluations", run.report().statistics.valid, evaluated.take());
    println!("the built-in runner: {}", count(run(0)));
    println!("the trusting runner: {}", count(run(0).runner(|session| bypassing(&property, session))));
    let report = run(10_000).runner(|session| bypassing(&property, session)).report();
    println!("\n{}", render(&report, &Style::from_env()));
}

fn all_failures() {
    heading("2. All failures: percentages of a total, wrong in three ways");
    let property = property! {
        forall amounts: Vec<i32>;
        check shares(amounts).len() == amounts.len()
    };
    match Run::new("shares", &property).settings(settings().tests(2000)).session() {
        Ok(session) => print!("{}", collecting(session).render(&Style::from_env())),
        Err(report) => print!("{}", render(&report, &Style::from_env())),
    }
}

fn slow_inputs() {
    heading("3. Slow inputs: a matcher with exponential backtracking");
    let letters = |of: &'static str, most| vec(elements(of.chars().collect::<Vec<_>>())).len(0..=most);
    let property = property! {
        forall pattern: String in letters("ab?*", 7usize).map(String::from_iter);
        forall text: String in letters("ab", 16usize).map(String::from_iter);
        check matches(pattern, text) == matches_quickly(pattern, text)
    };
    for (name, from_scratch) in [("at random", 1), ("guided", 8)] {
        let settings = settings().tests(2000);
        let session = match Run::new("matching", &property).settings(settings).session() {
            Ok(session) => session,
            Err(report) => return print!("{}", render(&report, &Style::from_env())),
        };
        let found = hardest(session, from_scratch);
        println!("{name}, {} tests:", found.report.statistics.valid);
        for maximum in &found.maxima {
            let input: Vec<&str> = maximum.bindings.iter().map(|variable| variable.printed.text()).collect();
            println!("  {:>6} visits to {:<6}  by {}", maximum.visits, PLACES[maximum.place], input.join(" on "));
        }
    }
}

fn heading(text: &str) {
    println!("\n{text}\n{}\n", "=".repeat(text.len()));
}
