//! `forall run`: properties one after the other, each on all cores, with a summary.

use crate::arguments::{number, seed, time};
use crate::corpus::exchange::{self, Exchange};
use crate::corpus::link::Link;
use crate::corpus::{self, told};
use crate::junit::{Case, Suite, document};
use crate::process::{Ended, Process, aloud};
use crate::progress::Bar;
use crate::properties::{self, Property};
use crate::screen::{Paint, Screen, visible};
use crate::shard::{self, Part};
use crate::workspace::{self, More, Place};
use crate::{Error, interrupt, lines, list, results, statistics, words};
use clap::Args;
use serde_json::Value;
use std::fs;
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::{Duration, Instant};

/// The arguments of `run`.
#[derive(Args, Debug)]
#[command(after_help = HELP)]
pub struct Run {
    /// Only properties with this in their name
    pub filter: Option<String>,
    /// Test for this long, all properties together, as in 30s, 5m or 1h
    #[arg(long = "for", value_name = "TIME", value_parser = time, conflicts_with = "tests")]
    pub time: Option<Duration>,
    /// Run as many tests of each property, in the place of what its attribute says
    #[arg(long, value_name = "N", value_parser = number)]
    pub tests: Option<u64>,
    /// How inputs are found, in the place of what the attribute says
    #[arg(long, value_name = "RUNNER", value_parser = RUNNERS.map(|(name, _)| name))]
    pub runner: Option<String>,
    /// Properties with `#[ignore]`, too. One that is named in full is always run
    #[arg(long)]
    pub include_ignored: bool,
    /// On how many threads each property is tested. On all cores, if not given
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..))]
    pub threads: Option<u16>,
    /// What random choices depend on, as in 7 or 0x1f. A fresh one each time, if not given
    #[arg(long, value_name = "SEED", value_parser = seed)]
    pub seed: Option<u64>,
    /// Do only the third of 64 parts of the tests: 3/64. `auto` where a scheduler says which; see below
    #[arg(long, value_name = "SHARD", value_parser = shard::wanted)]
    pub shard: Option<shard::Wanted>,
    /// Share what is found with other workers, in this directory or Redis: see below
    #[arg(long, value_name = "DIRECTORY or redis://…")]
    pub corpus: Option<String>,
    /// Write each test with its values to this folder, for Tyche: see `forall::observe`
    #[arg(long, value_name = "FOLDER")]
    pub observe: Option<PathBuf>,
    /// Write what happened to this file, a line of JSON each: see `forall::observe`
    #[arg(long, value_name = "FILE")]
    pub json: Option<PathBuf>,
    /// Write the results to this file, in the form that JUnit has
    #[arg(long, value_name = "FILE")]
    pub junit: Option<PathBuf>,
    /// Say what was tested of properties that pass, too
    #[arg(short, long)]
    pub verbose: bool,
    /// Where to look.
    #[command(flatten)]
    pub place: Place,
}

const HELP: &str = "\
Each property runs in a process of its own, one after the other, and on all cores: the result is that of one thread. What fails
is made small, shown, and kept in .forall; `cargo test` and the next run try it first.

  forall run                         all properties, as often as they say
  forall run parser --tests 100000   those with `parser` in their name, many more tests
  forall run --for 5m                all of them for five minutes together, shared evenly
  forall run sorts --seed 7          the same tests each time
  forall run --junit results.xml     for a service that reads JUnit
  forall run --for 1h --shard 3/64   the third of 64 machines: together they do the tests of one, each once

Shards need nothing but their number, and one seed for all: --seed, or what is made of the scheduler's name for the campaign
(SLURM_ARRAY_JOB_ID, GITHUB_RUN_ID, CI_PIPELINE_ID, CIRCLE_WORKFLOW_ID, BUILDKITE_BUILD_ID). `--shard auto` reads the number from
the variables of Slurm arrays, GitLab, CircleCI and Buildkite, `--shard auto/64` that of a Kubernetes Indexed Job of 64.

  forall run --for 1h --shard 3/64 --corpus /shared/corpus

What fails is in the corpus before it is made smaller. Of each bug the smallest counterexample stays; each worker tries first
what others found. With --corpus redis://host:6379 (rediss:// for TLS; the password in the address or in REDISCLI_AUTH) it is in
Redis. While the corpus cannot be reached, finds wait in .forall. At a desk, `FORALL_CORPUS=/shared/corpus cargo test`
tries what is there and writes nothing (feature `campaign` of forall).

