//! Checks for the laws of generators and shrinkers, for authors of new ones.

use super::Generator;
use super::sample::{Attempt, LARGEST, attempt};
use crate::choice::{AtEnd, Choice, Item, Random, Sequence, Source};
use std::fmt::{self, Debug};

/// The number of hostile sequences for each recorded test.
const HOSTILE_PER_TEST: u64 = 4;
/// The number of candidates to examine in search of the last one, over all values.
const MOST_LOOKED_AT: usize = 20_000;
/// The limit on greedy shrinking steps: far above what halving needs, far below what a user would wait for.
const MOST_STEPS: usize = 100_000;

/// A violated law, with the evidence.
///
/// ```
/// use forall::generate::check_generator;
/// let broken = check_generator(0..10).valid(|n| *n < 9).run().unwrap_err();
/// assert_eq!(broken.law, "valid");
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Broken {
    /// The law: `valid`, `total`, `terminates`, `reaches`, `replays` or `smaller`.
    pub law: &'static str,
    /// What happened, and how to reproduce it.
    pub message: String,
}

impl fmt::Display for Broken {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "the law `{}` does not hold: {}", self.law, self.message)
    }
}

impl std::error::Error for Broken {}

fn broken<T>(law: &'static str, message: String) -> Result<T, Broken> {
    Err(Broken { law, message })
}

/// Checks the laws of a generator:
///
/// - *valid*: every value satisfies the given predicate, even when the choices come from a shrinker or from hostile bytes;
/// - *total*: any choices give a value or a rejection, never a panic;
/// - *terminates*: within a bounded number of choices;
/// - *reaches*: each required kind of value is generated;
/// - *replays*: a recorded test gives the same choices when it is replayed, and recording does not change it.
///
/// ```
/// use forall::generate::{GeneratorExt, any, check_generator};
///
/// let even = any::<u32>().map(|n| n & !1);
/// let report = check_generator(even)
///     .valid(|n| n % 2 == 0)
///     .reaches("zero", |n| *n == 0)
///     .reaches("a large number", |n| *n > 1_000_000)
///     .run()
///     .unwrap();
/// assert_eq!(report.rejected, 0);
/// ```
pub fn check_generator<'a, G: Generator>(generator: G) -> GeneratorCheck<'a, G> {
    GeneratorCheck { generator, valid: Vec::new(), reaches: Vec::new(), tests: 1000, seed: 1, most_choices: 100_000 }
}

/// The check that [`check_generator`] returns: configure it, then call [`run`](GeneratorCheck::run).
#[must_use = "nothing is checked before `run`"]
pub struct GeneratorCheck<'a, G: Generator> {
    generator: G,
    valid: Vec<Predicate<'a, G::Value>>,
    reaches: Vec<(String, Predicate<'a, G::Value>)>,
    tests: u64,
    seed: u64,
    most_choices: usize,
}

type Predicate<'a, T> = Box<dyn Fn(&T) -> bool + 'a>;

/// The result of [`GeneratorCheck::run`].
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct GeneratorReport {
    /// The number of values generated from random choices.
    pub generated: u64,
    /// The number of tests that the generator rejected.
    pub rejected: u64,
    /// The values generated from hostile choices.
    #[doc(hidden)]
    pub from_hostile_choices: u64,
    /// The choices of a random value, on average.
    #[doc(hidden)]
    pub mean_choices: f64,
    /// The number of values of each required kind, in the order of the calls of [`reaches`](GeneratorCheck::reaches).
    pub reached: Vec<(String, u64)>,
}

impl<'a, G: Generator> GeneratorCheck<'a, G> {
    /// Requires that `predicate` holds for every value.
    ///
    /// ```
    /// let broken = forall::generate::check_generator(0..10u32).valid(|n| *n < 9).run().unwrap_err();
    /// assert_eq!(broken.law, "valid");
    /// ```
    pub fn valid(mut self, predicate: impl Fn(&G::Value) -> bool + 'a) -> Self {
        self.valid.push(Box::new(predicate));
        self
    }

    /// Requires that a kind of value is generated at least once.
    ///
    /// ```
    /// let report = forall::generate::check_generator(0..10u32).reaches("seven", |n| *n == 7).run().unwrap();
    /// assert!(report.reached[0].1 > 0);
    /// ```
    pub fn reaches(mut self, name: impl Into<String>, predicate: impl Fn(&G::Value) -> bool + 'a) -> Self {
        self.reaches.push((name.into(), Box::new(predicate)));
        self
    }

    /// Sets the number of random tests, 1000 by default. Sizes grow from 0 to 100.
    ///
    /// ```
    /// let report = forall::generate::check_generator(0..10u32).tests(50).run().unwrap();
    /// assert_eq!(report.generated, 50);
    /// ```
    pub fn tests(mut self, tests: u64) -> Self {
        self.tests = tests;
        self
    }

