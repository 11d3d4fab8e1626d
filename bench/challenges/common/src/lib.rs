//! Code shared by the runners of the `shrinking` suite: the challenges, the recording of runs, and the command line.
//!
//! A runner is a small program per tool, `bench-challenge-<tool> <challenge> <seeds> <seconds>`. For each seed it has the
//! tool find a failure of the challenge and shrink it, and prints a line:
//!
//! ```text
//! shrunk <tab> ideal: 1 or 0 <tab> evaluations <tab> evaluations apart <tab> CPU ns <tab> result
//! ```
//!
//! It stops early when its CPU seconds are spent. Where a tool cannot say a challenge, the line is `cannot <tab> reason`.
//!
//! The challenges are types that implement [`Challenge`]: all tools share the property and the ideal, and each has its
//! own generators. Forall's runner does without: it has the challenges of the library's own tests.

mod harder;
mod quality;
mod shrinkers;
mod thirteen;
mod trial;

pub use harder::*;
pub use quality::*;
pub use shrinkers::*;
pub use thirteen::*;
pub use trial::{evaluate, fails, now};

use std::collections::BTreeSet;
use std::fmt::Debug;
use std::process::exit;
use std::time::Duration;

/// A property that does not hold, and the counterexamples that shrinking should end with.
pub trait Challenge: 'static {
    /// The input.
    type Value: Clone + Debug + PartialEq + 'static;

    /// The name.
    const NAME: &'static str;

    /// The property.
    fn check(value: &Self::Value) -> Outcome;

    /// The counterexamples that are as small as any: for a tool without a canonical order it does not matter which.
    fn ideals() -> Vec<Self::Value>;

    /// Whether a counterexample is one of them.
    fn is_ideal(value: &Self::Value) -> bool {
        Self::ideals().contains(value)
    }
}

/// The result of a property for a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    Holds,
    Fails,
    /// The value is none that the property speaks of.
    Discarded,
}

/// A failing case, shrunk.
#[derive(Clone, Debug)]
pub struct Shrunk {
    /// Whether it is ideal.
    pub ideal: bool,
    /// How often the property was evaluated after the first failure.
    pub evaluations: u64,
    /// How often besides, to make sure of the result or to explain it, as far as the tool tells.
    pub apart: u64,
    /// The CPU time since the first failure.
    pub cpu: Duration,
    /// The remaining time.
    pub result: String,
}

/// A challenge as a tool takes it up.
pub struct Entry {
    name: &'static str,
    attempt: Result<Attempt, &'static str>,
}

/// Finds a failure under a seed and shrinks it; none if none was found.
type Attempt = Box<dyn Fn(u64) -> Option<Shrunk>>;

/// A tool on a challenge: runs it with a seed, on a property that calls [`evaluate`] or [`fails`].
pub fn on<C: Challenge>(run: impl Fn(u64) + 'static) -> Entry {
    custom(C::NAME, move |seed| trial::record::<C>(|| run(seed)))
}

/// A tool on a challenge, recorded in a way of its own.
pub fn custom(name: &'static str, attempt: impl Fn(u64) -> Option<Shrunk> + 'static) -> Entry {
    Entry { name, attempt: Ok(Box::new(attempt)) }
}

/// A challenge that the tool does not take up, and why.
pub fn cannot<C: Challenge>(reason: &'static str) -> Entry {
    Entry { name: C::NAME, attempt: Err(reason) }
}

/// The program: runs the challenge that the command line names.
pub fn main(entries: Vec<Entry>) {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [name, seeds, seconds] = &arguments[..] else { usage(&entries) };
    let (Ok(seeds), Ok(seconds)) = (seeds.parse(), seconds.parse()) else { usage(&entries) };
    // Only the first of them would ever run.
    if let Some(repeated) = repeated(&entries) {
        eprintln!("error: two challenges are named {repeated}");
        exit(2)
    }
    match entries.iter().find(|entry| entry.name == name).map(|entry| &entry.attempt) {
        Some(Ok(attempt)) => run(attempt, seeds, Duration::from_secs(seconds)),
        Some(Err(reason)) => println!("cannot\t{reason}"),
        None => println!("cannot\tit is not ported to this tool"),
    }
}

fn run(attempt: &Attempt, seeds: u64, limit: Duration) {
    // Failures are expected here, so the tools' output is suppressed.
    std::panic::set_hook(Box::new(|_| {}));
    // A run that does not end at all is cut off: the lines of those before it are out. CPU time, as everywhere: how busy the
    // machine is changes nothing.
    std::thread::spawn(move || {
        while now() < limit * 2 {
            std::thread::sleep(Duration::from_millis(100));
        }
        exit(0)
    });
    for seed in 0..seeds {
        if now() > limit {
            break;
        }
        if let Some(Shrunk { ideal, evaluations, apart, cpu, result }) = attempt(seed) {
            let (ideal, cpu) = (u8::from(ideal), cpu.as_nanos());
            println!("shrunk\t{ideal}\t{evaluations}\t{apart}\t{cpu}\t{result}");
        }
    }
}

/// A name that two challenges have.
fn repeated(entries: &[Entry]) -> Option<&'static str> {
    let mut seen = BTreeSet::new();
    entries.iter().map(|entry| entry.name).find(|name| !seen.insert(*name))
}

fn usage(entries: &[Entry]) -> ! {
    let names: Vec<&str> = entries.iter().map(|entry| entry.name).collect();
    eprintln!("usage: bench-challenge-<tool> {} <seeds> <seconds>", names.join("|"));
    exit(2)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_that_two_challenges_have_is_found() {
        let entries = |names: &[&'static str]| names.iter().map(|name| custom(name, |_| None)).collect::<Vec<_>>();
        assert_eq!(repeated(&entries(&["bank", "json", "rows"])), None);
        assert_eq!(repeated(&entries(&["bank", "json", "bank"])), Some("bank"));
    }
}
