//! Failure records: the time, place and worker of each sighting of a bug, from the statistics of workers.
//!
//! A worker's line lists the failures that it saw, and the failures of the corpus that passed. Lines never change, so a
//! merge preserves records. Sightings of one bug, by the shape of its message, form one record, even if several workers
//! found it.

use super::exchange::same_message;
use super::known::{Known, began, now};
use super::told::{Line, Sighting};
use crate::screen::{Paint, Screen, one_line};
use crate::words::{self, count};
use serde_json::{Value, json};
use std::collections::BTreeSet;

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
}

/// Returns the records of a property, failing ones first.
pub fn records(known: &Known) -> Vec<Record> {
    let now = now();
    let mut lines: Vec<(f64, &Line)> =
        known.told.iter().filter_map(|line| Some((began(line, now)? + line.time.clamp(0.0, 1e9), line))).collect();
    lines.sort_by(|(a, _), (b, _)| a.total_cmp(b));
    let mut records: Vec<(Record, BTreeSet<String>)> = Vec::new();
    for (at, line) in lines {
        let seen = Seen {
            at,
            worker: line.worker.clone().unwrap_or_default(),
            commit: line.commit.clone(),
            seed: line.seed.clone(),
        };
        for sighting in line.failures.iter().flatten() {
            add(&mut records, sighting, &seen);
        }
    }
    let mut records: Vec<Record> =
        records.into_iter().map(|(record, workers)| Record { workers: workers.len(), ..record }).collect();
    records.sort_by_key(|record| record.state == State::Fixed);
    records
}

fn add(records: &mut Vec<(Record, BTreeSet<String>)>, sighting: &Sighting, seen: &Seen) {
    let known = records.iter_mut().find(|(record, _)| same_message(&record.message, &sighting.message));
    let Some((record, workers)) = known else {
        if sighting.fails {
            let record = Record {
                message: sighting.message.clone(),
                place: sighting.place.clone(),
                state: State::Open,
                times: 1,
                workers: 1,
                first: seen.clone(),
                last: seen.clone(),
                fixed: None,
            };
            records.push((record, BTreeSet::from([seen.worker.clone()])));
        }
        return;
    };
    if !sighting.fails {
        (record.state, record.fixed) = (State::Fixed, Some(seen.clone()));
        return;
    }
    if record.state == State::Fixed {
        record.state = State::Returned;
    }
    workers.insert(seen.worker.clone());
    record.times += 1;
    record.place = sighting.place.clone().or(record.place.take());
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
    format!("{}{}", screen.line(&first, ""), screen.wrap("        ", &rest))
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
}
