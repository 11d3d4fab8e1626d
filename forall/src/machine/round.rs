//! What the branches of a parallel test do: a new system, the prefix, then all at once, then the search for an explanation;
//! and again.
//!
//! The first branch leads: it makes the system, runs the prefix, and looks at what came of it, so that models never leave its
//! thread and one system is put away before the next is made.

use super::explained::Explained;
use super::generating::advance;
use super::illustrated::{illustrated, panicked};
use super::last_words::LastWords;
use super::picture::{Drawn, Picture};
use super::program::Program;
use super::provoke::{Dice, Disturbed, pin};
use super::repeat::Repeats;
use super::sequential::{IN_SPECIFICATION, called};
use super::team::Barrier;
use super::{Provoke, Ref, Results, Shared, Spec};
use crate::context::Context;
use crate::linearizability::{Checker, History, Linearizability, Operation, Order};
use crate::panic::{self, Caught, Unwound};
use crate::property::{Failure, FailureKind};
use std::any::Any;
use std::sync::atomic::{AtomicBool, AtomicU32, AtomicU64, Ordering, fence};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// How a program is repeated.
pub(super) struct How {
    /// Which order an explanation must keep; none if none is searched for.
    pub(super) order: Option<Order>,
    pub(super) provoke: Provoke,
    /// How often, unless it fails.
    pub(super) repeats: Repeats,
}

/// What came of all repetitions.
#[derive(Default)]
pub(super) struct Ended {
    pub(super) repetitions: u64,
    pub(super) failure: Option<Failure>,
    pub(super) picture: Option<Picture>,
    /// Something that is no failure, and ends the test all the same: an assumption that does not hold, a misuse.
    pub(super) signal: Option<Box<dyn Any + Send>>,
    /// How often the search for an explanation was given up.
    pub(super) undecided: u64,
}

/// The search for an explanation is given up after this many configurations, a second or so.
const CONFIGURATIONS: u64 = 200_000;

pub(super) struct Rounds<S: Shared> {
    program: Arc<Program<S>>,
    how: How,
    context: Context,
    began: Instant,
    barrier: Barrier,
    /// What each branch runs on, and what the prefix responded.
    starts: Vec<Mutex<Option<Start<S>>>>,
    logs: Vec<Mutex<Vec<Done<S>>>>,
    /// What each branch is doing, for whoever waits.
    doing: Vec<AtomicU32>,
    pulse: AtomicU64,
    last_words: LastWords,
    over: AtomicBool,
    ended: Mutex<Ended>,
}

struct Start<S: Spec> {
    system: S::System,
    prefix: Arc<Vec<S::Response>>,
}

/// Where the branches begin.
struct Prepared<S: Spec> {
    model: S::Model,
    prefix: Arc<Vec<S::Response>>,
}

/// A command that ran.
pub(super) struct Done<S: Spec> {
    /// The command with its references resolved, if it has some.
    pub(super) resolved: Option<S::Command>,
    pub(super) response: Result<S::Response, Caught>,
    pub(super) called: u64,
    pub(super) returned: u64,
}

/// What a branch is doing, if it runs no command.
const WAITING: u32 = u32::MAX;
const LEADING: u32 = u32::MAX - 1;
/// A command of the prefix: this and its number.
const PREFIX: u32 = 1 << 31;

impl<S: Shared> Rounds<S> {
    pub(super) fn new(program: Arc<Program<S>>, how: How, context: Context) -> Self {
        let size = program.branches.len();
        Self {
            program,
            how,
            last_words: LastWords::begin(context.clone()),
            context,
            began: Instant::now(),
            barrier: Barrier::new(size),
            starts: (0..size).map(|_| Mutex::new(None)).collect(),
            logs: (0..size).map(|_| Mutex::new(Vec::new())).collect(),
            doing: (0..size).map(|_| AtomicU32::new(WAITING)).collect(),
            pulse: AtomicU64::new(0),
            over: AtomicBool::new(false),
            ended: Mutex::default(),
        }
    }

