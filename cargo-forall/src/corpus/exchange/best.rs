//! The best input of a targeted search: see `FORALL_BEST` of the library, whose folder this is.

use super::arrivals::Arrivals;
use crate::corpus::link::Link;
use forall::store::{Backend, Directory, Id, Kind};
use std::collections::BTreeSet;
use std::path::Path;

/// More are not fetched at once.
const MOST: usize = 100;

pub(super) struct Best {
    property: String,
    here: Directory,
    /// Those that are here and there, or were when it was looked last.
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

    /// Sends what the running search found, takes back what it has removed because something is better, and puts what others found
    /// where it finds it.
    pub(super) fn exchange(&mut self, link: &mut Link) {
        let here: BTreeSet<Id> = self.here.list(&self.property, None).unwrap_or_default().ids.into_iter().collect();
        for &id in here.difference(&self.both.clone()) {
            let Ok(Some(entry)) = self.here.fetch(&self.property, id) else { continue };
            if link.ask(|corpus| corpus.entries(Kind::Best).save(&entry)).is_some() {
                self.both.insert(id);
            }
        }
        // Where nothing is left, somebody has emptied the folder.
        let gone: Vec<Id> = self.both.iter().filter(|id| !here.is_empty() && !here.contains(id)).copied().collect();
        for id in gone {
            if link.ask(|corpus| corpus.entries(Kind::Best).delete(&self.property, id)).is_some() {
                self.both.remove(&id);
            }
        }
        self.arrivals.look(link);
        for entry in self.arrivals.fetch(link, MOST, &|id| here.contains(&id)) {
            // One that cannot be written is one less to begin with.
            self.both.extend(self.here.save(&entry));
        }
    }
}
