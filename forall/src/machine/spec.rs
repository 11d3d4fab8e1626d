//! The parts of a specification.

use super::{KnownIssue, Ref, Results, Tuning};
use crate::choice::Source;
use std::cell::Cell;
use std::fmt::Debug;

/// A specification of a system, by a model.
///
/// A test starts with [`model`](Spec::model) and [`system`](Spec::system). For each command:
/// [`generate`](Spec::generate) draws it, [`precondition`](Spec::precondition) checks whether it is allowed,
/// [`run`](Spec::run) runs it on the system, [`postcondition`](Spec::postcondition) checks the response,
/// [`next`](Spec::next) updates the model, and [`invariant`](Spec::invariant) compares both. [`at_end`](Spec::at_end)
/// and [`cleanup`](Spec::cleanup) follow at the end.
///
/// The [module page](mod@crate::machine) has a complete one. All methods except six have defaults.
pub trait Spec {
    /// A command to the system, usually an enum.
    type Command: Debug;
    /// The model of the system's state. Keep it as simple as possible: a model as clever as the system has the same
    /// bugs.
    type Model;
    /// The system under test.
    type System;
    /// The response of the system: an enum if commands return different types.
    type Response: Debug;

    // ---- The model

    /// Returns the model of a new system.
    fn model(&self) -> Self::Model;

    /// Generates a command that makes sense in this state. A good generator mostly refers to things that exist, and
    /// sometimes to things that do not.
    fn generate(&self, model: &Self::Model, source: &mut Source) -> Self::Command;

    /// Draws a command for one branch of a parallel test, counted from 0. By default all branches use
    /// [`generate`](Spec::generate).
    #[doc(hidden)]
    fn generate_in(&self, branch: usize, model: &Self::Model, source: &mut Source) -> Self::Command {
        let _ = branch;
        self.generate(model, source)
    }

    /// Returns whether the command is allowed in this state. A command that the system rejects needs no precondition:
    /// let the postcondition expect the rejection. By default every command is allowed.
    fn precondition(&self, model: &Self::Model, command: &Self::Command) -> bool {
        let _ = (model, command);
        no_precondition()
    }

    /// Applies the command to the model.
    fn next(&self, model: &mut Self::Model, command: &Self::Command);

    // ---- The system

    /// Creates a new system. Parallel and stress tests create one for each repetition.
    fn system(&self) -> Self::System;

    /// Runs the command on the system. A panic is a failure, unless [`protect`](super::protect) turns it into a
    /// response. Commands that consume the system, or a part of it, take it out: a `System` may be an `Option`.
    fn run(&self, system: &mut Self::System, command: &Self::Command) -> Self::Response;

    /// Returns whether the system may respond this way. `model` is the one *before* the command. Several responses may
    /// be correct.
    fn postcondition(&self, model: &Self::Model, command: &Self::Command, response: &Self::Response) -> bool;

    /// Returns the expected response for the report, where it is easy to compute.
    fn expected(&self, model: &Self::Model, command: &Self::Command) -> Option<String> {
        let _ = (model, command);
        None
    }

    /// Checks the invariant: called after each command of a sequential test, and after the prefix of a parallel one.
    fn invariant(&self, model: &Self::Model, system: &mut Self::System) -> Result<(), String> {
        let _ = (model, system);
        Ok(())
    }

    /// Checks the end of a test. In a parallel test several models may be possible; it is called for each, and one must
    /// succeed. It must not change the system: a queue that is emptied here is empty in the next call.
    fn at_end(&self, model: &Self::Model, system: &mut Self::System) -> Result<(), String> {
        let _ = (model, system);
        Ok(())
    }

    /// Cleans up the system: closes, deletes, restores. Called after failures as well, and when another method of the
    /// specification panics; not when a command hangs. By default the system is dropped.
    fn cleanup(&self, system: Self::System) -> Result<(), String> {
        drop(system);
        Ok(())
    }

    // ---- References: commands that use what earlier ones returned

    /// Binds the response of this command to the name `result` in the model: called after [`next`](Spec::next). A model
    /// that stores it can pass it to [`generate`](Spec::generate), which puts it into a command. See [`Ref`].
    fn bind(&self, model: &mut Self::Model, command: &Self::Command, result: Ref) {
        let _ = (model, command, result);
    }

    /// Returns the command with its references replaced by the responses, or `None` if it has no references.
    /// [`run`](Spec::run) and [`postcondition`](Spec::postcondition) receive the result.
    fn resolve(&self, command: &Self::Command, results: &Results<'_, Self::Response>) -> Option<Self::Command> {
        let _ = (command, results);
        None
    }

    // ---- Everything else

    /// Returns the reason why this command is excluded for now, if it is. See [`KnownIssue`].
    fn known_issue(&self, command: &Self::Command) -> Option<KnownIssue> {
        let _ = command;
        None
    }

    /// Returns the command as Rust code, so that a failing test can be pasted: `Code::of(command)` where commands are
    /// `Arbitrary`. By default there is none, and reports print `Debug`.
    fn code(&self, command: &Self::Command) -> Option<String> {
        let _ = command;
        None
    }

    /// Returns lengths, repetitions, and how races are provoked.
    fn tuning(&self) -> Tuning {
        Tuning::default()
    }
}

thread_local! {
    /// Whether the default of [`Spec::precondition`] was called.
    static NO_PRECONDITION: Cell<bool> = const { Cell::new(false) };
}

/// The precondition of a specification that has none. Remembers that it was called: then the interleavings of a
/// parallel program need not be checked.
#[doc(hidden)]
#[inline]
pub fn no_precondition() -> bool {
    NO_PRECONDITION.set(true);
    true
}

/// Whether the specification has preconditions, as far as this command shows.
pub(super) fn has_preconditions<S: Spec>(spec: &S, model: &S::Model, command: &S::Command) -> bool {
    NO_PRECONDITION.set(false);
    spec.precondition(model, command);
    !NO_PRECONDITION.get()
}
