//! `forall corpus rename`.

use super::{Rename, existing, unreachable};
use crate::corpus::{Corpus, Found, KINDS, fetch};
use crate::properties::nearest_names;
use crate::words::count;
use crate::{Error, screen::Screen};
use std::process::ExitCode;

/// Renames.
pub fn rename(arguments: &Rename) -> Result<ExitCode, Error> {
    let corpus = existing(&arguments.corpus)?;
    let Rename { old, new, .. } = arguments;
    let names = corpus.properties().map_err(|error| unreachable(corpus.name(), error))?;
    if !names.contains(old) {
        let names: Vec<&str> = names.iter().map(String::as_str).collect();
        return Err(
            format!("{} has nothing of `{old}`; there is\n{}", corpus.name(), nearest_names(&names, old)).into()
        );
    }
    if old == new || new.trim().is_empty() {
        return Err("say another name as the new one; `forall list` has those that there are".into());
    }
    let (moved, unreadable) = move_entries(&*corpus, old, new)?;
    let left = match unreadable {
        0 => String::new(),
        number => format!("; {} not readable, and left", count(number, "entry")),
    };
    let screen = Screen::of_this_process();
    screen.say(&screen.wrap("", &format!("{} of {old} given to {new}{left}", count(moved, "entry"))));
    Ok(ExitCode::SUCCESS)
}

/// How many were moved, and how many make no sense.
fn move_entries(corpus: &dyn Corpus, old: &str, new: &str) -> Result<(u64, u64), Error> {
    let failed = |error| unreachable(corpus.name(), error);
    let (mut moved, mut unreadable) = (0, 0);
    for kind in KINDS {
        let entries = corpus.entries(kind);
        for id in entries.list(old, None).map_err(failed)?.ids {
            match fetch(corpus, kind, old, id).map_err(failed)? {
                Found::Entry(mut entry) => {
                    entry.property = new.to_owned();
                    entries.save(&entry).map_err(failed)?;
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
    fn everything_goes_to_the_new_name_and_the_old_one_is_forgotten() {
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
        assert_eq!(move_entries(&*corpus, "old", "new").unwrap(), (3, 0));
        assert_eq!(move_entries(&*corpus, "old", "new").unwrap(), (0, 0), "twice is once");
        assert_eq!(corpus.properties().unwrap().into_iter().collect::<Vec<_>>(), ["new"]);
        assert_eq!(corpus.entries(Kind::Failure).list("new", None).unwrap().ids.len(), 1);
        std::fs::remove_dir_all(root).unwrap();
    }
    #[test]
    fn a_corpus_that_goes_away_meanwhile_is_no_corpus_of_nonsense() {
        let corpus = crate::corpus::Leaving(vec![forall::store::Entry::statistics("a", "{}")]);
        let wrong = move_entries(&corpus, "a", "b").unwrap_err().to_string();
        let told = "the corpus leaving cannot be reached: connection reset. Repeat this when that is mended: what was done stays done";
        assert_eq!(wrong, told);
    }
}
