//! `--share`: how the time of a campaign is split between its properties.
//!
//! HypoFuzz's rule: an hour goes where new behaviours are to be expected soonest. How many a second of a property brings is its speed
//! times the chance that the next test shows something new. That chance is estimated in one of two ways: by how many things were seen
//! once, of how many tests (Good and Turing), where things are counted; or by how many tests ago the last new thing came. A property of
//! which nothing is counted has shown one thing, at its first test, so the more time it had the less it gets: the rule is then that of
//! equal shares.
//!
//! The time is spent in rounds, short ones first. In the first all get the same; after each it is looked again who finds what. A tenth
//! is always shared evenly.

use crate::words;
use clap::{Args, ValueEnum};
use forall::protocol::Finished;
use std::time::Duration;

/// How the time is split.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum Share {
    /// By how many new behaviours are to be expected in a second of each
    #[default]
    Behaviours,
    /// The same for all
    Equal,
}

/// `--share`, of commands that have `--for`.
#[derive(Args, Clone, Copy, Debug, Default)]
pub struct Split {
    /// How the time of --for is split between several properties: see below
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

/// What part of the whole each round takes.
const ROUNDS: [f64; 4] = [0.125, 0.125, 0.25, 0.5];

/// This part of a round is the same for all: an estimate may be wrong, and who gets nothing cannot show that.
const FOR_ALL: f64 = 0.1;

/// With less time for each, there is nothing to be learnt from a part of it: seconds.
const LEAST: f64 = 0.5;

/// A process is not started for less: seconds.
const LEAST_SLICE: f64 = 0.05;

/// A campaign over several properties, as far as it is.
#[derive(Debug)]
pub struct Sharing {
    share: Share,
    /// Seconds; none if there is no limit.
    total: Option<f64>,
    properties: Vec<Spent>,
}

/// What one property has had.
#[derive(Clone, Debug)]
struct Spent {
    time: f64,
    /// New behaviours to be expected per second.
    rate: f64,
    /// Whether it can use more.
    goes_on: bool,
}

impl Sharing {
    /// So much time is to be shared among so many; without a limit, each has what it needs.
    pub fn new(share: Share, total: Option<Duration>, properties: usize) -> Self {
        let new = Spent { time: 0.0, rate: 0.0, goes_on: true };
        Self { share, total: total.map(|time| time.as_secs_f64()), properties: vec![new; properties] }
    }

    /// How many rounds there are.
    pub fn rounds(&self) -> usize {
        let number = self.properties.len();
        match (self.total, self.share) {
            (Some(total), Share::Behaviours) if number > 1 && total / number as f64 >= LEAST => ROUNDS.len(),
            _ => 1,
        }
    }

    /// Who gets how much time in this round; no limit if there is none.
    pub fn round(&self, round: usize) -> Vec<(usize, Option<Duration>)> {
        let all: Vec<usize> = (0..self.properties.len()).filter(|&at| self.properties[at].goes_on).collect();
        let Some(total) = self.total else { return all.into_iter().map(|at| (at, None)).collect() };
        let of = |seconds: f64| Some(Duration::from_secs_f64(seconds.max(0.001)));
        if self.rounds() == 1 {
            let equal = total / self.properties.len() as f64;
            return all.into_iter().map(|at| (at, of(equal))).collect();
        }
        let spent: f64 = self.properties.iter().map(|property| property.time).sum();
        // What some did not need is there for the others.
        let budget = (total - spent).max(0.0) * ROUNDS[round] / ROUNDS[round..].iter().sum::<f64>();
        let equal = budget / all.len().max(1) as f64;
        let mut shares = vec![equal; all.len()];
        if round > 0 {
            let rates: Vec<f64> = all.iter().map(|&at| self.properties[at].rate).collect();
            for (share, by_rate) in shares.iter_mut().zip(split(budget, &rates)) {
                *share = FOR_ALL * equal + (1.0 - FOR_ALL) * by_rate;
            }
            // Where it is too little to begin with, it goes to those who have more.
            let weights: Vec<f64> = shares.iter().map(|&share| if share < LEAST_SLICE { 0.0 } else { share }).collect();
            shares = split(budget, &weights);
        }
        all.into_iter().zip(shares).filter(|(_, share)| *share > 0.0).map(|(at, share)| (at, of(share))).collect()
    }

    /// What one property did with its time: how many new behaviours are to be expected of it per second, and whether it can use more.
    pub fn spent(&mut self, at: usize, time: Duration, rate: f64, goes_on: bool) {
        let property = &mut self.properties[at];
        property.time += time.as_secs_f64();
        (property.rate, property.goes_on) = (if rate.is_finite() { rate.max(0.0) } else { 0.0 }, goes_on);
    }

