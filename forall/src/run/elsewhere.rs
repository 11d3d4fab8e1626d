//! Isolated tests: the interface between a run and the guest that isolates its tests.

use super::protocol::{Asked, Request};
use super::{Case, Example, Identity, Settings, Tested};
use crate::context::Context;
use crate::fact::Fact;
use crate::property::{Failure, Property};
use crate::text::shell_word;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

/// The isolation guest, which registers itself.
pub(crate) struct Isolating {
    /// Starts a run, with its tests in child processes if its settings require it and are valid.
    pub(crate) begin: for<'a> fn(&Lent<'a, '_>, bool, &Settings, u64) -> Begun<'a>,
    /// Whether an isolated run that starts here would run its tests in child processes.
    pub(crate) is_offered: fn(&Asked) -> bool,
}

inventory::collect!(Isolating);

/// The parts of a run that isolation needs.
pub(crate) struct Lent<'a, 'b> {
    pub(crate) identity: &'b Identity,
    pub(crate) property: &'a dyn Property,
    /// The property, if threads may share it.
    pub(crate) shared: Option<&'a (dyn Property + Sync)>,
    pub(crate) examples: &'a [Example],
    pub(crate) request: &'b Asked,
}

/// How a run starts.
pub(crate) enum Begun<'a> {
    /// In this process, with or without isolated tests.
    Here(Option<Box<dyn Isolation<'a> + 'a>>),
    /// Not possible: the reason.
    Refused(Fact),
    /// Skipped: this process was started for another run.
    Skipped,
}

/// The child processes of a run. They end with it.
pub(crate) trait Isolation<'a> {
    /// The property as tested in the child processes.
    fn property(&self) -> &'a (dyn Property + Sync);

    /// Runs an explicit example.
    fn run_example(&self, place: usize) -> Tested;

    /// Sets whether to kill tests that take much longer than earlier ones, even before the timeout: used while many
    /// candidates may hang. The caller confirms the result.
    fn hurry(&self, hurry: bool);

    /// Declares that the failure is flaky: a test that crashed a process is rerun alone up to ten times, with at most
    /// this many runs in total.
    fn confirm(&self, runs: u32);

    /// Starts a fresh process for the next test.
    fn begin_anew(&self);

    /// Whether tests repeat themselves, as those of parallel state machines do.
    fn repeats(&self) -> bool;

    /// The tests that the process had run before the last crash. Returned once.
    fn take_history(&self) -> Option<Box<dyn History + 'a>>;

    /// From now on, runs each case in a new process, after the cases in `before` and followed by those in `after`, the
    /// last of which must fail. If both are empty, cases run alone in any process.
    fn run_among_others(&self, before: Vec<Case>, after: Vec<Case>);
}

/// The tests that a process had run.
pub(crate) trait History {
    /// The fewest of these tests after which a case fails in the same way in a new process.
    fn needed(&self, context: &Context, case: &Case, failure: &Failure, until: Option<Instant>) -> Needed;
}

/// The cause of a crash that does not happen when the test runs alone.
pub(crate) enum Needed {
    /// These tests ran before it in the same process.
    Tests(Vec<Case>),
    /// It did not reproduce, although this many tests ran before it.
    Nothing(usize),
    /// The time limit was reached with this many tests untried.
    Unknown(usize),
}

impl<'a> Lent<'a, '_> {
    /// Starts the run.
    pub(super) fn begin(&self, is_sensible: bool, settings: &Settings, seed: u64) -> Begun<'a> {
        let guest = inventory::iter::<Isolating>().next();
        guest.map_or(Begun::Here(None), |guest| (guest.begin)(self, is_sensible, settings, seed))
    }
}

/// Whether an isolated run that starts here would run its tests in child processes.
pub(super) fn is_offered(request: &Asked) -> bool {
    inventory::iter::<Isolating>().any(|guest| (guest.is_offered)(request))
}

/// Whether this process is a child of another run.
pub(crate) fn is_child(request: &Asked) -> bool {
    matches!(request, Some(Ok(Request::Isolated { .. })))
}

/// Whether `main` can be run again to reach a property.
static ENTERED: AtomicBool = AtomicBool::new(false);

/// Declares that `main` can be run again to reach a property.
pub(crate) fn enter() {
    ENTERED.store(true, Ordering::Relaxed);
}

/// Whether `main` was declared to be runnable again.
pub(crate) fn is_entered() -> bool {
    ENTERED.load(Ordering::Relaxed)
}

/// The command line of this program, if running it again reaches its properties.
pub(crate) fn command() -> Option<String> {
    if !is_entered() {
        return None;
    }
    let mut command = String::new();
    for word in std::env::args_os() {
        let space = if command.is_empty() { "" } else { " " };
        command += &format!("{space}{}", shell_word(&word.to_string_lossy()));
    }
    Some(command)
}
