//! How fast, and how right, `forall::linearizability` decides histories whose verdict is known.
//!
//! With `--data DIR`, the public test data of the Porcupine project (its directory `test_data`): 102 logs of etcd under
//! Jepsen, of a register with compare-and-set, and six histories of a key-value store. They are not part of this
//! repository. Without, histories of our own ([`own`]), made by a simulation that knows the verdict.
//!
//! Reading and parsing is not timed. The time of a case is the least of several checks.

mod own;
mod porcupine;

use super::{Own, Suite};
use crate::report::{Bar, Limit, Report, Row, Table, number};
use crate::{Finished, Options};
use std::path::Path;
use std::time::{Duration, Instant};

pub const SUITE: Suite = Suite {
    name: "linearizability",
    about: "time and verdicts of the checker of histories",
    tools: &["forall"],
    own: &[Own { name: "data", value: "DIR", about: "the directory `test_data` of the Porcupine project" }],
    run,
};

const SECONDS: &str = "seconds";
const WRONG: &str = "wrong_verdicts";

/// Porcupine's times for the same data on a machine with two cores, in seconds.
const PORCUPINE: &[(&str, f64)] = &[("etcd", 0.54), ("kv/c50-ok", 0.159)];

/// A history with a verdict that is known, ready to be checked.
struct Case {
    name: String,
    is_linearizable: bool,
    /// Checks it, and says what came out.
    check: Box<dyn Fn() -> bool>,
}

/// The result for a set of histories.
struct Measured {
    name: String,
    histories: usize,
    wrong: Vec<String>,
    total: Duration,
    slowest: (String, Duration),
}

fn run(options: &Options) -> Result<Finished, String> {
    let sets = match options.own("data").last() {
        Some(directory) => porcupine::sets(Path::new(directory))?,
        None => own::sets(options.smoke),
    };
    let repetitions = if options.smoke { 1 } else { 5 };
    let mut report = Report::default();
    let mut table = Table {
        title: "Histories whose verdict is known".to_owned(),
        head: ["set", "histories", "wrong verdicts", "ms in total", "slowest", "ms"].map(str::to_owned).to_vec(),
        ..Table::default()
    };
    for (name, cases) in sets {
        let measured = measure(name, &cases, repetitions);
        for wrong in &measured.wrong {
            table.notes.push(format!("wrong: {wrong}"));
        }
        let seconds = measured.total.as_secs_f64();
        for (metric, value) in [(SECONDS, seconds), (WRONG, measured.wrong.len() as f64)] {
            let (case, tool) = (measured.name.clone(), "forall".to_owned());
            report.rows.push(Row { case, tool, profile: "release", metric, value });
        }
        let wrong = Bar {
            what: format!("{}: {WRONG}", measured.name),
            value: Some(measured.wrong.len() as f64),
            limit: Limit::AtMost(0.0),
        };
        report.bars.push(wrong);
        if let Some((_, limit)) = PORCUPINE.iter().find(|(name, _)| *name == measured.name) {
            let what = format!("{}: {SECONDS}, which Porcupine takes", measured.name);
            report.bars.push(Bar { what, value: Some(seconds), limit: Limit::Below(*limit) });
        }
        table.rows.push(vec![
            measured.name,
            measured.histories.to_string(),
            measured.wrong.len().to_string(),
            number(1e3 * seconds),
            measured.slowest.0,
            number(1e3 * measured.slowest.1.as_secs_f64()),
        ]);
    }
    report.tables = vec![table];
    Ok(Finished::Measured(report))
}

fn measure(name: String, cases: &[Case], repetitions: u32) -> Measured {
    let (mut wrong, mut total, mut slowest) = (Vec::new(), Duration::ZERO, (String::new(), Duration::ZERO));
    for case in cases {
        let mut least = Duration::MAX;
        let mut verdict = None;
        for _ in 0..repetitions {
            let start = Instant::now();
            verdict = Some((case.check)());
            least = least.min(start.elapsed());
        }
        if verdict != Some(case.is_linearizable) {
            wrong.push(case.name.clone());
        }
        total += least;
        if least > slowest.1 {
            slowest = (case.name.clone(), least);
        }
    }
    Measured { name, histories: cases.len(), wrong, total, slowest }
}
