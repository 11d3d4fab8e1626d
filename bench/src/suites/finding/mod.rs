//! How often one run finds the bug: the ETNA tasks with derived generators, everyday bugs of real crates, and mutants of
//! published crates.
//!
//! Two kinds of runs: the *default run* of a tool, which is what one plain `#[test]` does, and one of 256 tests, which is the
//! same with every tool. The programs run the tools and print a line per task and seed: `bench-etna` and its peers in
//! `etna/peers/`, and `bench-finding`. Here they are built and run, and their lines made into rows, tables and bars.
//!
//! Generators were tuned on one half of the everyday bugs, so the halves are reported apart, and the bars apply to the other.

mod bars;
mod measure;
mod mutants;
mod tables;

use super::{Own, Suite};
use crate::report::{Report, Row};
use crate::{Finished, Options};
use measure::Found;
use std::time::Duration;

pub const SUITE: Suite = Suite {
    name: "finding",
    about: "how often a default run finds the bug, and one of 256 tests: ETNA tasks, everyday bugs",
    tools: TOOLS,
    own: &[Own {
        name: "part",
        value: "NAME",
        about: "only this part: etna and everyday (both by default), or mutants (of published crates; takes longer)",
    }],
    run,
};

const TOOLS: &[&str] = &[FORALL, PROPTEST, "quickcheck", "hegeltest"];
const FORALL: &str = "forall";
const PROPTEST: &str = "proptest";

/// The tasks of ETNA, by workload, and the halves of the everyday bugs, by area.
const ETNA: &str = "etna";
const TUNED: &str = "everyday/tuned";
const HELD_OUT: &str = "everyday/held-out";
/// Mutants of published crates, by crate.
const MUTANTS: &str = "mutants";
const PARTS: &[&str] = &[ETNA, TUNED, HELD_OUT, MUTANTS];

const SEEDS: u64 = 50;
const SMOKE_SEEDS: u64 = 2;
/// There are ten times as many mutants as everyday bugs.
const MUTANT_SEEDS: u64 = 10;

const PROFILE: &str = "release";

const BY_DEFAULT: &str = "found_by_default";
const IN_256: &str = "found_in_256";
/// Of runs of 256 tests. No row where most runs do not find the bug.
const MEDIAN_TESTS: &str = "median_tests";
/// The mean of a default run.
const CPU: &str = "cpu_ms";
/// The mean of a run of 256 tests.
const CPU_256: &str = "cpu_ms_256";
const RUNS: &str = "runs";

/// How long a run is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Mode {
    Default,
    In256,
}

fn run(options: &Options) -> Result<Finished, String> {
    let seeds = options.seeds.unwrap_or(if options.smoke { SMOKE_SEEDS } else { SEEDS });
    let wanted = |tool: &str| match options.tools.is_empty() {
        // The peers take long to build.
        true => !options.smoke || tool == FORALL,
        false => options.wants(tool),
    };
    let tools: Vec<&str> = TOOLS.iter().copied().filter(|tool| wanted(tool)).collect();
    let parts: Vec<&str> = options.own("part").collect();
    let found = match parts.contains(&MUTANTS) {
        true => mutants::all(options, &tools, options.seeds.unwrap_or(if options.smoke { 1 } else { MUTANT_SEEDS }))?,
        false => {
            let programs = measure::build(options, &tools)?;
            measure::all(&programs, &tools, seeds, options.smoke)?
        }
    };
    let mut report = Report { rows: rows(&found, &tools), ..Report::default() };
    report.tables = tables::tables(&report, &found, &tools, seeds);
    if !options.smoke {
        report.bars = bars::bars(&report, &tools);
    }
    Ok(Finished::Measured(report))
}