Then: `forall explain PROPERTY` says what of a counterexample matters, `forall review` asks what to keep.

Exit codes: 0 all passed, 1 some did not pass, 2 nothing could be run: the tests do not build, no property fits, a file cannot be
written. 130 after Ctrl-C.";

/// The runners that need no other build, and the feature of forall that each is in.
const RUNNERS: [(&str, Option<&str>); 5] = [
    ("generational", None),
    ("targeted", Some("guided")),
    ("combinatorial", Some("guided")),
    ("constructors", Some("guided")),
    ("exhaustive", Some("lazy")),
];

/// What one property came to.
struct Outcome<'a> {
    property: &'a Property,
    ended: Ended,
}

impl Outcome<'_> {
    fn verdict(&self) -> &str {
        self.ended.finished().and_then(|finished| finished["verdict"].as_str()).unwrap_or("did not end")
    }

    fn passed(&self) -> bool {
        words::is_success(self.verdict()) != self.property.should_panic
    }

    fn is_bad(&self) -> bool {
        !self.passed() && !self.ended.is_left_out()
    }
}

/// Runs.
pub fn run(arguments: &Run) -> Result<ExitCode, Error> {
    let part = Part::of(arguments.shard.as_ref(), arguments.seed)?;
    eprint!("{}", part.as_ref().map_or_else(|| Part::advice(None).unwrap_or_default(), Part::text));
    let runner = RUNNERS.iter().find(|(name, _)| arguments.runner.as_deref() == Some(name));
    let mut link = arguments.corpus.as_deref().map(corpus::open).transpose()?.map(Link::new);
    let workspace = workspace::build_with(
        &arguments.place,
        runner.and_then(|(_, feature)| *feature).map_or(More::Nothing, More::Feature),
    )?;
    let known = properties::of(&workspace.binaries)?;
    let all = properties::filter(known.clone(), arguments.filter.as_deref())?;
    let screen = Screen::of_this_process();
    eprint!("{}", screen.shown(&list::namesakes(&all, &screen)));
    // Better now than after all the tests.
    for path in arguments.json.iter().chain(&arguments.junit) {
        lines::begin(path)?;
    }
    if let Some(folder) = &arguments.observe {
        fs::create_dir_all(folder).map_err(|error| lines::unwritable(folder, &error))?;
    }
    interrupt::notice();
    let began = Instant::now();
    let limit = arguments.time.map_or(String::new(), |time| format!(" of {}", words::seconds(time.as_secs_f64())));
    let bar = Bar::new(all.len(), &limit);
    let mut outcomes = Vec::new();
    for (at, property) in all.iter().enumerate() {
        bar.begin(at, &property.name);
        let mut process = Process::new(property, &workspace.target_directory, &screen)?;
        for (variable, value) in settings(arguments, part.as_ref(), property.serial, all.len()) {
            process = process.with(variable, value);
        }
        let in_full = arguments.filter.as_deref().is_some_and(|filter| property.is_called(filter));
        if arguments.include_ignored || in_full {
            process = process.even_if_ignored();
        }
        if let Some(folder) = &arguments.observe {
            let folder = std::path::absolute(folder).map_err(|error| lines::unwritable(folder, &error))?;
            process = process.with("FORALL_OBSERVE", folder);
        }
        let mut exchange = link.as_mut().map(|link| Exchange::begin(link, property, false)).transpose()?;
        if exchange.is_some() {
            // What is there is here, too.
            process = process.with("FORALL_CORPUS", "");
        }
        let ran = Instant::now();
        let ended = process.run(&mut |urgent| {
            bar.tick();
            if !urgent.is_empty() {
                bar.say(|| aloud(urgent));
            }
            if let (Some(link), Some(exchange)) = (&mut link, &mut exchange) {
                exchange.tick(link);
            }
        })?;
        // Before anything is said of it: who is told of a failure finds it in the corpus.
        if let (Some(link), Some(exchange)) = (&mut link, exchange) {
            let told = told::of_run(property, part.as_ref(), ended.finished(), ran.elapsed());
            let stale = exchange.stale(&ended);
            exchange.end(link, &told, stale, &mut |entry| {
                let process = Process::new(property, &workspace.target_directory, &screen);
                let replayed = process.map(|process| process.even_if_ignored().asking(&exchange::replay(entry)));
                let ended = replayed.and_then(|process| process.run(&mut |_| {}));
                ended.is_ok_and(|ended| ended.finished().is_some_and(|finished| finished["verdict"] == "failed"))
            });
            let said = link.take_said();
            if !said.is_empty() {
                bar.say(|| aloud(&said));
            }
        }
        let outcome = Outcome { property, ended };
        if let Some(finished) = outcome.ended.finished() {
            if let Err(why) = results::remember(property, finished) {
                bar.say(|| screen.say(&format!("forall: warning: {why}\n")));
            }
        } else if interrupt::came() {
            break;
        }
        bar.say(|| screen.say(&told(&outcome, arguments.verbose, &screen)));
        if let Some(path) = &arguments.json {
            lines::add(path, &outcome.ended.events)?;
        }
        outcomes.push(outcome);
        if interrupt::came() {
            break;
        }
    }
    bar.end();
    if let Some(link) = &mut link {
        eprint!("{}", screen.shown(&link.summary()));
    }
    screen.say(&summary(&outcomes, all.len(), began.elapsed(), &screen));
    let failed = outcomes.iter().find(|outcome| outcome.is_bad() && outcome.verdict() == "failed");
    screen.say(&failed.map_or(String::new(), |outcome| next(outcome.property, &known, &arguments.place, &screen)));
    if let Some(path) = &arguments.junit {
        fs::write(path, junit(&outcomes)).map_err(|error| lines::unwritable(path, &error))?;
    }
    if interrupt::came() {
        return Ok(interrupt::pass_on());
    }
    Ok(ExitCode::from(u8::from(outcomes.iter().any(Outcome::is_bad))))
}

