//! Flaky failures: a candidate that passes is run again, since it may fail the next time.
//!
//! Most passing candidates would pass ten times, and would use up all retries before the search has got far. So the
//! session (`run/session/flaky.rs`) makes several searches in a row, each with more runs per candidate than the one
//! before: frequent failures are found with few runs, and the remaining retries are spent close to the end. Over all
//! searches, no candidate runs more often than it may in the last one.

use super::Search;
use crate::fact::Fact;
use crate::shrink::edit;
use crate::testing::{Case, Tested};

/// How a flaky failure is shrunk.
#[derive(Default)]
pub(crate) struct Retries {
    /// The maximum number of runs of one candidate, including those of earlier searches.
    pub(crate) runs: u32,
    /// The maximum number of reruns in this search.
    pub(crate) most: u64,
    /// How often each candidate has run: the hash of its choices, in order, and the number.
    ran: Vec<(u64, u32)>,
}

impl Retries {
    /// Where a candidate is counted, or would be.
    fn place(&self, hash: u64) -> Result<usize, usize> {
        self.ran.binary_search_by(|(other, _)| other.cmp(&hash))
    }
}

impl Search<'_> {
    /// Whether a candidate has run as often as it may.
    pub(super) fn is_exhausted(&self, hash: u64) -> bool {
        match &self.retries {
            Some(retries) => {
                matches!(retries.place(hash), Ok(place) if retries.ran[place].1 >= retries.runs || self.scans || !self.has_retries())
            }
            None => false,
        }
    }

    /// The outcome of a candidate that first ended with `first`: reruns it until it fails like the best, within the remaining retries.
    pub(super) fn retry(&mut self, case: &Case, items: usize, first: (Case, Tested, bool)) -> (Case, Tested, bool) {
        if self.retries.is_none() {
            return first;
        }
        let hash = edit::hash(&case.sequence.items);
        let before = self.count_run(hash);
        self.story.retries += u64::from(before > 0);
        if !self.may_fail_later(&first.1) {
            return first;
        }
        let most = if self.scans { 1 } else { self.retries.as_ref().map_or(1, |retries| retries.runs) };
        for _ in before + 1..most {
            let has_time = self.started.elapsed() < self.max_time && !self.tester.context().is_cancelled();
            if !self.has_retries() || !has_time {
                break;
            }
            self.story.retries += 1;
            self.count_run(hash);
            let again = self.tester.run_within(case, items);
            if let Some(act) = &mut self.after_each {
                act();
            }
            if matches!(&again.1, Tested::Fail(failure) if failure.same_origin(&self.failure)) {
                return again;
            }
        }
        first
    }

    fn has_retries(&self) -> bool {
        matches!(&self.retries, Some(retries) if self.story.retries < retries.most)
    }

    /// Counts a run of a candidate, and returns the number of earlier ones.
    fn count_run(&mut self, hash: u64) -> u32 {
        let Some(retries) = &mut self.retries else { return 0 };
        let place = retries.place(hash).unwrap_or_else(|place| {
            retries.ran.insert(place, (hash, 0));
            place
        });
        let ran = &mut retries.ran[place].1;
        *ran += 1;
        *ran - 1
    }

    /// Whether a run that ended like this may fail like the best next time. Rejections by a generator or an assumption
    /// are not retried.
    fn may_fail_later(&self, tested: &Tested) -> bool {
        match tested {
            Tested::Pass => true,
            Tested::Fail(failure) => !failure.same_origin(&self.failure),
            _ => false,
        }
    }

    /// Reports that the retries ran out, if they did. From then on, each candidate ran once.
    pub(super) fn tell_retries(&mut self) {
        if self.retries.as_ref().is_some_and(|retries| retries.most > 0)
            && !self.has_retries()
            && self.story.cut_short.is_none()
        {
            self.story.cut_short = Some(Fact::RetriesSpent { runs: self.story.retries });
        }
    }
}