    /// Changes as long as something happens.
    pub(super) fn pulse(&self) -> u64 {
        let mut pulse = self.pulse.load(Ordering::Relaxed) << 32;
        for doing in &self.doing {
            pulse = pulse.wrapping_mul(31).wrapping_add(u64::from(doing.load(Ordering::Relaxed)));
        }
        pulse
    }

    /// How it is repeated.
    pub(super) fn repeats(&self) -> &Repeats {
        &self.how.repeats
    }

    /// What came of it, when all branches are through.
    pub(super) fn ended(&self) -> Ended {
        std::mem::take(&mut *lock(&self.ended))
    }

    /// What came of it when they never will be: says which branch hangs where. In a process for this test alone it does not come back.
    pub(super) fn hung(&self) -> Ended {
        let after = self.how.repeats.hangs_after;
        self.barrier.abandon();
        let mut who = Vec::new();
        for (branch, doing) in self.doing.iter().enumerate() {
            match doing.load(Ordering::Relaxed) {
                WAITING => {}
                LEADING => who.push("the system's start or end, or the specification".to_owned()),
                at if at >= PREFIX => {
                    let command = self.program.prefix.get((at - PREFIX) as usize);
                    who.extend(command.map(|command| format!("{command:?} of the prefix")));
                }
                at => {
                    let command = &self.program.branches[branch].get(at as usize);
                    who.extend(command.map(|command| format!("branch {} in {command:?}", branch + 1)));
                }
            }
        }
        let who = crate::text::joined(&who, ", and ");
        let text = format!("the system hangs: nothing happens for {after:?}, and what does not return is {who}");
        self.last_words.say(|| text.clone());
        await_the_end(&self.context, after);
        let failure = Failure::new(FailureKind::Hang, text);
        let repetitions = self.pulse.load(Ordering::Relaxed);
        Ended { repetitions, failure: Some(failure), ..Ended::default() }
    }

    /// What one branch does, from the first repetition to the last.
    pub(super) fn member(&self, branch: usize) {
        let ended = panic::catch_once(|| self.repeat(branch));
        if let Err(unwound) = ended {
            // All that is left is what runs when values are dropped. Nobody is to wait for this branch.
            match unwound {
                Unwound::Signal(signal) => lock(&self.ended).signal = Some(signal),
                Unwound::Panic(caught) => self.fail(error(caught, "dropping a response"), None),
            }
            self.over.store(true, Ordering::Release);
            self.barrier.abandon();
        }
    }

    fn repeat(&self, branch: usize) {
        let _active = self.context.activate();
        let provoke = self.how.provoke;
        let _pinned = if provoke.pin { pin(branch) } else { None };
        let _disturbed = provoke.signals.then(Disturbed::begin);
        let _quiet = panic::Quiet::begin();
        let mut dice = Dice::new(self.began.elapsed().as_nanos() as u64 + branch as u64);
        let doing = &self.doing[branch];
        loop {
            let mut prepared = None;
            if branch == 0 {
                doing.store(LEADING, Ordering::Relaxed);
                prepared = self.prepare();
                doing.store(WAITING, Ordering::Relaxed);
            }
            if !self.barrier.wait() || self.over.load(Ordering::Acquire) {
                return;
            }
            let Some(mut start) = lock(&self.starts[branch]).take() else { return };
            let mut log = std::mem::take(&mut *lock(&self.logs[branch]));
            log.clear();
            if !self.barrier.wait_to_start() {
                return;
            }
            provoke.before_branch(&mut dice);
            self.run_branch(branch, &mut start, &mut log, &mut dice);
            doing.store(WAITING, Ordering::Relaxed);
            *lock(&self.logs[branch]) = log;
            *lock(&self.starts[branch]) = Some(start);
            if !self.barrier.wait() {
                return;
            }
            if let Some(Prepared { model, prefix }) = prepared {
                doing.store(LEADING, Ordering::Relaxed);
                self.conclude(&model, &prefix);
            }
        }
    }

