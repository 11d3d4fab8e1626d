//! `forall run`: properties one after the other, each on all cores, with a summary.

mod outcome;
mod slice;

use crate::arguments::{number, time};
use crate::corpus::strangers;
use crate::progress::Bar;
use crate::properties::{self, Property};
use crate::screen::{Screen, aside};
use crate::shard::{Part, Worker, hash};
use crate::share::{self, Sharing, Split};
use crate::workspace::{self, Place};
use crate::{Error, interrupt, lines, list, results, words};
use clap::Args;
use forall::protocol::Verdict;
use outcome::{Outcome, junit, next, stopped, summary, told, was_stopped};
use slice::{Runner, Slice};
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
    /// How the time is split.
    #[command(flatten)]
    pub split: Split,
    /// Run as many tests of each property, in the place of what its attribute says
    #[arg(long, value_name = "N", value_parser = number)]
    pub tests: Option<u64>,
    /// How inputs are found, in the place of what the attribute says
    #[arg(long, value_name = "RUNNER", value_parser = RUNNERS)]
    pub runner: Option<String>,
    /// Properties with `#[ignore]`, too. One that is named in full is always run
    #[arg(long)]
    pub include_ignored: bool,
    /// On how many threads each property is tested. On all cores, if not given
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..))]
    pub threads: Option<u16>,
    /// Which worker this is, and what it shares.
    #[command(flatten)]
    pub worker: Worker,
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
  forall run --for 5m                all of them for five minutes together
  forall run sorts --seed 7          the same tests each time
  forall run --junit results.xml     for a service that reads JUnit
  forall run --for 1h --shard 3/64   the third of 64 machines: together they do the tests of one, each once

The time of --for goes where something new is to be expected soonest, as far as the tests tell (labels, tables, features): a property
that is done, or shows nothing new, leaves its time to the others. How it was split is shown. --share equal gives all the same.

Shards need nothing but their number, and one seed for all: --seed, or what is made of the scheduler's name for the campaign
(SLURM_ARRAY_JOB_ID, GITHUB_RUN_ID, CI_PIPELINE_ID, CIRCLE_WORKFLOW_ID, BUILDKITE_BUILD_ID). `--shard auto` reads the number from
the variables of Slurm arrays, GitLab, CircleCI and Buildkite, `--shard auto/64` that of a Kubernetes Indexed Job of 64.

  forall run --for 1h --shard 3/64 --corpus /shared/corpus

What fails is in the corpus before it is made smaller. Of each bug the smallest counterexample stays; each worker tries first
what others found. With --corpus redis://host:6379 (rediss:// for TLS; the password in the address or in REDISCLI_AUTH) it is in
Redis. While the corpus cannot be reached, finds wait in .forall. At a desk, `FORALL_CORPUS=/shared/corpus cargo test`
tries what is there and writes nothing.

Then: `forall explain PROPERTY` says what of a counterexample matters, `forall review` asks what to keep.

Exit codes: 0 all passed, 1 some did not pass, 2 nothing could be run: the tests do not build, no property fits, a file cannot be
written. 130 after Ctrl-C.";

/// The runners that need no special build.
const RUNNERS: [&str; 5] = ["generational", "targeted", "combinatorial", "constructors", "exhaustive"];

