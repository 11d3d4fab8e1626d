//! `forall corpus`: commands for a whole corpus.

mod merge;
pub(crate) mod minimise;
mod prune;
mod rename;
mod stats;

use super::{Access, Corpus, link};
use crate::Error;
use crate::screen::{Screen, aside};
use crate::workspace::Which;
use clap::{Args, Subcommand};
use forall::store::{Id, Kind, Mark, StoreError};
use std::collections::BTreeSet;
use std::process::ExitCode;

/// The commands.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Copy the entries of corpora into another one
    Merge(Merge),
    /// Reduce a corpus: the smallest counterexample of each bug, and the fewest `fuzz` inputs with the same coverage
    Minimise(Minimise),
    /// Delete statistics and fixed failures that are older than a limit
    Prune(Prune),
    /// Move a property's entries to its new name
    Rename(Rename),
    /// Print a corpus's contents, its workers, and which properties still make progress
    Stats(Stats),
}

/// The arguments of `corpus merge`.
#[derive(Args, Debug)]
#[command(after_help = MERGE_HELP)]
pub struct Merge {
    /// Directories, or addresses such as redis://host:6379; the last one is the destination
    #[arg(required = true, num_args = 2.., value_name = "CORPUS")]
    pub corpora: Vec<String>,
}

const MERGE_HELP: &str = "\
  forall corpus merge part-1 part-2 part-3 all                  combine the artifacts of a CI matrix
  forall corpus merge redis://host:6379 corpus                  to replay it locally: FORALL_CORPUS=$PWD/corpus cargo test

Nothing is deleted. Unreadable entries are skipped and counted, keys or folders with other data are skipped and named. Merging is
idempotent.

Exit codes: 0 everything was copied, 2 an error occurred.";

/// The arguments of `corpus minimise`.
#[derive(Args, Debug)]
#[command(after_help = MINIMISE_HELP)]
pub struct Minimise {
    /// A directory, or an address such as redis://host:6379
    pub corpus: String,
    /// Only properties whose name contains this
    pub filter: Option<String>,
    /// Build without optimisation, as for `fuzz --dev`
    #[arg(long)]
    pub dev: bool,
    /// The tests that contain the properties
    #[command(flatten)]
    pub which: Which,
}

const MINIMISE_HELP: &str = "\
Replays every entry once, in the build of `forall fuzz`. Failures that pass in this build, and entries of properties that are not
in this workspace (renamed, perhaps), stay unchanged and are counted. Workers may keep running meanwhile.

  forall corpus minimise /shared/corpus
  forall corpus minimise redis://host:6379 parser

Exit codes: 0 done, 2 an error occurred.";

/// The arguments of `corpus prune`.
#[derive(Args, Debug)]
#[command(after_help = PRUNE_HELP)]
pub struct Prune {
    /// A directory, or an address such as redis://host:6379
    pub corpus: String,
    /// The age limit, as in 30d or 12h
    #[arg(long, value_name = "TIME", value_parser = crate::arguments::time)]
    pub older: std::time::Duration,
}

const PRUNE_HELP: &str = "\
  forall corpus prune /shared/corpus --older 30d

Deletes the statistics of runs that ended before the limit, and failures that passed in the last run that replayed them, if that was
before the limit. Open failures, the first report of each, and inputs stay. Ages are by the workers' clocks; runs whose clock was never set stay.

Exit codes: 0 done, 2 an error occurred.";

/// The arguments of `corpus rename`.
#[derive(Args, Debug)]
#[command(after_help = RENAME_HELP)]
pub struct Rename {
    /// A directory, or an address such as redis://host:6379
    pub corpus: String,
    /// The full old name: see `forall corpus stats`
    pub old: String,
    /// The full new name: see `forall list`
    pub new: String,
}

const RENAME_HELP: &str = "\
  forall corpus rename /shared/corpus shop::tests::sums shop::tests::sums_of_prices

Entries are written under the new name before they are deleted under the old one, so this can be interrupted and repeated. Workers
that still use the old name may keep running; run this again to move the entries that they add.

Exit codes: 0 done, 2 an error occurred.";

/// The arguments of `corpus stats`.
#[derive(Args, Debug)]
#[command(after_help = STATS_HELP)]
pub struct Stats {
    /// A directory, or an address such as redis://host:6379
    pub corpus: String,
    /// Print one JSON object
    #[arg(long)]
    pub json: bool,
}

const STATS_HELP: &str = "\
  forall corpus stats /shared/corpus
  forall corpus stats redis://host:6379 --json

Nothing is built or run. Times come from the workers' clocks, which may disagree.

Exit codes: 0 printed, 2 the corpus could not be read.";

/// Runs a command.
pub fn corpus(command: &Command) -> Result<ExitCode, Error> {
    match command {
        Command::Merge(merge) => merge::merge(merge),
        Command::Minimise(minimise) => minimise::minimise(minimise),
        Command::Prune(prune) => prune::prune(prune),
        Command::Rename(rename) => rename::rename(rename),
        Command::Stats(stats) => stats::stats(stats),
    }
}

/// The keys or folders of corpora that have other data: a command skips and names them.
#[derive(Debug, Default)]
pub struct Skipped(BTreeSet<String>);

impl Skipped {
    /// Returns the result of a request; `None` if it is about a key or folder with other data.
    pub fn or<T>(&mut self, corpus: &dyn Corpus, result: Result<T, StoreError>) -> Result<Option<T>, Error> {
        match result {
            Ok(result) => Ok(Some(result)),
            Err(error) if link::is_of_one_place(&error) => {
                self.0.insert(link::trouble(corpus.name(), &error));
                Ok(None)
            }
            Err(error) => Err(unreachable(corpus.name(), error)),
        }
    }

    /// Returns the entries of one kind and property.
    pub fn list(&mut self, corpus: &dyn Corpus, kind: Kind, property: &str) -> Result<Vec<Id>, Error> {
        let listing = corpus.entries(kind).list(property, None);
        Ok(self.or(corpus, listing)?.unwrap_or_default().ids)
    }

    /// Returns the warnings, one per line.
    pub fn text(&self) -> String {
        self.0.iter().map(|text| format!("forall: warning: {text}\n")).collect()
    }

    /// Prints the warnings.
    fn report(&self) {
        aside(&Screen::of_this_process().shown(&self.text()));
    }
}

/// Returns an error of a corpus.
pub(super) fn unreachable(name: &str, source: forall::store::StoreError) -> Error {
    Error::Corpus { name: name.to_owned(), source }
}

/// Opens an existing corpus for reading.
pub(crate) fn to_read(address: &str) -> Result<Box<dyn super::Corpus>, Error> {
    existing_for(address, Access::Read)
}

/// Opens an existing corpus.
fn existing(address: &str) -> Result<Box<dyn super::Corpus>, Error> {
    existing_for(address, Access::Write)
}

fn existing_for(address: &str, access: Access) -> Result<Box<dyn super::Corpus>, Error> {
    if super::directory(address)?.is_some_and(|folder| matches!(Mark::of(folder), Ok(Mark::Nothing))) {
        return Err(format!(
            "{address} is not a corpus: it has no file `forall-corpus`. Name one that was used with `--corpus`"
        )
        .into());
    }
    super::open_for(address, access)
}
