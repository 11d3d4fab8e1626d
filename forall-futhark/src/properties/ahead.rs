//! The runner of properties over values, which tests many candidates in one exchange with the server.
//!
//! Test *i* of a run is a function of the seed and *i*, so candidates are known in advance. They are generated here,
//! sent together, and counted when the library requests them. The library itself generates a candidate only to shrink
//! it after a failure.

use super::Settings;
use super::candidate::{Candidate, Origin};
use super::own::Said;
use super::testing::{Answer, Start, Testing};
use crate::client::is_stopping;
use forall::property::{Failure, IntoOutcome, Outcome};
use forall::run::{Budget, Case, Ending, Found, Report, Schedule, Session, Tested, generational};
use std::collections::VecDeque;
use std::rc::{Rc, Weak};
use std::time::{Duration, Instant};

/// The maximum number of candidates in one exchange.
const MOST: usize = 256;

/// The maximum total number of elements in one exchange; more candidates are sent in further exchanges.
const MOST_ELEMENTS: usize = 1 << 16;

/// The maximum time of an exchange; after a longer one, the next ones are smaller, so that a candidate that never
/// terminates is found soon.
const LONG: Duration = Duration::from_millis(20);

/// The maximum number of explored candidates. A bug that one candidate in 700 triggers is found in 999 of 1,000 runs.
const MOST_EXPLORED: u64 = 5000;

/// The maximum number of recorded choices of a candidate.
const MOST_CHOICES: usize = 1 << 22;

/// Tests candidates until there are enough or one fails. After a quick success, explores more.
pub(super) fn run(mut session: Session<'_>, testing: &Rc<Testing>, settings: &Settings, start: Start<'_>) -> Report {
    let began = Instant::now();
    let mut batches = Batches::new(testing, &session, start);
    let mut budget = Budget::new(&session);
    let mut failed = batches.test(&mut session, &mut budget, None);
    let is_over = testing.over.borrow().is_some() || is_stopping();
    if failed.is_none() && !is_over && budget.valid > 0 && budget.valid < settings.tests {
        // Most candidates were discarded. In a new run, the library varies the valid ones.
        testing.statistics.take();
        return generational(session);
    }
    let is_quick = began.elapsed() < settings.extra_time && settings.log.is_none();
    if failed.is_none() && !is_over && budget.valid > 0 && is_quick {
        testing.is_exploring.set(true);
        let tests = std::mem::replace(&mut session.settings.tests, MOST_EXPLORED);
        let mut explored = Budget::new(&session);
        failed = batches.test(&mut session, &mut explored, Some(Instant::now() + settings.extra_time));
        session.settings.tests = tests;
        testing.is_exploring.set(false);
        testing.explored.set(explored.valid);
        if failed.is_some() {
            budget.valid += explored.valid;
        }
    }
    let Some((failure, index)) = failed else { return budget.finish(session, None) };
    let size = session.size(index);
    let sequence = session.tester.choices(index, size);
    if sequence.len() >= MOST_CHOICES {
        // Only the library's own runner reports inputs that cannot be recorded.
        return generational(session);
    }
    let case = Case { sequence, steps: Vec::new() };
    let ending: Ending = session.found(case, failure, Found::Random { index, size });
    budget.finish(session, Some(ending))
}

/// Candidates with their answers, in the order of their tests.
struct Batches<'a> {
    testing: &'a Rc<Testing>,
    start: Start<'a>,
    waiting: VecDeque<(Candidate, Answer)>,
    /// The end of the range of needed tests, unless tests before it are discarded.
    end: u64,
    /// The number of tests discarded so far.
    discarded: u64,
    /// The number of candidates in the next exchange.
    length: usize,
}

/// The next candidates to be sent.
pub(super) struct Upcoming {
    testing: Weak<Testing>,
    seed: u64,
    sizes: Schedule,
    candidates: VecDeque<Candidate>,
    /// The index of the first test whose candidate is not generated yet.
    next: u64,
    /// The end of the range of tests that are needed so far.
    end: u64,
}