/// What the arguments mean to a test program.
fn settings(arguments: &Run, part: Option<&Part>, serial: bool, properties: usize) -> Vec<(&'static str, String)> {
    let mut settings = Vec::new();
    match arguments.threads {
        Some(threads) => settings.push(("FORALL_THREADS", threads.to_string())),
        // One that must run on one thread need not say so each time.
        None if serial => {}
        None => settings.push(("FORALL_THREADS", "all".to_owned())),
    }
    if let Some(time) = arguments.time {
        let share = (time / properties.max(1) as u32).max(Duration::from_millis(1));
        settings.push(("FORALL_TIME", format!("{}ms", share.as_millis())));
        settings.push(("FORALL_TESTS", u64::MAX.to_string()));
    }
    if let Some(tests) = arguments.tests {
        settings.push(("FORALL_TESTS", tests.to_string()));
    }
    if let Some(runner) = &arguments.runner {
        settings.push(("FORALL_RUNNER", runner.clone()));
    }
    if let Some(part) = part {
        settings.push(("FORALL_SHARD", part.shard.to_string()));
    }
    if let Some(seed) = part.map(|part| part.seed).or(arguments.seed) {
        settings.push(("FORALL_SEED", seed.to_string()));
    }
    settings
}

/// What is said of a property when it is done.
fn told(outcome: &Outcome<'_>, verbose: bool, screen: &Screen) -> String {
    let Outcome { property, ended } = outcome;
    let Some(finished) = ended.finished() else {
        let why = ended.why_nothing(property);
        if ended.is_left_out() {
            let first = format!("{}  {}", screen.paint(Paint::Dim, "left out"), property.name);
            return screen.line(&first, "it is #[ignore]d: --include-ignored runs it");
        }
        let word = screen.paint(Paint::Bad, "did not end");
        return format!("{word}  {}\n{}\n", property.name, screen.wrap("    ", &why));
    };
    let started = ended.all("started").last();
    if property.should_panic {
        let (word, paint) = if outcome.passed() { ("passed", Paint::Good) } else { ("FAILED", Paint::Bad) };
        let how = if outcome.passed() {
            "it fails, as it should"
        } else {
            "it is marked #[should_panic] and does not fail: take the attribute out"
        };
        return screen.line(&format!("{}  {}", screen.paint(paint, word), property.name), how);
    }
    let mut out = String::new();
    if outcome.passed() {
        let time = words::seconds(finished["time"].as_f64().unwrap_or(0.0));
        let first = format!("{}  {}", words::verdict(outcome.verdict(), screen), property.name);
        out += &screen.line(&first, &format!("{}, {time}", words::extent(finished)));
    } else {
        // The report begins with the verdict and the name.
        out += finished["text"].as_str().unwrap_or_default();
        out.push('\n');
    }
    for warning in finished["warnings"].as_array().into_iter().flatten().filter_map(Value::as_str) {
        out += &screen.wrap("    ", &visible(&format!("warning: {warning}")));
    }
    let statistics = statistics::tables(finished, screen);
    let profiled = ended.all("profiled").last();
    if outcome.passed() && (verbose || !statistics.is_empty() || profiled.is_some_and(statistics::many_alike)) {
        out += &screen.wrap("    ", &format!("stopped because {}", words::why_stopped(started, finished)));
        out += &statistics::counts(finished, profiled, screen);
        out += &statistics;
    }
    out
}

