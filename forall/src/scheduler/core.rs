//! Turns: one thread of a run proceeds, and all others sleep. Contains the functions that threads call at scheduling
//! points, when they wait, and when they end.

use super::End;
use super::kernel::{self, Turn};
use super::search::NO_ADDRESS;
use super::state::{FAR, On, State, Status, TICK};
use std::cell::{Cell, UnsafeCell};
use std::ops::{Deref, DerefMut};
use std::ptr::null;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU32, AtomicU64, AtomicUsize, Ordering};

thread_local! {
    /// This thread's slot in its scheduler, while tested code runs. Null otherwise, and while the scheduler itself
    /// runs.
    static SLOT: Cell<*const Slot> = const { Cell::new(null()) };
    /// The same, as long as the thread belongs to a scheduler.
    static OWN: Cell<*const Slot> = const { Cell::new(null()) };
    /// Whether this thread creates a system for a run, or checks one after it.
    static PREPARES: Cell<bool> = const { Cell::new(false) };
}

/// The number of threads of systems that run without a scheduler: those that were started before the branches, and
/// those that outlived their run. They may wake threads that a scheduler runs.
pub(super) static STRAYS: AtomicUsize = AtomicUsize::new(0);

/// The time of all runs so far, in nanoseconds: a run begins when the last one ended, or the system was created.
static ELAPSED: AtomicU64 = AtomicU64::new(0);

/// The number of threads that wait for futex words under a scheduler: if there are none, wakers need not search for
/// them.
static WAITING: AtomicUsize = AtomicUsize::new(0);

/// All schedulers: a futex word may be shared with a thread of another scheduler, or of none.
static CORES: Spin<Vec<Arc<Core>>> = Spin::new(Vec::new());

/// A scheduler of some threads.
pub(super) struct Core {
    state: Spin<State>,
    /// Wakes the watching thread.
    pub(super) caller: Turn,
}

/// A thread in a scheduler.
pub(super) struct Slot {
    pub(super) core: Arc<Core>,
    pub(super) number: usize,
    pub(super) turn: Turn,
    kernel_id: AtomicU32,
    stack_start: AtomicUsize,
    stack_len: AtomicUsize,
    /// The number of points it has passed, and the one at which it next asks which thread runs.
    pub(super) count: AtomicU64,
    pub(super) next: AtomicU64,
    /// Whether it has written to memory since this was last checked.
    pub(super) stored: AtomicBool,
    /// Whether the thread may have been let go: it checks that before it continues.
    pub(super) outside: AtomicBool,
    /// Whether the thread waits in the kernel for an event that is certain to occur, so it keeps its turn.
    pub(super) is_sure: AtomicBool,
    /// Whether its run is over, and it is no longer scheduled.
    pub(super) released: AtomicBool,
}

/// How a wait ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Woken {
    ByThread,
    ByTime,
    /// Its run is over: it waits like any other thread.
    Released,
}

impl Core {
    pub(super) fn new() -> Arc<Self> {
        let core = Arc::new(Self { state: Spin::new(State::new()), caller: Turn::default() });
        CORES.lock().push(Arc::clone(&core));
        core
    }

    pub(super) fn lock(&self) -> Guard<'_, State> {
        self.state.lock()
    }

    /// Unregisters the core, which no thread uses any more.
    pub(super) fn retire(self: &Arc<Self>) {
        CORES.lock().retain(|other| !Arc::ptr_eq(other, self));
    }

    /// Adds a thread.
    pub(super) fn add(self: &Arc<Self>, state: &mut State) -> Arc<Slot> {
        let slot = Arc::new(Slot {
            core: Arc::clone(self),
            number: state.threads.len(),
            turn: Turn::default(),
            kernel_id: AtomicU32::new(0),
            stack_start: AtomicUsize::new(0),
            stack_len: AtomicUsize::new(0),
            count: AtomicU64::new(0),
            next: AtomicU64::new(0),
            stored: AtomicBool::new(false),
            outside: AtomicBool::new(false),
            is_sure: AtomicBool::new(false),
            released: AtomicBool::new(false),
        });
        state.add(Arc::clone(&slot));
        slot
    }

    /// Wakes the thread whose turn it is, or the caller if there is none.
    pub(super) fn pass_on(&self, state: Guard<'_, State>) {
        let running = state.running.map(|next| Arc::clone(&state.threads[next].slot));
        let is_over = state.end.is_some();
        drop(state);
        match running {
            Some(next) if !is_over => next.turn.give(),
            _ => self.caller.give(),
        }
    }
}

