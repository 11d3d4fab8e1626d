//! A specification with a different generator of commands.

use super::{KnownIssue, Ref, Results, Shared, Spec, Tuning};
use crate::choice::Source;
use std::marker::PhantomData;

/// A generator of commands that replaces the specification's own.
///
/// See [`Generated`].
pub trait Commands<S: Spec> {
    /// Generates a command that makes sense in this state; in a parallel test, for this branch.
    fn generate(spec: &S, branch: Option<usize>, model: &S::Model, source: &mut Source) -> S::Command;
}

/// The specification `S` with the commands of `C`, to test one system under several loads.
///
/// ```
/// use forall::choice::Source;
/// use forall::machine::{Commands, Generated, Sequential, Spec};
/// # use std::collections::VecDeque;
/// # #[derive(Debug)]
/// # enum Command { Push(u8), Pop }
/// # #[derive(Default)]
/// # struct Queue;
/// # impl Spec for Queue {
/// #     type Command = Command;
/// #     type Model = Vec<u8>;
/// #     type System = VecDeque<u8>;
/// #     type Response = Option<u8>;
/// #     fn model(&self) -> Vec<u8> { Vec::new() }
/// #     fn generate(&self, _: &Vec<u8>, source: &mut Source) -> Command {
/// #         if source.choice(1) == 0 { Command::Pop } else { Command::Push(source.draw(0..9)) }
/// #     }
/// #     fn next(&self, model: &mut Vec<u8>, command: &Command) {
/// #         match command {
/// #             Command::Push(value) => model.push(*value),
/// #             Command::Pop => if !model.is_empty() { model.remove(0); }
/// #         }
/// #     }
/// #     fn system(&self) -> VecDeque<u8> { VecDeque::new() }
/// #     fn run(&self, system: &mut VecDeque<u8>, command: &Command) -> Option<u8> {
/// #         match command {
/// #             Command::Push(value) => { system.push_back(*value); None }
/// #             Command::Pop => system.pop_front(),
/// #         }
/// #     }
/// #     fn postcondition(&self, model: &Vec<u8>, command: &Command, response: &Option<u8>) -> bool {
/// #         matches!(command, Command::Push(_)) || *response == model.first().copied()
/// #     }
/// # }
///
/// /// Three times as many `Push` as `Pop`.
/// struct Filling;
/// impl Commands<Queue> for Filling {
///     fn generate(_: &Queue, _: Option<usize>, _: &Vec<u8>, source: &mut Source) -> Command {
///         if source.choice(3) == 0 { Command::Pop } else { Command::Push(source.draw(0..100)) }
///     }
/// }
///
/// let property = forall::prelude::property! {
///     forall commands: Sequential<Generated<Queue, Filling>>;
///     check commands.check()
/// };
/// forall::check("a queue that fills", &property);
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Generated<S, C> {
    spec: S,
    commands: PhantomData<fn() -> C>,
}

impl<S, C> Generated<S, C> {
    /// Creates the specification with the other generator of commands.
    ///
    /// ```
    /// # use forall::machine::Generated;
    /// struct Spec;
    /// struct Others;
    /// let _: Generated<Spec, Others> = Generated::new(Spec);
    /// ```
    pub fn new(spec: S) -> Self {
        Self { spec, commands: PhantomData }
    }
}

impl<S: Default, C> Default for Generated<S, C> {
    fn default() -> Self {
        Self::new(S::default())
    }
}

impl<S: Spec, C: Commands<S>> Spec for Generated<S, C> {
    type Command = S::Command;
    type Model = S::Model;
    type System = S::System;
    type Response = S::Response;

    fn generate(&self, model: &S::Model, source: &mut Source) -> S::Command {
        C::generate(&self.spec, None, model, source)
    }

    fn generate_in(&self, branch: usize, model: &S::Model, source: &mut Source) -> S::Command {
        C::generate(&self.spec, Some(branch), model, source)
    }

    fn model(&self) -> S::Model {
        self.spec.model()
    }

    fn precondition(&self, model: &S::Model, command: &S::Command) -> bool {
        self.spec.precondition(model, command)
    }

    fn next(&self, model: &mut S::Model, command: &S::Command) {
        self.spec.next(model, command);
    }

    fn system(&self) -> S::System {
        self.spec.system()
    }

    fn run(&self, system: &mut S::System, command: &S::Command) -> S::Response {
        self.spec.run(system, command)
    }

    fn postcondition(&self, model: &S::Model, command: &S::Command, response: &S::Response) -> bool {
        self.spec.postcondition(model, command, response)
    }

    fn expected(&self, model: &S::Model, command: &S::Command) -> Option<String> {
        self.spec.expected(model, command)
    }

    fn invariant(&self, model: &S::Model, system: &mut S::System) -> Result<(), String> {
        self.spec.invariant(model, system)
    }

    fn at_end(&self, model: &S::Model, system: &mut S::System) -> Result<(), String> {
        self.spec.at_end(model, system)
    }

    fn cleanup(&self, system: S::System) -> Result<(), String> {
        self.spec.cleanup(system)
    }

    fn bind(&self, model: &mut S::Model, command: &S::Command, result: Ref) {
        self.spec.bind(model, command, result);
    }

    fn resolve(&self, command: &S::Command, results: &Results<'_, S::Response>) -> Option<S::Command> {
        self.spec.resolve(command, results)
    }

    fn known_issue(&self, command: &S::Command) -> Option<KnownIssue> {
        self.spec.known_issue(command)
    }

    fn code(&self, command: &S::Command) -> Option<String> {
        self.spec.code(command)
    }

    fn tuning(&self) -> Tuning {
        self.spec.tuning()
    }
}

impl<S: Shared, C: Commands<S> + 'static> Shared for Generated<S, C> {
    fn share(&self, system: &mut S::System) -> S::System {
        self.spec.share(system)
    }
}
