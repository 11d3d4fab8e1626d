//! Exchanges a property's failures with the corpus, and reduces them to the smallest per bug.

use super::arrivals::Arrivals;
use crate::Error;
use crate::corpus::link::Link;
use crate::corpus::told::Sighting;
use forall::property::{Failure, FailureKind, Location};
use forall::store::{Backend, Directory, Entry, Id, Kind};
use std::cmp::Ordering;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

/// The maximum number of failures fetched for one property.
const MOST: usize = 1000;

/// Messages in statistics are truncated to this many characters.
const MOST_CHARACTERS: usize = 300;

pub(super) struct Failures {
    property: String,
    store: PathBuf,
    local: Directory,
    /// Failures from before this run or from other workers: whether they still fail is unknown.
    before: BTreeSet<Id>,
    /// Failures from other workers.
    fetched: BTreeSet<Id>,
    /// The entries of all failures in `before`, which the run deletes if they pass.
    messages: BTreeMap<Id, Entry>,
    /// Failures of this run that are in the corpus, as they were sent.
    sent: BTreeMap<Id, String>,
    /// Failures from before this run that are in the corpus now.
    sent_late: BTreeSet<Id>,
    /// Failures that the corpus has not accepted, as they are queued.
    waiting: BTreeMap<Id, String>,
    arrivals: Arrivals,
}

impl Failures {
    /// Fetches failures of other workers.
    pub(super) fn begin(link: &mut Link, store: &Path, property: &str) -> Result<Self, Error> {
        let mut failures = Self {
            property: property.to_owned(),
            store: store.to_owned(),
            local: Directory::new(store).ignored_by_git(),
            before: BTreeSet::new(),
            fetched: BTreeSet::new(),
            messages: BTreeMap::new(),
            sent: BTreeMap::new(),
            sent_late: BTreeSet::new(),
            waiting: BTreeMap::new(),
            arrivals: Arrivals::new(Kind::Failure, property),
        };
        failures.before = failures.here();
        for id in &failures.before {
            let entry = failures.local.fetch(property, *id).ok().flatten();
            failures.messages.extend(entry.map(|entry| (*id, entry)));
        }
        failures.fetch(link).map_err(|error| error.to_string())?;
        Ok(failures)
    }

    /// Forgets which entries are in the corpus, since it has lost them.
    pub(super) fn begin_again(&mut self) {
        self.sent.clear();
        self.sent_late.clear();
        self.arrivals = Arrivals::new(Kind::Failure, &self.property);
    }

    /// Copies failures of other workers into the local store, and returns the new ones.
    pub(super) fn fetch(&mut self, link: &mut Link) -> Result<Vec<Entry>, forall::store::StoreError> {
        self.arrivals.look(link);
        let most = MOST.saturating_sub(self.fetched.len());
        let stale = link.stale_of(&self.property);
        let known = |id: Id| self.before.contains(&id) || self.sent.contains_key(&id) || stale.contains(&id);
        let mut came = self.arrivals.fetch(link, most, &known);
        // A failure that was also found here in the meantime counts as local.
        let here = self.here();
        came.retain(|entry| !here.contains(&entry.id()));
        for entry in &came {
            let id = self.local.save(entry)?;
            self.before.insert(id);
            self.messages.insert(id, entry.clone());
            self.fetched.insert(id);
        }
        Ok(came)
    }

    /// Returns whether this failure came from another worker.
    pub(super) fn is_fetched(&self, id: Id) -> bool {
        self.fetched.contains(&id)
    }

    /// Returns the other workers' failures that are no longer in the local store.
    pub(super) fn forgotten(&self) -> Vec<Id> {
        self.fetched.difference(&self.here()).copied().collect()
    }

    /// Returns the failures in the local store.
    fn here(&self) -> BTreeSet<Id> {
        // The property's own run reports a store that cannot be listed.
        self.local.list(&self.property, None).unwrap_or_default().ids.into_iter().collect()
    }

    /// Sends failures found in this run, and deletes those that smaller ones replaced.
    pub(super) fn send(&mut self, link: &mut Link) {
        let here = self.here();
        for id in here.iter().filter(|id| !self.before.contains(id)).copied().collect::<Vec<_>>() {
            self.send_one(link, id);
        }
        if !self.sent.keys().chain(self.waiting.keys()).any(|id| here.contains(id)) {
            // Nothing was replaced.
            return;
        }
        let gone = |ids: &BTreeMap<Id, String>| ids.keys().filter(|id| !here.contains(id)).copied().collect::<Vec<_>>();
        for id in gone(&self.waiting) {
            link.withdraw(&self.store, &self.property, id);
            self.waiting.remove(&id);
        }
        for id in gone(&self.sent) {
            if link.change(|corpus| corpus.entries(Kind::Failure).delete(&self.property, id)).is_some() {
                self.sent.remove(&id);
            }
        }
    }

