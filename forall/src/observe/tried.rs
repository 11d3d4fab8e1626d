//! The candidates that shrinking ran and rejected: with the accepted ones, they form the tree of shrinking.

use super::stream::values;
use crate::protocol;
use crate::run::{Case, Tested, Tester};

/// The limits on recorded rejected candidates: per accepted candidate, and in total.
const EACH: usize = 12;
const IN_ALL: usize = 600;

/// A candidate that may turn out to be rejected.
struct Candidate {
    case: Case,
    outcome: &'static str,
    pass: &'static str,
    evaluations: u64,
}

/// The candidates of shrinking, for the recorders.
#[derive(Default)]
pub(super) struct Tried {
    last: Option<Candidate>,
    since_taken: usize,
    told: usize,
}

impl Tried {
    /// A candidate ran: it counts as rejected unless the next call accepts it.
    pub(super) fn ran(&mut self, case: &Case, tested: &Tested, by: (&'static str, u64)) {
        if self.since_taken < EACH && self.told < IN_ALL {
            let outcome = match tested {
                Tested::Pass => "passed",
                Tested::Fail(_) => "failed in another way, or is not simpler",
                Tested::Discard(_) | Tested::Fault(_) | Tested::NoSuchStep => "discarded",
            };
            let (pass, evaluations) = by;
            self.last = Some(Candidate { case: case.clone(), outcome, pass, evaluations });
        }
        self.since_taken += 1;
    }

    /// The last candidate was accepted.
    pub(super) fn taken(&mut self) {
        (self.last, self.since_taken) = (None, 0);
    }

    /// The record of the last candidate, which was rejected.
    pub(super) fn take(&mut self, tester: &Tester<'_>) -> Option<protocol::Tried> {
        let Candidate { case, outcome, pass, evaluations } = self.last.take()?;
        self.told += 1;
        let (pass, outcome) = (pass.to_owned(), outcome.to_owned());
        Some(protocol::Tried { evaluations, pass, outcome, values: values(&tester.print(&case)) })
    }
}
