//! `--share`: how the time of a campaign is split between its properties.
//!
//! HypoFuzz's rule: time goes to the property with the highest expected rate of new behaviours, its speed times the
//! probability that the next test shows one. That probability is the share of behaviours seen once (Good and Turing) where
//! behaviours are counted, and otherwise the inverse of the tests since the last new one. A property without counts is treated as having
//! shown one behaviour, in its first test; its rate falls with its running time, so such properties get equal shares.
//!
//! The time is spent in rounds, short ones first. The first is split evenly; the rates are estimated again after each. A tenth
//! is always split evenly.

use crate::words;
use clap::{Args, ValueEnum};
use forall::protocol::Finished;
use std::time::Duration;

/// How the time is split.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum Share {
    /// By the expected number of new behaviours per second
    #[default]
    Behaviours,
    /// The same time for each
    Equal,
}

/// `--share`.
#[derive(Args, Clone, Copy, Debug, Default)]
pub struct Split {
    /// How the time of --for is divided among properties
    #[arg(
        long,
        value_enum,
        default_value_t,
        requires = "time",
        hide_possible_values = true,
        value_name = "behaviours|equal"
    )]
    pub share: Share,
}

/// The share of each round.
const ROUNDS: [f64; 4] = [0.125, 0.125, 0.25, 0.5];

/// The part of a round that is split evenly: a property that gets no time could never correct a wrong estimate.
const FOR_ALL: f64 = 0.1;

/// The minimum time per property for more than one round, in seconds.
const LEAST: f64 = 0.5;

/// The least time of a process, in seconds.
const LEAST_SLICE: f64 = 0.05;

/// The state of a campaign over several properties.
#[derive(Debug)]
pub struct Sharing {
    share: Share,
    /// The time limit in seconds, if any.
    total: Option<f64>,
    properties: Vec<Spent>,
}

/// The state of one property.
#[derive(Clone, Debug)]
struct Spent {
    time: f64,
    /// Expected new behaviours per second.
    rate: f64,
    /// Whether it can use more.
    goes_on: bool,
}

impl Sharing {
    /// Splits a time among a number of properties; without a limit, each takes the time it needs.
    pub fn new(share: Share, total: Option<Duration>, properties: usize) -> Self {
        let new = Spent { time: 0.0, rate: 0.0, goes_on: true };
        Self { share, total: total.map(|time| time.as_secs_f64()), properties: vec![new; properties] }
    }

    /// The number of rounds.
    pub fn rounds(&self) -> usize {
        let number = self.properties.len();
        match (self.total, self.share) {
            (Some(total), Share::Behaviours) if number > 1 && total / number as f64 >= LEAST => ROUNDS.len(),
            _ => 1,
        }
    }

    /// The properties of this round, each with its time limit.
    pub fn round(&self, round: usize) -> Vec<(usize, Option<Duration>)> {
        let all: Vec<usize> = (0..self.properties.len()).filter(|&at| self.properties[at].goes_on).collect();
        let Some(total) = self.total else { return all.into_iter().map(|at| (at, None)).collect() };
        let of = |seconds: f64| Some(Duration::from_secs_f64(seconds.max(0.001)));
        if self.rounds() == 1 {
            let equal = total / self.properties.len() as f64;
            return all.into_iter().map(|at| (at, of(equal))).collect();
        }
        let spent: f64 = self.properties.iter().map(|property| property.time).sum();
        // Unused time goes to the others.
        let budget = (total - spent).max(0.0) * ROUNDS[round] / ROUNDS[round..].iter().sum::<f64>();
        let equal = budget / all.len().max(1) as f64;
        let mut shares = vec![equal; all.len()];
        if round > 0 {
            let rates: Vec<f64> = all.iter().map(|&at| self.properties[at].rate).collect();
            for (share, by_rate) in shares.iter_mut().zip(split(budget, &rates)) {
                *share = FOR_ALL * equal + (1.0 - FOR_ALL) * by_rate;
            }
            // A slice that is too short for a process goes to the larger ones.
            let weights: Vec<f64> = shares.iter().map(|&share| if share < LEAST_SLICE { 0.0 } else { share }).collect();
            shares = split(budget, &weights);
        }
        all.into_iter().zip(shares).filter(|(_, share)| *share > 0.0).map(|(at, share)| (at, of(share))).collect()
    }

    /// Records the time of a property, its rate, and whether it can use more.
    pub fn spent(&mut self, at: usize, time: Duration, rate: f64, goes_on: bool) {
        let property = &mut self.properties[at];
        property.time += time.as_secs_f64();
        (property.rate, property.goes_on) = (if rate.is_finite() { rate.max(0.0) } else { 0.0 }, goes_on);
    }

    /// The time that a property has used, in seconds.
    pub fn time(&self, at: usize) -> f64 {
        self.properties[at].time
    }

