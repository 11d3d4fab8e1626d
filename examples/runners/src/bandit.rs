//! A runner of several properties: a bandit, which gives the next test to the property that promises most.

use forall::choice::Source;
use forall::guide::shape;
use forall::run::{Budget, Ending, Found, Report, Session, Tested};
use std::collections::HashSet;

/// Runs so many tests of all properties together. A property is rewarded for each input of a new shape, and UCB1 (Auer,
/// Cesa-Bianchi and Fischer 2002) chooses the next: the highest mean reward so far, plus a bonus for few tests.
pub fn bandit(sessions: Vec<Session<'_>>, tests: u64) -> Vec<Report> {
    let mut arms: Vec<Arm<'_>> = sessions.into_iter().map(Arm::new).collect();
    for round in 1..=tests {
        let promise = |arm: &Arm<'_>| match arm.tests {
            0 => f64::MAX,
            tests => arm.shapes.len() as f64 / tests as f64 + (2.0 * (round as f64).ln() / tests as f64).sqrt(),
        };
        let open = arms.iter_mut().filter(|arm| arm.ending.is_none() && !arm.budget.is_spent(&arm.session));
        let Some(arm) = open.max_by(|a, b| promise(a).total_cmp(&promise(b))) else { break };
        arm.test();
    }
    arms.into_iter().map(|arm| arm.budget.finish(arm.session, arm.ending)).collect()
}

/// A property that competes for tests.
struct Arm<'a> {
    session: Session<'a>,
    budget: Budget,
    tests: u64,
    shapes: HashSet<u64>,
    ending: Option<Ending>,
}

impl<'a> Arm<'a> {
    fn new(session: Session<'a>) -> Self {
        Self { budget: Budget::new(&session), session, tests: 0, shapes: HashSet::new(), ending: None }
    }

    fn test(&mut self) {
        let (index, size) = (self.tests, self.session.size(self.tests));
        let source = Source::test(self.session.seed, index, size);
        let (case, tested) = self.budget.run(&mut self.session, index, source, &[]);
        self.tests += 1;
        self.shapes.insert(shape(&case.sequence));
        match tested {
            Tested::Fail(failure) => {
                self.ending = Some(self.session.found(case, failure, Found::Random { index, size }));
            }
            Tested::Fault(fault) => self.ending = Some(self.session.fault(&case, fault)),
            _ => {}
        }
    }
}
