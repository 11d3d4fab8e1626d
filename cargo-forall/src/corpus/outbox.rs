//! The queue of entries that the corpus has not accepted yet: `unsent/` in each local store.
//!
//! An entry stays in the queue until the corpus accepts it, across processes: a run of any property sends the queued
//! entries of all properties.

use forall::store::{Backend, Directory, Entry, Id, Kind};
use std::fs;
use std::path::Path;

/// The name of the queue's folder in a local store.
const FOLDER: &str = "unsent";

/// The file in this folder with the last seen epoch of each corpus, as lines `EPOCH NAME`.
const EPOCHS: &str = "epochs";

/// The queued entries of a worker's local stores: one store per package.
#[derive(Debug, Default)]
pub struct Outbox {
    stores: Vec<Directory>,
    /// Whether the queue may be non-empty, to avoid listing an empty one ten times per second.
    may_hold: bool,
}

impl Outbox {
    /// Adds a local store.
    pub fn add(&mut self, store: &Path) {
        let folder = store.join(FOLDER);
        if self.stores.iter().all(|known| known.root() != folder) {
            self.may_hold |= folder.is_dir();
            self.stores.push(Directory::new(folder).ignored_by_git());
        }
    }

    /// Returns the queue of a local store.
    fn of(&mut self, store: &Path) -> &Directory {
        self.add(store);
        let folder = store.join(FOLDER);
        self.stores.iter().find(|known| known.root() == folder).expect("it was added")
    }

    /// Adds an entry. Returns whether it is queued: the disk may be full.
    pub fn put(&mut self, store: &Path, entry: &Entry) -> bool {
        let waits = self.of(store).save(entry).is_ok();
        self.may_hold |= waits;
        waits
    }

    /// Removes an entry that was sent, or replaced by a smaller one.
    pub fn remove(&mut self, store: &Path, property: &str, id: Id) {
        if self.may_hold {
            // An entry that cannot be deleted is sent again, which has no effect.
            let _ = self.of(store).delete(property, id);
        }
    }

    /// Records the epoch of a corpus in all existing stores. Returns whether one of them saw another epoch before.
    pub fn saw(&self, corpus: &str, epoch: &str) -> bool {
        let mut changed = false;
        for store in self.stores.iter().filter(|store| store.root().parent().is_some_and(Path::is_dir)) {
            let path = store.root().join(EPOCHS);
            let text = fs::read_to_string(&path).unwrap_or_default();
            let of = |line: &str| {
                line.split_once(' ').filter(|(_, name)| *name == corpus).map(|(epoch, _)| epoch.to_owned())
            };
            let before = text.lines().find_map(of);
            if before.as_deref() == Some(epoch) {
                continue;
            }
            changed |= before.is_some();
            let others = text.lines().filter(|line| of(line).is_none()).map(|line| format!("{line}\n"));
            let text: String = others.chain([format!("{epoch} {corpus}\n")]).collect();
            // If this fails, a loss between two runs is not detected.
            let _ = fs::create_dir_all(store.root()).and_then(|()| fs::write(&path, text));
        }
        changed
    }

    /// Adds all local failures, because the corpus has lost its entries.
    pub fn fill(&mut self) {
        for unsent in &self.stores {
            let Some(store) = unsent.root().parent() else { continue };
            let local = Directory::new(store);
            for property in local.all_properties() {
                for id in local.list(&property, None).unwrap_or_default().ids {
                    let Ok(Some(mut entry)) = local.fetch(&property, id) else { continue };
                    // The mark of a running process is only meaningful locally.
                    entry.unfinished = 0;
                    self.may_hold |= unsent.save(&entry).is_ok();
                }
            }
        }
    }

    /// Passes each queued entry to `send`, failures first, and removes the accepted ones.
    pub fn empty(&mut self, send: &mut dyn FnMut(&Entry) -> bool) {
        if !self.may_hold {
            return;
        }
        let mut rest = 0;
        for (at, entry) in self.entries_by_store() {
            match send(&entry) {
                true => drop(self.stores[at].delete(&entry.property, entry.id())),
                false => rest += 1,
            }
        }
        self.may_hold = rest > 0;
    }

    /// Returns the queued entries, failures first.
    pub fn entries(&self) -> Vec<Entry> {
        if !self.may_hold {
            return Vec::new();
        }
        self.entries_by_store().into_iter().map(|(_, entry)| entry).collect()
    }

    fn entries_by_store(&self) -> Vec<(usize, Entry)> {
        let mut entries = Vec::new();
        for (at, store) in self.stores.iter().enumerate() {
            for property in store.all_properties() {
                let ids = store.list(&property, None).unwrap_or_default().ids;
                // An unreadable file stays in place.
                entries.extend(ids.into_iter().filter_map(|id| Some((at, store.fetch(&property, id).ok()??))));
            }
        }
        entries.sort_by_key(|(_, entry)| entry.kind != Kind::Failure);
        entries
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use forall::run::Case;

    #[test]
    fn entries_wait_across_processes_and_failures_are_sent_first() {
        let root = std::env::temp_dir().join(format!("forall-outbox-{}", std::process::id()));
        let _ = std::fs::remove_dir_all(&root);
        let (told, failure) = (Entry::statistics("a", "{}"), Entry::failure("b", Case::default()));
        let mut outbox = Outbox::default();
        assert!(outbox.put(&root, &told) && outbox.put(&root, &failure));
        let mut next = Outbox::default();
        next.add(&root);
        assert_eq!(next.entries(), [failure.clone(), told.clone()]);
        let mut tried = Vec::new();
        next.empty(&mut |entry| {
            tried.push(entry.property.clone());
            entry.kind == Kind::Failure
        });
        assert_eq!((tried, next.entries()), (vec!["b".to_owned(), "a".to_owned()], vec![told]));
        std::fs::remove_dir_all(root).unwrap();
    }
}
