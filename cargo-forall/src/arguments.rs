//! The command line.

use crate::workspace::Which;
use clap::{Args, Parser, Subcommand};
use std::time::Duration;

/// The whole command line.
#[derive(Debug, Parser)]
#[command(
    name = "forall",
    bin_name = "forall",
    version,
    about = "Property-based testing: tools around the properties that you have",
    after_help = HELP
)]
pub struct Arguments {
    /// What to do.
    #[command(subcommand)]
    pub command: Command,
}

const HELP: &str = "\
Also called `cargo forall`. The properties are the functions with #[forall::test] in your tests. A usual day:

  forall list                      which are there, and what came of them
  forall run                       test them all, on all cores
  forall report                    a page with charts of what was tested
  forall explain PROPERTY          what matters in what was found
  forall review                    keep it as a regression, or drop it
  forall fuzz PROPERTY --for 1m    search where random tests do not get

`forall COMMAND --help` has examples, and says what exit codes mean: 0 all is well, 1 a property does not pass, 2 nothing was run.";

/// What to do.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// List every property of the workspace: where it is, how it runs, what came of it
    List(crate::list::List),
    /// Run properties, each on all cores, and say what was tested
    Run(crate::run::Run),
    /// Run properties, and write what was tested as a page with charts
    Report(crate::report::Report),
    /// Run an input again: one that is kept, or one from a report
    Replay(crate::replay::Replay),
    /// Show what the generators of a property make
    Sample(crate::sample::Sample),
    /// Say what matters in a counterexample, and how it was made small
    Explain(crate::explain::Explain),
    /// Go through the counterexamples that were found: keep, write into the source, or drop
    Review(crate::review::Review),
    /// Measure one property: tests a second, and where the time goes
    Bench(crate::bench::Bench),
    /// Write a property to begin with, for functions that are there
    Write(crate::write::Write),
    /// Search for a counterexample of one property, guided by the branches that its tests take
    Fuzz(Fuzz),
    /// Build the tests into a directory that runs on machines without a toolchain
    Archive(crate::archive::Archive),
    /// Merge, minimise or describe what workers share
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
    /// Write a script with which a shell completes command lines
    Completions(crate::completions::Completions),
    /// Run a command of cargo with an instrumented build, as in `forall instrumented test my_property`
    #[command(after_help = INSTRUMENTED_HELP)]
    Instrumented {
        /// The command and its arguments, as cargo takes them
        #[arg(required = true, trailing_var_arg = true, allow_hyphen_values = true)]
        cargo: Vec<String>,
    },
}

/// Commands for people who write Futhark.
#[derive(Debug, Subcommand)]
pub enum Futhark {
    /// Run the test blocks and the properties of programs
    Test(Box<FutharkTest>),
    /// Show what the generator of a property makes
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
    /// How many candidates
    #[arg(short = 'n', long = "num-tests", value_name = "N", default_value_t = 10)]
    pub count: u64,
    /// The largest size, unless the property says another
    #[arg(short = 'm', long = "max-size", value_name = "N", default_value_t = 50, value_parser = clap::value_parser!(i64).range(0..))]
    pub size: i64,
    /// What all candidates depend on. A fresh one each time, if not given
    #[arg(long, value_name = "SEED", value_parser = wrapping_seed, allow_hyphen_values = true)]
    pub seed: Option<u64>,
    /// What programs are compiled to
    #[arg(long, default_value = "c")]
    pub backend: String,
    /// The compiler to call
    #[arg(long, value_name = "COMMAND", default_value = "futhark")]
    pub futhark: String,
}

