//! The connection to a corpus: retries while it is unreachable, the queue of unsent entries, and messages.

mod errors;

pub(crate) use errors::{is_of_one_place, trouble};

use super::outbox::Outbox;
use super::{Corpus, Found, exchange};
use crate::process;
use crate::words::{self, count, shell_word};
use errors::Meaning;
use forall::store::{Entry, Id, Kind, StoreError};
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// The first and the longest delay before a retry; the delay doubles.
const WAITS: (Duration, Duration) = (Duration::from_millis(500), Duration::from_secs(30));

/// The number of unreadable entries, and of waiting failures, that are named; the rest are counted.
const NAMED: usize = 3;

/// The time that a worker with unsent failures waits for the corpus before it exits.
const FAREWELL: Duration = Duration::from_secs(10);

/// The same for a worker that was told to stop: with the time that its test program has, less than the ten seconds that
/// some schedulers wait before they kill it.
const FAREWELL_WHEN_STOPPED: Duration = Duration::from_secs(5);

/// The interval between attempts during that time.
const AGAIN: Duration = Duration::from_millis(200);

/// A corpus that may be unreachable.
pub struct Link {
    corpus: Box<dyn Corpus>,
    /// Set while the corpus is unreachable.
    away: Option<Outage>,
    /// Set while the corpus refuses changes.
    refuses: Option<Outage>,
    said: Vec<String>,
    refused: usize,
    /// The messages about keys or folders with other data.
    places: BTreeSet<String>,
    outbox: Outbox,
    /// The last epoch of the corpus, and the number of its changes.
    epoch: (Option<String>, u64),
    /// The statistics that this worker has sent, in case the corpus loses them.
    told: Vec<(PathBuf, Entry)>,
    /// The progress that this worker has saved, by its name, for the same reason.
    progress: BTreeMap<String, Entry>,
    /// The other workers' failures that pass here.
    stale: BTreeSet<(String, Id)>,
}

/// The next attempt and its delay.
#[derive(Clone, Copy, Debug)]
struct Outage {
    next: Instant,
    wait: Duration,
}

impl Outage {
    /// Returns the outage after another failed attempt.
    fn after(before: Option<Self>) -> Self {
        let wait = before.map_or(WAITS.0, |outage| (outage.wait * 2).min(WAITS.1));
        Self { next: Instant::now() + wait, wait }
    }

    /// Returns whether it is too early for another attempt.
    fn lasts(outage: Option<Self>) -> bool {
        outage.is_some_and(|outage| Instant::now() < outage.next)
    }
}

impl Link {
    /// Creates a connection.
    pub fn new(corpus: Box<dyn Corpus>) -> Self {
        Self {
            corpus,
            away: None,
            refuses: None,
            said: Vec::new(),
            refused: 0,
            places: BTreeSet::new(),
            outbox: Outbox::default(),
            epoch: (None, 0),
            told: Vec::new(),
            progress: BTreeMap::new(),
            stale: BTreeSet::new(),
        }
    }

    /// Returns whether the last attempt failed.
    pub fn is_away(&self) -> bool {
        self.away.is_some()
    }

    /// Returns whether it is too early for an attempt to change the corpus.
    pub fn is_closed(&self) -> bool {
        Outage::lasts(self.away) || Outage::lasts(self.refuses)
    }

    /// Returns the corpus's name.
    pub fn name(&self) -> &str {
        self.corpus.name()
    }

    /// Returns whether other workers saved entries.
    pub fn has_news(&self) -> bool {
        self.corpus.has_news()
    }

    /// Records failures of a property that pass here: they stay in the corpus, but are not replayed again.
    pub fn are_stale(&mut self, property: &str, ids: Vec<Id>) {
        self.stale.extend(ids.into_iter().map(|id| (property.to_owned(), id)));
    }

    /// Returns the failures of a property that pass here.
    pub fn stale_of(&self, property: &str) -> BTreeSet<Id> {
        self.stale.iter().filter(|(other, _)| other == property).map(|(_, id)| *id).collect()
    }

    /// Adds a message.
    pub fn note(&mut self, line: String) {
        self.said.push(line);
    }

