//! `forall corpus prune`: deletes old statistics of workers, and failures that were fixed long ago.

use super::{Prune, Skipped, existing, unreachable};
use crate::corpus::known::{Known, now, read};
use crate::corpus::records::{self, State};
use crate::corpus::told::Line;
use crate::corpus::{Corpus, Found, fetch};
use crate::words::count;
use crate::{Error, screen::Screen};
use forall::store::{Entry, Kind};
use std::process::ExitCode;

/// Deletes old entries of a corpus.
pub fn prune(arguments: &Prune) -> Result<ExitCode, Error> {
    let corpus = existing(&arguments.corpus)?;
    let mut skipped = Skipped::default();
    let (told, fixed) = prune_before(&*corpus, now() - arguments.older.as_secs_f64(), &mut skipped)?;
    let screen = Screen::of_this_process();
    let text = format!("deleted {} and {}", count(told, "run"), count(fixed, "fixed failure"));
    screen.print(&screen.wrap("", &text));
    skipped.report();
    Ok(ExitCode::SUCCESS)
}

/// Deletes old entries, except the first report of each open failure. Returns the number of deleted statistics and of
/// deleted fixed failures.
fn prune_before(corpus: &dyn Corpus, limit: f64, skipped: &mut Skipped) -> Result<(u64, u64), Error> {
    let failed = |error| unreachable(corpus.name(), error);
    let (mut lines, mut failures) = (0, 0);
    for known in read(corpus)? {
        for entry in known.failures.iter().filter(|entry| was_fixed_before(&known, entry, limit)) {
            let deleted = corpus.entries(Kind::Failure).delete(&known.property, entry.id()).map_err(failed)?;
            failures += u64::from(deleted);
        }
        let open: Vec<records::Record> =
            records::records(&known).into_iter().filter(|record| record.state != State::Fixed).collect();
        let statistics = corpus.entries(Kind::Statistics);
        for id in skipped.list(corpus, Kind::Statistics, &known.property)? {
            let Found::Entry(entry) = fetch(corpus, Kind::Statistics, &known.property, id).map_err(failed)? else {
                continue;
            };
            // A run whose clock was never set has no age.
            let Some(line) = Line::of(&entry.message) else { continue };
            let Some(ended) = records::ended(&line, now()) else { continue };
            // The commit, the worker and the time that found an open bug are known only from this line.
            let is_first = open.iter().any(|record| record.first == records::seen(&line, ended));
            if ended < limit && !is_first {
                lines += u64::from(statistics.delete(&known.property, id).map_err(failed)?);
            }
        }
    }
    Ok((lines, failures))
}

/// Returns whether the failure was fixed before the limit, according to the records.
fn was_fixed_before(known: &Known, entry: &Entry, limit: f64) -> bool {
    let records = records::records(known);
    let was_fixed = |record: &&records::Record| {
        record.state == State::Fixed && record.fixed.as_ref().is_some_and(|fixed| fixed.at < limit)
    };
    // If it may be one of several, all of them.
    let fitting = records::of_entry(&records, entry);
    !fitting.is_empty() && fitting.iter().all(was_fixed)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::corpus::told::Sighting;
    use forall::protocol::Encode as _;
    use forall::run::Case;

    #[test]
    fn old_statistics_and_failures_that_were_fixed_long_ago_are_deleted() {
        let root = std::env::temp_dir().join(format!("forall-prune-{}", std::process::id()));
        let _ = std::fs::remove_dir_all(&root);
        let corpus = crate::corpus::open(root.to_str().unwrap()).unwrap();
        let day = 86_400.0;
        let tell = |days: f64, fails: bool, message: &str| {
            let sighting = Sighting { message: message.to_owned(), fails, ..Sighting::default() };
            let line = Line { began: now() - days * day, failures: Some(vec![sighting]), ..Line::default() };
            corpus.entries(Kind::Statistics).save(&Entry::statistics("sorts", line.encode())).unwrap();
        };
        for (value, message) in [(1, "odd"), (2, "even")] {
            let case = Case { sequence: forall::choice::Sequence::from_values(100, &[value]), steps: Vec::new() };
            let mut entry = Entry::failure("sorts", case);
            entry.message = message.to_owned();
            corpus.entries(Kind::Failure).save(&entry).unwrap();
        }
        tell(50.0, true, "odd");
        tell(40.0, false, "odd");
        tell(50.0, true, "even");
        tell(1.0, true, "even");
        let mut skipped = Skipped::default();
        assert_eq!(prune_before(&*corpus, now() - 30.0 * day, &mut skipped).unwrap(), (2, 1));
        let left = &read(&*corpus).unwrap()[0];
        assert_eq!((left.told.len(), left.failures.len(), &*left.failures[0].message), (2, 1, "even"));
        let record = &records::records(left)[0];
        assert!(record.first.at < now() - 49.0 * day, "its first report stays: {record:?}");
        std::fs::remove_dir_all(root).unwrap();
    }
}
