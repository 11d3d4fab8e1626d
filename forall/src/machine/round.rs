//! The repetitions of a parallel test: each creates a system, runs the prefix, then all branches at once, and searches
//! for an explanation.
//!
//! The first branch leads: it creates the system, runs the prefix, and checks the results, so that models never leave
//! its thread and each system is cleaned up before the next is created.

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
use crate::context::{self, Context};
use crate::linearizability::{Checker, History, Linearizability, Operation, Order};
use crate::panic::{self, Caught, Unwound};
use crate::property::{Failure, FailureKind};
use crate::scheduler;
use std::any::Any;
use std::sync::atomic::{AtomicBool, AtomicU32, AtomicU64, Ordering, fence};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// How a program is repeated.
pub(super) struct How {
    /// Whether a scheduler has the branches run one at a time.
    pub(super) is_controlled: bool,
    /// The order that an explanation must respect; `None` if none is searched for.
    pub(super) order: Option<Order>,
    pub(super) provoke: Provoke,
    /// The number of repetitions, unless one fails.
    pub(super) repeats: Repeats,
}

/// The result of all repetitions.
#[derive(Default)]
pub(super) struct Ended {
    pub(super) repetitions: u64,
    pub(super) failure: Option<Failure>,
    pub(super) picture: Option<Picture>,
    /// A reason to end the test that is not a failure: a violated assumption, or a misuse.
    pub(super) signal: Option<Box<dyn Any + Send>>,
    /// How often the search for an explanation was given up.
    pub(super) undecided: u64,
}

/// The search for an explanation is given up after this many configurations, which take about a second.
const CONFIGURATIONS: u64 = 200_000;