/// Rows for each part, for each of its areas or workloads, and for each task.
fn rows(found: &[Found], tools: &[&str]) -> Vec<Row> {
    let mut rows = Vec::new();
    for case in cases(found) {
        for &tool in tools {
            let within = |one: &&Found| one.tool == tool && is_within(&one.case, &case);
            let runs: Vec<&Found> = found.iter().filter(within).collect();
            let of = |mode| runs.iter().copied().filter(move |run| run.mode == mode);
            let by_default: Vec<&Found> = of(Mode::Default).collect();
            let in_256: Vec<&Found> = of(Mode::In256).collect();
            let values = [
                (BY_DEFAULT, share(&by_default)),
                (CPU, mean_cpu(&by_default)),
                (IN_256, share(&in_256)),
                (MEDIAN_TESTS, median_tests(&in_256)),
                (CPU_256, mean_cpu(&in_256)),
                (RUNS, Some(runs.len() as f64)),
            ];
            let row = |(metric, value): (&'static str, Option<f64>)| {
                let value = (value? * 10_000.0).round() / 10_000.0;
                Some(Row { case: case.clone(), tool: tool.to_owned(), profile: PROFILE, metric, value })
            };
            rows.extend(values.into_iter().filter_map(row));
        }
    }
    rows
}

/// The tasks, and before each what it is part of: `etna`, `etna/bst`, `etna/bst/insert_1/InsertPost`.
fn cases(found: &[Found]) -> Vec<String> {
    let mut cases: Vec<String> = PARTS.iter().map(|part| (*part).to_owned()).collect();
    let groups = found.iter().map(|found| found.group().to_owned());
    for case in groups.chain(found.iter().map(|found| found.case.clone())) {
        if !cases.contains(&case) {
            cases.push(case);
        }
    }
    cases.retain(|case| found.iter().any(|found| is_within(&found.case, case)));
    cases
}

fn is_within(task: &str, case: &str) -> bool {
    task.strip_prefix(case).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
}

fn share(runs: &[&Found]) -> Option<f64> {
    let found = runs.iter().filter(|run| run.found).count();
    (!runs.is_empty()).then(|| found as f64 / runs.len() as f64)
}

fn mean_cpu(runs: &[&Found]) -> Option<f64> {
    let total: Duration = runs.iter().map(|run| run.cpu).sum();
    (!runs.is_empty()).then(|| total.as_secs_f64() * 1e3 / runs.len() as f64)
}

/// The median over all runs. A run that does not find the bug needs more tests than any other, so there is none where half of
/// them do not.
fn median_tests(runs: &[&Found]) -> Option<f64> {
    let mut tests: Vec<u64> = runs.iter().map(|run| if run.found { run.tests } else { u64::MAX }).collect();
    tests.sort_unstable();
    tests.get(tests.len() / 2).filter(|tests| **tests < u64::MAX).map(|tests| *tests as f64)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(case: &str, found: bool, tests: u64) -> Found {
        let cpu = Duration::from_millis(2);
        Found { tool: FORALL, case: case.to_owned(), mode: Mode::In256, found, tests, cpu }
    }

    #[test]
    fn runs_count_for_their_task_its_group_and_its_part() {
        let found = [
            found("etna/bst/insert_1/InsertPost", true, 7),
            found("etna/bst/insert_1/InsertPost", false, 256),
            found("etna/rbt/insert_1/InsertPost", true, 9),
        ];
        let report = Report { rows: rows(&found, &[FORALL]), ..Report::default() };
        let value = |case, metric| report.value(case, FORALL, PROFILE, metric);
        assert_eq!(value("etna", IN_256), Some(0.6667));
        assert_eq!(value("etna/bst", IN_256), Some(0.5));
        assert_eq!(value("etna/rbt/insert_1/InsertPost", MEDIAN_TESTS), Some(9.0));
        assert_eq!(value("etna", CPU_256), Some(2.0));
        assert_eq!(value("etna", BY_DEFAULT), None, "no default run");
        assert_eq!(value("everyday/tuned", RUNS), None, "no task");
    }

    #[test]
    fn a_run_that_finds_nothing_needs_more_tests_than_any_other() {
        let runs = [found("etna/a", true, 3), found("etna/a", true, 5), found("etna/a", false, 256)];
        assert_eq!(median_tests(&runs.iter().collect::<Vec<_>>()), Some(5.0));
        assert_eq!(median_tests(&runs.iter().skip(1).collect::<Vec<_>>()), None);
    }
}
