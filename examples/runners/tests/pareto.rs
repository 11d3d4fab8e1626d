//! The Pareto front finds what needs two scores at once.

use forall::prelude::*;
use forall::run::{Run, Settings, Store};
use forall_example_runners as _;

/// Whether the runner finds sixty bits whose first half is mostly set, and whose second half mostly is not.
fn finds(runner: &str, seed: u64) -> bool {
    let property = property! {
        forall bits in vec(any::<bool>()).len(60);
        check {
            let set = bits[..30].iter().filter(|bit| **bit).count();
            let unset = bits[30..].iter().filter(|bit| !**bit).count();
            target!(set as f64, "set");
            target!(unset as f64, "unset");
            set < 26 || unset < 26
        }
    };
    let settings = Settings::new().tests(5_000).seed(seed).runner(runner).store(Store::Off);
    Run::new("two halves", &property).settings(settings).report().counterexample.is_some()
}

#[test]
fn two_scores_at_once_lead_where_the_higher_of_them_does_not() {
    let found = |runner| (1..=3).filter(|&seed| finds(runner, seed)).count();
    assert_eq!((found("pareto"), found("targeted"), found("generational")), (3, 0, 0));
}
