//! `forall corpus rename`.

use super::{Rename, Skipped, existing, unreachable};
use crate::corpus::{Corpus, Found, KINDS, fetch};
use crate::properties::nearest_names;
use crate::words::count;
use crate::{Error, screen::Screen};
use std::process::ExitCode;

/// Renames a property in a corpus.
pub fn rename(arguments: &Rename) -> Result<ExitCode, Error> {
    let corpus = existing(&arguments.corpus)?;
    let Rename { old, new, .. } = arguments;
    let names = corpus.properties().map_err(|error| unreachable(corpus.name(), error))?;
    if !names.contains(old) {
        let names: Vec<&str> = names.iter().map(String::as_str).collect();
        return Err(format!(
            "{} has no entries of `{old}`; it has entries of\n{}",
            corpus.name(),
            nearest_names(&names, old)
        )
        .into());
    }
    if old == new || new.trim().is_empty() {
        return Err("the old and new names are the same; `forall list` prints the names of this workspace".into());
    }
    let mut skipped = Skipped::default();
    let (moved, unreadable) = move_entries(&*corpus, old, new, &mut skipped)?;
    let left = match unreadable {
        0 => String::new(),
        number => format!("; {} unreadable and left unchanged", count(number, "entry")),
    };
    let screen = Screen::of_this_process();
    screen.print(&screen.wrap("", &format!("moved {} from {old} to {new}{left}", count(moved, "entry"))));
    skipped.report();
    Ok(ExitCode::SUCCESS)
}

/// Moves all entries, except those of kinds whose key or folder has other data. Returns the number of moved entries, and
/// of unreadable ones.
fn move_entries(corpus: &dyn Corpus, old: &str, new: &str, skipped: &mut Skipped) -> Result<(u64, u64), Error> {
    let failed = |error| unreachable(corpus.name(), error);
    let (mut moved, mut unreadable) = (0, 0);
    for kind in KINDS {
        let entries = corpus.entries(kind);
        for id in skipped.list(corpus, kind, old)? {
            match fetch(corpus, kind, old, id).map_err(failed)? {
                Found::Entry(mut entry) => {
                    entry.property = new.to_owned();
                    if skipped.or(corpus, entries.save(&entry))?.is_none() {
                        break;
                    }
                    entries.delete(old, id).map_err(failed)?;
                    moved += 1;
                }
                Found::Nothing => {}
                Found::Nonsense(_) => unreadable += 1,
            }
        }
    }
    Ok((moved, unreadable))
}

#[cfg(test)]
mod tests {
    use super::*;
    use forall::run::Case;
    use forall::store::{Entry, Kind};

    #[test]
    fn all_entries_move_to_the_new_name() {
        let root = std::env::temp_dir().join(format!("forall-rename-{}", std::process::id()));
        let _ = std::fs::remove_dir_all(&root);
        let corpus = crate::corpus::open(root.to_str().unwrap()).unwrap();
        for entry in [
            Entry::failure("old", Case::default()),
            Entry::seed("old", Case::default()),
            Entry::statistics("old", "{}"),
        ] {
            corpus.entries(entry.kind).save(&entry).unwrap();
        }
        let mut skipped = Skipped::default();
        assert_eq!(move_entries(&*corpus, "old", "new", &mut skipped).unwrap(), (3, 0));
        assert_eq!(move_entries(&*corpus, "old", "new", &mut skipped).unwrap(), (0, 0), "twice is once");
        assert_eq!(corpus.properties().unwrap().into_iter().collect::<Vec<_>>(), ["new"]);
        assert_eq!(corpus.entries(Kind::Failure).list("new", None).unwrap().ids.len(), 1);
        std::fs::remove_dir_all(root).unwrap();
    }

    #[test]
    fn entries_stay_if_the_new_name_has_other_data() {
        let (corpus, mut skipped) = (crate::corpus::Spoilt::new("new"), Skipped::default());
        corpus.fill(&Entry::failure("old", Case::default()));
        assert_eq!(move_entries(&corpus, "old", "new", &mut skipped).unwrap().0, 0);
        assert!(skipped.text().contains("is skipped: key `new`"), "{}", skipped.text());
        assert_eq!(corpus.entries(Kind::Failure).list("old", None).unwrap().ids.len(), 1);
    }

    #[test]
    fn a_lost_connection_is_not_reported_as_unreadable_entries() {
        let corpus = crate::corpus::Leaving(vec![forall::store::Entry::statistics("a", "{}")]);
        let wrong = move_entries(&corpus, "a", "b", &mut Skipped::default()).unwrap_err().to_string();
        let told = "the corpus leaving cannot be reached: connection reset. Fix this and retry; entries already written are kept";
        assert_eq!(wrong, told);
    }
}
