//! `forall run`: runs properties, several at once, and prints a summary. In a campaign with a time limit or a corpus they take
//! turns, each on all cores.

mod new;
mod outcome;
mod slice;

use crate::arguments::{number, time};
use crate::build::Binary;
use crate::corpus::{self, exchange, strangers};
use crate::filter::Filter;
use crate::jobs::{self, Job};
use crate::metrics::{Figures, Metrics};
use crate::process::Ended;
use crate::progress::Bar;
use crate::properties::{self, Known, Property};
use crate::results::Remembered;
use crate::screen::{Screen, aside, is_new};
use crate::shard::{Part, Time, Worker, hash};
use crate::share::{self, Sharing, Split};
use crate::workspace::{self, More, Place, Workspace};
use crate::{Error, github, interrupt, lines, list, results, words};
use clap::Args;
use forall::protocol::Verdict;
use outcome::{Outcome, annotations, failures, junit, next, rendered, stopped, summary, was_stopped};
use slice::{Runner, Slice, Watchdog, prepared};
use std::collections::BTreeMap;
use std::fs;
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::{Duration, Instant};

/// The arguments of `run`.
#[derive(Args, Debug)]
#[command(after_help = HELP)]
pub struct Run {
    /// Only properties whose name contains this
    pub filter: Option<String>,
    /// Only properties that satisfy this expression, as in 'package(shop) and not test(slow)'
    #[arg(short = 'E', long = "filter-expr", value_name = "EXPRESSION")]
    pub expression: Option<Filter>,
    /// The total time for all properties, as in 30s, 5m or 1h
    #[arg(long = "for", value_name = "TIME", value_parser = time, conflicts_with = "tests")]
    pub time: Option<Duration>,
    /// How the time is split.
    #[command(flatten)]
    pub split: Split,
    /// The number of tests of each property, overriding its attribute
    #[arg(long, value_name = "N", value_parser = number)]
    pub tests: Option<u64>,
    /// The runner, overriding the attribute: generational, targeted, combinatorial, constructors, exhaustive, or your own by its name
    #[arg(long, value_name = "RUNNER")]
    pub runner: Option<String>,
    /// If a property's tests pass, test all its inputs up to this depth. Skips properties with explicit generators
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(0..=10_000))]
    pub depth: Option<u16>,
    /// Include properties with `#[ignore]`. A property given by its full name always runs
    #[arg(long)]
    pub include_ignored: bool,
    /// The number of threads of each property. By default, the cores are divided among the properties that run at once
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..))]
    pub threads: Option<u16>,
    /// The number of properties to run at once. Default: the number of cores; 1 with --for, --corpus or --metrics
    #[arg(short, long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..), conflicts_with_all = ["time", "corpus", "metrics"])]
    pub jobs: Option<u16>,
    /// The worker's shard and corpus.
    #[command(flatten)]
    pub worker: Worker,
    /// Exit with 4 if a failure is new in the corpus, and with 0 if only known ones fail
    #[arg(long, requires = "corpus")]
    pub new_only: bool,
    /// Append a line of JSON to this file for each failure that is new in the corpus
    #[arg(long, value_name = "FILE", requires = "corpus")]
    pub new_failures: Option<PathBuf>,
    /// Write each test with its values to this folder, for Tyche: see `forall::observe`
    #[arg(long, value_name = "FOLDER")]
    pub observe: Option<PathBuf>,
    /// Write all events to this file as JSON lines: see `forall::observe`
    #[arg(long, value_name = "FILE")]
    pub json: Option<PathBuf>,
    /// Write the results to this file as JUnit XML
    #[arg(long, value_name = "FILE")]
    pub junit: Option<PathBuf>,
    /// Print the statistics of passing properties as well
    #[arg(short, long)]
    pub verbose: bool,
    /// The selection of tests.
    #[command(flatten)]
    pub place: Place,
}