    /// The split as text, the largest first. Empty if there was nothing to decide.
    pub fn text(&self, names: &[&str]) -> String {
        let whole: f64 = self.properties.iter().map(|property| property.time).sum();
        if self.rounds() == 1 || whole <= 0.0 {
            return String::new();
        }
        let mut order: Vec<usize> = (0..names.len()).collect();
        order.sort_by(|&a, &b| self.properties[b].time.total_cmp(&self.properties[a].time));
        let mut out = "time by expected new behaviours per second (--share equal splits it evenly):\n".to_owned();
        for at in order {
            let Spent { time, rate, goes_on } = &self.properties[at];
            let expected =
                if *goes_on { format!("{} expected per minute", short(rate * 60.0)) } else { "ended".to_owned() };
            let (percent, time) = (100.0 * time / whole, words::seconds(*time));
            out += &format!("    {percent:>3.0} %  {}  {time}, {expected}\n", names[at]);
        }
        out
    }
}

/// A number with its significant digits.
fn short(number: f64) -> String {
    if number >= 10.0 { format!("{number:.0}") } else { format!("{number:.1}") }
}

fn split(budget: f64, weights: &[f64]) -> Vec<f64> {
    let sum: f64 = weights.iter().sum();
    match sum > 0.0 {
        true => weights.iter().map(|weight| budget * weight / sum).collect(),
        false => vec![budget / weights.len().max(1) as f64; weights.len()],
    }
}

/// The number of behaviours of a finished run, and the number of those seen once.
pub fn behaviours(finished: &Finished) -> (u64, u64) {
    let rows = finished.tables.values().chain(finished.features.values()).flatten();
    let (mut all, mut once) = (0, 0);
    for (_, times) in finished.labels.iter().chain(rows) {
        all += 1;
        once += u64::from(*times == 1);
    }
    (all, once)
}

/// The expected new behaviours per second of a run of this many seconds.
pub fn rate_of_run(finished: &Finished, time: f64) -> f64 {
    let tests = (finished.valid + finished.discarded) as f64;
    // Passing is a behaviour, seen once.
    let once = behaviours(finished).1 as f64 + 1.0;
    tests / time.max(1e-3) * once / (tests + 1.0)
}

/// The expected new behaviours per second of a search, by its executions per second and the seconds since the last new one.
pub fn rate_of_search(speed: f64, since: f64) -> f64 {
    speed / (speed * since + 1.0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::json::read;
    use serde_json::{Value, json};

    fn seconds(round: &[(usize, Option<Duration>)]) -> Vec<(usize, f64)> {
        round.iter().map(|(at, time)| (*at, (time.unwrap().as_secs_f64() * 1000.0).round() / 1000.0)).collect()
    }

    #[test]
    fn time_goes_to_the_highest_rate_and_unused_time_to_the_others() {
        let mut sharing = Sharing::new(Share::Behaviours, Some(Duration::from_secs(80)), 2);
        assert_eq!((sharing.rounds(), seconds(&sharing.round(0))), (4, vec![(0, 5.0), (1, 5.0)]));
        sharing.spent(0, Duration::from_secs(5), 3.0, true);
        sharing.spent(1, Duration::from_secs(5), 1.0, true);
        assert_eq!(seconds(&sharing.round(1)), [(0, 7.25), (1, 2.75)]);
        // The second property finished early.
        sharing.spent(0, Duration::from_secs_f64(7.5), 0.1, true);
        sharing.spent(1, Duration::from_secs_f64(0.5), 0.0, false);
        assert_eq!(seconds(&sharing.round(2)), [(0, 20.667)]);
        let text = sharing.text(&["a", "b"]);
        assert!(text.contains("     69 %  a  12 s, 6.0 expected per minute\n     31 %  b  5.5 s, ended\n"), "{text}");
    }

    #[test]
    fn equal_shares_and_one_round_for_little_time() {
        for (share, time) in [(Share::Equal, 60.0), (Share::Behaviours, 0.9)] {
            let sharing = Sharing::new(share, Some(Duration::from_secs_f64(time)), 3);
            assert_eq!((sharing.rounds(), sharing.text(&["a", "b", "c"])), (1, String::new()));
            assert!(seconds(&sharing.round(0)).iter().all(|(_, each)| *each == time / 3.0));
        }
        assert_eq!(Sharing::new(Share::Behaviours, None, 2).round(0), [(0, None), (1, None)]);
    }

    #[test]
    fn slices_are_at_least_the_minimum() {
        let mut sharing = Sharing::new(Share::Behaviours, Some(Duration::from_secs(4)), 2);
        sharing.spent(0, Duration::from_millis(250), 1e6, true);
        sharing.spent(1, Duration::from_millis(250), 1.0, true);
        assert_eq!(seconds(&sharing.round(1)), [(0, 0.5)]);
        sharing.spent(0, Duration::from_millis(500), f64::NAN, true);
        assert_eq!(seconds(&sharing.round(2)), [(0, 0.05), (1, 0.95)], "NaN counts as zero");
    }

    #[test]
    fn the_rate_depends_on_behaviours_seen_once() {
        let run = |labels: Value| {
            read(json!({"valid": 900, "discarded": 99, "labels": labels, "tables": {"size": {"1": 1}}}))
        };
        assert_eq!(rate_of_run(&run(json!({"a": 1, "b": 7})), 1.0), 999.0 * 3.0 / 1000.0);
        let silent = Finished { valid: 999, ..Finished::default() };
        assert!(rate_of_run(&silent, 10.0) < rate_of_run(&silent, 5.0), "without behaviours the rate falls with time");
        assert!(rate_of_search(1000.0, 0.5) > rate_of_search(1000.0, 50.0));
    }
}
