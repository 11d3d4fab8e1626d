use super::support::*;
use forall::machine::{KnownIssue, Ref, Results, Sequential, Spec};
use forall::prelude::*;
use forall::property::{FailureKind, Outcome};
use forall::report::{Style, render};
use forall::run::{Settings, Verdict};

#[forall::test(crate = forall)]
fn a_queue_agrees_with_its_model(commands: Sequential<QueueSpec<NO_BUG>>) -> Outcome {
    commands.check()
}

#[test]
fn a_wrong_response_shrinks_to_the_shortest_sequence_and_is_shown_step_by_step() {
    let property = property! { forall commands: Sequential<QueueSpec<FORGETS>>; check commands.check() };
    for seed in 0..5 {
        assert_eq!(
            message(report(&property, seed)),
            "\
the system disagrees with the model

    Push(0) : None
    Push(0) : None
    Push(0) : None
    Push(0) : None
    Len     : Some(3)    expected Some(4)"
        );
    }
}

#[test]
fn the_report_has_code_and_a_test_to_paste() {
    let property = property! { forall commands: Sequential<QueueSpec<FORGETS>>; check commands.check() };
    let text = render(&report(&property, 1), &Style::plain());
    assert!(text.contains("    let commands: Sequential<QueueSpec<FORGETS>> = Sequential::of(\n"), "{text}");
    assert!(
        text.contains("  #[test]\n  fn pasted() {\n      Sequential::<QueueSpec<1>>::of([Queued::Push(0), "),
        "{text}"
    );
    assert!(text.contains("Queued::Len]).test();\n  }\n"), "{text}");
}

#[test]
fn a_panic_of_the_system_is_an_error_with_its_place() {
    let property = property! { forall commands: Sequential<QueueSpec<PANICS>>; check commands.check() };
    let counterexample = report(&property, 1).counterexample.unwrap();
    assert_eq!(counterexample.failure.kind, FailureKind::Panic);
    assert_eq!(counterexample.failure.message, "nothing to pop");
    assert!(counterexample.failure.location.unwrap().file.ends_with("support.rs"));
    assert!(counterexample.notes[0].contains("the system panicked in Pop"), "{:?}", counterexample.notes);
    assert_eq!(counterexample.bindings[0].printed.text(), "Sequential::of([Queued::Pop])");
}

#[test]
fn a_test_written_by_hand_runs_the_same_checks() {
    Sequential::<QueueSpec<NO_BUG>>::of([Queued::Push(1), Queued::Pop, Queued::Pop]).test();
    let wrong = Sequential::<QueueSpec<FORGETS>>::of([1, 2, 3, 4].map(Queued::Push).into_iter().chain([Queued::Len]));
    assert!(wrong.check().is_fail());
}

#[test]
fn the_failure_is_replayed_from_its_choices() {
    let property = property! { forall commands: Sequential<QueueSpec<FORGETS>>; check commands.check() };
    let case = report(&property, 1).counterexample.unwrap().case;
    let tester = forall::run::Tester::new("machine", &property, 99);
    let (again, tested) = tester.run(&case);
    assert_eq!(again.sequence, case.sequence);
    assert!(matches!(tested, forall::run::Tested::Fail(_)));
}

/// A system with handles: returned handles are used later, and closing one consumes it.
#[derive(Default)]
struct HandleSpec<const BUG: bool>;

#[derive(Debug)]
enum Handled {
    Open,
    Close(Ref),
    CloseHandle(u32),
}

impl<const BUG: bool> Spec for HandleSpec<BUG> {
    type Command = Handled;
    type Model = Vec<Ref>;
    type System = (u32, Vec<u32>);
    type Response = Option<u32>;

    fn model(&self) -> Vec<Ref> {
        Vec::new()
    }

    fn generate(&self, open: &Vec<Ref>, source: &mut Source) -> Handled {
        match open.is_empty() || source.choice(1) == 0 {
            true => Handled::Open,
            false => Handled::Close(source.draw(elements(open.clone()))),
        }
    }

    fn precondition(&self, open: &Vec<Ref>, command: &Handled) -> bool {
        !matches!(command, Handled::Close(handle) if !open.contains(handle))
    }

    fn next(&self, open: &mut Vec<Ref>, command: &Handled) {
        if let Handled::Close(handle) = command {
            open.retain(|other| other != handle);
        }
    }

    fn bind(&self, open: &mut Vec<Ref>, command: &Handled, result: Ref) {
        if let Handled::Open = command {
            open.push(result);
        }
    }

    fn resolve(&self, command: &Handled, results: &Results<'_, Option<u32>>) -> Option<Handled> {
        match command {
            Handled::Close(handle) => results.get(*handle).map(Handled::CloseHandle),
            _ => None,
        }
    }

    fn system(&self) -> (u32, Vec<u32>) {
        (100, Vec::new())
    }

