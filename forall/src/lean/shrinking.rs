//! The lean core shrinks on one thread.

use super::passes::Named;
use super::search::{Considered, Search};
use super::story::Shrinking;
use super::structure::Structure;
use super::{Improved, Shrinker, edit};
use crate::choice::{Item, Sequence};
use crate::property::{Failure, Property};
use crate::testing::{Case, Tested};
use std::marker::PhantomData;
use std::rc::Rc;

/// The shared state of a parallel search: none.
#[derive(Default)]
pub(super) struct Threads<'s>(PhantomData<&'s ()>);

/// No search uses several.
#[derive(Clone, Copy)]
pub(super) enum Several<'a> {
    #[expect(dead_code, reason = "its lifetime is used")]
    Never(std::convert::Infallible, &'a ()),
}

impl<'a> Shrinker<'a> {
    /// Has no effect: without the feature `full`, one thread shrinks.
    ///
    /// ```
    /// # use forall::{prelude::*, choice::Sequence, run::{Case, Tested, Tester}, shrink::Shrinker};
    /// let property = property! { forall n in 0..1000u32; check *n < 10 };
    /// let tester = Tester::new("below ten", &property, 1);
    /// let large = Case { sequence: Sequence::from_values(100, &[999]), steps: vec![] };
    /// let (large, Tested::Fail(failure)) = tester.run(&large) else { panic!("999 is not below ten") };
    /// let (best, _, _) = Shrinker::new(&tester, large, failure).threads(&property, 2).shrink(|_, _, _| {});
    /// assert_eq!(best.sequence.values().collect::<Vec<_>>(), [10]);
    /// ```
    pub fn threads(self, _: &'a (dyn Property + Sync), _: usize) -> Self {
        self
    }

    pub(crate) fn own_cwd(self, _: crate::effects::Cwd) -> Self {
        self
    }

    /// Shrinks.
    pub(super) fn shrink_on_threads(self, improved: Improved<'_>) -> (Case, Failure, Shrinking) {
        self.search(Threads::default(), improved)
    }
}

impl Search<'_> {
    pub(super) fn begin_journal(&mut self, _: impl FnOnce() -> Vec<Named>) {}

    pub(super) fn end_journal(&mut self) {}

    pub(super) fn note_no(&mut self, _: Considered, _was_run: bool) {}

    pub(super) fn note_better(&mut self, _before: Case) {}

    pub(super) fn note_simplest(&mut self, _label: u32, _: &[Item]) {}

    pub(super) fn foresee(
        &mut self,
        _: &Case,
        _items: usize,
        _always: bool,
        _behind: impl FnOnce(&mut Self, usize) -> Vec<Case>,
    ) {
    }

    pub(super) fn is_new(&self, _: &[Item]) -> bool {
        false
    }

    pub(super) fn is_rehearsal(&self) -> bool {
        false
    }

    pub(super) fn rehearse(&mut self, _: Vec<Item>) -> Considered {
        Considered::Worse
    }

    pub(super) fn structure_or(&self, make: impl FnOnce() -> Rc<Structure>) -> Rc<Structure> {
        make()
    }

    pub(super) fn was_proposed(&mut self, items: &[Item]) -> bool {
        self.proposed.contains(edit::hash(items))
    }

    pub(super) fn last_drawn(&mut self) -> Rc<Sequence> {
        Rc::clone(&self.drawn)
    }

    pub(super) fn run(&mut self, case: &Case, items: usize) -> (Case, Tested, bool) {
        self.tester.run_within(case, items)
    }
}
