//! The state of a search for a simpler case, and the gate that every candidate goes through. How long it goes on is in
//! `search/limits.rs`, what it learns from what does not get through in `search/learnt.rs`, and how it retries candidates of flaky
//! failures in `search/retries.rs`.

pub(super) mod learnt;
pub(super) mod limits;
pub(super) mod retries;

use super::known::Known;
use super::lower::MAX_KIND;
use super::story::{Pass, Shrinking};
use super::structure::Structure;
use super::threads::Threads;
use super::{Improvement, edit};
use crate::choice::{Item, MAX_ITEMS, Sequence};
use crate::hash::Set;
use crate::property::Failure;
use crate::testing::{Case, Tested, Tester};
use retries::Retries;
use std::rc::Rc;
use std::time::{Duration, Instant};

/// What draws more than the best is not simpler, unless a filter takes it off the record again: so much is allowed for.
pub(super) const SLACK: usize = 1000;

/// Who hears of each better case, how it fails, and how it was come by.
pub(super) type Improved<'s> = &'s mut dyn FnMut(&Case, &Failure, Improvement);

/// Who hears of each input that was run: as it was drawn, what came of it, the pass that proposed it, and how many ran so far.
pub(super) type Ran<'s> = &'s mut dyn FnMut(&Case, &Tested, (&'static str, u64));

/// How a run ended.
enum Ended {
    /// With the failure that is being shrunk.
    Fails(Failure),
    /// Before the check.
    GaveUp,
    /// It passed, or failed in another way.
    Otherwise,
}

/// What became of a candidate.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum Considered {
    /// It is the best now.
    Better,
    /// It is not simpler, or passes, or fails in another way.
    Worse,
    /// A generator or an assumption did not take it: nothing is known of the property.
    Rejected,
}

/// A case that fails, and how.
pub(super) struct Position {
    case: Case,
    failure: Failure,
}

/// A search for a simpler case.
pub(super) struct Search<'s> {
    pub(super) tester: &'s Tester<'s>,
    pub(super) best: Case,
    pub(super) failure: Failure,
    /// The variables that have shrinkers of their own, by name.
    shrinks: Vec<Option<&'static str>>,
    /// For each variable whether its choices are left alone, because its own shrinker is at work.
    frozen: Vec<bool>,
    /// Whether what makes no simpler values is not simpler, whatever its choices.
    simplify_values: bool,
    /// Where the search had come to before it began again.
    other_way: Option<Position>,
    pub(super) known: Known,
    /// Hashes of what was proposed: catches what the tree of known runs cannot tell.
    pub(super) proposed: Set,
    /// Hashes of those that were rejected.
    rejected: Set,
    /// The parts of the best case, until a better one is found.
    pub(super) structure: Option<Rc<Structure>>,
    /// The simplest choices that were seen to make a part, by its label.
    pub(super) simplest: Vec<(u32, Vec<Item>)>,
    /// What the last candidate that was run and not accepted drew.
    pub(super) drawn: Rc<Sequence>,
    /// How often a better case had been found when all simpler inputs were last tried.
    pub(super) tried_every: Option<u64>,
    /// Whether candidates are random ones, which are counted apart.
    pub(super) at_random: bool,
    /// The case as it was given, until a better one is found.
    given: Option<Case>,
    pub(super) story: Shrinking,
    /// Which of the passes in the story is at work.
    pass: usize,
    started: Instant,
    pub(super) max_evaluations: u64,
    pub(super) max_time: Duration,
    /// If the failure is flaky: how often candidates are run.
    pub(super) retries: Option<&'s mut Retries>,
    /// Whether a pass is at work that tries many candidates of which few can fail: they are not retried.
    pub(super) scans: bool,
    /// The part of the search that is at work ends at this number of evaluations.
    pause_at: u64,
    pub(super) after_each: Option<&'s mut dyn FnMut()>,
    pub(super) ran: Option<Ran<'s>>,
    improved: Improved<'s>,
    /// The threads that run candidates, if there are any.
    pub(super) threads: Threads<'s>,
}

impl<'s> Search<'s> {
    pub(super) fn new(tester: &'s Tester<'s>, best: Case, failure: Failure, improved: Improved<'s>) -> Self {
        let (mut frozen, mut shrinks) = (Vec::new(), Vec::new());
        for quantifier in &tester.property().outline().quantifiers {
            frozen.push(false);
            shrinks.push(quantifier.shrinks.then_some(quantifier.name));
        }
        let mut search = Self {
            tester,
            best,
            failure,
            shrinks,
            frozen,
            simplify_values: false,
            other_way: None,
            known: Known::default(),
            proposed: Set::default(),
            rejected: Set::default(),
            structure: None,
            simplest: Vec::new(),
            drawn: Rc::default(),
            tried_every: None,
            at_random: false,
            given: None,
            story: Shrinking::default(),
            pass: 0,
            started: Instant::now(),
            max_evaluations: u64::MAX,
            max_time: Duration::MAX,
            retries: None,
            scans: false,
            pause_at: u64::MAX,
            after_each: None,
            ran: None,
            improved,
            threads: Threads::default(),
        };
        search.known.insert(&search.best.sequence.items, &search.best.sequence.items);
        search
    }

