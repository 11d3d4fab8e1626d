//! `forall corpus minimise`.
//!
//! Failures are replayed one by one: of those with the same bug, the simplest stays. `fuzz` inputs are copied into a
//! separate store, where a campaign starts from them and removes those that reach nothing new after smaller ones. Only
//! entries that are redundant in this build are deleted.

use super::{Minimise, Skipped, existing, unreachable};
use crate::campaign::{self, Running};
use crate::corpus::exchange::{by_size, same_bug};
use crate::corpus::{Corpus, Found, fetch};
use crate::instrument::Choice;
use crate::properties::{self, Property};
use crate::screen::{Screen, one_line};
use crate::words::count;
use crate::{Error, build, scratch, trouble};
use forall::protocol::Request;
use forall::run::Case;
use forall::store::{Entry, Id, Kind, Seeds};
use std::collections::BTreeSet;
use std::ffi::OsString;
use std::fs;
use std::path::Path;
use std::process::{ExitCode, Stdio};
use std::time::Duration;

/// The time limit for one input.
const TIMEOUT: Duration = Duration::from_secs(10);

/// Why inputs cannot be minimised.
const ONE_FAILS: &str = "one of them fails or crashes; run `forall fuzz` with this corpus to see it";

/// The result for one property.
#[derive(Debug, Default)]
struct Done {
    failures: (usize, usize),
    seeds: (usize, usize),
    /// Saved failures that pass in this build.
    stale: usize,
    /// Why the inputs were not minimised.
    trouble: Option<String>,
}

/// Minimises a corpus.
pub fn minimise(arguments: &Minimise) -> Result<ExitCode, Error> {
    let corpus = existing(&arguments.corpus)?;
    let names = corpus.properties().map_err(|error| unreachable(corpus.name(), error))?;
    let built = build::tests(&arguments.which, &Choice::of_fuzz(&[]), arguments.dev)?;
    let here = properties::of(&built.binaries)?;
    let screen = Screen::of_this_process();
    let (mut unknown, mut skipped) = (Vec::new(), Skipped::default());
    for name in names.iter().filter(|name| arguments.filter.as_ref().is_none_or(|filter| name.contains(filter))) {
        let Some(property) = here.iter().find(|property| property.name == *name) else {
            unknown.push(name.as_str());
            continue;
        };
        let mut done = Done::default();
        failures(&*corpus, property, &mut done, &mut skipped)?;
        seeds(&*corpus, property, &mut done, &mut skipped)?;
        screen.print(&text(name, &done, &screen));
    }
    if !unknown.is_empty() {
        screen.print(&screen.wrap("", &not_here(&unknown)));
    }
    skipped.report();
    Ok(ExitCode::SUCCESS)
}

/// Returns the message about properties that are not in these tests.
fn not_here(names: &[&str]) -> String {
    let which = count(names.len() as u64, "property");
    let are = if names.len() == 1 {
        "is not in these tests and stays unchanged"
    } else {
        "are not in these tests and stay unchanged"
    };
    let names = one_line(&names.join(", "));
    format!(
        "{which} of the corpus {are}: {names}. If renamed, use `forall corpus rename`; if in another package, add --package"
    )
}

fn entries(corpus: &dyn Corpus, kind: Kind, property: &str, skipped: &mut Skipped) -> Result<Vec<Entry>, Error> {
    let failed = |error| unreachable(corpus.name(), error);
    let mut entries = Vec::new();
    for id in skipped.list(corpus, kind, property)? {
        if let Found::Entry(entry) = fetch(corpus, kind, property, id).map_err(failed)? {
            entries.push(*entry);
        }
    }
    Ok(entries)
}

fn delete(corpus: &dyn Corpus, kind: Kind, property: &str, id: Id) -> Result<(), Error> {
    let deleted = corpus.entries(kind).delete(property, id);
    deleted.map(drop).map_err(|error| unreachable(corpus.name(), error))
}

fn failures(corpus: &dyn Corpus, property: &Property, done: &mut Done, skipped: &mut Skipped) -> Result<(), Error> {
    let mut entries = entries(corpus, Kind::Failure, &property.name, skipped)?;
    entries.sort_by(by_size);
    done.failures = (entries.len(), entries.len());
    let mut smallest: Vec<Entry> = Vec::new();
    for entry in entries {
        // As it fails in this build: the places in entries may be those of others.
        let Some(here) = replayed(property, &entry)? else {
            done.stale += 1;
            continue;
        };
        if smallest.iter().any(|smaller| same_bug(smaller, &here)) {
            delete(corpus, Kind::Failure, &property.name, entry.id())?;
            done.failures.1 -= 1;
        } else {
            smallest.push(here);
        }
    }
    Ok(())
}

