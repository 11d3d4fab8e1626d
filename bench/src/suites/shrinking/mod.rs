//! The results and the cost of shrinking, compared with other tools.
//!
//! A challenge is a property that does not hold, with an ideal counterexample. For each seed a tool finds a failure as
//! it would in an ordinary run, and shrinks it. Measured are the share of ideal results, the number of distinct
//! results, and the evaluations and CPU time from the first failure on.
//!
//! Each tool has a runner, a package in `challenges/`, or the script there for Hypothesis. The runner of a peer has ten
//! seconds of CPU time for a challenge, so that slow tools finish fewer seeds: `n` is their number.

mod bars;
mod measure;
mod tables;

use super::Suite;
use crate::report::{Report, Row};
use crate::{Finished, Options, process};
use measure::{Job, Measured, Runners};

pub const SUITE: Suite = Suite {
    name: "shrinking",
    about: "results and evaluations of shrinking, over many seeds",
    tools: TOOLS,
    own: &[],
    run,
};

const TOOLS: &[&str] =
    &[FORALL, FORALL_LARGE, "quickcheck", "proptest", "crabcheck", "chaos_theory", HEGELTEST, HYPOTHESIS];
/// An ordinary run, whose tests begin small: so does shrinking.
const FORALL: &str = "forall";
/// The same with all tests at the greatest size, so that shrinking has a long way to go.
const FORALL_LARGE: &str = "forall_large";
/// Both of forall.
const OURS: [&str; 2] = [FORALL, FORALL_LARGE];
/// The one that draws as we do, for the bar of CPU time.
const HEGELTEST: &str = "hegeltest";
/// The one that is not a crate.
const HYPOTHESIS: &str = "hypothesis";
/// Those that are built and run quickly.
const SMOKE: &[&str] = &[FORALL, FORALL_LARGE, "quickcheck"];

/// The sets, and where their challenges are defined for forall: the suite runs all challenges of these files.
const SETS: &[(&str, &str)] = &[
    (THIRTEEN, include_str!("../../../../tests/library/tests/shrink/challenges/thirteen.rs")),
    ("harder", include_str!("../../../../tests/library/tests/shrink/challenges/harder.rs")),
    ("everyday", include_str!("../../../../tests/library/tests/shrink/challenges/everyday.rs")),
    ("usual", include_str!("../../../../tests/library/tests/shrink/challenges/usual.rs")),
    ("terms", include_str!("../../../../tests/library/tests/shrink/challenges/terms.rs")),
    ("commands", include_str!("../../../../tests/library/tests/shrink/challenges/commands.rs")),
    ("counted", include_str!("../../../../tests/library/tests/shrink/challenges/counted.rs")),
    ("drawn", include_str!("../../../../tests/library/tests/shrink/challenges/drawn.rs")),
    ("floats", include_str!("../../../../tests/library/tests/shrink/challenges/floats.rs")),
    ("further", include_str!("../../../../tests/library/tests/shrink/challenges/further.rs")),
    ("looped", include_str!("../../../../tests/library/tests/shrink/challenges/looped.rs")),
    ("ported", include_str!("../../../../tests/library/tests/shrink/challenges/ported.rs")),
    ("practice", include_str!("../../../../tests/library/tests/shrink/challenges/practice.rs")),
    ("quality", include_str!("../../../../tests/library/tests/shrink/challenges/quality.rs")),
    ("realigned", include_str!("../../../../tests/library/tests/shrink/challenges/realigned.rs")),
    ("remaining", include_str!("../../../../tests/library/tests/shrink/challenges/remaining.rs")),
    ("unseen", include_str!("../../../../tests/library/tests/shrink/challenges/unseen.rs")),
    ("values", include_str!("../../../../tests/library/tests/shrink/challenges/values.rs")),
];
/// The set that is known from the literature.
const THIRTEEN: &str = "thirteen";

/// The sets with the names of their challenges, which stand as `name: "…"` in the files.
fn sets() -> Vec<Set> {
    let names = |source: &'static str| source.split("name: \"").skip(1).filter_map(|rest| rest.split('"').next());
    SETS.iter().map(|&(name, source)| Set { name, challenges: names(source).collect() }).collect()
}

/// Challenges that are reported together.
struct Set {
    name: &'static str,
    challenges: Vec<&'static str>,
}

impl Set {
    /// The challenges of which this tool has a value, and the values.
    fn values(&self, report: &Report, tool: &str, metric: &str) -> Vec<(&'static str, f64)> {
        let value = |&challenge: &&'static str| {
            report.value(&case(self.name, challenge), tool, PROFILE, metric).map(|value| (challenge, value))
        };
        self.challenges.iter().filter_map(value).collect()
    }
}