    /// Sends all local failures that the corpus lacks, or has with the place of another build. Failures that it does not
    /// accept are queued.
    pub(super) fn send_all(&mut self, link: &mut Link) {
        for id in self.here() {
            if !self.sent.contains_key(&id) && (!self.fetched.contains(&id) || self.has_moved(id)) {
                self.send_one(link, id);
            }
        }
    }

    /// Returns whether a failure of another worker fails at another place here.
    fn has_moved(&self, id: Id) -> bool {
        let here = self.local.fetch(&self.property, id).ok().flatten();
        here.is_some_and(|here| self.messages.get(&id).is_some_and(|there| there.place != here.place))
    }

    fn send_one(&mut self, link: &mut Link, id: Id) {
        let Ok(Some(mut entry)) = self.local.fetch(&self.property, id) else { return };
        // The mark of a running process is only meaningful locally.
        entry.unfinished = 0;
        let text = entry.to_text();
        if self.sent.get(&id) == Some(&text) || link.is_closed() && self.waiting.get(&id) == Some(&text) {
            return;
        }
        if !link.send(&self.store, &entry) {
            self.waiting.insert(id, text);
            return;
        }
        self.waiting.remove(&id);
        if self.before.contains(&id) {
            self.sent_late.insert(id);
        } else {
            self.sent.insert(id, text);
        }
    }

    /// Returns the failures that the run saw: new ones, and, if it replayed them all, those from before it. `confirmed`
    /// are those from before that failed in it; `None` if that is unknown.
    pub(super) fn sightings(&self, replayed_all: bool, confirmed: Option<&BTreeSet<Id>>) -> Vec<Sighting> {
        let here = self.here();
        let fetch = |id: &Id| self.local.fetch(&self.property, *id).ok().flatten();
        let (old, new): (Vec<Id>, Vec<Id>) = here.iter().partition(|id| self.before.contains(id));
        let old: Vec<Entry> = old.iter().filter_map(fetch).collect();
        let was_confirmed = |entry: &Entry| confirmed.is_none_or(|confirmed| confirmed.contains(&entry.id()));
        let mut known: Vec<Entry> = old.iter().map(|entry| placed(entry, was_confirmed(entry))).collect();
        let gone = || self.messages.values().filter(|entry| !here.contains(&entry.id()));
        // A failure that failed and is gone was shrunk: a smaller one has replaced it.
        known.extend(
            gone().filter(|entry| confirmed.is_some() && was_confirmed(entry)).map(|entry| placed(entry, false)),
        );
        let mut seen: Vec<(Entry, Sighting)> = Vec::new();
        for entry in new.iter().filter_map(fetch) {
            let is_new = !known.iter().any(|other| same_bug(other, &entry));
            seen.push((placed(&entry, false), Sighting { is_new, ..sighting(&entry, true) }));
        }
        let mut passed = Vec::new();
        if replayed_all {
            // Of one that could not be replayed, or came meanwhile, nothing is known.
            for entry in old.iter().filter(|entry| was_confirmed(entry)) {
                // As it was before the run: another failure that passes now was a different bug by these places.
                let before = self.messages.get(&entry.id()).unwrap_or(entry);
                seen.push((before.clone(), sighting(entry, true)));
            }
            let passes = |entry: &&Entry| confirmed.is_none() || !was_confirmed(entry);
            passed.extend(gone().filter(passes).map(|entry| (entry.clone(), sighting(entry, false))));
        }
        // One sighting per bug. A bug that one input shows and another does not is open.
        let mut bugs: Vec<(Entry, Sighting)> = Vec::new();
        for (before, sighting) in seen {
            let own = (&*sighting.message, sighting.place.as_deref());
            if !bugs.iter().any(|(_, known)| same_failure(own, (&known.message, known.place.as_deref()))) {
                bugs.push((before, sighting));
            }
        }
        for (before, sighting) in passed {
            if !bugs.iter().any(|(known, _)| same_bug(known, &before)) {
                bugs.push((before, sighting));
            }
        }
        bugs.into_iter().map(|(_, sighting)| sighting).collect()
    }

