//! The inputs of a search guided by coverage: all that did something new, to all that search.

use super::arrivals::Arrivals;
use crate::corpus::link::Link;
use forall::store::{Entry, Id, Kind, Seeds};
use std::collections::BTreeSet;
use std::ffi::OsString;
use std::path::Path;

/// More are not fetched at once, so that nothing else waits for long.
const MOST: usize = 1000;

pub(super) struct Inputs {
    property: String,
    here: Seeds,
    /// The files that were seen here.
    known: BTreeSet<OsString>,
    /// What they are called there.
    held: BTreeSet<Id>,
    /// What was seen there.
    there: BTreeSet<Id>,
    arrivals: Arrivals,
    /// What is to be sent.
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

    /// Sends the inputs that came here, and puts those that came there where a running search finds them.
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
            let Some(id) = link.ask(|corpus| corpus.entries(Kind::Seed).save(entry)) else { break };
            self.there.insert(id);
            self.queue.pop();
        }
        let held = &self.held;
        for entry in self.arrivals.fetch(link, MOST, &|id| held.contains(&id)) {
            // One that cannot be written is one less to begin with.
            if self.known.insert(Seeds::file_name(&entry.case)) {
                let _ = self.here.add(&entry.case);
            }
        }
    }
}