const PROFILE: &str = "release";

const IDEAL: &str = "ideal_share";
const DISTINCT: &str = "distinct_results";
const EVALUATIONS: &str = "mean_evaluations";
const MOST_EVALUATIONS: &str = "max_evaluations";
/// Evaluations that make sure of the result or explain it, where the tool tells them apart.
const APART: &str = "mean_evaluations_apart";
const CPU: &str = "cpu_ms";
/// Seeds under which a failure was found and shrunk in the time there was.
const RUNS: &str = "runs";

fn run(options: &Options) -> Result<Finished, String> {
    let seeds = options.seeds.unwrap_or(if options.smoke { 2 } else { 100 });
    let wanted = |tool: &str| match options.tools.is_empty() {
        true => !options.smoke || SMOKE.contains(&tool),
        false => options.wants(tool),
    };
    let mut tools: Vec<&str> = TOOLS.iter().copied().filter(|tool| wanted(tool)).collect();
    let mut runners = Runners::build(options, &tools)?;
    if tools.contains(&HYPOTHESIS)
        && let Err(reason) = runners.add_hypothesis()
    {
        eprintln!("SKIPPED {HYPOTHESIS}: {reason}");
        if process::tools_are_required() {
            return Err("FORALL_REQUIRE_TOOLS=1 asks for every tool".into());
        }
        tools.retain(|tool| *tool != HYPOTHESIS);
        if tools.is_empty() {
            return Ok(Finished::Skipped("no other tool was asked for".into()));
        }
    }
    let sets = sets();
    let mut jobs = Vec::new();
    for &tool in &tools {
        for set in &sets {
            jobs.extend(set.challenges.iter().map(|&challenge| Job { tool, set: set.name, challenge, seeds }));
        }
    }
    let measured = measure::all(&runners, &jobs)?;
    let mut report = Report { rows: measured.iter().flat_map(rows).collect(), ..Report::default() };
    report.tables = tables::tables(&report, &sets, &measured, &tools, seeds);
    report.bars = bars::bars(&report, &sets);
    Ok(Finished::Measured(report))
}

/// The case of a challenge in the results.
fn case(set: &str, challenge: &str) -> String {
    format!("{set}/{challenge}")
}

fn rows(Measured { job, runs, .. }: &Measured) -> Vec<Row> {
    if runs.is_empty() {
        return Vec::new();
    }
    let row = |metric, value: f64| Row {
        case: case(job.set, job.challenge),
        tool: job.tool.to_owned(),
        profile: PROFILE,
        metric,
        value: (value * 10_000.0).round() / 10_000.0,
    };
    let count = runs.len() as f64;
    let mean = |number: fn(&measure::Run) -> f64| runs.iter().map(number).sum::<f64>() / count;
    let mut results: Vec<&str> = runs.iter().map(|run| &*run.result).collect();
    results.sort_unstable();
    results.dedup();
    let mut rows = vec![
        row(IDEAL, mean(|run| f64::from(u8::from(run.ideal)))),
        row(DISTINCT, results.len() as f64),
        row(EVALUATIONS, mean(|run| run.evaluations as f64)),
        row(MOST_EVALUATIONS, runs.iter().map(|run| run.evaluations).max().unwrap_or(0) as f64),
        row(CPU, mean(|run| run.cpu.as_secs_f64() * 1000.0)),
        row(RUNS, count),
    ];
    if OURS.contains(&job.tool) {
        rows.push(row(APART, mean(|run| run.apart as f64)));
    }
    rows
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_is_that_of_one_challenge() {
        let mut names: Vec<&str> = sets().iter().flat_map(|set| set.challenges.clone()).collect();
        names.sort_unstable();
        let repeated: Vec<&str> = names.windows(2).filter(|pair| pair[0] == pair[1]).map(|pair| pair[0]).collect();
        assert!(repeated.is_empty(), "a runner finds its challenge by the name: {repeated:?}");
    }

    #[test]
    fn the_challenges_are_those_of_the_files() {
        let [thirteen, harder, everyday, usual, terms, ..] = &sets()[..] else { panic!("five sets or more") };
        assert_eq!(thirteen.challenges.len(), 13);
        assert_eq!(thirteen.challenges[0], "bound5");
        assert!(harder.challenges.contains(&"json"));
        assert_eq!(everyday.challenges.len(), 10);
        assert_eq!(usual.challenges.len(), 20);
        assert_eq!(terms.challenges, ["lambda", "system_f"]);
    }
}
