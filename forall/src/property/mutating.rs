//! An interpretation that generates the values again, and applies steps to them.
//!
//! The result of a shrinker or a mutator on a *value* has no choices of its own. It is represented by the choices of
//! the original value and by the [`Step`]s taken, so that it can be saved, replayed, and reached again without `Clone`.
//! Later variables are generated from their own choices in the changed environment, so variables that depend on a
//! changed one follow it.

use super::generating::{Maker, Named, broken};
use super::{Binding, Contract, Empty, Forall, Implies, Predicate, Printing, Quantify, Telescope};
use crate::choice::{Source, Span};

/// A step on the value of one variable.
///
/// ```
/// use forall::property::Step;
/// let path = [Step::Shrink { quantifier: 0, candidate: 2 }, Step::Mutate { quantifier: 1, seed: 7 }];
/// assert_eq!(path[1].quantifier(), 1);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
#[doc(hidden)]
pub enum Step {
    /// Replaces the value with a candidate of the variable's shrinker.
    #[doc(hidden)]
    Shrink {
        /// Which variable, from 0.
        quantifier: u32,
        /// Which candidate, from 0.
        candidate: u32,
    },
    /// Replaces the value with the result of the variable's mutator.
    #[doc(hidden)]
    Mutate {
        /// Which variable, from 0.
        quantifier: u32,
        /// What the mutator draws from.
        seed: u64,
    },
    /// Changes no value: the choices are those of an exhaustive search, in the order of evaluation.
    #[doc(hidden)]
    Search {
        /// The depth limit of values.
        depth: u32,
    },
}

impl Step {
    /// Returns the variable that the step changes; the first one for a search.
    ///
    /// ```
    /// use forall::property::Step;
    /// assert_eq!(Step::Shrink { quantifier: 2, candidate: 0 }.quantifier(), 2);
    /// ```
    #[doc(hidden)]
    pub fn quantifier(&self) -> u32 {
        match *self {
            Step::Shrink { quantifier, .. } | Step::Mutate { quantifier, .. } => quantifier,
            Step::Search { .. } => 0,
        }
    }
}

/// Why there is no environment.
///
/// ```
/// use forall::choice::Source;
/// use forall::property::{self, Mutating, Step, Stop, Telescope};
/// let telescope = property::forall("n", |(), s| s.draw(0..10u32));
/// // There is no shrinker whose candidate could be taken.
/// let steps = [Step::Shrink { quantifier: 0, candidate: 0 }];
/// assert_eq!(telescope.walk(&mut Source::record(1, 0, 100), &steps), Err(Stop::NoSuchStep));
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
#[doc(hidden)]
pub enum Stop {
    /// The test is discarded.
    Discarded(Box<Discarded>),
    /// A step does not exist: there is no such candidate, or no such annotation.
    NoSuchStep,
}

/// A discarded test: the clause that discarded it, and the variables bound so far.
///
/// ```
/// use forall::choice::{Sequence, Source};
/// use forall::prelude::*;
/// use forall::property::{Property, Stop};
/// let property = property! { forall n in 0..10u32; implies *n != 3; check *n != 3 };
/// let mut three = Source::replay(&Sequence::from_values(100, &[3]));
/// let Err(Stop::Discarded(discarded)) = property.print(&mut three, &[]) else { panic!("3 is discarded") };
/// assert_eq!((discarded.clause, discarded.text), (1, "*n != 3"));
/// assert_eq!(discarded.bindings[0].printed.text(), "3");
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Discarded {
    /// The index of the clause in the property.
    #[doc(hidden)]
    pub clause: usize,
    /// The source of the assumption, or the name of the variable whose generator gave up.
    pub text: &'static str,
    /// The variables bound so far; empty unless the property is printed.
    #[doc(hidden)]
    pub bindings: Vec<Binding>,
}

impl Stop {
    pub(super) fn discarded(clause: usize, text: &'static str, bindings: Vec<Binding>) -> Self {
        Self::Discarded(Box::new(Discarded { clause, text, bindings }))
    }
}

/// An interpretation that generates and applies steps to values.
///
/// ```
/// use forall::choice::{Sequence, Source};
/// use forall::property::{self, Mutating, Step, Telescope};
///
/// let telescope = property::forall("n", |(), s| s.draw(0..100u32)).shrink(|(), n| Box::new([n / 2, n - 1].into_iter()));
/// let mut source = Source::replay(&Sequence::from_values(100, &[50]));
/// let path = [Step::Shrink { quantifier: 0, candidate: 0 }, Step::Shrink { quantifier: 0, candidate: 1 }];
/// assert_eq!(telescope.walk(&mut source, &path), Ok((24, ())));
/// ```
pub trait Mutating: Telescope {
    /// The environment after the steps.
    ///
    /// ```
    /// use forall::choice::{Sequence, Source};
    /// use forall::property::{self, Mutating, Telescope};
    /// let telescope = property::forall("n", |(), s| s.draw(0..100u32));
    /// assert_eq!(telescope.walk(&mut Source::replay(&Sequence::from_values(100, &[50])), &[]), Ok((50, ())));
    /// ```
    #[doc(hidden)]
    fn walk(&self, source: &mut Source, steps: &[Step]) -> Result<Self::Env, Stop>;

