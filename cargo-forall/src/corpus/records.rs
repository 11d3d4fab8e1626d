//! Failure records: the time, place and worker of each sighting of a bug, from the statistics of workers.
//!
//! A worker's line lists the failures that it saw, and the failures of the corpus that passed. Lines never change, so a
//! merge preserves records. Sightings of one bug form one record, even if several workers found it: they have messages of
//! one shape, and the same entry, or the same place. Within one build, another place is another bug. Between builds a bug
//! may have moved by an edit of other lines, so any bug of the same file that the later build has not shown yet may be it:
//! an edit does not make a known bug a new one, and two bugs stay two.

use super::exchange::{file_of, same_failure, same_message};
use super::known::{Known, began, now};
use super::told::{Line, Sighting};
use crate::screen::{Paint, Screen, one_line};
use crate::words::{self, count};
use forall::store::Entry;
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet};

/// The state of a bug.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum State {
    /// The bug fails.
    Open,
    /// The bug passed in the latest run that replayed it.
    Fixed,
    /// The bug fails again after it had passed.
    Returned,
}

impl State {
    /// Returns the state as a word.
    pub fn word(self) -> &'static str {
        match self {
            State::Open => "open",
            State::Fixed => "fixed",
            State::Returned => "returned",
        }
    }
}

/// A sighting: when, by whom, and of which code.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Seen {
    /// Unix time, by the worker's clock.
    pub at: f64,
    /// The worker.
    pub worker: String,
    /// The commit of the worker's tests, if known.
    pub commit: Option<String>,
    /// The seed of the worker's run.
    pub seed: Option<String>,
}

/// The record of one bug.
#[derive(Clone, Debug, PartialEq)]
pub struct Record {
    /// The first line of the latest message.
    pub message: String,
    /// The location of the failure, if known.
    pub place: Option<String>,
    /// The state of the bug.
    pub state: State,
    /// The number of runs in which the bug failed.
    pub times: u64,
    /// The number of workers that saw the bug fail.
    pub workers: usize,
    /// The first failure.
    pub first: Seen,
    /// The last failure.
    pub last: Seen,
    /// The last pass, if the bug is fixed.
    pub fixed: Option<Seen>,
    /// The workers that saw the bug fail.
    by: BTreeSet<String>,
    /// The ids of its entries.
    ids: BTreeSet<String>,
    /// The place of the bug in each build.
    places: BTreeMap<Option<String>, String>,
}

/// How well a sighting fits a record, the better the larger.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Fit {
    /// Messages of the same shape, in the same file or without a place.
    Similar,
    /// The same place in another build.
    Place,
    /// The same entry.
    Entry,
    /// The same place in the same build.
    Same,
}

impl Record {
    /// Returns how well a failure fits: the id of its entry, its message, its place and, if known, the build of that.
    fn fit(&self, id: &str, message: &str, place: Option<&str>, build: Option<&str>) -> Option<Fit> {
        let is_entry =
            || (!id.is_empty() && self.ids.contains(id) && same_message(&self.message, message)).then_some(Fit::Entry);
        let Some(place) = place else {
            return is_entry().or_else(|| same_message(&self.message, message).then_some(Fit::Similar));
        };
        let is_at = |known: &str| same_failure((&self.message, Some(known)), (message, Some(place)));
        let here = build.and_then(|build| self.places.get(&Some(build.to_owned())));
        if let Some(here) = here {
            return is_at(here).then_some(Fit::Same).or_else(is_entry);
        }
        if self.places.values().any(|known| is_at(known)) {
            return Some(is_entry().unwrap_or(Fit::Place));
        }
        let in_file = self.places.is_empty() || self.places.values().any(|known| file_of(known) == file_of(place));
        is_entry().or_else(|| (in_file && same_message(&self.message, message)).then_some(Fit::Similar))
    }
}