impl Upcoming {
    /// Generates candidates up to this number, or up to the maximum number of elements of one exchange.
    fn generate(&mut self, length: usize) {
        let Some(testing) = self.testing.upgrade() else { return };
        let mut elements = 0;
        while self.candidates.len() < length && self.next < self.end && elements <= MOST_ELEMENTS {
            let candidate = Candidate::of_test(&testing, self.seed, self.next, self.sizes.size(self.next));
            if let Origin::Drawn(datum) = &candidate.origin {
                elements += datum.count();
            }
            self.candidates.push_back(candidate);
            self.next += 1;
        }
    }
}

impl Testing {
    /// Generates the next candidates while the server works on others.
    pub(super) fn prepare(&self) {
        if let Some(upcoming) = &mut *self.upcoming.borrow_mut() {
            upcoming.generate(MOST);
        }
    }
}

impl<'a> Batches<'a> {
    fn new(testing: &'a Rc<Testing>, session: &Session<'_>, start: Start<'a>) -> Self {
        let (seed, sizes) = (session.seed, session.settings.size);
        let (testing_again, candidates) = (Rc::downgrade(testing), VecDeque::new());
        let upcoming = Upcoming { testing: testing_again, seed, sizes, candidates, next: 0, end: 0 };
        *testing.upcoming.borrow_mut() = Some(upcoming);
        Self { testing, start, waiting: VecDeque::new(), end: 0, discarded: 0, length: 1 }
    }

    /// Tests until the budget is spent or the time is over. Candidates for which the server has answered by then are still
    /// counted. Returns the failure and the index of a failed test.
    fn test(
        &mut self,
        session: &mut Session<'_>,
        budget: &mut Budget,
        until: Option<Instant>,
    ) -> Option<(Failure, u64)> {
        let first = self.end;
        self.end += session.settings.tests;
        self.discarded = 0;
        let mut next = first;
        while !budget.is_spent(session) {
            let end = match until.is_some_and(|until| Instant::now() >= until) {
                true if self.waiting.is_empty() => break,
                true => next + self.waiting.len() as u64,
                false => u64::MAX,
            };
            let tested = budget.run_block_with(session, next..end, |_| self.outcome());
            next = tested.index;
            if let Some(Tested::Fail(failure)) = tested.stopped_by {
                return Some((failure, tested.index));
            }
        }
        self.end = next;
        None
    }

    /// Returns the outcome of the next test.
    fn outcome(&mut self) -> Outcome {
        if self.waiting.is_empty() {
            self.try_more();
        }
        let Some((candidate, answer)) = self.waiting.pop_front() else { return Outcome::Discard };
        let answer = match answer {
            Answer::Unknown => self.testing.answer(&candidate, self.start),
            known => known,
        };
        match self.testing.concluded(&candidate, answer, self.start) {
            Some(checked) => checked.map_err(Said).into_outcome(),
            None => {
                self.discarded += 1;
                Outcome::Discard
            }
        }
    }

    /// Tests the next candidates.
    fn try_more(&mut self) {
        let mut candidates: Vec<Candidate> = Vec::with_capacity(self.length);
        if let Some(upcoming) = &mut *self.testing.upcoming.borrow_mut() {
            // Includes at least the requested candidate.
            upcoming.end = (self.end + self.discarded).max(upcoming.next - upcoming.candidates.len() as u64 + 1);
            upcoming.generate(self.length);
            let mut elements = 0;
            while candidates.len() < self.length
                && elements <= MOST_ELEMENTS
                && let Some(candidate) = upcoming.candidates.pop_front()
            {
                if let Origin::Drawn(datum) = &candidate.origin {
                    elements += datum.count();
                }
                candidates.push(candidate);
            }
        }
        let begin = Instant::now();
        let answers = self.testing.answers(&candidates, self.start);
        let is_long = begin.elapsed() > LONG;
        self.length = if is_long { (self.length / 2).max(1) } else { (self.length * 2).min(MOST) };
        let rest = candidates.split_off(answers.len().min(candidates.len()));
        if let Some(upcoming) = &mut *self.testing.upcoming.borrow_mut() {
            rest.into_iter().rev().for_each(|candidate| upcoming.candidates.push_front(candidate));
        }
        self.waiting.extend(candidates.into_iter().zip(answers));
    }
}

impl Drop for Batches<'_> {
    fn drop(&mut self) {
        // Candidates hold a reference to `Testing`, and would keep it alive.
        self.testing.upcoming.take();
    }
}
