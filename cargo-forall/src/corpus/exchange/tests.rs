use super::*;
use crate::properties::Property;
use forall::choice::Sequence;
use forall::run::Case;
use forall::store::{Backend, Directory, Kind};
use std::cmp::Ordering;
use std::time::Instant;

fn entry(values: &[u64], message: &str) -> Entry {
    let case = Case { sequence: Sequence::from_values(100, values), steps: Vec::new() };
    let mut entry = Entry::failure("sorts", case);
    entry.message = message.to_owned();
    entry
}

/// A worker with its own store, and the corpus shared by all workers of a test.
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
            binary: crate::build::Binary {
                path: PathBuf::new(),
                package: "shop".to_owned(),
                package_directory: package.clone(),
            },
            ..Property::example("sorts")
        };
        Self { root, property, link: Link::new(corpus), local: Directory::new(package.join(".forall")) }
    }

    fn begin(&mut self) -> Exchange {
        Exchange::begin(&mut self.link, &self.property, Also::Nothing).unwrap()
    }

    fn end(&mut self, exchange: Exchange, fails: bool) {
        exchange.end(&mut self.link, &Line::default(), Vec::new(), &mut |entry| fails.then(|| entry.clone()));
    }

    /// Returns the entries of the corpus, the simplest first.
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
        // The last worker removes the directory.
        let _ = std::fs::remove_dir_all(&self.root);
    }
}

const BUG: &str = "assertion failed: is_sorted(&xs)";

#[test]
fn a_failure_is_sent_before_it_is_shrunk_and_then_replaced() {
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
    exchange.next.0 = Instant::now();
    exchange.tick(&mut desk.link);
    assert_eq!(desk.there(), std::slice::from_ref(&smaller));
    let mut told = smaller.clone();
    told.minimal = true;
    desk.local.save(&told).unwrap();
    desk.end(exchange, true);
    assert_eq!(desk.there(), [told], "a later version of the entry is sent as well");
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
    // In the opposite order.
    let (mut three, mut four) = (Desk::new("one-bug-again", "three"), Desk::new("one-bug-again", "four"));
    let (of_three, of_four) = (three.begin(), four.begin());
    three.local.save(&large).unwrap();
    four.local.save(&small).unwrap();
    three.end(of_three, true);
    four.end(of_four, true);
    assert_eq!(three.there(), [small]);
}

#[test]
fn an_earlier_failure_that_is_sent_late_is_replaced_as_well() {
    let mut desk = Desk::new("late", "one");
    let (small, large) = (entry(&[1], BUG), entry(&[2, 2], BUG));
    // Another worker with the same store has shrunk the large failure, and has deleted it from the corpus.
    desk.link.ask(|corpus| corpus.entries(Kind::Failure).save(&small)).unwrap();
    desk.local.save(&large).unwrap();
    let exchange = desk.begin();
    desk.end(exchange, true);
    assert_eq!(desk.there(), std::slice::from_ref(&small));
    assert_eq!(desk.local.list("sorts", None).unwrap().ids, [small.id()]);
    // An entry that no longer fails here replaces nothing, and is not lost.
    desk.local.save(&entry(&[], BUG)).unwrap();
    let exchange = desk.begin();
    desk.end(exchange, false);
    assert_eq!(desk.there(), [entry(&[], BUG), small]);
}

#[test]
fn two_failures_of_one_bug_in_one_store_become_one() {
    let mut desk = Desk::new("one-store", "one");
    let (small, large) = (entry(&[1], BUG), entry(&[2, 2], BUG));
    desk.local.save(&large).unwrap();
    let exchange = desk.begin();
    desk.local.save(&small).unwrap();
    desk.end(exchange, true);
    assert_eq!(desk.there(), [small]);
}

#[test]
fn an_entry_that_did_not_fail_here_replaces_none() {
    let mut desk = Desk::new("made-up", "one");
    let exchange = desk.begin();
    let (made_up, seen) = (entry(&[], BUG), entry(&[1, 2], BUG));
    desk.link.ask(|corpus| corpus.entries(Kind::Failure).save(&made_up)).unwrap();
    desk.local.save(&seen).unwrap();
    desk.end(exchange, false);
    assert_eq!(desk.there(), [made_up, seen]);
}

