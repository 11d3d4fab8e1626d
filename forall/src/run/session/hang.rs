//! Tests that do not end: while many are tried, none is waited for to the end.

use super::{Session, fails_alike};
use crate::property::{Failure, FailureKind};
use crate::run::{Case, Shrinking};

impl Session<'_> {
    /// Shrinks. While many inputs are tried that may hang, none is waited for to the end; so the smallest is, and if it does end,
    /// it was not the same failure, and all is tried again with patience.
    pub(super) fn shrink_in_a_hurry(&mut self, case: Case, failure: Failure) -> (Case, Failure, Shrinking) {
        if failure.kind != FailureKind::Hang {
            return self.shrink(case, failure);
        }
        self.hurry(true);
        let shrunk = self.shrink(case.clone(), failure.clone());
        self.hurry(false);
        self.begin_anew(&failure);
        if shrunk.0 == case || fails_alike(&self.tester.run_to_the_end(&shrunk.0).1, &failure) {
            return shrunk;
        }
        self.shrink(case, failure)
    }

    fn hurry(&self, hurry: bool) {
        if let Some(isolation) = &self.workplace.isolation {
            isolation.hurry(hurry);
        }
        self.tester.context().hurry(hurry);
    }
}
