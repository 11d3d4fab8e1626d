//! State machines: how fast parallel programs are repeated, how soon races are found, and how small they get.
//!
//! Races under the controlled scheduler, beside real threads, shuttle and loom, are in [`races`]. Everything else here runs two branches. It needs two idle cores: threads that wait for a core do not race.

mod races;

use super::Suite;
use crate::report::{Bar, Limit, Report, Row, Table, number};
use crate::{Finished, Options};
use forall::machine::{Parallel, Sequential, Shared};
use forall::property::Property;
use forall::run::{Run, Settings, Store, Verdict};
use forall_example_machines::racy_array::ArraySpec;
use forall_example_machines::tickets::{FixedSpec, RacySpec};
use forall_example_machines::weak_set::WeakSetSpec;
use std::time::{Duration, Instant};

pub const SUITE: Suite = Suite {
    name: "machines",
    about: "state machines: repetitions per second, time to a counterexample, its size",
    tools: &["forall", "threads", "shuttle-random", "shuttle-pct", "loom"],
    own: &[],
    run,
};

const RATE: &str = "repetitions_per_second";
const SECONDS: &str = "seconds_to_counterexample";
const COMMANDS: &str = "commands_after_shrinking";
const FOUND: &str = "found_of_20_in_30_s";

fn run(options: &Options) -> Result<Finished, String> {
    let mut report = Report::default();
    let tries = options.seeds.unwrap_or(if options.smoke { 1 } else { 20 });
    let rate = repetitions_per_second(if options.smoke { 0.2 } else { 3.0 });
    row(&mut report, "2x6", RATE, rate);
    bar(&mut report, "2x6", RATE, Limit::AtLeast(20_000.0));

    let array = forall::prelude::property! { forall program: Parallel<ArraySpec>; check program.check() };
    let mut found = Vec::new();
    for seed in 0..tries.min(10) {
        found.push(hunt(&array, seed, Duration::from_secs(30)).ok_or("the racy array passed")?);
    }
    let (programs, seconds, commands) = worst(&found);
    row(&mut report, "racy_array", "programs_to_counterexample", programs);
    row(&mut report, "racy_array", SECONDS, seconds);
    row(&mut report, "racy_array", COMMANDS, commands);
    bar(&mut report, "racy_array", "programs_to_counterexample", Limit::AtMost(10.0));
    bar(&mut report, "racy_array", SECONDS, Limit::AtMost(5.0));
    bar(&mut report, "racy_array", COMMANDS, Limit::AtMost(3.0));

    let tickets = forall::prelude::property! { forall program: Parallel<RacySpec>; check program.check() };
    let mut found = Vec::new();
    for seed in 0..tries {
        found.extend(hunt(&tickets, seed, Duration::from_secs(30)));
    }
    row(&mut report, "window_of_a_few_instructions", FOUND, found.len() as f64 * 20.0 / tries as f64);
    bar(&mut report, "window_of_a_few_instructions", FOUND, Limit::AtLeast(19.0));
    if !found.is_empty() {
        row(&mut report, "window_of_a_few_instructions", SECONDS, worst(&found).1);
    }

    let wrong =
        forall::prelude::property! { forall commands: Sequential<WeakSetSpec<false, true>>; check commands.check() };
    let found = hunt(&wrong, 1, Duration::from_secs(30)).ok_or("the wrong model of the weak set passed")?;
    row(&mut report, "weak_set_without_duplicates", SECONDS, found.seconds);

    let mut table = Table {
        title: "State machines".to_owned(),
        head: ["case", "metric", "value"].map(str::to_owned).to_vec(),
        ..Table::default()
    };
    for Row { case, metric, value, .. } in &report.rows {
        table.rows.push(vec![case.clone(), (*metric).to_owned(), number(*value)]);
    }
    table.notes.push(format!("{tries} attempts; where there are several values, the worst is shown."));
    report.tables = vec![table];
    // Not in a quick run: races need two more instrumented builds, and `cargo-forall/tests/race.rs` runs the same programs.
    if !options.smoke {
        races::run_all(options, tries.min(10), &mut report)?;
    }
    Ok(Finished::Measured(report))
}

fn row(report: &mut Report, case: &str, metric: &'static str, value: f64) {
    report.rows.push(Row { case: case.to_owned(), tool: "forall".to_owned(), profile: "release", metric, value });
}

fn bar(report: &mut Report, case: &str, metric: &str, limit: Limit) {
    let value = report.value(case, "forall", "release", metric);
    report.bars.push(Bar { what: format!("{case}: {metric}"), value, limit });
}

/// How often two branches of six commands are repeated in a second, new systems and the search for an explanation included.
fn repetitions_per_second(seconds: f64) -> f64 {
    let program = alternating::<FixedSpec>();
    let (start, mut repetitions) = (Instant::now(), 0);
    while start.elapsed().as_secs_f64() < seconds {
        let ran = program.run();
        assert!(ran.failure.is_none(), "adding is atomic");
        repetitions += ran.repetitions;
    }
    repetitions as f64 / start.elapsed().as_secs_f64()
}

/// Two branches of six commands, drawn from a seed.
fn alternating<S: Shared + Default>() -> Parallel<S> {
    let spec = S::default();
    let model = spec.model();
    let mut branches = Vec::new();
    for branch in 0..2 {
        let draw = |at| spec.generate(&model, &mut forall::choice::Source::random(branch, at, 30));
        branches.push((0..6).map(draw).collect());
    }
    Parallel::of(Vec::new(), branches)
}

/// A counterexample.
struct Hunted {
    programs: u64,
    seconds: f64,
    commands: usize,
}

/// Searches for a counterexample, for at most this long.
fn hunt(property: &dyn Property, seed: u64, time: Duration) -> Option<Hunted> {
    let settings = Settings::new().seed(seed).tests(100_000).size(30).max_time(time).explain(0).store(Store::Off);
    let start = Instant::now();
    let report = Run::new("hunt", property).settings(settings).report();
    if !matches!(report.verdict, Verdict::Failed | Verdict::Flaky) {
        return None;
    }
    let text = report.counterexample?.bindings.first()?.printed.text().to_owned();
    // Only the branches are counted: the text from the second bracket to the end.
    let branches = text.split_once("vec![vec![").map_or(text.as_str(), |(_, branches)| branches);
    let commands = branches.matches("Command::").count();
    Some(Hunted { programs: report.statistics.valid + 1, seconds: start.elapsed().as_secs_f64(), commands })
}

fn worst(found: &[Hunted]) -> (f64, f64, f64) {
    let most = |part: fn(&Hunted) -> f64| found.iter().map(part).fold(0.0, f64::max);
    (most(|found| found.programs as f64), most(|found| found.seconds), most(|found| found.commands as f64))
}

#[cfg(test)]
mod tests {
    use super::*;
    use forall_example_machines::racy_array::Command;

    #[test]
    fn commands_of_branches_are_counted() {
        let program = Parallel::<ArraySpec>::of(vec![Command::Sort], vec![vec![Command::Get(1)], vec![Command::Sort]]);
        let text = forall::generate::Code::of(&program).unwrap();
        let branches = text.split_once("vec![vec![").unwrap().1;
        assert_eq!(branches.matches("Command::").count(), 2);
    }
}
