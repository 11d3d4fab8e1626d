//! Predicts which candidates the search will request next, so that other threads can run them in advance.
//!
//! A pass is an ordinary function that requests one verdict after the other from the gate. To predict its requests, it
//! is *rehearsed*: run once more from its beginning, while the search stands still. As far as it has come, the gate
//! answers from a journal of its answers; after that it collects the candidates, and answers by habit (`helpers.rs`).
//! What the pass would request after the other answer is predicted by another rehearsal, with that answer: `plan.rs`
//! decides which are worth it. Passes are unaware of this, and the search does not depend on it: it takes outcomes
//! from the pool only for its requests. A wrong guess costs time and nothing else.

use super::super::edit::{self, candidate};
use super::super::known::Known;
use super::super::passes::Named;
use super::super::search::learnt::set_simplest;
use super::super::search::limits::LimitReached;
use super::super::search::{Considered, SLACK, Search};
use super::super::structure::Structure;
use super::helpers::Habits;
use super::plan::{Foreseen, Plan};
use crate::choice::{Item, Sequence};
use crate::hash::Set;
use crate::testing::pool::{After, Outcome, Planned, Waited};
use crate::testing::{Case, Tested};
use std::cell::OnceCell;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::rc::Rc;
use std::time::Instant;

/// The number of queued candidates per worker when the queue is filled.
const AHEAD: usize = 4;
/// Rehearsals may take at most one eighth of the time that candidates take.
const REHEARSING: u32 = 8;
/// Rehearsals for one plan may take at most a quarter of the time that a candidate takes, except for the first.
const REHEARSING_AT_ONCE: u32 = 4;
/// A journal is abandoned when it contains this many choices.
const MAX_JOURNAL: usize = 1 << 20;

/// The gate's answers since a pass began.
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
    /// The number of choices in all fields.
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
    /// The last drawn choices.
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

/// A pass that is run only to predict its requests.
pub(super) struct Rehearsal {
    journal: Journal,
    /// The next answer.
    at: usize,
    /// Candidates that were proposed after the end of the journal.
    foreseen: Vec<Foreseen>,
    /// Whether the first of them are to fail; habit decides about the others.
    assumed: Vec<bool>,
    enough: usize,
    /// How likely the last of them will be requested, and how likely it has to be.
    likely: f32,
    likely_enough: f32,
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
    /// A pass begins, and others follow it.
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

    /// Ends the journal: no pass follows.
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

    /// Records that the current best case replaced another.
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

