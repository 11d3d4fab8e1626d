//! What is in a corpus, read once: for `stats`, and for the report of a campaign. Nothing is written.

use super::command::unreachable;
use super::{Corpus, KINDS};
use crate::Error;
use forall::store::{Entry, Kind};
use serde_json::Value;
use std::collections::BTreeSet;

/// Who found something new in this last part of the time is taken to go on doing so.
const GROWING: f64 = 0.2;

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
    pub told: Vec<Value>,
}

/// Reads all of it.
pub fn read(corpus: &dyn Corpus) -> Result<Vec<Known>, Error> {
    let failed = |error| unreachable(corpus.name(), &error);
    let mut all = Vec::new();
    for property in corpus.properties().map_err(failed)? {
        let mut known = Known { property, ..Known::default() };
        for kind in KINDS {
            for id in corpus.entries(kind).list(&known.property, None).map_err(failed)?.ids {
                match corpus.entries(kind).fetch(&known.property, id) {
                    Ok(Some(entry)) if entry.kind == kind => known.add(entry),
                    Ok(None) => {}
                    Ok(Some(_)) | Err(_) => known.unreadable += 1,
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
            Kind::Statistics => match serde_json::from_str::<Value>(&entry.message) {
                Ok(told) if told.is_object() => self.told.push(told),
                _ => self.unreadable += 1,
            },
            _ => self.seeds += 1,
        }
    }

    /// A field of what all workers said, added up.
    pub fn sum(&self, field: &str) -> f64 {
        self.told.iter().filter_map(|told| told[field].as_f64()).filter(|number| (0.0..1e18).contains(number)).sum()
    }

    /// How many workers there were.
    pub fn workers(&self) -> usize {
        self.told.iter().filter_map(|told| told["worker"].as_str()).collect::<BTreeSet<_>>().len()
    }

    /// The builds of the tests that they had.
    pub fn builds(&self) -> BTreeSet<&str> {
        self.told.iter().filter_map(|told| told["build"].as_str()).collect()
    }

    /// How many builds did the same: `run` and `fuzz` have one each, as it should be.
    pub fn rival_builds(&self) -> usize {
        let of = |did: &str| {
            let lines = self.told.iter().filter(|told| told["did"].as_str().unwrap_or("run") == did);
            lines.filter_map(|told| told["build"].as_str()).collect::<BTreeSet<_>>().len()
        };
        of("run").max(of("fuzz"))
    }

    /// The most edges that one worker has reached, of how many.
    pub fn edges(&self) -> Option<(u64, u64)> {
        let of = |told: &Value| Some((told["edges"].as_u64()?, told["places"].as_u64()?));
        self.told.iter().filter_map(of).max()
    }

    /// Whether a worker has found something new in the last part of its time; none if nobody looked at edges.
    pub fn is_growing(&self) -> Option<bool> {
        let mut growing = None;
        for told in &self.told {
            let (Some(growth), Some(time)) = (told["growth"].as_array(), told["time"].as_f64()) else { continue };
            let last = growth.last().and_then(|step| step[0].as_f64()).unwrap_or(0.0);
            growing = Some(growing.unwrap_or(false) || last > time * (1.0 - GROWING));
        }
        growing
    }

    /// How many tests were run.
    pub fn tests(&self) -> u64 {
        (self.sum("valid") + self.sum("discarded") + self.sum("executions")) as u64
    }
}
