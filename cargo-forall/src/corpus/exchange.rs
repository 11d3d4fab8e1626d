//! What one property's worker and the corpus tell each other.
//!
//! Before the property runs, the failures that others found are put among the local finds: the property tries them first.
//! While it runs, what it finds is sent as soon as it is in the local store, which is before it is made smaller; what a smaller one has
//! taken the place of is deleted again. At the end everything that is here is there, and of each bug that was seen here the
//! smallest counterexample is left. Only what was seen to fail in this build may take the place of another: an entry that
//! somebody made up, or of another build, cannot.

use super::link::Link;
use crate::process::Ended;
use crate::properties::Property;
use crate::{Error, results};
use forall::property::{Failure, FailureKind};
use forall::report::advice::still_fails;
use forall::store::{Backend, Cursor, Directory, Entry, Id, Kind, Seeds};
use std::cmp::Ordering;
use std::collections::{BTreeMap, BTreeSet};
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// So often it is looked whether something was found here.
const SEND: Duration = Duration::from_millis(100);

/// So often inputs of a search guided by coverage are exchanged.
const SEEDS: Duration = Duration::from_secs(1);

/// More failures of one property are not fetched: nobody looks at so many.
const MOST_FAILURES: usize = 1000;

/// More inputs are not fetched at once, so that nothing else waits for long.
const MOST_SEEDS: usize = 1000;

/// What is exchanged for one property.
pub struct Exchange {
    property: String,
    local: Directory,
    /// What waits to be sent and is of no use here.
    unsent: Directory,
    /// Failures that were here before the property ran: whether they still fail is not known.
    before: BTreeSet<Id>,
    /// Those of them that came from others.
    fetched: BTreeSet<Id>,
    /// Failures that were found here and are in the corpus, as they were sent: what they say to people comes after what they are.
    sent: BTreeMap<Id, String>,
    next: Instant,
    inputs: Option<Inputs>,
}

/// The inputs of a search guided by coverage.
struct Inputs {
    here: Seeds,
    /// The files that were seen here.
    known: BTreeSet<OsString>,
    /// What was seen there.
    there: BTreeSet<Id>,
    cursor: Option<Cursor>,
    next: Instant,
    /// What is to be sent.
    queue: Vec<Entry>,
    /// What is to be fetched.
    wanted: Vec<Id>,
}

/// Where local finds of a package are. A worker cannot be without: what it finds waits there.
pub fn store(package: &Path) -> Result<PathBuf, Error> {
    let read_only = std::env::var("FORALL_READ_ONLY").is_ok_and(|value| !matches!(&*value, "" | "0" | "off"));
    results::local_store(package).filter(|_| !read_only).ok_or_else(|| {
        "--corpus needs a local store, where finds wait while the corpus cannot be reached: unset FORALL_STORE=off and \
         FORALL_READ_ONLY"
            .to_owned()
    })
}

impl Exchange {
    /// Fetches what others found. With `inputs`, those of a search guided by coverage, too.
    pub fn begin(link: &mut Link, property: &Property, inputs: bool) -> Result<Self, Error> {
        let root = store(&property.binary.package_directory)?;
        let now = Instant::now();
        let mut exchange = Self {
            property: property.name.clone(),
            local: Directory::new(&root).ignored_by_git(),
            unsent: Directory::new(root.join("unsent")),
            before: BTreeSet::new(),
            fetched: BTreeSet::new(),
            sent: BTreeMap::new(),
            next: now,
            inputs: inputs.then(|| Inputs {
                here: Seeds::new(&root, &property.name),
                known: BTreeSet::new(),
                there: BTreeSet::new(),
                cursor: None,
                next: now,
                queue: Vec::new(),
                wanted: Vec::new(),
            }),
        };
        exchange.before = exchange.here();
        let there = link.ask(|corpus| corpus.entries(Kind::Failure).list(&exchange.property, None)).unwrap_or_default();
        for &id in there.ids.iter().take(MOST_FAILURES) {
            if exchange.before.contains(&id) {
                continue;
            }
            if let Some(entry) = link.fetch(Kind::Failure, &exchange.property, id) {
                exchange.local.save(&entry).map_err(|error| error.to_string())?;
                exchange.before.insert(id);
                exchange.fetched.insert(id);
            }
        }
        exchange.exchange_inputs(link);
        Ok(exchange)
    }

    /// While the property runs: sends what it found, now and then.
    pub fn tick(&mut self, link: &mut Link) {
        let now = Instant::now();
        if now < self.next {
            return;
        }
        self.next = now + SEND;
        self.send(link);
        if self.inputs.as_ref().is_some_and(|inputs| now >= inputs.next || link.has_news()) {
            self.exchange_inputs(link);
        }
    }

