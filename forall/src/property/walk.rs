//! The walk of a search through a property: the next path, and the parts of the environment to generate for it.

use super::{Check, Checking, Conclude, Failure, Mutating, Outcome, Stop};
use crate::choice::Source;
use crate::context::{Context, context};
use crate::generate::series::{Next, Trail};

/// Drives a property through the paths of a search: the argument of
/// [`Property::explore`](crate::property::Property::explore).
///
/// The loop of a property that generates its environment for each path:
///
/// ```
/// use forall::lazy::Walk;
/// use forall::property::{Failure, IntoOutcome, Outcome};
///
/// fn explore(walk: &mut Walk<'_>) -> Option<Box<Failure>> {
///     loop {
///         let mut source = walk.begin();
///         let (a, b) = (source.draw(0..10u32), source.draw(0..10u32));
///         walk.evaluate();
///         match (a + b < 19).into_outcome() {
///             Outcome::Fail(failure) => return Some(failure),
///             outcome => walk.count(&outcome),
///         }
///         if !walk.go_on() {
///             return None;
///         }
///     }
/// }
/// # let _ = explore;
/// ```
#[doc(hidden)]
pub struct Walk<'a> {
    pub(crate) search: &'a dyn Trail,
    pub(crate) block: usize,
    pub(crate) depth: u32,
    /// Whether the variables are independent, so that assumptions can be checked after all are generated.
    pub(crate) independent: bool,
    /// The number of discarded paths, and of those that passed.
    pub(crate) discarded: u64,
    pub(crate) checked: u64,
    /// The number of paths before `cut` is called, which may end the walk, and how many remain.
    pause: u64,
    left: u64,
    cut: Option<&'a dyn Fn()>,
    /// Whether it stays on its current path.
    once: bool,
    /// Whether an environment is being generated.
    pub(crate) building: bool,
    /// Counts the records of each path.
    context: Context,
}

impl std::fmt::Debug for Walk<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Walk").field("depth", &self.depth).field("discarded", &self.discarded).finish_non_exhaustive()
    }
}

impl<'a> Walk<'a> {
    pub(crate) fn new(search: &'a dyn Trail, block: usize, depth: u32, independent: bool) -> Self {
        Self {
            search,
            block,
            depth,
            independent,
            discarded: 0,
            checked: 0,
            pause: u64::MAX,
            left: u64::MAX,
            cut: None,
            once: false,
            building: false,
            context: context(),
        }
    }

    /// Calls `cut` after every `pause` paths; `cut` unwinds to stop the walk.
    pub(crate) fn asking(mut self, pause: u64, cut: &'a dyn Fn()) -> Self {
        (self.pause, self.left, self.cut) = (pause, pause, Some(cut));
        self
    }

    /// Stays on its path: there is no next one.
    pub(crate) fn once(mut self) -> Self {
        self.once = true;
        self
    }

    /// Starts an environment: returns the source for its variables.
    pub fn begin(&mut self) -> Source {
        self.building = true;
        self.search.begin_environment(self.block);
        let mut source = self.search.source(self.depth);
        if self.independent {
            source.trust();
        }
        source
    }

    /// Whether an environment may serve several paths. If so, its assumptions were not checked when it was generated.
    pub(super) fn keeps(&self) -> bool {
        self.independent
    }

    /// Announces a call of the body.
    #[inline]
    pub fn evaluate(&mut self) {
        self.building = false;
        if self.left == 0 {
            self.ask();
        }
        self.left -= 1;
        self.search.begin_evaluation();
    }

    #[cold]
    fn ask(&mut self) {
        if let Some(cut) = self.cut {
            cut();
        }
        self.left = self.pause;
    }

    /// Records the outcome of the body unless it failed.
    #[inline]
    pub fn count(&mut self, outcome: &Outcome) {
        if self.search.is_interrupted() {
            return;
        }
        let is_valid = !matches!(outcome, Outcome::Discard);
        if is_valid {
            self.checked += 1;
        } else {
            self.discarded += 1;
        }
        self.context.settle(is_valid);
    }

    /// Advances to the next path, for which an environment must be generated. Returns false at the end.
    pub fn go_on(&mut self) -> bool {
        self.go_on_with_environment(false) != Next::Done
    }

    /// Advances to the next path, with the existing environment if it can be reused.
    #[inline]
    pub(super) fn go_on_with_environment(&mut self, keeps: bool) -> Next {
        if self.once { Next::Done } else { self.search.advance(self.block, keeps) }
    }
}

/// A type-erased property: it makes environments and checks them. Properties over the same types share the loop of a
/// search: the cost of such a call is negligible compared with an evaluation.
pub(super) trait Searched<Env> {
    fn walk(&self, source: &mut Source) -> Result<Env, Stop>;
    fn assumptions_hold(&self, env: &Env) -> bool;
    fn conclude(&self, env: Env) -> Outcome;
    fn conclude_by_reference(&self, env: &Env) -> Outcome;
}

impl<P: Checking + Mutating, F: Conclude<P::Env>> Searched<P::Env> for Check<P, F> {
    fn walk(&self, source: &mut Source) -> Result<P::Env, Stop> {
        self.previous.walk(source, &[])
    }

    fn assumptions_hold(&self, env: &P::Env) -> bool {
        self.previous.assumptions_hold(env)
    }

    fn conclude(&self, env: P::Env) -> Outcome {
        self.conclusion.conclude(env)
    }

    fn conclude_by_reference(&self, env: &P::Env) -> Outcome {
        self.conclusion.conclude_by_reference(env)
    }
}

/// Runs the paths of a search, up to the first that fails. An environment serves several paths if the check takes it by reference.
pub(super) fn explore<Env>(
    property: &dyn Searched<Env>,
    by_reference: bool,
    walk: &mut Walk<'_>,
) -> Option<Box<Failure>> {
    loop {
        let mut source = walk.begin();
        let env = match property.walk(&mut source) {
            Ok(env) => env,
            // An assumption that was looked at while the environment was made: a part of the body.
            Err(_) => {
                walk.evaluate();
                walk.count(&Outcome::Discard);
                if walk.go_on() {
                    continue;
                }
                return None;
            }
        };
        let keeps = by_reference && walk.keeps();
        let mut env = Some(env);
        let next = loop {
            walk.evaluate();
            let outcome = match &env {
                Some(env) if walk.keeps() && !property.assumptions_hold(env) => Outcome::Discard,
                Some(env) if keeps => property.conclude_by_reference(env),
                _ => env.take().map_or(Outcome::Discard, |env| property.conclude(env)),
            };
            match outcome {
                Outcome::Fail(failure) => return Some(failure),
                outcome => walk.count(&outcome),
            }
            match walk.go_on_with_environment(keeps) {
                Next::Resume => {}
                next => break next,
            }
        };
        if next == Next::Done {
            return None;
        }
    }
}