/// Runs.
pub fn run(arguments: &Run) -> Result<ExitCode, Error> {
    let part = arguments.worker.part()?;
    aside(&part.as_ref().map_or_else(|| Part::advice(None).unwrap_or_default(), Part::text));
    let mut link = arguments.worker.link()?;
    let workspace = workspace::build(&arguments.place)?;
    let known = properties::of(&workspace.binaries)?;
    let all = properties::filter(known.clone(), arguments.filter.as_deref())?;
    let screen = Screen::of_this_process();
    aside(&screen.shown(&list::namesakes(&all, &screen)));
    // Better now than after all the tests.
    for path in arguments.json.iter().chain(&arguments.junit) {
        lines::begin(path)?;
    }
    if let Some(folder) = &arguments.observe {
        fs::create_dir_all(folder).map_err(|error| lines::unwritable(folder, error))?;
    }
    if let Some(link) = link.as_mut().filter(|_| arguments.place.which.is_everything()) {
        strangers::tell(link, &known);
    }
    interrupt::notice();
    let began = Instant::now();
    let limit = arguments.time.map_or(String::new(), |time| format!(" of {}", words::seconds(time.as_secs_f64())));
    let bar = Bar::new(all.len(), &limit);
    let mut sharing = Sharing::new(arguments.split.share, arguments.time, all.len());
    let mut outcomes: Vec<Option<Outcome<'_>>> = all.iter().map(|_| None).collect();
    let mut runner =
        Runner { arguments, part: part.as_ref(), workspace: &workspace, screen: &screen, bar: &bar, link: &mut link };
    let rounds = sharing.rounds();
    'campaign: for round in 0..rounds {
        for (at, time) in sharing.round(round) {
            let property = &all[at];
            bar.begin(at, &property.name);
            let literals_done = outcomes[at].as_ref().is_some_and(|outcome| outcome.literals_done);
            let ran = Instant::now();
            let ended = runner.run(property, Slice { time, round, literals_done })?;
            if let Some(path) = &arguments.json {
                lines::add(path, &property.name, &ended.events)?;
            }
            if interrupt::came() && (ended.finished().is_none() || was_stopped(&ended)) {
                bar.say(|| screen.say(&stopped(property, &ended, &screen)));
                break 'campaign;
            }
            match &mut outcomes[at] {
                Some(outcome) => outcome.add(ended),
                place => *place = Some(Outcome::new(property, ended)),
            }
            let outcome = outcomes[at].as_mut().expect("it was put there");
            let (goes_on, finished) = (outcome.goes_on(time), outcome.ended.finished());
            let rate = finished
                .map_or(0.0, |finished| share::rate_of_run(finished, sharing.time(at) + ran.elapsed().as_secs_f64()));
            sharing.spent(at, ran.elapsed(), rate, goes_on);
            let remembered = match finished {
                Some(finished) => results::remember(property, &results::remembered(finished)),
                None if outcome.ended.is_left_out() => Ok(()),
                None => results::remember(property, &results::of_one_that_ended(outcome.ended.how)),
            };
            if let Err(why) = remembered {
                bar.say(|| screen.say(&format!("forall: warning: {why}\n")));
            }
            if rounds == 1 || !goes_on {
                bar.say(|| screen.say(&told(outcome, arguments.verbose, &screen)));
                outcome.is_told = true;
            }
            if interrupt::came() {
                break 'campaign;
            }
        }
    }
    let outcomes: Vec<Outcome<'_>> = outcomes.into_iter().flatten().collect();
    for outcome in outcomes.iter().filter(|outcome| !outcome.is_told) {
        bar.say(|| screen.say(&told(outcome, arguments.verbose, &screen)));
    }
    bar.end();
    if let Some(link) = &mut link {
        aside(&screen.shown(&link.summary()));
    }
    let names: Vec<&str> = all.iter().map(|property| &*property.name).collect();
    screen.say(&sharing.text(&names));
    screen.say(&summary(&outcomes, all.len(), began.elapsed(), &screen));
    let failed = outcomes.iter().find(|outcome| outcome.is_bad() && outcome.verdict() == Verdict::Failed);
    screen.say(&failed.map_or(String::new(), |outcome| next(outcome.property, &known, &arguments.place, &screen)));
    if let Some(path) = &arguments.junit {
        fs::write(path, junit(&outcomes)).map_err(|error| lines::unwritable(path, error))?;
    }
    if interrupt::came() {
        return Ok(interrupt::pass_on());
    }
    Ok(ExitCode::from(u8::from(outcomes.iter().any(Outcome::is_bad))))
}

/// What the arguments mean to a test program.
fn settings(arguments: &Run, part: Option<&Part>, property: &Property, slice: Slice) -> Vec<(&'static str, String)> {
    let mut settings = Vec::new();
    match arguments.threads.filter(|_| property.may_have_threads()) {
        Some(threads) => settings.push(("FORALL_THREADS", threads.to_string())),
        // One that must run on one thread need not say so each time.
        None if property.serial => {}
        None => settings.push(("FORALL_THREADS", "all".to_owned())),
    }
    if let Some(time) = slice.time {
        settings.push(("FORALL_TIME", format!("{}ms", time.as_millis().max(1))));
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
    if let Some(seed) = part.map(|part| part.seed).or(arguments.worker.seed) {
        // Each round has tests of its own, which are the same for all shards.
        let seed = if slice.round == 0 { seed } else { hash(&format!("{seed} {}", slice.round)) };
        settings.push(("FORALL_SEED", seed.to_string()));
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
    fn time_is_shared_and_threads_are_all_unless_said() {
        let arguments = Run {
            filter: None,
            time: Some(Duration::from_secs(60)),
            split: Split { share: share::Share::Equal },
            tests: None,
            runner: None,
            include_ignored: false,
            threads: None,
            worker: Worker { seed: Some(7), ..Worker::default() },
            observe: None,
            json: None,
            junit: None,
            verbose: false,
            place: Place::default(),
        };
        let slice = Slice { time: Some(Duration::from_secs(15)), round: 0, literals_done: false };
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
        assert_eq!((value("FORALL_TIME"), value("FORALL_THREADS")), (Some("15000ms"), Some("all")));
        assert_eq!((value("FORALL_SEED"), value("FORALL_RUNNER")), (Some("7"), None));
    }
}
