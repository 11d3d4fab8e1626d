//! References: names for responses that are not known yet when commands are generated.

use super::misused::invalid_specification;
use crate::choice::Source;
use crate::generate::{Arbitrary, Code};
use std::fmt;

/// A reference to the response of an earlier command of the same test.
///
/// A test is generated before it runs, so a command that frees what an earlier one allocated cannot hold the handle. It
/// holds a reference; the model records the available references ([`Spec::bind`](super::Spec::bind)), and before the
/// command runs, each reference is replaced by its response ([`Spec::resolve`](super::Spec::resolve)):
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
/// In a parallel test a branch may refer to responses of the prefix and of itself. The precondition, which must hold in
/// every interleaving, prevents references to another branch.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Ref {
    /// 0 for a sequence and for the prefix, else the branch, from 1.
    branch: u32,
    number: u32,
}

impl Ref {
    /// Creates the reference to the command with this number, counted from 0, of a sequence or of a prefix: for tests that are written
    /// by hand, or pasted.
    ///
    /// ```
    /// assert_eq!(format!("{:?}", forall::machine::Ref::nth(3)), "#3");
    /// ```
    #[inline]
    pub const fn nth(number: u32) -> Self {
        Self { branch: 0, number }
    }

    /// Creates the reference to a command of a branch, both counted from 0. Only later commands of the same branch can
    /// use it.
    ///
    /// ```
    /// assert_eq!(format!("{:?}", forall::machine::Ref::in_branch(0, 2)), "#b1.2");
    /// ```
    #[doc(hidden)]
    #[inline]
    pub const fn in_branch(branch: usize, number: usize) -> Self {
        Self { branch: branch as u32 + 1, number: number as u32 }
    }
}

impl fmt::Debug for Ref {
    #[inline]
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.branch {
            0 => write!(f, "#{}", self.number),
            branch => write!(f, "#b{branch}.{}", self.number),
        }
    }
}

impl Arbitrary for Ref {
    /// Any of the first commands. A generator that uses the model can choose one that makes sense.
    #[inline]
    fn arbitrary(source: &mut Source) -> Self {
        Self::nth(source.draw(0..100))
    }

    #[inline]
    fn duplicate(&self) -> Option<Self> {
        Some(*self)
    }

    #[inline]
    fn print(&self, code: &mut Code) {
        match self.branch {
            0 => write!(code, "Ref::nth({})", self.number),
            branch => write!(code, "Ref::in_branch({}, {})", branch - 1, self.number),
        }
    }
}

/// The responses that a command can refer to.
///
/// See [`Ref`].
pub struct Results<'a, R> {
    prefix: &'a [R],
    /// The branch, from 1; 0 in a sequence.
    branch: u32,
    /// The responses of the branch's commands.
    own: &'a dyn Fn(usize) -> Option<&'a R>,
}

impl<'a, R> Results<'a, R> {
    /// In a sequence.
    pub(super) fn in_sequence(responses: &'a [R]) -> Self {
        Self { prefix: responses, branch: 0, own: &|_| None }
    }

    /// In a branch, after the prefix.
    #[inline]
    pub(super) fn in_branch(prefix: &'a [R], branch: usize, own: &'a dyn Fn(usize) -> Option<&'a R>) -> Self {
        Self { prefix, branch: branch as u32 + 1, own }
    }

    /// Returns the response that a reference stands for.
    ///
    /// A reference to a command that did not run before this one, or that runs in another branch, is an error in the
    /// specification, which the run reports: the precondition must reject it.
    ///
    /// See [`Ref`].
    pub fn get(&self, reference: Ref) -> R
    where
        R: Clone,
    {
        let at = reference.number as usize;
        let response = match reference.branch {
            0 => self.prefix.get(at),
            branch if branch == self.branch => (self.own)(at),
            _ => None,
        };
        match response {
            Some(response) => response.clone(),
            None => invalid_specification(
                None,
                &format!(
                    "a command refers to {reference:?}, which has not run before it: store references in the model in \
                 `bind`, and refuse commands with other references in `precondition`"
                ),
            ),
        }
    }
}

impl<R> fmt::Debug for Results<'_, R> {
    #[inline]
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Results").field("prefix", &self.prefix.len()).finish_non_exhaustive()
    }
}
