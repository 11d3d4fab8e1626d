//! The lean core explains on one thread.

use super::Explanation;
use super::vary::{Change, Useless, Vary};
use crate::choice::Sequence;
use crate::property::Failure;
use crate::testing::{Case, MORE, Tested, Tester};
use std::convert::Infallible;
use std::marker::PhantomData;

/// No explanation uses several.
#[derive(Clone, Copy)]
pub(super) struct Several<'a>(Infallible, PhantomData<&'a ()>);

/// Never called.
pub(super) fn explain_on_threads(
    _: &Tester<'_>,
    several: Several<'_>,
    _: impl FnOnce(Ahead<'_>) -> (Explanation, Vec<Case>),
    _: &Failure,
) -> Option<Explanation> {
    match several.0 {}
}

/// The part of an explanation that deals with other threads: none.
#[derive(Default)]
pub(super) struct Ahead<'a> {
    pub(super) checks: Vec<Case>,
    none: PhantomData<&'a ()>,
}

impl Ahead<'_> {
    pub(super) fn is_rehearsal(&self) -> bool {
        false
    }

    pub(super) fn has_seen_enough(&self) -> bool {
        false
    }

    pub(super) fn note_change(&mut self, _hash: u64, _: &Result<Change, Useless>) {}

    pub(super) fn take_change(&mut self, _hash: u64) -> Option<Result<Change, Useless>> {
        None
    }

    pub(super) fn plan(&mut self, _: &Case) {}

    pub(super) fn took(&mut self, _: std::time::Duration) {}

    pub(super) fn run(&mut self, tester: &Tester<'_>, case: &Case, _: &Failure) -> (Sequence, Tested) {
        let (drawn, tested, _) = tester.run_within(case, case.sequence.len() + MORE);
        (drawn.sequence, tested)
    }
}

impl Vary<'_> {
    pub(super) fn foresee(&mut self, _until_it_passes: bool, _step: impl FnOnce(&mut Self)) {}
}

impl<'a> super::Explainer<'a> {
    pub(crate) fn threads(
        self,
        _: &'a (dyn crate::property::Property + Sync),
        _: usize,
        _: crate::effects::Cwd,
    ) -> Self {
        self
    }
}
