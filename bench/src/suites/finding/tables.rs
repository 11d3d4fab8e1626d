//! The printed tables.

use super::measure::Found;
use super::{
    BY_DEFAULT, CPU, CPU_256, ETNA, HELD_OUT, IN_256, MEDIAN_TESTS, MUTANTS, PARTS, PROFILE, TUNED, cases, is_within,
};
use crate::report::{Report, Table, number};

/// The legend of the tables.
const READING: &str = "By default: the share of runs that find the bug with the tool's default settings: 256 tests with forall \
                       and proptest, 100 with quickcheck and hegeltest, and each tool's discard limit. In 256: the same with 256 \
                       tests for all tools. Median tests: over the runs of 256 tests, where runs that find nothing count as \
                       longest; – if they are half or more. CPU: the mean per run.";
const ETNA_RUNS: &str = "\"In 256\" counts discarded tests, \"by default\" does not. CPU: up to the first failure, or of the whole run. proptest uses \
                         strategies with `prop_recursive`; the trees of quickcheck and hegeltest are built by the same code.";
const MUTANT_RUNS: &str = "A run is one run of all properties of the crate, and finds the mutant if one of them fails. Tests: those of \
                           the failing property. CPU: of all properties up to the first failure. Mutants that no run finds are no \
                           tasks: they may be equivalent to the original.";
const EVERYDAY_RUNS: &str = "CPU: up to the first failure, or of the whole run.";

pub fn tables(report: &Report, found: &[Found], tools: &[&str], seeds: u64) -> Vec<Table> {
    let cases = cases(found);
    let mut tables = Vec::new();
    for &part in PARTS.iter().filter(|part| cases.iter().any(|case| case == **part)) {
        let mut tasks: Vec<&str> =
            found.iter().map(|found| &*found.case).filter(|task| is_within(task, part)).collect();
        tasks.sort_unstable();
        tasks.dedup();
        let title = format!("{}, {} tasks, {seeds} seeds", name(part), tasks.len());
        let mut summary = summary(report, part, tools, title);
        let runs = match part {
            ETNA => ETNA_RUNS,
            MUTANTS => MUTANT_RUNS,
            _ => EVERYDAY_RUNS,
        };
        summary.notes.push(runs.to_owned());
        tables.push(summary);
        let groups = found.iter().map(Found::group).filter(|group| is_within(group, part));
        tables.push(by_group(report, part, groups, tools));
    }
    if let Some(first) = tables.first_mut() {
        first.notes.insert(0, READING.to_owned());
    }
    tables
}

fn name(part: &str) -> &'static str {
    match part {
        TUNED => "Everyday bugs, tuned half",
        HELD_OUT => "Everyday bugs, held-out half",
        MUTANTS => "Mutants of published crates",
        _ => "ETNA, common tasks, derived generators",
    }
}

fn summary(report: &Report, part: &str, tools: &[&str], title: String) -> Table {
    let head = ["tool", "by default", "CPU ms", "in 256", "median tests", "CPU ms of 256"];
    let mut table = Table { title, head: head.map(str::to_owned).to_vec(), ..Table::default() };
    for &tool in tools {
        let cell = |metric| report.value(part, tool, PROFILE, metric).map_or("–".to_owned(), number);
        let cells = [BY_DEFAULT, CPU, IN_256, MEDIAN_TESTS, CPU_256].map(cell);
        table.rows.push([tool.to_owned()].into_iter().chain(cells).collect());
    }
    table
}

/// The shares of a part by its areas or workloads.
fn by_group<'a>(report: &Report, part: &str, groups: impl Iterator<Item = &'a str>, tools: &[&str]) -> Table {
    let title = format!("{}: by default / in 256", name(part));
    let group = match part {
        ETNA => "workload",
        MUTANTS => "crate",
        _ => "area",
    };
    let head = [group].iter().chain(tools).map(|&head| head.to_owned()).collect();
    let mut table = Table { title, head, ..Table::default() };
    let mut seen = Vec::new();
    for group in groups {
        if seen.contains(&group) {
            continue;
        }
        seen.push(group);
        let cell = |&tool: &&str| {
            let share = |metric| {
                report.value(group, tool, PROFILE, metric).map_or("–".to_owned(), |share| format!("{share:.2}"))
            };
            format!("{} / {}", share(BY_DEFAULT), share(IN_256))
        };
        let own = group.rsplit('/').next().unwrap_or(group).to_owned();
        table.rows.push([own].into_iter().chain(tools.iter().map(cell)).collect());
    }
    table
}
