//! A specification for several instances of a system at once.

use super::misused::invalid_specification;
use super::picture::type_of;
use super::{KnownIssue, Ref, Results, Shared, Spec, Tuning};
use crate::choice::Source;
use std::fmt;

/// A specification of `N` instances of a system: each command is run on one of them.
///
/// Systems that share state by mistake (a static or thread-local variable, a file, a cache whose keys are not unique) agree
/// with their model as long as there is only one instance. `Instances` gives each instance its own model:
///
/// ```
/// use forall::machine::{Instances, Sequential, refute};
/// use std::cell::Cell;
///
/// thread_local! {
///     static COUNT: Cell<u32> = const { Cell::new(0) };
/// }
///
/// /// Counts from 1. Bug: all counters count together.
/// struct Counter { first: u32 }
///
/// impl Counter {
///     fn new() -> Self { Self { first: COUNT.get() } }
///     fn next(&mut self) -> u32 { COUNT.set(COUNT.get() + 1); COUNT.get() - self.first }
/// }
///
/// #[derive(Clone)]
/// struct Model(u32);
///
/// impl Model {
///     fn next(&mut self) -> u32 { self.0 += 1; self.0 }
/// }
///
/// forall::machine! {
///     spec Counting for Counter = Counter::new(), like Model = Model(0);
///     fn next() -> u32;
/// }
///
/// let property = forall::prelude::property! { forall commands: Sequential<Counting>; check commands.check() };
/// forall::check("one counter", &property);
///
/// let property = forall::prelude::property! { forall commands: Sequential<Instances<Counting, 2>>; check commands.check() };
/// let report = refute("two counters", &property, forall::run::Settings::new());
/// assert_eq!(report.counterexample.unwrap().failure.message, "\
/// the system disagrees with the model
///
///     next() on 0 : 1
///     next() on 1 : 2    expected 1");
/// ```
///
/// Reports contain a test to paste, with commands such as `Instances::<Counting, 2>::on(1, Counting::next())`. If the
/// specification is [`Shared`], [`Parallel`](super::Parallel) tests also work. The tuning is that of the specification.
#[derive(Clone, Copy, Debug, Default)]
pub struct Instances<S, const N: usize>(S);

/// A command, and the number of the instance that it is run on.
#[derive(Clone)]
#[doc(hidden)]
pub struct On<C> {
    instance: usize,
    command: C,
}

impl<C: fmt::Debug> fmt::Debug for On<C> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?} on {}", self.command, self.instance)
    }
}

impl<S: Spec, const N: usize> Instances<S, N> {
    /// Creates one from the specification of a single instance.
    ///
    /// See [`Instances`].
    pub fn new(spec: S) -> Self {
        Self(spec)
    }

    /// Returns a command for the instance with this number, modulo the number of instances.
    ///
    /// See [`Instances`].
    pub fn on(instance: usize, command: S::Command) -> On<S::Command> {
        On { instance: instance % N.max(1), command }
    }

    fn draw(
        model: &[S::Model],
        source: &mut Source,
        draw: impl Fn(&S::Model, &mut Source) -> S::Command,
    ) -> On<S::Command> {
        let instance = source.choice(model.len() as u64 - 1) as usize;
        On { instance, command: draw(&model[instance], source) }
    }

    /// The first error of an instance, with its number.
    fn first_error(
        &self,
        model: &[S::Model],
        systems: &mut [S::System],
        check: impl Fn(&S, &S::Model, &mut S::System) -> Result<(), String>,
    ) -> Result<(), String> {
        for (instance, (model, system)) in model.iter().zip(systems).enumerate() {
            check(&self.0, model, system).map_err(|why| format!("instance {instance}: {why}"))?;
        }
        Ok(())
    }
}

impl<S: Spec, const N: usize> Spec for Instances<S, N> {
    type Command = On<S::Command>;
    type Model = Vec<S::Model>;
    type System = Vec<S::System>;
    type Response = S::Response;

    fn model(&self) -> Vec<S::Model> {
        if N == 0 {
            invalid_specification(Some(type_of::<Self>()), "it has no instances: use `Instances<S, 1>` or more");
        }
        (0..N).map(|_| self.0.model()).collect()
    }

    fn generate(&self, model: &Vec<S::Model>, source: &mut Source) -> On<S::Command> {
        Self::draw(model, source, |model, source| self.0.generate(model, source))
    }

    fn generate_in(&self, branch: usize, model: &Vec<S::Model>, source: &mut Source) -> On<S::Command> {
        Self::draw(model, source, |model, source| self.0.generate_in(branch, model, source))
    }

    fn precondition(&self, model: &Vec<S::Model>, On { instance, command }: &On<S::Command>) -> bool {
        self.0.precondition(&model[*instance], command)
    }

    fn next(&self, model: &mut Vec<S::Model>, On { instance, command }: &On<S::Command>) {
        self.0.next(&mut model[*instance], command);
    }

    fn system(&self) -> Vec<S::System> {
        (0..N).map(|_| self.0.system()).collect()
    }

    fn run(&self, systems: &mut Vec<S::System>, On { instance, command }: &On<S::Command>) -> S::Response {
        self.0.run(&mut systems[*instance], command)
    }

    fn postcondition(
        &self,
        model: &Vec<S::Model>,
        On { instance, command }: &On<S::Command>,
        response: &S::Response,
    ) -> bool {
        self.0.postcondition(&model[*instance], command, response)
    }

    fn expected(&self, model: &Vec<S::Model>, On { instance, command }: &On<S::Command>) -> Option<String> {
        self.0.expected(&model[*instance], command)
    }

    fn invariant(&self, model: &Vec<S::Model>, systems: &mut Vec<S::System>) -> Result<(), String> {
        self.first_error(model, systems, S::invariant)
    }

    fn at_end(&self, model: &Vec<S::Model>, systems: &mut Vec<S::System>) -> Result<(), String> {
        self.first_error(model, systems, S::at_end)
    }

    /// Cleans up all instances, even if one fails.
    fn cleanup(&self, systems: Vec<S::System>) -> Result<(), String> {
        let mut result = Ok(());
        for (instance, system) in systems.into_iter().enumerate() {
            let cleaned = self.0.cleanup(system).map_err(|why| format!("instance {instance}: {why}"));
            result = result.and(cleaned);
        }
        result
    }

    fn bind(&self, model: &mut Vec<S::Model>, On { instance, command }: &On<S::Command>, result: Ref) {
        self.0.bind(&mut model[*instance], command, result);
    }

    fn resolve(
        &self,
        On { instance, command }: &On<S::Command>,
        results: &Results<'_, S::Response>,
    ) -> Option<On<S::Command>> {
        let command = self.0.resolve(command, results)?;
        Some(On { instance: *instance, command })
    }

    fn known_issue(&self, command: &On<S::Command>) -> Option<KnownIssue> {
        self.0.known_issue(&command.command)
    }

    fn code(&self, On { instance, command }: &On<S::Command>) -> Option<String> {
        let (spec, command) = (type_of::<S>(), self.0.code(command)?);
        Some(format!("Instances::<{spec}, {N}>::on({instance}, {command})"))
    }

    fn tuning(&self) -> Tuning {
        self.0.tuning()
    }
}

impl<S: Shared, const N: usize> Shared for Instances<S, N> {
    fn share(&self, systems: &mut Vec<S::System>) -> Vec<S::System> {
        systems.iter_mut().map(|system| self.0.share(system)).collect()
    }
}
