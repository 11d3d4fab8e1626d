//! Workers and their store, second by second.
//!
//! All workers are alike, so one stands for all. The knowledge of a worker is counted in executions: those whose inputs
//! it has fetched, and its own since. An execution finds something with the chance that the curve has at that point. So
//! workers that know little of each other find the same things again, and each of these finds is an entry of its own,
//! with an input of its own, that all others fetch.

use crate::curve::Curve;

/// A step of the simulation, in seconds.
const STEP: f64 = 0.1;

/// A worker fetches no more inputs at once, as `cargo forall fuzz` does it.
const MOST_AT_ONCE: f64 = 1000.0;

/// The workers.
#[derive(Clone, Copy, Debug)]
pub struct Fleet {
    pub workers: f64,
    /// Seconds between two looks of a worker at the store.
    pub interval: f64,
    /// Executions whose finds are in the corpus before the fleet starts.
    pub known: f64,
    /// As many stores, each with its part of the workers. Their corpora are minimised and merged into each other.
    pub groups: f64,
    /// Seconds between two merges.
    pub merge: f64,
}

impl Fleet {
    /// Workers that start together, with nothing known and one store.
    pub fn of(workers: f64) -> Self {
        Self { workers, interval: 0.1, known: 0.0, groups: 1.0, merge: 0.0 }
    }
}

/// The store's capacity per second.
#[derive(Clone, Copy, Debug)]
pub struct Store {
    pub operations: f64,
    pub bytes: f64,
    pub listing: Listing,
}

/// The response to a worker that polls for news.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Listing {
    /// The names of all entries, whenever there is a new one.
    Whole,
    /// The names of those that are new.
    News,
}

/// A name of an entry on the wire, in bytes.
const NAME: f64 = 24.0;

/// How things are at one time.
#[derive(Clone, Copy, Debug, Default)]
pub struct Moment {
    pub seconds: f64,
    /// Of all workers.
    pub executions: f64,
    /// In the store (one of them, if there are groups).
    pub entries: f64,
    /// The number of entries that a single worker would have found with as many executions.
    pub behaviours: f64,
    /// The workers' requests per second, whether or not the store can handle them.
    pub operations: f64,
    pub bytes: f64,
    /// The share that the store handles.
    pub served: f64,
    /// How old the news is that workers have.
    pub delay: f64,
}

/// Runs the fleet for so many seconds.
pub fn simulate(curve: &Curve, fleet: &Fleet, store: &Store, seconds: f64) -> Vec<Moment> {
    let workers = fleet.workers / fleet.groups;
    let rate = curve.per_second;
    // The initial corpus is in the store, and all workers started with it.
    let begun_with = curve.entries(fleet.known);
    let (mut stored, mut fetched, mut waiting) = (begun_with, begun_with, 0.0);
    let mut history: Vec<Moment> = vec![Moment { entries: begun_with, served: 1.0, ..Moment::default() }];
    let mut known_until = 0;
    let steps = (seconds / STEP).round() as usize;
    for step in 1..=steps {
        let now = step as f64 * STEP;
        let by = |seconds: f64| fleet.known + fleet.workers * rate * seconds.max(0.0);
        // The last moment of which the worker has fetched everything.
        while known_until + 1 < history.len() && history[known_until + 1].entries <= fetched {
            known_until += 1;
        }
        let seen = history[known_until].seconds;
        // When the step begins: of its own group up to then; of the others up to the last merge; and its own.
        let of_others = if fleet.groups > 1.0 { seen.min(now - fleet.merge).max(0.0) } else { seen };
        let knowledge = by(of_others) + workers * rate * (seen - of_others) + rate * (now - STEP - seen);
        let found = workers * (curve.entries(knowledge + rate * STEP) - curve.entries(knowledge));
        waiting += found;
        let merged = if fleet.groups > 1.0 {
            let new = curve.entries(by(now - fleet.merge)) - curve.entries(by(now - fleet.merge - STEP));
            new * (1.0 - 1.0 / fleet.groups)
        } else {
            0.0
        };

        let looks = workers * STEP / fleet.interval;
        let visible = history[history.len().saturating_sub((fleet.interval / STEP).round().max(1.0) as usize)].entries;
        // Each input that is fetched is executed once.
        let most = (MOST_AT_ONCE * STEP / fleet.interval).min(rate * STEP);
        let wanted = (visible - fetched).clamp(0.0, most);
        let is_news = visible > fetched;
        // A worker does not fetch its own entries.
        let fetches = (workers - 1.0) * wanted;
        let named = match store.listing {
            Listing::Whole if is_news => looks * visible,
            Listing::Whole => 0.0,
            Listing::News => fetches,
        };
        let operations = looks * if is_news { 2.0 } else { 1.0 } + waiting + merged + fetches;
        let bytes = named * NAME + (waiting + merged + fetches) * curve.bytes;
        let served = (store.operations * STEP / operations).min(store.bytes * STEP / bytes).min(1.0);
        stored += (waiting + merged) * served;
        waiting -= waiting * served;
        fetched += wanted * served;
        history.push(Moment {
            seconds: now,
            executions: by(now),
            entries: stored,
            behaviours: curve.entries(by(now)),
            operations: operations / STEP,
            bytes: bytes / STEP,
            served,
            delay: now - seen,
        });
    }
    history
}

