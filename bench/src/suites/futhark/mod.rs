//! Properties of programs in another process: candidates per second against a runner that does what `futhark test` does, CPU time against
//! the least that the calls need, and the verdicts of runs with an injected fault.
//!
//! Both run the same property on the same server, a twin of a recorded program, and on the program itself where the compiler is installed
//! (`FUTHARK` names it).

mod baseline;
mod floor;

use super::Suite;
use crate::process::{self, Programs};
use crate::report::{Bar, Limit, Report, Row, Table, number};
use crate::{Finished, Options};
use forall_futhark::blocks::Blocks;
use forall_futhark::client::{self, Server};
use forall_futhark::properties::{Property, Rules, Settings, attributes_in, run as run_property, validate};
use forall_futhark_tests::faults::{self, Verdict};
use std::path::{Path, PathBuf};
use std::time::Instant;

pub const SUITE: Suite = Suite {
    name: "futhark",
    about: "properties of Futhark programs: candidates per second, commands per candidate, faults of servers",
    tools: &["forall", "as_futhark_test"],
    own: &[],
    run,
};

const RATE: &str = "candidates_per_second";
const COMMANDS: &str = "commands_per_candidate";
const TIMES: &str = "times_the_baseline";
const CLIENT: &str = "client_cpu_us";
const SERVER: &str = "server_cpu_us";
const FLOOR: &str = "floor_cpu_us";
const TIMES_FLOOR: &str = "times_the_floor";
const CPU: &str = "cpu_us";
const TIMES_CPU: &str = "times_the_baseline_in_cpu";
/// Faults during properties that hold, and those of them after which the verdict was not "passed".
const FAULTS: &str = "faults";
const NOT_PASSED: &str = "faults_not_passed";
/// Faults during a property that does not hold, and those of them whose report was complete.
const REPORTS: &str = "reports";
const COMPLETE: &str = "reports_complete";

const PROGRAM: &str = "prop_pass";

/// One with a generator, one without.
const PROPERTIES: [&str; 2] = ["sorted_gen", "rev_rev"];

/// The cases for both runners.
struct Subject {
    name: &'static str,
    executable: String,
    options: client::Options,
}

fn run(options: &Options) -> Result<Finished, String> {
    let root = process::bench_directory().join("..");
    let package = "forall-futhark-tests";
    let server = Programs::build(options, "release", &[package])?.of(package).display().to_string();
    let mut subjects = vec![Subject {
        name: "twin",
        executable: server.clone(),
        options: client::Options::default().argument(PROGRAM),
    }];
    let folder = process::bench_directory().join("target/futhark");
    if let Some(executable) = compiled(&root, &folder)? {
        subjects.push(Subject { name: "compiled", executable, options: client::Options::default() });
    }
    let tests = if options.smoke { 2_000 } else { 50_000 };
    let mut report = Report::default();
    for subject in &subjects {
        for name in PROPERTIES {
            compare(&mut report, options, subject, name, &root, tests)?;
        }
    }
    let faults = if options.smoke { 40 } else { 1_000 };
    verdicts(&mut report, &server, faults)?;
    reports(&mut report, &server, faults)?;
    let mut table = Table {
        title: "Properties of Futhark programs".to_owned(),
        head: ["case", "tool", "metric", "value"].map(str::to_owned).to_vec(),
        ..Table::default()
    };
    for Row { case, tool, metric, value, .. } in &report.rows {
        table.rows.push(vec![case.clone(), tool.clone(), (*metric).to_owned(), number(*value)]);
    }
    table.notes.push(format!("{tests} candidates of each property and runner."));
    report.tables = vec![table];
    Ok(Finished::Measured(report))
}

