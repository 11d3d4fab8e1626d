//! An interpretation that generates an environment from choices. This one is performance-critical.

use super::{Binding, Contract, Empty, Forall, Implies, Predicate, Quantify, Telescope};
use crate::choice::Source;
use crate::panic::Signals;
use std::fmt;
use std::panic::resume_unwind;

/// An interpretation that binds the variables of a telescope from choices.
///
/// ```
/// use forall::choice::Source;
/// use forall::property::{self, Generating, Telescope};
///
/// let telescope = property::forall("n", |(), s| s.draw(0..10u32)).implies(|(n, ())| n % 2 == 0);
/// if let Some((n, ())) = telescope.generate(&mut Source::random(1, 0, 100)) {
///     assert_eq!(n % 2, 0);
/// }
/// ```
pub trait Generating: Telescope {
    /// Returns the environment, or `None` if an assumption does not hold or a generator rejected the test.
    fn generate(&self, source: &mut Source) -> Option<Self::Env>;
}

inventory::submit! { Signals(|payload| payload.is::<ContractBroken>()) }

/// The payload with which a violated contract unwinds. Runners report it as an invalid generator, shrinker or mutator.
///
/// ```
/// use forall::choice::Source;
/// use forall::property::{self, ContractBroken, Generating, Telescope};
///
/// let telescope = property::forall("n", |(), s| s.draw(1..10u32)).contract(|(n, ())| *n == 0);
/// let generate = std::panic::AssertUnwindSafe(|| telescope.generate(&mut Source::random(1, 0, 100)).is_some());
/// let caught = std::panic::catch_unwind(generate);
/// assert_eq!(caught.unwrap_err().downcast_ref::<ContractBroken>().unwrap().quantifier, "n");
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[doc(hidden)]
pub struct ContractBroken {
    /// The variable whose value violates it.
    pub quantifier: &'static str,
    /// The source of the contract, or empty.
    pub text: &'static str,
    /// The producer of the value.
    pub maker: Maker,
    /// The variables bound so far, the offending one last. Empty if the test was not recorded.
    pub bindings: Vec<Binding>,
}

/// A producer of values.
///
/// ```
/// use forall::choice::{Sequence, Source};
/// use forall::property::{self, ContractBroken, Maker, Mutating, Step, Telescope};
/// let telescope = property::forall("n", |(), s| s.draw(0..10u32))
///     .shrink(|(), _| Box::new(std::iter::once(99)))
///     .contract(|(n, ())| *n < 10);
/// let steps = [Step::Shrink { quantifier: 0, candidate: 0 }];
/// let walk = || telescope.walk(&mut Source::replay(&Sequence::from_values(100, &[3])), &steps);
/// let caught = std::panic::catch_unwind(std::panic::AssertUnwindSafe(walk)).unwrap_err();
/// assert_eq!(caught.downcast_ref::<ContractBroken>().unwrap().maker, Maker::Shrinker);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
#[doc(hidden)]
pub enum Maker {
    /// The generator.
    Generator,
    /// The shrinker of the variable.
    Shrinker,
    /// The mutator of the variable.
    Mutator,
}

impl fmt::Display for Maker {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Maker::Generator => "generator",
            Maker::Shrinker => "shrinker",
            Maker::Mutator => "mutator",
        })
    }
}

impl Generating for Empty {
    #[inline(always)]
    fn generate(&self, _: &mut Source) -> Option<()> {
        Some(())
    }
}

impl<P: Generating, Q: Quantify<P::Env>> Generating for Forall<P, Q> {
    #[inline(always)]
    fn generate(&self, source: &mut Source) -> Option<Self::Env> {
        // `match` rather than `?`, here and below: it is free even without optimisation.
        match self.previous.generate(source) {
            Some(env) => {
                let value = self.quantify.generate(&env, source);
                if source.is_rejected() { None } else { Some((value, env)) }
            }
            None => None,
        }
    }
}

impl<P: Generating, F: Predicate<P::Env>> Generating for Implies<P, F> {
    #[inline(always)]
    #[expect(clippy::manual_filter, reason = "a call of `filter` costs tests that are not optimised")]
    fn generate(&self, source: &mut Source) -> Option<Self::Env> {
        match self.previous.generate(source) {
            Some(env) => {
                if self.predicate.holds(&env) {
                    Some(env)
                } else {
                    None
                }
            }
            None => None,
        }
    }
}

impl<P: Generating + Named, F: Predicate<P::Env>> Generating for Contract<P, F> {
    #[inline(always)]
    fn generate(&self, source: &mut Source) -> Option<Self::Env> {
        match self.previous.generate(source) {
            Some(env) => {
                if !self.predicate.holds(&env) {
                    broken(self.previous.name(), self.text, Maker::Generator, Vec::new());
                }
                Some(env)
            }
            None => None,
        }
    }
}

/// The name of the last bound variable.
///
/// ```
/// use forall::property::{self, Named, Telescope};
/// let telescope = property::forall("a", |(), s| s.draw(0..10u32)).forall("b", |_, s| s.draw(0..10u32));
/// assert_eq!(telescope.name(), "b");
/// assert_eq!(telescope.contract(|_| true).name(), "b");
/// ```
#[doc(hidden)]
pub trait Named {
    /// The name.
    fn name(&self) -> &'static str;
}

impl<P: Telescope, Q: Quantify<P::Env>> Named for Forall<P, Q> {
    fn name(&self) -> &'static str {
        self.name
    }
}

impl<P: Named, F> Named for Contract<P, F> {
    fn name(&self) -> &'static str {
        self.previous.name()
    }
}

#[cold]
pub(super) fn broken(quantifier: &'static str, text: &'static str, maker: Maker, bindings: Vec<Binding>) -> ! {
    resume_unwind(Box::new(ContractBroken { quantifier, text, maker, bindings }))
}