    /// Makes the next attempt happen at once.
    pub fn hurry(&mut self) {
        for outage in [&mut self.away, &mut self.refuses].into_iter().flatten() {
            outage.next = Instant::now();
        }
    }

    /// Reads from the corpus; `None` while it is unreachable, or if the key or folder has other data.
    pub fn ask<T>(&mut self, request: impl FnOnce(&dyn Corpus) -> Result<T, StoreError>) -> Option<T> {
        if Outage::lasts(self.away) {
            return None;
        }
        let answer = request(&*self.corpus);
        self.answered(answer, false)
    }

    /// Changes the corpus; `None` while it is unreachable or refuses changes, or if the key or folder has other data.
    pub fn change<T>(&mut self, request: impl FnOnce(&dyn Corpus) -> Result<T, StoreError>) -> Option<T> {
        if self.is_closed() {
            return None;
        }
        let answer = request(&*self.corpus);
        self.answered(answer, true)
    }

    fn answered<T>(&mut self, answer: Result<T, StoreError>, changes: bool) -> Option<T> {
        let name = self.corpus.name();
        let error = match answer {
            Ok(answer) => {
                if self.away.take().is_some() {
                    self.said.push(format!("forall: the corpus {name} is reachable again"));
                }
                if changes && self.refuses.take().is_some() {
                    self.said.push(format!("forall: the corpus {name} accepts entries again"));
                }
                return Some(answer);
            }
            Err(error) => error,
        };
        let (outage, what) = match errors::meaning(&error, changes) {
            Meaning::Place => {
                let text = errors::place(name, &error);
                if self.places.insert(text.clone()) && self.places.len() <= NAMED {
                    self.said.push(format!("forall: warning: {text}"));
                }
                return None;
            }
            Meaning::Away => (&mut self.away, "reachable again"),
            Meaning::Refuses => (&mut self.refuses, "writable again"),
        };
        if outage.is_none() {
            let trouble = trouble(name, &error);
            self.said.push(format!(
                "forall: warning: {trouble}. Failures are saved here and sent when the corpus is {what}"
            ));
        }
        *outage = Some(Outage::after(*outage));
        None
    }

    /// Adds a local store, from which queued entries are sent.
    pub fn add_store(&mut self, store: &Path) {
        self.outbox.add(store);
    }

    /// Sends an entry. If the corpus does not accept it, queues it in the local store. Returns whether it is in the
    /// corpus.
    pub fn send(&mut self, store: &Path, entry: &Entry) -> bool {
        let is_sent = self.change(|corpus| corpus.entries(entry.kind).save(entry)).is_some();
        match is_sent {
            true => self.outbox.remove(store, &entry.property, entry.id()),
            // A full disk is reported when failures are saved.
            false => drop(self.outbox.put(store, entry)),
        }
        is_sent
    }

    /// Sends a worker's statistics.
    pub fn send_statistics(&mut self, store: &Path, told: Entry) {
        self.send(store, &told);
        self.told.push((store.to_owned(), told));
    }

    /// Saves progress. It is not queued: the next one replaces it. Returns its id, if it is in the corpus.
    pub fn save_progress(&mut self, entry: Entry) -> Option<Id> {
        let id = self.change(|corpus| corpus.entries(Kind::Progress).save(&entry));
        self.progress.insert(entry.property.clone(), entry);
        id
    }

    /// Returns how often the corpus has lost its entries. On a new loss, all local failures are sent again, with the
    /// statistics and the progress of this worker.
    pub fn losses(&mut self) -> u64 {
        if let Some(Some(now)) = self.ask(|corpus| corpus.epoch()) {
            let changed_here = self.epoch.0.replace(now.clone()).is_some_and(|before| before != now);
            if self.outbox.saw(self.corpus.name(), &now) || changed_here {
                self.epoch.1 += 1;
                self.said.push(format!(
                    "forall: warning: the corpus {} has lost entries: it was emptied, replaced, or restored from an older \
                     copy. The entries that are here are sent again",
                    self.corpus.name()
                ));
                self.outbox.fill();
                for (store, told) in &self.told {
                    self.outbox.put(store, told);
                }
                self.send_waiting();
                for entry in std::mem::take(&mut self.progress).into_values() {
                    self.save_progress(entry);
                }
            }
        }
        self.epoch.1
    }