    /// A new system, brought to where the branches begin. None when it is over.
    fn prepare(&self) -> Option<Prepared<S>> {
        let done = self.pulse.load(Ordering::Relaxed);
        if self.how.repeats.are_enough(done) || self.context.is_abandoned() || self.over.load(Ordering::Relaxed) {
            self.over.store(true, Ordering::Release);
            return None;
        }
        say_repetitions(&self.context, done + 1);
        let spec = &*self.program.spec;
        let made = self.catching(|| (spec.model(), self.make_system()));
        let prepared = made.and_then(|(model, system)| self.run_prefix(model, system?));
        if prepared.is_none() {
            self.over.store(true, Ordering::Release);
        }
        prepared
    }

    fn make_system(&self) -> Option<S::System> {
        match called(|| self.program.spec.system()) {
            Ok(system) => Some(system),
            Err(caught) => {
                self.fail(error(caught, "making the system"), None);
                None
            }
        }
    }

    /// Brings a new system to where the branches begin; puts it away if that fails.
    fn run_prefix(&self, mut model: S::Model, mut system: S::System) -> Option<Prepared<S>> {
        self.last_words.again();
        let mut responses = Vec::new();
        let shared = self.catching(|| {
            self.run_prefix_on(&mut model, &mut system, &mut responses)?;
            Some(self.starts[1..].iter().map(|_| self.program.spec.share(&mut system)).collect::<Vec<_>>())
        });
        let Some(handles) = shared.flatten() else {
            self.illustrate(&responses, &[]);
            self.doing[0].store(LEADING, Ordering::Relaxed);
            self.put_away(system, &responses, &[]);
            return None;
        };
        let prefix = Arc::new(responses);
        for (start, system) in self.starts.iter().zip(std::iter::once(system).chain(handles)) {
            *lock(start) = Some(Start { system, prefix: Arc::clone(&prefix) });
        }
        Some(Prepared { model, prefix })
    }

    fn run_prefix_on(
        &self,
        model: &mut S::Model,
        system: &mut S::System,
        responses: &mut Vec<S::Response>,
    ) -> Option<()> {
        let Program { spec, prefix, .. } = &*self.program;
        let spec = &**spec;
        for (number, command) in prefix.iter().enumerate() {
            self.doing[0].store(PREFIX + number as u32, Ordering::Relaxed);
            let resolved = spec.resolve(command, &Results::in_sequence(responses));
            let ran = resolved.as_ref().unwrap_or(command);
            self.last_words.say(|| format!("{ran:?}"));
            let response = match called(|| spec.run(system, ran)) {
                Ok(response) => response,
                Err(caught) => {
                    let mut picture = illustrated(&self.program, responses, &[]);
                    let response = Some(panicked(&caught));
                    picture.prefix.push(Drawn { command: format!("{command:?}"), response, called: 0, returned: None });
                    let failure = error(caught, &format!("{command:?}, a command of the prefix"));
                    self.fail(failure, Some(picture));
                    return None;
                }
            };
            self.last_words.say(|| format!("    : {response:?}"));
            responses.push(response);
            if !spec.postcondition(model, ran, &responses[number]) {
                let expected = spec.expected(model, ran).map_or(String::new(), |text| format!(", expected {text}"));
                let text =
                    format!("the model allows no such response of {command:?}, the last of the prefix{expected}");
                self.fail(Failure::new(FailureKind::Falsified, text), None);
                return None;
            }
            advance(spec, model, command, Ref::nth(number as u32));
        }
        self.doing[0].store(LEADING, Ordering::Relaxed);
        if let Err(why) = spec.invariant(model, system) {
            let text = format!("an invariant does not hold after the prefix: {why}");
            self.fail(Failure::new(FailureKind::Falsified, text), None);
            return None;
        }
        Some(())
    }

