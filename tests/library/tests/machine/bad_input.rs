//! Invalid specifications, and systems that misbehave.

use super::support::*;
use forall::machine::{KnownIssue, Parallel, Ref, Results, Sequential, Shared, Spec, Tuning};
use forall::prelude::*;
use forall::property::FailureKind;
use forall::run::{Report, Settings, Verdict};
use std::sync::{Arc, Mutex};

fn report_of(property: &dyn forall::property::Property) -> Report {
    report_with(property, Settings::new().seed(1).enumerate(false))
}

fn faulty(report: Report) -> String {
    match report.verdict {
        Verdict::Faulty(why) => why.to_string(),
        other => panic!("{other:?}: {:?}", report.counterexample),
    }
}

/// A system that does nothing, and a specification with one mistake.
#[derive(Default)]
struct Mistaken<const MISTAKE: u8>;

const NEVER_ALLOWED: u8 = 0;
const MODEL_PANICS: u8 = 1;
const POSTCONDITION_PANICS: u8 = 2;
const CLEANUP_FAILS: u8 = 3;
const CLEANUP_PANICS: u8 = 4;
const REFERS_TO_NOTHING: u8 = 5;
const VERSIONS_ARE_NONE: u8 = 6;
const SYSTEM_PANICS: u8 = 7;
const INVARIANT_BROKEN: u8 = 8;

impl<const MISTAKE: u8> Spec for Mistaken<MISTAKE> {
    type Command = u8;
    type Model = u32;
    type System = ();
    type Response = ();

    fn model(&self) -> u32 {
        0
    }

    fn generate(&self, _: &u32, source: &mut Source) -> u8 {
        source.draw(0..9)
    }

    fn precondition(&self, _: &u32, _: &u8) -> bool {
        MISTAKE != NEVER_ALLOWED
    }

    fn next(&self, model: &mut u32, _: &u8) {
        *model += 1;
        assert!(MISTAKE != MODEL_PANICS || *model < 3, "the model is at its end");
    }

    fn system(&self) {
        assert!(MISTAKE != SYSTEM_PANICS, "no system today");
    }

    fn run(&self, _: &mut (), _: &u8) {}

    fn postcondition(&self, _: &u32, command: &u8, _: &()) -> bool {
        assert!(MISTAKE != POSTCONDITION_PANICS || *command < 5, "a large command");
        true
    }

    fn invariant(&self, model: &u32, _: &mut ()) -> Result<(), String> {
        match MISTAKE == INVARIANT_BROKEN && *model >= 2 {
            true => Err("two is too much".to_owned()),
            false => Ok(()),
        }
    }

    fn cleanup(&self, (): ()) -> Result<(), String> {
        assert!(MISTAKE != CLEANUP_PANICS, "the broom is broken");
        if MISTAKE == CLEANUP_FAILS { Err("dust is left".to_owned()) } else { Ok(()) }
    }

    fn resolve(&self, _: &u8, results: &Results<'_, ()>) -> Option<u8> {
        if MISTAKE == REFERS_TO_NOTHING {
            results.get(Ref::nth(77));
        }
        None
    }

    fn known_issue(&self, _: &u8) -> Option<KnownIssue> {
        (MISTAKE == VERSIONS_ARE_NONE).then(|| KnownIssue::new("newer", "1.0", "unclear"))
    }

    fn tuning(&self) -> Tuning {
        Tuning { hangs_after: std::time::Duration::from_secs(2), ..Tuning::default() }
    }
}

impl<const MISTAKE: u8> Shared for Mistaken<MISTAKE> {
    fn share(&self, (): &mut ()) {}
}

#[test]
fn an_unsatisfiable_precondition_is_reported() {
    let property = property! { forall commands: Sequential<Mistaken<NEVER_ALLOWED>>; check commands.check() };
    let text = faulty(report_of(&property));
    let begin = "The specification `Mistaken<0>` is invalid: no command is allowed first: the precondition or a known issue refuses all of 1000 commands";
    assert!(text.starts_with(begin), "{text}");
    assert!(!text.contains("generator"), "{text}");
    let property = property! { forall program: Parallel<Mistaken<NEVER_ALLOWED>>; check program.check() };
    assert!(
        faulty(report_of(&property))
            .contains("no command is allowed first: the precondition or a known issue refuses all of 1000 commands")
    );
}

#[test]
fn a_model_that_panics_is_a_fault_of_the_specification() {
    let property = property! { forall commands: Sequential<Mistaken<MODEL_PANICS>>; check commands.check() };
    assert!(faulty(report_of(&property)).contains("the model is at its end"));
    let property = property! { forall program: Parallel<Mistaken<MODEL_PANICS>>; check program.check() };
    assert!(faulty(report_of(&property)).contains("the model is at its end"));
}

