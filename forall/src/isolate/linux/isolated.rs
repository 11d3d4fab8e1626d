//! A property whose tests run in child processes.
//!
//! It is a property like any other, so that runners, shrinking, explaining and reports know nothing of processes: what they ask
//! of it, it asks of a child. What a child's test says, draws and comes to is said, drawn and come to here; what ends the child
//! is a failure of the test.

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

/// So often a case of a flaky failure runs alone until it ends its process.
const CONFIRMATIONS: u32 = 10;

/// A property whose tests run in child processes.
pub(crate) struct Isolated {
    outline: Outline,
    literals: &'static str,
    children: Children,
    around: Mutex<Around>,
    /// How many runs more may be spent on seeing that a case ends its process alone.
    confirmations: AtomicU32,
}

/// What a case is run among, when it needs more than itself to fail.
#[derive(Clone, Default)]
struct Around {
    /// What runs before each case, in a new process.
    before: Vec<Case>,
    /// What runs after each case: how the last of these fails is how the case does.
    after: Vec<Case>,
}

/// How a test ended, and what it noted.
enum Ended {
    Ran(Ran, Vec<String>),
    /// It ended its process: what it had noted and drawn by then.
    Died(Death, Vec<String>, Box<Drawn>),
    /// Another test that it was to run among ended the process, or the last of them did not: that says nothing of it.
    Earlier,
}

impl Isolated {
    /// The property in children that are started so. Else why none can be.
    pub(super) fn new(property: &dyn Property, launch: Launch) -> Result<Self, String> {
        Ok(Self {
            outline: property.outline(),
            literals: property.literals(),
            children: Children::new(launch)?,
            around: Mutex::default(),
            confirmations: AtomicU32::new(0),
        })
    }

    /// Ends the children. If there are more tests to run, they get new ones.
    pub(super) fn end(&self) {
        self.children.end();
    }

    /// Whether tests are given up from here on that take much longer than those that ended by themselves, though the time-out is
    /// not over: while many are tried that may hang. Who does this makes sure of what comes out.
    pub(crate) fn hurry(&self, hurry: bool) {
        self.children.hurry(hurry);
    }

    /// The failure is flaky from here on: one that ended a process is run alone up to ten times, with at most so many runs in all.
    pub(crate) fn confirm(&self, runs: u32) {
        self.confirmations.store(runs, Ordering::Relaxed);
    }

    /// The next test meets a process that has run nothing.
    pub(crate) fn begin_anew(&self) {
        self.children.renew();
    }

    /// Whether tests repeat what they do by themselves, as parallel state machines.
    pub(crate) fn repeats(&self) -> bool {
        self.children.repeats()
    }

    /// What the process had run that a test last ended. It is told once.
    pub(crate) fn take_history(&self) -> Option<History> {
        self.children.replace_history(None)
    }

    /// Each case runs after `before` and, if there is something in `after`, is to make the last of these fail: in a new process.
    /// With neither, cases run by themselves, wherever there is a process.
    pub(crate) fn run_among_others(&self, before: Vec<Case>, after: Vec<Case>) {
        *self.around() = Around { before, after };
    }

    fn around(&self) -> MutexGuard<'_, Around> {
        self.around.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Runs a block, and says here what its tests said there.
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

    /// Runs the tests of a block that ended a child, in blocks of one: that a connection is closed is seen only when a block ends,
    /// and this shows which test has closed it.
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

    /// What a block comes to of which a test has ended its process.
    fn crashed(&self, block: &Block, died: Died, progress: &Progress) -> BlockEnd {
        let Died { death, index, .. } = died;
        // The next test is to meet a process as new as a stored counterexample will.
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

    /// Runs a case that ended a process which others have used, in a new one: once, and if the failure is flaky, a few times until it
    /// fails. A process in which only the same case ran is as good as new.
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

    /// Runs a case among those that it needs before it, or after it, in a new process.
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

    /// Whether a case ends a new process in this way after these tests.
    pub(super) fn dies_after(&self, context: &Context, tests: &[Test], case: &Case, failure: &Failure) -> bool {
        self.run_all(context, tests).is_some()
            && match self.ask_run(context, &Source::replay(&case.sequence), &case.steps) {
                Ended::Died(death, ..) => death.failure().same_origin(failure),
                _ => false,
            }
    }

    /// Runs tests in a new process: what they drew. None if they end it.
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

    /// Draws again what a process had drawn that ended. If that ends another one, it is the generator's fault.
    fn draw_again(&self, source: &mut Source, steps: &[Step]) {
        let request = Request::generate(&source.origin(), steps);
        if let Err(death) = self.try_walk(&request, source) {
            let fault = Fault::Panic { quantifier: None, failure: death.failure() };
            Relayed(Tested::Fault(fault)).unwind();
        }
    }

    /// Generates, and what was asked for beside.
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

/// The message that was expected. A child that says anything else was written over by its test.
fn expected<T: Sent>(answer: &[u8]) -> T {
    message::read(answer)
        .unwrap_or_else(|| Relayed(Tested::Fail(Failure::new(FailureKind::Crash, text::NONSENSE))).unwind())
}

fn say_notes(notes: Vec<String>) {
    for note in notes {
        context::note(note);
    }
}

/// Goes on as generating did in the child.
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
                // What the tests before it said has died with the child, so they are run again. If it goes wrong, too, the failure is still the first one's; its history is what was seen first.
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
                // What ends a process that others have used may be of their making: a simpler case is one that does it alone.
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
                // The check may have drawn more, from what was forked for it.
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