const HELP: &str = "\
Runs each property in its own process, as many at once as there are cores; the result does not depend on the number of threads. A
failure is shrunk, printed and saved in .forall; `cargo test` and the next run replay it first. Results are printed in the order of
`forall list`. With --for or --corpus, properties run one after the other, each on all cores.

  forall run                         all properties, with their own numbers of tests
  forall run parser --tests 100000   properties with `parser` in their name, 100,000 tests each
  forall run --for 5m                all properties, for five minutes in total
  forall run sorts --seed 7          the same tests each time
  forall run tree --depth 4          the usual tests, then all inputs up to depth 4
  forall run -E 'package(shop) and not test(slow)'
  forall run --junit results.xml     for a CI service that reads JUnit
  forall run --for 1h --shard 3/64   the third of 64 parts of the tests, for one of 64 machines

Most of the time of --for goes to the properties with the highest expected rate of new behaviours (labels, tables, features): a
property that is finished, or shows nothing new, leaves its time to the others. The split is printed. --share equal splits it evenly.

Shards need only their number and a common seed: --seed, or a hash of the scheduler's id of the campaign
(SLURM_ARRAY_JOB_ID, GITHUB_RUN_ID, CI_PIPELINE_ID, CIRCLE_WORKFLOW_ID, BUILDKITE_BUILD_ID). `--shard auto` reads the number from
the variables of Slurm arrays, GitLab, CircleCI and Buildkite, `--shard auto/64` that of a Kubernetes Indexed Job of 64.

  forall run --for 1h --shard 3/64 --corpus /shared/corpus

A failure is in the corpus before it is shrunk. The smallest counterexample of each bug stays, and each worker first replays the
failures of the others; then it continues past them and searches for other ones, unless --stop-at-first is set. A worker that is
started again with --for continues where its shard ended. The corpus may be in Redis: --corpus redis://host:6379 (rediss:// for TLS;
the password in the address or in REDISCLI_AUTH), or in an object store: --corpus s3://bucket/prefix (with the variables of Amazon's
tools). While it is unreachable, failures wait in .forall.
`FORALL_CORPUS=/shared/corpus cargo test` replays the corpus locally and writes nothing to it.

Next: `forall explain PROPERTY` shows which parts of a counterexample matter, `forall review` commits or deletes it.

Exit codes: 0 all passed, 1 some did not pass, 2 nothing could run (the tests do not build, no property matches, a file cannot be
written), 3 a failure could not be sent to the corpus within ten seconds (it waits in .forall), 4 with --new-only a failure is new,
130 after Ctrl-C.";

/// The built-in runners that need no special build.
const RUNNERS: [&str; 5] = ["generational", "targeted", "combinatorial", "constructors", "exhaustive"];

/// Fails if none of the test programs has the requested runner.
fn check_runner(runner: &str, binaries: &[Binary]) -> Result<(), Error> {
    match RUNNERS.contains(&runner) {
        true => Ok(()),
        false => check_registered(runner, &properties::runners(binaries)?),
    }
}

/// Fails if a runner that is not built in is not registered either.
fn check_registered(runner: &str, registered: &[String]) -> Result<(), Error> {
    if registered.iter().any(|name| name == runner) {
        return Ok(());
    }
    if runner == "coverage" {
        return Err("the runner `coverage` needs an instrumented build: run `cargo forall fuzz` instead".into());
    }
    let own = match registered {
        [] => "the test programs have no function with #[forall::runner]".to_owned(),
        names => format!("the test programs have {} with #[forall::runner]", names.join(", ")),
    };
    let built_in = RUNNERS.join(", ");
    Err(Error::Selection(format!("unknown runner `{runner}`; the built-in runners are {built_in}; {own}")))
}

impl Run {
    /// The number of properties at once.
    fn jobs(&self) -> usize {
        let by_cores = || jobs::cores() / usize::from(self.threads.unwrap_or(1));
        self.jobs.map_or_else(by_cores, usize::from).max(1)
    }

    /// Whether a run of this property continues past failures.
    fn continues_past_failures(&self, property: &Property) -> bool {
        self.worker.continues() && !property.should_panic
    }
}