    /// The property has ended; `told` is what the worker says of it, as JSON. `fails` runs an input once more and says whether it
    /// fails. When this returns, everything that was found is in the corpus, or waits here because it cannot be reached.
    pub fn end(mut self, link: &mut Link, told: &str, stale: usize, fails: &mut dyn FnMut(&Entry) -> bool) {
        link.stale += stale;
        self.send(link);
        self.exchange_inputs(link);
        // Not only what is new: it may have waited since an earlier time.
        for id in &self.here() {
            if !self.sent.contains_key(id) && !self.fetched.contains(id) && !self.send_one(link, *id) {
                link.waiting += 1;
            }
        }
        self.keep_the_smallest(link, fails);
        // A full disk is told where failures are kept.
        let _ = self.unsent.save(&Entry::statistics(&*self.property, told));
        for id in self.unsent.list(&self.property, None).unwrap_or_default().ids {
            let Ok(Some(entry)) = self.unsent.fetch(&self.property, id) else { continue };
            match link.ask(|corpus| corpus.entries(Kind::Statistics).save(&entry)) {
                Some(_) => drop(self.unsent.delete(&self.property, id)),
                None => link.waiting += 1,
            }
        }
    }

    /// How many of the failures that others found do not fail here, by what a run told of those that it tried again.
    pub fn stale(&self, ended: &Ended) -> usize {
        let is_fetched = |origin: &str| {
            let id = Path::new(origin).file_stem().and_then(|stem| stem.to_str()?.parse::<Id>().ok());
            id.is_some_and(|id| self.fetched.contains(&id))
        };
        let is_stale = |event: &&serde_json::Value| {
            let (origin, outcome) = (event["origin"].as_str().unwrap_or_default(), event["outcome"].as_str());
            is_fetched(origin) && outcome != Some(&still_fails(origin))
        };
        ended.all("replayed").filter(is_stale).count()
    }

    /// The failures that are here.
    fn here(&self) -> BTreeSet<Id> {
        // What cannot be listed is told by the property's own run.
        self.local.list(&self.property, None).unwrap_or_default().ids.into_iter().collect()
    }

    /// Sends what was found since the beginning, and takes back what smaller ones have taken the place of.
    fn send(&mut self, link: &mut Link) {
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
        if saved && !self.before.contains(&id) {
            self.sent.insert(id, text);
        }
        saved
    }

    /// Of each bug that was seen here, leaves the smallest counterexample.
    fn keep_the_smallest(&mut self, link: &mut Link, fails: &mut dyn FnMut(&Entry) -> bool) {
        let here = self.here();
        let seen: Vec<Id> = self.sent.keys().filter(|id| here.contains(id)).copied().collect();
        if seen.is_empty() {
            return;
        }
        let there = link.ask(|corpus| corpus.entries(Kind::Failure).list(&self.property, None)).unwrap_or_default();
        let mut others: Vec<Entry> = Vec::new();
        for id in there.ids.into_iter().filter(|id| !seen.contains(id)).take(MOST_FAILURES) {
            others.extend(link.fetch(Kind::Failure, &self.property, id));
        }
        others.sort_by(by_size);
        for id in seen {
            let Ok(Some(own)) = self.local.fetch(&self.property, id) else { continue };
            for other in others.iter().filter(|other| same_bug(&own, other)) {
                let goes = match by_size(other, &own) {
                    Ordering::Less if fails(other) => {
                        // It is at hand where the bug was met.
                        let _ = self.local.save(other);
                        &own
                    }
                    Ordering::Less => continue,
                    _ => other,
                };
                let goes_id = goes.id();
                if link.ask(|corpus| corpus.entries(Kind::Failure).delete(&self.property, goes_id)).is_some() {
                    let _ = self.local.delete(&self.property, goes_id);
                }
                if goes_id == id {
                    break;
                }
            }
        }
    }

