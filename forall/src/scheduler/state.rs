//! The state of a run: its threads, what each waits for, and which runs next. Nothing here sleeps or wakes.

use super::core::{Slot, elapsed};
use super::plan::{Plan, Stuck, Switch, Waits};
use super::search::{Access, Strategy};
use super::{End, Switched, place};
use std::backtrace::Backtrace;
use std::collections::VecDeque;
use std::sync::Arc;
use std::sync::atomic::Ordering;

/// A thread that has passed this many points without a store yields its turn: it may be spinning until another one
/// acts. The next time it may pass twice as many, up to a limit: on a busy machine, a context switch takes much longer
/// than a point.
const SPIN: u64 = 1_000;
const MOST_SPIN: u64 = 64 * SPIN;

/// The same for a thread that has stored something.
const FAIR: u64 = 20_000;

/// When threads have passed this many points, the run counts as endless: points in turns without a store count
/// `SPINNING` times.
const MOST_POINTS: u64 = 4_000_000;
const SPINNING: u64 = 10;

/// The time that passes whenever a thread reads the clock, in nanoseconds.
pub(super) const TICK: u64 = 1_000;

/// A time that is never reached, about 146 years: a thread that sleeps longer sleeps forever.
pub(super) const FAR: u64 = u64::MAX / 4;

/// The activity of a thread.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Status {
    Ready,
    /// Waits, at most until this time.
    Waits {
        on: On,
        deadline: Option<u64>,
        since: u64,
    },
    /// Blocks where the scheduler cannot see it, and was let go.
    Outside,
    Ended,
}

/// The event that a thread waits for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum On {
    /// A word of memory, as long as it has this value.
    Word { address: usize, value: u32, bits: u32 },
    /// The end of a thread.
    End(usize),
    /// Time alone.
    Time,
}

pub(super) struct Thread {
    pub(super) slot: Arc<Slot>,
    pub(super) status: Status,
    /// The command it runs, and how many points it had passed when that began.
    command: usize,
    command_began: u64,
    /// The number of points it had passed when its turn began, and when it was last checked for spinning.
    turn_began: u64,
    looked: u64,
    /// The number of points until the next check for spinning.
    patience: u64,
    timed_out: bool,
    /// The remaining preemptions.
    switches: VecDeque<Switch>,
    /// Its handle in the C library, if the system spawned it.
    pub(super) handle: Option<u64>,
    place: Option<Backtrace>,
}

pub(super) struct State {
    pub(super) threads: Vec<Thread>,
    /// The number of branches: they are the first threads.
    pub(super) branches: usize,
    /// The threads, the one with the highest priority first.
    priority: Vec<usize>,
    pub(super) running: Option<usize>,
    pub(super) strategy: Option<Strategy>,
    plan: Plan,
    /// The preemptions that took place.
    made: Vec<Switch>,
    /// The priorities before the last of them, if it was the last context switch.
    before: Option<Vec<usize>>,
    pub(super) wants_places: bool,
    switched: Vec<(Switched, Option<Backtrace>)>,
    /// The time, in nanoseconds since the first run of the process began.
    pub(super) clock: u64,
    ticks: u64,
    waits: u64,
    spent: u64,
    pub(super) uncontrolled: Vec<String>,
    pub(super) end: Option<End>,
}

impl State {
    pub(super) fn new() -> Self {
        Self {
            threads: Vec::new(),
            branches: 0,
            priority: Vec::new(),
            running: None,
            strategy: None,
            plan: Plan::default(),
            made: Vec::new(),
            before: None,
            wants_places: false,
            switched: Vec::new(),
            clock: 0,
            ticks: 0,
            waits: 0,
            spent: 0,
            uncontrolled: Vec::new(),
            end: None,
        }
    }

    /// Adds a thread with the lowest priority.
    pub(super) fn add(&mut self, slot: Arc<Slot>) {
        let number = self.threads.len();
        let switches = self.plan.switches.iter().filter(|switch| switch.thread == number).copied().collect();
        self.threads.push(Thread {
            slot,
            status: Status::Ready,
            command: 0,
            command_began: 0,
            turn_began: 0,
            looked: 0,
            patience: SPIN,
            timed_out: false,
            switches,
            handle: None,
            place: None,
        });
        self.priority.push(number);
        self.set_next(number);
    }

