//! Parallel tests.

use forall::machine::{Parallel, Shared, refute};
use forall::prelude::*;
use forall::property::Outcome;
use forall::run::Settings;
use forall_example_crates::collections::{
    ArrayQueueSpec, DashMapSpec, ForcingSpec, Key, ReplacingSpec, SegQueueSpec, SkipMapSpec,
};
use std::time::{Duration, Instant};

/// The number of programs; each is repeated 25 times.
const PROGRAMS: u64 = 50;

#[forall::test(tests = PROGRAMS)]
fn the_queue_in_segments_is_linearizable(program: Parallel<SegQueueSpec>) -> Outcome {
    program.check()
}

#[forall::test(tests = PROGRAMS)]
fn the_bounded_queue_is_linearizable(program: Parallel<ArrayQueueSpec, 3>) -> Outcome {
    program.check()
}

#[forall::test(tests = PROGRAMS)]
fn the_map_in_shards_is_linearizable(program: Parallel<DashMapSpec>) -> Outcome {
    program.check()
}

/// On a busy machine a race may take a while to occur.
const LONG: Duration = Duration::from_secs(240);

/// Repeats a shrunk program until it fails.
fn fails<S: Shared>(program: &Parallel<S>) {
    let began = Instant::now();
    while began.elapsed() < LONG {
        if let Some(failure) = program.run().failure {
            println!("as expected: {}", failure.message);
            return;
        }
    }
    panic!("{program:?} does not fail");
}

#[test]
fn two_removals_from_a_skip_list_may_return_the_same_entry() {
    let removals = vec![vec![SkipMapSpec::remove(Key::A)], vec![SkipMapSpec::remove(Key::A)]];
    fails(&Parallel::<SkipMapSpec>::of(vec![SkipMapSpec::get_or_insert(Key::A, 1)], removals));
}

#[test]
fn len_of_a_full_queue_is_too_small_during_force_push() {
    let full = [0, 1, 2].map(ForcingSpec::force_push).into();
    let branches = vec![vec![ForcingSpec::len()], vec![ForcingSpec::force_push(3)]];
    fails(&Parallel::<ForcingSpec>::of(full, branches));
}

#[test]
fn replacing_in_a_skip_list_is_not_atomic() {
    let property = property! { forall program: Parallel<ReplacingSpec>; check program.check() };
    refute("replacing is atomic", &property, Settings::new().tests(100_000).size(30).max_time(LONG));
}
