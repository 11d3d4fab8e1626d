//! The constants of state-machine tests, in one place.

use std::time::Duration;

/// The default of [`Tuning::commands`].
const COMMANDS: usize = 60;

/// From this size on, tests have as many commands as they may: by default, two tests in a hundred.
pub(super) const LARGEST: u32 = 99;

/// The tuning of a state machine test: lengths of programs, repetitions, and how races are provoked.
///
/// A specification sets it by [`Spec::tuning`](super::Spec::tuning):
///
/// ```
/// use forall::machine::Tuning;
/// let tuning = Tuning { repetitions: 100, ..Tuning::default() };
/// assert_eq!((tuning.prefix, tuning.branch), (20, 12));
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Tuning {
    /// The maximum number of commands of a sequential test. Default 60: long enough to fill small buffers and to return
    /// to earlier states; most bugs of sequences need fewer than ten.
    pub commands: usize,
    /// The maximum number of commands of the largest sequential tests, those of size 99 or more: two in a hundred. Default 600:
    /// long enough to fill buffers of hundreds of elements. It has no effect if `commands` is less than its default.
    pub long: usize,
    /// The maximum number of commands before the branches of a parallel test. Default 20: they lead to a state other
    /// than the initial one.
    pub prefix: usize,
    /// The maximum number of commands of each branch. Default 12: races need two or three, and the search for an
    /// explanation grows with the number of interleavings.
    pub branch: usize,
    /// The minimum number of runs of a parallel program, each on a new system. Default 25: a race that occurs in one
    /// run of ten is then missed in one program of fourteen.
    pub repetitions: u32,
    /// The minimum time for repeating a program. Default 2 ms: most commands take microseconds, so that the time of a
    /// test is spent on provoking races, not on generating new programs.
    #[doc(hidden)]
    pub at_least: Duration,
    /// The factor for the number of repetitions while a failure is confirmed and shrunk. Default 10: a failure that
    /// occurs once in a hundred runs still shrinks.
    #[doc(hidden)]
    pub surer: u32,
    /// The maximum time for repeating a failed program, or a smaller one, until it fails again. Default 1 s, and up to
    /// ten times that if the failure took that long to find: one that takes longer is reported as flaky.
    #[doc(hidden)]
    pub patience: Duration,
    /// How long a command may block before the system counts as hanging. Default 10 s: a busy machine can stop a thread
    /// for a second. While a hang is shrunk, smaller programs are given up much sooner, and only the smallest gets the
    /// full time; if that was merely slow, all get it. A hang is therefore reported after about five times this time.
    #[doc(hidden)]
    pub hangs_after: Duration,
    /// The maximum number of configurations searched to check preconditions in every interleaving. Default 20,000,
    /// about ten milliseconds; longer programs lose commands from their ends, and the report counts them.
    pub interleavings: usize,
    /// The ways to provoke races.
    pub provoke: Provoke,
    /// How the branches of a parallel test are interleaved. Default [`Interleaving::Threads`].
    pub interleaving: Interleaving,
}

impl Default for Tuning {
    #[inline]
    fn default() -> Self {
        Self {
            commands: COMMANDS,
            long: 600,
            prefix: 20,
            branch: 12,
            repetitions: 25,
            at_least: Duration::from_millis(2),
            surer: 10,
            patience: Duration::from_secs(1),
            hangs_after: Duration::from_secs(10),
            interleavings: 20_000,
            provoke: Provoke::default(),
            interleaving: Interleaving::Threads,
        }
    }
}

impl Tuning {
    /// The maximum number of commands of a sequential test of this size.
    pub(super) fn commands_at(&self, size: u32) -> usize {
        match size >= LARGEST && self.commands >= COMMANDS {
            true => self.commands.max(self.long),
            false => self.commands,
        }
    }

    /// Returns a tuning with many short runs on new systems, for races in the first operations, where many races occur.
    ///
    /// ```
    /// use forall::machine::Tuning;
    /// let short = Tuning::short();
    /// assert!(short.branch < 5 && short.repetitions > 100);
    /// ```
    #[inline]
    pub fn short() -> Self {
        Self { prefix: 2, branch: 3, repetitions: 250, ..Self::default() }
    }
}

/// How the branches of a parallel test are interleaved.
///
/// `cargo forall race` controls the interleavings of every parallel test, regardless of this setting.
///
/// ```
/// use forall::machine::{Interleaving, Tuning};
/// // This race is too rare for real threads.
/// let tuning = Tuning { interleaving: Interleaving::Controlled, ..Tuning::default() };
/// assert_ne!(tuning, Tuning::default());
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum Interleaving {
    /// By the operating system, on real threads.
    #[default]
    Threads,
    /// By a scheduler that runs one branch at a time and decides which: failures replay exactly. Requires
    /// `cargo forall race`; in another build the test fails and prints the command.
    Controlled,
}

/// Ways to provoke races without changing the system.
///
/// ```
/// use forall::machine::{Provoke, Tuning};
/// let tuning = Tuning { provoke: Provoke { signals: true, ..Provoke::default() }, ..Tuning::default() };
/// assert!(tuning.provoke.jitter);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Provoke {
    /// Branches start up to a few microseconds apart, by a different amount each time. Default on: with a common start
    /// they overlap at the same place each time.
    pub jitter: bool,
    /// A branch sometimes waits between commands, or yields to another thread. Default on.
    pub pauses: bool,
    /// Each branch is pinned to its own core, as far as there are cores. Default off: on shared cores it does more harm
    /// than good. Linux only.
    pub pin: bool,
    /// A helper thread interrupts branches by signals, whose handler waits for about 100 µs: this interrupts commands
    /// in the middle. Default off, since system calls of the system may return `EINTR`. Linux only. The signal is
    /// `SIGURG`, which is ignored by default.
    pub signals: bool,
}

impl Default for Provoke {
    #[inline]
    fn default() -> Self {
        Self { jitter: true, pauses: true, pin: false, signals: false }
    }
}

impl Provoke {
    /// Disables all of them.
    ///
    /// ```
    /// assert!(!forall::machine::Provoke::nothing().jitter);
    /// ```
    #[inline]
    pub fn nothing() -> Self {
        Self { jitter: false, pauses: false, pin: false, signals: false }
    }
}
