//! `forall race`: parallel state machines in a build whose threads are scheduled by forall.

use crate::arguments::{number, time};
use crate::replay::{self, Replay};
use crate::run::{self, Run};
use crate::shard::Worker;
use crate::share::{Share, Split};
use crate::workspace::{More, Place, Which};
use crate::{Error, arguments};
use clap::Args;
use std::process::ExitCode;
use std::time::Duration;

/// The arguments of `race`.
#[derive(Args, Debug)]
#[command(after_help = HELP)]
pub struct Race {
    /// Only properties whose name contains this
    pub property: Option<String>,
    /// Replay this input of the property: the text from `replay:` in a report
    pub case: Option<String>,
    /// The total time for all properties, as in 30s, 5m or 1h
    #[arg(long = "for", value_name = "TIME", value_parser = time, conflicts_with = "tests")]
    pub time: Option<Duration>,
    /// The number of tests of each property, overriding its attribute
    #[arg(long, value_name = "N", value_parser = number)]
    pub tests: Option<u64>,
    /// The seed, as in 7 or 0x1f. By default, a new one for each run
    #[arg(long, value_name = "SEED", value_parser = arguments::seed)]
    pub seed: Option<u64>,
    /// Also instrument this dependency (`all`: every dependency), so that threads are preempted in its code. May be repeated
    #[arg(long, value_name = "CRATE")]
    pub instrument: Vec<String>,
    /// Include properties with `#[ignore]`. A property given by its full name always runs
    #[arg(long)]
    pub include_ignored: bool,
    /// Print the statistics of passing properties as well
    #[arg(short, long)]
    pub verbose: bool,
    /// Build in the dev profile, with debug assertions
    #[arg(long)]
    pub dev: bool,
    /// Which tests to build.
    #[command(flatten)]
    pub which: Which,
}

const HELP: &str = "\
Properties over `forall::machine::Parallel` run with one branch at a time: the scheduler decides before which load, store or
atomic operation one branch is preempted in favour of another. The schedule is part of the input, so a failure is shrunk, saved and
replayed exactly, on any machine and under any load. Real threads are left to `cargo test`.

  forall race                             all properties of the workspace; others run as usual
  forall race transfers                   those with `transfers` in their name
  forall race transfers --for 1m          for a minute
  forall race queue --instrument my-dep   preempt in the code of a dependency as well
  forall race transfers 2-ZQAAAA…         replay an input from a report

The tests are built once more, with instrumentation, in target/forall-race. Packages of the workspace are instrumented. x86-64 Linux only.

Exit codes: 0 all passed, 1 some did not pass, 2 nothing could run.";

/// Runs, or replays one input.
pub fn race(arguments: &Race) -> Result<ExitCode, Error> {
    if arguments.which.archive.is_some() {
        return Err("archives have no build for `race`: run it where the sources are, without --archive".into());
    }
    let place = Place { which: arguments.which.clone(), release: !arguments.dev, profile: None };
    let more = More::Schedule(&arguments.instrument);
    if arguments.case.is_some() {
        let replay = Replay { property: arguments.property.clone(), case: arguments.case.clone(), place };
        return replay::replay_with(&replay, more);
    }
    let run = Run {
        depth: None,
        expression: None,
        filter: arguments.property.clone(),
        time: arguments.time,
        split: Split { share: Share::Equal },
        tests: arguments.tests,
        runner: None,
        include_ignored: arguments.include_ignored,
        // One test at a time: the branches of several would share the cores.
        threads: Some(1),
        jobs: arguments.time.is_none().then_some(1),
        worker: Worker { seed: arguments.seed, ..Worker::default() },
        new_only: false,
        new_failures: None,
        observe: None,
        json: None,
        junit: None,
        verbose: arguments.verbose,
        place,
    };
    run::run_with(&run, more)
}