/// Returns the records that may be that of an entry, the most likely first.
pub fn of_entry<'a>(records: &'a [Record], entry: &Entry) -> Vec<&'a Record> {
    let (id, message) = (entry.id().to_string(), entry.message.lines().next().unwrap_or_default());
    let mut fitting: Vec<(Fit, &Record)> = records
        .iter()
        .filter_map(|record| Some((record.fit(&id, message, entry.place.as_deref(), None)?, record)))
        .collect();
    fitting.sort_by_key(|(fit, _)| std::cmp::Reverse(*fit));
    let best = fitting.first().map(|(fit, _)| *fit);
    fitting.into_iter().filter(|(fit, _)| Some(*fit) == best).map(|(_, record)| record).collect()
}

/// Returns the end of a run; `None` if its worker's clock was never set.
pub fn ended(line: &Line, now: f64) -> Option<f64> {
    Some(began(line, now)? + line.time.clamp(0.0, 1e9))
}

/// Returns what a line says of the run that saw its failures.
pub fn seen(line: &Line, at: f64) -> Seen {
    let worker = line.worker.clone().unwrap_or_default();
    Seen { at, worker, commit: line.commit.clone(), seed: line.seed.clone() }
}

/// Returns the records of a property, failing ones first.
pub fn records(known: &Known) -> Vec<Record> {
    records_at(known, now())
}

/// The same at a time.
pub fn records_at(known: &Known, now: f64) -> Vec<Record> {
    let mut lines: Vec<(f64, &Line)> = known.told.iter().filter_map(|line| Some((ended(line, now)?, line))).collect();
    lines.sort_by(|(a, _), (b, _)| a.total_cmp(b));
    let mut records: Vec<Record> = Vec::new();
    for (at, line) in lines {
        let seen = seen(line, at);
        // A bug that one input of a run showed is not fixed because another passed.
        let (failed, passed): (Vec<&Sighting>, Vec<&Sighting>) =
            line.failures.iter().flatten().partition(|sighting| sighting.fails);
        let build = line.build.as_deref();
        let shown = assign(&records, &failed, build);
        for (sighting, at) in failed.into_iter().zip(&shown) {
            fails(&mut records, *at, sighting, line, &seen);
        }
        for sighting in passed {
            // Its place is that of the run in which it failed last.
            let known = best(&records, sighting, None).filter(|at| !shown.contains(&Some(*at)));
            if let Some(record) = known.map(|at| &mut records[at]) {
                (record.state, record.fixed) = (State::Fixed, Some(seen.clone()));
            }
        }
    }
    records.sort_by_key(|record| record.state == State::Fixed);
    records
}

/// Returns the record that a sighting fits best, the oldest of several.
fn best(records: &[Record], sighting: &Sighting, build: Option<&str>) -> Option<usize> {
    let Sighting { id, message, place, .. } = sighting;
    let fits = records
        .iter()
        .enumerate()
        .filter_map(|(at, record)| Some((record.fit(id, message, place.as_deref(), build)?, std::cmp::Reverse(at))));
    fits.max().map(|(_, at)| at.0)
}

/// Returns the record of each failure of a run, which are different bugs; `None` for those that no record fits. The best fits
/// come first: a failure whose place has changed must not take the record of another one, which is certain.
fn assign(records: &[Record], failures: &[&Sighting], build: Option<&str>) -> Vec<Option<usize>> {
    let mut assigned = vec![None; failures.len()];
    let mut taken = BTreeSet::new();
    for wanted in [Fit::Same, Fit::Entry, Fit::Place, Fit::Similar] {
        for (sighting, place) in failures.iter().zip(&mut assigned).filter(|(_, place)| place.is_none()) {
            let Sighting { id, message, place: at, .. } = sighting;
            let fits = |record: &Record| record.fit(id, message, at.as_deref(), build) == Some(wanted);
            *place = (0..records.len()).find(|at| !taken.contains(at) && fits(&records[*at]));
            taken.extend(*place);
        }
    }
    assigned
}