/// When the store cannot do what it is asked for the first time, if ever.
pub fn saturated(history: &[Moment]) -> Option<f64> {
    history.iter().find(|moment| moment.served < 1.0).map(|moment| moment.seconds)
}

/// How many seconds of the time it cannot.
pub fn overloaded(history: &[Moment]) -> f64 {
    history.iter().filter(|moment| moment.served < 1.0).count() as f64 * STEP
}

#[cfg(test)]
mod tests {
    use super::*;

    fn curve() -> Curve {
        let line = |executions: u64| {
            let entries = (executions as f64).sqrt() as u64;
            format!("{{\"executions\":{executions},\"corpus\":{entries},\"edges\":1}}\n")
        };
        let log: String = (1..=60).map(|k| line(10f64.powf(f64::from(k) / 10.0) as u64)).collect();
        let last = "{\"stored_entries\":1,\"stored_bytes\":200,\"processor_seconds\":100}\n";
        Curve::read(&(log + last)).unwrap()
    }

    const PLENTY: Store = Store { operations: 1e12, bytes: 1e15, listing: Listing::News };

    #[test]
    fn one_worker_reproduces_its_log() {
        let curve = curve();
        let end = simulate(&curve, &Fleet::of(1.0), &PLENTY, 100.0).pop().unwrap();
        assert!((end.executions - 1e6).abs() < 1.0, "{end:?}");
        assert!((end.entries / 1000.0 - 1.0).abs() < 0.02, "{end:?}");
    }

    #[test]
    fn workers_that_share_late_find_the_same_failures() {
        let curve = curve();
        let entries = |interval: f64| {
            let fleet = Fleet { interval, ..Fleet::of(100.0) };
            let end = simulate(&curve, &fleet, &PLENTY, 100.0).pop().unwrap();
            end.entries / end.behaviours
        };
        assert!(entries(0.1) < entries(1.0) && entries(1.0) < entries(30.0));
    }

    #[test]
    fn a_store_that_is_too_slow_is_noticed_and_makes_news_old() {
        let curve = curve();
        let slow = Store { operations: 5000.0, ..PLENTY };
        let history = simulate(&curve, &Fleet::of(1000.0), &slow, 100.0);
        assert!(saturated(&history).is_some_and(|at| at < 5.0));
        let delay = |history: &[Moment]| history.last().unwrap().delay;
        assert!(delay(&history) > 10.0 * delay(&simulate(&curve, &Fleet::of(1000.0), &PLENTY, 100.0)));
    }
}