/// Runs the properties.
pub fn run(arguments: &Run) -> Result<ExitCode, Error> {
    run_with(arguments, More::Nothing)
}

/// The same in a build that has something more.
pub fn run_with(arguments: &Run, more: More<'_>) -> Result<ExitCode, Error> {
    let part = arguments.worker.part()?;
    aside(&part.as_ref().map_or_else(|| Part::advice(None).unwrap_or_default(), Part::text));
    let mut link = arguments.worker.link()?;
    let workspace = workspace::build_with(&arguments.place, more)?;
    if let Some(runner) = &arguments.runner {
        check_runner(runner, &workspace.binaries)?;
    }
    let Known { properties: known, unknown } = properties::known(&workspace.binaries, arguments.include_ignored)?;
    for text in &unknown {
        aside(text);
    }
    // A property that cannot run must not seem to pass.
    let is_partial = workspace.is_partial || !unknown.is_empty();
    let all = properties::satisfying(known.clone(), arguments.expression.as_ref())?;
    let all = properties::filter(all, arguments.filter.as_deref())?;
    let screen = Screen::of_this_process();
    aside(&screen.shown(&list::namesakes(&all, &screen)));
    // Fails before the tests run rather than after them.
    for path in arguments.json.iter().chain(&arguments.junit) {
        lines::begin(path)?;
    }
    if let Some(path) = &arguments.new_failures {
        new::write(path, &[])?;
    }
    if let Some(folder) = &arguments.observe {
        fs::create_dir_all(folder).map_err(|error| lines::unwritable(folder, error))?;
    }
    if let Some(link) = &mut link {
        exchange::send_waiting(link, &workspace.binaries);
        if arguments.place.which.is_everything() {
            strangers::report(link, &known);
        }
    }
    let quiet = github::Quiet::begin().map(|(quiet, text)| {
        crate::screen::print(&text);
        quiet
    });
    interrupt::notice();
    let (time, mut budget) = match arguments.worker.time(arguments.time, part.as_ref(), link.as_mut())? {
        Time::Limit(time, budget) => (time, budget),
        Time::Spent(text) => {
            aside(&text);
            // An earlier worker of this machine may have left something.
            let all_sent = link.as_mut().is_none_or(exchange::leave);
            return Ok(ExitCode::from(if all_sent { 0 } else { corpus::UNSENT }));
        }
    };
    let mut metrics = Metrics::begin(arguments.worker.metrics.as_ref(), part.as_ref())?;
    let began = Instant::now();
    let limit = time.map_or(String::new(), |time| format!(" of {}", words::seconds(time.as_secs_f64())));
    let bar = Bar::new(all.len(), &limit);
    let mut sharing = Sharing::new(arguments.split.share, time, all.len());
    let mut outcomes: Vec<Option<Outcome<'_>>> = all.iter().map(|_| None).collect();
    let mut new = Vec::new();
    // Metrics are those of one property after the other.
    if time.is_none() && link.is_none() && metrics.is_none() {
        let bar = bar.with_lanes(arguments.jobs());
        at_once(arguments, part.as_ref(), (&workspace, &screen), &bar, &all, &mut outcomes)?;
        bar.end();
    } else {
        let mut runner = Runner {
            arguments,
            part: part.as_ref(),
            workspace: &workspace,
            screen: &screen,
            bar: &bar,
            link: &mut link,
            budget: &mut budget,
            new: Vec::new(),
            metrics: &mut metrics,
        };
        in_turn(&mut runner, &mut sharing, &all, &mut outcomes)?;
        new = runner.new;
        for outcome in outcomes.iter().flatten().filter(|outcome| !outcome.is_told) {
            bar.suspend(|| screen.print(&rendered(outcome, arguments.verbose, &screen)));
        }
        bar.end();
    }
    let outcomes: Vec<Outcome<'_>> = outcomes.into_iter().flatten().collect();
    if let Some(path) = &arguments.new_failures {
        new::write(path, &new)?;
    }
    let all_sent = link.as_mut().is_none_or(exchange::leave);
    if let Some(metrics) = &mut metrics {
        metrics.update(link.as_ref());
    }
    let names: Vec<&str> = all.iter().map(|property| &*property.name).collect();
    screen.print(&sharing.text(&names));
    let took = began.elapsed();
    screen.print(&failures(&outcomes, &screen));
    let failed = outcomes.iter().find(|outcome| outcome.is_bad() && outcome.verdict() == Verdict::Failed);
    screen.print(&failed.map_or(String::new(), |outcome| next(outcome, &known, &arguments.place, &screen)));
    screen.print(&summary(&outcomes, all.len(), took, &screen));
    if let Some(quiet) = quiet {
        crate::screen::print(&quiet.end(&annotations(&outcomes, &workspace.root)));
    }
    if let Some(path) = &arguments.junit {
        fs::write(path, junit(&outcomes)).map_err(|error| lines::unwritable(path, error))?;
    }
    if interrupt::came() {
        return Ok(interrupt::pass_on());
    }
    if !all_sent {
        return Ok(ExitCode::from(corpus::UNSENT));
    }
    if arguments.new_only {
        // Known failures are the business of others. A property that could not run is not.
        let is_other = |outcome: &Outcome<'_>| outcome.is_bad() && outcome.verdict() != Verdict::Failed;
        let code = u8::from(is_partial || outcomes.iter().any(is_other));
        return Ok(ExitCode::from(if new.is_empty() { code } else { new::FOUND }));
    }
    Ok(ExitCode::from(u8::from(is_partial || outcomes.iter().any(Outcome::is_bad))))
}

