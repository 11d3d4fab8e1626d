//! The plan of a run, and what happened in it.

/// The interleaving of a run.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Plan {
    /// The threads of the branches by priority, the highest first. Those that are missing follow in order.
    pub(crate) order: Vec<usize>,
    /// The preemptions, in any order between threads, in order within a thread.
    pub(crate) switches: Vec<Switch>,
}

/// A preemption: before this point of this command the thread yields its turn to another one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Switch {
    /// The thread: a branch, or one that the system spawned.
    pub(crate) thread: usize,
    /// The number of the command in its branch. 0 for a thread that the system spawned.
    pub(crate) command: usize,
    /// The number of the point since the command began. Point 0 is the beginning of the command.
    pub(crate) point: u64,
    /// The index of the thread that runs instead, among the other runnable ones by priority.
    pub(crate) to: usize,
}

/// How a run ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum End {
    /// All branches ended.
    Finished,
    /// Every thread waits, and none is left to wake another.
    Deadlock(Vec<Stuck>),
    /// A thread passed more points than any test should, while no other one could run or make progress.
    Endless(Stuck),
    /// Nothing happened for longer than the limit for hangs.
    Hangs(Vec<Stuck>),
}

impl End {
    /// The threads that do not end.
    pub(crate) fn stuck(&self) -> &[Stuck] {
        match self {
            End::Finished => &[],
            End::Deadlock(stuck) | End::Hangs(stuck) => stuck,
            End::Endless(stuck) => std::slice::from_ref(stuck),
        }
    }
}

/// A thread that makes no progress.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Stuck {
    pub(crate) thread: usize,
    pub(crate) command: usize,
    pub(crate) waits: Waits,
    /// The source line, if it is known.
    pub(crate) place: Option<String>,
}

/// What a thread waits for that makes no progress.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Waits {
    /// A lock, a condition or a message, and the other threads that wait for the same one.
    Word {
        with: Vec<usize>,
    },
    /// The end of another thread.
    End(usize),
    Time,
    /// It blocks where the scheduler cannot see it.
    Outside,
    /// Nothing: it runs.
    Nothing,
}

/// The name of a thread in a report.
pub(crate) fn name(thread: usize, branches: usize) -> String {
    match thread.checked_sub(branches) {
        None => format!("branch {}", thread + 1),
        Some(spawned) => format!("spawned thread {}", spawned + 1),
    }
}

/// A context switch that took place, for the report.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Switched {
    pub(crate) from: usize,
    pub(crate) command: usize,
    /// When it took place: see [`tick`](super::tick).
    pub(crate) at: u64,
    pub(crate) to: usize,
    /// Why it took place, if it is not a preemption: "waits", "yields".
    pub(crate) because: Option<&'static str>,
    /// The source line, if it is known.
    pub(crate) place: Option<String>,
}

/// The trace of a run.
#[derive(Clone, Debug)]
pub(crate) struct Happened {
    pub(crate) end: End,
    /// The plan that leads to the same run.
    pub(crate) plan: Plan,
    /// Every context switch, if places were requested.
    pub(crate) switched: Vec<Switched>,
    /// Threads that blocked where the scheduler cannot see it, and where: this run cannot be replayed exactly.
    pub(crate) uncontrolled: Vec<String>,
}
