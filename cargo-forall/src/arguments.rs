//! The command line.

use crate::workspace::Which;
use clap::{Args, Parser, Subcommand};
use forall::run::IntoTime;
use std::time::Duration;

/// The whole command line.
#[derive(Debug, Parser)]
#[command(
    name = "forall",
    bin_name = "forall",
    version,
    about = "Property-based testing: run, explain and report your properties",
    after_help = HELP
)]
pub struct Arguments {
    /// The command.
    #[command(subcommand)]
    pub command: Command,
}

const HELP: &str = "\
Also installed as `cargo forall`. Properties are the functions with #[forall::test] in your tests. Common commands:

  forall list                      all properties, with their latest results
  forall run                       run all properties, on all cores
  forall report                    an HTML page with charts of the tests
  forall watch                     the same page, live while you edit
  forall explain PROPERTY          which parts of a counterexample matter
  forall review                    commit a counterexample as a regression, or delete it
  forall fuzz PROPERTY --for 1m    search for a failure, guided by coverage

`forall COMMAND --help` shows examples and exit codes: usually 0 for success, 1 if a property fails, 2 if nothing could run.";

/// The commands.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// List the workspace's properties with their location, settings and latest result
    List(crate::list::List),
    /// Run properties, several at once
    Run(crate::run::Run),
    /// Run properties and write an HTML page with charts
    Report(crate::report::Report),
    /// Run properties on every change, and show the page of `report` live in a browser
    Watch(crate::watch::Watch),
    /// Replay an input: a saved failure, or one from a report
    Replay(crate::replay::Replay),
    /// Print values that a property's generators produce
    Sample(crate::sample::Sample),
    /// Show which parts of a counterexample matter, and how it was shrunk
    Explain(crate::explain::Explain),
    /// Review saved counterexamples: commit them, insert them into the source, or delete them
    Review(crate::review::Review),
    /// Mutation testing: measure how many mutants of the code under test the properties kill
    Strength(crate::strength::Strength),
    /// Measure one property: tests per second, and where the time goes
    Bench(crate::bench::Bench),
    /// Scaffold a property for existing functions
    Write(crate::write::Write),
    /// Search for a counterexample, guided by branch coverage
    Fuzz(Fuzz),
    /// Run parallel state machines under a controlled scheduler: races replay exactly
    Race(crate::race::Race),
    /// Bundle the test binaries in a directory, to run them without a toolchain
    Archive(crate::archive::Archive),
    /// Merge, minimise, prune, rename or summarise a corpus that workers share
    Corpus {
        /// What to do.
        #[command(subcommand)]
        command: crate::corpus::command::Command,
    },
    /// Test Futhark programs: test blocks and properties, over the server protocol
    Futhark {
        /// What to do.
        #[command(subcommand)]
        command: Futhark,
    },
    /// Generate shell completions
    Completions(crate::completions::Completions),
    /// Run a cargo command with an instrumented build, as in `forall instrumented test my_property`
    #[command(after_help = INSTRUMENTED_HELP)]
    Instrumented {
        /// The command and its arguments, as cargo takes them
        #[arg(required = true, trailing_var_arg = true, allow_hyphen_values = true)]
        cargo: Vec<String>,
    },
}

/// Commands for Futhark programs.
#[derive(Debug, Subcommand)]
pub enum Futhark {
    /// Run the test blocks and the properties of programs
    Test(Box<FutharkTest>),
    /// Print generated candidates of a property
    Sample(FutharkSample),
}

/// The arguments of `futhark sample`.
#[derive(Args, Debug)]
pub struct FutharkSample {
    /// The program
    #[arg(value_name = "FILE")]
    pub program: std::path::PathBuf,
    /// The property
    pub property: String,
    /// The number of candidates
    #[arg(short = 'n', long = "num-tests", value_name = "N", default_value_t = 10)]
    pub count: u64,
    /// The largest size, unless the property has its own
    #[arg(short = 'm', long = "max-size", value_name = "N", default_value_t = 50, value_parser = clap::value_parser!(i64).range(0..))]
    pub size: i64,
    /// The seed of all candidates. Default: a new one each time
    #[arg(long, value_name = "SEED", value_parser = wrapping_seed, allow_hyphen_values = true)]
    pub seed: Option<u64>,
    /// The compiler back end
    #[arg(long, default_value = "c")]
    pub backend: String,
    /// The compiler
    #[arg(long, value_name = "COMMAND", default_value = "futhark")]
    pub futhark: String,
}