/// Runs the properties, several at once. Results are printed in the order of the properties.
fn at_once<'a>(
    arguments: &Run,
    part: Option<&Part>,
    (workspace, screen): (&Workspace, &Screen),
    bar: &Bar,
    all: &'a [Property],
    outcomes: &mut [Option<Outcome<'a>>],
) -> Result<(), Error> {
    let (mut waiting, mut next, mut trouble) = (BTreeMap::new(), 0, None);
    let work = |job: Job| {
        let property = &all[job.item];
        bar.begin_in(job.lane, &property.name);
        let slice = Slice { time: None, round: 0, literals_done: false, cores: Some(job.cores) };
        let mut watchdog = Watchdog::new(property, bar, None);
        let process = prepared(arguments, part, (workspace, screen), property, slice);
        let ended = process.and_then(|process| process.run(&mut |urgent| watchdog.tick(urgent)));
        let outcome = ended.map(|ended| Outcome::new(property, ended));
        bar.end_in(job.lane, outcome.as_ref().is_ok_and(Outcome::is_bad));
        outcome
    };
    jobs::each(all.len(), arguments.jobs(), work, |item, outcome| {
        let outcome = match outcome {
            Ok(outcome) => outcome,
            Err(why) => {
                trouble.get_or_insert(why);
                return false;
            }
        };
        // After Ctrl-C, a run without a result does not replace an earlier one.
        if !(interrupt::came() && is_unfinished(&outcome.ended)) {
            remember(&outcome, bar, screen);
        }
        waiting.insert(item, outcome);
        // Properties that were skipped after Ctrl-C have no result to wait for.
        while let Some(outcome) = waiting.remove(&next) {
            match told(arguments, outcome, bar, screen) {
                Ok(outcome) => outcomes[next] = outcome,
                Err(why) => {
                    trouble.get_or_insert(why);
                }
            }
            next += 1;
        }
        trouble.is_none() && !interrupt::came()
    });
    for (item, outcome) in waiting {
        outcomes[item] = told(arguments, outcome, bar, screen)?;
    }
    trouble.map_or(Ok(()), Err)
}

/// Whether a run was stopped before it had a result.
fn is_unfinished(ended: &Ended) -> bool {
    ended.finished().is_none() || was_stopped(ended)
}