pub(super) struct Rounds<S: Shared> {
    program: Arc<Program<S>>,
    how: How,
    context: Context,
    began: Instant,
    barrier: Barrier,
    /// For each branch its handle, and the responses of the prefix.
    starts: Vec<Mutex<Option<Start<S>>>>,
    /// The responses of a prefix that runs under a scheduler, and the panic that ended it.
    led: Mutex<(Vec<S::Response>, Option<Caught>)>,
    logs: Vec<Mutex<Vec<Done<S>>>>,
    /// The activity of each branch, for the waiting thread.
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

/// The state at which the branches begin.
pub(super) struct Prepared<S: Spec> {
    pub(super) model: S::Model,
    pub(super) prefix: Arc<Vec<S::Response>>,
}

/// A command that ran.
pub(super) struct Done<S: Spec> {
    /// The command with its references resolved, if it has any.
    pub(super) resolved: Option<S::Command>,
    pub(super) response: Result<S::Response, Caught>,
    pub(super) called: u64,
    pub(super) returned: u64,
}

/// The activity of a branch that runs no command.
const WAITING: u32 = u32::MAX;
const LEADING: u32 = u32::MAX - 1;
/// A command of the prefix: this bit and the command's number.
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
            led: Mutex::default(),
            logs: (0..size).map(|_| Mutex::new(Vec::new())).collect(),
            doing: (0..size).map(|_| AtomicU32::new(WAITING)).collect(),
            pulse: AtomicU64::new(0),
            over: AtomicBool::new(false),
            ended: Mutex::default(),
        }
    }

    /// A number that changes as long as the branches make progress.
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

    /// The result, after all branches have ended.
    pub(super) fn ended(&self) -> Ended {
        std::mem::take(&mut *lock(&self.ended))
    }

    /// The result if they never end: it says which branch hangs, and where. In an isolated process it does not return then. If no
    /// code of the test runs, nothing hangs but the machine, and the result is that of the repetitions so far.
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
        if who.is_empty() {
            context::label("given up: the machine had no time for the branches");
            return self.ended();
        }
        let who = crate::text::joined(&who, ", and ");
        let text = format!("the system hangs: no progress for {after:?}; still running: {who}");
        self.last_words.record(|| text.clone());
        await_the_end(&self.context, after);
        let failure = Failure::new(FailureKind::Hang, text);
        let repetitions = self.pulse.load(Ordering::Relaxed);
        Ended { repetitions, failure: Some(failure), ..Ended::default() }
    }

    /// Runs one branch, from the first repetition to the last.
    pub(super) fn member(&self, branch: usize) {
        let ended = panic::catch_once(|| self.repeat(branch));
        if let Err(unwound) = ended {
            // Only destructors are left to run. No other branch should wait for this one.
            match unwound {
                Unwound::Signal(signal) => lock(&self.ended).signal = Some(signal),
                Unwound::Panic(caught) => self.fail(error(caught, "the destructor of a response"), None),
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

    /// Creates a system and runs the prefix on it. Returns `None` when the repetitions are over.
    fn prepare(&self) -> Option<Prepared<S>> {
        let done = self.pulse.load(Ordering::Relaxed);
        if self.how.repeats.are_enough(done) || self.context.is_abandoned() || self.over.load(Ordering::Relaxed) {
            self.over.store(true, Ordering::Release);
            return None;
        }
        let prepared = self.make().and_then(|(model, system)| {
            self.begin(model, system, |model, system, responses| self.run_prefix(model, system, responses))
        });
        if prepared.is_none() {
            self.over.store(true, Ordering::Release);
        }
        prepared
    }

    /// Creates a system for one more repetition under a scheduler, and the model. The prefix does not run yet.
    pub(super) fn create(&self) -> Option<S::Model> {
        let (model, system) = self.make()?;
        *lock(&self.led) = Default::default();
        *lock(&self.starts[0]) = Some(Start { system, prefix: Arc::default() });
        Some(model)
    }

    /// Runs the prefix under a scheduler. The responses are available even if a command never ends.
    pub(super) fn lead(&self) {
        let _active = self.context.activate();
        let _quiet = panic::Quiet::begin();
        let Some(mut start) = lock(&self.starts[0]).take() else { return };
        self.catching(|| {
            let Program { spec, prefix, .. } = &*self.program;
            for (number, command) in prefix.iter().enumerate() {
                let resolved = spec.resolve(command, &Results::in_sequence(&lock(&self.led).0));
                let ran = resolved.as_ref().unwrap_or(command);
                let run = |system: &mut S::System| {
                    scheduler::controlled(|| {
                        scheduler::begin_command(number);
                        spec.run(system, ran)
                    })
                };
                match self.run_in_prefix(number, ran, || run(&mut start.system)) {
                    Ok(response) => lock(&self.led).0.push(response),
                    Err(caught) => {
                        lock(&self.led).1 = Some(caught);
                        return;
                    }
                }
            }
        });
        self.doing[0].store(WAITING, Ordering::Relaxed);
        *lock(&self.starts[0]) = Some(start);
    }

    /// Checks the responses of the prefix that has run under a scheduler. Returns `None` if they are wrong.
    pub(super) fn prepare_led(&self, model: S::Model) -> Option<Prepared<S>> {
        let start = lock(&self.starts[0]).take()?;
        let (led, caught) = std::mem::take(&mut *lock(&self.led));
        self.begin(model, start.system, |model, system, responses| {
            let Program { spec, prefix, .. } = &*self.program;
            for (number, (command, response)) in prefix.iter().zip(led).enumerate() {
                let resolved = spec.resolve(command, &Results::in_sequence(responses));
                responses.push(response);
                self.check_in_prefix(number, resolved.as_ref().unwrap_or(command), model, &responses[number])?;
            }
            match caught {
                Some(caught) => self.panicked_in_prefix(caught, responses),
                // A command that ended the test has no response.
                None if responses.len() < prefix.len() => None,
                None => self.check_after_prefix(model, system),
            }
        })
    }

    /// The commands of a prefix that never ends, as a picture.
    pub(super) fn led_so_far(&self) -> Picture {
        let led = lock(&self.led);
        let mut picture = illustrated(&self.program, &led.0, &[]);
        if let Some(command) = self.program.prefix.get(led.0.len()) {
            picture.prefix.push(Drawn { command: format!("{command:?}"), response: None, called: 0, returned: None });
        }
        picture
    }

    fn make(&self) -> Option<(S::Model, S::System)> {
        say_repetitions(&self.context, self.pulse.load(Ordering::Relaxed) + 1);
        let (model, system) = self.catching(|| (self.program.spec.model(), self.make_system()))?;
        Some((model, system?))
    }

    fn make_system(&self) -> Option<S::System> {
        match called(|| self.program.spec.system()) {
            Ok(system) => Some(system),
            Err(caught) => {
                self.fail(error(caught, "its creation"), None);
                None
            }
        }
    }

    /// Has this function run the prefix on a new system; cleans the system up if that fails.
    fn begin(
        &self,
        mut model: S::Model,
        mut system: S::System,
        run_prefix: impl FnOnce(&mut S::Model, &mut S::System, &mut Vec<S::Response>) -> Option<()>,
    ) -> Option<Prepared<S>> {
        self.last_words.again();
        let mut responses = Vec::new();
        let shared = self.catching(|| {
            run_prefix(&mut model, &mut system, &mut responses)?;
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

    fn run_prefix(&self, model: &mut S::Model, system: &mut S::System, responses: &mut Vec<S::Response>) -> Option<()> {
        let Program { spec, prefix, .. } = &*self.program;
        for (number, command) in prefix.iter().enumerate() {
            let resolved = spec.resolve(command, &Results::in_sequence(responses));
            let ran = resolved.as_ref().unwrap_or(command);
            match self.run_in_prefix(number, ran, || spec.run(system, ran)) {
                Ok(response) => responses.push(response),
                Err(caught) => return self.panicked_in_prefix(caught, responses),
            }
            self.check_in_prefix(number, ran, model, &responses[number])?;
        }
        self.check_after_prefix(model, system)
    }

    /// Runs a command of the prefix.
    fn run_in_prefix(
        &self,
        number: usize,
        ran: &S::Command,
        run: impl FnOnce() -> S::Response,
    ) -> Result<S::Response, Caught> {
        self.doing[0].store(PREFIX + number as u32, Ordering::Relaxed);
        self.last_words.record(|| format!("{ran:?}"));
        let response = called(run)?;
        self.last_words.record(|| format!("    : {response:?}"));
        Ok(response)
    }

    /// The command of the prefix after these responses has panicked.
    fn panicked_in_prefix(&self, caught: Caught, responses: &[S::Response]) -> Option<()> {
        let command = &self.program.prefix[responses.len()];
        let mut picture = illustrated(&self.program, responses, &[]);
        let response = Some(panicked(&caught));
        picture.prefix.push(Drawn { command: format!("{command:?}"), response, called: 0, returned: None });
        let failure = error(caught, &format!("{command:?}, a command of the prefix"));
        self.fail(failure, Some(picture));
        None
    }

    /// Checks the response of a command of the prefix, and advances the model.
    fn check_in_prefix(
        &self,
        number: usize,
        ran: &S::Command,
        model: &mut S::Model,
        response: &S::Response,
    ) -> Option<()> {
        let Program { spec, prefix, .. } = &*self.program;
        let command = &prefix[number];
        if !spec.postcondition(model, ran, response) {
            let expected = spec.expected(model, ran).map_or(String::new(), |text| format!(", expected {text}"));
            let text =
                format!("the system disagrees with the model at {command:?}, the last command of the prefix{expected}");
            self.fail(Failure::new(FailureKind::Falsified, text), None);
            return None;
        }
        advance(&**spec, model, command, Ref::nth(number as u32));
        Some(())
    }

    fn check_after_prefix(&self, model: &S::Model, system: &mut S::System) -> Option<()> {
        self.doing[0].store(LEADING, Ordering::Relaxed);
        if let Err(why) = self.program.spec.invariant(model, system) {
            let text = format!("an invariant does not hold after the prefix: {why}");
            self.fail(Failure::new(FailureKind::Falsified, text), None);
            return None;
        }
        Some(())
    }

    /// Runs one branch once under a scheduler. Its log is available even if the branch never ends.
    pub(super) fn run_controlled(&self, branch: usize) {
        let _active = self.context.activate();
        let _quiet = panic::Quiet::begin();
        let Some(mut start) = lock(&self.starts[branch]).take() else { return };
        lock(&self.logs[branch]).clear();
        let ended = panic::catch_once(|| {
            for (at, command) in self.program.branches[branch].iter().enumerate() {
                self.doing[branch].store(at as u32, Ordering::Relaxed);
                let resolved = self.resolved(branch, command, &start, &lock(&self.logs[branch]));
                let Some(done) = self.run_command(branch, at, command, resolved, &mut start) else { return };
                let ends = done.response.is_err();
                lock(&self.logs[branch]).push(done);
                if ends {
                    return;
                }
            }
        });
        self.doing[branch].store(WAITING, Ordering::Relaxed);
        if let Err(Unwound::Signal(signal)) = ended {
            lock(&self.ended).signal = Some(signal);
        }
        *lock(&self.starts[branch]) = Some(start);
    }

    fn run_branch(&self, branch: usize, start: &mut Start<S>, log: &mut Vec<Done<S>>, dice: &mut Dice) {
        for (at, command) in self.program.branches[branch].iter().enumerate() {
            self.doing[branch].store(at as u32, Ordering::Relaxed);
            let resolved = self.resolved(branch, command, start, log);
            let Some(done) = self.run_command(branch, at, command, resolved, start) else { return };
            let ends = done.response.is_err();
            log.push(done);
            if ends {
                return;
            }
            self.how.provoke.between_commands(dice);
        }
    }

    /// Runs one command. Returns `None` if one of our signals ended it: then the test ends without a failure.
    fn run_command(
        &self,
        branch: usize,
        at: usize,
        command: &S::Command,
        resolved: Option<S::Command>,
        start: &mut Start<S>,
    ) -> Option<Done<S>> {
        let spec = &*self.program.spec;
        let strict = self.how.order == Some(Order::RealTime) && !self.how.is_controlled;
        let ran = resolved.as_ref().unwrap_or(command);
        self.last_words.record(|| format!("branch {}: {ran:?}", branch + 1));
        let called_at = self.now();
        // Writes before a command returns must be visible to commands that are called later, or the times mean nothing:
        // processors delay writes.
        if strict {
            fence(Ordering::SeqCst);
        }
        let run = |system: &mut S::System| match self.how.is_controlled {
            true => scheduler::controlled(|| {
                scheduler::begin_command(at);
                spec.run(system, ran)
            }),
            false => spec.run(system, ran),
        };
        let response = match panic::catch(|| run(&mut start.system)) {
            Ok(response) => Ok(response),
            Err(Unwound::Panic(caught)) => Err(caught),
            Err(Unwound::Signal(signal)) => {
                lock(&self.ended).signal = Some(signal);
                return None;
            }
        };
        if strict {
            fence(Ordering::SeqCst);
        }
        let returned = self.now();
        if let Ok(response) = &response {
            self.last_words.record(|| format!("branch {}:     : {response:?}", branch + 1));
        }
        Some(Done { resolved, response, called: called_at, returned })
    }

    /// The command with its references resolved, if it has any.
    fn resolved(&self, branch: usize, command: &S::Command, start: &Start<S>, log: &[Done<S>]) -> Option<S::Command> {
        let own = |at: usize| log.get(at).and_then(|done| done.response.as_ref().ok());
        let results = Results::in_branch(&start.prefix, branch, &own);
        self.catching(|| self.program.spec.resolve(command, &results)).flatten()
    }

    /// Checks the logs of the branches, and cleans up the system.
    pub(super) fn conclude(&self, model: &S::Model, prefix: &[S::Response]) {
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
            // The clocks of different cores disagree: this repetition is undecided.
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
                        "no order of the commands explains the responses, even if real time is ignored".to_owned()
                    }
                };
                if let Some(why) = explained.why_not_the_end().filter(|_| stuck.candidates.is_empty()) {
                    text = format!("the final check (`at_end`) failed for every order of the commands: {why}");
                    if explained.end_changes_the_system() {
                        text += &format!("\n({CHANGES_THE_SYSTEM})");
                    }
                }
                self.fail(Failure::new(FailureKind::Falsified, text), None);
            }
        }
    }

    /// Cleans up the system, whatever the result. The logs are for the picture, in case the cleanup fails.
    fn put_away(&self, system: S::System, prefix: &[S::Response], views: &[&[Done<S>]]) {
        self.last_words.record(|| "cleaning up".to_owned());
        let failure = match self.catching(|| called(|| self.program.spec.cleanup(system))) {
            None | Some(Ok(Ok(()))) => return,
            Some(Ok(Err(why))) => Failure::new(FailureKind::Error, format!("cleaning up failed: {why}")),
            Some(Err(caught)) => error(caught, "its cleanup"),
        };
        self.fail(failure, None);
        self.illustrate(prefix, views);
    }

    /// Records a failure: only the first one counts.
    pub(super) fn fail(&self, failure: Failure, picture: Option<Picture>) {
        let mut ended = lock(&self.ended);
        if ended.failure.is_none() {
            (ended.failure, ended.picture) = (Some(failure), picture);
        }
    }

    /// Draws the commands that have run in branches that never end, and those that are running.
    pub(super) fn drawn_so_far(&self, prefix: &[S::Response], stuck: &[(usize, usize)]) -> Picture {
        let logs: Vec<MutexGuard<'_, Vec<Done<S>>>> = self.logs.iter().map(lock).collect();
        let views: Vec<&[Done<S>]> = logs.iter().map(|log| log.as_slice()).collect();
        let mut picture = illustrated(&self.program, prefix, &views);
        for &(branch, command) in stuck {
            let Some(command) = self.program.branches.get(branch).and_then(|commands| commands.get(command)) else {
                continue;
            };
            let drawn = Drawn { command: format!("{command:?}"), response: None, called: u64::MAX - 1, returned: None };
            picture.branches[branch].push(drawn);
        }
        picture
    }

    /// Draws the run for a failure that has no picture.
    fn illustrate(&self, prefix: &[S::Response], views: &[&[Done<S>]]) {
        let mut ended = lock(&self.ended);
        if ended.failure.is_some() && ended.picture.is_none() {
            ended.picture = Some(illustrated(&self.program, prefix, views));
        }
    }

    /// Runs code of the specification; a panic or signal in it ends the test.
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
        if self.how.is_controlled {
            return scheduler::tick();
        }
        self.began.elapsed().as_nanos() as u64
    }
}

