//! Tests that hang: while many candidates run, hanging ones are killed early.

use super::{Session, fails_alike};
use crate::property::{Failure, FailureKind};
use crate::run::{Case, Shrinking};

impl Session<'_> {
    /// Shrinks. While many candidates may hang, they are killed before the timeout. The minimal one then runs up to the
    /// timeout; if it ends in time, it is not the same failure, and shrinking is repeated with the full timeout.
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