/// The arguments of `futhark test`.
#[derive(Args, Debug)]
#[command(after_help = FUTHARK_TEST_HELP)]
pub struct FutharkTest {
    /// Programs, or folders of them
    #[arg(required_unless_present = "server", value_name = "FILE or FOLDER")]
    pub programs: Vec<std::path::PathBuf>,
    /// A program that speaks the protocol by itself, in any language: all its entry points with the attribute prop are tested
    #[arg(long, value_name = "PROGRAM", conflicts_with = "programs")]
    pub server: Option<std::path::PathBuf>,
    /// What programs are compiled to
    #[arg(long, default_value = "c")]
    pub backend: String,
    /// The compiler to call
    #[arg(long, value_name = "COMMAND", default_value = "futhark")]
    pub futhark: String,
    /// What all candidates depend on. A fresh one each time, if not given
    #[arg(long, value_name = "SEED", value_parser = wrapping_seed, allow_hyphen_values = true)]
    pub seed: Option<u64>,
    /// Candidates for each property
    #[arg(short = 'n', long = "num-tests", value_name = "N", default_value_t = 100)]
    pub tests: u64,
    /// The size that generators are given, unless the property says another
    #[arg(short = 'm', long = "max-size", value_name = "N", default_value_t = 50, value_parser = clap::value_parser!(i64).range(0..))]
    pub size: i64,
    /// With --compatible: how many steps of a shrinker in a row may lead nowhere. 5, if not given
    #[arg(long = "num-tries", value_name = "N")]
    pub tries: Option<u64>,
    /// Only this entry point: its cases, and the property of that name
    #[arg(short = 'e', long, value_name = "NAME")]
    pub entry_point: Option<String>,
    /// Leave out programs and cases with this tag
    #[arg(long, value_name = "TAG")]
    pub exclude: Vec<String>,
    /// One more word for the compiled programs
    #[arg(short = 'p', long = "pass-option", value_name = "WORD", allow_hyphen_values = true)]
    pub program_options: Vec<String>,
    /// One more word for the compiler
    #[arg(long = "pass-compiler-option", value_name = "WORD", allow_hyphen_values = true)]
    pub compiler_options: Vec<String>,
    /// What runs the compiled programs, if they do not run by themselves
    #[arg(long, value_name = "PROGRAM")]
    pub runner: Option<String>,
    /// How many programs are tested at once. As many as there are cores, if not given
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..))]
    pub concurrency: Option<u16>,
    /// The longest that one program may take, all together
    #[arg(long, value_name = "TIME", value_parser = time, default_value = "5m")]
    pub timeout: Duration,
    /// The longest that one call may take. 30s, if not given; as long as the whole program with --compatible
    #[arg(long, value_name = "TIME", value_parser = time)]
    pub call_timeout: Option<Duration>,
    /// Exactly what `futhark test` does: its random numbers, its shrinking, its words
    #[arg(long)]
    pub compatible: bool,
    /// Make a counterexample smaller for this long at most
    #[arg(long, value_name = "TIME", value_parser = time)]
    pub shrink_time: Option<Duration>,
    /// Keep and vary candidates that reach new parts of the program: it is compiled so that the C counts its branches
    #[arg(long)]
    pub coverage: bool,
    /// Write every candidate to this file, with what came of it: a line of JSON each
    #[arg(long, value_name = "FILE")]
    pub log_candidates: Option<std::path::PathBuf>,
    /// Lines without colours or a status that changes
    #[arg(long, visible_alias = "notty")]
    pub no_terminal: bool,
    /// Write the results to this file, a line of JSON for each program, with the fields that `run --json` has
    #[arg(long, value_name = "FILE")]
    pub json: Option<std::path::PathBuf>,
    /// Write the results to this file, in the form that JUnit has
    #[arg(long, value_name = "FILE")]
    pub junit: Option<std::path::PathBuf>,
}

const FUTHARK_TEST_HELP: &str = "\
Test blocks are comments that begin with `-- ==`. A property is an entry point of type `t -> bool` with the attribute
#[prop], listed in a block:

  -- ==
  -- property: reversing_twice_is_nothing

  #[prop]
  entry reversing_twice_is_nothing (xs: []i32) : bool = and (map2 (==) xs (reverse (reverse xs)))

Arguments of the attribute, all optional: gen(f) makes candidates from a size and a seed, shrink(f) makes smaller ones from
one and a random number (or says with a status when it has no more), shrink(auto) makes them smaller by their type, size(n) is
the size, cond(f) says which candidates count, label(f) of what kind one is, print(f) how it is shown. Without gen,
candidates are made by their type, and made small by it too. A counterexample is kept beside the program, in
PROGRAM_PROPERTY.counterexample.

A system with state is tested against a model of it: #[prop(model(f), step_model(g), system(h), step_system(k))] on an entry
point model -> system -> bool. Commands are made by their type, or by command(f); the shortest sequence is shown after which
the two disagree.

Generators and shrinkers to put together are in forall-futhark/futhark/lib/forall. With --server, any program that speaks
the protocol is tested, in whatever language it is written: forall-futhark/servers has one in C and one in Python.

What is not on the command line has its default: variables of the environment whose names begin with FORALL_ do not count.

Exit codes: 0 everything passed, 1 something failed, 2 the tests could not be run.";

const INSTRUMENTED_HELP: &str = "\
Programs that are built this way can see which of their branches run: a test whose runner is guided by coverage needs
that, be it in `cargo test`, in a benchmark or in a program of yours. The build has a target directory of its own.

  forall instrumented test my_property
  forall instrumented run --release --example search";

