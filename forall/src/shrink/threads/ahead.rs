//! What the search will most likely ask for next, so that it can be run on other threads meanwhile.
//!
//! A pass is an ordinary function that asks the gate for one verdict after the other. To find out what it will ask for, it
//! is *rehearsed*: run once more from its beginning, while the search stands still. As far as it has come, the gate
//! answers from a journal of its answers; behind that it collects the candidates and answers as it usually does: no, or yes
//! if that was the answer for some time. Passes know nothing of this, and the search does not depend on it: it takes outcomes
//! from the pool only for what it really asks for. A wrong guess costs time and nothing else.

use super::super::edit::{self, candidate};
use super::super::passes::Named;
use super::super::search::learnt::set_simplest;
use super::super::search::limits::LimitReached;
use super::super::search::{Considered, SLACK, Search};
use super::super::structure::Structure;
use super::helpers::Habits;
use super::pool::{Candidate, Outcome, Waited, Waiting};
use crate::choice::{Item, Sequence};
use crate::hash::Set;
use crate::testing::{Case, Tested};
use std::cell::OnceCell;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::rc::Rc;
use std::time::Instant;

/// So many candidates stand in the line for each worker, when it is filled.
const AHEAD: usize = 4;
/// Rehearsals may take one part in so many of the time that candidates take.
const REHEARSING: u32 = 8;
/// A journal is given up when it holds so many choices of inputs.
const MAX_JOURNAL: usize = 1 << 20;

/// What the gate answered since a pass began.
#[derive(Default)]
pub(super) struct Journal {
    /// The pass, and those that will follow it.
    program: Vec<Named>,
    answers: Vec<Answer>,
    /// The best case when the pass began, if there is a better one now.
    begin: Option<Rc<Better>>,
    /// The simplest parts when the pass began, if there are simpler ones now.
    simplest: Option<Vec<(u32, Vec<Item>)>>,
    evaluations: u64,
    accepted: u64,
    rejected: u64,
    tried_every: Option<u64>,
    /// How many choices are in all this.
    length: usize,
}

/// An answer of the gate.
enum Answer {
    /// No: it was not run.
    Known(Considered),
    /// No: it was run.
    Ran(Considered),
    /// Yes: this is the best now.
    Accepted(Rc<Better>),
    /// The simplest part with a label.
    Simplest(u32, Vec<Item>),
    /// Whether it was proposed before.
    WasProposed(bool),
    /// What was drawn last.
    Drawn(Rc<Sequence>),
}

/// A best case, and its parts as soon as they are known.
pub(super) struct Better {
    case: Case,
    structure: OnceCell<Rc<Structure>>,
}

impl Better {
    fn new(case: Case) -> Rc<Self> {
        Rc::new(Self { case, structure: OnceCell::new() })
    }
}

/// A pass that is run to see what it will ask for.
pub(super) struct Rehearsal {
    journal: Journal,
    /// The next answer.
    at: usize,
    /// What was asked for behind the end of the journal.
    foreseen: Vec<Candidate>,
    enough: usize,
    /// Hashes of it.
    proposed: Set,
    /// The best case, if it came out of the journal.
    best: Option<Rc<Better>>,
    habits: Habits,
}

impl Rehearsal {
    fn next(&mut self) -> Option<&Answer> {
        self.at += 1;
        self.journal.answers.get(self.at - 1)
    }
}