    /// The number of clauses.
    ///
    /// ```
    /// use forall::property::{self, Mutating, Telescope};
    /// let telescope = property::forall("n", |(), s| s.draw(0..10u32)).implies(|(n, ())| *n > 0);
    /// assert_eq!(telescope.clauses(), 2);
    /// ```
    #[doc(hidden)]
    fn clauses(&self) -> usize;

    /// The number of quantifiers.
    ///
    /// ```
    /// use forall::property::{self, Mutating, Telescope};
    /// let telescope = property::forall("n", |(), s| s.draw(0..10u32)).implies(|(n, ())| *n > 0);
    /// assert_eq!(telescope.quantifiers(), 1);
    /// ```
    #[doc(hidden)]
    fn quantifiers(&self) -> u32;
}

impl Mutating for Empty {
    fn walk(&self, _: &mut Source, _: &[Step]) -> Result<(), Stop> {
        Ok(())
    }

    fn clauses(&self) -> usize {
        0
    }

    fn quantifiers(&self) -> u32 {
        0
    }
}

impl<P: Mutating + Printing, Q: Quantify<P::Env>> Mutating for Forall<P, Q> {
    fn walk(&self, source: &mut Source, steps: &[Step]) -> Result<Self::Env, Stop> {
        let place = Place { number: self.previous.quantifiers(), clause: self.previous.clauses(), name: self.name };
        let walked = self.previous.walk(source, steps);
        self.annotations.walk(walked, source, steps, &place, self)
    }

    fn clauses(&self) -> usize {
        self.previous.clauses() + 1
    }

    fn quantifiers(&self) -> u32 {
        self.previous.quantifiers() + 1
    }
}

impl<P: Mutating, Q: Quantify<P::Env>> Forall<P, Q> {
    /// Generates a value of the variable.
    ///
    /// On tape, its choices are one part of the input, distinct from those of other variables. A test draws the same
    /// values in all interpretations that bind variables by this function, or by those of the library.
    ///
    /// ```
    /// use forall::choice::Source;
    /// use forall::property::{self, Telescope};
    /// let telescope = property::forall("n", |(), s| s.draw(0..100u32));
    /// let mut source = Source::record(7, 0, 100);
    /// assert!(telescope.draw(&(), &mut source) < 100);
    /// assert_eq!(source.into_sequence().spans[0].variable(), Some(0));
    /// ```
    pub fn draw(&self, env: &P::Env, source: &mut Source) -> Q::Value {
        source.open_span(Span::variable_label(self.previous.quantifiers()));
        let value = self.quantify.generate(env, source);
        source.close_span();
        value
    }
}

/// The position of a quantifier: its index among quantifiers and among clauses, and the name of its variable.
pub(super) struct Place {
    pub(super) number: u32,
    pub(super) clause: usize,
    pub(super) name: &'static str,
}

/// A quantifier in the environment before it, with its generator's type erased.
pub(super) trait Rebind<Env, T> {
    /// Generates another value.
    fn again(&self, env: &Env, source: &mut Source) -> T;

    /// Adds the earlier bindings.
    fn show_before(&self, env: &Env, bindings: &mut Vec<Binding>);
}

impl<P: Mutating + Printing, Q: Quantify<P::Env>> Rebind<P::Env, Q::Value> for Forall<P, Q> {
    fn again(&self, env: &P::Env, source: &mut Source) -> Q::Value {
        self.quantify.generate_again(env, source)
    }

    fn show_before(&self, env: &P::Env, bindings: &mut Vec<Binding>) {
        self.previous.show(env, bindings);
    }
}

impl<P: Mutating + Printing, F: Predicate<P::Env>> Mutating for Implies<P, F> {
    fn walk(&self, source: &mut Source, steps: &[Step]) -> Result<Self::Env, Stop> {
        let env = self.previous.walk(source, steps)?;
        if source.trusts() || self.predicate.holds(&env) {
            Ok(env)
        } else {
            let mut bindings = Vec::new();
            if source.prints_discarded() {
                self.previous.show(&env, &mut bindings);
            }
            Err(Stop::discarded(self.previous.clauses(), self.text, bindings))
        }
    }

    fn clauses(&self) -> usize {
        self.previous.clauses() + 1
    }

    fn quantifiers(&self) -> u32 {
        self.previous.quantifiers()
    }
}

impl<P: Mutating + Named + Printing, F: Predicate<P::Env>> Mutating for Contract<P, F> {
    fn walk(&self, source: &mut Source, steps: &[Step]) -> Result<Self::Env, Stop> {
        let env = self.previous.walk(source, steps)?;
        if !self.predicate.holds(&env) {
            let maker = match steps.iter().rev().find(|step| step.quantifier() + 1 == self.quantifiers()) {
                None | Some(Step::Search { .. }) => Maker::Generator,
                Some(Step::Shrink { .. }) => Maker::Shrinker,
                Some(Step::Mutate { .. }) => Maker::Mutator,
            };
            let mut bindings = Vec::new();
            self.previous.show(&env, &mut bindings);
            broken(self.previous.name(), self.text, maker, bindings);
        }
        Ok(env)
    }

    fn clauses(&self) -> usize {
        self.previous.clauses() + 1
    }

    fn quantifiers(&self) -> u32 {
        self.previous.quantifiers()
    }
}