    /// Sends the inputs that came here, and puts those that came there where a running search finds them.
    fn exchange_inputs(&mut self, link: &mut Link) {
        let (property, Some(inputs)) = (&self.property, &mut self.inputs) else { return };
        inputs.next = Instant::now() + SEEDS;
        let listing = link.ask(|corpus| corpus.entries(Kind::Seed).list(property, inputs.cursor.as_ref()));
        if let Some(listing) = listing {
            inputs.there.extend(&listing.ids);
            inputs.wanted.extend(listing.ids);
            inputs.cursor = Some(listing.cursor);
        }
        for case in inputs.here.newer(&mut inputs.known) {
            inputs.queue.push(Entry::seed(&**property, case));
        }
        let there = &inputs.there;
        inputs.queue.retain(|entry| !there.contains(&entry.id()));
        while let Some(entry) = inputs.queue.last() {
            let Some(id) = link.ask(|corpus| corpus.entries(Kind::Seed).save(entry)) else { break };
            inputs.there.insert(id);
            inputs.queue.pop();
        }
        let at_once = inputs.wanted.len().saturating_sub(MOST_SEEDS);
        for id in inputs.wanted.split_off(at_once) {
            let Some(entry) = link.fetch(Kind::Seed, property, id) else { continue };
            // One that cannot be written is one less to begin with.
            if inputs.known.insert(Seeds::file_name(&entry.case)) {
                let _ = inputs.here.add(&entry.case);
            }
        }
    }
}

/// What asks a test program to run an entry's input once more: see `forall::run::protocol`.
pub fn replay(entry: &Entry) -> String {
    let before: String = entry.before.iter().map(|case| case.to_text() + ",").collect();
    format!("replay {} {before}{}", entry.property, entry.case.to_text())
}

/// The simpler first, and never two alike: everybody agrees which one stays.
pub(super) fn by_size(a: &Entry, b: &Entry) -> Ordering {
    let sizes = a.case.sequence.cmp(&b.case.sequence).then(a.case.steps.len().cmp(&b.case.steps.len()));
    sizes.then(a.before.len().cmp(&b.before.len())).then_with(|| a.id().cmp(&b.id()))
}

/// Whether two counterexamples of a property show the same bug: what they say is of one shape.
pub(super) fn same_bug(a: &Entry, b: &Entry) -> bool {
    let failure = |entry: &Entry| Failure::new(FailureKind::Panic, &*entry.message);
    failure(a).same_origin(&failure(b))
}

#[cfg(test)]
mod tests {
    use super::*;
    use forall::choice::Sequence;
    use forall::run::Case;

    fn entry(values: &[u64], message: &str) -> Entry {
        let case = Case { sequence: Sequence::from_values(100, values), steps: Vec::new() };
        let mut entry = Entry::failure("sorts", case);
        entry.message = message.to_owned();
        entry
    }

    /// A worker with a store of its own, and a corpus that all workers of a test have.
    struct Desk {
        root: PathBuf,
        property: Property,
        link: Link,
        local: Directory,
    }

    impl Desk {
        fn new(test: &str, worker: &str) -> Self {
            let root = std::env::temp_dir().join(format!("forall-exchange-{test}-{}", std::process::id()));
            let package = root.join(worker);
            std::fs::create_dir_all(&package).unwrap();
            let corpus = crate::corpus::open(root.join("corpus").to_str().unwrap()).unwrap();
            let property = Property {
                name: "sorts".to_owned(),
                place: String::new(),
                runner: "generational".to_owned(),
                tests: 1,
                serial: false,
                should_panic: false,
                binary: crate::build::Binary {
                    path: PathBuf::new(),
                    package_directory: package.clone(),
                    package: String::new(),
                },
            };
            Self { root, property, link: Link::new(corpus), local: Directory::new(package.join(".forall")) }
        }

        fn begin(&mut self) -> Exchange {
            Exchange::begin(&mut self.link, &self.property, false).unwrap()
        }

        fn end(&mut self, exchange: Exchange, fails: bool) {
            exchange.end(&mut self.link, "{}", 0, &mut |_| fails);
        }

        /// What the corpus has, the simplest first.
        fn there(&mut self) -> Vec<Entry> {
            let listing = self.link.ask(|corpus| corpus.entries(Kind::Failure).list("sorts", None)).unwrap();
            let mut entries: Vec<Entry> =
                listing.ids.into_iter().filter_map(|id| self.link.fetch(Kind::Failure, "sorts", id)).collect();
            entries.sort_by(by_size);
            entries
        }
    }

    impl Drop for Desk {
        fn drop(&mut self) {
            // The last one does so.
            let _ = std::fs::remove_dir_all(&self.root);
        }
    }

    const BUG: &str = "assertion failed: is_sorted(&xs)";