    /// Sets the seed of the random tests, 1 by default.
    ///
    /// ```
    /// use forall::generate::check_generator;
    /// let report = |seed| check_generator(0..10u32).seed(seed).run();
    /// assert_eq!(report(7), report(7));
    /// ```
    pub fn seed(mut self, seed: u64) -> Self {
        self.seed = seed;
        self
    }

    /// Sets how many choices one value may take. Default 100,000.
    ///
    /// ```
    /// use forall::generate::{any, check_generator, vec};
    /// let broken = check_generator(vec(any::<u8>())).most_choices(10).run().unwrap_err();
    /// assert_eq!(broken.law, "terminates");
    /// ```
    #[doc(hidden)]
    pub fn most_choices(mut self, most: usize) -> Self {
        self.most_choices = most;
        self
    }

    /// Checks the laws, and stops at the first violation.
    ///
    /// ```
    /// use forall::generate::{check_generator, from_fn};
    /// let broken = check_generator(from_fn(|source| 10 / source.draw(0..10u32))).run().unwrap_err();
    /// assert_eq!(broken.law, "total");
    /// ```
    pub fn run(self) -> Result<GeneratorReport, Broken> {
        let reached = self.reaches.iter().map(|(name, _)| (name.clone(), 0)).collect();
        let mut report =
            GeneratorReport { generated: 0, rejected: 0, from_hostile_choices: 0, mean_choices: 0.0, reached };
        let mut choices = 0;
        for index in 0..self.tests {
            let size = (index * u64::from(LARGEST) / (self.tests - 1).max(1)) as u32;
            let test = format!("test {index} of seed {} at size {size}", self.seed);
            let (value, sequence) = self.once(Source::record(self.seed, index, size), &test)?;
            self.same_at_random(index, size, &test)?;
            self.same_again(&sequence, &test)?;
            match value {
                None => report.rejected += 1,
                Some(value) => {
                    report.generated += 1;
                    choices += sequence.len();
                    for ((_, predicate), (_, count)) in self.reaches.iter().zip(&mut report.reached) {
                        *count += u64::from(predicate(&value));
                    }
                }
            }
            for attack in 0..HOSTILE_PER_TEST {
                let hostile = hostile(&sequence, self.seed ^ (index * HOSTILE_PER_TEST + attack));
                let what = format!("the choices {} at size {size}", brief(&hostile));
                let (value, used) = self.once(Source::tape(&hostile, AtEnd::Simplest), &what)?;
                report.from_hostile_choices += u64::from(value.is_some());
                if value.is_some() {
                    self.same_again(&used, &what)?;
                }
            }
        }
        report.mean_choices = choices as f64 / report.generated.max(1) as f64;
        if let Some((name, _)) = report.reached.iter().find(|(_, count)| *count == 0) {
            return broken("reaches", format!("none of {} values was {name}", report.generated));
        }
        Ok(report)
    }

    /// Generates once; none when the test was rejected.
    fn once(&self, mut source: Source, what: &str) -> Result<(Option<G::Value>, Sequence), Broken> {
        let value = match attempt(&self.generator, &mut source) {
            Attempt::Value(value) => Some(value),
            Attempt::Rejected if source.is_overrun() => {
                return broken("terminates", format!("{what} made more choices than a tape can hold"));
            }
            Attempt::Rejected => None,
            Attempt::Misused(misuse) => return broken("total", format!("in {what}, {misuse}")),
            Attempt::Panicked(payload) => {
                let text = (payload.downcast_ref::<&str>().map(|text| text.to_string()))
                    .or_else(|| payload.downcast_ref::<String>().cloned());
                return broken("total", format!("{what} panicked: {}", text.unwrap_or_else(|| "no message".into())));
            }
        };
        let sequence = source.into_sequence();
        if sequence.len() > self.most_choices {
            let (count, most) = (sequence.len(), self.most_choices);
            return broken("terminates", format!("{what} made {count} choices; at most {most} are allowed"));
        }
        if let Some(value) = &value
            && !self.valid.iter().all(|valid| valid(value))
        {
            return broken("valid", format!("{what} produced a value that is not valid"));
        }
        Ok((value, sequence))
    }

    /// Recording must not change the draws of a test: afterwards both streams are at the same position.
    fn same_at_random(&self, index: u64, size: u32, test: &str) -> Result<(), Broken> {
        let mut random = Source::random(self.seed, index, size);
        let mut recorded = Source::record(self.seed, index, size);
        let outcomes = (attempt(&self.generator, &mut random), attempt(&self.generator, &mut recorded));
        let same_kind =
            matches!(outcomes, (Attempt::Value(_), Attempt::Value(_)) | (Attempt::Rejected, Attempt::Rejected));
        let rejected = matches!(outcomes.0, Attempt::Rejected);
        if same_kind && (rejected || random.stream().0 == recorded.stream().0) {
            return Ok(());
        }
        broken(
            "replays",
            format!(
                "{test} produces a different value when recorded; does the generator depend on the \
                mode?"
            ),
        )
    }

