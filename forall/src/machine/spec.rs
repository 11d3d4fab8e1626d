//! What a specification is made of.

use super::{KnownIssue, Ref, Results, Tuning};
use crate::choice::Source;
use std::cell::Cell;
use std::fmt::Debug;

/// What a system should do, told by a model.
///
/// A test starts with [`model`](Spec::model) and [`system`](Spec::system). For each command: [`generate`](Spec::generate) draws
/// it, [`precondition`](Spec::precondition) says whether it may come here, [`run`](Spec::run) runs it on the system,
/// [`postcondition`](Spec::postcondition) looks at the response, [`next`](Spec::next) tells the model, and
/// [`invariant`](Spec::invariant) compares both. At the end come [`at_end`](Spec::at_end) and [`cleanup`](Spec::cleanup).
///
/// The [page of the module](mod@crate::machine) has a whole one. All methods but six have defaults.
pub trait Spec {
    /// What can be asked of the system: mostly an enum.
    type Command: Debug;
    /// What is known about the system's state. As simple as can be: a model that is as clever as the system is as wrong.
    type Model;
    /// What is tested.
    type System;
    /// What the system answers: an enum if commands answer different things.
    type Response: Debug;

    // ---- The model

    /// The model of a system that was just made.
    fn model(&self) -> Self::Model;

    /// Draws a command that makes sense in this state. A good generator asks mostly for what is there and now and then for
    /// what is not.
    fn generate(&self, model: &Self::Model, source: &mut Source) -> Self::Command;

    /// Draws a command for one branch of a parallel test, from 0. By default branches have the same commands.
    #[doc(hidden)]
    fn generate_in(&self, branch: usize, model: &Self::Model, source: &mut Source) -> Self::Command {
        let _ = branch;
        self.generate(model, source)
    }

    /// Whether the command may be given in this state. What may be asked but is refused needs no precondition: let the
    /// postcondition expect the refusal. By default every command may be given.
    fn precondition(&self, model: &Self::Model, command: &Self::Command) -> bool {
        let _ = (model, command);
        no_precondition()
    }

    /// What the command makes of the model.
    fn next(&self, model: &mut Self::Model, command: &Self::Command);

    // ---- The system

    /// A new system. In parallel and stress tests there is a new one for each repetition.
    fn system(&self) -> Self::System;

    /// Runs the command on the system. A panic is an error of the system, unless [`protect`](super::protect) makes it a
    /// response. Commands that consume the system, or a part of it, take it out: a `System` may be an `Option`.
    fn run(&self, system: &mut Self::System, command: &Self::Command) -> Self::Response;

    /// Whether the system may answer this. `model` is the one *before* the command. Several answers may be right.
    fn postcondition(&self, model: &Self::Model, command: &Self::Command, response: &Self::Response) -> bool;

    /// What should have been answered, for the report: if it is easy to say.
    fn expected(&self, model: &Self::Model, command: &Self::Command) -> Option<String> {
        let _ = (model, command);
        None
    }

    /// What must hold between commands: called after each in a sequential test, and after the prefix of a parallel one.
    fn invariant(&self, model: &Self::Model, system: &mut Self::System) -> Result<(), String> {
        let _ = (model, system);
        Ok(())
    }

    /// What must hold at the end. In a parallel test several models may be possible; it is called for one after the other, and one
    /// of them must do. So look at the system, and leave it as it is: what empties a queue here finds it empty the next time.
    fn at_end(&self, model: &Self::Model, system: &mut Self::System) -> Result<(), String> {
        let _ = (model, system);
        Ok(())
    }

    /// Puts away the system: closes, deletes, restores. Called after failures, too, and when another method of the specification
    /// panics; not when a command does not come back. By default it is dropped.
    fn cleanup(&self, system: Self::System) -> Result<(), String> {
        drop(system);
        Ok(())
    }

    // ---- References: commands that use what earlier ones returned

    /// Tells the model that the response of this command will be known as `result`: called after [`next`](Spec::next). A model
    /// that remembers it can hand it to [`generate`](Spec::generate), which puts it into a command. See [`Ref`].
    fn bind(&self, model: &mut Self::Model, command: &Self::Command, result: Ref) {
        let _ = (model, command, result);
    }

    /// The command with what its references stand for in their place; none if it has no references. [`run`](Spec::run) and
    /// [`postcondition`](Spec::postcondition) get what comes back.
    fn resolve(&self, command: &Self::Command, results: &Results<'_, Self::Response>) -> Option<Self::Command> {
        let _ = (command, results);
        None
    }

    // ---- Everything else

    /// Why this command is left out for now, if it is. See [`KnownIssue`].
    fn known_issue(&self, command: &Self::Command) -> Option<KnownIssue> {
        let _ = command;
        None
    }

    /// The command as Rust code, so that a failing test can be pasted: `Code::of(command)` where commands are `Arbitrary`. By
    /// default there is none, and reports show `Debug`.
    fn code(&self, command: &Self::Command) -> Option<String> {
        let _ = command;
        None
    }

    /// Lengths, repetitions, and how races are provoked.
    fn tuning(&self) -> Tuning {
        Tuning::default()
    }
}

thread_local! {
    /// Whether the default of [`Spec::precondition`] was asked.
    static NO_PRECONDITION: Cell<bool> = const { Cell::new(false) };
}

/// The precondition of a specification that has none. Remembers that it was asked: then there is no need to look at every
/// interleaving of a parallel program.
#[doc(hidden)]
pub fn no_precondition() -> bool {
    NO_PRECONDITION.set(true);
    true
}

/// Whether the specification has preconditions, as far as this command tells.
pub(super) fn has_preconditions<S: Spec>(spec: &S, model: &S::Model, command: &S::Command) -> bool {
    NO_PRECONDITION.set(false);
    spec.precondition(model, command);
    !NO_PRECONDITION.get()
}
