//! A snapshot of a corpus, for `stats` and for the report of a campaign.

use super::command::{Skipped, unreachable};
use super::told::{Line, Step};
use super::{Corpus, Found, KINDS, fetch};
use crate::Error;
use forall::store::{Entry, Kind};
use std::collections::{BTreeMap, BTreeSet};
use std::time::{SystemTime, UNIX_EPOCH};

/// The last part of a search's time: a search that found new edges in it counts as growing.
const GROWING: f64 = 0.2;

/// The start of 2020. An earlier clock was never set.
pub const NEVER_SET: f64 = 1_577_836_800.0;

/// The figures of a growth step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Column {
    /// Edges that were reached.
    Edges,
    /// Inputs with new coverage.
    Inputs,
}

/// Returns the Unix time, by this machine's clock.
pub fn now() -> f64 {
    SystemTime::now().duration_since(UNIX_EPOCH).map_or(0.0, |now| now.as_secs_f64())
}

/// Returns the start of a run by its worker's clock, if that was ever set. A time in the future counts as now.
pub fn began(told: &Line, now: f64) -> Option<f64> {
    Some(told.began).filter(|began| *began >= NEVER_SET).map(|began| began.min(now))
}

/// The entries of one property.
#[derive(Debug, Default)]
pub struct Known {
    /// The name of the property.
    pub property: String,
    /// The property's failures.
    pub failures: Vec<Entry>,
    /// The number of inputs from which `fuzz` starts.
    pub seeds: u64,
    /// The highest score of a targeted search.
    pub best: Option<f64>,
    /// The number of unreadable entries.
    pub unreadable: u64,
    /// The keys or folders of this property that have other data.
    pub skipped: Skipped,
    /// The workers' statistics: see [`told`](super::told).
    pub told: Vec<Line>,
}