    #[test]
    fn a_failure_is_sent_before_it_is_made_smaller_and_the_smaller_takes_its_place() {
        let mut desk = Desk::new("smaller", "one");
        let mut exchange = desk.begin();
        let (found, smaller) = (entry(&[3, 2, 1], BUG), entry(&[1], BUG));
        desk.local.save(&found).unwrap();
        exchange.tick(&mut desk.link);
        assert_eq!(desk.there(), std::slice::from_ref(&found));
        desk.local.save(&smaller).unwrap();
        desk.local.delete("sorts", found.id()).unwrap();
        let mut worked_on = smaller.clone();
        worked_on.unfinished = 1;
        desk.local.save(&worked_on).unwrap();
        exchange.next = Instant::now();
        exchange.tick(&mut desk.link);
        assert_eq!(desk.there(), std::slice::from_ref(&smaller));
        let mut told = smaller.clone();
        told.minimal = true;
        desk.local.save(&told).unwrap();
        desk.end(exchange, true);
        assert_eq!(desk.there(), [told], "what is said of it later is sent, too");
    }

    #[test]
    fn one_bug_of_two_workers_ends_as_one_entry_the_smaller_and_other_bugs_stay() {
        let (mut one, mut two) = (Desk::new("one-bug", "one"), Desk::new("one-bug", "two"));
        let (of_one, of_two) = (one.begin(), two.begin());
        let (small, large, other) = (entry(&[1], BUG), entry(&[2, 2], BUG), entry(&[9, 9, 9], "division by zero"));
        one.local.save(&small).unwrap();
        two.local.save(&large).unwrap();
        two.local.save(&other).unwrap();
        one.end(of_one, true);
        two.end(of_two, true);
        assert_eq!(one.there(), [small.clone(), other.clone()]);
        assert!(two.local.fetch("sorts", small.id()).unwrap().is_some(), "it is at hand where the bug was met");
        // The other way round.
        let (mut three, mut four) = (Desk::new("one-bug-again", "three"), Desk::new("one-bug-again", "four"));
        let (of_three, of_four) = (three.begin(), four.begin());
        three.local.save(&large).unwrap();
        four.local.save(&small).unwrap();
        three.end(of_three, true);
        four.end(of_four, true);
        assert_eq!(three.there(), [small]);
    }

    #[test]
    fn what_was_not_seen_to_fail_takes_no_place() {
        let mut desk = Desk::new("made-up", "one");
        let exchange = desk.begin();
        let (made_up, seen) = (entry(&[], BUG), entry(&[1, 2], BUG));
        desk.link.ask(|corpus| corpus.entries(Kind::Failure).save(&made_up)).unwrap();
        desk.local.save(&seen).unwrap();
        desk.end(exchange, false);
        assert_eq!(desk.there(), [made_up, seen]);
    }

    #[test]
    fn what_others_found_is_put_among_the_local_finds() {
        let (mut one, mut two) = (Desk::new("fetched", "one"), Desk::new("fetched", "two"));
        let exchange = one.begin();
        one.local.save(&entry(&[1], BUG)).unwrap();
        one.end(exchange, true);
        let exchange = two.begin();
        assert_eq!(two.local.list("sorts", None).unwrap().ids, [entry(&[1], BUG).id()]);
        two.local.delete("sorts", entry(&[1], BUG).id()).unwrap();
        two.end(exchange, true);
        assert_eq!(two.there().len(), 1, "one that does not fail here is left there");
    }

    #[test]
    fn finds_wait_while_the_corpus_is_away_and_are_sent_when_it_is_back() {
        let mut desk = Desk::new("away", "one");
        let (corpus, elsewhere) = (desk.root.join("corpus"), desk.root.join("elsewhere"));
        std::fs::rename(&corpus, &elsewhere).unwrap();
        let mut exchange = desk.begin();
        desk.local.save(&entry(&[1], BUG)).unwrap();
        exchange.tick(&mut desk.link);
        desk.end(exchange, true);
        assert!(desk.link.is_away() && desk.link.waiting == 2, "the failure, and what the worker says of itself");
        let said = desk.link.summary();
        assert!(said.contains("cannot be reached") && said.contains("2 entries wait in .forall"), "{said}");
        std::fs::rename(&elsewhere, &corpus).unwrap();
        desk.link.hurry();
        let exchange = desk.begin();
        desk.end(exchange, true);
        assert_eq!(desk.there(), [entry(&[1], BUG)]);
        let told = desk.link.ask(|corpus| corpus.entries(Kind::Statistics).list("sorts", None)).unwrap();
        assert_eq!(told.ids.len(), 1, "twice the same is once");
    }

    #[test]
    fn the_simpler_counterexample_is_the_smaller_and_bugs_are_told_apart() {
        let (small, large) = (entry(&[1], "index 3 of 4"), entry(&[1, 2], "index 12 of 17"));
        assert_eq!(by_size(&small, &large), Ordering::Less);
        assert!(same_bug(&small, &large) && !same_bug(&small, &entry(&[1], "division by zero")));
    }
}