    /// Keeps the smallest counterexample of each bug, here and in the corpus: the worker that sends the last one, or
    /// fetches them all, sees all of them. `replayed` runs an input, and returns the entry as it fails in this build.
    ///
    /// Places in entries may be those of other builds, so both inputs are run here before one replaces the other.
    pub(super) fn keep_the_smallest(&mut self, link: &mut Link, replayed: &mut dyn FnMut(&Entry) -> Option<Entry>) {
        let own = self.here();
        if own.is_empty() {
            return;
        }
        let there = link.ask(|corpus| corpus.entries(Kind::Failure).list(&self.property, None)).unwrap_or_default();
        let (local, elsewhere): (Vec<Id>, Vec<Id>) = there.ids.into_iter().partition(|id| own.contains(id));
        let mut all: Vec<Entry> = Vec::new();
        for id in &local {
            all.extend(self.local.fetch(&self.property, *id).ok().flatten());
        }
        for id in elsewhere.into_iter().take(MOST) {
            all.extend(link.fetch(Kind::Failure, &self.property, id));
        }
        all.sort_by(by_size);
        // The entries as they fail here. Those that this run found have failed.
        let mut failing: BTreeMap<Id, Option<Entry>> = all
            .iter()
            .filter(|entry| self.sent.contains_key(&entry.id()))
            .map(|entry| (entry.id(), Some(entry.clone())))
            .collect();
        let mut here = |entry: &Entry| failing.entry(entry.id()).or_insert_with(|| replayed(entry)).clone();
        for id in local {
            let Some(own) = all.iter().find(|entry| entry.id() == id).cloned() else { continue };
            for other in
                all.clone().iter().filter(|other| other.id() != id && same_message(&own.message, &other.message))
            {
                let (stays, goes) = if by_size(other, &own) == Ordering::Less { (other, &own) } else { (&own, other) };
                let (Some(stays), Some(replaced)) = (here(stays), here(goes)) else { continue };
                if !same_bug(&stays, &replaced) {
                    continue;
                }
                // The replacement is saved in the local store as well.
                let _ = self.local.save(&stays);
                let goes = goes.id();
                if link.change(|corpus| corpus.entries(Kind::Failure).delete(&self.property, goes)).is_some() {
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

/// Returns an entry with its place only if that is the one of this build.
fn placed(entry: &Entry, is_of_this_build: bool) -> Entry {
    let mut entry = entry.clone();
    entry.place = entry.place.filter(|_| is_of_this_build);
    entry
}

/// A total order, simplest first, so that all workers keep the same entry.
pub(in crate::corpus) fn by_size(a: &Entry, b: &Entry) -> Ordering {
    let sizes = a.case.sequence.cmp(&b.case.sequence).then(a.case.steps.len().cmp(&b.case.steps.len()));
    sizes.then(a.before.len().cmp(&b.before.len())).then_with(|| a.id().cmp(&b.id()))
}

/// Returns whether two counterexamples of a property show the same bug, as the library decides it: by the shape of their
/// messages, and by their places if both are known. The places must be those of one build.
pub(in crate::corpus) fn same_bug(a: &Entry, b: &Entry) -> bool {
    same_failure((&a.message, a.place.as_deref()), (&b.message, b.place.as_deref()))
}

/// Returns whether two messages have the same shape.
pub(in crate::corpus) fn same_message(a: &str, b: &str) -> bool {
    same_failure((a, None), (b, None))
}

/// Returns whether two failures, each a message and a place of one build, are the same bug.
pub(in crate::corpus) fn same_failure(a: (&str, Option<&str>), b: (&str, Option<&str>)) -> bool {
    let are_placed = a.1.is_some() && b.1.is_some();
    let failure = |(message, place): (&str, Option<&str>)| {
        let mut failure = Failure::new(FailureKind::Panic, message);
        let location = |place| Location { file: short(place), line: 0, column: 0 };
        failure.location = place.filter(|_| are_placed).map(location);
        failure
    };
    failure(a).same_origin(&failure(b))
}

/// The number of the last components of an absolute path that are compared: workers have the sources of dependencies and
/// of the standard library in different folders.
const COMPONENTS: usize = 3;

/// Returns a place without the folder that differs between machines.
fn short(place: &str) -> String {
    let is_absolute = place.starts_with(['/', '\\']) || place.get(1..2) == Some(":");
    if !is_absolute {
        return place.to_owned();
    }
    let components: Vec<&str> = place.rsplit(['/', '\\']).take(COMPONENTS).collect();
    components.into_iter().rev().collect::<Vec<_>>().join("/")
}

/// Returns the file of a place, without line and column.
pub(in crate::corpus) fn file_of(place: &str) -> String {
    short(place).rsplitn(3, ':').last().unwrap_or_default().to_owned()
}

fn sighting(entry: &Entry, fails: bool) -> Sighting {
    let message = entry.message.lines().next().unwrap_or_default().chars().take(MOST_CHARACTERS).collect();
    Sighting { id: entry.id().to_string(), message, fails, place: entry.place.clone(), ..Sighting::default() }
}