/// The arguments of `futhark test`.
#[derive(Args, Debug)]
#[command(after_help = FUTHARK_TEST_HELP)]
pub struct FutharkTest {
    /// Programs, or directories with programs
    #[arg(required_unless_present = "server", value_name = "FILE or FOLDER")]
    pub programs: Vec<std::path::PathBuf>,
    /// Test a server written in any language: all its entry points with the attribute `#[prop]`
    #[arg(long, value_name = "PROGRAM", conflicts_with = "programs")]
    pub server: Option<std::path::PathBuf>,
    /// The compiler back end
    #[arg(long, default_value = "c")]
    pub backend: String,
    /// The compiler
    #[arg(long, value_name = "COMMAND", default_value = "futhark")]
    pub futhark: String,
    /// The seed of all candidates. Default: a new one each time
    #[arg(long, value_name = "SEED", value_parser = wrapping_seed, allow_hyphen_values = true)]
    pub seed: Option<u64>,
    /// Candidates for each property. Default: 100, and up to 5,000 more for a property that passes within 250 ms
    #[arg(short = 'n', long = "num-tests", value_name = "N")]
    pub tests: Option<u64>,
    /// The largest size, unless the property has its own
    #[arg(short = 'm', long = "max-size", value_name = "N", default_value_t = 50, value_parser = clap::value_parser!(i64).range(0..))]
    pub size: i64,
    /// With --compatible: stop a shrinker after this many rejected steps in a row. Default: 5
    #[arg(long = "num-tries", value_name = "N")]
    pub tries: Option<u64>,
    /// Only this entry point: its cases, and the property of that name
    #[arg(short = 'e', long, value_name = "NAME")]
    pub entry_point: Option<String>,
    /// Skip programs and cases with this tag
    #[arg(long, value_name = "TAG")]
    pub exclude: Vec<String>,
    /// Pass this argument to the compiled programs
    #[arg(short = 'p', long = "pass-option", value_name = "WORD", allow_hyphen_values = true)]
    pub program_options: Vec<String>,
    /// Pass this argument to the compiler
    #[arg(long = "pass-compiler-option", value_name = "WORD", allow_hyphen_values = true)]
    pub compiler_options: Vec<String>,
    /// Run the compiled programs through this wrapper program
    #[arg(long, value_name = "PROGRAM")]
    pub runner: Option<String>,
    /// The number of programs to test at once. Default: the number of cores
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..))]
    pub concurrency: Option<u16>,
    /// The time limit for each program
    #[arg(long, value_name = "TIME", value_parser = time, default_value = "5m")]
    pub timeout: Duration,
    /// The time limit for each call. Default: 30s, or that of the program with --compatible
    #[arg(long, value_name = "TIME", value_parser = time)]
    pub call_timeout: Option<Duration>,
    /// Do exactly what `futhark test` does: same random numbers, shrinking and messages
    #[arg(long)]
    pub compatible: bool,
    /// The time limit for shrinking a counterexample
    #[arg(long, value_name = "TIME", value_parser = time)]
    pub shrink_time: Option<Duration>,
    /// Guide the search by coverage: the C program is compiled to report its branches and comparisons
    #[arg(long)]
    pub coverage: bool,
    /// Write every candidate and its outcome to this file, as lines of JSON
    #[arg(long, value_name = "FILE")]
    pub log_candidates: Option<std::path::PathBuf>,
    /// Print plain lines, without colours or progress
    #[arg(long, visible_alias = "notty")]
    pub no_terminal: bool,
    /// Write the results to this file, a line of JSON for each program, with the fields of `run --json`
    #[arg(long, value_name = "FILE")]
    pub json: Option<std::path::PathBuf>,
    /// Write the results to this file, as JUnit XML
    #[arg(long, value_name = "FILE")]
    pub junit: Option<std::path::PathBuf>,
}

const FUTHARK_TEST_HELP: &str = "\
Test blocks are comments that begin with `-- ==`. A property is an entry point of type `t -> bool` with the attribute
#[prop], listed in a block:

  -- ==
  -- property: reversing_twice_is_the_identity

  #[prop]
  entry reversing_twice_is_the_identity (xs: []i32) : bool = and (map2 (==) xs (reverse (reverse xs)))

