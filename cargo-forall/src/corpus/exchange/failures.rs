//! The failures of a property: those of others here, those of here there, and of each bug the smallest.

use super::arrivals::Arrivals;
use crate::Error;
use crate::corpus::link::Link;
use forall::property::{Failure, FailureKind};
use forall::store::{Backend, Directory, Entry, Id, Kind};
use std::cmp::Ordering;
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

/// More of one property are not fetched: nobody looks at so many.
const MOST: usize = 1000;

pub(super) struct Failures {
    property: String,
    local: Directory,
    /// Those that were here before the property ran, or came from others: whether they still fail is not known.
    before: BTreeSet<Id>,
    /// Those of them that came from others.
    fetched: BTreeSet<Id>,
    /// Those that were found here and are in the corpus, as they were sent: what they say to people comes after what they are.
    sent: BTreeMap<Id, String>,
    /// Those that had been here before and are in the corpus now.
    sent_late: BTreeSet<Id>,
    arrivals: Arrivals,
}

impl Failures {
    /// Fetches what others found.
    pub(super) fn begin(link: &mut Link, store: &Path, property: &str) -> Result<Self, Error> {
        let mut failures = Self {
            property: property.to_owned(),
            local: Directory::new(store).ignored_by_git(),
            before: BTreeSet::new(),
            fetched: BTreeSet::new(),
            sent: BTreeMap::new(),
            sent_late: BTreeSet::new(),
            arrivals: Arrivals::new(Kind::Failure, property),
        };
        failures.before = failures.here();
        failures.fetch(link).map_err(|error| error.to_string())?;
        Ok(failures)
    }

    /// Puts what others found among the local finds. What came.
    pub(super) fn fetch(&mut self, link: &mut Link) -> Result<Vec<Entry>, forall::store::StoreError> {
        self.arrivals.look(link);
        let most = MOST.saturating_sub(self.fetched.len());
        let stale = link.stale_of(&self.property);
        let known = |id: Id| self.before.contains(&id) || self.sent.contains_key(&id) || stale.contains(&id);
        let mut came = self.arrivals.fetch(link, most, &known);
        // One that was found here meanwhile is its own.
        let here = self.here();
        came.retain(|entry| !here.contains(&entry.id()));
        for entry in &came {
            let id = self.local.save(entry)?;
            self.before.insert(id);
            self.fetched.insert(id);
        }
        Ok(came)
    }

    /// Whether this one came from others.
    pub(super) fn is_fetched(&self, id: Id) -> bool {
        self.fetched.contains(&id)
    }

    /// Those that came from others and are not here any more.
    pub(super) fn forgotten(&self) -> Vec<Id> {
        self.fetched.difference(&self.here()).copied().collect()
    }

    /// Those that are here.
    fn here(&self) -> BTreeSet<Id> {
        // What cannot be listed is told by the property's own run.
        self.local.list(&self.property, None).unwrap_or_default().ids.into_iter().collect()
    }

    /// Sends what was found since the beginning, and takes back what smaller ones have taken the place of.
    pub(super) fn send(&mut self, link: &mut Link) {
        let here = self.here();
        for id in here.iter().filter(|id| !self.before.contains(id)).copied().collect::<Vec<_>>() {
            self.send_one(link, id);
        }
        if !self.sent.keys().any(|id| here.contains(id)) {
            // Nothing took its place.
            return;
        }
        for id in self.sent.keys().filter(|id| !here.contains(id)).copied().collect::<Vec<_>>() {
            if link.ask(|corpus| corpus.entries(Kind::Failure).delete(&self.property, id)).is_some() {
                self.sent.remove(&id);
            }
        }
    }

    /// Sends everything that is here and is not there, also what has waited since an earlier time. What still waits.
    pub(super) fn send_all(&mut self, link: &mut Link) -> Vec<Id> {
        let mut waiting = Vec::new();
        for id in self.here() {
            if !self.sent.contains_key(&id) && !self.fetched.contains(&id) && !self.send_one(link, id) {
                waiting.push(id);
            }
        }
        waiting
    }

    /// Whether it is there now, or gone from here.
    fn send_one(&mut self, link: &mut Link, id: Id) -> bool {
        let Ok(Some(mut entry)) = self.local.fetch(&self.property, id) else { return true };
        // That it is being worked on is nobody else's concern.
        entry.unfinished = 0;
        let text = entry.to_text();
        if self.sent.get(&id) == Some(&text) {
            return true;
        }
        let saved = link.ask(|corpus| corpus.entries(Kind::Failure).save(&entry)).is_some();
        if saved && self.before.contains(&id) {
            self.sent_late.insert(id);
        } else if saved {
            self.sent.insert(id, text);
        }
        saved
    }

    /// Of each bug that something was sent of, leaves the smallest counterexample: whoever sends the last one of a bug sees all of
    /// them. `fails` runs an input once more.
    pub(super) fn keep_the_smallest(&mut self, link: &mut Link, fails: &mut dyn FnMut(&Entry) -> bool) {
        let here = self.here();
        let sent: Vec<Id> = self.sent.keys().chain(&self.sent_late).filter(|id| here.contains(id)).copied().collect();
        if sent.is_empty() {
            return;
        }
        let there = link.ask(|corpus| corpus.entries(Kind::Failure).list(&self.property, None)).unwrap_or_default();
        let mut all: Vec<Entry> = Vec::new();
        for id in sent.iter().copied().chain(there.ids.into_iter().filter(|id| !sent.contains(id)).take(MOST)) {
            all.extend(link.fetch(Kind::Failure, &self.property, id));
        }
        all.sort_by(by_size);
        let mut failing: BTreeSet<Id> = self.sent.keys().copied().collect();
        for id in sent {
            let Some(own) = all.iter().find(|entry| entry.id() == id).cloned() else { continue };
            for other in all.clone().iter().filter(|other| other.id() != id && same_bug(&own, other)) {
                let (stays, goes) = if by_size(other, &own) == Ordering::Less { (other, &own) } else { (&own, other) };
                // What has not been seen to fail here takes nobody's place.
                if !failing.contains(&stays.id()) && !fails(stays) {
                    continue;
                }
                failing.insert(stays.id());
                // It is at hand where the bug was met.
                let _ = self.local.save(stays);
                let goes = goes.id();
                if link.ask(|corpus| corpus.entries(Kind::Failure).delete(&self.property, goes)).is_some() {
                    let _ = self.local.delete(&self.property, goes);
                    all.retain(|entry| entry.id() != goes);
                }
                if goes == id {
                    break;
                }
            }
        }
    }
}

/// The simpler first, and never two alike: everybody agrees which one stays.
pub(in crate::corpus) fn by_size(a: &Entry, b: &Entry) -> Ordering {
    let sizes = a.case.sequence.cmp(&b.case.sequence).then(a.case.steps.len().cmp(&b.case.steps.len()));
    sizes.then(a.before.len().cmp(&b.before.len())).then_with(|| a.id().cmp(&b.id()))
}

/// Whether two counterexamples of a property show the same bug: what they say is of one shape.
pub(in crate::corpus) fn same_bug(a: &Entry, b: &Entry) -> bool {
    let failure = |entry: &Entry| Failure::new(FailureKind::Panic, &*entry.message);
    failure(a).same_origin(&failure(b))
}
