//! Commands that end the process: the report shows the earlier responses.

use super::{found, isolated};
use forall::choice::Source;
use forall::machine::{Parallel, Sequential, Shared, Spec, Tuning};
use forall::prelude::*;
use forall::run::Run;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

/// A counter that does not survive the third.
#[derive(Default)]
struct Counter;

#[derive(Clone, Debug)]
enum Command {
    Count,
    Look,
}

impl Spec for Counter {
    type Command = Command;
    type Model = u32;
    type System = Arc<AtomicU32>;
    type Response = u32;

    fn model(&self) -> u32 {
        0
    }

    fn generate(&self, _: &u32, source: &mut Source) -> Command {
        if source.choice(1) == 0 { Command::Look } else { Command::Count }
    }

    fn next(&self, model: &mut u32, command: &Command) {
        *model += u32::from(matches!(command, Command::Count));
    }

    fn system(&self) -> Arc<AtomicU32> {
        Arc::default()
    }

    fn run(&self, system: &mut Arc<AtomicU32>, command: &Command) -> u32 {
        match command {
            Command::Count if system.load(Ordering::SeqCst) == 2 => std::process::abort(),
            Command::Count => system.fetch_add(1, Ordering::SeqCst),
            Command::Look => system.load(Ordering::SeqCst),
        }
    }

    fn postcondition(&self, model: &u32, _: &Command, response: &u32) -> bool {
        response == model
    }
}

impl Shared for Counter {
    fn share(&self, system: &mut Arc<AtomicU32>) -> Arc<AtomicU32> {
        Arc::clone(system)
    }
}

#[test]
fn responses_before_a_crash_are_reported() {
    let property = property! { forall commands: Sequential<Counter>; check commands.check() };
    let found = found(Run::new("a counter that aborts", &property).settings(isolated()).report());
    assert!(found.failure.message.contains("SIGABRT"), "{}", found.failure.message);
    assert_eq!(found.notes, ["Count", "    : 0", "Count", "    : 1", "Count"]);
}

#[test]
#[ignore = "slow: 5 s"]
fn branch_responses_of_the_last_repetition_before_a_crash_are_reported() {
    let property = property! { forall program: Parallel<Counter>; check program.stress() };
    let found = found(Run::new("a shared counter that aborts", &property).settings(isolated()).report());
    assert!(found.failure.message.contains("SIGABRT"), "{}", found.failure.message);
    // Whichever branch they are moved to, three commands it takes, and two of them answer.
    let notes = found.notes.join("\n");
    assert_eq!((notes.matches("Count").count(), notes.matches("    : ").count()), (3, 2), "{notes}");
}

#[test]
fn surviving_runs_are_not_reported_twice() {
    let property = property! {
        forall commands: Sequential<Counter>;
        check {
            if commands.commands().len() == 2 {
                let _ = commands.check();
            }
            commands.commands().len() < 2
        }
    };
    let found = found(Run::new("a counter that survives", &property).settings(isolated()).report());
    assert!(found.notes.is_empty(), "{:?}", found.notes);
}

/// A counter with one fault: it does not come back from the third time; or it ends the process when it is put away, unless nothing
/// was counted.
#[derive(Default)]
struct Faulty<const HANGS: bool>;

type Stuck = Faulty<true>;
type Untidy = Faulty<false>;

impl<const HANGS: bool> Spec for Faulty<HANGS> {
    type Command = Command;
    type Model = u32;
    type System = Arc<AtomicU32>;
    type Response = u32;

    fn model(&self) -> u32 {
        Counter.model()
    }

    fn generate(&self, model: &u32, source: &mut Source) -> Command {
        Counter.generate(model, source)
    }

    fn next(&self, model: &mut u32, command: &Command) {
        Counter.next(model, command);
    }

    fn system(&self) -> Arc<AtomicU32> {
        Arc::default()
    }

    fn run(&self, system: &mut Arc<AtomicU32>, command: &Command) -> u32 {
        while HANGS && matches!(command, Command::Count) && system.load(Ordering::SeqCst) == 2 {
            std::thread::park();
        }
        match command {
            Command::Count => system.fetch_add(1, Ordering::SeqCst),
            Command::Look => system.load(Ordering::SeqCst),
        }
    }

    fn postcondition(&self, model: &u32, command: &Command, response: &u32) -> bool {
        Counter.postcondition(model, command, response)
    }

    fn cleanup(&self, system: Arc<AtomicU32>) -> Result<(), String> {
        if !HANGS && system.load(Ordering::SeqCst) > 0 { std::process::abort() } else { Ok(()) }
    }

    fn tuning(&self) -> Tuning {
        Tuning { hangs_after: Duration::from_millis(1500), ..Tuning::default() }
    }
}

impl<const HANGS: bool> Shared for Faulty<HANGS> {
    fn share(&self, system: &mut Arc<AtomicU32>) -> Arc<AtomicU32> {
        Arc::clone(system)
    }
}

/// The machine has the same limit as the process: whichever is noticed first, it is the same failure.
#[test]
#[ignore = "slow: 14 s"]
fn a_parallel_hang_is_one_failure_and_shrinks_to_the_end() {
    let property = property! { forall program: Parallel<Stuck>; check program.check() };
    let settings = isolated().timeout("1500ms").explain(0);
    let found = found(Run::new("a shared counter that hangs", &property).settings(settings).report());
    let begin = "timeout: the test did not end within 1.5 s, and its process was killed";
    assert!(found.failure.message.starts_with(begin), "{}", found.failure.message);
    let notes = found.notes.join("\n");
    assert_eq!((notes.matches("Count").count(), notes.matches("    : ").count()), (3, 2), "{notes}");
}

#[test]
fn responses_are_reported_if_cleanup_crashes() {
    let property = property! { forall commands: Sequential<Untidy>; check commands.check() };
    let found = found(Run::new("a counter that is not tidy", &property).settings(isolated()).report());
    assert_eq!(found.notes, ["Count", "    : 0", "cleaning up"]);
}