Arguments of the attribute, all optional: gen(f) generates candidates from a size and a seed, shrink(f) shrinks a candidate
with a random number (and may return a status that ends shrinking), shrink(auto) shrinks by type, size(n) is the largest
size, cond(f) discards candidates for which it is false, label(f) classifies them, print(f) prints them. Without gen,
candidates are generated and shrunk by their type. A counterexample is saved beside the program, in PROGRAM_PROPERTY.counterexample.

A stateful system is tested against a model: #[prop(model(f), step_model(g), system(h), step_system(k))] on an entry point
model -> system -> bool. Commands are generated by their type, or by command(f); the report shows the shortest sequence
after which the two disagree.

Generator and shrinker combinators are in forall-futhark/futhark/lib/forall. --server tests any program that implements the
server protocol, in any language: forall-futhark/servers has one in C and one in Python.

FORALL_* environment variables have no effect.

Exit codes: 0 everything passed, 1 something failed, 2 the tests could not be run.";

const INSTRUMENTED_HELP: &str = "\
An instrumented program records which of its branches run. Tests with a coverage-guided runner need this, in `cargo test`,
in a benchmark or in your own program. The build has its own target directory.

  forall instrumented test my_property
  forall instrumented run --release --example search";

/// The arguments of `fuzz`.
#[derive(Args, Debug)]
#[command(after_help = FUZZ_HELP)]
pub struct Fuzz {
    /// The property: its name, or a unique part of it. With --for, all properties that match; without a name, all of them
    pub property: Option<String>,
    /// Stop after this time, as in 30s, 5m or 1h. By default, run until interrupted
    #[arg(long = "for", value_name = "TIME", value_parser = time)]
    pub time: Option<Duration>,
    /// How the time is split.
    #[command(flatten)]
    pub split: crate::share::Split,
    /// Stop after this number of executions
    #[arg(long, value_name = "N", value_parser = number)]
    pub execs: Option<u64>,
    /// The number of cores to search on. Default: all; 1 with --seed, --execs, --shard or --corpus
    #[arg(short, long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..), conflicts_with_all = ["corpus", "shard", "budget"])]
    pub jobs: Option<u16>,
    /// Remove inputs from the local corpus that reach nothing new after smaller ones, and exit
    #[arg(long, conflicts_with_all = ["time", "execs", "corpus", "shard", "budget"])]
    pub minimise: bool,
    /// The shard of this worker, and its corpus.
    #[command(flatten)]
    pub worker: crate::shard::Worker,
    /// The time limit for one execution; a longer one counts as a timeout
    #[arg(long, value_name = "TIME", value_parser = time, default_value = "10s")]
    pub timeout: Duration,
    /// Also instrument this dependency (`all`: every dependency; `workspace`: none). May be repeated
    #[arg(long, value_name = "CRATE", conflicts_with = "archive")]
    pub instrument: Vec<String>,
    /// Build without optimisation: slower, but keeps comparisons that the optimiser removes
    #[arg(long)]
    pub dev: bool,
    /// Which tests to build.
    #[command(flatten)]
    pub which: Which,
}

impl Fuzz {
    /// Whether a search continues past failures.
    pub fn continues_past_failures(&self) -> bool {
        self.worker.continues()
    }

    /// The number of cores. A search with a seed or a number of executions is to be repeatable, and a scheduler starts as many workers
    /// as there are cores.
    pub fn jobs(&self) -> usize {
        let Self { worker, execs, .. } = self;
        let is_one = worker.seed.is_some() || execs.is_some() || worker.shard.is_some() || worker.corpus.is_some();
        self.jobs.map_or_else(|| if is_one { 1 } else { crate::jobs::cores() }, usize::from)
    }
}

const FUZZ_HELP: &str = "\
Works with any #[forall::test], without changes. The tests are built with instrumentation in target/forall-fuzz. An input that
reaches a new branch is saved and mutated; values that the program compares with are tried as inputs.

  forall fuzz parses_what_it_prints --for 30s     search for 30 seconds
  forall fuzz parses_what_it_prints               search until Ctrl-C; the next campaign resumes from there
  forall fuzz --for 8h                            all properties, for 8 hours in total

