//! Programs whose preconditions must hold in every interleaving.

use super::support::*;
use forall::machine::{Parallel, Ref, Results, Shared, Spec, Tuning};
use forall::prelude::*;
use forall::run::Settings;
use std::sync::atomic::{AtomicUsize, Ordering};

/// How often models were made of others, and compared.
static MADE: AtomicUsize = AtomicUsize::new(0);
static COMPARED: AtomicUsize = AtomicUsize::new(0);

/// The open handles in the order of opening, so that nearly every interleaving leads to a different model.
#[derive(Clone, Default)]
struct Open(Vec<Ref>);

impl PartialEq for Open {
    fn eq(&self, other: &Open) -> bool {
        COMPARED.fetch_add(1, Ordering::Relaxed);
        self.0 == other.0
    }
}

#[derive(Debug)]
enum Command {
    Open,
    Close(Ref),
}

#[derive(Default)]
struct Handles;

impl Spec for Handles {
    type Command = Command;
    type Model = Open;
    type System = ();
    type Response = ();

    fn model(&self) -> Open {
        Open::default()
    }

    fn generate(&self, Open(open): &Open, source: &mut Source) -> Command {
        match open.is_empty() || source.choice(2) > 0 {
            true => Command::Open,
            false => Command::Close(source.draw(elements(open.clone()))),
        }
    }

    fn precondition(&self, Open(open): &Open, command: &Command) -> bool {
        !matches!(command, Command::Close(handle) if !open.contains(handle))
    }

    fn next(&self, Open(open): &mut Open, command: &Command) {
        MADE.fetch_add(1, Ordering::Relaxed);
        if let Command::Close(handle) = command {
            open.retain(|other| other != handle);
        }
    }

    fn bind(&self, Open(open): &mut Open, command: &Command, result: Ref) {
        if let Command::Open = command {
            open.push(result);
        }
    }

    fn resolve(&self, _: &Command, _: &Results<'_, ()>) -> Option<Command> {
        None
    }

    fn system(&self) {}

    fn run(&self, (): &mut (), _: &Command) {}

    fn postcondition(&self, _: &Open, _: &Command, (): &()) -> bool {
        true
    }
}

impl Shared for Handles {
    fn share(&self, (): &mut ()) {}
}

/// Every order is another model, and there may be next to no interleavings.
#[derive(Default)]
struct Few;

impl Spec for Few {
    type Command = bool;
    type Model = Vec<bool>;
    type System = ();
    type Response = ();

    fn model(&self) -> Vec<bool> {
        Vec::new()
    }

    fn generate(&self, _: &Vec<bool>, source: &mut Source) -> bool {
        source.draw(any())
    }

    fn precondition(&self, model: &Vec<bool>, _: &bool) -> bool {
        model.len() < 100
    }

    fn next(&self, model: &mut Vec<bool>, command: &bool) {
        model.push(*command);
    }

    fn system(&self) {}

    fn run(&self, (): &mut (), _: &bool) {}

    fn postcondition(&self, _: &Vec<bool>, _: &bool, (): &()) -> bool {
        true
    }

    fn tuning(&self) -> Tuning {
        Tuning { interleavings: 10, repetitions: 1, at_least: std::time::Duration::ZERO, ..Tuning::default() }
    }
}

impl Shared for Few {
    fn share(&self, (): &mut ()) {}
}

#[test]
fn programs_that_lose_commands_are_counted() {
    let property = property! { forall program: Parallel<Few>; check program.check() };
    let report = report_with(&property, Settings::new().seed(1).tests(50).size(50));
    assert!(report.verdict.is_success(), "{:?}", report.counterexample);
    let labels = &report.statistics.labels;
    let expected = "shortened: too many interleavings to check preconditions in";
    let shortened = labels.iter().find(|(label, _)| *label == expected);
    assert!(shortened.is_some_and(|(_, count)| *count > 10), "{labels:?}");
}

#[test]
fn generating_a_program_is_bounded() {
    let (most, longest) = (Tuning::default().interleavings, 100);
    let mut commands = 0;
    for index in 0..5 {
        MADE.store(0, Ordering::Relaxed);
        COMPARED.store(0, Ordering::Relaxed);
        let program = Source::random(1, index, 100).draw(any::<Parallel<Handles>>());
        let (made, compared) = (MADE.load(Ordering::Relaxed), COMPARED.load(Ordering::Relaxed));
        // Each command of a prefix or a branch makes one more when it is drawn.
        assert!(made <= most + longest, "{made}");
        assert!(compared <= 17 * most, "{compared}");
        let text = format!("{program:?}");
        let branches = text.split_once("branches: ").unwrap().1;
        commands += branches.matches("Open").count() + branches.matches("Close").count();
    }
    assert!(commands >= 5 * 8, "{commands} commands are left in the branches of five programs");
}