/// The message about an `at_end` that changes the system.
const CHANGES_THE_SYSTEM: &str = "`at_end` was called for several models, and its result for the first one changed when it was \
    called again: it must not change the system";

/// Reports the number of repetitions to the parent process, in case this one crashes.
#[inline]
fn say_repetitions(context: &Context, times: u64) {
    context.say_repetitions(times);
}

/// Reports to the parent process, if there is one, that this process hangs, and waits to be killed: hanging threads
/// cannot be stopped otherwise.
#[inline]
fn await_the_end(context: &Context, after: Duration) {
    while context.say_it_hangs(after) {
        std::thread::park();
    }
}

#[inline]
fn error(caught: Caught, doing: &str) -> Failure {
    let mut failure = Failure::from(caught);
    failure.message += &format!("\n(the system panicked in {doing})");
    failure
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use super::super::{Parallel, Tuning};
    use super::*;
    use crate::choice::Source;

    /// Commands that do nothing.
    #[derive(Default)]
    struct Idle;

    impl Spec for Idle {
        type Command = u8;
        type Model = ();
        type System = ();
        type Response = ();

        fn model(&self) {}

        fn generate(&self, (): &(), _: &mut Source) -> u8 {
            0
        }

        fn next(&self, (): &mut (), _: &u8) {}

        fn system(&self) {}

        fn run(&self, (): &mut (), _: &u8) {}

        fn postcondition(&self, (): &(), _: &u8, (): &()) -> bool {
            true
        }
    }

    impl Shared for Idle {
        fn share(&self, (): &mut ()) {}
    }

    /// The rounds of a program whose branches make no progress.
    fn standing(branches: Vec<Vec<u8>>) -> Rounds<Idle> {
        let program = Parallel::<Idle>::of(vec![1], branches).program;
        let repeats = Repeats::of(&Tuning::default(), &[1, 1]);
        let how = How { is_controlled: false, order: Some(Order::RealTime), provoke: Provoke::nothing(), repeats };
        Rounds::new(program, how, context::context())
    }

    #[test]
    fn branches_that_stand_still_outside_of_all_commands_do_not_hang() {
        for branches in [vec![vec![], vec![]], vec![vec![2], vec![3]]] {
            let context = Context::new("idle", 0, 0);
            let _active = context.activate();
            let ended = standing(branches).hung();
            assert!(ended.failure.is_none(), "{:?}", ended.failure);
            assert_eq!(context.take_statistics().labels["given up: the machine had no time for the branches"], 1);
        }
    }

    #[test]
    fn an_earlier_failure_of_branches_that_stand_still_is_reported() {
        let rounds = standing(vec![vec![2], vec![3]]);
        rounds.fail(Failure::new(FailureKind::Falsified, "wrong"), None);
        assert_eq!(rounds.hung().failure.unwrap().message, "wrong");
    }

    #[test]
    fn a_hang_names_the_commands_that_run() {
        let message = |doing: u32| {
            let rounds = standing(vec![vec![2], vec![3]]);
            rounds.doing[0].store(doing, Ordering::Relaxed);
            let failure = rounds.hung().failure.unwrap();
            assert_eq!(failure.kind, FailureKind::Hang);
            failure.message.rsplit("still running: ").next().map(str::to_owned).unwrap()
        };
        assert_eq!(message(0), "branch 1 in 2");
        assert_eq!(message(PREFIX), "1 of the prefix");
        assert_eq!(message(LEADING), "the system's start or end, or the specification");
    }
}