The search observes the branches of instrumented crates: the packages of the workspace, and the dependencies in `[dependencies]` of
the tested packages, which are printed. `--instrument NAME` adds another dependency, such as a dev-dependency or a dependency of a
dependency; `--instrument NAME@VERSION` adds one of several versions. A crate that does not compile with instrumentation is left out,
with a warning. Each choice has its own build.

The search runs one process per core; they share inputs through the corpus, and all stop when one finds a counterexample. With --shard
or --corpus it runs one: start a worker per core.

Several properties share the time: most of it goes to properties that are fast and found new edges recently. The split is
printed. --share equal gives each property the same time.

The corpus is saved in .forall/corpus, beside Cargo.toml. `forall fuzz --minimise` removes inputs that are redundant in this
build, for example after a change of the program; `forall corpus minimise` does so for a shared corpus.

A counterexample is shrunk, printed and saved in .forall:
`cargo test` replays it first, without instrumentation, until the property passes. Inputs that crash the process (abort, stack
overflow, segmentation fault) or time out are saved in the same way.

With --corpus, a search continues past failures until its end, and reports all of them; --stop-at-first ends it at the first, as
without a corpus. A crash of the process ends it in any case.

The status line shows executions, executions per second, covered edges, the number of inputs in the corpus, and the time
since the last new input.

Exit codes: 0 no counterexample, 1 a counterexample was found, 2 the campaign could not run, 3 a failure could not be sent to
the corpus within ten seconds (it waits in .forall).";

impl Arguments {
    /// Parses the arguments of this process. Prints and exits for `--help` and for invalid arguments.
    pub fn of_this_process() -> Self {
        let mut arguments: Vec<_> = std::env::args_os().collect();
        // Cargo calls `cargo-forall forall …`.
        if arguments.get(1).is_some_and(|first| first == "forall") {
            arguments.remove(1);
        }
        Self::parse_from(arguments)
    }
}

/// Parses a duration, as in `30s`.
pub fn time(text: &str) -> Result<Duration, String> {
    match text.into_time()? {
        Duration::ZERO => Err("the duration is zero: write 30s, for example".to_owned()),
        time => Ok(time),
    }
}

/// Parses a positive number, as in `100_000`.
pub fn number(text: &str) -> Result<u64, String> {
    match text.replace('_', "").parse() {
        Ok(0) => Err("the number must be at least 1: write 1000, for example".to_owned()),
        Ok(number) => Ok(number),
        Err(_) => Err(format!("`{text}` is not a number: write 100000 or 100_000")),
    }
}

/// Parses a seed: decimal, or hexadecimal as in `0x1f`.
pub fn seed(text: &str) -> Result<u64, String> {
    let plain = text.replace('_', "");
    let seed = match plain.strip_prefix("0x") {
        Some(digits) => u64::from_str_radix(digits, 16),
        None => plain.parse(),
    };
    seed.map_err(|_| format!("`{text}` is not a seed: write a number, such as 7 or 0x1f"))
}

/// Parses any integer; negative and too large ones wrap around, as in `futhark test`.
fn wrapping_seed(text: &str) -> Result<u64, String> {
    let wrong = |_| format!("`{text}` is not a seed: write a whole number, such as 7 or 0x1f");
    match text.strip_prefix("0x") {
        Some(digits) => u64::from_str_radix(digits, 16).map_err(wrong),
        None => text.parse::<i128>().map(|number| number as u64).map_err(wrong),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory;

    #[test]
    fn the_command_line_is_consistent() {
        Arguments::command().debug_assert();
    }

    #[test]
    fn times_numbers_and_seeds_are_read() {
        assert_eq!(time("30s"), Ok(Duration::from_secs(30)));
        assert_eq!(time("1.5m"), Ok(Duration::from_secs(90)));
        assert_eq!(time("2d"), Ok(Duration::from_secs(172_800)));
        assert!(time("30").unwrap_err().contains("30s") && time("0s").is_err() && time("-1s").is_err());
        assert_eq!((number("100_000"), seed("0x1f")), (Ok(100_000), Ok(31)));
        assert!(number("0").is_err() && number("many").is_err() && seed("seven").is_err());
    }
}
