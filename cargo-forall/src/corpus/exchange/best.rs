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
    /// Those that came from others.
    fetched: BTreeSet<Id>,
    /// Those that were found here and are there.
    sent: BTreeSet<Id>,
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
            fetched: BTreeSet::new(),
            sent: BTreeSet::new(),
            arrivals: Arrivals::new(Kind::Best, property),
        }
    }

    /// Puts what others found where the running search finds it, and sends what it found: in the place of what it was better than.
    pub(super) fn exchange(&mut self, link: &mut Link) {
        let here: BTreeSet<Id> = self.here.list(&self.property, None).unwrap_or_default().ids.into_iter().collect();
        self.arrivals.look(link);
        let known = |id: Id| here.contains(&id) || self.sent.contains(&id);
        for entry in self.arrivals.fetch(link, MOST, &known) {
            // One that cannot be written is one less to begin with.
            if let Ok(id) = self.here.save(&entry) {
                self.fetched.insert(id);
            }
        }
        for &id in here.iter().filter(|id| !self.fetched.contains(id)) {
            if self.sent.contains(&id) {
                continue;
            }
            let Ok(Some(entry)) = self.here.fetch(&self.property, id) else { continue };
            if link.ask(|corpus| corpus.entries(Kind::Best).save(&entry)).is_some() {
                self.sent.insert(id);
            }
        }
        if self.sent.iter().any(|id| here.contains(id)) {
            for id in self.sent.iter().filter(|id| !here.contains(id)).copied().collect::<Vec<_>>() {
                if link.ask(|corpus| corpus.entries(Kind::Best).delete(&self.property, id)).is_some() {
                    self.sent.remove(&id);
                }
            }
        }
    }
}
