//! A runner that continues after a failure, and collects all distinct failures.

use forall::property::Failure;
use forall::report::{Style, render};
use forall::run::{Budget, Counterexample, Ending, Found, Report, Session, Tested, Verdict};

/// The result of a run with several failures.
pub struct Collected {
    /// The report, with the first failure that is not flaky, if there is one.
    pub report: Report,
    /// All failures with different origins, in the order in which they were found.
    pub failures: Vec<Distinct>,
}

/// A failure, and how often it occurred.
#[derive(Clone)]
pub struct Distinct {
    /// Whether it failed in every rerun, or is flaky.
    pub verdict: Verdict,
    /// The minimal input that fails in this way.
    pub counterexample: Counterexample,
    /// The number of tests that failed in this way; 0 if it was only found while another failure was shrunk.
    pub times: u64,
}

/// Runs all tests that the settings ask for, despite failures.
pub fn collecting(mut session: Session<'_>) -> Collected {
    let (mut failures, mut fault) = (Vec::new(), None);
    for ending in session.replay_all_stored() {
        fault = fault.or(enter(&mut failures, ending));
    }
    let mut budget = Budget::new(&session);
    let mut next = 0;
    while fault.is_none() && !budget.is_spent(&session) {
        let tested = budget.run_block(&mut session, next..u64::MAX);
        let index = tested.index;
        next = index;
        if let Some(Tested::Fail(failure)) = tested.stopped_by {
            // A failed test is valid, but is not counted elsewhere, because it usually ends the run.
            budget.valid += 1;
            next += 1;
            if let Some(known) = known(&mut failures, &failure) {
                known.times += 1;
            } else {
                let size = session.size(index);
                let (case, _) = session.tester.record(index, size);
                let ending = session.found(case, failure, Found::Random { index, size });
                session.go_on();
                fault = enter(&mut failures, ending);
            }
        } else if let Some(Tested::Fault(at_fault)) = tested.stopped_by {
            // A block records neither the variable nor its value; rerunning the test on tape does.
            let case = session.tester.record(index, session.size(index)).0;
            fault = Some(session.fault(&case, at_fault));
        }
    }
    let worst = failures.iter().find(|one| one.verdict == Verdict::Failed).or(failures.first());
    let ending = worst.map(|worst| (worst.verdict.clone(), Some(worst.counterexample.clone())));
    Collected { report: budget.finish(session, fault.or(ending)), failures }
}

/// Adds a counterexample to the list, with the failures found while it was shrunk. An ending without one ends the run.
fn enter(failures: &mut Vec<Distinct>, (verdict, counterexample): Ending) -> Option<Ending> {
    let Some(mut counterexample) = counterexample else { return Some((verdict, None)) };
    let others = std::mem::take(&mut counterexample.others);
    for counterexample in std::iter::once(counterexample).chain(others) {
        let times = u64::from(counterexample.found != Found::WhileShrinking);
        match known(failures, &counterexample.failure) {
            Some(known) => known.times += times,
            None => failures.push(Distinct { verdict: verdict.clone(), counterexample, times }),
        }
    }
    None
}

/// Returns the earlier failure that is the same bug, as far as known.
fn known<'a>(failures: &'a mut [Distinct], failure: &Failure) -> Option<&'a mut Distinct> {
    failures.iter_mut().find(|known| known.counterexample.failure.same_origin(failure))
}

impl Collected {
    /// Renders all failures: each as it would be reported alone.
    pub fn render(&self, style: &Style) -> String {
        let mut text = String::new();
        for (place, distinct) in self.failures.iter().enumerate() {
            let mut alone = self.report.clone();
            let Distinct { verdict, counterexample, times } = distinct.clone();
            if let Found::Random { index, .. } = counterexample.found {
                alone.statistics.valid = index;
            }
            (alone.verdict, alone.counterexample) = (verdict, Some(counterexample));
            let tests = if times == 1 { "test" } else { "tests" };
            text += &format!("failure {} of {}, in {times} {tests}:\n", place + 1, self.failures.len());
            text += &render(&alone, style);
            text.push('\n');
        }
        text
    }
}