    /// Begins a run of the branches.
    pub(super) fn begin(&mut self, plan: Plan, strategy: Option<Strategy>, wants_places: bool) {
        self.threads.truncate(self.branches);
        (self.plan, self.strategy, self.wants_places) = (plan, strategy, wants_places);
        (self.clock, self.ticks, self.waits, self.spent) = (elapsed(), 0, 0, 0);
        (self.running, self.end, self.before) = (None, None, None);
        self.made.clear();
        self.switched.clear();
        self.uncontrolled.clear();
        self.priority.clear();
        let order = self.strategy.as_ref().map_or(&self.plan.order, |strategy| &strategy.plan.order);
        for thread in order.iter().copied().chain(0..self.branches) {
            if thread < self.branches && !self.priority.contains(&thread) {
                self.priority.push(thread);
            }
        }
        for number in 0..self.branches {
            let switches = self.plan.switches.iter().filter(|switch| switch.thread == number).copied().collect();
            let thread = &mut self.threads[number];
            thread.slot.count.store(0, Ordering::Relaxed);
            (thread.status, thread.timed_out, thread.switches) = (Status::Ready, false, switches);
            (thread.command, thread.command_began) = (0, 0);
            (thread.turn_began, thread.looked, thread.patience) = (0, 0, SPIN);
            thread.slot.stored.store(false, Ordering::Relaxed);
            thread.place = None;
            self.set_next(number);
        }
    }

    /// The plan that leads to the same run.
    pub(super) fn made(&self) -> Plan {
        let order = self.strategy.as_ref().map_or(&self.plan.order, |strategy| &strategy.plan.order);
        Plan { order: order.clone(), switches: self.made.clone() }
    }

    /// Every context switch, with its place.
    pub(super) fn take_switched(&mut self) -> Vec<Switched> {
        let resolve = |(switched, place): (Switched, Option<Backtrace>)| Switched {
            place: place.as_ref().and_then(place::of),
            ..switched
        };
        std::mem::take(&mut self.switched).into_iter().map(resolve).collect()
    }

    fn count(&self, thread: usize) -> u64 {
        self.threads[thread].slot.count.load(Ordering::Relaxed)
    }

    /// Sets the point at which a thread next asks which thread runs.
    fn set_next(&mut self, number: usize) {
        let thread = &self.threads[number];
        let planned = thread.switches.front().filter(|switch| switch.command == thread.command);
        let planned = planned.map_or(u64::MAX, |switch| thread.command_began + switch.point);
        let next = match self.strategy {
            Some(_) => 0,
            None => planned.min(thread.looked + thread.patience),
        };
        thread.slot.next.store(next, Ordering::Relaxed);
    }

    /// The running thread begins a command. Preemptions that were planned for earlier ones are dropped.
    pub(super) fn begin_command(&mut self, number: usize, command: usize) {
        let count = self.count(number);
        let thread = &mut self.threads[number];
        (thread.command, thread.command_began, thread.patience) = (command, count, SPIN);
        while thread.switches.front().is_some_and(|switch| switch.command < command) {
            thread.switches.pop_front();
        }
        self.set_next(number);
    }

    /// The running thread is at a point. Afterwards another one may be running.
    pub(super) fn at_point(&mut self, number: usize, count: u64, address: usize, code: usize) {
        let others = self.count_others(number);
        // A thread that was let go at this point began its turn after it.
        let local = count.saturating_sub(self.threads[number].command_began);
        let wanted = match &mut self.strategy {
            Some(strategy) => strategy.at_point(Access { thread: number, address, place: code }, others),
            None => {
                let thread = &mut self.threads[number];
                let is_now = |next: &Switch| next.command == thread.command && next.point <= local;
                let is_now = thread.switches.front().is_some_and(is_now);
                let next = if is_now { thread.switches.pop_front() } else { None };
                next.filter(|next| next.point == local).map(|next| next.to)
            }
        };
        if let Some(to) = wanted.filter(|_| others > 0) {
            let to = to.min(others - 1);
            let target = self.others(number)[to];
            let before = self.priority.clone();
            self.lower(number);
            self.priority.retain(|&other| other != target);
            self.priority.insert(0, target);
            let undone = self.before.take().filter(|_| count == 0).is_some_and(|before| self.undoes(target, &before));
            self.hand_to(number, Some(target), None);
            if undone {
                self.made.pop();
                self.switched.truncate(self.switched.len().saturating_sub(2));
            } else {
                self.made.push(Switch { thread: number, command: self.threads[number].command, point: local, to });
                self.before = Some(before);
            }
        } else if count.saturating_sub(self.threads[number].looked) >= self.threads[number].patience {
            let thread = &mut self.threads[number];
            let stored = thread.slot.stored.swap(false, Ordering::Relaxed);
            self.spent += thread.patience * if stored { 1 } else { SPINNING };
            thread.patience = if stored { SPIN } else { MOST_SPIN.min(2 * thread.patience) };
            thread.looked = count;
            if self.spent >= MOST_POINTS {
                self.keep_place(number);
                self.end = Some(End::Endless(self.stuck(number)));
            } else if !stored || count.saturating_sub(thread.turn_began) >= FAIR {
                thread.turn_began = count;
                self.yields(number);
            }
        }
        self.set_next(number);
    }