    /// Removes a queued failure that a smaller one replaced.
    pub fn withdraw(&mut self, store: &Path, property: &str, id: Id) {
        self.outbox.remove(store, property, id);
    }

    /// Sends all queued entries, of all properties.
    pub fn send_waiting(&mut self) {
        let mut outbox = std::mem::take(&mut self.outbox);
        outbox.empty(&mut |entry| self.change(|corpus| corpus.entries(entry.kind).save(entry)).is_some());
        self.outbox = outbox;
    }

    /// Sends all queued entries before the worker exits, and waits a while for the corpus if there are failures among
    /// them; less if the worker was told to stop. `waits` is called with the messages after each failed attempt, and ends
    /// the wait by returning `true`. Returns whether all failures are in the corpus.
    pub fn farewell(&mut self, is_stopped: bool, waits: &mut dyn FnMut(&str) -> bool) -> bool {
        let limit = if is_stopped { FAREWELL_WHEN_STOPPED } else { FAREWELL };
        let (began, mut is_first) = (Instant::now(), true);
        loop {
            self.hurry();
            self.send_waiting();
            let waiting = self.waiting_failures().len();
            if waiting == 0 {
                return true;
            }
            if std::mem::take(&mut is_first) {
                let failures = count(waiting as u64, "failure");
                self.said.push(format!(
                    "forall: waiting up to {} to send {failures} to the corpus; Ctrl-C stops this",
                    words::seconds(limit.as_secs_f64())
                ));
            }
            let said = self.take_said();
            if waits(&said) || began.elapsed() >= limit {
                return false;
            }
            std::thread::sleep(AGAIN);
        }
    }

    /// Returns the number of failures that wait for the corpus.
    pub fn waiting(&self) -> usize {
        self.waiting_failures().len()
    }

    fn waiting_failures(&self) -> Vec<Entry> {
        self.outbox.entries().into_iter().filter(|entry| entry.kind == Kind::Failure).collect()
    }

    /// Fetches an entry. An unreadable entry is counted and left in place.
    pub fn fetch(&mut self, kind: Kind, property: &str, id: Id) -> Option<Entry> {
        match self.ask(|corpus| super::fetch(corpus, kind, property, id))? {
            Found::Entry(entry) => Some(*entry),
            Found::Nothing => None,
            Found::Nonsense(why) => {
                self.refused += 1;
                if self.refused <= NAMED {
                    let name = self.corpus.name();
                    self.said.push(format!("forall: warning: skipped entry {id} of the corpus {name}: {why}"));
                }
                None
            }
        }
    }

    /// Returns and clears the messages since the last call.
    pub fn take_said(&mut self) -> String {
        self.said.drain(..).map(|line| line + "\n").collect()
    }

