//! A property whose tests run in child processes.
//!
//! It implements the property trait, so runners, shrinking, explaining and reports do not depend on processes: it
//! forwards each call to a child. Labels, notes, draws and outcomes of a child's test are reproduced here; a crash of
//! the child is a failure of the test.

use super::children::{Answered, Children, Died};
use super::death::Death;
use super::history::{History, Test};
use super::message::{self, BlockRan, Manner, Ran, Request, Walk, Walked};
use super::process::Launch;
use super::values::Sent;
use crate::choice::{Drawn, Rejected, Source};
use crate::context::{self, Context, Phase};

use crate::isolate::text;
use crate::panic::Caught;
use crate::property::{
    Binding, Block, BlockEnd, Failure, FailureKind, Measure, Outcome, Outline, Progress, Property, Step, Stop,
};
use crate::run::{Case, Fault, Tested};
use crate::testing::guest::Relayed;
use std::panic::resume_unwind;
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// The maximum number of times that a case of a flaky failure is rerun alone until it crashes.
const CONFIRMATIONS: u32 = 10;

/// A property whose tests run in child processes.
pub(crate) struct Isolated {
    outline: Outline,
    literals: &'static str,
    children: Children,
    around: Mutex<Around>,
    /// The remaining runs for confirming that a case crashes alone.
    confirmations: AtomicU32,
}

/// The tests among which a case runs, if it fails only with these.
#[derive(Clone, Default)]
struct Around {
    /// The tests that run before each case, in a new process.
    before: Vec<Case>,
    /// The tests that run after each case: the failure of the last one is that of the case.
    after: Vec<Case>,
}

/// How a test ended, and its notes.
enum Ended {
    Ran(Ran, Vec<String>),
    /// It crashed its process: how, and its notes and choices so far.
    Died(Death, Vec<String>, Box<Drawn>),
    /// Inconclusive: a setup case crashed, or the final case did not.
    Earlier,
}

impl Isolated {
    /// Creates the property, with children that are started by `launch`; returns an error if they cannot be started.
    pub(super) fn new(property: &dyn Property, launch: Launch) -> Result<Self, String> {
        Ok(Self {
            outline: property.outline(),
            literals: property.literals(),
            children: Children::new(launch)?,
            around: Mutex::default(),
            confirmations: AtomicU32::new(0),
        })
    }

    /// Ends the children. New ones start on demand.
    pub(super) fn end(&self) {
        self.children.end();
    }

    /// Kills tests that take much longer than those before, although the timeout is not reached: while many candidates
    /// may hang. The caller confirms the result.
    pub(crate) fn hurry(&self, hurry: bool) {
        self.children.hurry(hurry);
    }

    /// Marks the failure as flaky: one that crashed a process is rerun alone up to ten times, with at most this many
    /// runs in total.
    pub(crate) fn confirm(&self, runs: u32) {
        self.confirmations.store(runs, Ordering::Relaxed);
    }

    /// Starts a fresh process for the next test.
    pub(crate) fn begin_anew(&self) {
        self.children.renew();
    }

    /// Whether tests repeat themselves, as those of parallel state machines do.
    pub(crate) fn repeats(&self) -> bool {
        self.children.repeats()
    }

    /// The history of the process that crashed last. Returned once.
    pub(crate) fn take_history(&self) -> Option<History> {
        self.children.replace_history(None)
    }

    /// Runs each case in a new process: after `before`, and followed by `after`, of which the last must fail. If both
    /// are empty, cases run alone in any process.
    pub(crate) fn run_among_others(&self, before: Vec<Case>, after: Vec<Case>) {
        *self.around() = Around { before, after };
    }

