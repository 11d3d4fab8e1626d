//! The stops of the tour: five bugs that real programs have had, each with the property that finds it.
//!
//! `examples/tour.rs` prints them, and `tests/tour.rs` holds each stop to its promise.

use forall::Arbitrary;
use forall::lazy::{Fun, Lazy, List};
use forall::machine::Sequential;
use forall::property::{Outcome, Property};
use forall::run::{Report, Run, Settings, Store};

/// A bug, the property that finds it, and what the reader should see.
pub struct Stop {
    /// The heading.
    pub title: &'static str,
    /// The author's belief about the code.
    pub claim: &'static str,
    /// The name of the property, which is the name of its test in `tests/tour.rs`.
    pub name: &'static str,
    /// Creates the property.
    pub property: fn() -> Box<dyn Property>,
    /// The runner that searches for a counterexample.
    pub runner: &'static str,
    /// The minimal counterexample that the lesson talks about: the values in the order of the variables.
    pub counterexample: &'static [&'static str],
    /// The lesson of the counterexample.
    pub lesson: &'static str,
}

/// The stops, in order.
pub const STOPS: [Stop; 5] = [
    Stop {
        title: "1. A string cut to fit",
        claim: "Truncating a string to a number of bytes is safe.",
        name: "truncating_respects_the_limit",
        property: || Box::new(truncating_respects_the_limit::property()),
        runner: "generational",
        counterexample: &[r#"String::from("\u{80}")"#, "1"],
        lesson: "One character of two bytes, cut after the first byte. The failing string was longer; forall shrank it to one \
                 character, and the limit to the only one that fails.",
    },
    Stop {
        title: "2. The bug in most binary searches",
        claim: "The midpoint of two numbers lies between them.",
        name: "the_midpoint_lies_between",
        property: || Box::new(the_midpoint_lies_between::property()),
        runner: "generational",
        counterexample: &["1", "2147483647"],
        lesson: "The range of `high` depends on `low`. Boundary values are generated often, so the overflow is not a matter of \
                 luck.",
    },
    Stop {
        title: "3. An optimiser",
        claim: "x / x is 1.",
        name: "optimising_preserves_the_value",
        property: || Box::new(optimising_preserves_the_value::property()),
        runner: "generational",
        counterexample: &["Expr::Divide(Box::new(Expr::Number(0)), Box::new(Expr::Number(0)))"],
        lesson: "`Expr` derives `Arbitrary`. Equal subterms are rare at random, so forall generates them on purpose. The \
                 counterexample is Rust code to paste into a test.",
    },
    Stop {
        title: "4. A stateful system: an LRU cache",
        claim: "An LRU cache of two entries evicts the key that was used least recently.",
        name: "the_cache_behaves_like_its_model",
        property: || Box::new(the_cache_behaves_like_its_model::property()),
        runner: "generational",
        counterexample: &[
            "Sequential::of([Lru::put(0, 0), Lru::put(1, 0), Lru::put(0, 0), Lru::put(2, 0), Lru::get(0)])",
        ],
        lesson: "`machine!` runs the same calls on the cache and on a simple model. `put` of a key that is in the cache does not \
                 refresh it; five calls show that. `forall::machine` can also run calls on several threads.",
    },
    Stop {
        title: "5. Functions, and every input up to a depth",
        claim: "Reducing a list from the left or from the right makes no difference.",
        name: "the_direction_does_not_matter",
        property: || Box::new(the_direction_does_not_matter::property()),
        runner: "exhaustive",
        counterexample: &["{ (_, false) -> false; (_, true) -> true }", "false", "[false, true]"],
        lesson: "The reducing function is an input, printed as a table. `runner = exhaustive` tries every input up to a depth, the \
                 smallest first, and generates only the parts that the property reads; `_` stands for the rest.",
    },
];

impl Stop {
    /// Runs the property with a seed.
    pub fn report(&self, seed: u64) -> Report {
        let property = (self.property)();
        Run::new(self.name, &*property).settings(self.settings().seed(seed)).report()
    }

    /// Fails as the test of a user would; with `FORALL_DO`, replays the case of a `replay:` line.
    pub fn test(&self) {
        let property = (self.property)();
        Run::new(self.name, &*property).settings(self.settings()).test();
    }

    fn settings(&self) -> Settings {
        Settings::new().runner(self.runner).store(Store::Off)
    }
}

/// The first bytes of a string, at most `limit`.
fn truncate(text: &str, limit: usize) -> &str {
    &text[..limit.min(text.len())]
}

#[forall::property]
fn truncating_respects_the_limit(text: String, #[forall(0..20)] limit: usize) {
    assert!(truncate(&text, limit).len() <= limit);
}

/// The midpoint of most binary searches until 2006.
fn midpoint(low: i32, high: i32) -> i32 {
    low.wrapping_add(high) / 2
}

#[forall::property]
fn the_midpoint_lies_between(#[forall(0..=i32::MAX)] low: i32, #[forall(low..=i32::MAX)] high: i32) {
    let midpoint = midpoint(low, high);
    assert!((low..=high).contains(&midpoint), "{midpoint} is not between {low} and {high}");
}

/// The terms of a small language.
#[derive(Arbitrary, Clone, Debug, PartialEq)]
enum Expr {
    Number(i8),
    Add(Box<Expr>, Box<Expr>),
    Divide(Box<Expr>, Box<Expr>),
}

fn evaluate(expr: &Expr) -> Option<i64> {
    match expr {
        Expr::Number(n) => Some(i64::from(*n)),
        Expr::Add(a, b) => evaluate(a)?.checked_add(evaluate(b)?),
        Expr::Divide(a, b) => evaluate(a)?.checked_div(evaluate(b)?),
    }
}

fn optimise(expr: &Expr) -> Expr {
    match expr {
        Expr::Number(n) => Expr::Number(*n),
        Expr::Add(a, b) => Expr::Add(Box::new(optimise(a)), Box::new(optimise(b))),
        Expr::Divide(a, b) if a == b => Expr::Number(1),
        Expr::Divide(a, b) => Expr::Divide(Box::new(optimise(a)), Box::new(optimise(b))),
    }
}

#[forall::property]
fn optimising_preserves_the_value(expr: Expr) {
    assert_eq!(evaluate(&optimise(&expr)), evaluate(&expr));
}

/// A cache of two entries, the most recently used last.
#[derive(Default)]
struct Cache(Vec<(u8, u8)>);

impl Cache {
    fn get(&mut self, key: u8) -> Option<u8> {
        let at = self.0.iter().position(|entry| entry.0 == key)?;
        let entry = self.0.remove(at);
        self.0.push(entry);
        Some(entry.1)
    }

    fn put(&mut self, key: u8, value: u8) {
        if let Some(entry) = self.0.iter_mut().find(|entry| entry.0 == key) {
            entry.1 = value;
            return;
        }
        if self.0.len() == 2 {
            self.0.remove(0);
        }
        self.0.push((key, value));
    }
}

/// The cache as its documentation describes it.
#[derive(Clone, Default)]
struct Model(Vec<(u8, u8)>);

impl Model {
    fn get(&mut self, key: u8) -> Option<u8> {
        let value = self.0.iter().find(|entry| entry.0 == key)?.1;
        self.put(key, value);
        Some(value)
    }

    fn put(&mut self, key: u8, value: u8) {
        self.0.retain(|entry| entry.0 != key);
        self.0.push((key, value));
        if self.0.len() > 2 {
            self.0.remove(0);
        }
    }
}

forall::machine! {
    spec Lru for Cache = Cache::default(), like Model = Model::default();
    fn get(key: u8) -> Option<u8>;
    fn put(key: u8, value: u8) -> ();
}

#[forall::property]
fn the_cache_behaves_like_its_model(calls: Sequential<Lru>) -> Outcome {
    calls.check()
}

#[forall::property]
fn the_direction_does_not_matter(f: Fun<(bool, bool), bool>, start: bool, xs: Lazy<List<bool>>) -> bool {
    let left = xs.iter().fold(start, |sum, x| *f.call(&(sum, **x)));
    let elements: Vec<bool> = xs.iter().map(|x| **x).collect();
    let right = elements.iter().rfold(start, |sum, x| *f.call(&(*x, sum)));
    left == right
}
