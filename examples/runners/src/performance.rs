//! A runner that searches for slow inputs.

use crate::work;
use forall::choice::{Random, Source};
use forall::guide::{Directive, Mutator, Seed};
use forall::property::Binding;
use forall::run::{Budget, Case, Found, Report, Session, Tested};

/// The result of a search for slow inputs.
pub struct Hardest {
    /// The report.
    pub report: Report,
    /// For each place of the program, the input that visits it most.
    pub maxima: Vec<Maximum>,
}

/// The record of a place of the program.
pub struct Maximum {
    /// The number of the place.
    pub place: usize,
    /// The number of visits.
    pub visits: u64,
    /// The input.
    pub bindings: Vec<Binding>,
}

/// Runs a property, guided by inputs that visit some place more often than ever. One in `from_scratch` inputs is
/// generated from scratch, the others are mutants of the best so far; 1 means random testing.
pub fn hardest(mut session: Session<'_>, from_scratch: u64) -> Hardest {
    let mut budget = Budget::new(&session);
    let mut mutator = Mutator::new(session.tester.property(), session.seed);
    let mut best = Best { seeds: Vec::new(), from_scratch };
    let mut random = Random::for_test(session.seed, u64::MAX - 1);
    let (mut index, mut ending) = (0, None);
    while ending.is_none() && !budget.is_spent(&session) {
        let (source, steps) = match best.sample(&mut random) {
            Directive::Generate => (Source::test(session.seed, index, session.size(index)), Vec::new()),
            Directive::Mutate(seed) => mutator.mutate(seed),
            Directive::Try(seed) => (Source::replay(&seed.case.sequence), seed.case.steps.clone()),
        };
        work::begin();
        let (case, tested) = budget.run(&mut session, index, source, &steps);
        let visits = work::visits();
        match tested {
            Tested::Pass => best.learn(&case, &visits),
            Tested::Fail(failure) => ending = Some(session.found(case, failure, Found::Guided { index })),
            Tested::Fault(fault) => ending = Some(session.fault(&case, fault)),
            _ => {}
        }
        index += 1;
    }
    let maxima = best.maxima(&session);
    Hardest { report: budget.finish(session, ending), maxima }
}

/// For each place of the program, the input that visits it most: the pool of PerfFuzz.
struct Best {
    seeds: Vec<Option<Seed>>,
    from_scratch: u64,
}

impl Best {
    /// Returns any of the best inputs, or sometimes a new one.
    fn sample(&self, random: &mut Random) -> Directive<'_> {
        let known: Vec<&Seed> = self.seeds.iter().flatten().collect();
        if known.is_empty() || random.up_to(self.from_scratch - 1) == 0 {
            return Directive::Generate;
        }
        Directive::Mutate(known[random.up_to(known.len() as u64 - 1) as usize])
    }

    /// Keeps an input for every place that it visits at least as often as the best so far: on a plateau the search
    /// moves on.
    fn learn(&mut self, case: &Case, visits: &[u64]) {
        self.seeds.resize(visits.len().max(self.seeds.len()), None);
        for (best, &visits) in self.seeds.iter_mut().zip(visits) {
            if visits > 0 && best.as_ref().is_none_or(|best| best.utility <= visits as f64) {
                *best = Some(Seed::new(case.clone(), visits as f64));
            }
        }
    }

    fn maxima(&self, session: &Session<'_>) -> Vec<Maximum> {
        let visited = self.seeds.iter().enumerate().filter_map(|(place, seed)| Some((place, seed.as_ref()?)));
        let maximum = |(place, seed): (usize, &Seed)| Maximum {
            place,
            visits: seed.utility as u64,
            bindings: session.tester.print(&seed.case),
        };
        visited.map(maximum).collect()
    }
}
