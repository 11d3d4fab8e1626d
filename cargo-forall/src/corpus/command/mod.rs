//! `forall corpus`: what can be done with a corpus as a whole.

mod merge;
mod minimise;
mod rename;
mod stats;

use super::Access;
use crate::Error;
use crate::workspace::Which;
use clap::{Args, Subcommand};
use forall::store::Mark;
use std::process::ExitCode;

/// What to do with a corpus.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Copy what is in some corpora into another: a set of entries, each once
    Merge(Merge),
    /// Leave of each bug the smallest counterexample, and of the inputs for `fuzz` as few as reach what all of them reach
    Minimise(Minimise),
    /// Give what is kept of a property to the name that it has now
    Rename(Rename),
    /// Say what is in a corpus, who worked for it, and what is still growing
    Stats(Stats),
}

/// The arguments of `corpus merge`.
#[derive(Args, Debug)]
#[command(after_help = MERGE_HELP)]
pub struct Merge {
    /// Directories, or addresses such as redis://host:6379; the last one is copied into
    #[arg(required = true, num_args = 2.., value_name = "CORPUS")]
    pub corpora: Vec<String>,
}

const MERGE_HELP: &str = "\
  forall corpus merge part-1 part-2 part-3 all                  what the jobs of a CI matrix left behind as artifacts
  forall corpus merge redis://host:6379 corpus                  to read it at a desk: FORALL_CORPUS=$PWD/corpus cargo test

Nothing is deleted. What makes no sense is left where it is, and counted. Merging twice is merging once.

Exit codes: 0 all was copied, 2 it was not.";

/// The arguments of `corpus minimise`.
#[derive(Args, Debug)]
#[command(after_help = MINIMISE_HELP)]
pub struct Minimise {
    /// A directory, or an address such as redis://host:6379
    pub corpus: String,
    /// Only properties with this in their name
    pub filter: Option<String>,
    /// Build without optimisation, as the campaign was built
    #[arg(long)]
    pub dev: bool,
    /// In which tests the properties are
    #[command(flatten)]
    pub which: Which,
}

const MINIMISE_HELP: &str = "\
Runs everything that is there once, in the build of `forall fuzz`. What does not fail in this build, and what belongs to properties
that are not in this workspace (they may have another name now), stays as it is, and is counted. Workers may go on meanwhile.

  forall corpus minimise /shared/corpus
  forall corpus minimise redis://host:6379 parser

Exit codes: 0 it was done, 2 it was not.";

/// The arguments of `corpus rename`.
#[derive(Args, Debug)]
#[command(after_help = RENAME_HELP)]
pub struct Rename {
    /// A directory, or an address such as redis://host:6379
    pub corpus: String,
    /// The name that the property had, whole: see `forall corpus stats`
    pub old: String,
    /// The name that it has: see `forall list`
    pub new: String,
}

const RENAME_HELP: &str = "\
  forall corpus rename /shared/corpus shop::tests::sums shop::tests::sums_of_prices

Entries are written under the new name before they are deleted under the old one, so this can be stopped and repeated. Workers that
still have the old name may go on; what they add meanwhile is given to the new one when this is run again.

Exit codes: 0 it was done, 2 it was not.";

/// The arguments of `corpus stats`.
#[derive(Args, Debug)]
#[command(after_help = STATS_HELP)]
pub struct Stats {
    /// A directory, or an address such as redis://host:6379
    pub corpus: String,
    /// Write it as JSON, one object
    #[arg(long)]
    pub json: bool,
}

const STATS_HELP: &str = "\
  forall corpus stats /shared/corpus
  forall corpus stats redis://host:6379 --json

Nothing is built or run. Times are those of the workers' clocks, which may disagree.

Exit codes: 0 it could be read, 2 it could not.";

/// Does it.
pub fn corpus(command: &Command) -> Result<ExitCode, Error> {
    match command {
        Command::Merge(merge) => merge::merge(merge),
        Command::Minimise(minimise) => minimise::minimise(minimise),
        Command::Rename(rename) => rename::rename(rename),
        Command::Stats(stats) => stats::stats(stats),
    }
}

/// What a corpus could not do, for people.
pub(super) fn unreachable(name: &str, source: forall::store::StoreError) -> Error {
    Error::Corpus { name: name.to_owned(), source }
}

/// A corpus that must be there, and nothing is written to.
pub(crate) fn to_read(address: &str) -> Result<Box<dyn super::Corpus>, Error> {
    existing_for(address, Access::Read)
}

/// A corpus that must be there.
fn existing(address: &str) -> Result<Box<dyn super::Corpus>, Error> {
    existing_for(address, Access::Write)
}

fn existing_for(address: &str, access: Access) -> Result<Box<dyn super::Corpus>, Error> {
    if super::directory(address)?.is_some_and(|folder| matches!(Mark::of(folder), Ok(Mark::Nothing))) {
        return Err(format!(
            "{address} is no corpus: it has no file `forall-corpus`. Name one that `--corpus` has filled"
        )
        .into());
    }
    super::open_for(address, access)
}