impl Slot {
    /// Assigns this slot to the calling thread.
    pub(super) fn attach(&self) {
        let (start, len) = kernel::stack();
        self.stack_start.store(start, Ordering::Relaxed);
        self.stack_len.store(len, Ordering::Relaxed);
        self.kernel_id.store(kernel::thread_id(), Ordering::Relaxed);
        OWN.set(self);
    }

    pub(super) fn kernel_id(&self) -> u32 {
        self.kernel_id.load(Ordering::Relaxed)
    }

    /// Whether an address is on this thread's stack, or one of its thread-local variables.
    #[inline]
    pub(super) fn owns(&self, address: usize) -> bool {
        address.wrapping_sub(self.stack_start.load(Ordering::Relaxed)) < self.stack_len.load(Ordering::Relaxed)
    }

    /// A point at which another thread may get its turn.
    #[inline]
    pub(super) fn point(&self, address: usize, code: usize) {
        let count = self.count.load(Ordering::Relaxed);
        self.count.store(count + 1, Ordering::Relaxed);
        if count >= self.next.load(Ordering::Relaxed) {
            self.ask(count, address, code);
        }
    }

    #[cold]
    fn ask(&self, count: u64, address: usize, code: usize) {
        let _busy = Busy::begin();
        if let Some(mut state) = self.with_turn() {
            state.at_point(self.number, count, address, code);
            self.go_on(state);
        }
    }

    /// Lets other threads run.
    pub(super) fn yields(&self) {
        let _busy = Busy::begin();
        if let Some(mut state) = self.with_turn() {
            state.yields(self.number);
            self.go_on(state);
        }
    }

    /// Waits until the thread is woken, or until this time of the run.
    pub(super) fn wait(&self, on: On, deadline: Option<u64>) -> Woken {
        let _busy = Busy::begin();
        let Some(mut state) = self.with_turn() else { return Woken::Released };
        if let On::Word { address, value, .. } = on {
            // SAFETY: the caller is about to wait for this word, so it is there.
            let word = unsafe { AtomicU32::from_ptr(address as *mut u32) };
            if word.load(Ordering::SeqCst) != value {
                return Woken::ByThread;
            }
        }
        WAITING.fetch_add(1, Ordering::SeqCst);
        state.wait(self.number, on, deadline);
        self.go_on(state);
        WAITING.fetch_sub(1, Ordering::SeqCst);
        if self.released.load(Ordering::Acquire) {
            return Woken::Released;
        }
        match self.core.lock().take_timed_out(self.number) {
            true => Woken::ByTime,
            false => Woken::ByThread,
        }
    }

    /// The time of the run, in nanoseconds. Returns `None` if this thread is no longer scheduled.
    pub(super) fn now(&self) -> Option<u64> {
        let _busy = Busy::begin();
        (!self.released.load(Ordering::Acquire)).then(|| self.core.lock().now())
    }

    /// The thread has ended.
    pub(super) fn ends(&self) {
        let _busy = Busy::begin();
        match self.with_turn() {
            Some(mut state) => {
                state.end_thread(self.number);
                self.core.pass_on(state);
            }
            None => {
                STRAYS.fetch_sub(1, Ordering::AcqRel);
            }
        }
    }

    /// Returns a slot for a thread that this one is about to start, or `None` if this one is no longer scheduled.
    pub(super) fn spawn(&self) -> Option<Arc<Slot>> {
        let mut state = self.with_turn()?;
        Some(self.core.add(&mut state))
    }

    /// The thread of this slot was started; `handle` identifies it in the C library.
    pub(super) fn started(&self, handle: u64) {
        if let Some(thread) = self.core.lock().threads.get_mut(self.number) {
            thread.handle = Some(handle);
        }
    }

