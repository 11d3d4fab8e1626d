//! Shrinking on one thread: what `threads/` does for a search, without that feature.

use super::passes::Named;
use super::search::{Considered, Search};
use super::story::Shrinking;
use super::structure::Structure;
use super::{Improved, Shrinker, edit};
use crate::choice::{Item, Sequence};
use crate::property::Failure;
use crate::testing::{Case, Tested};
use std::marker::PhantomData;
use std::rc::Rc;

/// What a search has to do with other threads: nothing.
#[derive(Default)]
pub(super) struct Threads<'s>(PhantomData<&'s ()>);

impl Shrinker<'_> {
    /// Minimises.
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

    pub(super) fn foresee(&mut self, _: &Case, _items: usize, _behind: impl FnOnce(usize) -> Vec<Case>) {}

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

    pub(super) fn run(&mut self, case: &Case, items: usize) -> (Option<Case>, Case, Tested, bool) {
        let (drawn, tested, retried) = self.tester.run_within(case, items);
        (None, drawn, tested, retried)
    }
}
