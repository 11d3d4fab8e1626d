//! Where tests cannot be isolated: runs that ask for it are refused.

use super::{Begun, Lent, Needed, text};
use crate::context::Context;
use crate::property::{Failure, Property};
use crate::run::{Case, Settings, Tested};
use std::marker::PhantomData;
use std::time::Instant;

/// Nobody unwinds with this here.
pub(crate) struct Relayed(pub(crate) Tested);

/// There is none.
pub(crate) struct Isolation<'a>(Never, PhantomData<&'a ()>);

enum Never {}

impl<'a> Isolation<'a> {
    pub(crate) fn property(&self) -> &'a (dyn Property + Sync) {
        match self.0 {}
    }

    pub(crate) fn run_example(&self, _: usize) -> Tested {
        match self.0 {}
    }

    pub(crate) fn hurry(&self, _: bool) {
        match self.0 {}
    }

    pub(crate) fn confirm(&self, _: u32) {
        match self.0 {}
    }

    pub(crate) fn begin_anew(&self) {
        match self.0 {}
    }

    pub(crate) fn repeats(&self) -> bool {
        match self.0 {}
    }

    pub(crate) fn take_history(&self) -> Option<()> {
        match self.0 {}
    }

    pub(crate) fn run_among_others(&self, _: Vec<Case>, _: Vec<Case>) {
        match self.0 {}
    }

    pub(crate) fn needed(&self, _: &Context, _: &(), _: &Case, _: &Failure, _: Option<Instant>) -> Needed {
        match self.0 {}
    }
}

pub(crate) fn is_serving() -> bool {
    false
}

pub(crate) fn is_child() -> bool {
    false
}

pub(crate) fn is_offered() -> bool {
    false
}

impl<'a> Lent<'a, '_> {
    pub(crate) fn begin(&self, is_sensible: bool, settings: &Settings, _: u64) -> Begun<'a> {
        match is_sensible && settings.isolates() {
            true => Begun::Refused(text::only_on_linux()),
            false => Begun::Here(None),
        }
    }
}
