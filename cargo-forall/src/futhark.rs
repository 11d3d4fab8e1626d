//! `forall futhark`: testing Futhark programs.

use crate::Error;
use crate::arguments::{FutharkSample, FutharkTest};
use crate::progress::Bar;
use crate::screen::Screen as Terminal;
use crate::words::count;
use crate::{interrupt, junit, lines};
use forall::protocol::{Finished, Told, Verdict};
use forall_futhark::programs::{self, Options, Outcome};
use forall_futhark::properties::Passed;
use serde_json::{Value, json};
use std::io::IsTerminal;
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Mutex;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

/// Tests programs and reports the results.
pub fn test(arguments: &FutharkTest) -> Result<ExitCode, Error> {
    let mut programs = programs::find(&arguments.programs)?;
    programs.extend(arguments.server.clone());
    let options = options(arguments);
    if arguments.server.is_none() {
        programs::compiler_is_there(&options)?;
        if !arguments.compatible {
            is_tested(arguments.entry_point.as_deref(), &programs)?;
        }
    }
    if arguments.tries.is_some() && !arguments.compatible {
        print_line("warning: --num-tries has no effect without --compatible; --shrink-time limits shrinking");
    }
    // Fails before the tests run rather than after them.
    for path in arguments.json.iter().chain(&arguments.junit).chain(&arguments.log_candidates) {
        lines::begin(path)?;
    }
    let is_terminal = std::io::stdout().is_terminal() && !arguments.no_terminal;
    let screen = Screen {
        is_terminal,
        total: programs.len(),
        runs: programs::runs(&programs, &options),
        counts: Mutex::default(),
        bar: if is_terminal { Bar::new(programs.len(), "") } else { Bar::hidden() },
    };
    screen.status();
    stop_on_signal();
    let outcomes = match &arguments.server {
        Some(server) => {
            let outcome = programs::test_server(server, &options);
            screen.done(&outcome);
            vec![outcome]
        }
        None => programs::test(&programs, &options, &|outcome| screen.done(outcome)),
    };
    screen.finish();
    if !arguments.compatible {
        print_skipped(&outcomes);
    }
    // Compile errors do not depend on the seed.
    let may_depend = |outcome: &Outcome| !outcome.failed.is_empty() || !outcome.failed_cases.is_empty();
    if !arguments.compatible && outcomes.iter().any(may_depend) {
        print_line(&format!("To rerun: --seed={}", options.seed));
    }
    if let Some(file) = &arguments.json {
        lines::add_lines(file, events(&outcomes, options.seed).iter().map(Value::to_string))?;
    }
    if let Some(file) = &arguments.junit {
        let document = junit::document("futhark", &suites(&outcomes));
        std::fs::write(file, document).map_err(|error| lines::unwritable(file, error))?;
    }
    let status = exit_status(&outcomes);
    // `futhark test` exits with 0 or 1 only.
    Ok(ExitCode::from(if arguments.compatible { status.min(1) } else { status }))
}

/// 1 if something failed, 2 if nothing did but something could not be run.
fn exit_status(outcomes: &[Outcome]) -> u8 {
    let failed: Vec<&Outcome> = outcomes.iter().filter(|outcome| !outcome.failures.is_empty()).collect();
    match failed.is_empty() {
        true => 0,
        false if failed.iter().all(|outcome| outcome.could_not_run) => 2,
        false => 1,
    }
}

/// Prints lines. A closed pipe does not end the tests, and files are still written.
fn print_line(text: &str) {
    Terminal::plain().print(&format!("{text}\n"));
}

/// When this process receives a signal, stops servers and compilers, so that the threads waiting for them report their partial results.
fn stop_on_signal() {
    interrupt::notice();
    let watch = || {
        while !interrupt::came() {
            std::thread::sleep(Duration::from_millis(20));
        }
        forall_futhark::client::stop_all();
    };
    // If the thread cannot be started, runs cannot be interrupted.
    drop(std::thread::Builder::new().name("signals".into()).spawn(watch));
}

fn print_skipped(outcomes: &[Outcome]) {
    let left_out: usize = outcomes.iter().map(|outcome| outcome.skipped.len()).sum();
    if left_out > 0 {
        let were = if left_out == 1 { "was" } else { "were" };
        print_line(&format!("{} {were} skipped.", count(left_out as u64, "run")));
    }
    let stopped = outcomes.iter().filter(|outcome| outcome.was_stopped).count();
    if stopped > 0 {
        let were = if stopped == 1 { "was" } else { "were" };
        print_line(&format!("Interrupted: {} {were} not fully tested.", count(stopped as u64, "program")));
    }
}

