//! Hanging and slow systems.

use super::support::*;
use forall::machine::{Parallel, Tuning};
use forall::prelude::*;
use forall::property::FailureKind;
use forall::run::{Settings, Verdict};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

/// So long nothing may happen: a few times as long as the slow command takes.
const LIMIT: Duration = Duration::from_secs(2);
const SLOW: Duration = Duration::from_millis(500);

fn tuning() -> Tuning {
    Tuning {
        hangs_after: LIMIT,
        repetitions: 1,
        surer: 1,
        branch: 2,
        prefix: 2,
        at_least: Duration::ZERO,
        patience: Duration::ZERO,
        ..Tuning::default()
    }
}

/// Does something that takes its time, and then answers wrongly.
#[derive(Default)]
struct Switch(AtomicBool);

impl Switch {
    fn slow(&self) -> bool {
        std::thread::sleep(SLOW);
        self.0.store(true, Ordering::SeqCst);
        false
    }

    fn is_on(&self) -> bool {
        self.0.load(Ordering::SeqCst)
    }
}

/// Believes that it is never on.
#[derive(Clone, Default, PartialEq)]
struct Off;

impl Off {
    fn slow(&mut self) -> bool {
        false
    }

    fn is_on(&mut self) -> bool {
        false
    }
}

forall::machine! {
    spec SwitchSpec for shared Switch = Switch::default(), like Off = Off;
    tuning tuning();
    fn slow() -> bool;
    fn is_on() -> bool;
}

#[test]
#[ignore = "slow: 8 s"]
fn a_wrong_response_next_to_a_slow_command_is_not_a_hang() {
    let property = property! { forall program: Parallel<SwitchSpec>; check program.check() };
    let report = report_with(&property, Settings::new().seed(1).shrink_evaluations(6).explain(0));
    assert_eq!(report.verdict, Verdict::Failed);
    let found = report.counterexample.unwrap();
    assert_eq!(found.failure.kind, FailureKind::Falsified, "{}", found.failure.message);
    assert!(found.bindings[0].printed.text().contains("slow()"), "{}", found.bindings[0].printed.text());
}

/// Is slow, or does not come back.
#[derive(Default)]
struct Waiter;

impl Waiter {
    fn slow(&self) {
        std::thread::sleep(SLOW);
    }

    fn block(&self) {
        loop {
            std::thread::park();
        }
    }
}

#[derive(Clone, Default, PartialEq)]
struct Patient;

impl Patient {
    fn slow(&mut self) {}
    fn block(&mut self) {}
}

forall::machine! {
    spec WaiterSpec for shared Waiter = Waiter, like Patient = Patient;
    tuning tuning();
    fn slow() -> ();
    fn block() -> ();
}

#[test]
#[ignore = "slow: 13 s"]
fn a_hang_does_not_shrink_to_a_slow_command_and_names_the_limit() {
    let property = property! { forall program: Parallel<WaiterSpec>; check program.check() };
    let report = report_with(&property, Settings::new().seed(1).shrink_evaluations(6).explain(0));
    assert_eq!(report.verdict, Verdict::Failed);
    let found = report.counterexample.unwrap();
    assert_eq!(found.failure.kind, FailureKind::Hang);
    let begin = "the system hangs: no progress for 2s; still running: ";
    assert!(found.failure.message.starts_with(begin), "{}", found.failure.message);
    assert!(found.failure.message[begin.len()..].contains("block()"), "{}", found.failure.message);
    assert!(found.bindings[0].printed.text().contains("block()"), "{}", found.bindings[0].printed.text());
}

#[test]
fn many_slow_commands_are_not_a_hang() {
    let slow = || (0..5).map(|_| WaiterSpec::slow()).collect();
    Parallel::<WaiterSpec>::of(slow(), vec![slow(), vec![]]).test();
}

/// Does not come back from the second on.
#[derive(Default)]
struct Gate(AtomicBool);

impl Gate {
    fn pass(&self, number: u8) -> u8 {
        while number >= 10 && self.0.swap(true, Ordering::SeqCst) {
            std::thread::park();
        }
        number
    }
}

#[derive(Clone, Default, PartialEq)]
struct Open;

impl Open {
    fn pass(&mut self, number: u8) -> u8 {
        number
    }
}

forall::machine! {
    spec GateSpec for shared Gate = Gate::default(), like Open = Open;
    tuning Tuning { hangs_after: Duration::from_secs(3), ..Tuning::default() };
    fn pass(number: u8) -> u8;
}

#[test]
#[ignore = "slow: 42 s"]
fn a_hang_is_fully_shrunk_without_waiting_for_every_candidate() {
    let property = property! { forall program: Parallel<GateSpec>; check program.check() };
    let settings = Settings::new().seed(1).shrink_time(Duration::from_secs(30)).explain(0);
    let report = report_with(&property, settings);
    assert_eq!(report.verdict, Verdict::Failed);
    let found = report.counterexample.unwrap();
    let begin = "the system hangs: no progress for 3s; still running: ";
    assert!(found.failure.message.starts_with(begin), "{}", found.failure.message);
    let text = found.bindings[0].printed.text();
    // Two, and not one more for a machine that has much else to do.
    assert!(text.matches("pass(").count() <= 3, "{text}");
}