    /// The thread of this slot could not be started.
    pub(super) fn never_started(&self) {
        if let Some(thread) = self.core.lock().threads.get_mut(self.number) {
            thread.status = Status::Ended;
        }
    }

    /// Waits for the end of a thread, if it belongs to the same scheduler; returns whether it does.
    pub(super) fn joins(&self, handle: u64) -> bool {
        let _busy = Busy::begin();
        let Some(mut state) = self.with_turn() else { return false };
        // The C library reuses the handle of a joined thread: the last thread with this handle is meant.
        let Some(joined) = state.threads.iter().rposition(|thread| thread.handle == Some(handle)) else { return false };
        if state.threads[joined].status != Status::Ended {
            state.wait(self.number, On::End(joined), None);
            self.go_on(state);
        }
        true
    }

    /// Returns the state when it is this thread's turn, or `None` if the thread is no longer scheduled.
    fn with_turn(&self) -> Option<Guard<'_, State>> {
        if self.released.load(Ordering::Acquire) {
            self.next.store(u64::MAX, Ordering::Relaxed);
            return None;
        }
        let mut state = self.core.lock();
        if self.released.load(Ordering::Acquire) {
            return None;
        }
        if self.outside.swap(false, Ordering::SeqCst) && state.running != Some(self.number) {
            // It was let go and is back: it waits for its turn like the others.
            state.threads[self.number].status = Status::Ready;
            let is_idle = state.running.is_none();
            state.dispatch();
            if is_idle {
                self.core.pass_on(state);
            } else {
                drop(state);
            }
            self.turn.wait();
            if self.released.load(Ordering::Acquire) {
                return None;
            }
            state = self.core.lock();
        }
        if state.end.is_some() {
            drop(state);
            rest();
        }
        Some(state)
    }

    /// Sleeps until it is this thread's turn again, if it is not already.
    fn go_on(&self, state: Guard<'_, State>) {
        if matches!(state.end, Some(End::Endless(_))) {
            self.core.pass_on(state);
            rest();
        }
        if state.running == Some(self.number) {
            return;
        }
        self.core.pass_on(state);
        self.turn.wait();
    }
}

/// Sleeps forever: a thread cannot be stopped, and its run is over.
fn rest() -> ! {
    let never = Turn::default();
    loop {
        never.wait();
    }
}

/// Runs tested code on a thread of a crew: from here on its points count.
pub(crate) fn controlled<T>(body: impl FnOnce() -> T) -> T {
    struct Leave;
    impl Drop for Leave {
        fn drop(&mut self) {
            SLOT.set(null());
        }
    }
    SLOT.set(OWN.get());
    let _leave = Leave;
    body()
}

/// The branch that runs on this thread begins its command with this number.
pub(crate) fn begin_command(number: usize) {
    if let Some(slot) = current() {
        {
            let _busy = Busy::begin();
            let Some(mut state) = slot.with_turn() else { return };
            state.begin_command(slot.number, number);
        }
        slot.point(NO_ADDRESS, 0);
    }
}

/// The next time stamp of the run, for a thread of a crew: no two are equal.
pub(crate) fn tick() -> u64 {
    // SAFETY: a slot lives as long as its thread belongs to it.
    let own = unsafe { OWN.get().as_ref() };
    own.map_or(0, |slot| slot.core.lock().tick())
}

/// The slot of this thread, if tested code runs on it under a scheduler.
#[inline]
pub(super) fn current() -> Option<&'static Slot> {
    // SAFETY: a slot lives as long as its thread belongs to it, and the reference is not kept.
    unsafe { SLOT.get().as_ref() }
}

/// Controls a spawned thread from its first instruction to its last.
pub(super) fn adopt<T>(slot: &Arc<Slot>, body: impl FnOnce() -> T) -> T {
    slot.attach();
    slot.turn.wait();
    let value = controlled(body);
    slot.ends();
    OWN.set(null());
    value
}

/// Creates the system of a run.
pub(crate) fn preparing<T>(body: impl FnOnce() -> T) -> T {
    if elapsed() > FAR {
        ELAPSED.store(0, Ordering::Relaxed);
    }
    between_runs(body)
}