    /// The best case, how it fails, and the story.
    pub(super) fn finish(mut self) -> (Case, Failure, Shrinking) {
        self.story.time = self.started.elapsed();
        self.tell_retries();
        if let Some(Position { case, failure }) = self.other_way.take() {
            let (size, magnitude, ..) = self.rank(&self.best);
            let (other_size, other_magnitude, ..) = self.rank(&case);
            // Of two values that are as large, the one with fewer steps: what choices end at depends less on the way there.
            let ours = (size, magnitude, self.best.steps.len());
            if ours < (other_size, other_magnitude, case.steps.len()) {
                self.tell();
            } else {
                (self.best, self.failure) = (case, failure);
            }
        }
        (self.given.unwrap_or(self.best), self.failure, self.story)
    }

    /// Goes over to a case of another size that is taken to make the same values. If that is wrong, nothing simpler will be
    /// found, and the case stays as it was given.
    pub(super) fn go_over_to(&mut self, case: Case) {
        self.structure = None;
        self.given = Some(std::mem::replace(&mut self.best, case));
    }

    /// Goes over to another case if it fails, simpler or not. What was known is forgotten: it was another size.
    pub(super) fn go_over_if_it_fails(&mut self, case: &Case) -> bool {
        let (_, case, Ended::Fails(failure), _) = self.evaluate(case, MAX_ITEMS) else { return false };
        self.known = Known::default();
        self.known.insert(&case.sequence.items, &case.sequence.items);
        self.accept(case, failure);
        true
    }

    /// The choices of the best case.
    pub(super) fn items(&self) -> &[Item] {
        &self.best.sequence.items
    }

    /// The value of the choice at a place; 0 if there is none, since the best case may have become shorter meanwhile.
    pub(super) fn value(&self, place: usize) -> u64 {
        self.items().get(place).map_or(0, edit::value)
    }

    /// The largest value of the choice at a place.
    pub(super) fn max(&self, place: usize) -> u64 {
        self.items().get(place).map_or(0, edit::max)
    }

    /// How often a better case was found.
    pub(super) fn accepted(&self) -> u64 {
        self.story.accepted
    }

    /// The parts of the best case.
    pub(super) fn structure(&mut self) -> Rc<Structure> {
        if let Some(structure) = &self.structure {
            return Rc::clone(structure);
        }
        let structure = self.structure_or(|| Rc::new(Structure::new(&self.best.sequence, &self.frozen)));
        self.structure = Some(Rc::clone(&structure));
        structure
    }

    /// How many inputs were run.
    pub(super) fn evaluations(&self) -> u64 {
        self.story.evaluations
    }

    /// The same, random candidates included.
    pub(super) fn spent(&self) -> u64 {
        self.story.evaluations + self.story.at_random
    }

    /// Whether the search has begun again, and what it found before may stand.
    pub(super) fn goes_both_ways(&self) -> bool {
        self.other_way.is_some() || self.simplify_values
    }

    /// Counts a candidate, run or not.
    pub(super) fn count_candidate(&mut self) {
        self.story.candidates += 1;
    }

