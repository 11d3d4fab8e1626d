//! Every system is put away, however its test ends.

use super::support::*;
use forall::machine::{Parallel, Sequential, Shared, Soak, Spec, soak};
use forall::prelude::*;
use forall::property::FailureKind;
use forall::run::Settings;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};

/// Where a [`Leaving`] goes wrong.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Wrong {
    Next,
    Postcondition,
    PostconditionSaysNo,
    Invariant,
    Resolve,
    Run,
    AtEnd,
    Share,
    Cleanup,
}

/// Counts the systems that were made and not put away. Goes wrong when it is given the command 7.
struct Leaving {
    wrong: Wrong,
    open: Arc<AtomicI64>,
}

impl Leaving {
    fn new(wrong: Wrong) -> Self {
        Self { wrong, open: Arc::default() }
    }

    fn goes_wrong(&self, wrong: Wrong, command: u8) {
        assert!(self.wrong != wrong || command != 7, "wrong in {wrong:?}");
    }

    fn open(&self) -> i64 {
        self.open.load(Ordering::SeqCst)
    }
}

impl Spec for Leaving {
    type Command = u8;
    type Model = u8;
    type System = ();
    type Response = u8;

    fn model(&self) -> u8 {
        0
    }

    fn generate(&self, _: &u8, source: &mut Source) -> u8 {
        source.draw(0..9)
    }

    fn next(&self, model: &mut u8, command: &u8) {
        self.goes_wrong(Wrong::Next, *command);
        *model = *command;
    }

    fn system(&self) {
        self.open.fetch_add(1, Ordering::SeqCst);
    }

    fn run(&self, (): &mut (), command: &u8) -> u8 {
        self.goes_wrong(Wrong::Run, *command);
        *command
    }

    fn postcondition(&self, _: &u8, command: &u8, _: &u8) -> bool {
        self.goes_wrong(Wrong::Postcondition, *command);
        self.wrong != Wrong::PostconditionSaysNo || *command != 7
    }

    fn invariant(&self, model: &u8, (): &mut ()) -> Result<(), String> {
        self.goes_wrong(Wrong::Invariant, *model);
        Ok(())
    }

    fn at_end(&self, model: &u8, (): &mut ()) -> Result<(), String> {
        self.goes_wrong(Wrong::AtEnd, *model);
        Ok(())
    }

    fn resolve(&self, command: &u8, _: &forall::machine::Results<'_, u8>) -> Option<u8> {
        self.goes_wrong(Wrong::Resolve, *command);
        None
    }

    fn cleanup(&self, (): ()) -> Result<(), String> {
        self.open.fetch_sub(1, Ordering::SeqCst);
        if self.wrong == Wrong::Cleanup { Err("it is stuck".to_owned()) } else { Ok(()) }
    }
}

impl Shared for Leaving {
    fn share(&self, (): &mut ()) {
        assert!(self.wrong != Wrong::Share, "wrong in Share");
    }
}

/// The message of a hand-written test that panics.
fn panics(test: impl FnOnce()) -> String {
    let payload = catch_unwind(AssertUnwindSafe(test)).expect_err("it should panic");
    payload.downcast_ref::<String>().expect("with a text").clone()
}

const EVERYWHERE: [Wrong; 8] = [
    Wrong::Next,
    Wrong::Postcondition,
    Wrong::PostconditionSaysNo,
    Wrong::Invariant,
    Wrong::Resolve,
    Wrong::Run,
    Wrong::AtEnd,
    Wrong::Cleanup,
];

#[test]
fn a_sequence_is_cleaned_up_wherever_it_fails() {
    for wrong in EVERYWHERE {
        let spec = Leaving::new(wrong);
        let open = Arc::clone(&spec.open);
        let text = panics(|| Sequential::with(spec, [1, 7]).test());
        assert_eq!(open.load(Ordering::SeqCst), 0, "{wrong:?}: {text}");
    }
}

#[test]
fn a_parallel_program_is_cleaned_up_wherever_it_fails() {
    for wrong in EVERYWHERE.into_iter().chain([Wrong::Share]) {
        for prefix in [vec![7], vec![]] {
            // The invariant is looked at after the prefix only.
            if wrong == Wrong::Invariant && prefix.is_empty() {
                continue;
            }
            let spec = Leaving::new(wrong);
            let open = Arc::clone(&spec.open);
            let text = panics(|| Parallel::<_, 2>::with(spec, prefix.clone(), vec![vec![1, 7], vec![7]]).test());
            assert_eq!(open.load(Ordering::SeqCst), 0, "{wrong:?} after {prefix:?}: {text}");
        }
    }
}

#[test]
fn a_soak_is_cleaned_up_wherever_it_fails() {
    for wrong in EVERYWHERE {
        let spec = Leaving::new(wrong);
        let ended = soak(&spec, &Soak { commands: 200, ..Soak::default() });
        // The last command is hardly a 7.
        assert!(ended.is_err() || wrong == Wrong::AtEnd, "{wrong:?}: {ended:?}");
        assert_eq!(spec.open(), 0, "{wrong:?}");
    }
}

#[test]
fn a_failing_cleanup_of_a_parallel_program_shrinks() {
    let property = property! {
        forall program in forall::machine::parallel::<_, 2>(Leaving::new(Wrong::Cleanup));
        check program.check()
    };
    let report = report_with(&property, Settings::new().seed(1).size(30));
    let found = report.counterexample.unwrap();
    assert_eq!((found.failure.kind, &*found.failure.message), (FailureKind::Error, "cleaning up failed: it is stuck"));
    let program = format!("{:?}", found.bindings[0].printed.debug);
    assert!(program.contains("prefix: [], branches: [[], []]"), "{program}");
}