/// Runs code of the specification before or after a run. Threads that it starts are tracked, and its clock is that of the runs.
pub(crate) fn between_runs<T>(body: impl FnOnce() -> T) -> T {
    struct Leave;
    impl Drop for Leave {
        fn drop(&mut self) {
            PREPARES.set(false);
        }
    }
    PREPARES.set(true);
    let _leave = Leave;
    body()
}

/// Whether a thread that this one starts belongs to a system, but to no scheduler.
pub(super) fn starts_stray() -> bool {
    PREPARES.get()
}

/// The time at which a run begins.
pub(super) fn elapsed() -> u64 {
    ELAPSED.load(Ordering::Relaxed)
}

/// A run has ended at this time.
pub(super) fn ended_at(time: u64) {
    ELAPSED.fetch_max(time, Ordering::Relaxed);
}

/// The time of the runs, if this thread prepares one. Reading it takes as long as in a run, and `more` on top of that.
pub(super) fn time_between_runs(more: u64) -> Option<u64> {
    let passes = more.saturating_add(TICK);
    PREPARES.get().then(|| ELAPSED.fetch_add(passes, Ordering::Relaxed).saturating_add(passes))
}

/// Called in the child of a fork, which has only one thread.
pub(super) extern "C" fn forget_after_fork() {
    SLOT.set(null());
    OWN.set(null());
}

/// Wakes up to `most` threads that wait for a futex word under a scheduler; returns how many there were.
pub(super) fn wake(address: usize, bits: u32, most: usize) -> usize {
    if most == 0 || WAITING.load(Ordering::SeqCst) == 0 {
        return 0;
    }
    let own = current();
    let _busy = Busy::begin();
    let mut woken = 0;
    let cores = CORES.lock().clone();
    for core in cores {
        let mut state = core.lock();
        woken += state.wake(address, bits, most - woken);
        let is_mine = own.is_some_and(|slot| Arc::ptr_eq(&slot.core, &core));
        if !is_mine && state.running.is_none() && state.end.is_none() {
            state.dispatch();
            if state.running.is_some() {
                core.pass_on(state);
            }
        }
    }
    woken
}

/// While it lives, the scheduler itself runs on this thread: its own points and waits are not scheduled.
pub(super) struct Busy(*const Slot);

impl Busy {
    pub(super) fn begin() -> Self {
        Self(SLOT.replace(null()))
    }
}

impl Drop for Busy {
    fn drop(&mut self) {
        SLOT.set(self.0);
    }
}

/// A lock that is held briefly and nearly always free: the locks of the standard library wait in calls that the
/// scheduler replaces.
pub(super) struct Spin<T> {
    held: AtomicBool,
    value: UnsafeCell<T>,
}

// SAFETY: the value is reached by one guard at a time.
unsafe impl<T: Send> Sync for Spin<T> {}

pub(super) struct Guard<'a, T>(&'a Spin<T>);

impl<T> Spin<T> {
    pub(super) const fn new(value: T) -> Self {
        Self { held: AtomicBool::new(false), value: UnsafeCell::new(value) }
    }

    pub(super) fn lock(&self) -> Guard<'_, T> {
        let mut tries = 0;
        while self.held.compare_exchange_weak(false, true, Ordering::Acquire, Ordering::Relaxed).is_err() {
            tries += 1;
            if tries > 100 {
                kernel::yield_now();
            }
        }
        Guard(self)
    }
}

impl<T> Deref for Guard<'_, T> {
    type Target = T;

    fn deref(&self) -> &T {
        // SAFETY: the lock is held as long as the guard lives.
        unsafe { &*self.0.value.get() }
    }
}

impl<T> DerefMut for Guard<'_, T> {
    fn deref_mut(&mut self) -> &mut T {
        // SAFETY: the lock is held as long as the guard lives.
        unsafe { &mut *self.0.value.get() }
    }
}

impl<T> Drop for Guard<'_, T> {
    fn drop(&mut self) {
        self.0.held.store(false, Ordering::Release);
    }
}
