//! Which of the candidates that a pass may request are run ahead.
//!
//! After each request the pass goes one of two ways. All of that is a tree, and the probability of a request is the product of
//! those of the answers that lead to it. A rehearsal follows one branch to its end. Those that turn off from it are
//! rehearsed in the order of their probability, until as many candidates are planned as are wanted: all of them if a pass bisects, and hardly any if
//! its candidates are nearly always rejected.

use crate::testing::Case;
use crate::testing::pool::{After, Planned};

/// Candidates that are less likely than this are not planned.
const LEAST_LIKELY: f32 = 0.02;

/// A request that a rehearsal met.
pub(super) struct Foreseen {
    pub(super) case: Case,
    pub(super) items: usize,
    /// The answer with which the rehearsal went on: whether it fails, and is simpler.
    pub(super) fails: bool,
    /// How likely that it fails; `None` if it has run.
    pub(super) likely: Option<f32>,
}

/// A way on that has not been rehearsed.
pub(super) struct Branch {
    /// The answers that lead to it.
    pub(super) assumed: Vec<bool>,
    /// The places in the plan of the requests with these answers.
    places: Vec<usize>,
    pub(super) likely: f32,
}

/// The candidates of a plan, with the probabilities of their requests.
pub(super) struct Plan {
    candidates: Vec<(f32, Planned)>,
    branches: Vec<Branch>,
    enough: usize,
}

impl Plan {
    pub(super) fn new(enough: usize) -> Self {
        let whole = Branch { assumed: Vec::new(), places: Vec::new(), likely: 1.0 };
        Self { candidates: Vec::new(), branches: vec![whole], enough }
    }

    /// The number of candidates to take from a branch.
    pub(super) fn wanted(&self) -> usize {
        self.enough
    }

    /// How likely a candidate has to be requested to find a place.
    pub(super) fn likely_enough(&self) -> f32 {
        if self.candidates.len() < self.enough {
            return LEAST_LIKELY;
        }
        let mut likely: Vec<f32> = self.candidates.iter().map(|(likely, _)| *likely).collect();
        likely.sort_by(|a, b| b.total_cmp(a));
        likely[self.enough - 1].max(LEAST_LIKELY)
    }

    /// The most probable branch that is worth a rehearsal. Others than the first are only if there is time.
    pub(super) fn next_branch(&mut self, has_time: bool) -> Option<Branch> {
        let least = self.likely_enough();
        let (place, branch) =
            self.branches.iter().enumerate().max_by(|(_, a), (_, b)| a.likely.total_cmp(&b.likely))?;
        let is_worth_it = self.candidates.is_empty() || has_time && branch.likely > least;
        is_worth_it.then(|| self.branches.swap_remove(place))
    }

    /// Adds the requests of a branch.
    pub(super) fn add(&mut self, branch: &Branch, foreseen: Vec<Foreseen>) {
        let known = branch.assumed.len();
        let mut answers = Vec::new();
        for (request, assumed) in foreseen.iter().zip(&branch.assumed) {
            answers.push(request.fails);
            // It would not be better even if it fails: both answers lead to the same requests.
            if request.fails != *assumed {
                return;
            }
        }
        let (mut places, mut likely) = (branch.places.clone(), branch.likely);
        for Foreseen { case, items, fails, likely: fails_likely } in foreseen.into_iter().skip(known) {
            let after = places.last().map(|&place| After { place, fails: answers.last().copied() });
            places.push(self.candidates.len());
            self.candidates.push((likely, Planned { case, items, after }));
            if let Some(fails_likely) = fails_likely {
                let goes_on = if fails { fails_likely } else { 1.0 - fails_likely };
                let mut assumed = answers.clone();
                assumed.push(!fails);
                self.branches.push(Branch { assumed, places: places.clone(), likely: likely * (1.0 - goes_on) });
                likely *= goes_on;
            }
            answers.push(fails);
        }
    }

    /// The plan, the most probable first.
    pub(super) fn finish(self) -> Vec<Planned> {
        let mut order: Vec<usize> = (0..self.candidates.len()).collect();
        // A request is no more probable than the one that it follows, which therefore stays before it.
        order.sort_by(|&a, &b| self.candidates[b].0.total_cmp(&self.candidates[a].0).then(a.cmp(&b)));
        order.truncate(self.enough);
        let mut moved = vec![0; self.candidates.len()];
        for (now, &before) in order.iter().enumerate() {
            moved[before] = now;
        }
        let mut candidates: Vec<Option<Planned>> =
            self.candidates.into_iter().map(|(_, planned)| Some(planned)).collect();
        let mut plan = Vec::with_capacity(order.len());
        for before in order {
            if let Some(Planned { case, items, after }) = candidates[before].take() {
                let after = after.map(|After { place, fails }| After { place: moved[place], fails });
                plan.push(Planned { case, items, after });
            }
        }
        plan
    }
}
