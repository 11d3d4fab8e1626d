//! An interpretation that checks the property for given values.

use super::{
    Check, CheckOwned, Contract, Empty, Forall, Implies, IntoOutcome, Outcome, Predicate, Quantify, Telescope,
};

/// Checks the assumptions of a telescope for given values.
///
/// ```
/// use forall::property::{self, Checking, Telescope};
/// let telescope = property::forall("n", |(), s| s.draw(0..10u32)).implies(|(n, ())| n % 2 == 0);
/// assert!(telescope.assumptions_hold(&(4, ())));
/// assert!(!telescope.assumptions_hold(&(5, ())));
/// ```
#[doc(hidden)]
pub trait Checking: Telescope {
    /// Whether every assumption holds in the environment.
    ///
    /// ```
    /// use forall::property::{self, Checking, Telescope};
    /// let telescope = property::forall("n", |(), s| s.draw(0..10u32)).implies(|(n, ())| *n != 3);
    /// assert!(!telescope.assumptions_hold(&(3, ())));
    /// ```
    fn assumptions_hold(&self, env: &Self::Env) -> bool;
}

/// The conclusion of a property: the check of an environment. Implemented by closures over `&Env` and by
/// [`CheckOwned`].
///
/// ```
/// use forall::property::{Conclude, Outcome};
/// let conclusion = |env: &(u8, ())| env.0 < 100;
/// assert_eq!(conclusion.conclude((3, ())), Outcome::Pass);
/// ```
pub trait Conclude<Env> {
    /// Runs the check and returns its outcome.
    ///
    /// ```
    /// use forall::property::Conclude;
    /// assert!((|(n, ()): &(u8, ())| *n < 3).conclude((7, ())).is_fail());
    /// ```
    fn conclude(&self, env: Env) -> Outcome;

    /// The literals that the macros found in the check, in source form, one per line.
    #[doc(hidden)]
    const LITERALS: &'static str = "";

    /// The name of the property in the registry, if an attribute declared it.
    #[doc(hidden)]
    const DECLARED: &'static str = "";

    /// Whether the check can be called by reference. Then a search may reuse an environment.
    #[doc(hidden)]
    const BY_REFERENCE: bool = false;

    /// The outcome of the check by reference, if supported.
    #[doc(hidden)]
    fn conclude_by_reference(&self, env: &Env) -> Outcome {
        let _ = env;
        Outcome::Discard
    }
}

impl<Env, R: IntoOutcome, F: Fn(&Env) -> R> Conclude<Env> for F {
    #[inline(always)]
    fn conclude(&self, env: Env) -> Outcome {
        self(&env).into_outcome()
    }

    const BY_REFERENCE: bool = true;

    #[inline]
    fn conclude_by_reference(&self, env: &Env) -> Outcome {
        self(env).into_outcome()
    }
}

impl<Env, R: IntoOutcome, F: Fn(Env) -> R> Conclude<Env> for CheckOwned<F> {
    #[inline(always)]
    fn conclude(&self, env: Env) -> Outcome {
        (self.0)(env).into_outcome()
    }
}

impl<P: Checking, F: Conclude<P::Env>> Check<P, F> {
    /// Returns the outcome of the property for given values: discarded if an assumption does not hold.
    ///
    /// ```
    /// use forall::property::{self, Outcome, Telescope};
    /// let property = property::forall("a", |(), s| s.draw(0..10u32))
    ///     .forall("b", |_, s| s.draw(0..10u32))
    ///     .implies(|(b, (a, ()))| a <= b)
    ///     .check(|(b, (a, ()))| b - a < 9);
    /// assert_eq!(property.run_on((5, (3, ()))), Outcome::Pass);
    /// assert_eq!(property.run_on((3, (5, ()))), Outcome::Discard);
    /// assert!(property.run_on((9, (0, ()))).is_fail());
    /// ```
    #[doc(hidden)]
    pub fn run_on(&self, env: P::Env) -> Outcome {
        if self.previous.assumptions_hold(&env) { self.conclusion.conclude(env) } else { Outcome::Discard }
    }
}

impl Checking for Empty {
    fn assumptions_hold(&self, _: &()) -> bool {
        true
    }
}

impl<P: Checking, Q: Quantify<P::Env>> Checking for Forall<P, Q> {
    fn assumptions_hold(&self, env: &Self::Env) -> bool {
        self.previous.assumptions_hold(&env.1)
    }
}

impl<P: Checking, F: Predicate<P::Env>> Checking for Implies<P, F> {
    fn assumptions_hold(&self, env: &Self::Env) -> bool {
        self.previous.assumptions_hold(env) && self.predicate.holds(env)
    }
}

impl<P: Checking, F: Predicate<P::Env>> Checking for Contract<P, F> {
    fn assumptions_hold(&self, env: &Self::Env) -> bool {
        self.previous.assumptions_hold(env) && self.predicate.holds(env)
    }
}
