//! The actions of the branches of a parallel test as operations on the model: the input of the search for an
//! explanation.

use super::generating::advance;
use super::program::Program;
use super::round::Done;
use super::{Ref, Shared, Spec};
use crate::linearizability::Object;
use std::cell::RefCell;

/// The actions of the branches, as operations on the model.
pub(super) struct Explained<'a, S: Spec> {
    program: &'a Program<S>,
    logs: &'a [&'a [Done<S>]],
    model: &'a S::Model,
    system: RefCell<&'a mut S::System>,
    /// The first and the last one that was encountered.
    wrong_ends: RefCell<Option<[WrongEnd<S>; 2]>>,
}

/// A model for which the check of the end fails, and why.
struct WrongEnd<S: Spec> {
    model: S::Model,
    why: String,
}

impl<'a, S: Shared> Explained<'a, S> {
    /// Creates it from the logs of the branches, which started from `model`.
    pub(super) fn new(
        program: &'a Program<S>,
        logs: &'a [&'a [Done<S>]],
        model: &'a S::Model,
        system: &'a mut S::System,
    ) -> Self {
        Self { program, logs, model, system: RefCell::new(system), wrong_ends: RefCell::new(None) }
    }

    /// Why the last order that explains all responses is rejected by the check of the end, if there was one.
    pub(super) fn why_not_the_end(&self) -> Option<String> {
        self.wrong_ends.borrow().as_ref().map(|[_, last]| last.why.clone())
    }

    /// Whether the check of the end was called for several models and returns a different result when repeated: then it
    /// has changed the system, and only its first result is meaningful.
    pub(super) fn end_changes_the_system(&self) -> bool {
        let wrong_ends = self.wrong_ends.borrow();
        let Some([first, last]) = wrong_ends.as_ref() else { return false };
        let again = || self.program.spec.at_end(&first.model, &mut self.system.borrow_mut());
        first.model != last.model && again().as_ref() != Err(&first.why)
    }
}

impl<S: Shared> Object for Explained<'_, S> {
    type State = S::Model;
    type Input = (usize, usize);
    type Output = ();

    fn initial(&self) -> S::Model {
        self.model.clone()
    }

    fn apply(&self, model: &S::Model, &(branch, at): &(usize, usize), _: Option<&()>) -> Option<S::Model> {
        let (command, done) = (&self.program.branches[branch][at], &self.logs[branch][at]);
        let ran = done.resolved.as_ref().unwrap_or(command);
        let response = done.response.as_ref().ok()?;
        if !self.program.spec.postcondition(model, ran, response) {
            return None;
        }
        let mut model = model.clone();
        advance(&*self.program.spec, &mut model, command, Ref::in_branch(branch, at));
        Some(model)
    }

    fn may_end(&self, model: &S::Model) -> bool {
        match self.program.spec.at_end(model, &mut self.system.borrow_mut()) {
            Ok(()) => true,
            Err(why) => {
                let mut wrong_ends = self.wrong_ends.borrow_mut();
                let last = || WrongEnd { model: model.clone(), why: why.clone() };
                let first = wrong_ends.take().map_or_else(last, |[first, _]| first);
                *wrong_ends = Some([first, last()]);
                false
            }
        }
    }
}
