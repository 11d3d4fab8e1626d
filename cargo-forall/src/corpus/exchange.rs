//! The exchange of entries between one property's worker and the corpus.
//!
//! Before the property runs, failures of other workers are copied into the local store: the property replays them first.
//! While it runs, its failures are sent as soon as they are in the local store, which is before they are shrunk; a failure
//! that a smaller one replaces is deleted. At the end all local entries are in the corpus, with the smallest counterexample
//! of each bug that was seen here. Only an entry that failed in this build may replace another, so forged entries and those
//! of other builds cannot.
//!
//! Entries of other workers (failures, inputs for a coverage-guided search, the best input of a targeted one) are
//! fetched when the corpus announces them, or periodically if it has no announcements.

mod arrivals;
mod best;
mod failures;
mod inputs;
#[cfg(test)]
mod tests;

pub(super) use failures::{by_size, file_of, same_bug, same_failure, same_message};

use super::link::Link;
use super::told::{Line, Sighting};
use crate::build::Binary;
use crate::process::Ended;
use crate::properties::Property;
use crate::screen::{Screen, aside, visible};
use crate::{Error, interrupt, results};
use best::Best;
use failures::Failures;
use forall::protocol::{Encode as _, Finished, Replayed, Request, Verdict};
use forall::store::{Entry, Id};
use inputs::Inputs;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// The interval at which the local store is read.
const SEND: Duration = Duration::from_millis(100);

/// The interval at which a corpus without announcements is listed.
const LOOK: Duration = Duration::from_secs(1);

/// The entries that are exchanged in addition to failures.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Also {
    /// None: random tests do not depend on other workers.
    Nothing,
    /// The inputs of a coverage-guided search.
    Inputs,
    /// The best input of a targeted search.
    Best,
}

/// The exchange of one property.
pub struct Exchange {
    property: String,
    failures: Failures,
    inputs: Option<Inputs>,
    best: Option<Best>,
    best_folder: PathBuf,
    store: PathBuf,
    /// The number of times that the corpus had lost its entries at the last check.
    losses: u64,
    /// The times at which the local store and the corpus are read next.
    next: (Instant, Instant),
}

/// Returns the local store of a package. A worker needs one: failures wait there.
pub fn store(package: &Path) -> Result<PathBuf, Error> {
    let read_only = std::env::var("FORALL_READ_ONLY").is_ok_and(|value| !matches!(&*value, "" | "0" | "off"));
    results::local_store(package).filter(|_| !read_only).ok_or_else(|| {
        "--corpus needs a local store, where failures wait while the corpus is unreachable: unset FORALL_STORE=off and \
         FORALL_READ_ONLY"
            .into()
    })
}

/// Adds the local stores of these programs, and sends their waiting entries, of all properties.
pub fn send_waiting(link: &mut Link, binaries: &[Binary]) {
    for binary in binaries {
        if let Ok(store) = store(&binary.package_directory) {
            link.add_store(&store);
        }
    }
    link.send_waiting();
}

/// Sends what waits before the worker exits, and prints what happened. Returns whether all failures are in the corpus.
pub fn leave(link: &mut Link) -> bool {
    let (screen, pressed) = (Screen::of_this_process(), interrupt::pressed());
    let all_sent = link.farewell(interrupt::came(), &mut |said| {
        aside(&screen.shown(said));
        interrupt::pressed() > pressed
    });
    aside(&screen.shown(&link.summary()));
    all_sent
}

impl Exchange {
    /// Begins the exchange, and fetches failures of other workers.
    pub fn begin(link: &mut Link, property: &Property, also: Also) -> Result<Self, Error> {
        let (root, name) = (store(&property.binary.package_directory)?, &property.name);
        let now = Instant::now();
        link.add_store(&root);
        let losses = link.losses();
        link.send_waiting();
        let mut exchange = Self {
            property: name.clone(),
            failures: Failures::begin(link, &root, name)?,
            inputs: (also == Also::Inputs).then(|| Inputs::new(&root, name)),
            best: (also == Also::Best).then(|| Best::new(&root, name)),
            best_folder: best::folder(&root),
            store: root,
            losses,
            next: (now, now + LOOK),
        };
        exchange.look(link);
        Ok(exchange)
    }

    /// Returns the folder through which a targeted search shares its best input; `None` for other searches.
    pub fn best_folder(&self) -> Option<&Path> {
        self.best.is_some().then_some(&*self.best_folder)
    }

    /// Sends the running property's entries, and fetches those of other workers.
    pub fn tick(&mut self, link: &mut Link) {
        let now = Instant::now();
        if now < self.next.0 {
            return;
        }
        self.next.0 = now + SEND;
        self.failures.send(link);
        let is_due = now >= self.next.1;
        if is_due {
            self.next.1 = now + LOOK;
            self.notice_losses(link);
        }
        if link.has_news() || is_due {
            link.send_waiting();
            self.hear_of_failures(link);
            self.look(link);
        }
    }

