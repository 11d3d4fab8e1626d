//! The children of a run: one for each testing thread, started on demand, and restarted after a crash.

use super::death::Death;
use super::history::History;
use super::message::Request;
use super::process::{Child, Launch, Unanswered, Watch};
use super::system;
use crate::choice::Drawn;
use crate::context::{Context, Phase};
use crate::property::Block;
use crate::run::{Fault, Tested};
use crate::testing::guest::Relayed;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::thread::{self, ThreadId};
use std::time::{Duration, Instant};

/// A test that takes this many times as long as the slowest one so far, and at least this long, seems to hang; the
/// minimum is there because the machine may be busy for a moment.
const MUCH_LONGER: u32 = 10;
const LEAST_PATIENCE: Duration = Duration::from_millis(50);

/// The number of recent crashes from which the average number of repetitions before a crash is computed.
const LATELY: usize = 3;

/// How long to wait if no process can be started: the system may have reached a limit for a moment.
const MOMENT: Duration = Duration::from_millis(100);

/// The children of a run.
pub(super) struct Children {
    launch: Launch,
    /// Each thread has its own child, which is killed when the thread ends, as the system requires.
    kept: Mutex<Vec<(ThreadId, Kept)>>,
    past: Mutex<Past>,
    /// The longest duration of a test that ended, in nanoseconds.
    slowest: AtomicU64,
    /// Whether to kill tests that seem to hang before their timeout.
    hurries: AtomicBool,
    /// Whether a test has repeated itself.
    repeats: AtomicBool,
}

/// A child, and its history.
struct Kept {
    child: Child,
    ran: History,
}

/// The remains of crashed children.
#[derive(Default)]
struct Past {
    /// The history of the child that crashed last.
    history: Option<History>,
    /// How a process ended between two tests. The next test is blamed, until it turns out that it is not the cause.
    late: Option<Death>,
    /// After how many repetitions tests that repeat themselves crashed lately, the latest last.
    repetitions: Vec<u64>,
}

/// How a request ended.
pub(super) enum Answered {
    With(Vec<u8>),
    Died(Died),
}

/// The remains of a child that crashed during a request.
pub(super) struct Died {
    pub(super) death: Death,
    /// The notes of its test.
    pub(super) notes: Vec<String>,
    /// The choices of its test, if it ran alone.
    pub(super) drawn: Box<Drawn>,
    /// The current test of its block, and the number of discarded ones before it.
    pub(super) index: u64,
    pub(super) discarded: u64,
}

impl Children {
    /// Starts the first one, to check that it is possible; returns an error if it is not.
    pub(super) fn new(launch: Launch) -> Result<Self, String> {
        let (kept, past) = (Mutex::default(), Mutex::default());
        let (slowest, hurries, repeats) = (AtomicU64::new(0), AtomicBool::new(false), AtomicBool::new(false));
        let children = Self { launch, kept, past, slowest, hurries, repeats };
        children.keep(Kept { child: children.launch.start(0)?, ran: History::default() });
        Ok(children)
    }

    /// Ends them, and the processes that tests have started in them. New ones start on demand.
    pub(super) fn end(&self) {
        self.lock().clear();
        system::kill_marked(&self.launch.mark);
    }

    fn lock(&self) -> MutexGuard<'_, Vec<(ThreadId, Kept)>> {
        self.kept.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn past(&self) -> MutexGuard<'_, Past> {
        self.past.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn keep(&self, kept: Kept) {
        self.lock().push((thread::current().id(), kept));
    }

    /// The child of this thread, if it has one.
    fn take(&self) -> Option<Kept> {
        let (mut children, this) = (self.lock(), thread::current().id());
        let at = children.iter().position(|(thread, _)| *thread == this)?;
        Some(children.swap_remove(at).1)
    }

    /// Calls `look` with the child of this thread, if it has one.
    fn with_child<T>(&self, look: impl FnOnce(&mut Kept) -> T) -> Option<T> {
        let (mut children, this) = (self.lock(), thread::current().id());
        let (_, kept) = children.iter_mut().find(|(thread, _)| *thread == this)?;
        Some(look(kept))
    }

    /// The child of this thread, or a new one.
    fn child(&self, context: &Context) -> Kept {
        let start = || self.launch.start(context.worker());
        self.take().unwrap_or_else(|| {
            let started = start().or_else(|_| {
                thread::sleep(MOMENT);
                start()
            });
            match started {
                Ok(child) => Kept { child, ran: History::default() },
                Err(why) => Relayed(Tested::Fault(Fault::NoProcess(why))).unwind(),
            }
        })
    }