/// Writes and prints the result of a property; `None` if the run was stopped.
fn told<'a>(
    arguments: &Run,
    mut outcome: Outcome<'a>,
    bar: &Bar,
    screen: &Screen,
) -> Result<Option<Outcome<'a>>, Error> {
    let Outcome { property, ended, .. } = &outcome;
    if let Some(path) = &arguments.json {
        lines::add(path, &property.name, &ended.events)?;
    }
    if interrupt::came() && is_unfinished(ended) {
        bar.suspend(|| screen.print(&stopped(property, ended, screen)));
        return Ok(None);
    }
    bar.suspend(|| screen.print(&rendered(&outcome, arguments.verbose, screen)));
    outcome.is_told = true;
    Ok(Some(outcome))
}

/// Records the result of a property for `list` and `report`.
fn remember(outcome: &Outcome<'_>, bar: &Bar, screen: &Screen) {
    let Outcome { property, ended, .. } = outcome;
    let remembered = match ended.finished() {
        Some(finished) => {
            let shrunk = results::how_shrunk(ended);
            results::remember(property, &Remembered { shrunk, ..results::remembered(finished) })
        }
        None if ended.is_left_out() => Ok(()),
        None => results::remember(property, &results::of_one_that_ended(ended.how)),
    };
    if let Err(why) = remembered
        && is_new(&why.to_string())
    {
        bar.suspend(|| screen.print(&format!("forall: warning: {why}\n")));
    }
}

/// A campaign: the properties take turns, in rounds.
fn in_turn<'a>(
    runner: &mut Runner<'_>,
    sharing: &mut Sharing,
    all: &'a [Property],
    outcomes: &mut [Option<Outcome<'a>>],
) -> Result<(), Error> {
    let Runner { arguments, screen, bar, .. } = *runner;
    let rounds = sharing.rounds();
    for round in 0..rounds {
        for (at, time) in sharing.round(round) {
            let property = &all[at];
            bar.begin(at, &property.name);
            let literals_done = outcomes[at].as_ref().is_some_and(|outcome| outcome.literals_done);
            let ran = Instant::now();
            let ended = runner.run(property, Slice { time, round, literals_done, cores: None })?;
            if let Some(path) = &arguments.json {
                lines::add(path, &property.name, &ended.events)?;
            }
            if interrupt::came() && is_unfinished(&ended) {
                bar.suspend(|| screen.print(&stopped(property, &ended, screen)));
                return Ok(());
            }
            match &mut outcomes[at] {
                Some(outcome) => outcome.add(ended),
                place => *place = Some(Outcome::new(property, ended)),
            }
            let outcome = outcomes[at].as_mut().expect("it was put there");
            let (goes_on, finished) =
                (outcome.goes_on(time, arguments.continues_past_failures(property)), outcome.ended.finished());
            let rate = finished
                .map_or(0.0, |finished| share::rate_of_run(finished, sharing.time(at) + ran.elapsed().as_secs_f64()));
            sharing.spent(at, ran.elapsed(), rate, goes_on);
            let figures = Figures {
                tests: outcome.tests(),
                seconds: sharing.time(at),
                fails: outcome.is_bad(),
                rate,
                edges: None,
            };
            runner.publish(&property.name, figures);
            remember(outcome, bar, screen);
            if rounds == 1 || !goes_on {
                bar.suspend(|| screen.print(&rendered(outcome, arguments.verbose, screen)));
                outcome.is_told = true;
            }
            if interrupt::came() {
                return Ok(());
            }
        }
    }
    Ok(())
}

/// The seed of a round: each has different tests, which are the same for all shards.
fn seed_of_round(seed: u64, round: usize) -> u64 {
    if round == 0 { seed } else { hash(&format!("{seed} {round}")) }
}

