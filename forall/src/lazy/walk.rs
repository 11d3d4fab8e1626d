//! The way of a search through a property: which path is next, and what has to be made for it.

use super::path::Path;
use super::signal::Signal;
use super::trail::{Next, Search};
use crate::choice::Source;
use crate::context::{Context, context};
use crate::property::{Outcome, Property};

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
    pub(super) search: &'a Search,
    block: usize,
    depth: u32,
    /// Whether the variables do not depend on each other, so that assumptions can be looked at when all are there.
    independent: bool,
    /// How many paths were discarded, and how many were not, and passed.
    pub(super) discarded: u64,
    pub(super) checked: u64,
    /// How many paths it takes before it asks whether it is to stop and be cut, and how many are left of them.
    pause: u64,
    left: u64,
    cut: Option<&'a dyn Fn() -> bool>,
    /// Whether it stays on the path that it is on.
    once: bool,
    /// Whether an environment is being made.
    pub(super) building: bool,
    /// What counts what is said of each path.
    context: Context,
}

impl std::fmt::Debug for Walk<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Walk").field("depth", &self.depth).field("discarded", &self.discarded).finish_non_exhaustive()
    }
}

impl<'a> Walk<'a> {
    pub(super) fn new(search: &'a Search, block: usize, depth: u32, independent: bool) -> Self {
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

    /// Asks after so many paths, and again, whether to stop.
    pub(super) fn asking(mut self, pause: u64, cut: &'a dyn Fn() -> bool) -> Self {
        (self.pause, self.left, self.cut) = (pause, pause, Some(cut));
        self
    }

    /// Stays on its path: there is no next one.
    pub(super) fn once(mut self) -> Self {
        self.once = true;
        self
    }

    /// The path that it is on.
    pub(super) fn path<'p>(&'p self, property: &'p dyn Property) -> Path<'p> {
        Path::new(property, self.search, (self.block, self.depth, self.independent))
    }

    /// Begins an environment: what its variables are to be drawn from.
    pub fn begin(&mut self) -> Source {
        self.building = true;
        self.search.begin_environment(self.block);
        let mut source = Source::search(self.depth, super::choose_for_source);
        if self.independent {
            source.trust();
        }
        source
    }

    /// Whether an environment may serve several paths. If so its assumptions were not looked at when it was made.
    pub(crate) fn keeps(&self) -> bool {
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
        if self.cut.is_some_and(|cut| cut()) {
            Signal::Cut.unwind();
        }
        self.left = self.pause;
    }

    /// Says what became of it, if it did not fail.
    #[inline]
    pub fn count(&mut self, outcome: &Outcome) {
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
    pub(crate) fn go_on_with_environment(&mut self, keeps: bool) -> Next {
        if self.once { Next::Done } else { self.search.advance(self.block, keeps) }
    }
}
