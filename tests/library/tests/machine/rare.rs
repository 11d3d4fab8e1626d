//! Races that hardly ever show.

use super::support::*;
use forall::machine::{Parallel, Shared, Spec, Tuning};
use forall::prelude::*;
use forall::run::{Settings, Verdict};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

/// The first number that it was asked for with, plus one.
static ASKED: AtomicU64 = AtomicU64::new(0);

/// Answers wrongly whenever it is asked for a number, but for the number that it was asked for first: that it answers wrongly only
/// once. So the program that fails first does so no more, and others do.
#[derive(Default)]
struct Forgetful;

#[derive(Clone, Debug)]
enum Command {
    Ask(u64),
    Wait,
}

impl Spec for Forgetful {
    type Command = Command;
    type Model = bool;
    type System = Arc<()>;
    type Response = u64;

    fn model(&self) -> bool {
        false
    }

    fn generate(&self, _: &bool, source: &mut Source) -> Command {
        if source.choice(3) == 0 { Command::Ask(source.choice(u64::MAX - 1)) } else { Command::Wait }
    }

    /// Once in a program.
    fn precondition(&self, asked: &bool, command: &Command) -> bool {
        !asked || !matches!(command, Command::Ask(_))
    }

    fn next(&self, asked: &mut bool, command: &Command) {
        *asked |= matches!(command, Command::Ask(_));
    }

    fn system(&self) -> Arc<()> {
        Arc::default()
    }

    fn run(&self, _: &mut Arc<()>, command: &Command) -> u64 {
        let Command::Ask(number) = command else { return 0 };
        let first = ASKED.compare_exchange(0, number + 1, Ordering::SeqCst, Ordering::SeqCst);
        if first == Err(number + 1) { 0 } else { 1 }
    }

    fn postcondition(&self, _: &bool, _: &Command, response: &u64) -> bool {
        *response == 0
    }

    fn tuning(&self) -> Tuning {
        Tuning { patience: Duration::from_millis(50), ..Tuning::default() }
    }
}

impl Shared for Forgetful {
    fn share(&self, system: &mut Arc<()>) -> Arc<()> {
        Arc::clone(system)
    }
}

#[test]
#[ignore = "slow: 8 s"]
fn for_a_rare_failure_the_required_kinds_of_commands_are_reported() {
    let property = property! { forall program: Parallel<Forgetful>; check program.check() };
    let report = report_with(&property, Settings::new().seed(1).size(30));
    assert_eq!(report.verdict, Verdict::Flaky);
    let notes = report.counterexample.unwrap().other_notes.join("\n");
    assert!(notes.contains("this program does not fail again, but some of "), "{notes}");
    assert!(notes.contains("other programs failed: Ask is enough. One of them:\n"), "{notes}");
}

/// Gives one wrong response, to a read; a handle must be opened before it is read.
#[derive(Default)]
struct Once;

static READ: AtomicU64 = AtomicU64::new(0);

#[derive(Clone, Debug)]
enum Filed {
    Open,
    Read,
}

impl Spec for Once {
    type Command = Filed;
    type Model = bool;
    type System = ();
    type Response = bool;

    fn model(&self) -> bool {
        false
    }

    fn generate(&self, _: &bool, source: &mut Source) -> Filed {
        if source.choice(1) == 0 { Filed::Open } else { Filed::Read }
    }

    fn precondition(&self, open: &bool, command: &Filed) -> bool {
        *open || matches!(command, Filed::Open)
    }

    fn next(&self, open: &mut bool, _: &Filed) {
        *open = true;
    }

    fn system(&self) {}

    fn run(&self, (): &mut (), command: &Filed) -> bool {
        matches!(command, Filed::Open) || READ.fetch_add(1, Ordering::SeqCst) != 100
    }

    fn postcondition(&self, _: &bool, _: &Filed, response: &bool) -> bool {
        *response
    }

    fn tuning(&self) -> Tuning {
        Tuning { patience: Duration::from_millis(50), ..Tuning::default() }
    }
}

impl Shared for Once {
    fn share(&self, (): &mut ()) {}
}