    /// Returns the messages at the end of a run.
    pub fn summary(&mut self) -> String {
        if self.refused > NAMED {
            let refused = count((self.refused - NAMED) as u64, "more entry");
            self.said.push(format!("forall: warning: {refused} of the corpus cannot be read"));
        }
        if self.places.len() > NAMED {
            let places = count((self.places.len() - NAMED) as u64, "more part");
            self.said.push(format!("forall: warning: {places} of the corpus have other data and are skipped"));
        }
        if !self.stale.is_empty() {
            let which = count(self.stale.len() as u64, "counterexample");
            let (verb, they) = if self.stale.len() == 1 { ("does", "it stays") } else { ("do", "they stay") };
            self.said
                .push(format!("forall: {which} of the corpus {verb} not fail in this build; {they} in the corpus"));
        }
        let waiting = self.outbox.entries();
        if !waiting.is_empty() {
            let verb = if waiting.len() == 1 { "waits" } else { "wait" };
            self.said.push(format!(
                "forall: warning: {} {verb} in {} for the corpus; the next run here with --corpus sends waiting entries",
                count(waiting.len() as u64, "entry"),
                crate::results::store_shown()
            ));
        }
        // The log may be all that remains of this machine.
        let failures: Vec<Entry> = waiting.into_iter().filter(|entry| entry.kind == Kind::Failure).collect();
        if !failures.is_empty() {
            let many = count(failures.len() as u64, "failure");
            self.said.push(format!("forall: warning: {many} not in the corpus; to replay:"));
        }
        for entry in failures.iter().take(NAMED) {
            let request = exchange::replay(entry).to_string();
            let case = request.rsplit(' ').next().unwrap_or_default();
            let beside = match process::threads_at_once(entry.beside) {
                Some((variable, threads)) => format!("{variable}={threads} "),
                None => String::new(),
            };
            self.said.push(format!("    {beside}forall replay {} {case}", shell_word(&entry.property)));
        }
        if failures.len() > NAMED {
            self.said.push(format!("    and {} more, in {}", failures.len() - NAMED, crate::results::store_shown()));
        }
        self.take_said()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use forall::run::Case;
    use forall::store::{Backend, Memory};
    use std::io;
    use std::sync::Arc;
    use std::sync::atomic::{AtomicBool, Ordering};

    struct Shaky {
        memory: Memory,
        away: Arc<AtomicBool>,
    }

    impl Corpus for Shaky {
        fn entries(&self, _: Kind) -> &dyn Backend {
            &self.memory
        }

        fn properties(&self) -> Result<BTreeSet<String>, StoreError> {
            match self.away.load(Ordering::Relaxed) {
                true => Err(StoreError::io("reach", "it", &io::Error::other("no route to host"))),
                false => Ok(BTreeSet::new()),
            }
        }

        fn name(&self) -> &str {
            "shaky"
        }
    }

    #[test]
    fn an_unreachable_corpus_is_reported_once_and_retried() {
        let away = Arc::new(AtomicBool::new(true));
        let mut link = Link::new(Box::new(Shaky { memory: Memory::new(), away: away.clone() }));
        for _ in 0..3 {
            assert!(link.ask(|corpus| corpus.properties()).is_none());
            link.hurry();
        }
        let said = link.take_said();
        assert!(said.lines().count() == 1 && said.contains("shaky cannot be reached: no route to host"), "{said}");
        away.store(false, Ordering::Relaxed);
        assert!(link.ask(|corpus| corpus.properties()).is_some());
        assert_eq!(link.take_said(), "forall: the corpus shaky is reachable again\n");
    }

    #[test]
    fn places_with_other_data_are_counted_and_the_corpus_stays_usable() {
        let mut link = Link::new(Box::new(Shaky { memory: Memory::new(), away: Arc::default() }));
        for key in 0..5 {
            let error = io::Error::new(io::ErrorKind::InvalidData, format!("key {key}"));
            assert_eq!(link.ask(|_| Err::<(), _>(StoreError::io("list", "shaky", &error))), None);
        }
        assert!(!link.is_away() && link.ask(|corpus| corpus.properties()).is_some());
        let said = link.summary();
        assert_eq!(said.matches("has other data and is skipped: key").count(), 3, "{said}");
        assert!(said.contains("2 more parts of the corpus have other data and are skipped"), "{said}");
    }

    #[test]
    fn a_corpus_that_refuses_changes_can_be_read() {
        let mut link = Link::new(Box::new(Shaky { memory: Memory::new(), away: Arc::default() }));
        let refuses = io::Error::new(io::ErrorKind::ReadOnlyFilesystem, "read-only");
        assert_eq!(link.change(|_| Err::<(), _>(StoreError::io("save to", "shaky", &refuses))), None);
        assert!(link.is_closed() && !link.is_away() && link.ask(|corpus| corpus.properties()).is_some());
        link.hurry();
        assert!(link.change(|_| Ok(())).is_some());
        assert!(link.take_said().ends_with("the corpus shaky accepts entries again\n"));
    }

    #[test]
    fn an_entry_of_another_kind_is_refused() {
        let shaky = Shaky { memory: Memory::new(), away: Arc::default() };
        let id = shaky.memory.save(&Entry::seed("a", Case::default())).unwrap();
        let mut link = Link::new(Box::new(shaky));
        assert_eq!(link.fetch(Kind::Failure, "a", id), None);
        assert!(link.take_said().contains(": it is a seed"));
    }
}