    /// Starts a fresh child for the next test of this thread.
    pub(super) fn renew(&self) {
        if !self.is_new() {
            self.take();
        }
    }

    /// Whether the child of this thread has run nothing yet.
    pub(super) fn is_new(&self) -> bool {
        self.with_child(|kept| !kept.child.has_run).unwrap_or(true)
    }

    /// Adds to the history of this thread's child.
    pub(super) fn remember(&self, add: impl FnOnce(&mut History)) {
        self.with_child(|kept| {
            kept.child.has_run = true;
            add(&mut kept.ran);
        });
    }

    /// The notes of the last test in this thread's child.
    pub(super) fn notes(&self) -> Vec<String> {
        self.with_child(|kept| kept.child.slate.notes()).unwrap_or_default()
    }

    /// The history of the child that crashed last. It is replaced by the next one.
    pub(super) fn replace_history(&self, history: Option<History>) -> Option<History> {
        std::mem::replace(&mut self.past().history, history)
    }

    /// See [`Isolated::hurry`](super::isolated::Isolated::hurry).
    pub(super) fn hurry(&self, hurry: bool) {
        self.hurries.store(hurry, Ordering::Relaxed);
    }

    pub(super) fn hurries(&self) -> bool {
        self.hurries.load(Ordering::Relaxed)
    }

    /// Whether a test has repeated itself, as those of parallel state machines do.
    pub(super) fn repeats(&self) -> bool {
        self.repeats.load(Ordering::Relaxed)
    }

    /// The average number of repetitions after which tests crashed lately; 0 if unknown.
    pub(super) fn fails_after(&self) -> u64 {
        let past = self.past();
        past.repetitions.iter().sum::<u64>().div_ceil(past.repetitions.len().max(1) as u64)
    }

    fn timeout(&self) -> Duration {
        if !self.hurries() {
            return self.launch.timeout;
        }
        let slowest = Duration::from_nanos(self.slowest.load(Ordering::Relaxed));
        (slowest * MUCH_LONGER).max(LEAST_PATIENCE).min(self.launch.timeout)
    }

    /// Sends a request to the child of this thread; `index` is the test, or the first one of a block.
    pub(super) fn ask(&self, context: &Context, request: &[u8], index: u64, block: Option<&Block>) -> Answered {
        let watch = Watch {
            context,
            timeout: self.timeout(),
            timeout_if_repeated: self.launch.timeout,
            block: block.is_some(),
        };
        loop {
            if Request::is_test(request)
                && let Some(death) = self.past().late.take()
            {
                return Answered::Died(Died { death, notes: Vec::new(), drawn: Box::default(), index, discarded: 0 });
            }
            let mut kept = self.child(context);
            let begun = Instant::now();
            let asked = kept.child.ask(request, index, &watch);
            if kept.child.slate.repetitions().load(Ordering::Relaxed) > 0 {
                self.repeats.store(true, Ordering::Relaxed);
            }
            match asked {
                Ok(answer) => {
                    if block.is_none() {
                        self.slowest.fetch_max(begun.elapsed().as_nanos() as u64, Ordering::Relaxed);
                    }
                    self.keep(kept);
                    return Answered::With(answer);
                }
                Err(Unanswered::Before(death)) => {
                    if kept.child.has_run {
                        let mut past = self.past();
                        (past.history, past.late) = (Some(kept.ran), Some(death));
                    }
                }
                Err(Unanswered::Died(death)) => return Answered::Died(self.died(context, kept, death, block)),
            }
        }
    }

    /// Collects the remains of a child.
    fn died(&self, context: &Context, mut kept: Kept, death: Death, block: Option<&Block>) -> Died {
        let slate = &kept.child.slate;
        let (mut index, discarded) = (slate.index().load(Ordering::Relaxed), slate.discarded().load(Ordering::Relaxed));
        let notes = slate.notes();
        let drawn = Box::new(if block.is_none() { slate.drawn(0) } else { Drawn::default() });
        let repetitions = slate.repetitions().load(Ordering::Relaxed);
        if block.is_none() && repetitions > 0 {
            let mut past = self.past();
            past.repetitions.push(repetitions);
            if past.repetitions.len() > LATELY {
                past.repetitions.remove(0);
            }
        }
        if let Some(block) = block {
            // A test that corrupts memory may have written here.
            index = index.clamp(block.indices.start, block.indices.end - 1);
            kept.ran.add_block(block, index);
        }
        if !kept.ran.is_empty() && context.phase().0 == Phase::Testing {
            self.past().history = Some(kept.ran);
        }
        let discarded = discarded.min(block.map_or(0, |block| index - block.indices.start));
        Died { death, notes, drawn, index, discarded }
    }
}