fn replayed(property: &Property, entry: &Entry) -> Result<Option<Entry>, Error> {
    let running = Running::new(&property.binary.path)?;
    campaign::replayed(property, entry, &running, TIMEOUT)
}

fn seeds(corpus: &dyn Corpus, property: &Property, done: &mut Done, skipped: &mut Skipped) -> Result<(), Error> {
    let entries = entries(corpus, Kind::Seed, &property.name, skipped)?;
    done.seeds = (entries.len(), entries.len());
    if entries.is_empty() {
        return Ok(());
    }
    let scratch = scratch::folder(property.binary.path.parent().unwrap_or(Path::new(".")), ".minimise")?;
    let left = left(property, entries.iter().map(|entry| &entry.case), &scratch);
    let _ = fs::remove_dir_all(&scratch);
    match left? {
        Ok(left) => {
            for entry in entries.iter().filter(|entry| !left.contains(&Seeds::file_name(&entry.case))) {
                delete(corpus, Kind::Seed, &property.name, entry.id())?;
                done.seeds.1 -= 1;
            }
        }
        Err(OneFails) => done.trouble = Some(ONE_FAILS.to_owned()),
    }
    Ok(())
}

/// An input fails or crashes, so that a campaign does not start.
pub(crate) struct OneFails;

/// Returns the files of the inputs that a campaign keeps when it starts from all of them. It starts in its own store, in
/// `scratch`.
pub(crate) fn left<'a>(
    property: &Property,
    inputs: impl Iterator<Item = &'a Case>,
    scratch: &Path,
) -> Result<Result<BTreeSet<OsString>, OneFails>, Error> {
    let here = Seeds::new(scratch, &property.name);
    for input in inputs {
        here.add(input).map_err(|error| error.to_string())?;
    }
    let running = Running::new(&property.binary.path)?;
    let mut command = campaign::run(property, &Request::Fuzz { property: property.name.clone() }, &running);
    command.env("FORALL_STORE", scratch).env("FORALL_TESTS", "1").env("FORALL_SEED", "1").env_remove("FORALL_MAX_TIME");
    command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    let status = command.status().map_err(|error| trouble::no_test_program(&property.binary.path, error))?;
    if !status.success() {
        return Ok(Err(OneFails));
    }
    let mut left = BTreeSet::new();
    here.newer(&mut left);
    Ok(Ok(left))
}

fn text(name: &str, done: &Done, screen: &Screen) -> String {
    let of = |(before, after): (usize, usize), what: &str| match before {
        0 => None,
        _ => Some(format!("{} of {}", after, count(before as u64, what))),
    };
    let parts: Vec<String> =
        [of(done.failures, "counterexample"), of(done.seeds, "input")].into_iter().flatten().collect();
    if parts.is_empty() {
        return String::new();
    }
    let stale = match done.stale {
        0 => String::new(),
        1 => "; 1 passes in this build".to_owned(),
        number => format!("; {number} pass in this build"),
    };
    let mut out = screen.line(name, &format!("{} left{stale}", parts.join(", ")));
    if let Some(why) = &done.trouble {
        out += &screen.wrap("    ", &format!("its inputs were not minimised: {why}"));
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_part_with_other_data_is_named_and_has_no_entries() {
        let (corpus, mut skipped) = (crate::corpus::Spoilt::new("sorts"), Skipped::default());
        let mut done = Done::default();
        failures(&corpus, &Property::example("sorts"), &mut done, &mut skipped).unwrap();
        assert!(done.failures == (0, 0) && skipped.text().contains("is skipped: key `sorts`"), "{}", skipped.text());
    }

    #[test]
    fn the_result_of_each_property_is_printed() {
        let screen = Screen::plain();
        let done = Done { failures: (3, 1), seeds: (40, 12), stale: 2, trouble: None };
        let left = Done { seeds: (7, 7), stale: 1, trouble: Some(ONE_FAILS.to_owned()), ..Done::default() };
        let told = [
            text("shop::sums", &done, &screen),
            text("shop::left", &left, &screen),
            not_here(&["shop::gone"]),
            not_here(&["shop::gone", "shop::lost\u{1b}[2J"]),
        ];
        insta::assert_snapshot!(told.join("\n"));
    }
}
