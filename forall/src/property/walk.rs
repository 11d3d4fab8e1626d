//! The way of a search through a property: which path is next, and what has to be made for it.

use super::Outcome;
use crate::choice::Source;
use crate::context::{Context, context};
use crate::generate::series::{Next, Trail};

/// Leads a property from path to path: what [`Property::explore`](crate::property::Property::explore) is given.
///
/// The loop of a property that makes its environment for each path:
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
    /// Whether the variables do not depend on each other, so that assumptions can be looked at when all are there.
    pub(crate) independent: bool,
    /// How many paths were discarded, and how many were not, and passed.
    pub(crate) discarded: u64,
    pub(crate) checked: u64,
    /// How many paths it takes before `cut` is called, which may end it, and how many are left of them.
    pause: u64,
    left: u64,
    cut: Option<&'a dyn Fn()>,
    /// Whether it stays on the path that it is on.
    once: bool,
    /// Whether an environment is being made.
    pub(crate) building: bool,
    /// What counts what is said of each path.
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

    /// Calls this after so many paths, and again: it unwinds if the walk is to stop.
    pub(crate) fn asking(mut self, pause: u64, cut: &'a dyn Fn()) -> Self {
        (self.pause, self.left, self.cut) = (pause, pause, Some(cut));
        self
    }

    /// Stays on its path: there is no next one.
    pub(crate) fn once(mut self) -> Self {
        self.once = true;
        self
    }

    /// Begins an environment: what its variables are to be drawn from.
    pub fn begin(&mut self) -> Source {
        self.building = true;
        self.search.begin_environment(self.block);
        let mut source = self.search.source(self.depth);
        if self.independent {
            source.trust();
        }
        source
    }

    /// Whether an environment may serve several paths. If so its assumptions were not looked at when it was made.
    pub(super) fn keeps(&self) -> bool {
        self.independent
    }

    /// Says that the body is about to be called.
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

    /// Says what became of it, if it did not fail.
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

    /// Goes to the next path, for which an environment must be made. False if there is none.
    pub fn go_on(&mut self) -> bool {
        self.go_on_with_environment(false) != Next::Done
    }

    /// Goes to the next path, with the environment there is, if that is kept and can be used again.
    #[inline]
    pub(super) fn go_on_with_environment(&mut self, keeps: bool) -> Next {
        if self.once { Next::Done } else { self.search.advance(self.block, keeps) }
    }
}