    fn same_again(&self, sequence: &Sequence, what: &str) -> Result<(), Broken> {
        let (value, again) = self.once(Source::replay(sequence), what)?;
        if value.is_some() && (again.items != sequence.items || again.spans != sequence.spans) {
            let (before, after) = (brief(sequence), brief(&again));
            return broken(
                "replays",
                format!("{what} made the choices {before}, and {after} when replayed; is it deterministic?"),
            );
        }
        Ok(())
    }
}

/// A recorded sequence damaged in one of the ways that shrinkers, mutators and hostile files damage it.
#[inline]
fn hostile(recorded: &Sequence, key: u64) -> Sequence {
    let mut random = Random::from_key(key);
    let mut items = recorded.items.clone();
    let at = random.up_to((items.len() as u64).max(1) - 1) as usize;
    let extreme = |random: &mut Random| match random.up_to(4) {
        0 => 0,
        1 => u64::MAX,
        2 => random.up_to(8),
        _ => random.word(),
    };
    match random.up_to(3) {
        0 if at < items.len() => {
            let end = (at + 1 + random.up_to(4) as usize).min(items.len());
            items.drain(at..end);
        }
        1 if at < items.len() => {
            for item in &mut items[at..] {
                *item = Item::Choice(Choice { value: extreme(&mut random), max: u64::MAX });
            }
        }
        2 if at < items.len() => items[at] = Item::Choice(Choice { value: extreme(&mut random), max: u64::MAX }),
        _ => {
            let count = random.up_to(200);
            let value = |_| Item::Choice(Choice { value: extreme(&mut random), max: u64::MAX });
            items = (0..count).map(value).collect();
        }
    }
    Sequence { size: recorded.size, items, spans: Vec::new() }
}

/// The first choices of a sequence, for messages.
#[inline]
fn brief(sequence: &Sequence) -> String {
    let first: Vec<String> = sequence.values().take(20).map(|value| value.to_string()).collect();
    let more = if sequence.len() > first.len() { ", …" } else { "" };
    format!("[{}{more}]", first.join(", "))
}

/// Checks the laws of a shrinker, on values of `generator`:
///
/// - *smaller*: every candidate is smaller than the value, by the given measure; without one, it at least
///   differs from the value (by `Debug`);
/// - *valid*: every candidate satisfies the given predicate;
/// - *terminates*: there are finitely many candidates, and repeatedly taking the first, or the last, ends.
///
/// ```
/// use forall::generate::{Arbitrary, any, check_shrinker};
///
/// check_shrinker(any::<Vec<u8>>(), Vec::shrink)
///     .smaller(|candidate, value| candidate.len() < value.len() || candidate < value)
///     .run()
///     .unwrap();
///
/// let broken = check_shrinker(any::<u8>(), |n| Box::new([n / 2].into_iter())).run().unwrap_err();
/// assert_eq!(broken.message, "0 is a candidate for itself");
/// ```
pub fn check_shrinker<'a, G, F>(generator: G, shrink: F) -> ShrinkerCheck<'a, G, F>
where
    G: Generator<Value: Debug>,
    F: for<'b> Fn(&'b G::Value) -> Box<dyn Iterator<Item = G::Value> + 'b>,
{
    ShrinkerCheck { generator, shrink, smaller: None, valid: Vec::new(), tests: 200, seed: 1 }
}

/// The check that [`check_shrinker`] returns: configure it, then call [`run`](ShrinkerCheck::run).
#[must_use = "nothing is checked before `run`"]
pub struct ShrinkerCheck<'a, G: Generator, F> {
    generator: G,
    shrink: F,
    smaller: Option<Smaller<'a, G::Value>>,
    valid: Vec<Predicate<'a, G::Value>>,
    tests: u64,
    seed: u64,
}

type Smaller<'a, T> = Box<dyn Fn(&T, &T) -> bool + 'a>;

/// The result of [`ShrinkerCheck::run`].
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct ShrinkerReport {
    /// The number of values that were shrunk.
    pub values: u64,
    /// The number of all their candidates.
    pub candidates: u64,
    /// The longest path from a value to one without candidates.
    pub longest: usize,
}

