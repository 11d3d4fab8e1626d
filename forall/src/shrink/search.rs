//! The state of a search for a simpler case, and the gate that every candidate goes through. Its limits are in
//! `search/limits.rs`, what it learns from rejected candidates in `search/learnt.rs`, and how it retries candidates of
//! flaky failures in `search/retries.rs`.

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

/// How many more choices than the best case a candidate may draw: a filter may remove them from the record again.
pub(super) const SLACK: usize = 1000;

/// Callback for each accepted candidate: the case, its failure, and the pass that proposed it.
pub(super) type Improved<'s> = &'s mut dyn FnMut(&Case, &Failure, Improvement);

/// Callback for each evaluated input: the case as drawn, its outcome, the pass that proposed it, and the number of evaluations.
pub(super) type Ran<'s> = &'s mut dyn FnMut(&Case, &Tested, (&'static str, u64));

/// The end of an evaluation.
enum Ended {
    /// The failure that is being shrunk.
    Fails(Failure),
    /// Rejected before the check.
    GaveUp,
    /// Passed, or failed differently.
    Otherwise,
}

/// The gate's decision about a candidate.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum Considered {
    /// It is the best case now.
    Better,
    /// It is not simpler, or passes, or fails in another way.
    Worse,
    /// A generator or an assumption rejected it: no evidence about the property.
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
    /// For each variable, whether its choices are frozen because its own shrinker is active.
    frozen: Vec<bool>,
    /// Whether a candidate must also have simpler values, not only simpler choices.
    simplify_values: bool,
    /// The result of the search before it restarted.
    other_way: Option<Position>,
    pub(super) known: Known,
    /// Hashes of proposed candidates: covers what the tree of known runs cannot represent.
    pub(super) proposed: Set,
    /// Hashes of those that were rejected.
    rejected: Set,
    /// The parts of the best case, until a better one is found.
    pub(super) structure: Option<Rc<Structure>>,
    /// The simplest choices that were seen to make a part, by its label.
    pub(super) simplest: Vec<(u32, Vec<Item>)>,
    /// The choices drawn by the last rejected candidate.
    pub(super) drawn: Rc<Sequence>,
    /// The number of improvements when all simpler inputs were last tried.
    pub(super) tried_every: Option<u64>,
    /// Whether the current candidates are random ones, which are counted separately.
    pub(super) at_random: bool,
    /// The case as it was given, until a better one is found.
    given: Option<Case>,
    pub(super) story: Shrinking,
    /// The index of the current pass in the story.
    pass: usize,
    started: Instant,
    pub(super) max_evaluations: u64,
    pub(super) max_time: Duration,
    /// How often candidates run, if the failure is flaky.
    pub(super) retries: Option<&'s mut Retries>,
    /// Whether the current pass tries many candidates of which few can fail: these are not retried.
    pub(super) scans: bool,
    /// The current part of the search ends at this number of evaluations.
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
            // Of two equally large values, the one with fewer steps: the result of shrinking choices depends less on
            // the path taken.
            let ours = (size, magnitude, self.best.steps.len());
            if ours < (other_size, other_magnitude, case.steps.len()) {
                self.tell();
            } else {
                (self.best, self.failure) = (case, failure);
            }
        }
        (self.given.unwrap_or(self.best), self.failure, self.story)
    }

    /// Switches to a case of another size that is assumed to have the same values. If the assumption is wrong, nothing
    /// simpler will be found, and the original case is kept.
    pub(super) fn go_over_to(&mut self, case: Case) {
        self.structure = None;
        self.given = Some(std::mem::replace(&mut self.best, case));
    }

    /// Switches to another case if it fails, simpler or not. Known outcomes are forgotten, because they were for
    /// another size.
    pub(super) fn go_over_if_it_fails(&mut self, case: &Case) -> bool {
        let (case, Ended::Fails(failure), _) = self.evaluate(case, MAX_ITEMS) else { return false };
        self.known = Known::default();
        self.known.insert(&case.sequence.items, &case.sequence.items);
        self.accept(case, failure);
        true
    }

    /// The choices of the best case.
    pub(super) fn items(&self) -> &[Item] {
        &self.best.sequence.items
    }

    /// The value of the choice at a position; 0 if there is none, since the best case may have become shorter in the
    /// meantime.
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

    /// Whether the search was restarted, so that its earlier result may still win.
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

    /// From here on, freezes the choices of variables whose shrinkers have candidates.
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

    /// Unfreezes all choices.
    pub(super) fn thaw(&mut self) {
        self.structure = None;
        self.frozen.fill(false);
    }

    /// Counts candidates for the pass called `name` from here on.
    pub(super) fn begin(&mut self, name: &'static str) {
        self.pass = 0;
        while matches!(self.story.passes.get(self.pass), Some(pass) if pass.name != name) {
            self.pass += 1;
        }
        if self.pass == self.story.passes.len() {
            self.story.passes.push(Pass::new(name));
        }
    }

    /// Whether all simpler inputs within the limits have been tried.
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

    /// Proposes a candidate. Returns whether it was accepted.
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
        let (drawn, ended, retried) = self.evaluate(&candidate, self.best.sequence.len() + SLACK);
        self.proposed.insert(hash);
        let rejected = retried || matches!(ended, Ended::GaveUp) || self.draws_again(&candidate, &drawn);
        // A generator that gave up might not have with more input, or with other values where it discarded duplicates.
        if !matches!(ended, Ended::GaveUp) || drawn.sequence.len() == candidate.sequence.len() {
            self.known.insert(&drawn.sequence.items, &candidate.sequence.items);
        }
        self.learn(&drawn.sequence);
        match ended {
            // The drawn choices decide: they may be shorter than the proposed ones, or not simpler at all.
            Ended::Fails(failure)
                if edit::simpler(&drawn.sequence.items, self.items()) && self.has_simpler_values(&drawn) =>
            {
                self.accept(drawn, failure);
                Considered::Better
            }
            _ => {
                self.drawn = Rc::new(drawn.sequence);
                if !rejected {
                    return self.no(Considered::Worse, true);
                }
                self.rejected.insert(hash);
                self.story.rejected += u64::from(!self.at_random);
                self.no(Considered::Rejected, true)
            }
        }
    }

    /// Records that a candidate is not better, and whether it was run to find out.
    fn no(&mut self, answer: Considered, was_run: bool) -> Considered {
        self.note_no(answer, was_run);
        answer
    }

    /// Whether a number was lowered and its part now draws more than before: a loop that retries until it gets a
    /// suitable value rejected it.
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
        // If parts of the same kind start at the same position, the innermost is meant.
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
            (drawn, Ended::Fails(failure), _) => Some((drawn, failure)),
            _ => None,
        }
    }

    /// Whether the best case fails with other, possibly larger, numbers at some positions. It is not accepted as the
    /// best.
    pub(super) fn fails_with(&mut self, changes: &[(usize, u64)]) -> bool {
        // Candidates missing from the journal cannot be rehearsed: assume that they fail.
        if self.is_rehearsal() {
            return true;
        }
        let Some(items) = edit::with_values(self.items(), changes) else { return false };
        let case = edit::candidate(&self.best, items);
        matches!(self.evaluate(&case, self.best.sequence.len() + SLACK).1, Ended::Fails(_))
    }

    /// Accepts a case with one more step as the best.
    pub(super) fn accept_step(&mut self, case: Case, failure: Failure) {
        // The same choices mean something else after another step.
        self.known = Known::default();
        self.proposed = Set::default();
        self.rejected = Set::default();
        self.accept(case, failure);
    }

    /// Runs a case that is useless if it draws more than `items`: returns the case as drawn, how it ended, and whether
    /// a generator discarded some of it.
    fn evaluate(&mut self, case: &Case, items: usize) -> (Case, Ended, bool) {
        if self.at_random {
            self.story.at_random += 1;
        } else {
            self.story.evaluations += 1;
        }
        if let Some(pass) = self.story.passes.get_mut(self.pass) {
            pass.tried += 1;
        }
        let (drawn, tested, retried) = self.run(case, items);
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
        (drawn, ended, retried)
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

    /// Reports the best case if it is better than the one reported last.
    fn tell(&mut self) {
        let pass = if let Some(pass) = self.story.passes.get(self.pass) { pass.name } else { "" };
        let improvement = Improvement { evaluations: self.spent(), pass };
        (self.improved)(&self.best, &self.failure, improvement);
    }

    /// Where the search is.
    pub(super) fn position(&self) -> Position {
        // A case accepted on trust has not been observed to fail.
        let case = self.given.as_ref().unwrap_or(&self.best);
        Position { case: case.clone(), failure: self.failure.clone() }
    }

    /// Restarts from an earlier position. The result so far is kept unless something smaller is found.
    pub(super) fn go_back_to(&mut self, begin: Position) {
        self.other_way = Some(self.position());
        self.given = None;
        self.known = Known::default();
        self.proposed = Set::default();
        self.rejected = Set::default();
        self.structure = None;
        (self.best, self.failure) = (begin.case, begin.failure);
    }

    /// Sets whether a candidate must have simpler values to count as simpler.
    pub(super) fn simplify_values(&mut self, simplify: bool) {
        self.simplify_values = simplify;
    }

    /// Whether the values of a case are simpler than those of the best, where that matters.
    fn has_simpler_values(&self, case: &Case) -> bool {
        !self.simplify_values || self.rank(case) < self.rank(&self.best)
    }
}
