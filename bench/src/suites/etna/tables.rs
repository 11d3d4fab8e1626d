//! Tables: for each workload, and for the common tasks of all, what each tool solved, and which tasks are the hard ones.

use super::trials::{Solved, median};
use crate::report::{Table, number};

/// The legend of the tables.
const READING: &str = "always, mostly: tasks solved in all, in more than half of the trials. Medians are over the tasks, of the \
                       medians over their trials. Then tasks by the mean CPU time of a trial; \"not\" are those that some trial \
                       did not solve.";

pub fn tables(solved: &[Solved]) -> Vec<Table> {
    let mut tables = Vec::new();
    for workload in distinct(solved, |task| &task.workload) {
        let tasks: Vec<&Solved> = solved.iter().filter(|task| task.workload == *workload).collect();
        let count = distinct(&tasks, |task| &task.case).len();
        tables.push(summary(format!("{workload}, {count} tasks"), &tasks));
    }
    let common: Vec<&Solved> = solved.iter().filter(|task| task.common).collect();
    if !common.is_empty() {
        let count = distinct(&common, |task| &task.case).len();
        tables.push(summary(format!("Common tasks of the newer lists, {count}"), &common));
    }
    if let Some(first) = tables.first_mut() {
        first.notes.push(READING.to_owned());
    }
    tables.extend(deep_and_shallow(solved));
    tables.extend(unsolved(solved));
    tables
}

fn summary(title: String, tasks: &[&Solved]) -> Table {
    let head =
        ["tool", "always", "mostly", "median evaluations", "median CPU µs", "<0.1 s", "<1 s", "<10 s", "<60 s", "not"];
    let mut table = Table { title, head: head.map(str::to_owned).to_vec(), ..Table::default() };
    for tool in distinct(tasks, |task| &task.tool) {
        let tasks: Vec<&&Solved> = tasks.iter().filter(|task| task.tool == *tool).collect();
        let count = |wanted: fn(&Solved) -> bool| tasks.iter().filter(|task| wanted(task)).count().to_string();
        let mut row = vec![tool.clone(), count(Solved::always), count(Solved::mostly)];
        row.push(number(median(tasks.iter().map(|task| task.median_evaluations)).unwrap_or(0) as f64));
        let cpu = median(tasks.iter().map(|task| task.median_cpu)).unwrap_or_default();
        row.push(number((cpu.as_secs_f64() * 1e7).round() / 10.0));
        row.extend(buckets(tasks.iter().copied().copied()).map(|count| count.to_string()));
        table.rows.push(row);
    }
    table
}

/// How many tasks every trial of which was solved, with a mean time below 0.1, 1, 10, 60 seconds; and how many others.
pub fn buckets<'a>(tasks: impl Iterator<Item = &'a Solved>) -> [usize; 5] {
    let mut buckets = [0; 5];
    for task in tasks {
        let seconds = task.mean_cpu.as_secs_f64();
        let limits = [0.1, 1.0, 10.0, 60.0];
        let place = limits.iter().position(|&limit| task.always() && seconds < limit);
        buckets[place.unwrap_or(limits.len())] += 1;
    }
    buckets
}

/// The cost of properties as data compared with closures that draw the same inputs, by workload and strategy.
fn deep_and_shallow(solved: &[Solved]) -> Option<Table> {
    let head = ["workload, strategy", "property CPU ms", "closure CPU ms", "property / closure"];
    let mut table = Table {
        title: "Properties as data and as closures: CPU time of a trial of every task, the mean of the trials"
            .to_owned(),
        head: head.map(str::to_owned).to_vec(),
        ..Table::default()
    };
    let cpu_ms = |workload: &str, tool: &str| {
        let mut tasks = solved.iter().filter(|task| task.workload == workload && task.tool == tool).peekable();
        tasks.peek().is_some().then(|| tasks.map(|task| task.mean_cpu.as_secs_f64() * 1e3).sum::<f64>())
    };
    for workload in distinct(solved, |task| &task.workload) {
        for closures in distinct(solved, |task| &task.tool) {
            let Some(strategy) = closures.strip_suffix(":shallow") else { continue };
            let properties = cpu_ms(workload, &format!("{strategy}:generational"));
            let (Some(ours), Some(theirs)) = (properties, cpu_ms(workload, closures)) else { continue };
            let strategy = strategy.trim_start_matches("forall:");
            table.rows.push(vec![
                format!("{workload}, {strategy}"),
                number(ours),
                number(theirs),
                number(ours / theirs),
            ]);
        }
    }
    (!table.rows.is_empty()).then_some(table)
}

/// The tasks that each tool did not always solve, if there are few.
fn unsolved(solved: &[Solved]) -> Option<Table> {
    const FEW: usize = 12;
    let head = ["tool", "tasks that some trial did not solve: trials solved, median evaluations"];
    let mut table = Table {
        title: format!("Hard tasks, where a tool has no more than {FEW}"),
        head: head.map(str::to_owned).to_vec(),
        ..Table::default()
    };
    for tool in distinct(solved, |task| &task.tool) {
        let hard: Vec<&Solved> = solved.iter().filter(|task| task.tool == *tool && !task.always()).collect();
        for task in hard.iter().filter(|_| hard.len() <= FEW) {
            let text = format!("{}: {}/{}, {}", task.case, task.trials_solved, task.trials, task.median_evaluations);
            table.rows.push(vec![tool.clone(), text]);
        }
    }
    (!table.rows.is_empty()).then_some(table)
}

/// The different values, in the order in which they first occur.
pub fn distinct<'a, T>(tasks: &'a [T], value: impl Fn(&'a T) -> &'a String) -> Vec<&'a String> {
    let mut seen: Vec<&String> = Vec::new();
    for task in tasks {
        let value = value(task);
        if !seen.contains(&value) {
            seen.push(value);
        }
    }
    seen
}