/// The end of it all.
fn summary(outcomes: &[Outcome<'_>], all: usize, time: Duration, screen: &Screen) -> String {
    let bad: Vec<&Outcome<'_>> = outcomes.iter().filter(|outcome| outcome.is_bad()).collect();
    let passed = outcomes.iter().filter(|outcome| outcome.passed()).count();
    let mut parts =
        vec![screen.paint(if bad.is_empty() { Paint::Good } else { Paint::Bold }, &format!("{passed} passed"))];
    if !bad.is_empty() {
        parts.push(screen.paint(Paint::Bad, &format!("{} did not", bad.len())));
    }
    if all > passed + bad.len() {
        parts.push(format!("{} not run", all - passed - bad.len()));
    }
    let (what, time) = (words::count(all as u64, "property"), words::seconds(time.as_secs_f64()));
    let mut out = format!("\n{}", screen.wrap("", &format!("{what}: {} ({time})", parts.join(", "))));
    for outcome in &bad {
        // One that does not fail, and should.
        let verdict = if words::is_success(outcome.verdict()) { "failed" } else { outcome.verdict() };
        let first = format!("    {}  {}", words::verdict(verdict, screen), outcome.property.name);
        out += &screen.line(&first, &screen.paint(Paint::Dim, &outcome.property.place));
    }
    out
}

/// What to do about a property that fails, in words that mean this one of all that are `known`.
fn next(property: &Property, known: &[Property], place: &Place, screen: &Screen) -> String {
    let selection = place.which.again();
    let explain = match properties::telling(known, property, !place.which.package.is_empty()) {
        Some(telling) => format!("`forall explain {telling}{selection}` says what matters in it, "),
        None => String::new(),
    };
    screen.wrap("", &format!("next: {explain}`forall review` asks what to keep"))
}

fn junit(outcomes: &[Outcome<'_>]) -> String {
    let mut suites: Vec<Suite> = Vec::new();
    for Outcome { property, ended } in outcomes {
        let (package, name) = property.name.split_once("::").unwrap_or(("", &property.name));
        let finished = ended.finished();
        let verdict = finished.and_then(|finished| finished["verdict"].as_str()).unwrap_or_default();
        let time = finished.and_then(|finished| finished["time"].as_f64()).unwrap_or(0.0);
        let case = if ended.is_left_out() {
            Case::skipped(name)
        } else if words::is_success(verdict) != property.should_panic {
            Case::passed(name)
        } else {
            let text = finished.and_then(|finished| finished["text"].as_str()).map(str::to_owned);
            let text = text.unwrap_or_else(|| ended.why_nothing(property));
            Case::failed(name, &console::strip_ansi_codes(&text))
        };
        let case = case.taking(Duration::from_secs_f64(time.max(0.0)));
        match suites.iter_mut().find(|suite| suite.name == package) {
            Some(suite) => suite.cases.push(case),
            None => suites.push(Suite { name: package.to_owned(), cases: vec![case] }),
        }
    }
    document("forall", &suites)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn time_is_shared_and_threads_are_all_unless_said() {
        let arguments = Run {
            filter: None,
            time: Some(Duration::from_secs(60)),
            tests: None,
            runner: None,
            include_ignored: false,
            threads: None,
            seed: Some(7),
            shard: None,
            corpus: None,
            observe: None,
            json: None,
            junit: None,
            verbose: false,
            place: Place::default(),
        };
        let of_serial = settings(&arguments, None, true, 4);
        assert!(!of_serial.iter().any(|(name, _)| *name == "FORALL_THREADS"), "{of_serial:?}");
        let settings = settings(&arguments, None, false, 4);
        let value = |name: &str| settings.iter().find(|(known, _)| *known == name).map(|(_, value)| value.as_str());
        assert_eq!((value("FORALL_TIME"), value("FORALL_THREADS")), (Some("15000ms"), Some("all")));
        assert_eq!((value("FORALL_SEED"), value("FORALL_RUNNER")), (Some("7"), None));
    }
}