/// Whether some program tests this entry point.
fn is_tested(entry_point: Option<&str>, programs: &[PathBuf]) -> Result<(), Error> {
    let Some(only) = entry_point else { return Ok(()) };
    let all = programs::tested_entry_points(programs);
    if all.iter().any(|name| name == only) {
        return Ok(());
    }
    Err(match all.is_empty() {
        true => {
            format!("--entry-point {only}: no test block names an entry point; list it in one, after `-- ==`").into()
        }
        false => {
            format!("--entry-point {only}: no test block names it; the entry points are {}", all.join(", ")).into()
        }
    })
}

/// Prints generated candidates of a property.
pub fn sample(arguments: &FutharkSample) -> Result<ExitCode, Error> {
    let mut options = Options::default();
    options.futhark = arguments.futhark.clone();
    options.backend = arguments.backend.clone();
    options.size = arguments.size;
    options.seed = arguments.seed.unwrap_or_else(fresh_seed);
    let (program, property) = (&arguments.program, &arguments.property);
    for candidate in programs::sample_program(program, property, arguments.count, &options)? {
        print_line(&candidate);
    }
    Ok(ExitCode::SUCCESS)
}

fn options(arguments: &FutharkTest) -> Options {
    let mut options = Options::default();
    options.futhark = arguments.futhark.clone();
    options.backend = arguments.backend.clone();
    options.compiler_options = arguments.compiler_options.clone();
    options.program_options = arguments.program_options.clone();
    options.runner = arguments.runner.clone();
    options.entry_point = arguments.entry_point.clone();
    options.exclude = arguments.exclude.clone();
    if let Some(tests) = arguments.tests {
        (options.tests, options.extra_time) = (tests, Duration::ZERO);
    }
    options.size = arguments.size;
    options.seed = arguments.seed.unwrap_or_else(fresh_seed);
    options.tries = arguments.tries.unwrap_or(options.tries);
    options.compatible = arguments.compatible;
    options.log_candidates = arguments.log_candidates.clone();
    options.shrink_time = arguments.shrink_time;
    options.coverage = arguments.coverage;
    options.timeout = arguments.timeout;
    if let Some(timeout) = arguments.call_timeout.or(arguments.compatible.then_some(arguments.timeout)) {
        options.call_timeout = timeout;
    }
    if let Some(concurrency) = arguments.concurrency {
        options.concurrency = concurrency.into();
    }
    options
}

/// A new seed each time, from the clock and the process ID.
fn fresh_seed() -> u64 {
    let now = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_nanos() as u64);
    now.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ u64::from(std::process::id())
}

#[derive(Clone, Copy, Default)]
struct Counts {
    passed: usize,
    failed: usize,
    runs_passed: usize,
    runs_failed: usize,
    runs_left_out: usize,
}

/// The progress display.
struct Screen {
    is_terminal: bool,
    total: usize,
    /// The number of runs in all programs, counted before compilation; files that are not programs are not counted.
    runs: usize,
    counts: Mutex<Counts>,
    bar: Bar,
}

impl Screen {
    fn counts(&self) -> Counts {
        *self.counts.lock().unwrap_or_else(std::sync::PoisonError::into_inner)
    }

    fn status(&self) {
        let Counts { passed, failed, runs_passed, runs_failed, runs_left_out } = self.counts();
        let line = format!("{failed} failed, {passed} passed, {} to go.", self.total - passed - failed);
        let to_go = self.runs.saturating_sub(runs_passed + runs_failed + runs_left_out);
        let runs = format!("Runs: {runs_failed} failed, {runs_passed} passed, {to_go} to go.");
        match self.is_terminal {
            true => self.bar.begin(passed + failed, &format!("{line} {runs}")),
            false => print_line(&line),
        }
    }