#[test]
fn a_postcondition_that_panics_is_a_failure_with_its_place() {
    let property = property! { forall commands: Sequential<Mistaken<POSTCONDITION_PANICS>>; check commands.check() };
    let found = report_of(&property).counterexample.unwrap();
    assert_eq!((found.failure.kind, &*found.failure.message), (FailureKind::Panic, "a large command"));
    assert_eq!(format!("{:?}", found.bindings[0].printed.debug), "Some(\"[5]\")");
    let property = property! { forall program: Parallel<Mistaken<POSTCONDITION_PANICS>>; check program.check() };
    let failure = report_of(&property).counterexample.unwrap().failure;
    assert!(failure.message.starts_with("a large command\n(the specification panicked, "));
}

#[test]
fn a_cleanup_that_fails_or_panics_is_reported() {
    let message = |property: &dyn forall::property::Property| message(report_of(property));
    let property = property! { forall commands: Sequential<Mistaken<CLEANUP_FAILS>>; check commands.check() };
    assert_eq!(message(&property).trim_end(), "cleaning up failed: dust is left");
    let property = property! { forall commands: Sequential<Mistaken<CLEANUP_PANICS>>; check commands.check() };
    let found = report_of(&property).counterexample.unwrap();
    assert_eq!(found.failure.message, "the broom is broken");
    assert!(found.notes[0].starts_with("the system panicked in its cleanup after "), "{:?}", found.notes);
    let property = property! { forall program: Parallel<Mistaken<CLEANUP_FAILS>>; check program.check() };
    assert!(message(&property).starts_with("cleaning up failed: dust is left"));
    let property = property! { forall program: Parallel<Mistaken<CLEANUP_PANICS>>; check program.stress() };
    assert!(message(&property).starts_with("the broom is broken\n(the system panicked in its cleanup)"));
}

#[test]
fn a_reference_to_nothing_is_a_misuse() {
    let property = property! { forall commands: Sequential<Mistaken<REFERS_TO_NOTHING>>; check commands.check() };
    assert!(faulty(report_of(&property)).contains("a command refers to #77, which has not run before it"));
    let property = property! { forall program: Parallel<Mistaken<REFERS_TO_NOTHING>>; check program.check() };
    assert!(faulty(report_of(&property)).contains("a command refers to #77, which has not run before it"));
}

#[test]
fn invalid_versions_are_reported() {
    let property = property! { forall commands: Sequential<Mistaken<VERSIONS_ARE_NONE>>; check commands.check() };
    assert!(faulty(report_of(&property)).contains("write a range such as \"1.2.0..1.4.0\""));
}

#[test]
fn a_system_that_cannot_be_created_and_a_violated_invariant_are_failures() {
    let property = property! { forall commands: Sequential<Mistaken<SYSTEM_PANICS>>; check commands.check() };
    assert_eq!(message(report_of(&property)), "no system today");
    let property = property! { forall program: Parallel<Mistaken<SYSTEM_PANICS>>; check program.check() };
    assert!(message(report_of(&property)).starts_with("no system today\n"));
    let property = property! { forall commands: Sequential<Mistaken<INVARIANT_BROKEN>>; check commands.check() };
    let expected = "an invariant does not hold: two is too much\n\n    0 : ()\n    0 : ()";
    assert_eq!(message(report_of(&property)), expected);
    let property = property! { forall program: Parallel<Mistaken<INVARIANT_BROKEN>>; check program.check() };
    assert!(message(report_of(&property)).starts_with("an invariant does not hold after the prefix: two is too much"));
}

#[test]
fn a_command_that_blocks_for_ever_is_named() {
    let property = property! { forall program: Parallel<QueueSpec<HANGS>>; check program.check() };
    let settings = Settings::new().seed(1).shrink_evaluations(0).explain(0);
    let failure = report_with(&property, settings).counterexample.unwrap().failure;
    assert_eq!(failure.kind, FailureKind::Hang);
    assert!(
        failure.message.starts_with("the system hangs: no progress for 1s; still running: "),
        "{}",
        failure.message
    );
    assert!(failure.message.contains("; still running: "), "{}", failure.message);
}

#[test]
fn a_handwritten_program_that_violates_preconditions_is_reported() {
    let program = Parallel::<Mistaken<NEVER_ALLOWED>>::of(vec![], vec![vec![1], vec![2]]);
    let failure = program.run().failure.unwrap();
    assert_eq!(
        failure.message,
        "the precondition refuses 1 of branch 1, in some interleaving: remove the command, or relax the precondition"
    );
    let sequence = Sequential::<Mistaken<NEVER_ALLOWED>>::of([3]);
    assert!(sequence.check().is_fail());
}

/// The text of the panic that ends a test by hand.
fn panics(test: fn()) -> String {
    let payload = std::panic::catch_unwind(test).expect_err("it should panic");
    payload.downcast_ref::<String>().expect("with a text").clone()
}

