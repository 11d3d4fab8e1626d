//! A runner that takes the assumptions of a property on trust, and checks them only when a test fails.

use forall::choice::Source;
use forall::property::{
    Check, Conclude, Contract, Empty, Failure, Forall, Implies, Mutating, Outcome, Predicate, Quantify, Telescope,
};
use forall::run::{Budget, Ending, Found, Report, Session, Tested, Verdict};

/// An interpretation that binds the variables of a telescope and trusts its assumptions.
pub trait Trusting: Telescope {
    /// Returns the environment, or `None` if a generator rejected the test.
    fn bind(&self, source: &mut Source) -> Option<Self::Env>;
}

impl Trusting for Empty {
    fn bind(&self, _: &mut Source) -> Option<()> {
        Some(())
    }
}

impl<P: Trusting + Mutating, Q: Quantify<P::Env>> Trusting for Forall<P, Q> {
    fn bind(&self, source: &mut Source) -> Option<Self::Env> {
        let env = self.previous.bind(source)?;
        let value = self.draw(&env, source);
        (!source.is_rejected()).then_some((value, env))
    }
}

impl<P: Trusting, F: Predicate<P::Env>> Trusting for Implies<P, F> {
    fn bind(&self, source: &mut Source) -> Option<Self::Env> {
        self.previous.bind(source)
    }
}

impl<P: Trusting, F: Predicate<P::Env>> Trusting for Contract<P, F> {
    fn bind(&self, source: &mut Source) -> Option<Self::Env> {
        self.previous.bind(source)
    }
}

/// Runs a property on generated inputs without evaluating its assumptions.
pub fn bypassing<P, F>(property: &Check<P, F>, mut session: Session<'_>) -> Report
where
    P: Trusting,
    F: Conclude<P::Env>,
{
    let test = |source: &mut Source| match property.previous.bind(source) {
        Some(env) => property.conclusion.conclude(env),
        None => Outcome::Discard,
    };
    let mut budget = Budget::new(&session);
    let (mut next, mut ending) = (0, None);
    while ending.is_none() && !budget.is_spent(&session) {
        let tested = budget.run_block_with(&mut session, next..u64::MAX, test);
        next = tested.index;
        ending = match tested.stopped_by {
            Some(Tested::Fail(failure)) => Some(look_closer(&mut session, next, failure)),
            Some(Tested::Fault(fault)) => {
                // A block records neither the variable nor its value; rerunning the test on tape does.
                let case = session.tester.record(next, session.size(next)).0;
                Some(session.fault(&case, fault))
            }
            _ => None,
        };
    }
    budget.finish(session, ending)
}

/// Reruns a failed test on tape, with the assumptions.
fn look_closer(session: &mut Session<'_>, index: u64, failure: Failure) -> Ending {
    let size = session.size(index);
    match session.tester.record(index, size) {
        (_, Tested::Discard(Some(by))) => {
            let why = format!(
                "Test {index} fails, but violates the assumption `{}`: the generator is not correct by construction.\n\
                 Fix the generator, or use a runner that checks assumptions",
                by.text
            );
            (Verdict::Faulty(why.into()), None)
        }
        (case, Tested::Fault(fault)) => session.fault(&case, fault),
        (case, _) => session.found(case, failure, Found::Random { index, size }),
    }
}
