//! Each stop of the tour finds its bug and ends at the counterexample that its text describes, for any seed.

use forall::run::Verdict;
use forall_examples::tour::STOPS;
use std::env;

fn hold_to_promise(name: &str, seeds: u64) {
    let stop = STOPS.iter().find(|stop| stop.name == name).expect("the test has the name of a stop");
    // A `replay:` line of the tour names this test.
    if env::var_os("FORALL_DO").is_some() {
        return stop.test();
    }
    for seed in 0..seeds {
        let report = stop.report(seed);
        assert_eq!(report.verdict, Verdict::Failed, "seed {seed}");
        let counterexample = report.counterexample.expect("a property that failed has one");
        let values: Vec<_> = counterexample.bindings.iter().map(|binding| binding.printed.text()).collect();
        assert_eq!(values, stop.counterexample, "seed {seed}");
    }
}

macro_rules! stops {
    ($($name:ident)*) => {
        $(#[test]
        fn $name() {
            hold_to_promise(stringify!($name), 3);
        })*

        #[test]
        fn every_stop_has_a_test() {
            assert_eq!(STOPS.map(|stop| stop.name), [$(stringify!($name)),*]);
        }
    };
}

stops! {
    truncating_respects_the_limit
    the_midpoint_lies_between
    optimising_preserves_the_value
    the_cache_behaves_like_its_model
    the_direction_does_not_matter
}

#[test]
#[ignore = "slow: 20 s"]
fn every_stop_keeps_its_promise_for_fifty_seeds() {
    for stop in &STOPS {
        hold_to_promise(stop.name, 50);
    }
}
