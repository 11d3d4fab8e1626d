//! Another interpretation: which steps to simpler values are there?

use super::{Contract, Empty, Forall, Implies, Predicate, Quantify, Telescope};

/// Counts the candidates that the shrinkers of a telescope offer for given values.
///
/// To take one, see [`Mutating`](super::Mutating).
///
/// ```
/// use forall::property::{Empty, Shrinking, Telescope};
/// let telescope = Empty.forall("n", |(), s| s.draw(0..100u32)).shrink(|(), n| Box::new(0..*n));
/// let mut candidates = Vec::new();
/// telescope.candidates(&(5, ()), &mut candidates);
/// assert_eq!(candidates, [5]);
/// ```
pub trait Shrinking: Telescope {
    /// Appends the number of candidates for each variable of `env`, outermost first, none for those without a shrinker.
    ///
    /// Shrinkers may offer no end of candidates: counting stops at [`MAX_CANDIDATES`].
    fn candidates(&self, env: &Self::Env, counts: &mut Vec<u32>);
}

/// As many candidates of one variable are looked at, the simplest ones.
///
/// ```
/// use forall::property::{Empty, MAX_CANDIDATES, Shrinking, Telescope};
/// let endless = Empty.forall("n", |(), s| s.draw(0..10u32)).shrink(|(), _| Box::new(std::iter::repeat(0)));
/// let mut counts = Vec::new();
/// endless.candidates(&(5, ()), &mut counts);
/// assert_eq!(counts, [MAX_CANDIDATES as u32]);
/// ```
pub const MAX_CANDIDATES: usize = 1000;

impl Shrinking for Empty {
    fn candidates(&self, _: &(), _: &mut Vec<u32>) {}
}

impl<P: Shrinking, Q: Quantify<P::Env>> Shrinking for Forall<P, Q> {
    fn candidates(&self, (value, env): &Self::Env, counts: &mut Vec<u32>) {
        self.previous.candidates(env, counts);
        self.annotations.candidates(env, value, counts);
    }
}

impl<P: Shrinking, F: Predicate<P::Env>> Shrinking for Implies<P, F> {
    fn candidates(&self, env: &Self::Env, counts: &mut Vec<u32>) {
        self.previous.candidates(env, counts);
    }
}

impl<P: Shrinking, F: Predicate<P::Env>> Shrinking for Contract<P, F> {
    fn candidates(&self, env: &Self::Env, counts: &mut Vec<u32>) {
        self.previous.candidates(env, counts);
    }
}