    fn run_branch(&self, branch: usize, start: &mut Start<S>, log: &mut Vec<Done<S>>, dice: &mut Dice) {
        let Program { spec, branches, .. } = &*self.program;
        let strict = self.how.order == Some(Order::RealTime);
        for (at, command) in branches[branch].iter().enumerate() {
            self.doing[branch].store(at as u32, Ordering::Relaxed);
            let resolved = self.resolved(branch, command, start, log);
            let ran = resolved.as_ref().unwrap_or(command);
            self.last_words.say(|| format!("branch {}: {ran:?}", branch + 1));
            let called_at = self.now();
            // What was written before a command returned must be there for what is called after it, or the times mean
            // nothing: processors keep writes to themselves for a while.
            if strict {
                fence(Ordering::SeqCst);
            }
            let response = match panic::catch(|| spec.run(&mut start.system, ran)) {
                Ok(response) => Ok(response),
                Err(Unwound::Panic(caught)) => Err(caught),
                Err(Unwound::Signal(signal)) => {
                    lock(&self.ended).signal = Some(signal);
                    return;
                }
            };
            if strict {
                fence(Ordering::SeqCst);
            }
            let returned = self.now();
            if let Ok(response) = &response {
                self.last_words.say(|| format!("branch {}:     : {response:?}", branch + 1));
            }
            let ends = response.is_err();
            log.push(Done { resolved, response, called: called_at, returned });
            if ends {
                return;
            }
            self.how.provoke.between_commands(dice);
        }
    }

    /// The command with its references resolved, if it has some.
    fn resolved(&self, branch: usize, command: &S::Command, start: &Start<S>, log: &[Done<S>]) -> Option<S::Command> {
        let own = |at: usize| log.get(at).and_then(|done| done.response.as_ref().ok());
        let results = Results::in_branch(&start.prefix, branch, &own);
        self.catching(|| self.program.spec.resolve(command, &results)).flatten()
    }

    /// Looks at what the branches did, and puts the system away.
    fn conclude(&self, model: &S::Model, prefix: &[S::Response]) {
        let logs: Vec<MutexGuard<'_, Vec<Done<S>>>> = self.logs.iter().map(lock).collect();
        let mut systems: Vec<S::System> = Vec::new();
        for start in &self.starts {
            systems.extend(lock(start).take().map(|start| start.system));
        }
        // The first one is the system itself, the others are handles.
        self.catching(|| systems.truncate(1));
        if let Some(mut system) = systems.pop() {
            let views: Vec<&[Done<S>]> = logs.iter().map(|log| log.as_slice()).collect();
            self.catching(|| self.judge(model, &views, &mut system));
            self.illustrate(prefix, &views);
            self.put_away(system, prefix, &views);
        }
        self.pulse.fetch_add(1, Ordering::Relaxed);
        lock(&self.ended).repetitions += 1;
        let ended = lock(&self.ended);
        if ended.failure.is_some() || ended.signal.is_some() {
            self.over.store(true, Ordering::Release);
        }
    }