#[test]
#[ignore = "slow: 8 s"]
fn commands_that_depend_on_omitted_kinds_are_allowed() {
    let property = property! { forall program: Parallel<Once>; check program.check() };
    let report = report_with(&property, Settings::new().seed(1).size(30));
    assert_eq!(report.verdict, Verdict::Flaky);
    let found = report.counterexample.unwrap();
    let notes = found.other_notes.join("\n");
    // How often is the clock's business.
    let notes: String = notes.split(|c: char| c.is_ascii_digit()).filter(|text| !text.is_empty()).collect();
    let end = "this program does not fail again, and none of  repetitions of other programs failed";
    assert!(notes.contains(end), "{notes}");
}

/// A race that shows once in `RARITY` repetitions, wherever both commands are there: no more often than that, whatever else a program does.
#[derive(Default)]
struct Rare {
    at_least: Duration,
}

const RARITY: u64 = 100;

impl Spec for Rare {
    type Command = char;
    type Model = ();
    type System = Arc<Meeting>;
    type Response = bool;

    fn model(&self) {}

    fn generate(&self, (): &(), source: &mut Source) -> char {
        source.draw(elements(['a', 'b', 'c', 'd']))
    }

    fn next(&self, (): &mut (), _: &char) {}

    fn system(&self) -> Arc<Meeting> {
        Arc::default()
    }

    fn run(&self, system: &mut Arc<Meeting>, command: &char) -> bool {
        static MEETINGS: AtomicU64 = AtomicU64::new(0);
        let both = match command {
            'a' => system.seen.fetch_or(1, Ordering::SeqCst) == 2,
            'b' => system.seen.fetch_or(2, Ordering::SeqCst) == 1,
            _ => false,
        };
        both && MEETINGS.fetch_add(1, Ordering::SeqCst) % RARITY == RARITY - 1
    }

    fn postcondition(&self, (): &(), _: &char, response: &bool) -> bool {
        !response
    }

    fn invariant(&self, (): &(), system: &mut Arc<Meeting>) -> Result<(), String> {
        // A failure in the prefix is not a race.
        system.seen.store(0, Ordering::SeqCst);
        Ok(())
    }

    /// So few that rarely a program fails again: how often it must be repeated, has to be learnt.
    fn tuning(&self) -> Tuning {
        let (at_least, patience) = (self.at_least, Duration::from_secs(5));
        Tuning { repetitions: 5, at_least, surer: 2, patience, ..Tuning::default() }
    }
}

#[derive(Default)]
struct Meeting {
    seen: AtomicU64,
}

impl Shared for Rare {
    fn share(&self, system: &mut Arc<Meeting>) -> Arc<Meeting> {
        Arc::clone(system)
    }
}

#[test]
#[ignore = "slow: 8 s"]
fn a_race_that_occurs_once_in_a_hundred_repetitions_is_shrunk() {
    let property = property! { forall program: Parallel<Rare>; check program.check() };
    let report = report_with(&property, Settings::new().seed(1).tests(10_000).size(30).shrink_time("10s").explain(0));
    assert_eq!(report.verdict, Verdict::Failed);
    let found = report.counterexample.unwrap();
    let program = format!("{:?}", found.bindings[0].printed.debug);
    assert!(found.shrinking.accepted > 0, "{program}");
    // Where the machine has other work, time may be up before.
    if found.shrinking.cut_short.is_none() {
        let commands = program.matches('\'').count() / 2;
        assert!(commands <= 4, "{commands}: {program}");
    }
}

#[test]
fn only_concurrent_commands_get_extra_repetitions() {
    let spec = || Rare { at_least: Duration::from_millis(100) };
    let alone = Parallel::<Rare>::with(spec(), vec!['c'], vec![vec!['c', 'd'], vec![]]).run();
    assert_eq!(alone.repetitions, 5);
    let together = Parallel::<Rare>::with(spec(), vec!['c'], vec![vec!['c'], vec!['d']]).run();
    assert!(together.repetitions > 5, "{}", together.repetitions);
}