impl Search<'_> {
    /// A pass begins, and others will follow it.
    pub(in crate::shrink) fn begin_journal(&mut self, program: impl FnOnce() -> Vec<Named>) {
        let Some(helpers) = self.threads.helpers.as_mut().filter(|helpers| helpers.keeps_a_journal()) else { return };
        helpers.journal = Some(Journal {
            program: program(),
            evaluations: self.story.evaluations,
            accepted: self.story.accepted,
            rejected: self.story.rejected,
            tried_every: self.tried_every,
            ..Journal::default()
        });
    }

    /// What follows is no pass.
    pub(in crate::shrink) fn end_journal(&mut self) {
        if let Some(helpers) = &mut self.threads.helpers {
            helpers.journal = None;
        }
    }

    fn journal(&mut self) -> Option<&mut Journal> {
        self.threads.helpers.as_mut()?.journal.as_mut()
    }

    fn note_answer(&mut self, length: usize, answer: impl FnOnce(&mut Journal) -> Answer) {
        let Some(journal) = self.journal() else { return };
        journal.length += length;
        if journal.length > MAX_JOURNAL {
            self.end_journal();
        } else {
            let answer = answer(journal);
            journal.answers.push(answer);
        }
    }

    pub(in crate::shrink) fn note_no(&mut self, answer: Considered, was_run: bool) {
        if let Some(helpers) = self.threads.helpers.as_mut().filter(|_| was_run) {
            helpers.habits.learn(false);
        }
        self.note_answer(0, |_| if was_run { Answer::Ran(answer) } else { Answer::Known(answer) });
    }

    /// Notes that the case that is the best now took the place of another.
    pub(in crate::shrink) fn note_better(&mut self, before: Case) {
        if let Some(helpers) = &mut self.threads.helpers {
            helpers.habits.learn(true);
        }
        if self.journal().is_some() {
            let best = self.best.clone();
            self.note_answer(best.sequence.len(), |journal| {
                journal.begin.get_or_insert_with(|| Better::new(before));
                Answer::Accepted(Better::new(best))
            });
        }
    }

    /// Notes that a part is about to become the simplest of its kind.
    pub(in crate::shrink) fn note_simplest(&mut self, label: u32, items: &[Item]) {
        let is_first = self.journal().is_some_and(|journal| journal.simplest.is_none());
        let before = is_first.then(|| self.simplest.clone());
        self.note_answer(items.len(), |journal| {
            journal.simplest = before.or(journal.simplest.take());
            Answer::Simplest(label, items.to_vec())
        });
    }

    /// Whether items were proposed before.
    pub(in crate::shrink) fn was_proposed(&mut self, items: &[Item]) -> bool {
        let hash = edit::hash(items);
        let known = self.proposed.contains(hash);
        if let Some(rehearsal) = &mut self.threads.rehearsal {
            return match rehearsal.next() {
                Some(Answer::WasProposed(was)) => *was,
                _ => known || rehearsal.proposed.contains(hash),
            };
        }
        self.note_answer(0, |_| Answer::WasProposed(known));
        known
    }

    /// What the last candidate that was run and not accepted drew.
    pub(in crate::shrink) fn last_drawn(&mut self) -> Rc<Sequence> {
        let Some(rehearsal) = &mut self.threads.rehearsal else {
            let drawn = Rc::clone(&self.drawn);
            self.note_answer(drawn.len(), |_| Answer::Drawn(Rc::clone(&drawn)));
            return drawn;
        };
        if let Some(Answer::Drawn(drawn)) = rehearsal.next() {
            return Rc::clone(drawn);
        }
        match rehearsal.foreseen.last() {
            // It has not run. What it draws is known by generating it.
            Some(Candidate { case, .. }) => Rc::new(self.tester.drawn(case)),
            None => Rc::clone(&self.drawn),
        }
    }

    /// Whether a pass is run only to see what it will ask for.
    pub(in crate::shrink) fn is_rehearsal(&self) -> bool {
        self.threads.rehearsal.is_some()
    }

    /// The parts of the best case, if they are known from an earlier rehearsal; or else `make` makes them.
    pub(in crate::shrink) fn structure_or(&self, make: impl FnOnce() -> Rc<Structure>) -> Rc<Structure> {
        match self.threads.rehearsal.as_ref().and_then(|rehearsal| rehearsal.best.as_ref()) {
            Some(best) => Rc::clone(best.structure.get_or_init(make)),
            None => make(),
        }
    }

    /// What the gate says in a rehearsal.
    pub(in crate::shrink) fn rehearse(&mut self, items: Vec<Item>) -> Considered {
        let Some(rehearsal) = &mut self.threads.rehearsal else { return Considered::Worse };
        loop {
            match rehearsal.next() {
                Some(Answer::Known(answer)) => return *answer,
                Some(Answer::Ran(answer)) => {
                    self.story.evaluations += 1;
                    self.story.rejected += u64::from(*answer == Considered::Rejected);
                    return *answer;
                }
                Some(Answer::Accepted(better)) => {
                    let better = Rc::clone(better);
                    self.best = better.case.clone();
                    rehearsal.best = Some(better);
                    self.structure = None;
                    self.story.evaluations += 1;
                    self.story.accepted += 1;
                    return Considered::Better;
                }
                Some(Answer::Simplest(label, items)) => set_simplest(&mut self.simplest, *label, items),
                // The pass did not ask what it had asked. It is not a function of the answers, then, and cannot be foreseen.
                Some(Answer::WasProposed(_) | Answer::Drawn(_)) => resume_unwind(Box::new(LimitReached)),
                None => break,
            }
        }
        if rehearsal.foreseen.len() >= rehearsal.enough {
            resume_unwind(Box::new(LimitReached));
        }
        let hash = edit::hash(&items);
        let is_new = edit::simpler(&items, &self.best.sequence.items)
            && !self.proposed.contains(hash)
            && !self.known.tells(&items)
            && rehearsal.proposed.insert(hash);
        if !is_new {
            return Considered::Worse;
        }
        self.story.evaluations += 1;
        let (case, items) = (candidate(&self.best, items), self.best.sequence.len() + SLACK);
        let (fails, drawn) = match self.threads.helpers.as_ref().and_then(|helpers| helpers.pool.look_up(&case, items))
        {
            Some((drawn, Tested::Fail(failure))) => {
                (true, failure.same_origin(&self.failure).then_some(drawn.sequence))
            }
            Some(_) => (false, None),
            None if rehearsal.habits.guess() => (true, Some(self.tester.drawn(&case))),
            None => (false, None),
        };
        let better = drawn.filter(|drawn| edit::simpler(&drawn.items, &self.best.sequence.items));
        rehearsal.habits.assume(better.is_some());
        rehearsal.foreseen.push(Candidate { case, items, fails });
        let Some(better) = better else { return Considered::Worse };
        rehearsal.best = None;
        self.best.sequence = better;
        self.structure = None;
        self.story.accepted += 1;
        Considered::Better
    }

    /// Looks what the pass will ask for behind the candidate that it is asking for, and puts it in the line.
    fn look_ahead(&mut self, enough: usize) {
        let Some(journal) = self.threads.helpers.as_mut().and_then(|helpers| helpers.journal.take()) else { return };
        let started = Instant::now();
        let program = journal.program.clone();
        let counts = (self.story.evaluations, self.story.accepted, self.story.rejected, self.tried_every);
        (self.story.evaluations, self.story.accepted) = (journal.evaluations, journal.accepted);
        (self.story.rejected, self.tried_every) = (journal.rejected, journal.tried_every);
        let present = (self.best.clone(), self.structure.clone());
        if let Some(begin) = &journal.begin {
            self.best = begin.case.clone();
            self.structure = None;
        }
        let simplest = journal.simplest.clone().map(|before| std::mem::replace(&mut self.simplest, before));
        let (best, foreseen, proposed) = (journal.begin.clone(), Vec::new(), Set::default());
        let habits = self.threads.helpers.as_ref().map_or_else(Habits::default, |helpers| helpers.habits);
        self.threads.rehearsal = Some(Rehearsal { journal, at: 0, foreseen, enough, proposed, best, habits });
        let ended = catch_unwind(AssertUnwindSafe(|| {
            for (_, pass) in program {
                pass(self);
            }
        }));
        let rehearsal = self.threads.rehearsal.take();
        (self.best, self.structure) = present;
        if let Some(simplest) = simplest {
            self.simplest = simplest;
        }
        (self.story.evaluations, self.story.accepted, self.story.rejected, self.tried_every) = counts;
        if let Err(payload) = ended
            && !payload.is::<LimitReached>()
        {
            resume_unwind(payload);
        }
        if let (Some(helpers), Some(Rehearsal { journal, foreseen, .. })) = (&mut self.threads.helpers, rehearsal) {
            helpers.journal = Some(journal);
            helpers.rehearsed += started.elapsed();
            // The first is what is being asked for, unless the pass is not a function of the answers.
            if helpers.pool.is_at_the_front(foreseen.first()) {
                helpers.pool.expect(foreseen);
            }
        }
    }

    /// Says what will be asked for behind the candidate that is asked for next, if that is of use.
    pub(in crate::shrink) fn foresee(&mut self, case: &Case, items: usize, behind: impl FnOnce(usize) -> Vec<Case>) {
        let Some(helpers) = self.threads.helpers.as_ref().filter(|helpers| helpers.handing_over) else { return };
        if helpers.pool.ask(case, items) < helpers.threads {
            let mut line = vec![Candidate { case: case.clone(), items, fails: false }];
            for case in behind(helpers.threads * AHEAD) {
                line.push(Candidate { case, items, fails: false });
            }
            helpers.pool.expect(line);
        }
    }

    /// Runs a candidate, here or on another thread: what it drew, what became of it, and whether a generator threw something
    /// away. In a greedy search it may be another candidate that was run, which comes first then: it fails, and is simpler than
    /// the best.
    pub(in crate::shrink) fn run(&mut self, case: &Case, items: usize) -> (Option<Case>, Case, Tested, bool) {
        let mut started = None;
        match &self.threads.helpers {
            Some(helpers) if helpers.hands_over() => return self.hand_over(case, items),
            Some(helpers) if helpers.wants_time(self.story.evaluations) => started = Some(Instant::now()),
            _ => {}
        }
        let (drawn, tested, retried) = self.tester.run_within(case, items);
        if let (Some(started), Some(helpers)) = (started, &mut self.threads.helpers) {
            helpers.took(started.elapsed());
        }
        (None, drawn, tested, retried)
    }

    /// Has a candidate run by a worker, or another one that stands in the line and will do.
    fn hand_over(&mut self, case: &Case, items: usize) -> (Option<Case>, Case, Tested, bool) {
        let Some(helpers) = &self.threads.helpers else { unreachable!("without helpers nothing is handed over") };
        let (pool, threads, greedy) = (helpers.pool, helpers.threads, helpers.greedy);
        let waiting = pool.ask(case, items);
        let (journaled, patience) = (helpers.journal.is_some(), helpers.takes / 2);
        let length = helpers.journal.as_ref().map_or(0, |journal| journal.answers.len());
        // The longer the journal, the more is looked for at once: then all rehearsals of a pass take no more than it does.
        let enough = 1 + (threads * AHEAD).max(length / 4);
        let affordable = helpers.rehearsed * REHEARSING <= helpers.ran;
        if waiting < threads && affordable {
            self.look_ahead(enough);
        }
        let mut surprises = if journaled { threads } else { 0 };
        let (other, Outcome { drawn, tested, retried, took }) = loop {
            let (best, failure) = (&self.best, &self.failure);
            let good_enough = |drawn: &Case, tested: &Tested| {
                let fails = greedy && matches!(tested, Tested::Fail(other) if other.same_origin(failure));
                // On values, what was made of the best counts as simpler.
                let is_step = matches!(drawn.steps.split_last(), Some((_, before)) if before == best.steps);
                fails && (is_step || edit::simpler(&drawn.sequence.items, &best.sequence.items))
            };
            let waiting = Waiting { good_enough: &good_enough, patience, for_surprises: affordable && surprises > 0 };
            match pool.wait(self.tester, &waiting) {
                Waited::Front(outcome) => break (None, outcome),
                Waited::Other(case, outcome) => break (Some(case), outcome),
                Waited::Surprise => {
                    surprises -= 1;
                    self.look_ahead(enough);
                }
            }
        };
        self.tester.context().beat();
        self.story.handed_over += 1;
        if let Some(helpers) = &mut self.threads.helpers {
            helpers.took(took);
        }
        (other.map(|case| Case::clone(&case)), drawn, tested, retried)
    }
}