    fn done(&self, outcome: &Outcome) {
        let mut counts = self.counts.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        let has_failed = !outcome.failures.is_empty();
        counts.failed += usize::from(has_failed);
        counts.passed += usize::from(!has_failed && !outcome.was_stopped);
        counts.runs_passed += outcome.passed;
        counts.runs_left_out += outcome.skipped.len();
        counts.runs_failed += outcome.runs.saturating_sub(outcome.passed + outcome.skipped.len());
        let mut text = String::new();
        for warning in &outcome.warnings {
            text += &format!("warning: {warning}\n");
        }
        for skipped in &outcome.skipped {
            text += &format!("{}: skipped: {skipped}\n", outcome.program.display());
        }
        for (property, passed) in &outcome.properties {
            let name = format!("{}: {property}", outcome.program.display());
            text += &format!("{name}: {} candidates", passed.tests);
            text += &passed.statistics.iter().map(|line| format!("; {line}")).collect::<String>();
            text.push('\n');
            let all: u64 = passed.labels.iter().map(|(_, count)| count).sum();
            for (label, count) in &passed.labels {
                text += &format!("{name}: {:3}% {label}\n", 100 * count / all.max(1));
            }
        }
        if has_failed {
            let name = format!("{}:", outcome.program.display());
            let name = if self.is_terminal { format!("\x1b[1;41m{name}\x1b[0m") } else { name };
            text += &format!("{name}\n{}\n", outcome.text());
        }
        if !text.is_empty() {
            self.bar.suspend(|| print_line(text.strip_suffix('\n').unwrap_or(&text)));
        }
        drop(counts);
        if self.is_terminal {
            self.status();
        }
    }

    fn finish(&self) {
        self.bar.end();
        let counts = self.counts();
        let runs = counts.runs_passed + counts.runs_failed + counts.runs_left_out;
        match self.is_terminal {
            true => print_line(&format!(
                "{}/{} passed. Runs: {}/{runs} passed.",
                counts.passed, self.total, counts.runs_passed
            )),
            false => print_line(&format!("{}/{} passed.", counts.passed, self.total)),
        }
    }
}

/// One event per program, in the format of property runs (see `forall::observe`), with additional Futhark fields.
fn events(outcomes: &[Outcome], seed: u64) -> Vec<Value> {
    let property = |(name, passed): &(String, Passed)| {
        let labels: Vec<_> =
            passed.labels.iter().map(|(label, count)| json!({"label": label, "count": count})).collect();
        json!({"name": name, "candidates": passed.tests, "explored": passed.explored, "statistics": passed.statistics, "labels": labels})
    };
    let line = |outcome: &Outcome| {
        let program = outcome.program.display().to_string();
        let finished = Finished {
            verdict: verdict(outcome),
            valid: outcome.passed as u64,
            text: outcome.text(),
            seed: format!("{seed:#x}"),
            warnings: outcome.warnings.clone(),
            ..Finished::default()
        };
        let mut line = crate::json::value(&Told { property: program.clone(), event: finished.into() });
        line["program"] = json!(program);
        line["runs"] = json!(outcome.runs);
        line["failures"] = outcome.failures.iter().map(|text| failure(outcome, text)).collect();
        line["skipped"] = json!(outcome.skipped);
        line["excluded"] = json!(outcome.is_excluded);
        line["properties"] = outcome.properties.iter().map(property).collect();
        line
    };
    outcomes.iter().map(line).collect()
}

/// The verdict on a program. One that was interrupted before a failure has not passed.
fn verdict(outcome: &Outcome) -> Verdict {
    match outcome.failures.is_empty() {
        true if outcome.was_stopped => Verdict::Ended,
        true => Verdict::Passed,
        false if outcome.could_not_run => Verdict::Misconfigured,
        false => Verdict::Failed,
    }
}

/// The JSON of a failure; failures of properties have more fields.
fn failure(outcome: &Outcome, text: &str) -> Value {
    match outcome.failed.iter().find(|failed| failed.text == text) {
        Some(failed) => json!({
            "name": failed.property,
            "text": text,
            "property": failed.property,
            "phase": failed.phase,
            "size": failed.size,
            "seed": format!("{:#x}", failed.seed),
            "counterexample": failed.counterexample,
        }),
        None => json!({"name": name_of(outcome, text), "text": text}),
    }
}

/// The name of the failed case, the same as when it passes.
fn name_of<'a>(outcome: &'a Outcome, text: &'a str) -> &'a str {
    if let Some(failed) = outcome.failed.iter().find(|failed| failed.text == text) {
        return &failed.property;
    }
    let case = outcome.failed_cases.iter().find(|(_, failed)| failed == text);
    case.map_or("the program", |(name, _)| name)
}

/// A suite for each program: a case for each property, one per case of an entry point, and one for any other failure.
fn suites(outcomes: &[Outcome]) -> Vec<junit::Suite> {
    let suite = |outcome: &Outcome| {
        let mut cases: Vec<junit::Case> = outcome.succeeded.iter().map(|name| junit::Case::passed(name)).collect();
        cases.extend(outcome.failures.iter().map(|text| junit::Case::failed(name_of(outcome, text), text)));
        cases.extend(outcome.skipped.iter().map(|why| junit::Case::skipped(why)));
        junit::Suite { name: outcome.program.display().to_string(), cases }
    };
    outcomes.iter().map(suite).collect()
}