    fn around(&self) -> MutexGuard<'_, Around> {
        self.around.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Runs a block, and reproduces the labels of its tests here.
    fn ask_block(&self, context: &Context, block: &Block, progress: &Progress) -> Result<BlockEnd, Died> {
        let request = Request::block(block);
        let answer = match self.children.ask(context, &request, block.indices.start, Some(block)) {
            Answered::With(answer) => answer,
            Answered::Died(died) => return Err(died),
        };
        let ran: BlockRan = expected(&answer);
        self.children.remember(|history| history.add_block(block, ran.index));
        progress.index.store(ran.index, Ordering::Relaxed);
        progress.discard_others(ran.discarded);
        context.add_statistics(&ran.statistics);
        match ran.stopped_by {
            None => Ok(BlockEnd { index: ran.index, failure: None }),
            Some(Tested::Fail(failure)) => Ok(BlockEnd { index: ran.index, failure: Some(Box::new(failure)) }),
            Some(tested) => Relayed(tested).unwind(),
        }
    }

    /// Reruns the tests of a block that crashed a child, in blocks of one: a closed connection is noticed only at the
    /// end of a block, and this shows which test has closed it.
    fn run_one_by_one(&self, context: &Context, block: &Block, progress: &Progress, died: Died) -> BlockEnd {
        self.take_history();
        for index in block.indices.clone() {
            match self.ask_block(context, &Block { indices: index..index + 1, ..block.clone() }, progress) {
                Ok(BlockEnd { failure: None, .. }) => {}
                Ok(failed) => return failed,
                Err(died) => return self.crashed(block, died, progress),
            }
        }
        self.crashed(block, died, progress)
    }

    /// The result of a block in which a test crashed.
    fn crashed(&self, block: &Block, died: Died, progress: &Progress) -> BlockEnd {
        let Died { death, index, .. } = died;
        // The next test gets a fresh process, as a saved failure will.
        self.begin_anew();
        progress.index.store(index, Ordering::Relaxed);
        self.draw_again(&mut Source::test(block.seed, index, block.sizes.of(index)), &[]);
        BlockEnd { index, failure: Some(Box::new(death.failure())) }
    }

    /// Runs a test.
    fn ask_run(&self, context: &Context, source: &Source, steps: &[Step]) -> Ended {
        let manner = Manner {
            notes: context.wants_notes(),
            labels: context.counts_labels(),
            to_the_end: context.is_waited_for(),
            is_one_of_many: context.is_one_of_many(),
            is_candidate: context.phase().0 != Phase::Testing && !context.is_one_of_many(),
            shows_draws: source.shows_draws(),
            hurries: self.children.hurries(),
            fails_after: self.children.fails_after(),
        };
        let request = Request::run(context.index(), manner, &source.origin(), steps);
        match self.children.ask(context, &request, context.index(), None) {
            Answered::With(answer) => {
                let ran: Ran = expected(&answer);
                self.children.remember(|history| history.add(&source.origin(), steps));
                Ended::Ran(ran, if manner.notes { self.children.notes() } else { Vec::new() })
            }
            Answered::Died(Died { death, mut notes, mut drawn, .. }) => {
                notes.extend(death.note());
                drawn.sequence.size = source.origin().size;
                Ended::Died(death, notes, drawn)
            }
        }
    }

    /// Reruns a case that crashed a used process in a new one: once, and if the failure is flaky, until it fails, a few
    /// times. A process in which only the same case ran counts as new.
    fn run_alone(&self, context: &Context, source: &Source, steps: &[Step]) -> Ended {
        for _ in 1..CONFIRMATIONS {
            let ended = self.ask_run(context, source, steps);
            let left = self.confirmations.load(Ordering::Relaxed);
            if left == 0 || matches!(ended, Ended::Died(..)) {
                return ended;
            }
            self.confirmations.store(left - 1, Ordering::Relaxed);
        }
        self.ask_run(context, source, steps)
    }

    /// Runs a case with the tests that it needs before or after it, in a new process.
    fn run_among(&self, context: &Context, source: &Source, steps: &[Step]) -> Ended {
        let Around { before, after } = self.around().clone();
        self.children.renew();
        let run = |case: &Case| self.ask_run(context, &Source::replay(&case.sequence), &case.steps);
        for case in &before {
            if let Ended::Died(..) = run(case) {
                return Ended::Earlier;
            }
        }
        let ended = self.ask_run(context, source, steps);
        let Some((last, others)) = after.split_last() else { return ended };
        if let Ended::Died(..) = ended {
            return Ended::Earlier;
        }
        for case in others {
            if let Ended::Died(..) = run(case) {
                return Ended::Earlier;
            }
        }
        match run(last) {
            Ended::Ran(..) => Ended::Earlier,
            died => died,
        }
    }

