//! `forall corpus merge`.

use super::{Merge, Skipped, existing, unreachable};
use crate::corpus::{Corpus, Found, KINDS, fetch, open};
use crate::words::count;
use crate::{Error, screen::Screen};
use forall::store::Kind;
use std::process::ExitCode;

/// Counts of entries copied from one corpus.
#[derive(Debug, Default, PartialEq)]
struct Copied {
    failures: u64,
    seeds: u64,
    best: u64,
    statistics: u64,
    known: u64,
    unreadable: u64,
}

/// Merges corpora into the last one.
pub fn merge(arguments: &Merge) -> Result<ExitCode, Error> {
    let (into, from) = arguments.corpora.split_last().expect("there are at least two");
    let from: Vec<Box<dyn Corpus>> = from.iter().map(|address| existing(address)).collect::<Result<_, _>>()?;
    let into = open(into)?;
    let mut skipped = Skipped::default();
    for from in &from {
        let copied = copy(&**from, &*into, &mut skipped)?;
        Screen::of_this_process().print(&text(from.name(), &copied));
    }
    skipped.report();
    Ok(ExitCode::SUCCESS)
}

fn copy(from: &dyn Corpus, into: &dyn Corpus, skipped: &mut Skipped) -> Result<Copied, Error> {
    let mut copied = Copied::default();
    let unread = |error| unreachable(from.name(), error);
    for property in from.properties().map_err(unread)? {
        for kind in KINDS {
            let there = skipped.list(into, kind, &property)?;
            for id in skipped.list(from, kind, &property)? {
                if there.binary_search(&id).is_ok() {
                    copied.known += 1;
                    continue;
                }
                let entry = match fetch(from, kind, &property, id).map_err(unread)? {
                    Found::Entry(entry) => entry,
                    Found::Nothing => continue,
                    Found::Nonsense(_) => {
                        copied.unreadable += 1;
                        continue;
                    }
                };
                let saved = into.entries(kind).save(&entry);
                if skipped.or(into, saved)?.is_none() {
                    break;
                }
                match kind {
                    Kind::Failure => copied.failures += 1,
                    Kind::Seed => copied.seeds += 1,
                    Kind::Best => copied.best += 1,
                    _ => copied.statistics += 1,
                }
            }
        }
    }
    Ok(copied)
}

fn text(name: &str, copied: &Copied) -> String {
    let Copied { failures, seeds, best, statistics, known, unreadable } = copied;
    let parts = [
        count(*failures, "counterexample"),
        count(seeds + best, "input"),
        count(*statistics, "worker report"),
        format!("{} already present", count(*known, "entry")),
    ];
    let unreadable = match unreadable {
        0 => String::new(),
        number => format!(", {} unreadable", count(*number, "entry")),
    };
    format!("{name}: {}{unreadable}\n", parts.join(", "))
}

#[cfg(test)]
mod tests {
    use super::*;
    use forall::run::Case;
    use forall::store::Entry;

    #[test]
    fn merging_takes_the_union_and_counts_unreadable_entries() {
        let root = std::env::temp_dir().join(format!("forall-merge-{}", std::process::id()));
        let _ = std::fs::remove_dir_all(&root);
        std::fs::create_dir_all(&root).unwrap();
        let corpus = |name: &str| open(root.join(name).to_str().unwrap()).unwrap();
        let (from, into) = (corpus("from"), corpus("into"));
        let (failure, seed) = (Entry::failure("a", Case::default()), Entry::seed("b", Case::default()));
        for entry in [failure, seed, Entry::best("b", Case::default(), 1.0), Entry::statistics("b", "{}")] {
            from.entries(entry.kind).save(&entry).unwrap();
        }
        // An entry of the wrong kind, and a truncated one.
        from.entries(Kind::Seed).save(&Entry::failure("a", Case::default())).unwrap();
        let torn = forall::store::Directory::new(root.join("from/failures")).folder("a").join("00000000000000aa.case");
        std::fs::write(torn, "forall 1\nkind fai").unwrap();
        let all = Copied { failures: 1, seeds: 1, best: 1, statistics: 1, known: 0, unreadable: 2 };
        let mut skipped = Skipped::default();
        let mut merge = || copy(&*from, &*into, &mut skipped).unwrap();
        assert_eq!(merge(), all);
        assert_eq!(merge(), Copied { known: 4, unreadable: 2, ..Copied::default() });
        assert_eq!(skipped.text(), "");
        assert_eq!(into.properties().unwrap().into_iter().collect::<Vec<_>>(), ["a", "b"]);
        std::fs::remove_dir_all(root).unwrap();
    }

    #[test]
    fn a_part_with_other_data_is_named_and_the_rest_is_merged() {
        let (from, into) = (crate::corpus::Spoilt::new("a"), crate::corpus::Spoilt::new("c"));
        for property in ["b", "c"] {
            from.fill(&Entry::failure(property, Case::default()));
        }
        let mut skipped = Skipped::default();
        assert_eq!(copy(&from, &into, &mut skipped).unwrap().failures, 1, "that of `b`");
        let text = skipped.text();
        assert!(text.contains("key `a`") && text.contains("key `c`") && text.lines().count() == 2, "{text}");
        assert!(
            text.starts_with("forall: warning: a part of the corpus spoilt has other data and is skipped: "),
            "{text}"
        );
    }

    #[test]
    fn a_lost_connection_is_not_reported_as_unreadable_entries() {
        let corpus = crate::corpus::Leaving(vec![forall::store::Entry::statistics("a", "{}")]);
        let wrong =
            copy(&corpus, &crate::corpus::Leaving(Vec::new()), &mut Skipped::default()).unwrap_err().to_string();
        assert!(wrong.starts_with("the corpus leaving cannot be reached: connection reset. Fix this"), "{wrong}");
    }
}
