//! Runs that continue past failures, both saved ones that still fail and those that the run finds, and search for
//! others.

use super::{Ending, Session};
use crate::fact::{Fact, urgent};
use crate::run::{Counterexample, Found, Verdict};

/// A run that finds this many failures ends: probably one bug has many different messages, and each failure takes time
/// to shrink.
const MOST: usize = 20;

/// The failures that a run continued past, with their verdicts.
#[derive(Default)]
pub(in crate::run) struct Past {
    failures: Vec<(Verdict, Counterexample)>,
}

impl Past {
    /// Returns the number of failures that the run found itself.
    fn new_ones(&self) -> usize {
        let mut number = 0;
        for (_, failure) in &self.failures {
            number += usize::from(is_new(failure));
        }
        number
    }
}

/// Whether the run found the failure itself, rather than replaying it.
fn is_new(failure: &Counterexample) -> bool {
    !matches!(failure.found, Found::Stored(_))
}

impl Session<'_> {
    /// Replays saved failures: up to the first that still fails, or all of them if the run continues past failures. Returns the
    /// ending, if the run is over.
    pub(crate) fn replay_first(&mut self) -> Option<Ending> {
        if self.past.is_none() {
            return self.replay_stored();
        }
        // All are replayed before any failure counts as known: the next one may fail in the same way.
        for ending in self.replay_all_stored() {
            if let Some(ending) = self.past(ending) {
                return Some(ending);
            }
        }
        None
    }

    /// Continues past a failure, if the run does so. Returns the ending, if the run is over.
    pub(crate) fn past(&mut self, ending: Ending) -> Option<Ending> {
        match (&mut self.past, ending) {
            (Some(past), (verdict @ (Verdict::Failed | Verdict::Flaky), Some(mut failure)))
                if past.new_ones() < MOST =>
            {
                failure.beside = self.keeper.beside;
                if is_new(&failure) && self.settings.tests == u64::MAX {
                    // The report may come hours later.
                    let (message, path) = (failure.failure.message.clone(), failure.stored.clone());
                    urgent::announce(&self.identity.name, &[Fact::FoundMeanwhile { message, path }]);
                }
                self.tester.pass_over(failure.failure.clone());
                past.failures.push((verdict, failure));
                self.go_on();
                None
            }
            (_, ending) => Some(ending),
        }
    }

    /// The ending of the run: with the failures that it continued past, new ones first.
    pub(super) fn with_past(&mut self, (verdict, counterexample): Ending) -> Ending {
        let Some(Past { mut failures }) = self.past.take() else { return (verdict, counterexample) };
        let outranks = matches!(verdict, Verdict::Misconfigured(_) | Verdict::Faulty(_) | Verdict::NotDecidable(_));
        if failures.is_empty() || outranks {
            return (verdict, counterexample);
        }
        let past = Fact::PastKnown { failures: failures.len() as u64, tests: self.tester.passed_over() };
        failures.extend(counterexample.map(|last| (verdict, last)));
        let first = failures.iter().position(|(_, failure)| is_new(failure)).unwrap_or(0);
        let (verdict, mut shown) = failures.remove(first);
        for (_, other) in failures {
            shown.others.push(other);
        }
        shown.caveats.push(past);
        (verdict, Some(shown))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::prelude::*;
    use crate::run::{Report, Run, Settings, Store, generational};

    /// A run that continues past failures.
    fn run(name: &'static str, threads: usize, store: Store) -> Report {
        let property = property! { forall n: u32; check {
            assert!(n % 2 == 0, "odd");
            assert!(n % 1000 != 998, "rare");
        } };
        let settings = Settings::new().tests(20_000).seed(7).threads(threads).store(store);
        let mut session = Run::parallel(name, &property).settings(settings).session().unwrap();
        session.past = Some(Past::default());
        match session.replay_first() {
            Some(ending) => panic!("the run ends with {ending:?}"),
            None => generational(session),
        }
    }

    #[test]
    fn a_run_finds_the_rare_failure_behind_a_frequent_one_on_any_number_of_threads() {
        for threads in [1, 4] {
            let report = run("two", threads, Store::Off);
            let found = report.counterexample.unwrap();
            assert_eq!((report.verdict, &*found.failure.message), (Verdict::Failed, "odd"));
            let others: Vec<&str> = found.others.iter().map(|other| &*other.failure.message).collect();
            assert_eq!((others, report.statistics.valid), (vec!["rare"], 20_000), "{threads} threads");
            let again = "The run continued past 2 failures; ";
            assert!(found.caveats.iter().any(|fact| fact.to_string().starts_with(again)), "{:?}", found.caveats);
        }
    }

    #[test]
    fn a_run_of_a_small_domain_continues_past_failures_on_any_number_of_threads() {
        let property = property! { forall a in 0..50u32; forall b in 0..100u32; check {
            label!("{}", a % 3);
            assume!(a % 7 != 4);
            assert!(b % 10 != 4, "four");
            assert!(*a != 33 || *b != 77, "one");
        } };
        // Some inputs are in memory, and more of them are enumerated.
        for tests in [4096, 5000] {
            let small = property! { forall a in 30..35u32; forall b in 0..100u32; check {
                label!("{}", a % 3);
                assert!(b % 10 != 4, "four");
                assert!(*a != 33 || *b != 77, "one");
            } };
            let property: &(dyn crate::property::Property + Sync) = if tests == 5000 { &property } else { &small };
            let report = |threads| {
                let settings = Settings::new().tests(tests).seed(7).threads(threads).store(Store::Off);
                let identity = crate::run::Identity::new("domain");
                let mut session = Run::named_parallel(identity, property).settings(settings).session().unwrap();
                session.past = Some(Past::default());
                let report = generational(session);
                let found = report.counterexample.unwrap();
                let others: Vec<String> = found.others.iter().map(|other| other.failure.message.clone()).collect();
                let statistics = format!("{:?}", report.statistics);
                (report.verdict, found.failure.message, others, statistics)
            };
            let alone = report(1);
            assert_eq!((&*alone.1, alone.2.len()), ("four", 1));
            assert_eq!(report(4), alone);
        }
    }

    #[test]
    fn saved_failures_are_replayed_and_a_new_one_is_shown_first() {
        let root = std::env::temp_dir().join(format!("forall-past-{}", std::process::id()));
        let _ = std::fs::remove_dir_all(&root);
        let store = || Store::Directory(root.clone());
        let property = property! { forall n: u32; check assert!(n % 2 == 0, "odd") };
        let first = Run::new("saved", &property).settings(Settings::new().seed(7).store(store())).report();
        assert_eq!(first.verdict, Verdict::Failed);
        let shown = run("saved", 1, store()).counterexample.unwrap();
        let others: Vec<&str> = shown.others.iter().map(|other| &*other.failure.message).collect();
        assert_eq!((&*shown.failure.message, others), ("rare", vec!["odd"]));
        assert!(is_new(&shown) && !is_new(&shown.others[0]));
        let shown = run("saved", 1, store()).counterexample.unwrap();
        assert!(!is_new(&shown), "both are known now");
        std::fs::remove_dir_all(root).unwrap();
    }
}