    /// The name of a variable that has a shrinker of its own.
    pub(super) fn shrinks(&self, variable: usize) -> Option<&'static str> {
        *self.shrinks.get(variable)?
    }

    /// Whether the choices of some variable are left alone.
    pub(super) fn has_frozen(&self) -> bool {
        self.frozen.contains(&true)
    }

    /// Leaves the choices of variables alone from here on whose shrinkers have something to offer.
    pub(super) fn freeze(&mut self) {
        self.structure = None;
        for variable in 0..self.frozen.len() {
            let frozen = self.shrinks(variable).is_some() && {
                let (candidates, fault) = self.tester.candidates(&self.best, variable as u32);
                if let Some(fault) = fault {
                    self.note_fault(fault.fact());
                }
                !candidates.is_empty()
            };
            self.frozen[variable] = frozen;
        }
    }

    /// No choices are left alone any longer.
    pub(super) fn thaw(&mut self) {
        self.structure = None;
        self.frozen.fill(false);
    }

    /// From here on, the story tells what is tried of the pass called `name`.
    pub(super) fn begin(&mut self, name: &'static str) {
        self.pass = 0;
        while matches!(self.story.passes.get(self.pass), Some(pass) if pass.name != name) {
            self.pass += 1;
        }
        if self.pass == self.story.passes.len() {
            self.story.passes.push(Pass::new(name));
        }
    }

    /// Whether all simpler inputs were tried, as far as they ever are.
    pub(super) fn tried_every(&self) -> bool {
        self.tried_every == Some(self.accepted())
    }

    /// From here on, until a better case is found, there is no use in trying all simpler inputs.
    pub(super) fn has_tried_every(&mut self) {
        self.tried_every = Some(self.accepted());
    }

    /// Whether a candidate was rejected so far.
    pub(super) fn has_rejected(&self) -> bool {
        self.story.rejected > 0
    }

    /// Whether a candidate is the best now.
    pub(super) fn consider(&mut self, items: Vec<Item>) -> bool {
        self.propose(items) == Considered::Better
    }

    /// The gate: runs a candidate if it is simpler and not known, and takes it if it fails like the best.
    pub(super) fn propose(&mut self, items: Vec<Item>) -> Considered {
        if self.is_rehearsal() {
            return self.rehearse(items);
        }
        self.stop_at_the_limits();
        if !edit::simpler(&items, self.items()) {
            return self.no(Considered::Worse, false);
        }
        self.count_candidate();
        let hash = edit::hash(&items);
        if self.proposed.contains(hash) || self.known.tells(&items) || self.is_exhausted(hash) {
            let known = if self.rejected.contains(hash) { Considered::Rejected } else { Considered::Worse };
            return self.no(known, false);
        }
        let candidate = edit::candidate(&self.best, items);
        loop {
            let (other, drawn, ended, retried) = self.evaluate(&candidate, self.best.sequence.len() + SLACK);
            let is_it = other.is_none();
            let run = other.as_ref().unwrap_or(&candidate);
            if is_it {
                self.proposed.insert(hash);
            }
            let rejected = retried || matches!(ended, Ended::GaveUp) || self.draws_again(run, &drawn);
            // A generator that gave up at the end of the input might not have, had there been more.
            if !matches!(ended, Ended::GaveUp) || drawn.sequence.len() <= run.sequence.len() {
                self.known.insert(&drawn.sequence.items, &run.sequence.items);
            }
            self.learn(&drawn.sequence);
            match ended {
                // What counts is what was drawn, which may be shorter than what was proposed, or not simpler at all.
                Ended::Fails(failure)
                    if edit::simpler(&drawn.sequence.items, self.items()) && self.has_simpler_values(&drawn) =>
                {
                    self.accept(drawn, failure);
                    return Considered::Better;
                }
                _ if is_it => {
                    self.drawn = Rc::new(drawn.sequence);
                    if !rejected {
                        return self.no(Considered::Worse, true);
                    }
                    self.rejected.insert(hash);
                    self.story.rejected += u64::from(!self.at_random);
                    return self.no(Considered::Rejected, true);
                }
                // A greedy search was told of another candidate first, which is of no use after all.
                _ => {}
            }
        }
    }

    /// Answers that a candidate is not better, and whether it was run to find that out.
    fn no(&mut self, answer: Considered, was_run: bool) -> Considered {
        self.note_no(answer, was_run);
        answer
    }

    /// Whether a number was lowered and the part that it stands in draws more than before: a loop that draws until it likes
    /// what it got did not like it.
    fn draws_again(&mut self, candidate: &Case, drawn: &Case) -> bool {
        let (proposed, drawn) = (&candidate.sequence.items, &drawn.sequence);
        if self.items().len() != proposed.len() {
            return false;
        }
        let (mut place, length) = (0, self.items().len());
        while place < length && self.items()[place] == proposed[place] {
            place += 1;
        }
        if place == length || self.max(place) <= MAX_KIND {
            return false;
        }
        let structure = self.structure();
        let Some(part) = structure.innermost(place) else { return false };
        // Where parts of one kind begin together, the innermost is meant.
        let mut end = None;
        for span in &drawn.spans {
            if span.label == part.label && span.start as usize == part.range.start {
                end = Some(span.end as usize);
            }
        }
        matches!(end, Some(end) if end > part.range.end)
    }

    /// Proposes the best case with other values at some places; false if there are no such places or values.
    pub(super) fn consider_values(&mut self, changes: &[(usize, u64)]) -> bool {
        let items = edit::with_values(self.items(), changes);
        self.consider_some(items)
    }

    /// Proposes items, if there are any.
    pub(super) fn consider_some(&mut self, items: Option<Vec<Item>>) -> bool {
        match items {
            Some(items) => self.consider(items),
            None => false,
        }
    }

    /// Runs a case: the case as drawn, and the failure, if it fails like the best.
    pub(super) fn fails(&mut self, case: &Case) -> Option<(Case, Failure)> {
        match self.evaluate(case, MAX_ITEMS) {
            (_, drawn, Ended::Fails(failure), _) => Some((drawn, failure)),
            _ => None,
        }
    }

    /// Whether the best case fails with other numbers at some places, which may be larger. It is not taken.
    pub(super) fn fails_with(&mut self, changes: &[(usize, u64)]) -> bool {
        // What is not in the journal cannot be rehearsed: it is taken to fail.
        if self.is_rehearsal() {
            return true;
        }
        let Some(items) = edit::with_values(self.items(), changes) else { return false };
        let case = edit::candidate(&self.best, items);
        matches!(self.evaluate(&case, self.best.sequence.len() + SLACK).2, Ended::Fails(_))
    }

    /// Takes a case with more steps for the best.
    pub(super) fn accept_step(&mut self, case: Case, failure: Failure) {
        // The same choices mean something else after another step.
        self.known = Known::default();
        self.proposed = Set::default();
        self.rejected = Set::default();
        self.accept(case, failure);
    }

    /// Runs a case that is of no use if it draws more than `items`: the case as drawn, how it ended, and whether a generator
    /// threw something of it away. In a greedy search it may be another candidate that was run, which comes first then.
    fn evaluate(&mut self, case: &Case, items: usize) -> (Option<Case>, Case, Ended, bool) {
        if self.at_random {
            self.story.at_random += 1;
        } else {
            self.story.evaluations += 1;
        }
        if let Some(pass) = self.story.passes.get_mut(self.pass) {
            pass.tried += 1;
        }
        let (other, drawn, tested, retried) = self.run(case, items);
        if let Some(act) = &mut self.after_each {
            act();
        }
        let (drawn, tested, retried) = self.retry(case, items, (drawn, tested, retried));
        if let Some(ran) = &mut self.ran {
            let pass = if let Some(pass) = self.story.passes.get(self.pass) { pass.name } else { "" };
            ran(&drawn, &tested, (pass, self.story.evaluations + self.story.at_random));
        }
        let ended = match tested {
            Tested::Fail(failure) if failure.same_origin(&self.failure) => Ended::Fails(failure),
            Tested::Fault(fault) => {
                self.note_fault(fault.fact());
                Ended::GaveUp
            }
            Tested::Discard(_) => Ended::GaveUp,
            Tested::Fail(failure) => {
                self.note_other(&drawn, failure);
                Ended::Otherwise
            }
            _ => Ended::Otherwise,
        };
        (other, drawn, ended, retried)
    }

    fn accept(&mut self, case: Case, failure: Failure) {
        self.story.accepted += 1;
        if let Some(pass) = self.story.passes.get_mut(self.pass) {
            pass.accepted += 1;
        }
        self.structure = None;
        self.given = None;
        let before = std::mem::replace(&mut self.best, case);
        self.failure = self.failure.again(failure);
        self.note_better(before);
        if self.other_way.is_none() {
            self.tell();
        }
    }

    /// Says that the best is better than what was told before.
    fn tell(&mut self) {
        let pass = if let Some(pass) = self.story.passes.get(self.pass) { pass.name } else { "" };
        let improvement = Improvement { evaluations: self.spent(), pass };
        (self.improved)(&self.best, &self.failure, improvement);
    }

    /// Where the search is.
    pub(super) fn position(&self) -> Position {
        // One that was taken on trust has not been seen to fail.
        let case = self.given.as_ref().unwrap_or(&self.best);
        Position { case: case.clone(), failure: self.failure.clone() }
    }

    /// Begins again from an earlier position. What was found since then stands, unless something smaller is found now.
    pub(super) fn go_back_to(&mut self, begin: Position) {
        self.other_way = Some(self.position());
        self.given = None;
        self.known = Known::default();
        self.proposed = Set::default();
        self.rejected = Set::default();
        self.structure = None;
        (self.best, self.failure) = (begin.case, begin.failure);
    }

    /// From here on, what makes no simpler values is not simpler; or no longer.
    pub(super) fn simplify_values(&mut self, simplify: bool) {
        self.simplify_values = simplify;
    }

    /// Whether the values of a case are simpler than those of the best, where that matters.
    fn has_simpler_values(&self, case: &Case) -> bool {
        !self.simplify_values || self.rank(case) < self.rank(&self.best)
    }
}
