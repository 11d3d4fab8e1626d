//! The thresholds for the results. Only what was run with ten trials or more counts.

use super::trials::{Solved, median};
use crate::report::{Bar, Limit};

const OURS: &str = "forall:bespoke:generational";
const ENOUGH_TRIALS: usize = 10;
/// The tasks that the newer lists have in common.
const COMMON: usize = 110;
/// The workloads where bespoke generators must solve every task, and how many they have.
const COMPLETE: &[(&str, usize)] = &[("fsub", 36), ("ifc", 66)];

pub fn bars(solved: &[Solved]) -> Vec<Bar> {
    let solved: Vec<&Solved> = solved.iter().filter(|task| task.trials >= ENOUGH_TRIALS).collect();
    let of = |tool: &str| -> Vec<&Solved> { solved.iter().copied().filter(|task| task.tool == tool).collect() };
    let common: Vec<&Solved> = of(OURS).into_iter().filter(|task| task.common).collect();
    let complete = common.len() == COMMON;
    let count = |tasks: &[&Solved], wanted: fn(&Solved) -> bool| {
        let count = tasks.iter().filter(|task| wanted(task)).count() as f64;
        Some(count)
    };
    let always = count(&common, Solved::always).filter(|_| complete);
    let mostly = count(&common, Solved::mostly).filter(|_| complete);
    let mut bars = vec![
        Bar { what: format!("common tasks that {OURS} always solves"), value: always, limit: Limit::AtLeast(106.0) },
        Bar {
            what: format!("common tasks that {OURS} mostly solves"),
            value: mostly,
            limit: Limit::AtLeast(COMMON as f64),
        },
    ];
    for &(workload, tasks) in COMPLETE {
        let ours: Vec<&Solved> = of(OURS).into_iter().filter(|task| task.workload == workload).collect();
        let value = count(&ours, Solved::always).filter(|_| ours.len() == tasks);
        bars.push(Bar {
            what: format!("{workload} tasks that {OURS} always solves"),
            value,
            limit: Limit::AtLeast(tasks as f64),
        });
    }
    let median_cpu = |tool: &str| {
        let tasks: Vec<&Solved> = of(tool).into_iter().filter(|task| task.common).collect();
        let median = median(tasks.iter().map(|task| task.median_cpu));
        median.filter(|_| tasks.len() == COMMON).map(|cpu| (cpu.as_secs_f64() * 1e7).round() / 10.0)
    };
    let mut tools: Vec<&String> = solved.iter().map(|task| &task.tool).collect();
    tools.sort_unstable();
    tools.dedup();
    for peer in tools.into_iter().filter(|tool| !tool.starts_with("forall:")) {
        // Each against our own loop with the same strategy.
        let Some(strategy) = peer.split(':').nth(1) else { continue };
        let Some(theirs) = median_cpu(peer) else { continue };
        let what = format!("CPU µs on the median common task, {strategy}, against {peer}");
        bars.push(Bar {
            what,
            value: median_cpu(&format!("forall:{strategy}:generational")),
            limit: Limit::Below(theirs),
        });
    }
    bars
}
