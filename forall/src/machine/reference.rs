//! References: names for responses that are not known yet when commands are generated.

use crate::choice::Source;
use crate::generate::{Arbitrary, Code, misuse};
use std::fmt;

/// Stands for the response of an earlier command of the same test.
///
/// A test is generated before it runs, so a command that is to free what an earlier one allocated cannot hold the handle.
/// It holds a reference; the model remembers which references there are ([`Spec::bind`](super::Spec::bind)), and before the
/// command runs, what it stands for is put in its place ([`Spec::resolve`](super::Spec::resolve)):
///
/// ```
/// use forall::choice::Source;
/// use forall::generate::{elements, one_of};
/// use forall::machine::{Ref, Results, Sequential, Spec};
///
/// /// Hands out numbers, and takes them back.
/// #[derive(Default)]
/// struct Numbers { next: u32, out: Vec<u32> }
///
/// #[derive(Debug)]
/// enum Command { Take, Return(Ref), ReturnNumber(u32) }
///
/// #[derive(Default)]
/// struct NumbersSpec;
///
/// impl Spec for NumbersSpec {
///     type Command = Command;
///     type Model = Vec<Ref>;
///     type System = Numbers;
///     type Response = Option<u32>;
///     fn model(&self) -> Vec<Ref> { Vec::new() }
///     fn generate(&self, out: &Vec<Ref>, source: &mut Source) -> Command {
///         if out.is_empty() || source.choice(1) == 0 { Command::Take } else { Command::Return(source.draw(elements(out.clone()))) }
///     }
///     // When sequences shrink, a command may lose the one that it refers to.
///     fn precondition(&self, out: &Vec<Ref>, command: &Command) -> bool {
///         !matches!(command, Command::Return(taken) if !out.contains(taken))
///     }
///     fn next(&self, out: &mut Vec<Ref>, command: &Command) {
///         if let Command::Return(taken) = command { out.retain(|other| other != taken) }
///     }
///     fn bind(&self, out: &mut Vec<Ref>, command: &Command, result: Ref) {
///         if let Command::Take = command { out.push(result) }
///     }
///     fn resolve(&self, command: &Command, results: &Results<'_, Option<u32>>) -> Option<Command> {
///         match command {
///             Command::Return(taken) => results.get(*taken).map(Command::ReturnNumber),
///             _ => None,
///         }
///     }
///     fn system(&self) -> Numbers { Numbers::default() }
///     fn run(&self, system: &mut Numbers, command: &Command) -> Option<u32> {
///         match command {
///             Command::Take => { system.next += 1; system.out.push(system.next); Some(system.next) }
///             Command::ReturnNumber(number) => { system.out.retain(|out| out != number); None }
///             Command::Return(_) => unreachable!("it was resolved"),
///         }
///     }
///     fn postcondition(&self, _: &Vec<Ref>, command: &Command, response: &Option<u32>) -> bool {
///         response.is_some() == matches!(command, Command::Take)
///     }
///     fn at_end(&self, out: &Vec<Ref>, system: &mut Numbers) -> Result<(), String> {
///         if out.len() == system.out.len() { Ok(()) } else { Err(format!("{:?} are out", system.out)) }
///     }
/// }
///
/// let property = forall::prelude::property! { forall commands: Sequential<NumbersSpec>; check commands.check() };
/// forall::check("numbers", &property);
/// ```
///
/// In a parallel test a branch may refer to what the prefix or it itself returned. That it does not refer to another branch,
/// the precondition takes care of: it must hold in every interleaving.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Ref(u32);

impl Ref {
    /// The reference to the command with this number, counted from 0: for tests that are written by hand, or pasted.
    ///
    /// ```
    /// assert_eq!(format!("{:?}", forall::machine::Ref::nth(3)), "#3");
    /// ```
    pub const fn nth(number: u32) -> Self {
        Self(number)
    }
}

impl fmt::Debug for Ref {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "#{}", self.0)
    }
}

impl Arbitrary for Ref {
    /// Any of the first commands. A generator that looks at the model finds one that makes sense.
    fn arbitrary(source: &mut Source) -> Self {
        Self(source.draw(0..100))
    }

    fn duplicate(&self) -> Option<Self> {
        Some(*self)
    }

    fn print(&self, code: &mut Code) {
        write!(code, "Ref::nth({})", self.0);
    }
}

/// The responses that a command can refer to.
///
/// See [`Ref`].
pub struct Results<'a, R> {
    prefix: &'a [R],
    /// The number of the first command of the branch, and what its commands responded.
    first: u32,
    branch: &'a dyn Fn(usize) -> Option<&'a R>,
}

impl<'a, R> Results<'a, R> {
    /// In a sequence.
    pub(super) fn in_sequence(responses: &'a [R]) -> Self {
        Self { prefix: responses, first: u32::MAX, branch: &|_| None }
    }

    /// In a branch, behind the prefix.
    pub(super) fn in_branch(prefix: &'a [R], first: u32, branch: &'a dyn Fn(usize) -> Option<&'a R>) -> Self {
        Self { prefix, first, branch }
    }

    /// What the command responded that a reference stands for.
    ///
    /// A reference to a command that did not run before this one, or runs in another branch, is a mistake of the
    /// specification, which the run reports: the precondition must not allow it.
    ///
    /// See [`Ref`].
    pub fn get(&self, reference: Ref) -> R
    where
        R: Clone,
    {
        let number = reference.0;
        let in_branch = || number.checked_sub(self.first).and_then(|at| (self.branch)(at as usize));
        match self.prefix.get(number as usize).or_else(in_branch) {
            Some(response) => response.clone(),
            None => misuse(format!(
                "a command refers to {reference:?}, which has not run before it: let the model remember references in \
                 `bind`, and let `precondition` refuse commands with others"
            )),
        }
    }
}

impl<R> fmt::Debug for Results<'_, R> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Results").field("prefix", &self.prefix.len()).finish_non_exhaustive()
    }
}