    /// Whether a case crashes a new process in this way after these tests.
    pub(super) fn dies_after(&self, context: &Context, tests: &[Test], case: &Case, failure: &Failure) -> bool {
        self.run_all(context, tests).is_some()
            && match self.ask_run(context, &Source::replay(&case.sequence), &case.steps) {
                Ended::Died(death, ..) => death.failure().same_origin(failure),
                _ => false,
            }
    }

    /// Runs tests in a new process, and returns their choices. `None` if they crash.
    pub(super) fn run_all(&self, context: &Context, tests: &[Test]) -> Option<Vec<Case>> {
        self.children.renew();
        let mut cases = Vec::new();
        for test in tests {
            let (source, steps) = match test {
                Test::Random { seed, index, size } => (Source::test(*seed, *index, *size), &[][..]),
                Test::Input(input) => (input.source(), &input.steps[..]),
            };
            match self.ask_run(context, &source, steps) {
                Ended::Ran(ran, _) => cases.push(Case { sequence: ran.drawn, steps: steps.to_vec() }),
                _ => return None,
            }
        }
        Some(cases)
    }

    /// Repeats the choices of a crashed process. If another one crashes, the generator is at fault.
    fn draw_again(&self, source: &mut Source, steps: &[Step]) {
        let request = Request::generate(&source.origin(), steps);
        if let Err(death) = self.try_walk(&request, source) {
            let fault = Fault::Panic { quantifier: None, failure: death.failure() };
            Relayed(Tested::Fault(fault)).unwind();
        }
    }

    /// Generates, and performs the additional request.
    fn walk(&self, request: &[u8], source: &mut Source) -> Walked {
        self.try_walk(request, source).unwrap_or_else(|death| {
            let Failure { message, .. } = death.failure();
            resume_unwind(Box::new(Caught { message, location: None, backtrace: None }))
        })
    }

    fn try_walk(&self, request: &[u8], source: &mut Source) -> Result<Walked, Death> {
        let context = context::context();
        match self.children.ask(&context, request, context.index(), None) {
            Answered::With(answer) => {
                let mut walked: Walked = expected(&answer);
                source.adopt(std::mem::take(&mut walked.drawn), walked.size_was_read);
                Ok(walked)
            }
            Answered::Died(Died { death, .. }) => Err(death),
        }
    }

    /// Runs an explicit example of the property.
    pub(crate) fn run_example(&self, place: usize) -> Tested {
        let context = context::context();
        match self.children.ask(&context, &Request::example(place as u32), 0, None) {
            Answered::With(answer) => {
                self.children.remember(|history| history.forget());
                say_notes(self.children.notes());
                expected::<Ran>(&answer).tested
            }
            Answered::Died(Died { death, notes, .. }) => {
                say_notes(notes);
                say_notes(death.note().into_iter().collect());
                Tested::Fail(death.failure())
            }
        }
    }
}

/// The expected message. If a child sends anything else, its test has corrupted memory.
fn expected<T: Sent>(answer: &[u8]) -> T {
    message::read(answer)
        .unwrap_or_else(|| Relayed(Tested::Fail(Failure::new(FailureKind::Crash, text::NONSENSE))).unwind())
}

fn say_notes(notes: Vec<String>) {
    for note in notes {
        context::note(note);
    }
}

/// Ends in the same way as generating did in the child.
fn resume(walk: Walk) -> Result<(), Stop> {
    match walk {
        Walk::Done => Ok(()),
        Walk::Discarded(discarded) => Err(Stop::Discarded(Box::new(discarded))),
        Walk::NoSuchStep => Err(Stop::NoSuchStep),
        Walk::Panicked(caught) => resume_unwind(Box::new(caught)),
        Walk::Rejected => resume_unwind(Box::new(Rejected)),
        Walk::ContractBroken(broken) => resume_unwind(Box::new(broken)),
        Walk::Misused(misuse) => resume_unwind(Box::new(misuse)),
    }
}