#[test]
fn invalid_handwritten_programs_panic_with_a_message() {
    let refers = panics(|| Sequential::<Mistaken<REFERS_TO_NOTHING>>::of([1]).test());
    assert!(
        refers.starts_with("the specification is invalid: a command refers to #77, which has not run before it"),
        "{refers}"
    );
    let refers = panics(|| Parallel::<Mistaken<REFERS_TO_NOTHING>>::of(vec![], vec![vec![1], vec![]]).test());
    assert!(
        refers.starts_with("the specification is invalid: a command refers to #77, which has not run before it"),
        "{refers}"
    );
    let empty = panics(|| Parallel::<Mistaken<REFERS_TO_NOTHING>>::of(vec![], vec![]).test());
    assert!(empty.starts_with("a parallel program needs at least one branch"), "{empty}");
}

/// A response that panics when it is dropped.
#[derive(Debug)]
struct Bomb(bool);

impl Drop for Bomb {
    fn drop(&mut self) {
        assert!(!self.0, "dropped");
    }
}

/// Collects commands, and answers a 7 with what explodes; a 0 waits for another command. At the end it is emptied, to be looked at.
#[derive(Default)]
struct Exploding;

impl Spec for Exploding {
    type Command = u8;
    type Model = Vec<u8>;
    type System = Arc<Mutex<Vec<u8>>>;
    type Response = Bomb;

    fn model(&self) -> Vec<u8> {
        Vec::new()
    }

    fn generate(&self, _: &Vec<u8>, source: &mut Source) -> u8 {
        source.draw(any())
    }

    fn next(&self, model: &mut Vec<u8>, command: &u8) {
        model.push(*command);
    }

    fn system(&self) -> Arc<Mutex<Vec<u8>>> {
        Arc::default()
    }

    fn run(&self, system: &mut Arc<Mutex<Vec<u8>>>, command: &u8) -> Bomb {
        while *command == 0 && system.lock().unwrap().is_empty() {
            std::thread::yield_now();
        }
        system.lock().unwrap().push(*command);
        Bomb(*command == 7)
    }

    fn postcondition(&self, _: &Vec<u8>, _: &u8, _: &Bomb) -> bool {
        true
    }

    fn at_end(&self, model: &Vec<u8>, system: &mut Arc<Mutex<Vec<u8>>>) -> Result<(), String> {
        let left: Vec<u8> = system.lock().unwrap().drain(..).collect();
        if left == *model { Ok(()) } else { Err(format!("{left:?} is left, not {model:?}")) }
    }
}

impl Shared for Exploding {
    fn share(&self, system: &mut Arc<Mutex<Vec<u8>>>) -> Arc<Mutex<Vec<u8>>> {
        Arc::clone(system)
    }
}

#[test]
fn a_response_that_panics_in_drop_is_an_error_and_not_a_hang() {
    for (prefix, branches) in
        [(vec![], vec![vec![7], vec![]]), (vec![], vec![vec![], vec![7]]), (vec![7], vec![vec![]; 2])]
    {
        let failure = Parallel::<Exploding>::of(prefix.clone(), branches.clone()).run().failure.expect("it panics");
        let text = failure.message;
        assert_eq!(text, "dropped\n(the system panicked in the destructor of a response)", "{prefix:?} {branches:?}");
    }
}

#[test]
fn a_final_check_that_modifies_the_system_is_reported() {
    // In one of them, the order is not the first that is tried.
    let programs = [[0, 1], [1, 0]].map(|[a, b]| Parallel::<Exploding>::of(vec![], vec![vec![a], vec![b]]));
    let failure = programs.iter().find_map(|program| program.run().failure).expect("it fails");
    let begin = "the final check (`at_end`) failed for every order of the commands: [] is left, not [";
    assert!(failure.message.starts_with(begin), "{}", failure.message);
    let changes = "and its result for the first one changed when it was called again: it must not change the system";
    assert!(failure.message.contains(changes), "{}", failure.message);
}

#[test]
fn a_handwritten_test_reports_the_commands_before_a_panic() {
    let text = panics(|| Sequential::<Mistaken<MODEL_PANICS>>::of([1, 2, 3, 4]).test());
    assert!(text.starts_with("the model is at its end, at "), "{text}");
    let end = "the specification panicked, in a check or in its model, after\n    1 : ()\n    2 : ()\n    3 : ()";
    assert!(text.ends_with(end), "{text}");
    let text = panics(|| {
        Parallel::<QueueSpec<PANICS>>::of(vec![Queued::Len, Queued::Pop, Queued::Len], vec![vec![Queued::Len]]).test()
    });
    assert!(text.contains("Len : Some(0)\nPop : panicked: "), "{text}");
    assert!(text.matches("Len").count() == 1, "what did not run is not drawn: {text}");
}
