//! Many workers and one corpus: do they repeat each other, what does sharing cost, and is anything lost when they are killed?
//!
//! Everything runs on this machine. Throughput needs one on which nothing else runs; the rest does not depend on the clock.

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
    about: "many workers with one corpus: repeated tests, throughput, time to a bug, what kills lose",
    tools: &["forall"],
    own: &[Own { name: "kills", value: "N", about: "how many workers and servers are killed (1000, with --smoke 20)" }],
    run,
};

/// As many workers as the issue of repeated tests is measured with.
const WORKERS: usize = 8;

fn run(options: &Options) -> Result<Finished, String> {
    if !installed("redis-server") {
        return Ok(Finished::Skipped("redis-server is not installed".to_owned()));
    }
    let kills = match options.own("kills").last() {
        Some(text) => text.parse().map_err(|_| format!("--kills {text}: a number is needed"))?,
        None => {
            if options.smoke {
                20
            } else {
                1000
            }
        }
    };
    let scratch = Scratch::new("scale")?;
    let fleet = Fleet::build(scratch.path())?;
    let mut report = Report::default();
    row(&mut report, "fleet", "workers", WORKERS as f64);

    let tests = if options.smoke { 2_000 } else { 40_000 };
    let (repeated, missing) = fleet.repeated(WORKERS, tests)?;
    row(&mut report, "fleet", "duplicate_tests", repeated as f64);
    row(&mut report, "fleet", "missing_tests", missing as f64);
    bar(&mut report, "fleet", "duplicate_tests", Limit::AtMost(0.0));
    bar(&mut report, "fleet", "missing_tests", Limit::AtMost(0.0));

    let time = Duration::from_secs(if options.smoke { 1 } else { 10 });
    let mut redis = Redis::start(scratch.path())?;
    let alone = fleet.throughput(WORKERS, time, None)?;
    row(&mut report, "without_a_corpus", "tests_per_second", alone);
    for (case, address) in [("directory", fleet.path("corpus")), ("redis", redis.address())] {
        let before = redis.operations()?;
        let rate = fleet.throughput(WORKERS, time, Some(&address))?;
        row(&mut report, case, "tests_per_second", rate);
        row(&mut report, case, "of_the_same_without", rate / alone);
        bar(&mut report, case, "of_the_same_without", Limit::AtLeast(0.95));
        if case == "redis" {
            let operations = (redis.operations()? - before) as f64 / time.as_secs_f64();
            row(&mut report, case, "store_operations_per_second", operations);
        }
    }

    let limit = Duration::from_secs(if options.smoke { 5 } else { 60 });
    for workers in [1, WORKERS] {
        if let Some(seconds) = fleet.seconds_to_bug(workers, limit, &redis.address())? {
            row(&mut report, &format!("{workers}_workers"), "seconds_to_bug", seconds);
        }
    }

    let killed = kills::campaign(&fleet, &mut redis, kills)?;
    row(&mut report, "kills", "kills", killed.kills as f64);
    row(&mut report, "kills", "failures_told", killed.told as f64);
    row(&mut report, "kills", "lost_failures", killed.lost as f64);
    row(&mut report, "kills", "torn_entries", killed.torn as f64);
    bar(&mut report, "kills", "lost_failures", Limit::AtMost(0.0));
    bar(&mut report, "kills", "torn_entries", Limit::AtMost(0.0));

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

fn row(report: &mut Report, case: &str, metric: &'static str, value: f64) {
    report.rows.push(Row { case: case.to_owned(), tool: "forall".to_owned(), profile: "release", metric, value });
}

fn bar(report: &mut Report, case: &str, metric: &str, limit: Limit) {
    let value = report.value(case, "forall", "release", metric);
    report.bars.push(Bar { what: format!("{case}: {metric}"), value, limit });
}