    /// The choices drawn by the last rejected candidate.
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
            // It has not been run. Generating it shows what it draws.
            Some(Foreseen { case, .. }) => Rc::new(self.tester.drawn(case)),
            None => Rc::clone(&self.drawn),
        }
    }

    /// Whether a pass is run only to see what it will ask for.
    pub(in crate::shrink) fn is_rehearsal(&self) -> bool {
        self.threads.rehearsal.is_some()
    }

    /// The parts of the best case, if known from an earlier rehearsal; otherwise the result of `make`.
    pub(in crate::shrink) fn structure_or(&self, make: impl FnOnce() -> Rc<Structure>) -> Rc<Structure> {
        match self.threads.rehearsal.as_ref().and_then(|rehearsal| rehearsal.best.as_ref()) {
            Some(best) => Rc::clone(best.structure.get_or_init(make)),
            None => make(),
        }
    }

    /// Whether a candidate would be run if it were proposed.
    pub(in crate::shrink) fn is_new(&self, items: &[Item]) -> bool {
        is_new(&self.best, &self.proposed, &self.known, items)
    }

    /// The gate's answer in a rehearsal.
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
                // The pass asked something else than before, so it is not a function of the answers and cannot be
                // predicted.
                Some(Answer::WasProposed(_) | Answer::Drawn(_)) => resume_unwind(Box::new(LimitReached)),
                None => break,
            }
        }
        let is_enough = rehearsal.foreseen.len() >= rehearsal.enough || rehearsal.likely < rehearsal.likely_enough;
        if is_enough && rehearsal.foreseen.len() >= rehearsal.assumed.len() {
            resume_unwind(Box::new(LimitReached));
        }
        let hash = edit::hash(&items);
        let is_new = is_new(&self.best, &self.proposed, &self.known, &items);
        if !is_new || !rehearsal.proposed.insert(hash) {
            return Considered::Worse;
        }
        self.story.evaluations += 1;
        let (case, items) = (candidate(&self.best, items), self.best.sequence.len() + SLACK);
        let assumed = rehearsal.assumed.get(rehearsal.foreseen.len()).copied();
        let ran = self.threads.helpers.as_ref().and_then(|helpers| helpers.pool.look_up(&case, items));
        let likely = if ran.is_some() { None } else { Some(rehearsal.habits.likely()) };
        let drawn = match ran {
            Some((drawn, Tested::Fail(failure))) if failure.same_origin(&self.failure) => Some(drawn.sequence),
            Some(_) => None,
            None if assumed.unwrap_or(rehearsal.habits.guess()) => Some(self.tester.drawn(&case)),
            None => None,
        };
        let better = drawn.filter(|drawn| edit::simpler(&drawn.items, &self.best.sequence.items));
        let fails = better.is_some();
        rehearsal.habits.assume(fails);
        // The assumed outcome already has its probability.
        if let (Some(likely), None) = (likely, assumed) {
            rehearsal.likely *= if fails { likely } else { 1.0 - likely };
        }
        rehearsal.foreseen.push(Foreseen { case, items, fails, likely });
        let Some(better) = better else { return Considered::Worse };
        rehearsal.best = None;
        self.best.sequence = better;
        self.structure = None;
        self.story.accepted += 1;
        Considered::Better
    }

    /// Predicts what the pass may request after the current candidate, and makes it the plan.
    fn look_ahead(&mut self, enough: usize) {
        let started = Instant::now();
        let Some(patience) = self.threads.helpers.as_ref().map(|helpers| helpers.takes / REHEARSING_AT_ONCE) else {
            return;
        };
        let mut plan = Plan::new(enough);
        while let Some(branch) = plan.next_branch(started.elapsed() < patience) {
            let Some(foreseen) = self.rehearse_branch(branch.assumed.clone(), branch.likely, &plan) else { break };
            plan.add(&branch, foreseen);
        }
        if let Some(helpers) = &mut self.threads.helpers {
            helpers.rehearsed += started.elapsed();
            // The first is the current request, unless the pass is not a function of the answers.
            helpers.pool.plan(plan.finish());
        }
    }

    /// Rehearses the pass, with these answers to the first requests after the journal: returns what it requests then.
    fn rehearse_branch(&mut self, assumed: Vec<bool>, likely: f32, plan: &Plan) -> Option<Vec<Foreseen>> {
        let journal = self.threads.helpers.as_mut()?.journal.take()?;
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
        let habits = self.threads.helpers.as_ref().map_or_else(Habits::default, |helpers| helpers.habits);
        self.threads.rehearsal = Some(Rehearsal {
            at: 0,
            foreseen: Vec::new(),
            enough: assumed.len() + plan.wanted(),
            assumed,
            likely,
            likely_enough: plan.likely_enough(),
            proposed: Set::default(),
            best: journal.begin.clone(),
            journal,
            habits,
        });
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
        let Rehearsal { journal, foreseen, .. } = rehearsal?;
        self.threads.helpers.as_mut()?.journal = Some(journal);
        Some(foreseen)
    }

    /// Plans what will be requested after the next candidate, if that is useful: `after` returns this many of them.
    /// They are requested if those before them do not fail, or always.
    pub(in crate::shrink) fn foresee(
        &mut self,
        case: &Case,
        items: usize,
        always: bool,
        after: impl FnOnce(&mut Self, usize) -> Vec<Case>,
    ) {
        let Some(helpers) = self.threads.helpers.as_ref().filter(|helpers| helpers.handing_over) else { return };
        let (pool, threads) = (helpers.pool, helpers.threads);
        if pool.request(case, items) < threads {
            let mut plan = vec![Planned { case: case.clone(), items, after: None }];
            for (place, case) in after(self, threads * AHEAD).into_iter().enumerate() {
                plan.push(Planned { case, items, after: Some(After { place, fails: (!always).then_some(false) }) });
            }
            pool.plan(plan);
        }
    }

    /// Runs a candidate, here or on another thread: returns what it drew, its outcome, and whether a generator
    /// discarded something.
    pub(in crate::shrink) fn run(&mut self, case: &Case, items: usize) -> (Case, Tested, bool) {
        let mut started = None;
        match &self.threads.helpers {
            Some(helpers) if helpers.hands_over() => return self.hand_over(case, items),
            Some(helpers) if helpers.wants_time(self.story.evaluations) => started = Some(Instant::now()),
            _ => {}
        }
        let ran = self.tester.run_within(case, items);
        if let (Some(started), Some(helpers)) = (started, &mut self.threads.helpers) {
            helpers.took(started.elapsed());
        }
        ran
    }

    /// Has a candidate run by a worker.
    fn hand_over(&mut self, case: &Case, items: usize) -> (Case, Tested, bool) {
        let Some(helpers) = &self.threads.helpers else { unreachable!("without helpers nothing is handed over") };
        let (pool, threads) = (helpers.pool, helpers.threads);
        let waiting = pool.request(case, items);
        let journaled = helpers.journal.is_some();
        let length = helpers.journal.as_ref().map_or(0, |journal| journal.answers.len());
        // The longer the journal, the more is predicted at once: then all rehearsals of a pass take no longer than the
        // pass itself.
        let enough = 1 + (threads * AHEAD).max(length / 4);
        let affordable = journaled && helpers.rehearsed * REHEARSING <= helpers.ran;
        if waiting < threads && affordable {
            self.look_ahead(enough);
        }
        let mut again = if affordable { threads } else { 0 };
        let Outcome { drawn, tested, retried, took } = loop {
            match pool.wait(self.tester, again == 0) {
                Waited::Ran(outcome) => break *outcome,
                Waited::RanOut => {
                    again -= 1;
                    self.look_ahead(enough);
                }
            }
        };
        self.tester.context().beat();
        self.story.handed_over += 1;
        if let Some(helpers) = &mut self.threads.helpers {
            helpers.took(took);
        }
        (drawn, tested, retried)
    }
}

fn is_new(best: &Case, proposed: &Set, known: &Known, items: &[Item]) -> bool {
    edit::simpler(items, &best.sequence.items) && !proposed.contains(edit::hash(items)) && !known.tells(items)
}
