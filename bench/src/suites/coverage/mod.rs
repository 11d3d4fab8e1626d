//! Coverage-guided fuzzing of targets that were not used for tuning, beside libFuzzer.
//!
//! The targets (`bench/coverage/`) are old versions of published parsers and decoders, as dependencies, and planted bugs. Each tool
//! searches each target under several seeds, once with a budget of executions, once with one of CPU time. Both start without
//! a corpus, and have no dictionary or other hint about the target.
//!
//! forall's programs are the instrumented tests that `forall fuzz` builds; libFuzzer's is built with the flags of cargo-fuzz, without a
//! sanitizer.

mod build;
mod search;

use super::{Own, Suite};
use crate::report::{Bar, Limit, Report, Row, Table};
use crate::{Finished, Options};
use search::{Budget, Search};

pub const SUITE: Suite = Suite {
    name: "coverage",
    about: "coverage-guided fuzzing: bugs of old crates and planted ones, beside libFuzzer",
    tools: &[FORALL, LIBFUZZER],
    own: &[
        Own { name: "target", value: "NAME", about: "only targets whose names contain this" },
        Own { name: "execs", value: "N", about: "the budget of executions" },
        Own { name: "cpu", value: "SECONDS", about: "the budget of CPU time; 0 for none" },
    ],
    run,
};

const FORALL: &str = "forall";
const LIBFUZZER: &str = "libfuzzer";
const PROFILE: &str = "release";
const FOUND: &str = "found_share";
const EXECUTIONS: &str = "median_executions";

const SEEDS: u64 = 10;
const EXECS: u64 = 200_000;
const CPU: u64 = 2;

fn run(options: &Options) -> Result<Finished, String> {
    if cfg!(not(all(target_os = "linux", target_arch = "x86_64"))) {
        return Ok(Finished::Skipped("coverage needs x86-64 Linux".to_owned()));
    }
    let given = |name: &str, default: u64| match options.own(name).last() {
        Some(text) => text.parse().map_err(|_| format!("--{name} {text}: expected a number")),
        None => Ok(default),
    };
    let seeds = options.seeds.unwrap_or(if options.smoke { 1 } else { SEEDS });
    let execs = given("execs", if options.smoke { 2_000 } else { EXECS })?;
    let cpu = given("cpu", if options.smoke { 0 } else { CPU })?;
    let mut budgets = vec![Budget::Executions(execs)];
    if cpu > 0 {
        budgets.push(Budget::Cpu(cpu));
    }
    let tools: Vec<&str> = SUITE.tools.iter().copied().filter(|tool| options.wants(tool)).collect();
    let programs = build::programs(options, &tools)?;
    let wanted: Vec<&str> = options.own("target").collect();
    let targets: Vec<String> = build::targets()?
        .into_iter()
        .filter(|name| wanted.is_empty() || wanted.iter().any(|part| name.contains(part)))
        .collect();
    let mut report = Report::default();
    for budget in budgets {
        let mut table = Table {
            title: format!("Seeds of {seeds} that find the bug within {budget}"),
            head: ["target".to_owned()].into_iter().chain(tools.iter().map(|tool| (*tool).to_owned())).collect(),
            ..Table::default()
        };
        let mut totals = vec![0; tools.len()];
        for target in &targets {
            let mut row = vec![target.clone()];
            for (at, tool) in tools.iter().enumerate() {
                let search = Search { tool, program: &programs[at], target, budget };
                let mut found = (1..=seeds).map(|seed| search.run(seed)).collect::<Result<Vec<_>, _>>()?;
                found.retain(Option::is_some);
                found.sort();
                totals[at] += found.len();
                let median = found.get(found.len() / 2).copied().flatten();
                let case = format!("{target}/{}", budget.name());
                report.rows.push(measured(&case, tool, FOUND, found.len() as f64 / seeds as f64));
                if let Some(median) = median {
                    report.rows.push(measured(&case, tool, EXECUTIONS, median as f64));
                }
                row.push(match median {
                    Some(median) => format!("{}, after {median}", found.len()),
                    None => "–".to_owned(),
                });
            }
            table.rows.push(row);
        }
        table.rows.push(["all".to_owned()].into_iter().chain(totals.iter().map(ToString::to_string)).collect());
        table.notes.push("After a comma: the median number of executions of the seeds that found it.".to_owned());
        report.tables.push(table);
        if let [forall, libfuzzer] = totals[..] {
            let value = (!options.smoke).then_some(forall as f64);
            let what = format!("finds within {budget}, beside {libfuzzer} of libFuzzer");
            report.bars.push(Bar { what, value, limit: Limit::AtLeast(libfuzzer as f64) });
        }
    }
    Ok(Finished::Measured(report))
}

fn measured(case: &str, tool: &str, metric: &'static str, value: f64) -> Row {
    Row { case: case.to_owned(), tool: tool.to_owned(), profile: PROFILE, metric, value }
}
