//! The inputs that shrinking ran and did not take: with those that it took, the tree of what was tried.

use super::stream::values;
use crate::protocol;
use crate::run::{Case, Tested, Tester};

/// So many are told for each simpler input that was found, and so many in all: more are never looked at.
const EACH: usize = 12;
const IN_ALL: usize = 600;

/// What was run and may turn out not to be taken.
struct Candidate {
    case: Case,
    outcome: &'static str,
    pass: &'static str,
    evaluations: u64,
}

/// What shrinking ran, on its way to the recorders.
#[derive(Default)]
pub(super) struct Tried {
    last: Option<Candidate>,
    since_taken: usize,
    told: usize,
}

impl Tried {
    /// A candidate ran: it counts as not taken if the next thing that happens is not that it is.
    pub(super) fn ran(&mut self, case: &Case, tested: &Tested, by: (&'static str, u64)) {
        if self.since_taken < EACH && self.told < IN_ALL {
            let outcome = match tested {
                Tested::Pass => "passed",
                Tested::Fail(_) => "failed in another way, or is no simpler",
                Tested::Discard(_) | Tested::Fault(_) | Tested::NoSuchStep => "discarded",
            };
            let (pass, evaluations) = by;
            self.last = Some(Candidate { case: case.clone(), outcome, pass, evaluations });
        }
        self.since_taken += 1;
    }

    /// The last candidate was taken.
    pub(super) fn taken(&mut self) {
        (self.last, self.since_taken) = (None, 0);
    }

    /// What there is to tell of the last candidate, which was not taken.
    pub(super) fn tell(&mut self, tester: &Tester<'_>) -> Option<protocol::Tried> {
        let Candidate { case, outcome, pass, evaluations } = self.last.take()?;
        self.told += 1;
        let (pass, outcome) = (pass.to_owned(), outcome.to_owned());
        Some(protocol::Tried { evaluations, pass, outcome, values: values(&tester.print(&case)) })
    }
}
