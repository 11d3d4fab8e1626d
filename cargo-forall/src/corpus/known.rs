//! What is in a corpus, read once: for `stats`, and for the report of a campaign. Nothing is written.

use super::command::unreachable;
use super::told::{Line, Step};
use super::{Corpus, Found, KINDS, fetch};
use crate::Error;
use forall::store::{Entry, Kind};
use std::collections::BTreeSet;
use std::time::{SystemTime, UNIX_EPOCH};

/// What has grown in this last part of the time is taken to go on doing so.
const GROWING: f64 = 0.2;

/// The first second of 2020. A clock that says less was never set.
pub const NEVER_SET: f64 = 1_577_836_800.0;

/// What a step of growth has behind its time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Column {
    /// Places of the program that were reached.
    Edges,
    /// Inputs that did something new.
    Inputs,
}

/// Seconds since 1970, by the clock of this machine.
pub fn now() -> f64 {
    SystemTime::now().duration_since(UNIX_EPOCH).map_or(0.0, |now| now.as_secs_f64())
}

/// When a run began, by its worker's clock, if that was ever set. What lies ahead of us is now.
pub fn began(told: &Line, now: f64) -> Option<f64> {
    Some(told.began).filter(|began| *began >= NEVER_SET).map(|began| began.min(now))
}

/// What is known of one property.
#[derive(Debug, Default)]
pub struct Known {
    /// Its name.
    pub property: String,
    /// What failed.
    pub failures: Vec<Entry>,
    /// How many inputs there are for `fuzz` to begin with.
    pub seeds: u64,
    /// The highest score that a targeted search says it has reached.
    pub best: Option<f64>,
    /// How many entries make no sense.
    pub unreadable: u64,
    /// What the workers said of themselves: see [`told`](super::told).
    pub told: Vec<Line>,
}

/// Reads all of it.
pub fn read(corpus: &dyn Corpus) -> Result<Vec<Known>, Error> {
    let failed = |error| unreachable(corpus.name(), error);
    let mut all = Vec::new();
    for property in corpus.properties().map_err(failed)? {
        let mut known = Known { property, ..Known::default() };
        for kind in KINDS {
            for id in corpus.entries(kind).list(&known.property, None).map_err(failed)?.ids {
                match fetch(corpus, kind, &known.property, id).map_err(failed)? {
                    Found::Entry(entry) => known.add(entry),
                    Found::Nothing => {}
                    Found::Nonsense(_) => known.unreadable += 1,
                }
            }
        }
        all.push(known);
    }
    Ok(all)
}

impl Known {
    fn add(&mut self, entry: Entry) {
        match entry.kind {
            Kind::Failure => self.failures.push(entry),
            Kind::Best => match entry.score() {
                Some(score) => self.best = Some(self.best.map_or(score, |best| best.max(score))),
                None => self.unreadable += 1,
            },
            Kind::Statistics => match Line::of(&entry.message) {
                Some(told) => self.told.push(told),
                None => self.unreadable += 1,
            },
            _ => self.seeds += 1,
        }
    }

    /// A field of what all workers said, added up.
    pub fn sum(&self, field: impl Fn(&Line) -> f64) -> f64 {
        let numbers = self.told.iter().map(field);
        // The sum of no numbers is -0 in Rust, which people would read.
        numbers.filter(|number| (0.0..1e18).contains(number)).fold(0.0, |sum, number| sum + number)
    }

    /// How many workers there were.
    pub fn workers(&self) -> usize {
        self.told.iter().filter_map(|told| told.worker.as_deref()).collect::<BTreeSet<_>>().len()
    }

    /// The builds of the tests that they had.
    pub fn builds(&self) -> BTreeSet<&str> {
        self.told.iter().filter_map(|told| told.build.as_deref()).collect()
    }

    /// How many builds did the same: `run` and `fuzz` have one each, as it should be.
    pub fn rival_builds(&self) -> usize {
        let of = |did: &str| {
            let lines = self.told.iter().filter(|told| told.did.as_deref().unwrap_or("run") == did);
            lines.filter_map(|told| told.build.as_deref()).collect::<BTreeSet<_>>().len()
        };
        of("run").max(of("fuzz"))
    }

    /// The most edges that one worker has reached, of how many.
    pub fn edges(&self) -> Option<(u64, u64)> {
        let of = |told: &Line| Some((told.edges?, told.places?));
        self.told.iter().filter_map(of).max()
    }

    /// How many edges a worker had reached at most, or inputs it had, and when, by the workers' clocks: each step up.
    pub fn growth(&self, column: Column, now: f64) -> Vec<(f64, u64)> {
        let mut steps = Vec::new();
        for told in &self.told {
            let (Some(growth), Some(began)) = (&told.growth, began(told, now)) else { continue };
            let reached = |step: &Step| if column == Column::Edges { step.edges } else { step.inputs };
            steps.extend(growth.iter().map(|step| (began + step.at.clamp(0.0, 1e9), reached(step))));
        }
        steps.sort_by(|(a, _), (b, _)| a.total_cmp(b));
        let mut most = 0;
        steps.retain(|(_, reached)| {
            let is_up = *reached > most;
            most = most.max(*reached);
            is_up
        });
        steps
    }

    /// When searches began and ended.
    pub fn searches(&self, now: f64) -> Vec<(f64, f64)> {
        let search = |told: &Line| {
            told.growth.as_ref()?;
            let (began, time) = (began(told, now)?, told.time.clamp(0.0, 1e9));
            Some((began, began + time))
        };
        self.told.iter().filter_map(search).collect()
    }

    /// For how many seconds workers have searched since something new was found, and for how many in all; none if nobody did.
    pub fn since_new(&self, now: f64) -> Option<(f64, f64)> {
        let searches = self.searches(now);
        let last = |column| self.growth(column, now).last().map_or(f64::NEG_INFINITY, |(at, _)| *at);
        let last = last(Column::Edges).max(last(Column::Inputs));
        let since = searches.iter().map(|(began, ended)| (ended - began.max(last)).max(0.0)).sum();
        let all = searches.iter().map(|(began, ended)| ended - began).sum();
        (!searches.is_empty()).then_some((since, all))
    }

    /// Whether something new was found in the last part of the time; none if nobody looked at edges.
    pub fn is_growing(&self, now: f64) -> Option<bool> {
        self.since_new(now).map(|(since, all)| since < GROWING * all)
    }

    /// How many tests were run.
    pub fn tests(&self) -> u64 {
        self.sum(|told| told.tests() as f64) as u64
    }
}