impl Property for Isolated {
    fn outline(&self) -> Outline {
        self.outline.clone()
    }

    fn literals(&self) -> &'static str {
        self.literals
    }

    fn run_block(&self, block: &Block, progress: &Progress) -> BlockEnd {
        let context = context::context();
        match self.ask_block(&context, block, progress) {
            Ok(end) => end,
            Err(died) if died.death.how == text::Ended::Silent => self.run_one_by_one(&context, block, progress, died),
            Err(died) => {
                // The labels of the earlier tests were lost with the child, so these tests are rerun. If that crashes
                // as well, the first failure and its history are reported.
                let before = Block { indices: block.indices.start..died.index, ..block.clone() };
                let history = self.take_history();
                let said_again = !before.indices.is_empty() && self.ask_block(&context, &before, progress).is_ok();
                self.children.replace_history(history);
                if !said_again {
                    progress.discard_others(died.discarded);
                }
                self.crashed(block, died, progress)
            }
        }
    }

    fn run(&self, source: &mut Source, steps: &[Step]) -> Result<Outcome, Stop> {
        let context = context::context();
        let among = {
            let around = self.around();
            !around.before.is_empty() || !around.after.is_empty()
        };
        let ended = if among {
            self.run_among(&context, source, steps)
        } else {
            let was_new = self.children.is_new();
            match self.ask_run(&context, source, steps) {
                // A crash of a used process may be caused by earlier tests: a simpler case must crash alone.
                Ended::Died(..) if !was_new && context.phase().0 != Phase::Testing => {
                    self.run_alone(&context, source, steps)
                }
                ended => ended,
            }
        };
        let (ran, notes) = match ended {
            Ended::Ran(ran, notes) => (ran, notes),
            Ended::Died(death, notes, drawn) => {
                let Drawn { sequence, shown } = *drawn;
                if context.wants_notes() {
                    say_notes(notes);
                }
                self.draw_again(source, steps);
                // The check may have drawn more, from forked sources.
                if sequence.has_forks() {
                    source.adopt(sequence, false);
                }
                if source.shows_draws() {
                    source.adopt_shown(shown);
                }
                return Ok(Outcome::Fail(Box::new(death.failure())));
            }
            Ended::Earlier => {
                self.draw_again(source, steps);
                return Ok(Outcome::Pass);
            }
        };
        source.adopt(ran.drawn, false);
        if source.shows_draws() {
            source.adopt_shown(ran.shown);
        }
        context.say_again(ran.said);
        if context.wants_notes() {
            say_notes(notes);
        }
        if let Some(score) = ran.score {
            context::target(score);
        }
        match ran.tested {
            Tested::Pass => Ok(Outcome::Pass),
            Tested::Fail(failure) => Ok(Outcome::Fail(Box::new(failure))),
            Tested::Discard(None) => Ok(Outcome::Discard),
            Tested::Discard(Some(discarded)) => Err(Stop::Discarded(Box::new(discarded))),
            Tested::NoSuchStep => Err(Stop::NoSuchStep),
            Tested::Fault(_) => Relayed(ran.tested).unwind(),
        }
    }

    fn print(&self, source: &mut Source, steps: &[Step]) -> Result<Vec<Binding>, Stop> {
        let Walked { walk, bindings, .. } = self.walk(&Request::print(&source.origin(), steps), source);
        resume(walk).map(|()| bindings)
    }

    fn generate(&self, source: &mut Source, steps: &[Step]) -> Result<(), Stop> {
        resume(self.walk(&Request::generate(&source.origin(), steps), source).walk)
    }

    fn candidates(
        &self,
        source: &mut Source,
        steps: &[Step],
        quantifier: u32,
        candidates: &mut Vec<Measure>,
    ) -> Result<(), Stop> {
        let request = Request::candidates(quantifier, &source.origin(), steps);
        let Walked { walk, measures, .. } = self.walk(&request, source);
        candidates.extend(measures);
        resume(walk)
    }
}