    /// Whether switching to this thread undoes the last preemption: the running thread has done nothing since, and the
    /// priorities of threads that have not ended are those from before.
    fn undoes(&self, target: usize, before: &[usize]) -> bool {
        let lives = |number: &&usize| self.threads[**number].status != Status::Ended;
        self.made.last().is_some_and(|last| last.thread == target)
            && before.iter().filter(lives).eq(self.priority.iter().filter(lives))
    }

    /// Records that another thread than the next one could run here without a preemption. No plan can express that run.
    fn forgo(&mut self) {
        if let Some(strategy) = &mut self.strategy {
            strategy.forgoes = true;
        }
    }

    /// The running thread lets others run.
    pub(super) fn yields(&mut self, number: usize) {
        if self.count_others(number) > 0 {
            self.forgo();
        }
        self.lower(number);
        let next = self.next();
        self.hand_to(number, next, Some("yields"));
        self.set_next(number);
    }

    /// The running thread waits.
    pub(super) fn wait(&mut self, number: usize, on: On, deadline: Option<u64>) {
        self.waits += 1;
        let deadline = deadline.filter(|deadline| deadline.saturating_sub(self.clock) < FAR);
        self.threads[number].status = Status::Waits { on, deadline, since: self.waits };
        self.keep_place(number);
        // A deadline may pass at any time.
        if deadline.is_some() || self.count_others(number) > 1 {
            self.forgo();
        }
        let next = self.next();
        self.hand_to(number, next, Some("waits"));
    }

    /// Whether the wait of a thread ended by its deadline.
    pub(super) fn take_timed_out(&mut self, number: usize) -> bool {
        self.threads[number].place = None;
        std::mem::take(&mut self.threads[number].timed_out)
    }

    /// A thread has ended.
    pub(super) fn end_thread(&mut self, number: usize) {
        self.threads[number].status = Status::Ended;
        for thread in &mut self.threads {
            if matches!(thread.status, Status::Waits { on: On::End(other), .. } if other == number) {
                thread.status = Status::Ready;
            }
        }
        if self.threads[..self.branches].iter().all(|branch| branch.status == Status::Ended) {
            self.end.get_or_insert(End::Finished);
            self.running = None;
        } else {
            // Branches that run one after the other do so in every order: see `search::orders`.
            let one_by_one = self.waits == 0 && self.made.is_empty() && self.threads.len() == self.branches;
            if self.count_others(number) > 1 && !one_by_one {
                self.forgo();
            }
            let next = self.next();
            self.hand_to(number, next, Some("ends"));
        }
    }

    /// Wakes up to `most` threads that wait for a word, those that have waited longest first. Returns how many there
    /// were.
    pub(super) fn wake(&mut self, address: usize, bits: u32, most: usize) -> usize {
        let mut waiting = Vec::new();
        for (number, thread) in self.threads.iter().enumerate() {
            if let Status::Waits { on: On::Word { address: at, bits: wanted, .. }, since, .. } = thread.status
                && at == address
                && wanted & bits != 0
            {
                waiting.push((since, number));
            }
        }
        waiting.sort_unstable();
        if waiting.len() > most {
            self.forgo();
        }
        waiting.truncate(most);
        for &(_, number) in &waiting {
            self.threads[number].status = Status::Ready;
        }
        waiting.len()
    }

    /// Wakes threads whose words have changed without a call. Returns whether there were any.
    pub(super) fn wake_changed(&mut self) -> bool {
        let mut any = false;
        for thread in &mut self.threads {
            if let Status::Waits { on: On::Word { address, value, .. }, .. } = thread.status {
                // SAFETY: the thread is in a call that waits for this word, so the word is there until that returns.
                let now = unsafe { std::sync::atomic::AtomicU32::from_ptr(address as *mut u32) }.load(Ordering::SeqCst);
                if now != value {
                    (thread.status, any) = (Status::Ready, true);
                }
            }
        }
        any
    }

