//! The cores that the properties of one process share.
//!
//! A test harness runs tests in parallel. If each of them is a property that uses all cores, there are many times more
//! threads than cores, and tests miss their deadlines. So a property's own thread always runs, and its other threads
//! take turns with those of other properties: together they are at most as many as there are cores, or as the largest
//! number that one of the properties requests. If the process is part of a build whose jobs a jobserver limits
//! (`make -j8`), each of these threads also takes one of its tokens. Since results do not depend on the number of
//! threads, they do not depend on these turns either.

#[cfg_attr(not(target_os = "linux"), path = "cores/elsewhere.rs")]
mod jobserver;

use jobserver::{Jobserver, Token};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, MutexGuard, OnceLock, PoisonError};
use std::thread::available_parallelism;
use std::time::{Duration, Instant};

/// After this time, a thread gives its core to one that is waiting.
const TURN: Duration = Duration::from_millis(100);

static CORES: Cores = Cores { state: Mutex::new(State::new()), starving: AtomicBool::new(false) };

struct Cores {
    state: Mutex<State>,
    /// Whether a thread waits for its turn.
    starving: AtomicBool,
}

struct State {
    /// For each property that runs on several threads, how many it requests.
    properties: Vec<usize>,
    /// The number of threads, other than the properties' own, that have a core.
    taken: usize,
    jobserver: Option<Jobserver>,
}

impl State {
    const fn new() -> Self {
        Self { properties: Vec::new(), taken: 0, jobserver: None }
    }

    /// Whether another thread may run.
    fn has_room(&self) -> bool {
        static ALL: OnceLock<usize> = OnceLock::new();
        let all = *ALL.get_or_init(|| available_parallelism().map_or(1, |cores| cores.get()));
        let most = self.properties.iter().copied().max().unwrap_or(1).max(all);
        self.taken + self.properties.len() < most
    }
}

impl Cores {
    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Registers a property that uses several threads, until dropped.
pub(crate) struct Sharing {
    threads: usize,
}

impl Sharing {
    pub(crate) fn begin(threads: usize) -> Self {
        let mut state = CORES.lock();
        state.properties.push(threads);
        state.jobserver.get_or_insert_with(Jobserver::of_the_environment);
        Self { threads }
    }
}

impl Drop for Sharing {
    fn drop(&mut self) {
        let mut state = CORES.lock();
        if let Some(place) = state.properties.iter().position(|threads| *threads == self.threads) {
            state.properties.swap_remove(place);
        }
    }
}

/// The turn of one thread of a property.
pub(crate) struct Turn {
    /// Whether it is the property's own thread, or stands in for it.
    own: bool,
    held: Option<Held>,
}

struct Held {
    since: Instant,
    token: Option<Token>,
}

impl Turn {
    /// The turn of the property's own thread, or of the thread that stands in for it: it may always run.
    pub(crate) fn own() -> Self {
        Self { own: true, held: None }
    }

    /// The turn of a thread that shares the remaining cores with those of other properties.
    pub(crate) fn shared() -> Self {
        Self { own: false, held: None }
    }

    pub(crate) fn is_own(&self) -> bool {
        self.own
    }

    /// Whether the thread may run now. If not, it tries again later.
    pub(crate) fn take(&mut self) -> bool {
        if self.own {
            return true;
        }
        if let Some(held) = &self.held {
            let is_over = CORES.starving.load(Ordering::Relaxed) && held.since.elapsed() > TURN;
            if is_over {
                self.give_back();
                CORES.starving.store(false, Ordering::Relaxed);
            }
            return !is_over;
        }
        let mut state = CORES.lock();
        let token = state.has_room().then(|| state.jobserver.as_ref().map_or(Ok(None), Jobserver::take));
        let Some(Ok(token)) = token else {
            CORES.starving.store(true, Ordering::Relaxed);
            return false;
        };
        state.taken += 1;
        self.held = Some(Held { since: Instant::now(), token });
        true
    }

    /// Gives the core back when there is nothing to do.
    pub(crate) fn give_back(&mut self) {
        if let Some(Held { token, .. }) = self.held.take() {
            let mut state = CORES.lock();
            state.taken -= 1;
            if let (Some(token), Some(jobserver)) = (token, &state.jobserver) {
                jobserver.give_back(token);
            }
        }
    }
}

impl Drop for Turn {
    fn drop(&mut self) {
        self.give_back();
    }
}