/// The program as the compiler makes it; none if there is no compiler.
fn compiled(root: &Path, folder: &Path) -> Result<Option<String>, String> {
    let compiler = std::env::var("FUTHARK").unwrap_or_else(|_| "futhark".to_owned());
    let asked = std::process::Command::new(&compiler).arg("--version").output();
    if !asked.is_ok_and(|output| output.status.success()) {
        eprintln!("SKIPPED the compiled program: there is no compiler called {compiler}");
        return Ok(None);
    }
    std::fs::create_dir_all(folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    let executable: PathBuf = folder.join(PROGRAM);
    let mut command = std::process::Command::new(compiler);
    command.args(["c", "--server", "-o"]).arg(&executable).arg(source(root));
    process::run(&mut command)?;
    Ok(Some(executable.display().to_string()))
}

fn source(root: &Path) -> PathBuf {
    root.join(format!("tests/futhark/recordings/programs/{PROGRAM}.fut"))
}

/// Both runners on one property.
fn compare(
    report: &mut Report,
    options: &Options,
    subject: &Subject,
    name: &str,
    root: &Path,
    tests: u64,
) -> Result<(), String> {
    let case = format!("{}/{name}", subject.name);
    let start = || Server::start(&subject.executable, &subject.options);
    let text = |error: client::Error| error.to_string();
    let source = std::fs::read_to_string(source(root)).map_err(|error| error.to_string())?;
    let recording = root.join(format!("tests/futhark/recordings/traffic/{PROGRAM}.txt"));
    let recording = std::fs::read_to_string(recording).map_err(|error| error.to_string())?;
    let first = start().map_err(text)?;
    let (property, generation) = (property(&first, &source, name)?, first.generation());
    let mut settings = Settings::default();
    settings.tests = tests;
    let mut put = |tool: &str, metric, value| {
        let (case, tool) = (case.clone(), tool.to_owned());
        report.rows.push(Row { case, tool, profile: "release", metric, value });
    };
    let mut rates = [None, None];
    let mut cpu = [None, None];
    let mut bars = Vec::new();
    if options.wants("forall") {
        let begin = Instant::now();
        let passed = run_property(&start, &property, &settings).map_err(|_| format!("{case} did not pass"))?;
        let rate = passed.tests as f64 / begin.elapsed().as_secs_f64();
        rates[0] = Some(rate);
        put("forall", RATE, rate);
        put("forall", COMMANDS, passed.commands as f64 / passed.tests as f64);
        let folder = process::bench_directory().join("target/futhark");
        let arguments: &[&str] = if subject.name == "twin" { &[PROGRAM] } else { &[] };
        let cost = floor::measure(&start, &property, &settings, &subject.executable, arguments, &folder)?;
        let times = (cost.client + cost.server) / cost.floor;
        cpu[0] = Some(cost.client + cost.server);
        let metrics = [(CLIENT, cost.client), (SERVER, cost.server), (FLOOR, cost.floor), (TIMES_FLOOR, times)];
        metrics.into_iter().for_each(|(metric, value)| put("forall", metric, value));
        // A twin is optimised for other things than servers are, and few candidates say little.
        if subject.name == "compiled" && !options.smoke {
            let what = format!("{case}: {TIMES_FLOOR}");
            bars.push(Bar { what, value: Some(times), limit: Limit::AtMost(3.5) });
        }
    }
    if options.wants("as_futhark_test") {
        let mut server = client::Connection::start(&subject.executable, &subject.options).map_err(text)?;
        // A tenth will do: it is slow.
        let tests = tests / 10;
        let before = floor::used_by_all();
        let begin = Instant::now();
        let commands = baseline::run(&mut server, generation, &property, tests, &recording)?;
        let rate = tests as f64 / begin.elapsed().as_secs_f64();
        // The CPU time of the server counts when it has ended.
        drop(server);
        let used = (floor::used_by_all() - before) / tests as f64;
        cpu[1] = Some(used);
        put("as_futhark_test", CPU, used);
        rates[1] = Some(rate);
        put("as_futhark_test", RATE, rate);
        put("as_futhark_test", COMMANDS, commands as f64 / tests as f64);
    }
    if let [Some(ours), Some(baseline)] = rates {
        put("forall", TIMES, ours / baseline);
        let value = Some(ours / baseline);
        let least = if subject.name == "compiled" && !options.smoke { 60.0 } else { 5.0 };
        bars.push(Bar { what: format!("{case}: {TIMES}"), value, limit: Limit::AtLeast(least) });
    }
    if let [Some(ours), Some(baseline)] = cpu {
        put("forall", TIMES_CPU, baseline / ours);
    }
    report.bars.extend(bars);
    Ok(())
}

fn property(server: &Server, source: &str, name: &str) -> Result<Property, String> {
    let blocks = Blocks::parse(source).map_err(|error| error.to_string())?;
    let known = attributes_in(source);
    let attributes_of = |name: &str| Some(known.get(name).cloned().unwrap_or_default());
    let validated = validate(server, &blocks, Rules::Ours, &attributes_of).map_err(|error| error.to_string())?;
    validated.0.into_iter().find(|property| property.name == name).ok_or_else(|| format!("no property {name}"))
}

/// Injects faults at every kind of place into properties that hold, and counts the verdicts: none may be "passed".
fn verdicts(report: &mut Report, server: &str, all: u64) -> Result<(), String> {
    let (mut met, mut not_passed, mut number) = (0, 0, 0);
    while met < all {
        let (property, fault, at, servers, part) = faults::place(number);
        number += 1;
        match faults::verdict(server, property, fault, at, servers, part)? {
            Verdict::NoFault => continue,
            Verdict::NotPassed(_) => not_passed += 1,
            Verdict::Passed => eprintln!("{property} passed despite {fault} at answer {at} of {servers:?}"),
        }
        met += 1;
    }
    no_servers_left()?;
    count(report, [(FAULTS, all), (NOT_PASSED, not_passed)]);
    Ok(())
}

/// Injects faults into a property that does not hold, and checks its reports.
fn reports(report: &mut Report, server: &str, all: u64) -> Result<(), String> {
    let mut complete = 0;
    for fault in 0..all {
        match faults::inject(server, fault) {
            Ok(()) => complete += 1,
            Err(wrong) => eprintln!("fault {fault}: {wrong}"),
        }
    }
    no_servers_left()?;
    count(report, [(REPORTS, all), (COMPLETE, complete)]);
    Ok(())
}

fn no_servers_left() -> Result<(), String> {
    match faults::servers_left() {
        0 => Ok(()),
        left => Err(format!("{left} servers are left behind")),
    }
}

/// Reports how many of all faults ended as they should, which must be all.
fn count(report: &mut Report, [all, good]: [(&'static str, u64); 2]) {
    for (metric, value) in [all, good] {
        let (case, tool) = ("injected".to_owned(), "forall".to_owned());
        report.rows.push(Row { case, tool, profile: "release", metric, value: value as f64 });
    }
    let what = format!("injected: {}", good.0);
    report.bars.push(Bar { what, value: Some(good.1 as f64), limit: Limit::AtLeast(all.1 as f64) });
}
