//! The children of a run: one for each thread that tests, started when there is something to ask, and again when one has died.

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

/// A test that takes so many times as long as any that ended seems to hang; but none before it has had so long: this machine may
/// do something else for a moment.
const MUCH_LONGER: u32 = 10;
const LEAST_PATIENCE: Duration = Duration::from_millis(50);

/// From so many deaths it is taken after how many repetitions they come: one alone says little.
const LATELY: usize = 3;

/// How long to wait when no process can be started: the system may be short of them for a moment.
const MOMENT: Duration = Duration::from_millis(100);

/// The children of a run.
pub(super) struct Children {
    launch: Launch,
    /// Each thread has a child of its own, which dies with it: so the system wants it.
    kept: Mutex<Vec<(ThreadId, Kept)>>,
    past: Mutex<Past>,
    /// The longest that a test took which ended by itself, in nanoseconds.
    slowest: AtomicU64,
    /// Whether tests are given up early that seem to hang.
    hurries: AtomicBool,
    /// Whether a test has repeated what it does by itself.
    repeats: AtomicBool,
}

/// A child, and what it has run so far.
struct Kept {
    child: Child,
    ran: History,
}

/// What is left of children that have died.
#[derive(Default)]
struct Past {
    /// What the child had run that the last test ended.
    history: Option<History>,
    /// How a process ended between two tests. The next test is taken to have done it, until it turns out that it has not.
    late: Option<Death>,
    /// After how many repetitions tests have ended their processes lately, the last at the end; of those that repeat what they do.
    repetitions: Vec<u64>,
}

/// How a request ended.
pub(super) enum Answered {
    With(Vec<u8>),
    Died(Died),
}

/// What is known of a child that died of a request.
pub(super) struct Died {
    pub(super) death: Death,
    /// What its test had noted.
    pub(super) notes: Vec<String>,
    /// What its test had drawn, if it was run alone.
    pub(super) drawn: Box<Drawn>,
    /// The test of the block that it was at, and how many were discarded before that.
    pub(super) index: u64,
    pub(super) discarded: u64,
}

impl Children {
    /// The first one is started, to see whether that can be done. Else why not.
    pub(super) fn new(launch: Launch) -> Result<Self, String> {
        let (kept, past) = (Mutex::default(), Mutex::default());
        let (slowest, hurries, repeats) = (AtomicU64::new(0), AtomicBool::new(false), AtomicBool::new(false));
        let children = Self { launch, kept, past, slowest, hurries, repeats };
        children.keep(Kept { child: children.launch.start(0)?, ran: History::default() });
        Ok(children)
    }

    /// Ends them, and what tests have started in them. If there is more to ask, there will be new ones.
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

    /// What `look` sees of the child of this thread, if it has one.
    fn with_child<T>(&self, look: impl FnOnce(&mut Kept) -> T) -> Option<T> {
        let (mut children, this) = (self.lock(), thread::current().id());
        let (_, kept) = children.iter_mut().find(|(thread, _)| *thread == this)?;
        Some(look(kept))
    }

    /// A child for this thread: the one that it has, or a new one.
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

    /// The next test of this thread meets a child that has run nothing.
    pub(super) fn renew(&self) {
        if !self.is_new() {
            self.take();
        }
    }

    /// Whether the child of this thread has run nothing yet.
    pub(super) fn is_new(&self) -> bool {
        self.with_child(|kept| !kept.child.has_run).unwrap_or(true)
    }

    /// What the child of this thread has run is longer by this.
    pub(super) fn remember(&self, add: impl FnOnce(&mut History)) {
        self.with_child(|kept| {
            kept.child.has_run = true;
            add(&mut kept.ran);
        });
    }

    /// What the test noted that the child of this thread ran last.
    pub(super) fn notes(&self) -> Vec<String> {
        self.with_child(|kept| kept.child.slate.notes()).unwrap_or_default()
    }

    /// What the child had run that a test last ended. Another history may take its place.
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

    /// Whether a test has repeated what it does by itself, as parallel state machines do.
    pub(super) fn repeats(&self) -> bool {
        self.repeats.load(Ordering::Relaxed)
    }

    /// After how many repetitions tests have ended their processes lately, on average; 0 if that is not known.
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

    /// Asks the child of this thread for something, of which test `index` is a part; for a block, of which it is the first.
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

    /// What a child leaves behind.
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
            // A test that writes where it should not may have written here.
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
