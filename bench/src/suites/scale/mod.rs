//! Many workers and one corpus: do they repeat each other, what does sharing cost, and is anything lost when they are killed?
//!
//! Everything runs on this machine. Throughput needs one on which nothing else runs; the rest does not depend on the clock.

mod coverage;
mod kills;
mod workers;

use super::{Own, Suite};
use crate::process::{Scratch, installed};
use crate::report::{Bar, Limit, Report, Row, Table, number};
use crate::{Finished, Options};
use std::time::Duration;
use workers::{Fleet, Redis};

pub const SUITE: Suite = Suite {
    name: "scale",
    about: "many workers with one corpus: repeated tests, throughput, time to a bug, failures lost by kills",
    tools: &["forall"],
    own: &[
        Own {
            name: "only",
            value: "CASE",
            about: "only this: fleet, throughput, bug, kills, coverage (may be repeated)",
        },
        Own { name: "kills", value: "N", about: "how many workers and servers are killed (1000, with --smoke 20)" },
        Own { name: "execs", value: "N", about: "executions of one worker in coverage (10000000, with --smoke 10000)" },
        Own {
            name: "pairs",
            value: "N",
            about: "how often one worker and eight are compared in coverage (3, with --smoke 1)",
        },
    ],
    run,
};

/// As many workers as repeat each other, or do not.
const WORKERS: usize = 8;

/// How long and how often throughput is measured in each case. Workers begin while cargo still looks at what others have to build: a
/// round is long enough for that to be a small part of it.
const ROUND: Duration = Duration::from_secs(8);
const ROUNDS: u32 = 6;

fn run(options: &Options) -> Result<Finished, String> {
    if !installed("redis-server") {
        return Ok(Finished::Skipped("redis-server is not installed".to_owned()));
    }
    let smoke = |full: u64, smoke: u64| if options.smoke { smoke } else { full };
    let kills = own_number(options, "kills")?.unwrap_or(smoke(1000, 20));
    let executions = own_number(options, "execs")?.unwrap_or(smoke(10_000_000, 10_000));
    let pairs = own_number(options, "pairs")?.unwrap_or(smoke(3, 1)) as u32;
    let wanted = |case: &str| options.own("only").next().is_none() || options.own("only").any(|only| only == case);
    let scratch = Scratch::new("scale")?;
    let fleet = Fleet::build(options, scratch.path())?;
    let mut report = Report::default();
    row(&mut report, "fleet", "workers", WORKERS as f64);
    if wanted("fleet") {
        let (repeated, missing) = fleet.repeated(WORKERS, smoke(40_000, 2_000))?;
        row(&mut report, "fleet", "duplicate_tests", repeated as f64);
        row(&mut report, "fleet", "missing_tests", missing as f64);
        bar(&mut report, "fleet", "duplicate_tests", Limit::AtMost(0.0));
        bar(&mut report, "fleet", "missing_tests", Limit::AtMost(0.0));
    }

    let mut redis = Redis::start(scratch.path())?;
    if wanted("throughput") {
        let (rounds, time) = if options.smoke { (1, Duration::from_secs(2)) } else { (ROUNDS, ROUND) };
        throughput(&mut report, &fleet, &redis, rounds, time)?;
    }
    if wanted("bug") {
        for workers in [1, WORKERS] {
            let limit = Duration::from_secs(smoke(60, 5));
            if let Some(seconds) = fleet.seconds_to_bug(workers, limit, &redis.address())? {
                row(&mut report, &format!("{workers}_workers"), "seconds_to_bug", seconds);
            }
        }
    }
    if wanted("kills") {
        let killed = kills::campaign(&fleet, &mut redis, kills)?;
        row(&mut report, "kills", "kills", killed.kills as f64);
        row(&mut report, "kills", "failures_told", killed.told as f64);
        row(&mut report, "kills", "lost_failures", killed.lost as f64);
        row(&mut report, "kills", "torn_entries", killed.torn as f64);
        bar(&mut report, "kills", "lost_failures", Limit::AtMost(0.0));
        bar(&mut report, "kills", "torn_entries", Limit::AtMost(0.0));
    }
    if wanted("coverage") {
        coverage(&mut report, &coverage::compare(&fleet, WORKERS, executions, pairs)?, executions);
    }

    let mut table = Table {
        title: "Many workers".to_owned(),
        head: ["case", "metric", "value"].map(str::to_owned).to_vec(),
        ..Table::default()
    };
    for Row { case, metric, value, .. } in &report.rows {
        table.rows.push(vec![case.clone(), (*metric).to_owned(), number(*value)]);
    }
    table
        .notes
        .push(format!("{WORKERS} worker processes on this machine, one thread each; Redis with appendonly yes."));
    report.tables = vec![table];
    Ok(Finished::Measured(report))
}

