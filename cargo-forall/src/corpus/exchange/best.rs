//! The best input of a targeted search, in the folder that the library's `FORALL_BEST` names.

use super::arrivals::Arrivals;
use crate::corpus::link::Link;
use forall::store::{Backend, Directory, Id, Kind};
use std::collections::BTreeSet;
use std::path::Path;

/// The maximum number of entries fetched at once.
const MOST: usize = 100;

pub(super) struct Best {
    property: String,
    here: Directory,
    /// The entries that were both in the folder and in the corpus at the last exchange.
    both: BTreeSet<Id>,
    arrivals: Arrivals,
}

/// Returns the folder in a local store.
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

    /// Sends the running search's best inputs, deletes those that it has replaced, and writes those of other workers to
    /// the folder from which the search reads.
    pub(super) fn exchange(&mut self, link: &mut Link) {
        let here: BTreeSet<Id> = self.here.list(&self.property, None).unwrap_or_default().ids.into_iter().collect();
        for &id in here.difference(&self.both.clone()) {
            let Ok(Some(entry)) = self.here.fetch(&self.property, id) else { continue };
            if link.change(|corpus| corpus.entries(Kind::Best).save(&entry)).is_some() {
                self.both.insert(id);
            }
        }
        // If the folder is empty, the search did not empty it.
        let gone: Vec<Id> = self.both.iter().filter(|id| !here.is_empty() && !here.contains(id)).copied().collect();
        for id in gone {
            if link.change(|corpus| corpus.entries(Kind::Best).delete(&self.property, id)).is_some() {
                self.both.remove(&id);
            }
        }
        self.arrivals.look(link);
        for entry in self.arrivals.fetch(link, MOST, &|id| here.contains(&id)) {
            // A failed write only loses one seed.
            self.both.extend(self.here.save(&entry));
        }
    }
}
