//! The program that the suite `finding` runs on a mutant.

use finding::{Plan, Tool};
use std::fmt::Write;

/// Runs a tool on the properties of a crate, once per seed, and writes a line per run to a file: found (0 or 1), tests,
/// CPU microseconds. Without these variables there is nothing to do.
#[test]
fn run() {
    let variable = |name: &str| std::env::var(format!("MUTANTS_{name}")).ok();
    let Some(file) = variable("FILE") else { return };
    let read = |name: &str| variable(name).unwrap_or_else(|| panic!("MUTANTS_{name} is not set"));
    let (name, seeds) = (read("CRATE"), read("SEEDS").parse().expect("seeds are a number"));
    let tool = Tool::ALL.into_iter().find(|tool| tool.name() == read("TOOL")).expect("the tool is known");
    let tests = variable("TESTS").map(|tests| tests.parse().expect("tests are a number"));
    let (_, properties) = mutants::CRATES.iter().find(|(own, _)| *own == name).expect("the crate is known");
    // The tools detect panics as failures; the messages are irrelevant.
    std::panic::set_hook(Box::new(|_| {}));
    let mut lines = String::new();
    for seed in 0..seeds {
        let search = mutants::search(properties, tool, &Plan { seed, tests });
        let (found, tests, cpu) = (u8::from(search.found), search.tests, search.cpu.as_micros());
        writeln!(lines, "{found}\t{tests}\t{cpu}").expect("a string can be written to");
    }
    std::fs::write(file, lines).expect("the file can be written");
}

/// Without a mutant, no tool finds anything: a failure would be a mistake in a property.
#[test]
fn properties_hold_without_a_mutant() {
    for (name, properties) in mutants::CRATES {
        for property in *properties {
            let search = (property.search)(Tool::Forall, &Plan { seed: 1, tests: Some(100) });
            assert!(!search.found, "{name}: {}", property.name);
            assert!(search.tests > 0, "{name}: {}", property.name);
        }
    }
}