/// Adds a failure to its record, or to a new one.
fn fails(records: &mut Vec<Record>, at: Option<usize>, sighting: &Sighting, line: &Line, seen: &Seen) {
    let at = at.unwrap_or_else(|| {
        records.push(Record {
            message: String::new(),
            place: None,
            state: State::Open,
            times: 0,
            workers: 0,
            first: seen.clone(),
            last: seen.clone(),
            fixed: None,
            by: BTreeSet::new(),
            ids: BTreeSet::new(),
            places: BTreeMap::new(),
        });
        records.len() - 1
    });
    let record = &mut records[at];
    if record.state == State::Fixed {
        record.state = State::Returned;
    }
    // A worker that was restarted counts once.
    record.by.extend(line.who().map(str::to_owned));
    record.ids.insert(sighting.id.clone());
    (record.times, record.workers) = (record.times + 1, record.by.len());
    if let Some(place) = &sighting.place {
        record.places.insert(line.build.clone(), place.clone());
        record.place = Some(place.clone());
    }
    (record.message, record.last) = (sighting.message.clone(), seen.clone());
}

/// Returns a record as JSON.
pub fn json(record: &Record) -> Value {
    let seen = |seen: &Seen| json!({"at": seen.at, "worker": seen.worker, "commit": seen.commit, "seed": seen.seed});
    json!({
        "message": record.message,
        "place": record.place,
        "state": record.state.word(),
        "times": record.times,
        "workers": record.workers,
        "first": seen(&record.first),
        "last": seen(&record.last),
        "fixed": record.fixed.as_ref().map(seen),
    })
}

/// Returns a record as text.
pub fn text(record: &Record, now: f64, screen: &Screen) -> String {
    let paint = if record.state == State::Fixed { Paint::Good } else { Paint::Bad };
    let place = record.place.as_ref().map_or(String::new(), |place| format!(" at {}", one_line(place)));
    let first = format!("    {}  {}{place}", screen.paint(paint, record.state.word()), one_line(&record.message));
    format!("{}{}", screen.line(&first, ""), screen.wrap("        ", &history(record, now)))
}

