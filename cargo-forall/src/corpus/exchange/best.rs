//! The best input of a targeted search: see `FORALL_BEST` of the library, whose folder this is.

use super::arrivals::Arrivals;
use crate::corpus::link::Link;
use forall::store::{Backend, Directory, Id, Kind};
use std::collections::BTreeSet;
use std::path::Path;

/// The most entries that are fetched at once.
const MOST: usize = 100;

pub(super) struct Best {
    property: String,
    here: Directory,
    /// The entries that were both here and in the corpus at the last look.
    both: BTreeSet<Id>,
    arrivals: Arrivals,
}

/// The folder, in a local store.
pub(super) fn folder(store: &Path) -> std::path::PathBuf {
    store.join("best")
}

impl Best {
    pub(super) fn new(store: &Path, property: &str) -> Self {
        Self {
            property: property.to_owned(),
            here: Directory::new(folder(store)).ignored_by_git(),
            both: BTreeSet::new(),
            arrivals: Arrivals::new(Kind::Best, property),
        }
    }

    /// Sends the running search's best inputs, deletes those that it has replaced, and writes those of other workers
    /// to the folder that it reads.
    pub(super) fn exchange(&mut self, link: &mut Link) {
        let here: BTreeSet<Id> = self.here.list(&self.property, None).unwrap_or_default().ids.into_iter().collect();
        for &id in here.difference(&self.both.clone()) {
            let Ok(Some(entry)) = self.here.fetch(&self.property, id) else { continue };
            if link.change(|corpus| corpus.entries(Kind::Best).save(&entry)).is_some() {
                self.both.insert(id);
            }
        }
        // An empty folder was emptied from outside.
        let gone: Vec<Id> = self.both.iter().filter(|id| !here.is_empty() && !here.contains(id)).copied().collect();
        for id in gone {
            if link.change(|corpus| corpus.entries(Kind::Best).delete(&self.property, id)).is_some() {
                self.both.remove(&id);
            }
        }
        self.arrivals.look(link);
        for entry in self.arrivals.fetch(link, MOST, &|id| here.contains(&id)) {
            // An input that cannot be written is only one seed less.
            self.both.extend(self.here.save(&entry));
        }
    }
}
