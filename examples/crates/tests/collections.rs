//! Branches at the same time.

use forall::machine::{Parallel, refute};
use forall::prelude::*;
use forall::property::Outcome;
use forall::run::Settings;
use forall_example_crates::collections::{
    ArrayQueueSpec, DashMapSpec, ForcingSpec, ReplacingSpec, SegQueueSpec, SkipMapSpec,
};

/// How many programs; each is repeated 25 times.
const PROGRAMS: u64 = 50;

#[forall::test(tests = PROGRAMS)]
fn the_queue_in_segments_is_linearizable(program: Parallel<SegQueueSpec>) -> Outcome {
    program.check()
}

#[forall::test(tests = PROGRAMS)]
fn the_queue_in_a_ring_is_linearizable(program: Parallel<ArrayQueueSpec, 3>) -> Outcome {
    program.check()
}

#[forall::test(tests = PROGRAMS)]
fn the_map_in_shards_is_linearizable(program: Parallel<DashMapSpec>) -> Outcome {
    program.check()
}

#[forall::test(tests = PROGRAMS)]
fn the_map_in_a_skip_list_is_linearizable_where_nothing_is_replaced(program: Parallel<SkipMapSpec>) -> Outcome {
    program.check()
}

/// A race may take a while to be seen where the machine has other work.
fn long() -> Settings {
    Settings::new().tests(100_000).size(30).time("60s")
}

#[test]
fn the_length_of_a_full_queue_is_less_while_an_element_is_pushed_out() {
    let property = property! { forall program: Parallel<ForcingSpec>; check program.check() };
    refute("forcing is atomic", &property, long());
}

#[test]
fn replacing_in_a_skip_list_is_not_atomic() {
    let property = property! { forall program: Parallel<ReplacingSpec>; check program.check() };
    refute("replacing is atomic", &property, long());
}