    fn judge(&self, model: &S::Model, views: &[&[Done<S>]], system: &mut S::System) {
        if lock(&self.ended).signal.is_some() {
            return;
        }
        for (branch, log) in views.iter().enumerate() {
            if let Some(Done { response: Err(caught), .. }) = log.last() {
                let command = &self.program.branches[branch][log.len() - 1];
                self.fail(error(caught.clone(), &format!("{command:?} of branch {}", branch + 1)), None);
                return;
            }
        }
        let Some(order) = self.how.order else { return };
        let explained = Explained::new(&self.program, views, model, system);
        let mut operations = Vec::new();
        for (branch, log) in views.iter().enumerate() {
            for (at, done) in log.iter().enumerate() {
                let (process, returned) = (branch as u64, Some(done.returned));
                operations.push(Operation {
                    process,
                    input: (branch, at),
                    output: Some(()),
                    call: done.called,
                    returned,
                });
            }
        }
        let Ok(history) = History::new(operations) else {
            // Clocks of different cores that disagree: nothing can be said of this repetition.
            lock(&self.ended).undecided += 1;
            return;
        };
        match Checker::new(&explained).order(order).limit(CONFIGURATIONS).check(&history) {
            Linearizability::Linearizable(_) => {}
            Linearizability::Undecided { .. } => lock(&self.ended).undecided += 1,
            Linearizability::Violation(stuck) => {
                let mut text = match order {
                    Order::RealTime => "no order of the commands explains the responses".to_owned(),
                    Order::PerProcess => {
                        "no order of the commands explains the responses, whatever the clocks say".to_owned()
                    }
                };
                if let Some(why) = explained.why_not_the_end().filter(|_| stuck.candidates.is_empty()) {
                    text = format!("the end is not as it should be, whatever the order of the commands: {why}");
                    if explained.end_changes_the_system() {
                        text += &format!("\n({CHANGES_THE_SYSTEM})");
                    }
                }
                self.fail(Failure::new(FailureKind::Falsified, text), None);
            }
        }
    }

    /// Puts the system away, whatever came of it. What it did is for the picture, should that fail.
    fn put_away(&self, system: S::System, prefix: &[S::Response], views: &[&[Done<S>]]) {
        self.last_words.say(|| "cleaning up".to_owned());
        let failure = match self.catching(|| called(|| self.program.spec.cleanup(system))) {
            None | Some(Ok(Ok(()))) => return,
            Some(Ok(Err(why))) => Failure::new(FailureKind::Error, format!("cleaning up failed: {why}")),
            Some(Err(caught)) => error(caught, "cleaning up"),
        };
        self.fail(failure, None);
        self.illustrate(prefix, views);
    }

    /// The first failure stands.
    fn fail(&self, failure: Failure, picture: Option<Picture>) {
        let mut ended = lock(&self.ended);
        if ended.failure.is_none() {
            (ended.failure, ended.picture) = (Some(failure), picture);
        }
    }

    /// Draws what was run for a failure that has no picture.
    fn illustrate(&self, prefix: &[S::Response], views: &[&[Done<S>]]) {
        let mut ended = lock(&self.ended);
        if ended.failure.is_some() && ended.picture.is_none() {
            ended.picture = Some(illustrated(&self.program, prefix, views));
        }
    }

    /// Runs code of the specification; what unwinds out of it ends the test.
    fn catching<T>(&self, body: impl FnOnce() -> T) -> Option<T> {
        match panic::catch_once(body) {
            Ok(value) => Some(value),
            Err(Unwound::Signal(signal)) => {
                lock(&self.ended).signal = Some(signal);
                None
            }
            Err(Unwound::Panic(caught)) => {
                let mut failure = Failure::from(caught);
                failure.message += &format!("\n({IN_SPECIFICATION})");
                self.fail(failure, None);
                None
            }
        }
    }

    fn now(&self) -> u64 {
        self.began.elapsed().as_nanos() as u64
    }
}

/// What is said of an end that does.
const CHANGES_THE_SYSTEM: &str = "`at_end` was called for several models, and says something else of the first one when it is \
    called again: it must leave the system as it is";

/// Tells another process how often was repeated, should this one not survive it.
fn say_repetitions(context: &Context, times: u64) {
    context.say_repetitions(times);
}

/// Says that this process hangs, if another one hears it, and waits to be ended: threads that hang cannot be stopped otherwise.
fn await_the_end(context: &Context, after: Duration) {
    while context.say_it_hangs(after) {
        std::thread::park();
    }
}

fn error(caught: Caught, doing: &str) -> Failure {
    let mut failure = Failure::from(caught);
    failure.message += &format!("\n(an error of the system, in {doing})");
    failure
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
