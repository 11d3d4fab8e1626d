//! The program `cargo forall`, also installed as `forall`.
//!
//! Most commands build the tests of the workspace ([`workspace`]), ask the test programs which properties they have
//! ([`properties`]), and run one of them in a process that reports events ([`process`]). Each command has a file of its own,
//! with its arguments, help and output: [`list`](mod@list), [`run`], [`replay`], [`sample`], [`explain`], [`review`], [`bench`](mod@bench),
//! [`report`], [`watch`], [`strength`], [`write`](mod@write). [`screen`] adapts output to the terminal.
//!
//! `fuzz` builds with instrumentation ([`build`], [`wrapper`]) and watches a campaign ([`campaign`], [`status`]): the search itself is
//! a runner of the library.
//!
//! [`shard`] splits the work among machines, which share results through a [`corpus`]; [`share`] splits the time among properties.
//! [`mod@archive`] is for machines without a toolchain.
//!
//! [`futhark`] tests programs in another language; the work is done by `forall-futhark`.

pub mod archive;
pub mod arguments;
pub mod bench;
pub mod build;
pub mod campaign;
pub mod completions;
pub mod corpus;
pub mod discovered;
pub mod ended;
pub mod error;
pub mod explain;
pub mod filter;
#[cfg_attr(not(feature = "futhark"), path = "without_futhark.rs")]
pub mod futhark;
pub mod github;
pub mod instrument;
mod interrupt;
pub mod jobs;
pub mod json;
pub mod junit;
pub mod lines;
pub mod list;
pub mod literals;
pub mod live;
pub mod lock;
pub mod metrics;
pub mod orphans;
pub mod process;
pub mod progress;
pub mod properties;
pub mod race;
pub mod replay;
pub mod report;
pub mod results;
pub mod review;
pub mod run;
pub mod rust;
pub mod sample;
pub mod scratch;
pub mod screen;
pub mod shard;
pub mod share;
pub mod source;
pub mod statistics;
pub mod status;
pub mod strength;
pub mod trouble;
pub mod values;
pub mod watch;
pub mod words;
pub mod workspace;
pub mod wrapper;
pub mod write;
pub mod written;

use arguments::{Arguments, Command};
use std::process::ExitCode;

pub use error::Error;

/// Runs the program with the arguments of the process.
pub fn main() -> ExitCode {
    if let Some(code) = wrapper::run_if_called_by_cargo().or_else(strength::run_if_called_by_cargo) {
        return code;
    }
    let ended = match Arguments::of_this_process().command {
        Command::List(list) => list::list(&list),
        Command::Run(run) => run::run(&run),
        Command::Report(report) => report::report(&report),
        Command::Watch(watch) => watch::watch(&watch),
        Command::Replay(replay) => replay::replay(&replay),
        Command::Sample(sample) => sample::sample(&sample),
        Command::Explain(explain) => explain::explain(&explain),
        Command::Review(review) => review::review(&review),
        Command::Strength(strength) => strength::strength(&strength),
        Command::Bench(bench) => bench::bench(&bench),
        Command::Completions(completions) => completions::completions(&completions),
        Command::Write(write) => write::write(&write),
        Command::Fuzz(fuzz) => campaign::fuzz(&fuzz),
        Command::Race(race) => race::race(&race),
        Command::Archive(archive) => archive::archive(&archive),
        Command::Corpus { command } => corpus::command::corpus(&command),
        Command::Instrumented { cargo } => build::instrumented(&cargo),
        Command::Futhark { command: arguments::Futhark::Test(test) } => futhark::test(&test),
        Command::Futhark { command: arguments::Futhark::Sample(sample) } => futhark::sample(&sample),
    };
    // An interrupted command reports no error.
    if interrupt::came() {
        return interrupt::pass_on();
    }
    ended.unwrap_or_else(|why| {
        screen::Screen::of_this_process().warn(&format!("forall: {why}"));
        // 1 means that a property failed.
        ExitCode::from(2)
    })
}

/// The error of a command that needs a feature this program was built without.
fn without(what: &str, feature: &str) -> Error {
    Error::Refused(format!(
        "this program was built without {what}; reinstall it with `cargo install --path cargo-forall --features {feature}`"
    ))
}
