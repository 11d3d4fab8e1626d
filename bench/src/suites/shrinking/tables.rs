//! The tables that people read.

use super::bars::median;
use super::measure::Measured;
use super::{APART, CPU, DISTINCT, EVALUATIONS, FORALL_LARGE, IDEAL, MOST_EVALUATIONS, OURS, PROFILE, RUNS, Set, case};
use crate::report::{Report, Table, number};

/// From which share of ideal results on a challenge counts as met.
const MET: f64 = 0.95;

pub fn tables(report: &Report, sets: &[Set], measured: &[Measured], tools: &[&str], seeds: u64) -> Vec<Table> {
    let mut tables: Vec<Table> = sets.iter().map(|set| quality(report, set, measured, tools, seeds)).collect();
    tables.push(cpu(report, sets, tools));
    let ours = OURS.iter().filter(|ours| tools.contains(ours));
    tables.extend(ours.map(|ours| forall(report, sets, ours)));
    tables
}

fn quality(report: &Report, set: &Set, measured: &[Measured], tools: &[&str], seeds: u64) -> Table {
    let title = format!("The {} challenges, {seeds} seeds: % ideal / distinct results / mean evaluations", set.name);
    let head = line("challenge", tools.iter().map(|tool| tool.to_string()));
    let mut table = Table { title, head, ..Table::default() };
    for challenge in &set.challenges {
        let cell = |tool: &&str| quality_cell(report, &case(set.name, challenge), tool, seeds);
        table.rows.push(line(challenge, tools.iter().map(cell)));
    }
    let summary = |tool: &&str| {
        let all =
            |metric| -> Vec<f64> { set.values(report, tool, metric).into_iter().map(|(_, value)| value).collect() };
        let ideal = all(IDEAL);
        let Some(median) = median(all(EVALUATIONS)) else { return "–".into() };
        let mean = 100.0 * ideal.iter().sum::<f64>() / ideal.len() as f64;
        let met = ideal.iter().filter(|share| **share >= MET).count();
        format!("{mean:.0} %, {met}/{}, {}", ideal.len(), number(median))
    };
    table.rows.push(line("mean %, ≥ 95 %, median", tools.iter().map(summary)));
    table.notes.push(
        "The last line: the mean share of ideal results, the challenges that reach 95 %, the median of the mean evaluations, \
         each over the challenges that the tool takes up. n: seeds that were finished in the time there was."
            .into(),
    );
    let of_this_set = measured.iter().filter(|measured| measured.job.set == set.name);
    if tools.contains(&FORALL_LARGE) {
        table.notes.push(format!(
            "{FORALL_LARGE}: forall with all tests at the greatest size, so that it starts from large cases."
        ));
    }
    let mut reasons: Vec<(&str, &str)> =
        of_this_set.filter_map(|measured| Some((measured.job.tool, measured.cannot.as_deref()?))).collect();
    reasons.dedup();
    table.notes.extend(reasons.iter().map(|(tool, reason)| format!("–, {tool}: {reason}.")));
    table
}

fn quality_cell(report: &Report, case: &str, tool: &str, seeds: u64) -> String {
    let value = |metric| report.value(case, tool, PROFILE, metric);
    let cell = || {
        let (ideal, runs) = (100.0 * value(IDEAL)?, value(RUNS)?);
        // A share that is not quite all is not shown as all.
        let ideal = if ideal < 100.0 { ideal.min(99.0) } else { ideal };
        let finished = if runs < seeds as f64 { format!(", n={runs}") } else { String::new() };
        Some(format!("{ideal:.0} / {} / {:.0}{finished}", value(DISTINCT)?, value(EVALUATIONS)?))
    };
    cell().unwrap_or("–".into())
}

fn cpu(report: &Report, sets: &[Set], tools: &[&str]) -> Table {
    let title = "CPU time, ms per shrink".into();
    let mut table =
        Table { title, head: line("challenge", tools.iter().map(|tool| tool.to_string())), ..Table::default() };
    for set in sets {
        for challenge in &set.challenges {
            let cell =
                |tool: &&str| report.value(&case(set.name, challenge), tool, PROFILE, CPU).map_or("–".into(), number);
            table.rows.push(line(challenge, tools.iter().map(cell)));
        }
    }
    table.notes.push(
        "Of forall, the shrinker alone; of the others, from the first failure to the end of the run, with whatever they do \
         to confirm and report it."
            .into(),
    );
    table
}

fn forall(report: &Report, sets: &[Set], ours: &str) -> Table {
    let head = ["challenge", "ideal %", "results", "mean evaluations", "most in a run", "apart", "CPU ms"];
    let mut table = Table { title: format!("{ours} alone"), head: head.map(String::from).to_vec(), ..Table::default() };
    for set in sets {
        for challenge in &set.challenges {
            let cell = |(metric, scale): (&str, f64)| {
                report
                    .value(&case(set.name, challenge), ours, PROFILE, metric)
                    .map_or("–".into(), |v| number(scale * v))
            };
            let metrics = [
                (IDEAL, 100.0),
                (DISTINCT, 1.0),
                (EVALUATIONS, 1.0),
                (MOST_EVALUATIONS, 1.0),
                (APART, 1.0),
                (CPU, 1.0),
            ];
            table.rows.push(line(challenge, metrics.into_iter().map(cell)));
        }
    }
    table.notes.push(
        "Apart: evaluations outside of the shrinker: recording and confirming the failure, and the runs after shrinking."
            .into(),
    );
    table
}

fn line(first: &str, rest: impl Iterator<Item = String>) -> Vec<String> {
    std::iter::once(first.to_owned()).chain(rest).collect()
}