/// Returns when, by whom and at which commit a bug was seen.
pub fn history(record: &Record, now: f64) -> String {
    let when = |seen: &Seen| {
        let ago = format!("{} ago", words::seconds((now - seen.at).max(0.0)));
        let commit = seen.commit.as_ref().map_or(String::new(), |commit| format!(" at commit {}", one_line(commit)));
        format!("{ago} by {}{commit}", one_line(&seen.worker))
    };
    let mut rest = format!(
        "failed in {} of {}, first {}",
        count(record.times, "run"),
        count(record.workers as u64, "worker"),
        when(&record.first)
    );
    if record.last != record.first {
        rest += &format!(", last {}", when(&record.last));
    }
    if let Some(fixed) = record.fixed.as_ref().filter(|_| record.state == State::Fixed) {
        rest += &format!("; passed {}", when(fixed));
    }
    rest
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line(worker: &str, at: f64, commit: &str, failures: &[(&str, bool)]) -> Line {
        let sighting = |(message, fails): &(&str, bool)| Sighting {
            message: (*message).to_owned(),
            fails: *fails,
            ..Sighting::default()
        };
        Line {
            worker: Some(worker.to_owned()),
            began: 1_600_000_000.0 + at,
            commit: Some(commit.to_owned()),
            failures: Some(failures.iter().map(sighting).collect()),
            ..Line::default()
        }
    }

    #[test]
    fn the_same_bug_is_one_record_however_many_find_it_and_in_whatever_order_lines_are_read() {
        let mut told = vec![
            line("a", 0.0, "c1", &[("index 3 of 4", true)]),
            line("b", 1.0, "c1", &[("index 17 of 20", true), ("division by zero", true)]),
            line("a", 2.0, "c2", &[("index 9 of 9", true)]),
        ];
        let of = |told: &[Line]| records(&Known { told: told.to_vec(), ..Known::default() });
        let all = of(&told);
        let index = all.iter().find(|record| record.message == "index 9 of 9").unwrap();
        assert_eq!((all.len(), index.times, index.workers, index.state), (2, 3, 2, State::Open));
        assert_eq!((&*index.first.worker, index.last.commit.as_deref()), ("a", Some("c2")));
        told.reverse();
        assert_eq!(of(&told), all, "as after a merge");
        let restarted: Vec<Line> =
            (told.iter().cloned()).map(|line| Line { shard: Some("1/2".to_owned()), ..line }).collect();
        assert!(of(&restarted).iter().all(|record| record.workers == 1), "restarted workers of one shard");
        insta::assert_snapshot!(text(index, 1_600_000_062.0, &Screen::plain()));
    }

    #[test]
    fn a_bug_is_open_then_fixed_and_returned_if_it_fails_again() {
        let mut told = vec![line("a", 0.0, "c1", &[("odd", true)]), line("a", 1.0, "c2", &[("odd", false)])];
        let state = |told: &[Line]| records(&Known { told: told.to_vec(), ..Known::default() })[0].clone();
        assert_eq!(state(&told).state, State::Fixed);
        insta::assert_snapshot!(text(&state(&told), 1_600_000_062.0, &Screen::plain()));
        told.push(line("b", 2.0, "c3", &[("odd", true)]));
        assert_eq!((state(&told).state, state(&told).times), (State::Returned, 2));
        told.push(line("b", 3.0, "c3", &[("never seen to fail", false)]));
        assert_eq!(records(&Known { told, ..Known::default() }).len(), 1);
    }

    /// Returns a line of a worker with this build, which saw these failures: id, line of the code, and whether it failed.
    fn placed(at: f64, build: &str, failures: &[(&str, u32, bool)]) -> Line {
        let sighting = |(id, line, fails): &(&str, u32, bool)| Sighting {
            id: (*id).to_owned(),
            message: "left is not right".to_owned(),
            place: Some(format!("src/lib.rs:{line}:5")),
            fails: *fails,
            ..Sighting::default()
        };
        let failures = Some(failures.iter().map(sighting).collect());
        Line { build: Some(build.to_owned()), failures, ..line("a", at, "c1", &[]) }
    }

    #[test]
    fn one_message_at_two_places_is_two_bugs_also_after_an_edit_that_moved_them() {
        let told = vec![
            placed(0.0, "b1", &[("i1", 9, true), ("i2", 19, true)]),
            // Smaller inputs of the same bugs, in the order of another worker.
            placed(1.0, "b1", &[("i3", 19, true), ("i4", 9, true)]),
            // Ten lines were added above them.
            placed(2.0, "b2", &[("i3", 29, true), ("i4", 19, true)]),
            placed(3.0, "b2", &[("i5", 29, true)]),
        ];
        let all = records(&Known { told: told.clone(), ..Known::default() });
        let of = |id: &str| all.iter().find(|record| record.ids.contains(id)).unwrap();
        assert_eq!((all.len(), of("i1").times, of("i2").times), (2, 3, 4), "{all:#?}");
        assert_eq!((of("i4").places.len(), of("i5").place.as_deref()), (2, Some("src/lib.rs:29:5")));
        // Another build, whose run found a third one, and reports it before the known ones.
        let third = placed(3.5, "b4", &[("i6", 99, true), ("i4", 19, true), ("i5", 29, true)]);
        let three = records(&Known { told: [told.clone(), vec![third]].concat(), ..Known::default() });
        assert_eq!(three.iter().map(|record| record.times).collect::<Vec<_>>(), [4, 5, 1], "{three:#?}");
        // One of them is fixed.
        let fixed = placed(4.0, "b3", &[("i4", 19, false), ("i5", 29, true)]);
        let all = records(&Known { told: [told, vec![fixed]].concat(), ..Known::default() });
        let of = |id: &str| all.iter().find(|record| record.ids.contains(id)).unwrap();
        assert_eq!((of("i4").state, of("i5").state), (State::Fixed, State::Open));
    }

    #[test]
    fn a_bug_that_moved_is_not_a_new_one() {
        let told = vec![placed(0.0, "b1", &[("i1", 9, true)]), placed(1.0, "b2", &[("i2", 12, true)])];
        assert_eq!(records(&Known { told, ..Known::default() }).len(), 1);
    }
}