    /// Makes the next thread the running one, if none is.
    pub(super) fn dispatch(&mut self) {
        if self.running.is_none() && self.end.is_none() {
            let next = self.next();
            if let Some(next) = next {
                self.begin_turn(next);
            }
            self.running = next;
        }
    }

    /// The running thread blocks where the scheduler cannot see it: it is let go.
    pub(super) fn let_go(&mut self, number: usize, name: String) {
        self.threads[number].status = Status::Outside;
        self.uncontrolled.push(name);
        self.running = None;
        self.dispatch();
    }

    /// Whether a thread that the scheduler does not control may still act.
    pub(super) fn has_outside(&self) -> bool {
        self.threads.iter().any(|thread| thread.status == Status::Outside)
    }

    pub(super) fn now(&mut self) -> u64 {
        self.clock = self.clock.saturating_add(TICK);
        self.clock
    }

    pub(super) fn tick(&mut self) -> u64 {
        self.ticks += 1;
        self.ticks
    }

    /// The threads that make no progress.
    pub(super) fn all_stuck(&self) -> Vec<Stuck> {
        let numbers = 0..self.threads.len();
        numbers
            .filter(|&number| self.threads[number].status != Status::Ended)
            .map(|number| self.stuck(number))
            .collect()
    }

    fn stuck(&self, number: usize) -> Stuck {
        let thread = &self.threads[number];
        let waits = match thread.status {
            Status::Waits { on: On::Word { address, .. }, .. } => {
                let waits_too = |other: &usize| *other != number && self.threads[*other].waits_for(address);
                Waits::Word { with: (0..self.threads.len()).filter(waits_too).collect() }
            }
            Status::Waits { on: On::End(other), .. } => Waits::End(other),
            Status::Waits { on: On::Time, .. } => Waits::Time,
            Status::Outside => Waits::Outside,
            Status::Ready | Status::Ended => Waits::Nothing,
        };
        let place = thread.place.as_ref().and_then(place::of);
        Stuck { thread: number, command: thread.command, waits, place }
    }

    fn keep_place(&mut self, number: usize) {
        self.threads[number].place = self.wants_places.then(Backtrace::force_capture);
    }

    fn begin_turn(&mut self, number: usize) {
        let count = self.count(number);
        let thread = &mut self.threads[number];
        (thread.turn_began, thread.looked) = (count, count);
        thread.slot.stored.store(false, Ordering::Relaxed);
        self.set_next(number);
    }

    fn count_others(&self, number: usize) -> usize {
        let ready = self.threads.iter().filter(|thread| thread.status == Status::Ready).count();
        ready - usize::from(self.threads[number].status == Status::Ready)
    }

    /// The other threads that could run, by priority.
    fn others(&self, number: usize) -> Vec<usize> {
        let ready = |&other: &usize| other != number && self.threads[other].status == Status::Ready;
        self.priority.iter().copied().filter(ready).collect()
    }

    fn lower(&mut self, number: usize) {
        self.priority.retain(|&other| other != number);
        self.priority.push(number);
    }

    /// The next thread: the ready one with the highest priority, or otherwise the one whose deadline comes first.
    fn next(&mut self) -> Option<usize> {
        let ready = self.priority.iter().copied().find(|&number| self.threads[number].status == Status::Ready);
        if ready.is_some() {
            return ready;
        }
        let deadline = |number: usize| match self.threads[number].status {
            Status::Waits { deadline: Some(deadline), since, .. } => Some((deadline, since, number)),
            _ => None,
        };
        let (deadline, _, number) = (0..self.threads.len()).filter_map(deadline).min()?;
        self.clock = self.clock.max(deadline);
        let thread = &mut self.threads[number];
        (thread.status, thread.timed_out) = (Status::Ready, true);
        Some(number)
    }

    fn hand_to(&mut self, from: usize, to: Option<usize>, because: Option<&'static str>) {
        (self.running, self.before) = (to, None);
        let Some(to) = to else { return };
        if to != from {
            self.begin_turn(to);
            if self.wants_places {
                self.ticks += 1;
                let (command, at) = (self.threads[from].command, self.ticks);
                let switched = Switched { from, command, at, to, because, place: None };
                // A thread that has ended has no place.
                let place = (because != Some("ends")).then(Backtrace::force_capture);
                self.switched.push((switched, place));
            }
        }
    }
}

impl Thread {
    /// Whether it waits for this word of memory.
    fn waits_for(&self, word: usize) -> bool {
        matches!(self.status, Status::Waits { on: On::Word { address, .. }, .. } if address == word)
    }
}