    fn run(&self, (next, open): &mut (u32, Vec<u32>), command: &Handled) -> Option<u32> {
        match command {
            Handled::Open => {
                *next += 1;
                open.push(*next);
                Some(*next)
            }
            Handled::CloseHandle(handle) => {
                // The bug: closing the second of several closes the first as well.
                let at = open.iter().position(|open| open == handle);
                open.retain(|open| open != handle);
                if BUG && at == Some(1) {
                    open.remove(0);
                }
                None
            }
            Handled::Close(_) => unreachable!("it was resolved"),
        }
    }

    fn postcondition(&self, _: &Vec<Ref>, command: &Handled, response: &Option<u32>) -> bool {
        response.is_some() == matches!(command, Handled::Open)
    }

    fn at_end(&self, open: &Vec<Ref>, (_, really): &mut (u32, Vec<u32>)) -> Result<(), String> {
        match open.len() == really.len() {
            true => Ok(()),
            false => Err(format!("{} handles are open, and should be {}", really.len(), open.len())),
        }
    }
}

#[test]
fn references_stay_bound_while_sequences_shrink() {
    let property = property! { forall commands: Sequential<HandleSpec<true>>; check commands.check() };
    for seed in 0..5 {
        assert_eq!(
            message(report(&property, seed)),
            "\
the final check (`at_end`) failed: 0 handles are open, and should be 1

    #0   Open      : Some(101)
    #1   Open      : Some(102)
    #2   Close(#1) : None"
        );
    }
    let fine = property! { forall commands: Sequential<HandleSpec<false>>; check commands.check() };
    assert!(report(&fine, 1).verdict.is_success());
}

/// Counts up to three, then nothing is allowed any more.
#[derive(Default)]
struct Finite;

impl Spec for Finite {
    type Command = &'static str;
    type Model = u32;
    type System = u32;
    type Response = u32;

    fn model(&self) -> u32 {
        0
    }

    fn generate(&self, _: &u32, source: &mut Source) -> &'static str {
        source.draw(elements(["up", "broken"]))
    }

    fn precondition(&self, model: &u32, _: &&'static str) -> bool {
        *model < 3
    }

    fn known_issue(&self, command: &&'static str) -> Option<KnownIssue> {
        (*command == "broken").then(|| KnownIssue::new("1.0..2.0", "1.5.0", "it is broken"))
    }

    fn next(&self, model: &mut u32, _: &&'static str) {
        *model += 1;
    }

    fn system(&self) -> u32 {
        0
    }

    fn run(&self, system: &mut u32, command: &&'static str) -> u32 {
        assert_eq!(*command, "up", "known issues are left out");
        *system += 1;
        *system
    }

    fn postcondition(&self, model: &u32, _: &&'static str, response: &u32) -> bool {
        *response == model + 1
    }
}

#[test]
fn machines_may_terminate_and_known_issues_are_skipped_and_counted() {
    let property = property! {
        forall commands: Sequential<Finite>;
        check {
            assert!(commands.commands().len() <= 3);
            commands.check()
        }
    };
    let report = report_with(&property, Settings::new().seed(1).enumerate(false));
    assert_eq!(report.verdict, Verdict::Passed);
    let label = report.statistics.labels.iter().find(|(label, _)| *label == "known issue: it is broken");
    assert!(label.is_some_and(|(_, count)| *count > 10), "{:?}", report.statistics.labels);
}

/// Commands without effect, in sequences of at most this many, or the default.
#[derive(Default)]
struct Idle<const MOST: usize>;

impl<const MOST: usize> Spec for Idle<MOST> {
    type Command = ();
    type Model = ();
    type System = ();
    type Response = ();
    fn model(&self) {}
    fn generate(&self, _: &(), _: &mut Source) {}
    fn next(&self, _: &mut (), _: &()) {}
    fn system(&self) {}
    fn run(&self, _: &mut (), _: &()) {}
    fn postcondition(&self, _: &(), _: &(), _: &()) -> bool {
        true
    }
    fn tuning(&self) -> forall::machine::Tuning {
        let default = forall::machine::Tuning::default();
        let commands = if MOST == 0 { default.commands } else { MOST };
        forall::machine::Tuning { commands, ..default }
    }
}

/// The lengths of the sequences of 500 tests.
fn lengths<const MOST: usize>() -> Vec<usize> {
    let lengths = std::sync::Mutex::new(Vec::new());
    let length = |commands: &Sequential<Idle<MOST>>| lengths.lock().unwrap().push(commands.commands().len());
    let property = property! { forall commands: Sequential<Idle<MOST>>; check length(commands) };
    report_with(&property, Settings::new().seed(1).tests(500).enumerate(false));
    lengths.into_inner().unwrap()
}

#[test]
fn the_largest_tests_have_more_than_sixty_commands_by_default() {
    let count = |lengths: &[usize]| lengths.iter().filter(|&&length| length > 60).count();
    let by_default = lengths::<0>();
    assert!((1..50).contains(&count(&by_default)), "{by_default:?}");
    assert!(by_default.iter().all(|&length| length <= 600), "{by_default:?}");
    assert!(lengths::<20>().iter().all(|&length| length <= 20));
}