#[test]
fn failures_of_other_workers_are_copied_to_the_local_store() {
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
fn failures_wait_while_the_corpus_is_unreachable_and_are_sent_later() {
    let mut desk = Desk::new("away", "one");
    let (corpus, elsewhere) = (desk.root.join("corpus"), desk.root.join("elsewhere"));
    std::fs::rename(&corpus, &elsewhere).unwrap();
    let mut exchange = desk.begin();
    desk.local.save(&entry(&[1], BUG)).unwrap();
    exchange.tick(&mut desk.link);
    desk.end(exchange, true);
    assert!(desk.link.is_away());
    // The failure, and the worker's statistics.
    let said = desk.link.summary();
    assert!(said.contains("cannot be reached") && said.contains("2 entries wait in .forall"), "{said}");
    std::fs::rename(&elsewhere, &corpus).unwrap();
    desk.link.hurry();
    let exchange = desk.begin();
    desk.end(exchange, true);
    assert_eq!(desk.there(), [entry(&[1], BUG)]);
    let told = desk.link.ask(|corpus| corpus.entries(Kind::Statistics).list("sorts", None)).unwrap();
    assert_eq!(told.ids.len(), 1, "an identical entry is stored once");
}

#[test]
fn counterexamples_are_ordered_by_simplicity_and_bugs_are_distinguished() {
    let (small, large) = (entry(&[1], "index 3 of 4"), entry(&[1, 2], "index 12 of 17"));
    assert_eq!(by_size(&small, &large), Ordering::Less);
    assert!(same_bug(&small, &large) && !same_bug(&small, &entry(&[1], "division by zero")));
}

#[test]
fn new_failures_of_other_workers_are_fetched_and_reported_once() {
    let (mut one, mut two) = (Desk::new("meanwhile", "one"), Desk::new("meanwhile", "two"));
    let (of_one, mut of_two) = (one.begin(), two.begin());
    one.local.save(&entry(&[1], BUG)).unwrap();
    one.end(of_one, true);
    of_two.next = (Instant::now(), Instant::now());
    of_two.tick(&mut two.link);
    let said = two.link.take_said();
    let says =
        format!("forall: another worker found a counterexample of sorts: {BUG}. The next run here replays it first");
    assert_eq!(said.trim_end(), says);
    assert_eq!(two.local.list("sorts", None).unwrap().ids, [entry(&[1], BUG).id()]);
    of_two.next = (Instant::now(), Instant::now());
    of_two.tick(&mut two.link);
    assert_eq!(two.link.take_said(), "");
    two.end(of_two, true);
    assert_eq!(two.there().len(), 1);
}

#[test]
fn a_better_input_replaces_the_one_that_was_sent_before() {
    let (mut one, mut two) = (Desk::new("better", "one"), Desk::new("better", "two"));
    let best = |desk: &mut Desk| Exchange::begin(&mut desk.link, &desk.property, Also::Best).unwrap();
    let (mut of_one, mut of_two) = (best(&mut one), best(&mut two));
    let folder = Directory::new(of_one.best_folder().unwrap());
    let case = |value: u64| Case { sequence: Sequence::from_values(100, &[value]), steps: Vec::new() };
    let (good, better) = (Entry::best("sorts", case(1), 1.0), Entry::best("sorts", case(2), 2.0));
    folder.save(&good).unwrap();
    of_one.look(&mut one.link);
    folder.save(&better).unwrap();
    folder.delete("sorts", good.id()).unwrap();
    of_one.look(&mut one.link);
    of_two.look(&mut two.link);
    let there = one.link.ask(|corpus| corpus.entries(Kind::Best).list("sorts", None)).unwrap();
    assert_eq!(there.ids, [better.id()]);
    // The other worker has the entry, and deletes it after finding a better one.
    let (other, best) = (Directory::new(of_two.best_folder().unwrap()), Entry::best("sorts", case(3), 3.0));
    assert_eq!(other.list("sorts", None).unwrap().ids, [better.id()]);
    other.save(&best).unwrap();
    other.delete("sorts", better.id()).unwrap();
    of_two.look(&mut two.link);
    let there = one.link.ask(|corpus| corpus.entries(Kind::Best).list("sorts", None)).unwrap();
    assert_eq!(there.ids, [best.id()]);
    // A folder that was emptied causes no message.
    other.delete("sorts", best.id()).unwrap();
    of_two.look(&mut two.link);
    let there = one.link.ask(|corpus| corpus.entries(Kind::Best).list("sorts", None)).unwrap();
    assert_eq!(there.ids, [best.id()]);
}

#[test]
fn statistics_are_sent_even_if_nothing_can_be_queued() {
    let mut desk = Desk::new("no-room", "one");
    let exchange = desk.begin();
    std::fs::create_dir_all(desk.local.root()).unwrap();
    std::fs::write(desk.local.root().join("unsent"), "in the way").unwrap();
    desk.end(exchange, true);
    let told = desk.link.ask(|corpus| corpus.entries(Kind::Statistics).list("sorts", None)).unwrap();
    assert_eq!((told.ids.len(), &*desk.link.summary()), (1, ""));
}

#[test]
fn a_failure_is_sent_before_it_is_reported() {
    let mut desk = Desk::new("at-once", "one");
    let mut exchange = desk.begin();
    exchange.tick(&mut desk.link);
    desk.local.save(&entry(&[1], BUG)).unwrap();
    exchange.send(&mut desk.link);
    assert_eq!(desk.there().len(), 1);
}

#[test]
fn queued_and_stale_failures_are_counted_once_over_all_rounds() {
    let (mut one, mut two) = (Desk::new("rounds", "one"), Desk::new("rounds", "two"));
    let of_one = one.begin();
    one.local.save(&entry(&[3], BUG)).unwrap();
    one.end(of_one, true);
    let id = entry(&[3], BUG).id();
    let of_two = two.begin();
    assert!(two.local.delete("sorts", id).unwrap(), "the property has forgotten it: it passes");
    let stale = of_two.forgotten();
    of_two.end(&mut two.link, &Line::default(), stale, &mut |_| None);
    // The second round. The corpus is unreachable.
    let of_two = two.begin();
    assert_eq!(two.local.fetch("sorts", id).unwrap(), None, "it is not tried again");
    two.local.save(&entry(&[7], "division by zero")).unwrap();
    std::fs::rename(two.root.join("corpus"), two.root.join("gone")).unwrap();
    two.end(of_two, true);
    let of_two = two.begin();
    two.end(of_two, true);
    let said = two.link.summary();
    assert!(said.contains("1 counterexample of the corpus does not fail in this build"), "{said}");
    assert!(said.contains("2 entries wait"), "{said}");
    std::fs::rename(two.root.join("gone"), two.root.join("corpus")).unwrap();
    two.link.hurry();
    let of_two = two.begin();
    two.end(of_two, true);
    assert!(!two.link.summary().contains("wait"), "they were sent");
}

/// Moves the corpus of a test away until it is dropped.
struct Away(PathBuf, PathBuf);

impl Away {
    fn begin(desk: &Desk) -> Self {
        let away = Self(desk.root.join("corpus"), desk.root.join("elsewhere"));
        std::fs::rename(&away.0, &away.1).unwrap();
        away
    }
}

impl Drop for Away {
    fn drop(&mut self) {
        std::fs::rename(&self.1, &self.0).unwrap();
    }
}

#[test]
fn a_failure_of_a_finished_property_is_sent_as_soon_as_the_corpus_is_back() {
    let mut desk = Desk::new("back", "one");
    let exchange = desk.begin();
    let away = Away::begin(&desk);
    desk.local.save(&entry(&[1], BUG)).unwrap();
    desk.end(exchange, true);
    desk.property.name = "reverses".to_owned();
    let mut exchange = desk.begin();
    drop(away);
    desk.link.hurry();
    exchange.next = (Instant::now(), Instant::now());
    exchange.tick(&mut desk.link);
    assert_eq!(desk.there(), [entry(&[1], BUG)]);
}

#[test]
fn a_worker_waits_before_it_exits_and_names_the_failures_that_could_not_be_sent() {
    let mut desk = Desk::new("farewell", "one");
    let exchange = desk.begin();
    let away = Away::begin(&desk);
    desk.local.save(&entry(&[1], BUG)).unwrap();
    desk.end(exchange, true);
    assert!(!desk.link.farewell(false, &mut |_| true), "it is not in the corpus");
    let said = desk.link.summary();
    assert!(said.contains("1 failure not in the corpus; to replay:\n    forall replay sorts 2-"), "{said}");
    let mut away = Some(away);
    let attempts = std::cell::Cell::new(0);
    let away = std::cell::RefCell::new(&mut away);
    let mut is_back_after_two = |said: &str| {
        assert_eq!(
            said.contains("waiting up to 5.0 s to send 1 failure to the corpus; Ctrl-C stops this"),
            attempts.get() == 0,
            "{said}"
        );
        attempts.set(attempts.get() + 1);
        if attempts.get() == 2 {
            away.borrow_mut().take();
        }
        false
    };
    assert!(desk.link.farewell(true, &mut is_back_after_two), "one that was told to stop tries again as well");
    assert_eq!(desk.there().len(), 1);
    assert!(!desk.link.summary().contains("warning"));
}

#[test]
fn a_run_of_another_property_sends_queued_entries() {
    let mut desk = Desk::new("left-behind", "one");
    let exchange = desk.begin();
    let away = Away::begin(&desk);
    desk.local.save(&entry(&[1], BUG)).unwrap();
    desk.end(exchange, true);
    drop(away);
    // Another process, with another property.
    let mut next = Desk::new("left-behind", "one");
    next.property.name = "reverses".to_owned();
    next.begin();
    assert_eq!(next.there(), [entry(&[1], BUG)]);
}

#[test]
fn a_waiting_failure_that_a_smaller_one_replaced_is_not_sent() {
    let mut desk = Desk::new("replaced", "one");
    let mut exchange = desk.begin();
    let away = Away::begin(&desk);
    let (found, smaller) = (entry(&[3, 2, 1], BUG), entry(&[1], BUG));
    desk.local.save(&found).unwrap();
    exchange.tick(&mut desk.link);
    desk.local.save(&smaller).unwrap();
    desk.local.delete("sorts", found.id()).unwrap();
    exchange.next.0 = Instant::now();
    exchange.tick(&mut desk.link);
    drop(away);
    desk.link.hurry();
    desk.link.send_waiting();
    assert_eq!(desk.there(), [smaller]);
}

#[test]
fn two_workers_that_found_one_bug_during_an_outage_end_with_one_entry() {
    let (mut one, mut two) = (Desk::new("outage", "one"), Desk::new("outage", "two"));
    let (of_one, of_two) = (one.begin(), two.begin());
    let away = Away::begin(&one);
    one.local.save(&entry(&[1], BUG)).unwrap();
    two.local.save(&entry(&[2, 2], BUG)).unwrap();
    one.end(of_one, true);
    two.end(of_two, true);
    drop(away);
    assert!(one.link.farewell(false, &mut |_| true) && two.link.farewell(false, &mut |_| true));
    assert_eq!(one.there().len(), 2, "neither has seen that of the other");
    let mut three = Desk::new("outage", "three");
    let exchange = three.begin();
    three.end(exchange, true);
    assert_eq!(three.there(), [entry(&[1], BUG)]);
}

/// Replaces the corpus of a test by an empty one.
fn replace(desk: &Desk) {
    let corpus = desk.root.join("corpus");
    std::fs::remove_dir_all(&corpus).unwrap();
    crate::corpus::open(corpus.to_str().unwrap()).unwrap();
}

#[test]
fn a_corpus_that_lost_its_entries_gets_those_of_all_properties_again() {
    let mut desk = Desk::new("lost", "one");
    let exchange = desk.begin();
    desk.local.save(&entry(&[1], BUG)).unwrap();
    desk.end(exchange, true);
    desk.property.name = "reverses".to_owned();
    let mut exchange = desk.begin();
    let mut other = entry(&[2], BUG);
    other.property = "reverses".to_owned();
    desk.local.save(&other).unwrap();
    exchange.tick(&mut desk.link);
    desk.link.take_said();
    replace(&desk);
    exchange.next = (Instant::now(), Instant::now());
    exchange.tick(&mut desk.link);
    let said = desk.link.take_said();
    assert!(said.contains("has lost entries: it was emptied, replaced, or restored from an older copy"), "{said}");
    assert_eq!(desk.there(), [entry(&[1], BUG)]);
    let told = desk.link.ask(|corpus| corpus.entries(Kind::Statistics).list("sorts", None)).unwrap();
    assert_eq!(told.ids.len(), 1);
    let of_other = desk.link.ask(|corpus| corpus.entries(Kind::Failure).list("reverses", None)).unwrap();
    assert_eq!(of_other.ids, [other.id()]);
    exchange.next = (Instant::now(), Instant::now());
    exchange.tick(&mut desk.link);
    assert_eq!(desk.link.take_said(), "", "once");
}

#[test]
fn a_loss_between_two_runs_is_detected() {
    let mut desk = Desk::new("lost-between", "one");
    let exchange = desk.begin();
    desk.local.save(&entry(&[1], BUG)).unwrap();
    desk.end(exchange, true);
    // The store exists now, and contains the epoch.
    desk.begin();
    replace(&desk);
    let mut next = Desk::new("lost-between", "one");
    next.property.name = "reverses".to_owned();
    next.begin();
    assert!(next.link.take_said().contains("has lost entries"));
    assert_eq!(next.there(), [entry(&[1], BUG)]);
}

#[test]
fn a_folder_with_other_data_is_named_and_the_rest_of_the_corpus_is_used() {
    let mut desk = Desk::new("other-data", "one");
    let exchange = desk.begin();
    desk.local.save(&entry(&[1], BUG)).unwrap();
    desk.end(exchange, true);
    let failures = desk.root.join("corpus/failures");
    let folder = std::fs::read_dir(&failures).unwrap().next().unwrap().unwrap().path();
    std::fs::remove_dir_all(&folder).unwrap();
    std::fs::write(&folder, "not a folder").unwrap();
    desk.property.name = "reverses".to_owned();
    let exchange = desk.begin();
    desk.local.save(&entry(&[1], BUG)).unwrap();
    desk.end(exchange, true);
    desk.property.name = "sorts".to_owned();
    let exchange = desk.begin();
    desk.end(exchange, true);
    let said = desk.link.take_said();
    assert!(!desk.link.is_away() && !said.contains("cannot be reached"), "{said}");
    assert!(said.contains("has other data and is skipped: ") && said.contains(folder.to_str().unwrap()), "{said}");
    let told = desk.link.ask(|corpus| corpus.entries(Kind::Statistics).list("reverses", None)).unwrap();
    assert_eq!(told.ids.len(), 1, "the rest is usable");
}

#[test]
fn a_run_reports_new_failures_known_ones_and_those_that_pass() {
    let (mut one, mut two) = (Desk::new("sightings", "one"), Desk::new("sightings", "two"));
    let exchange = one.begin();
    for (values, message) in [(&[1][..], "index 3 of 4"), (&[2], "division by zero")] {
        one.local.save(&entry(values, message)).unwrap();
    }
    let seen = exchange.sightings(true, None);
    assert!(seen.len() == 2 && seen.iter().all(|sighting| sighting.fails && sighting.is_new), "{seen:?}");
    one.end(exchange, true);
    let exchange = two.begin();
    two.local.save(&entry(&[9], "index 7 of 9")).unwrap();
    two.local.save(&entry(&[5], "odd")).unwrap();
    two.local.delete("sorts", entry(&[2], "division by zero").id()).unwrap();
    let seen = exchange.sightings(true, None);
    let of = |message: &str| seen.iter().find(|sighting| same_message(&sighting.message, message)).unwrap();
    assert_eq!(seen.len(), 3, "{seen:?}");
    assert!(of("odd").is_new && of("odd").fails);
    assert!(!of("index 1 of 2").is_new && of("index 1 of 2").fails, "the same bug as that of the other worker");
    assert!(!of("division by zero").fails);
    two.end(exchange, true);
}

/// Returns a failure at this place.
fn entry_at(values: &[u64], message: &str, place: &str) -> Entry {
    let mut entry = entry(values, message);
    entry.place = Some(place.to_owned());
    entry
}

const EQUAL: &str = "assertion `left == right` failed\n  left: 1\n right: 2";

#[test]
fn one_message_at_two_places_is_two_bugs_and_neither_is_deleted() {
    let (mut one, mut two) = (Desk::new("places", "one"), Desk::new("places", "two"));
    let (of_one, of_two) = (one.begin(), two.begin());
    let (first, second) = (entry_at(&[1], EQUAL, "src/lib.rs:9:5"), entry_at(&[2, 2], EQUAL, "src/lib.rs:10:5"));
    one.local.save(&first).unwrap();
    one.local.save(&second).unwrap();
    let seen = of_one.sightings(true, None);
    assert!(seen.len() == 2 && seen.iter().all(|sighting| sighting.is_new), "{seen:?}");
    one.end(of_one, true);
    assert_eq!(one.there(), [first.clone(), second.clone()]);
    // Another worker found the second, and a larger input of the first.
    two.local.save(&entry_at(&[3, 3, 3], EQUAL, "src/lib.rs:9:5")).unwrap();
    two.end(of_two, true);
    assert_eq!(one.there(), [first.clone(), second.clone()], "the larger one of the same place is replaced");
    // A third bug of this message is new.
    let mut three = Desk::new("places", "three");
    let exchange = three.begin();
    three.local.save(&entry_at(&[4], EQUAL, "src/lib.rs:11:5")).unwrap();
    let seen = exchange.sightings(true, None);
    assert_eq!(seen.iter().map(|sighting| sighting.is_new).collect::<Vec<_>>(), [true, false, false], "{seen:?}");
}

#[test]
fn places_are_compared_only_between_runs_of_one_build() {
    // The place is that of an earlier build: what is there now is another bug.
    let mut desk = Desk::new("moved", "one");
    let (old, new) = (entry_at(&[1], EQUAL, "src/lib.rs:20:5"), entry_at(&[2, 2], EQUAL, "src/lib.rs:20:5"));
    desk.link.ask(|corpus| corpus.entries(Kind::Failure).save(&old)).unwrap();
    let exchange = desk.begin();
    desk.local.save(&new).unwrap();
    let mut in_this_build = |entry: &Entry| {
        let line = if entry.id() == old.id() { 30 } else { 20 };
        let mut entry = entry.clone();
        entry.place = Some(format!("src/lib.rs:{line}:5"));
        Some(entry)
    };
    exchange.end(&mut desk.link, &Line::default(), Vec::new(), &mut in_this_build);
    assert_eq!(desk.there().len(), 2, "neither is deleted");
    // An entry that was not confirmed in this build, or that was shrunk in it, makes no failure of its message new.
    let desk = &mut Desk::new("unconfirmed", "one");
    desk.link.ask(|corpus| corpus.entries(Kind::Failure).save(&old)).unwrap();
    let exchange = desk.begin();
    desk.local.save(&entry_at(&[3], EQUAL, "src/lib.rs:21:5")).unwrap();
    let is_new = |confirmed: &[Id]| {
        let confirmed = confirmed.iter().copied().collect();
        exchange.failures.sightings(true, Some(&confirmed))[0].is_new
    };
    assert!(!is_new(&[]) && is_new(&[old.id()]), "confirmed at another line of this build: two bugs");
    desk.local.delete("sorts", old.id()).unwrap();
    assert!(!is_new(&[old.id()]), "it failed, and a smaller one has replaced it");
}

#[test]
fn a_failure_that_moved_is_sent_with_its_new_place() {
    let mut desk = Desk::new("sent-again", "one");
    let old = entry_at(&[1], EQUAL, "src/lib.rs:20:5");
    desk.link.ask(|corpus| corpus.entries(Kind::Failure).save(&old)).unwrap();
    let exchange = desk.begin();
    let moved = entry_at(&[1], EQUAL, "src/lib.rs:30:5");
    desk.local.save(&moved).unwrap();
    desk.end(exchange, true);
    assert_eq!(desk.there(), [moved]);
}

#[test]
fn a_place_in_a_dependency_is_the_same_on_all_machines() {
    let at = |place| entry_at(&[1], "called `Option::unwrap()` on a `None` value", place);
    let one = at("/home/a/.cargo/registry/src/registry-1949/bytes-1.0.0/src/lib.rs:9:5");
    assert!(same_bug(&one, &at("/home/b/.cargo/registry/src/registry-1949/bytes-1.0.0/src/lib.rs:9:5")));
    assert!(!same_bug(&one, &at("/home/b/.cargo/registry/src/registry-1949/bytes-1.0.0/src/lib.rs:9:6")));
    assert!(same_bug(&one, &entry(&[2], "called `Option::unwrap()` on a `None` value")), "one has no place");
    assert_eq!(super::file_of("C:\\work\\shop\\src\\lib.rs:9:5"), "shop/src/lib.rs");
}