/// Tests per second without a corpus and with one. They take turns, each as often the first of a round as the others, so that what
/// else the machine does meets all alike.
fn throughput(report: &mut Report, fleet: &Fleet, redis: &Redis, rounds: u32, time: Duration) -> Result<(), String> {
    let cases =
        [("without_a_corpus", None), ("directory", Some(fleet.path("corpus"))), ("redis", Some(redis.address()))];
    let (mut rates, mut operations) = ([0.0; 3], 0);
    for round in 0..rounds as usize {
        for turn in 0..cases.len() {
            let at = (round + turn) % cases.len();
            let (case, address) = &cases[at];
            let before = redis.operations()?;
            rates[at] += fleet.throughput(WORKERS, time, address.as_deref())? / f64::from(rounds);
            if *case == "redis" {
                operations += redis.operations()? - before;
            }
        }
    }
    for ((case, address), rate) in cases.iter().zip(rates) {
        row(report, case, "tests_per_second", rate);
        if address.is_some() {
            row(report, case, "of_the_same_without", rate / rates[0]);
            bar(report, case, "of_the_same_without", Limit::AtLeast(0.95));
        }
    }
    let seconds = time.as_secs_f64() * f64::from(rounds);
    row(report, "redis", "store_operations_per_second", operations as f64 / seconds);
    Ok(())
}

/// The results of coverage-guided searches.
fn coverage(report: &mut Report, compared: &coverage::Compared, executions: u64) {
    row(report, "coverage", "executions_of_one_worker", executions as f64);
    row(report, "coverage", "edges_of_one_worker", compared.edges_of_one);
    row(report, "coverage", "edges_in_its_second_half", compared.late_edges);
    row(report, "coverage", "edges_of_eight_workers", compared.edges_of_all);
    row(report, "coverage", "pairs_that_reached_it", f64::from(compared.reached));
    if let Some(ratio) = compared.executions {
        row(report, "coverage", "executions_to_reach_it", ratio);
    }
    row(report, "coverage", "edges_for_each_of_one", compared.edges_of_all / compared.edges_of_one);
    // With 1.3 times the executions of one, in all. A smoke run has too few executions to be meaningful: workers end
    // before they exchange inputs.
    if executions >= 1_000_000 {
        bar(report, "coverage", "edges_for_each_of_one", Limit::AtLeast(1.0));
    }
}

/// An option of the suite that is a number.
fn own_number(options: &Options, name: &'static str) -> Result<Option<u64>, String> {
    let read = |text: &str| text.parse().map_err(|_| format!("--{name} {text}: a number is needed"));
    options.own(name).last().map(read).transpose()
}

fn row(report: &mut Report, case: &str, metric: &'static str, value: f64) {
    report.rows.push(Row { case: case.to_owned(), tool: "forall".to_owned(), profile: "release", metric, value });
}

fn bar(report: &mut Report, case: &str, metric: &str, limit: Limit) {
    let value = report.value(case, "forall", "release", metric);
    report.bars.push(Bar { what: format!("{case}: {metric}"), value, limit });
}
