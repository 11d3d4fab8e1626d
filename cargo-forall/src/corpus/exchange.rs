//! What one property's worker and the corpus tell each other.
//!
//! Before the property runs, the failures that others found are put among the local finds: the property tries them first.
//! While it runs, what it finds is sent as soon as it is in the local store, which is before it is made smaller; what a smaller one has
//! taken the place of is deleted again. At the end everything that is here is there, and of each bug that was seen here the
//! smallest counterexample is left. Only what was seen to fail in this build may take the place of another: an entry that
//! somebody made up, or of another build, cannot.
//!
//! What others find meanwhile comes as soon as the corpus tells of it, and now and then where it cannot: failures, inputs for a search
//! guided by coverage, the best input for a targeted one.

mod arrivals;
mod best;
mod failures;
mod inputs;
#[cfg(test)]
mod tests;

pub(super) use failures::{by_size, same_bug};

use super::link::Link;
use crate::process::Ended;
use crate::properties::Property;
use crate::screen::visible;
use crate::{Error, results};
use best::Best;
use failures::Failures;
use forall::protocol::{Replayed, Request};
use forall::store::{Backend, Directory, Entry, Id, Kind};
use inputs::Inputs;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// So often it is looked whether something was found here.
const SEND: Duration = Duration::from_millis(100);

/// So often it is looked what came to the corpus, where nobody tells of it.
const LOOK: Duration = Duration::from_secs(1);

/// What is exchanged beside failures.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Also {
    /// Nothing: what a test does not depend on what others do.
    Nothing,
    /// The inputs of a search guided by coverage.
    Inputs,
    /// The best input of a targeted search.
    Best,
}

/// What is exchanged for one property.
pub struct Exchange {
    property: String,
    failures: Failures,
    inputs: Option<Inputs>,
    best: Option<Best>,
    best_folder: PathBuf,
    /// What waits to be sent and is of no use here.
    unsent: Directory,
    /// When it is next looked what is here, and what is there.
    next: (Instant, Instant),
}

/// Where local finds of a package are. A worker cannot be without: what it finds waits there.
pub fn store(package: &Path) -> Result<PathBuf, Error> {
    let read_only = std::env::var("FORALL_READ_ONLY").is_ok_and(|value| !matches!(&*value, "" | "0" | "off"));
    results::local_store(package).filter(|_| !read_only).ok_or_else(|| {
        "--corpus needs a local store, where finds wait while the corpus cannot be reached: unset FORALL_STORE=off and \
         FORALL_READ_ONLY"
            .into()
    })
}

impl Exchange {
    /// Fetches what others found.
    pub fn begin(link: &mut Link, property: &Property, also: Also) -> Result<Self, Error> {
        let (root, name) = (store(&property.binary.package_directory)?, &property.name);
        let now = Instant::now();
        let mut exchange = Self {
            property: name.clone(),
            failures: Failures::begin(link, &root, name)?,
            inputs: (also == Also::Inputs).then(|| Inputs::new(&root, name)),
            best: (also == Also::Best).then(|| Best::new(&root, name)),
            best_folder: best::folder(&root),
            unsent: Directory::new(root.join("unsent")),
            next: (now, now + LOOK),
        };
        exchange.look(link);
        Ok(exchange)
    }

    /// The folder by which a targeted search shares its best input, if this is one.
    pub fn best_folder(&self) -> Option<&Path> {
        self.best.is_some().then_some(&*self.best_folder)
    }

    /// While the property runs: sends what it found, and fetches what others found.
    pub fn tick(&mut self, link: &mut Link) {
        let now = Instant::now();
        if now < self.next.0 {
            return;
        }
        self.next.0 = now + SEND;
        self.failures.send(link);
        if link.has_news() || now >= self.next.1 {
            self.next.1 = now + LOOK;
            self.hear_of_failures(link);
            self.look(link);
        }
    }

    /// Sends what the property found, at once: it is about to be told.
    pub fn send(&mut self, link: &mut Link) {
        self.failures.send(link);
    }

    /// Inputs, to and fro.
    fn look(&mut self, link: &mut Link) {
        if let Some(inputs) = &mut self.inputs {
            inputs.exchange(link);
        }
        if let Some(best) = &mut self.best {
            best.exchange(link);
        }
    }

    /// Fetches what others found meanwhile, and says so.
    fn hear_of_failures(&mut self, link: &mut Link) {
        // A disk that is full is told where the property's own finds are kept.
        let came = self.failures.fetch(link).unwrap_or_default();
        if let Some(first) = came.first() {
            let message = visible(first.message.lines().next().unwrap_or_default());
            let says = if message.is_empty() { String::new() } else { format!(": {message}") };
            let what = if came.len() == 1 { "a counterexample" } else { &format!("{} counterexamples", came.len()) };
            link.say(format!(
                "forall: another worker has found {what} of {}{says}. The next run here tries it first",
                self.property
            ));
        }
    }

    /// The property has ended; `told` is what the worker says of it, as JSON, and `stale` which failures of others do not fail here.
    /// `fails` runs an input once more and says whether it fails. When this returns, everything that was found is in the corpus, or
    /// waits here because it cannot be reached.
    pub fn end(mut self, link: &mut Link, told: &str, stale: Vec<Id>, fails: &mut dyn FnMut(&Entry) -> bool) {
        link.are_stale(&self.property, stale);
        self.failures.send(link);
        self.look(link);
        let mut waiting = self.failures.send_all(link);
        self.failures.keep_the_smallest(link, fails);
        let told = Entry::statistics(&*self.property, told);
        if self.unsent.save(&told).is_err() {
            // It cannot wait here. (A full disk is told where failures are kept.)
            let _ = link.ask(|corpus| corpus.entries(Kind::Statistics).save(&told));
        }
        for id in self.unsent.list(&self.property, None).unwrap_or_default().ids {
            let Ok(Some(entry)) = self.unsent.fetch(&self.property, id) else { continue };
            match link.ask(|corpus| corpus.entries(Kind::Statistics).save(&entry)) {
                Some(_) => drop(self.unsent.delete(&self.property, id)),
                None => waiting.push(id),
            }
        }
        link.waits(&self.property, waiting);
    }

    /// Which of the failures that others found do not fail here, by what a run told of those that it tried again.
    pub fn stale(&self, ended: &Ended) -> Vec<Id> {
        let stale = |Replayed { origin, fact, .. }: &Replayed| {
            let id = Path::new(origin).file_stem()?.to_str()?.parse::<Id>().ok()?;
            let fails = fact.as_ref().is_some_and(|fact| fact.name == "still-fails");
            (self.failures.is_fetched(id) && !fails).then_some(id)
        };
        ended.all().filter_map(stale).collect()
    }

    /// The same of a search that found nothing: it tries all of them first, and those that do not fail are forgotten.
    pub fn forgotten(&self) -> Vec<Id> {
        self.failures.forgotten()
    }
}

/// What asks a test program to run an entry's input once more: see `forall::run::protocol`.
pub fn replay(entry: &Entry) -> Request {
    let (case, shape) = (entry.case.clone(), entry.case.sequence.shape());
    Request::Replay { property: entry.property.clone(), case, shape, before: entry.before.clone() }
}