impl<'a, G, F> ShrinkerCheck<'a, G, F>
where
    G: Generator<Value: Debug>,
    F: for<'b> Fn(&'b G::Value) -> Box<dyn Iterator<Item = G::Value> + 'b>,
{
    /// Requires that each candidate, the first argument, is smaller than its value.
    ///
    /// ```
    /// use forall::generate::check_shrinker;
    /// let check = check_shrinker(0..10u32, |n| Box::new(0..*n)).smaller(|candidate, n| candidate < n);
    /// assert!(check.run().is_ok());
    /// ```
    pub fn smaller(mut self, smaller: impl Fn(&G::Value, &G::Value) -> bool + 'a) -> Self {
        self.smaller = Some(Box::new(smaller));
        self
    }

    /// Requires that `predicate` holds for every candidate.
    ///
    /// ```
    /// use forall::generate::check_shrinker;
    /// // The generator never makes 0; the shrinker does.
    /// let check = check_shrinker(1..10u32, |n| Box::new(0..*n)).valid(|n| *n > 0);
    /// assert_eq!(check.run().unwrap_err().law, "valid");
    /// ```
    pub fn valid(mut self, predicate: impl Fn(&G::Value) -> bool + 'a) -> Self {
        self.valid.push(Box::new(predicate));
        self
    }

    /// Sets the number of values, 200 by default. Sizes grow from 0 to 100.
    ///
    /// ```
    /// use forall::generate::check_shrinker;
    /// let report = check_shrinker(0..10u32, |n| Box::new(0..*n)).tests(20).run().unwrap();
    /// assert_eq!(report.values, 20);
    /// ```
    pub fn tests(mut self, tests: u64) -> Self {
        self.tests = tests;
        self
    }

    /// Sets the seed of the values, 1 by default.
    ///
    /// ```
    /// use forall::generate::check_shrinker;
    /// let report = |seed| check_shrinker(0..10u32, |n| Box::new(0..*n)).seed(seed).run();
    /// assert_eq!(report(7), report(7));
    /// ```
    pub fn seed(mut self, seed: u64) -> Self {
        self.seed = seed;
        self
    }

    /// Checks the laws, and stops at the first violation.
    ///
    /// ```
    /// use forall::generate::check_shrinker;
    /// let report = check_shrinker(0..10u32, |n| Box::new(0..*n)).run().unwrap();
    /// assert_eq!(report.longest, 9, "from 9 down, one by one");
    /// ```
    pub fn run(self) -> Result<ShrinkerReport, Broken> {
        let mut report = ShrinkerReport { values: 0, candidates: 0, longest: 0 };
        let mut looked_at = 0;
        for index in 0..self.tests {
            let size = (index * u64::from(LARGEST) / (self.tests - 1).max(1)) as u32;
            let value = || match attempt(&self.generator, &mut Source::random(self.seed, index, size)) {
                Attempt::Value(value) => Some(value),
                _ => None,
            };
            let Some(first) = value() else { continue };
            report.values += 1;
            for (i, candidate) in (self.shrink)(&first).enumerate() {
                if i == MOST_STEPS {
                    return broken("terminates", format!("{first:?} has more than {MOST_STEPS} candidates"));
                }
                self.judge(&candidate, &first)?;
                report.candidates += 1;
            }
            // Two paths of very different steepness. The value is generated twice, since it may not be `Clone`.
            for last in [false, true] {
                let Some(mut at) = value().filter(|_| !last || looked_at <= MOST_LOOKED_AT) else { continue };
                let mut steps = 0;
                loop {
                    let next = {
                        let mut candidates = (self.shrink)(&at);
                        if last { candidates.inspect(|_| looked_at += 1).last() } else { candidates.next() }
                    };
                    let Some(next) = next else { break };
                    self.judge(&next, &at)?;
                    at = next;
                    steps += 1;
                    if last && looked_at > MOST_LOOKED_AT {
                        break;
                    }
                    if steps == MOST_STEPS {
                        return broken(
                            "terminates",
                            format!(
                                "shrinking from {first:?} reached {at:?} after {steps} \
                                       steps, without an end"
                            ),
                        );
                    }
                }
                report.longest = report.longest.max(steps);
            }
        }
        Ok(report)
    }

    fn judge(&self, candidate: &G::Value, value: &G::Value) -> Result<(), Broken> {
        match &self.smaller {
            Some(smaller) if !smaller(candidate, value) => {
                return broken("smaller", format!("{candidate:?}, a candidate for {value:?}, is not smaller"));
            }
            None if format!("{candidate:?}") == format!("{value:?}") => {
                return broken("smaller", format!("{value:?} is a candidate for itself"));
            }
            _ => {}
        }
        if !self.valid.iter().all(|valid| valid(candidate)) {
            return broken("valid", format!("{candidate:?}, a candidate for {value:?}, is not valid"));
        }
        Ok(())
    }
}

impl<G: Generator + Debug> Debug for GeneratorCheck<'_, G> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "check_generator({:?})", self.generator)
    }
}

impl<G: Generator + Debug, F> Debug for ShrinkerCheck<'_, G, F> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "check_shrinker({:?})", self.generator)
    }
}
