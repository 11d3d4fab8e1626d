//! Trials as the programs print them, and what the trials of a task come to.

use std::collections::BTreeMap;
use std::time::Duration;

/// One search for a counterexample.
#[derive(Clone, Debug)]
pub struct Trial {
    workload: String,
    /// `workload/mutant/property`.
    case: String,
    /// `tool:strategy:runner`.
    tool: String,
    common: bool,
    solved: bool,
    evaluations: u64,
    cpu: Duration,
}

/// The summary of a task's trials, for one tool.
#[derive(Clone, Debug)]
pub struct Solved {
    pub workload: String,
    /// `workload/mutant/property`.
    pub case: String,
    /// `tool:strategy:runner`.
    pub tool: String,
    /// Whether the newer lists contain the task.
    pub common: bool,
    pub trials: usize,
    pub trials_solved: usize,
    /// Of all trials, those included that gave up.
    pub median_evaluations: u64,
    /// Of all trials, those included that gave up.
    pub median_cpu: Duration,
    /// Of all trials.
    pub mean_cpu: Duration,
}

impl Trial {
    /// Reads a line of a tool's program.
    pub fn from_line(tool: &str, line: &str) -> Option<Self> {
        let fields: Vec<&str> = line.split('\t').collect();
        let &[workload, mutant, property, strategy, runner, common, solved, evaluations, nanoseconds] = &fields[..]
        else {
            return None;
        };
        Some(Self {
            workload: workload.to_owned(),
            case: format!("{workload}/{mutant}/{property}"),
            tool: format!("{tool}:{strategy}:{runner}"),
            common: common.parse().ok()?,
            solved: solved.parse().ok()?,
            evaluations: evaluations.parse().ok()?,
            cpu: Duration::from_nanos(nanoseconds.parse().ok()?),
        })
    }
}

impl Solved {
    /// Whether every trial found a counterexample.
    pub fn always(&self) -> bool {
        self.trials_solved == self.trials
    }

    /// Whether more than half of the trials did.
    pub fn mostly(&self) -> bool {
        2 * self.trials_solved > self.trials
    }

    /// The median CPU time in milliseconds, to the tenth of a microsecond.
    pub fn median_cpu_ms(&self) -> f64 {
        (self.median_cpu.as_secs_f64() * 1e7).round() / 1e4
    }
}

/// The summaries of all trials, for each tool: workloads, tools and tasks in the order in which they ran.
pub fn by_task(trials: &[Trial]) -> Vec<Solved> {
    let mut places = BTreeMap::new();
    let mut groups: Vec<Vec<&Trial>> = Vec::new();
    for trial in trials {
        let place = *places.entry((&trial.tool, &trial.case)).or_insert_with(|| {
            groups.push(Vec::new());
            groups.len() - 1
        });
        groups[place].push(trial);
    }
    groups.iter().map(|trials| solved(trials)).collect()
}

fn solved(trials: &[&Trial]) -> Solved {
    let Trial { workload, case, tool, common, .. } = trials[0].clone();
    let total: Duration = trials.iter().map(|trial| trial.cpu).sum();
    Solved {
        workload,
        case,
        tool,
        common,
        trials: trials.len(),
        trials_solved: trials.iter().filter(|trial| trial.solved).count(),
        median_evaluations: median(trials.iter().map(|trial| trial.evaluations)).unwrap_or(0),
        median_cpu: median(trials.iter().map(|trial| trial.cpu)).unwrap_or_default(),
        mean_cpu: total / trials.len() as u32,
    }
}

/// The middle of some values; the upper one of two.
pub fn median<T: Ord>(values: impl Iterator<Item = T>) -> Option<T> {
    let mut values: Vec<T> = values.collect();
    values.sort_unstable();
    let middle = values.len() / 2;
    values.into_iter().nth(middle)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn trials_of_a_task_are_counted_and_their_medians_taken() {
        let line = |solved, evaluations, nanoseconds| {
            format!("bst\tinsert_1\tInsertPost\ttype\tgenerational\ttrue\t{solved}\t{evaluations}\t{nanoseconds}")
        };
        let lines = [line(true, 7, 1_000_000), line(false, 100, 3_000_000), line(true, 9, 2_000_000)];
        let trials: Vec<Trial> = lines.iter().map(|line| Trial::from_line("forall", line).unwrap()).collect();
        let [task] = &by_task(&trials)[..] else { panic!("one task") };
        assert_eq!((&*task.case, &*task.tool), ("bst/insert_1/InsertPost", "forall:type:generational"));
        assert_eq!((task.trials_solved, task.trials, task.always(), task.mostly()), (2, 3, false, true));
        assert_eq!((task.median_evaluations, task.median_cpu_ms()), (9, 2.0));
    }

    #[test]
    fn other_lines_are_no_trials() {
        assert!(Trial::from_line("forall", "warning: something").is_none());
    }
}
