//! Controlled interleavings in a build without the scheduler. Under it, `cargo-forall/tests/race.rs` has the tests.

use super::support::*;
use forall::machine::{Interleaving, Parallel, Tuning};
use forall::prelude::*;
use forall::run::{Fact, Settings, Verdict};
use std::sync::atomic::{AtomicU32, Ordering};

#[derive(Default)]
struct Counter(AtomicU32);

impl Counter {
    fn next(&self) -> u32 {
        self.0.fetch_add(1, Ordering::SeqCst)
    }
}

#[derive(Clone, Default, PartialEq)]
struct Plain(u32);

impl Plain {
    fn next(&mut self) -> u32 {
        self.0 += 1;
        self.0 - 1
    }
}

forall::machine! {
    spec Controlled for shared Counter = Counter::default(), like Plain = Plain::default();
    tuning Tuning { interleaving: Interleaving::Controlled, ..Tuning::default() };
    fn next() -> u32;
}

#[test]
fn a_specification_that_requires_the_scheduler_prints_the_command() {
    let property = property! { forall program: Parallel<Controlled>; check program.check() };
    let report = report_with(&property, Settings::new().seed(1));
    let Verdict::Faulty(why) = report.verdict else { panic!("{:?}", report.verdict) };
    let expected = "controlled interleavings require an instrumented build: run `cargo forall race";
    assert!(why.to_string().contains(expected), "{why}");
}

#[test]
fn a_flaky_race_names_the_command_that_controls_it() {
    let fact = Fact::FlakyRace { property: "transfers".to_owned() };
    assert_eq!(
        fact.to_string(),
        "The branches run on real threads, and this failure depends on how they interleave. `cargo forall race transfers` controls \
         the interleaving: failures shrink and replay exactly."
    );
}

#[test]
fn a_saved_schedule_names_the_command_that_replays_it() {
    let fact =
        Fact::ScheduleNeedsRace { origin: ".forall/transfers/1.case".to_owned(), property: "transfers".to_owned() };
    assert_eq!(
        fact.to_string(),
        "The saved failure .forall/transfers/1.case includes a schedule of its threads, which this build cannot replay. Run `cargo \
         forall race transfers`; forall leaves the file in place."
    );
}