/// The arguments of `fuzz`.
#[derive(Args, Debug)]
#[command(after_help = FUZZ_HELP)]
pub struct Fuzz {
    /// The property: its name, or any part of it that fits no other. With --for, all that fit; all there are, if not given
    pub property: Option<String>,
    /// Stop after this long, as in 30s, 5m or 1h. Without a limit it runs until you stop it
    #[arg(long = "for", value_name = "TIME", value_parser = time)]
    pub time: Option<Duration>,
    /// How the time is split.
    #[command(flatten)]
    pub split: crate::share::Split,
    /// Stop after as many executions of the property
    #[arg(long, value_name = "N", value_parser = number)]
    pub execs: Option<u64>,
    /// Which worker this is, and what it shares.
    #[command(flatten)]
    pub worker: crate::shard::Worker,
    /// A single execution that takes longer is taken for one that never ends
    #[arg(long, value_name = "TIME", value_parser = time, default_value = "10s")]
    pub timeout: Duration,
    /// Build without optimisation: slower tests, but comparisons that an optimised build folds away are seen
    #[arg(long)]
    pub dev: bool,
    /// Where to look.
    #[command(flatten)]
    pub which: Which,
}

const FUZZ_HELP: &str = "\
Any #[forall::test] will do as it is: nothing needs to be changed or added. The tests are built once more, with
instrumentation, in target/forall-fuzz. A test that takes a new branch is kept and varied further; the values that the
program compares are tried as inputs.

  forall fuzz parses_what_it_prints --for 30s     search for half a minute
  forall fuzz parses_what_it_prints               search until Ctrl-C; the next campaign goes on from there
  forall fuzz --for 8h                            all properties, for a night together

Several properties share the time: it goes where the next new edge is to be expected soonest, that is to those that are fast and
have found something not long ago. How it was split is shown. --share equal gives all the same.

What was learnt is kept in .forall/corpus, beside Cargo.toml. A counterexample is made small, shown, and kept in .forall
as all counterexamples are: `cargo test` tries it first, without instrumentation, until the property holds. If a test
ends the process (abort, stack overflow, segmentation fault) or never ends, its input is kept in the same way.

The status line shows executions and how many a second, edges (places of the source that any test reached), how many
inputs the corpus has, and how long ago the last one came.

Exit codes: 0 nothing was found, 1 a counterexample was found, 2 the campaign could not be run.";

impl Arguments {
    /// The arguments of this process. Prints and exits if they make no sense, or ask for help.
    pub fn of_this_process() -> Self {
        let mut arguments: Vec<_> = std::env::args_os().collect();
        // Cargo calls `cargo-forall forall …`.
        if arguments.get(1).is_some_and(|first| first == "forall") {
            arguments.remove(1);
        }
        Self::parse_from(arguments)
    }
}

/// Reads an argument.
pub fn time(text: &str) -> Result<Duration, String> {
    let expected = || format!("`{text}` is no length of time: write 200ms, 30s, 5m or 1h");
    let unit = text.find(|c: char| c.is_ascii_alphabetic()).ok_or_else(expected)?;
    let seconds = match &text[unit..] {
        "ms" => 1e-3,
        "s" => 1.0,
        "m" | "min" => 60.0,
        "h" => 3600.0,
        _ => return Err(expected()),
    };
    let amount: f64 = text[..unit].parse().map_err(|_| expected())?;
    let time = Duration::try_from_secs_f64(amount * seconds).map_err(|_| expected())?;
    if time.is_zero() { Err("no time at all: write 30s, for example".to_owned()) } else { Ok(time) }
}

/// Reads an argument.
pub fn number(text: &str) -> Result<u64, String> {
    match text.replace('_', "").parse() {
        Ok(0) => Err("at least one is needed: write 1000, for example".to_owned()),
        Ok(number) => Ok(number),
        Err(_) => Err(format!("`{text}` is no number: write 100000 or 100_000")),
    }
}

/// Reads an argument.
pub fn seed(text: &str) -> Result<u64, String> {
    let plain = text.replace('_', "");
    let seed = match plain.strip_prefix("0x") {
        Some(digits) => u64::from_str_radix(digits, 16),
        None => plain.parse(),
    };
    seed.map_err(|_| format!("`{text}` is no seed: write a number, such as 7 or 0x1f"))
}

/// Any whole number; what is negative or too large wraps, as it does in `futhark test`.
fn wrapping_seed(text: &str) -> Result<u64, String> {
    let wrong = |_| format!("`{text}` is no seed: write a whole number, as in 7 or 0x1f");
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
        assert!(time("30").unwrap_err().contains("30s") && time("0s").is_err() && time("-1s").is_err());
        assert_eq!((number("100_000"), seed("0x1f")), (Ok(100_000), Ok(31)));
        assert!(number("0").is_err() && number("many").is_err() && seed("seven").is_err());
    }
}
