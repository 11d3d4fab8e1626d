//! Exchanges the inputs of a coverage-guided search.

use super::arrivals::Arrivals;
use crate::corpus::link::Link;
use forall::store::{Entry, Id, Kind, Seeds};
use std::collections::BTreeSet;
use std::ffi::OsString;
use std::path::Path;

/// The maximum number of inputs fetched at once, to avoid blocking other work.
const MOST: usize = 1000;

pub(super) struct Inputs {
    property: String,
    here: Seeds,
    /// The local files that were read.
    known: BTreeSet<OsString>,
    /// The ids of these inputs in the corpus.
    held: BTreeSet<Id>,
    /// The entries that were seen in the corpus.
    there: BTreeSet<Id>,
    arrivals: Arrivals,
    /// The entries to send.
    queue: Vec<Entry>,
}

impl Inputs {
    pub(super) fn new(store: &Path, property: &str) -> Self {
        Self {
            property: property.to_owned(),
            here: Seeds::new(store, property),
            known: BTreeSet::new(),
            held: BTreeSet::new(),
            there: BTreeSet::new(),
            arrivals: Arrivals::new(Kind::Seed, property),
            queue: Vec::new(),
        }
    }

    /// Sends new local inputs, and writes new inputs of the corpus to the folder from which a running search reads.
    pub(super) fn exchange(&mut self, link: &mut Link) {
        self.there.extend(self.arrivals.look(link));
        for case in self.here.newer(&mut self.known) {
            let entry = Entry::seed(&*self.property, case);
            self.held.insert(entry.id());
            self.queue.push(entry);
        }
        let there = &self.there;
        self.queue.retain(|entry| !there.contains(&entry.id()));
        while let Some(entry) = self.queue.last() {
            let Some(id) = link.change(|corpus| corpus.entries(Kind::Seed).save(entry)) else { break };
            self.there.insert(id);
            self.queue.pop();
        }
        let held = &self.held;
        for entry in self.arrivals.fetch(link, MOST, &|id| held.contains(&id)) {
            // An input that cannot be written is skipped.
            if self.known.insert(Seeds::file_name(&entry.case)) {
                let _ = self.here.add(&entry.case);
            }
        }
    }
}