    /// The time that a property has had, in seconds.
    pub fn time(&self, at: usize) -> f64 {
        self.properties[at].time
    }

    /// How the time was split, for people: lines for those with most of it first. Nothing if nobody had a choice.
    pub fn text(&self, names: &[&str]) -> String {
        let whole: f64 = self.properties.iter().map(|property| property.time).sum();
        if self.rounds() == 1 || whole <= 0.0 {
            return String::new();
        }
        let mut order: Vec<usize> = (0..names.len()).collect();
        order.sort_by(|&a, &b| self.properties[b].time.total_cmp(&self.properties[a].time));
        let mut out = "time by expected new behaviours per second (--share equal gives all the same):\n".to_owned();
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

/// A number with as many digits as say something.
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

/// How many different things the tests of a run have said, in the event that says how it finished; and how many of them once.
pub fn behaviours(finished: &Finished) -> (u64, u64) {
    let rows = finished.tables.values().chain(finished.features.values()).flatten();
    let (mut all, mut once) = (0, 0);
    for (_, times) in finished.labels.iter().chain(rows) {
        all += 1;
        once += u64::from(*times == 1);
    }
    (all, once)
}

/// New behaviours to be expected per second, of a run that took so many seconds.
pub fn rate_of_run(finished: &Finished, time: f64) -> f64 {
    let tests = (finished.valid + finished.discarded) as f64;
    // That it passed was new, once.
    let once = behaviours(finished).1 as f64 + 1.0;
    tests / time.max(1e-3) * once / (tests + 1.0)
}

/// New behaviours to be expected per second, of a search that has done so many executions in a second, and in which the last new one
/// came so many seconds ago.
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
    fn time_goes_where_something_new_is_expected_and_what_is_not_used_to_the_others() {
        let mut sharing = Sharing::new(Share::Behaviours, Some(Duration::from_secs(80)), 2);
        assert_eq!((sharing.rounds(), seconds(&sharing.round(0))), (4, vec![(0, 5.0), (1, 5.0)]));
        sharing.spent(0, Duration::from_secs(5), 3.0, true);
        sharing.spent(1, Duration::from_secs(5), 1.0, true);
        assert_eq!(seconds(&sharing.round(1)), [(0, 7.25), (1, 2.75)]);
        // The second one is done, and has taken a moment.
        sharing.spent(0, Duration::from_secs_f64(7.5), 0.1, true);
        sharing.spent(1, Duration::from_secs_f64(0.5), 0.0, false);
        assert_eq!(seconds(&sharing.round(2)), [(0, 20.667)]);
        let text = sharing.text(&["a", "b"]);
        assert!(text.contains("     69 %  a  12 s, 6.0 expected per minute\n     31 %  b  5.5 s, ended\n"), "{text}");
    }

    #[test]
    fn equal_is_equal_and_little_time_is_not_cut_up() {
        for (share, time) in [(Share::Equal, 60.0), (Share::Behaviours, 0.9)] {
            let sharing = Sharing::new(share, Some(Duration::from_secs_f64(time)), 3);
            assert_eq!((sharing.rounds(), sharing.text(&["a", "b", "c"])), (1, String::new()));
            assert!(seconds(&sharing.round(0)).iter().all(|(_, each)| *each == time / 3.0));
        }
        assert_eq!(Sharing::new(Share::Behaviours, None, 2).round(0), [(0, None), (1, None)]);
    }

    #[test]
    fn nobody_gets_a_moment_that_is_too_short_to_begin() {
        let mut sharing = Sharing::new(Share::Behaviours, Some(Duration::from_secs(4)), 2);
        sharing.spent(0, Duration::from_millis(250), 1e6, true);
        sharing.spent(1, Duration::from_millis(250), 1.0, true);
        assert_eq!(seconds(&sharing.round(1)), [(0, 0.5)]);
        sharing.spent(0, Duration::from_millis(500), f64::NAN, true);
        assert_eq!(seconds(&sharing.round(2)), [(0, 0.05), (1, 0.95)], "what is no number is nothing");
    }

    #[test]
    fn what_was_seen_once_says_how_much_is_still_to_be_seen() {
        let run = |labels: Value| {
            read(json!({"valid": 900, "discarded": 99, "labels": labels, "tables": {"size": {"1": 1}}}))
        };
        assert_eq!(rate_of_run(&run(json!({"a": 1, "b": 7})), 1.0), 999.0 * 3.0 / 1000.0);
        let silent = Finished { valid: 999, ..Finished::default() };
        assert!(rate_of_run(&silent, 10.0) < rate_of_run(&silent, 5.0), "who says nothing gets less the more it had");
        assert!(rate_of_search(1000.0, 0.5) > rate_of_search(1000.0, 50.0));
    }
}