/// The settings of a test program, by the names of their variables.
fn settings(arguments: &Run, part: Option<&Part>, property: &Property, slice: Slice) -> Vec<(&'static str, String)> {
    let mut settings = Vec::new();
    match arguments.threads.filter(|_| property.may_have_threads()) {
        Some(threads) => settings.push(("FORALL_THREADS", threads.to_string())),
        // A serial property would warn each time.
        None if property.serial => {}
        None => {
            let threads = slice.cores.filter(|&cores| cores < jobs::cores());
            settings.push(("FORALL_THREADS", threads.map_or("all".to_owned(), |threads| threads.to_string())));
        }
    }
    if let Some(time) = slice.time {
        settings.push(("FORALL_MAX_TIME", format!("{}ms", time.as_millis().max(1))));
        settings.push(("FORALL_TESTS", u64::MAX.to_string()));
    }
    if let Some(tests) = arguments.tests {
        settings.push(("FORALL_TESTS", tests.to_string()));
    }
    if let Some(runner) = &arguments.runner {
        settings.push(("FORALL_RUNNER", runner.clone()));
    }
    if let Some(depth) = arguments.depth {
        settings.push(("FORALL_DEPTH", depth.to_string()));
    }
    if let Some(part) = part {
        settings.push(("FORALL_SHARD", part.shard.to_string()));
    }
    if let Some(seed) = part.map(|part| part.seed).or(arguments.worker.seed) {
        settings.push(("FORALL_SEED", seed_of_round(seed, slice.round).to_string()));
    }
    if slice.literals_done {
        settings.push((crate::literals::VARIABLE, "off".to_owned()));
    }
    settings
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_unknown_runner_lists_the_available_ones() {
        assert!(check_registered("mine", &["mine".to_owned()]).is_ok());
        let own = ["downwards".to_owned(), "pareto".to_owned()];
        let said = [check_registered("mine", &[]), check_registered("mine", &own), check_registered("coverage", &own)];
        insta::assert_snapshot!(said.map(|said| said.unwrap_err().to_string()).join("\n"));
    }

    #[test]
    fn arguments_become_settings_and_threads_default_to_all() {
        let arguments = Run {
            filter: None,
            expression: None,
            time: Some(Duration::from_secs(60)),
            split: Split { share: share::Share::Equal },
            tests: None,
            runner: None,
            depth: Some(3),
            include_ignored: false,
            threads: None,
            jobs: None,
            worker: Worker { seed: Some(7), ..Worker::default() },
            new_only: false,
            new_failures: None,
            observe: None,
            json: None,
            junit: None,
            verbose: false,
            place: Place::default(),
        };
        let slice = Slice { time: Some(Duration::from_secs(15)), round: 0, literals_done: false, cores: None };
        let function = Property::example("shop::sums");
        let threads = |arguments: &Run, property: &Property| {
            settings(arguments, None, property, slice).iter().any(|(name, _)| *name == "FORALL_THREADS")
        };
        let serial = Property { serial: true, ..function.clone() };
        let value = Property { value_of: Some("sums".to_owned()), ..serial.clone() };
        assert!(!threads(&arguments, &serial) && !threads(&arguments, &value));
        let with_threads = Run { threads: Some(2), ..arguments };
        assert!(threads(&with_threads, &serial) && !threads(&with_threads, &value), "a value cannot, a function may");
        let arguments = Run { threads: None, ..with_threads };
        let later = settings(&arguments, None, &function, Slice { round: 1, literals_done: true, ..slice });
        let settings = settings(&arguments, None, &function, slice);
        assert!(later.contains(&("FORALL_LITERALS", "off".to_owned())));
        assert!(later.iter().all(|(name, value)| *name != "FORALL_SEED" || value != "7"), "another round, other tests");
        let value = |name: &str| settings.iter().find(|(known, _)| *known == name).map(|(_, value)| value.as_str());
        assert_eq!((value("FORALL_MAX_TIME"), value("FORALL_THREADS")), (Some("15000ms"), Some("all")));
        assert_eq!((value("FORALL_SEED"), value("FORALL_RUNNER")), (Some("7"), None));
        assert_eq!(value("FORALL_DEPTH"), Some("3"));
    }
}