/// Reads a corpus.
pub fn read(corpus: &dyn Corpus) -> Result<Vec<Known>, Error> {
    let failed = |error| unreachable(corpus.name(), error);
    let mut all = Vec::new();
    for property in corpus.properties().map_err(failed)? {
        let mut known = Known { property, ..Known::default() };
        for kind in KINDS {
            for id in known.skipped.list(corpus, kind, &known.property)? {
                match fetch(corpus, kind, &known.property, id).map_err(failed)? {
                    Found::Entry(entry) => known.add(*entry),
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
            Kind::Progress => {}
            _ => self.seeds += 1,
        }
    }

    /// Returns the sum of a field over all workers.
    pub fn sum(&self, field: impl Fn(&Line) -> f64) -> f64 {
        let numbers = self.told.iter().map(field);
        // In Rust the empty sum is -0, which would be printed.
        numbers.filter(|number| (0.0..1e18).contains(number)).fold(0.0, |sum, number| sum + number)
    }

    /// Returns the number of workers: shards, and workers without a shard. A restarted worker is counted once.
    pub fn workers(&self) -> usize {
        self.told.iter().filter_map(Line::who).collect::<BTreeSet<_>>().len()
    }

    /// Returns the builds of the workers' tests.
    pub fn builds(&self) -> BTreeSet<&str> {
        self.told.iter().filter_map(|told| told.build.as_deref()).collect()
    }

    /// Returns the number of builds per command: `run` and `fuzz` have one each.
    pub fn rival_builds(&self) -> usize {
        let of = |did: &str| {
            let lines = self.told.iter().filter(|told| told.did.as_deref().unwrap_or("run") == did);
            lines.filter_map(|told| told.build.as_deref()).collect::<BTreeSet<_>>().len()
        };
        of("run").max(of("fuzz"))
    }

    /// Returns the largest number of edges that one worker reached, and the total number of edges.
    pub fn edges(&self) -> Option<(u64, u64)> {
        let of = |told: &Line| Some((told.edges?, told.places?));
        self.told.iter().filter_map(of).max()
    }

    /// Returns the maximum number of edges or inputs over all workers, as a list of increases with their times.
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

    /// Returns the start and end times of searches.
    pub fn searches(&self, now: f64) -> Vec<(f64, f64)> {
        let search = |told: &Line| {
            told.growth.as_ref()?;
            let (began, time) = (began(told, now)?, told.time.clamp(0.0, 1e9));
            Some((began, began + time))
        };
        self.told.iter().filter_map(search).collect()
    }

    /// Returns the seconds of searching since the last new edge, and in total; `None` without a search.
    pub fn since_new(&self, now: f64) -> Option<(f64, f64)> {
        let searches = self.searches(now);
        let last = |column| self.growth(column, now).last().map_or(f64::NEG_INFINITY, |(at, _)| *at);
        let last = last(Column::Edges).max(last(Column::Inputs));
        let since = searches.iter().map(|(began, ended)| (ended - began.max(last)).max(0.0)).sum();
        let all = searches.iter().map(|(began, ended)| ended - began).sum();
        (!searches.is_empty()).then_some((since, all))
    }

    /// Returns whether edges were found in the last part of the time; `None` without a search.
    pub fn is_growing(&self, now: f64) -> Option<bool> {
        self.since_new(now).map(|(since, all)| since < GROWING * all)
    }

    /// Returns the number of different tests: a test that several workers ran with one seed in one build, because one of
    /// them was restarted, counts once. (Searches do not repeat inputs on purpose, so their executions are added up.)
    pub fn tests(&self) -> u64 {
        /// The tests of one seed, which a worker runs in a fixed order.
        type Series<'a> = (Option<&'a str>, &'a str, Option<&'a str>);
        let mut total = 0_f64;
        let mut series: BTreeMap<Series<'_>, Vec<&Line>> = BTreeMap::new();
        for told in &self.told {
            match &told.seed {
                Some(seed) if told.executions.is_none() => {
                    series.entry((told.shard.as_deref(), seed, told.build.as_deref())).or_default().push(told);
                }
                _ => total += told.tests() as f64,
            }
        }
        for lines in series.into_values() {
            let indices = |told: &Line| (told.from.unwrap_or(0), told.next.unwrap_or(0));
            let (mut continued, begun): (Vec<&Line>, Vec<&Line>) =
                lines.into_iter().partition(|told| told.from.zip(told.next).is_some());
            // Without indices, a run begins with the first test.
            total += begun.iter().map(|told| told.tests()).max().unwrap_or(0) as f64;
            continued.sort_by_key(|told| indices(told));
            let mut reached = 0;
            for told in continued {
                let (from, next) = indices(told);
                let new = next.saturating_sub(from.max(reached)) as f64 / next.saturating_sub(from).max(1) as f64;
                total += told.tests() as f64 * new;
                reached = reached.max(next);
            }
        }
        total.min(1e18).round() as u64
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::{Value, json};

    /// The number of tests and of workers, by these lines.
    fn counted(lines: &[Value]) -> (u64, usize) {
        let told = lines.iter().map(|line| Line::of(&line.to_string()).unwrap()).collect();
        let known = Known { told, ..Known::default() };
        (known.tests(), known.workers())
    }

    #[test]
    fn a_test_that_a_restarted_worker_repeats_counts_once() {
        let run = |worker: &str, from: u64, next: u64| json!({"worker": worker, "shard": "1/2", "seed": "0x7", "build": "b", "valid": (next - from) / 2, "from": from, "next": next});
        assert_eq!(counted(&[run("a", 0, 1000), run("b", 1000, 1600)]), (800, 1), "the second continues");
        assert_eq!(counted(&[run("a", 0, 1000), run("b", 800, 1600), run("c", 0, 600)]), (800, 1), "some are repeated");
        let other =
            json!({"worker": "a", "shard": "1/2", "seed": "0x8", "build": "b", "valid": 70, "from": 0, "next": 140});
        assert_eq!(counted(&[run("a", 0, 1000), other]), (570, 1), "another seed");
    }

    #[test]
    fn runs_without_indices_begin_with_the_first_test() {
        let run = |worker: &str, seed: &str, shard: Option<&str>, build: &str| json!({"worker": worker, "shard": shard, "seed": seed, "build": build, "valid": 90, "discarded": 10});
        let twice = [run("a", "0x7", None, "b"), run("b", "0x7", None, "b")];
        assert_eq!(counted(&twice), (100, 2), "two workers with one seed run the same tests");
        let others = [run("a", "0x8", None, "b"), run("a", "0x7", Some("1/2"), "b"), run("a", "0x7", None, "c")];
        assert_eq!(counted(&[&twice[..], &others].concat()).0, 400);
        let search = json!({"worker": "a", "executions": 1000, "seed": "0x7"});
        assert_eq!(counted(&[search.clone(), search]).0, 2000);
    }
}
