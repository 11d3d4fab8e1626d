//! A runner that searches the Pareto front of several scores.

use forall::choice::{Random, Source};
use forall::guide::{Mutator, Seed};
use forall::run::{Budget, Case, Found, Report, Session, Tested};

/// One in so many inputs is generated from scratch; the others are mutants of the front.
const FROM_SCRATCH: u64 = 10;

/// Keeps the inputs that no other input dominates, by the named scores of `target!`, and mutates them.
#[forall::runner]
pub fn pareto(mut session: Session<'_>) -> Report {
    let mut budget = Budget::new(&session);
    let mut mutator = Mutator::new(session.tester.property(), session.seed);
    let mut random = Random::for_test(session.seed, u64::MAX - 1);
    let mut front = Front::default();
    let (mut index, mut ending) = (0, None);
    while ending.is_none() && !budget.is_spent(&session) {
        let (source, steps) = match front.sample(&mut random) {
            None => (Source::test(session.seed, index, session.size(index)), Vec::new()),
            Some(seed) => mutator.mutate(seed),
        };
        match budget.run(&mut session, index, source, &steps) {
            (case, Tested::Pass) => front.offer(case, session.tester.context().scores()),
            (case, Tested::Fail(failure)) => ending = Some(session.found(case, failure, Found::Guided { index })),
            (case, Tested::Fault(fault)) => ending = Some(session.fault(&case, fault)),
            _ => {}
        }
        index += 1;
    }
    budget.finish(session, ending)
}

/// Inputs with their scores, none of which is at least as good as another in every score.
#[derive(Default)]
struct Front(Vec<(Seed, Vec<(String, f64)>)>);

impl Front {
    fn sample(&self, random: &mut Random) -> Option<&Seed> {
        let from_scratch = self.0.is_empty() || random.up_to(FROM_SCRATCH - 1) == 0;
        (!from_scratch).then(|| &self.0[random.up_to(self.0.len() as u64 - 1) as usize].0)
    }

    /// Adds an input, unless a member is better. Of equal inputs the later one stays: on a plateau the search moves on.
    fn offer(&mut self, case: Case, scores: Vec<(String, f64)>) {
        let at_least =
            |a: &[(String, f64)], b: &[(String, f64)]| a.len() == b.len() && a.iter().zip(b).all(|(a, b)| a.1 >= b.1);
        let is_worse = self.0.iter().any(|(_, member)| at_least(member, &scores) && *member != scores);
        if !scores.is_empty() && !is_worse {
            self.0.retain(|(_, member)| !at_least(&scores, member));
            self.0.push((Seed::new(case, 1.0), scores));
        }
    }
}