    /// Sends the property's failures at once: they are about to be reported.
    pub fn send(&mut self, link: &mut Link) {
        self.failures.send(link);
    }

    /// Restarts the exchange if the corpus has lost its entries.
    fn notice_losses(&mut self, link: &mut Link) {
        let losses = link.losses();
        if losses > self.losses {
            self.losses = losses;
            self.failures.begin_again();
            self.inputs = self.inputs.take().map(|_| Inputs::new(&self.store, &self.property));
            self.best = self.best.take().map(|_| Best::new(&self.store, &self.property));
        }
    }

    /// Exchanges inputs.
    fn look(&mut self, link: &mut Link) {
        if let Some(inputs) = &mut self.inputs {
            inputs.exchange(link);
        }
        if let Some(best) = &mut self.best {
            best.exchange(link);
        }
    }

    /// Fetches failures that other workers found meanwhile, and reports them.
    fn hear_of_failures(&mut self, link: &mut Link) {
        // A full disk is reported where the property's own failures are saved.
        let came = self.failures.fetch(link).unwrap_or_default();
        if let Some(first) = came.first() {
            let message = visible(first.message.lines().next().unwrap_or_default());
            let says = if message.is_empty() { String::new() } else { format!(": {message}") };
            let what = if came.len() == 1 { "a counterexample" } else { &format!("{} counterexamples", came.len()) };
            link.note(format!(
                "forall: another worker found {what} of {}{says}. The next run here replays it first",
                self.property
            ));
        }
    }

    /// Ends the exchange. `told` is the worker's statistics, and `stale` the other workers' failures that pass here.
    /// `replayed` reruns an input and returns the entry as it fails in this build; `None` if it passes. On return, all
    /// failures are in the corpus, or queued locally because it is unreachable.
    pub fn end(
        mut self,
        link: &mut Link,
        told: &Line,
        stale: Vec<Id>,
        replayed: &mut dyn FnMut(&Entry) -> Option<Entry>,
    ) {
        link.are_stale(&self.property, stale);
        self.notice_losses(link);
        self.failures.send(link);
        self.look(link);
        self.failures.send_all(link);
        self.failures.keep_the_smallest(link, replayed);
        link.send_statistics(&self.store, Entry::statistics(&*self.property, told.encode()));
        link.send_waiting();
    }

    /// Returns the other workers' failures that passed when a run replayed them.
    pub fn stale(&self, ended: &Ended) -> Vec<Id> {
        let passed = replayed(ended).filter(|(id, fails)| self.failures.is_fetched(*id) && !fails);
        passed.map(|(id, _)| id).collect()
    }

    /// Returns the failures that the run saw. `replayed_all` is whether it replayed all failures that were there before
    /// it; `ended` is its result, unless it was a search, which does not report them one by one.
    pub fn sightings(&self, replayed_all: bool, ended: Option<&Ended>) -> Vec<Sighting> {
        let confirmed: Option<BTreeSet<Id>> =
            ended.map(|ended| replayed(ended).filter(|(_, fails)| *fails).map(|(id, _)| id).collect());
        self.failures.sightings(replayed_all, confirmed.as_ref())
    }

    /// Returns the other workers' failures that passed in a search without findings, which replays all of them first.
    pub fn forgotten(&self) -> Vec<Id> {
        self.failures.forgotten()
    }
}

/// Returns the saved failures that a run replayed, and whether each still fails.
fn replayed(ended: &Ended) -> impl Iterator<Item = (Id, bool)> {
    ended.all().filter_map(|Replayed { origin, fact, .. }: &Replayed| {
        let id = Path::new(origin).file_stem()?.to_str()?.parse::<Id>().ok()?;
        Some((id, fact.as_ref().is_some_and(|fact| fact.name == "still-fails")))
    })
}

/// Returns an entry as its replay saw it fail: with the message and the place of this build. `None` if it passed.
/// `finished` is the replay's last event; without one, the process crashed or was killed if `succeeded` is false.
pub fn as_it_fails(entry: &Entry, finished: Option<&Finished>, succeeded: bool) -> Option<Entry> {
    let Some(finished) = finished else { return (!succeeded).then(|| entry.clone()) };
    (finished.verdict == Verdict::Failed).then(|| {
        let mut entry = entry.clone();
        if let Some(found) = &finished.counterexample {
            (entry.message, entry.place) = (found.message.clone(), found.location.clone());
        }
        entry
    })
}

/// Returns the request that replays an entry's input.
pub fn replay(entry: &Entry) -> Request {
    let (case, shape) = (entry.case.clone(), entry.case.sequence.shape());
    Request::Replay { property: entry.property.clone(), case, shape, before: entry.before.clone() }
}
