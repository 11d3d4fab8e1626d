//! Tests that run in processes of their own: what a run asks of the guest that isolates them.

use super::protocol::{Asked, Request};
use super::{Case, Example, Identity, Settings, Tested};
use crate::context::Context;
use crate::fact::Fact;
use crate::property::{Failure, Property};
use crate::text::shell_word;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

/// The guest, registered by itself.
pub(crate) struct Isolating {
    /// Begins a run: with its tests in processes, if its settings ask for that and make sense.
    pub(crate) begin: for<'a> fn(&Lent<'a, '_>, bool, &Settings, u64) -> Begun<'a>,
    /// Whether a run that begins here has its tests in processes, if it asks for that.
    pub(crate) is_offered: fn(&Asked) -> bool,
}

inventory::collect!(Isolating);

/// What a run was given that may have to be isolated.
pub(crate) struct Lent<'a, 'b> {
    pub(crate) identity: &'b Identity,
    pub(crate) property: &'a dyn Property,
    pub(crate) examples: &'a [Example],
    pub(crate) request: &'b Asked,
}

/// How a run begins.
pub(crate) enum Begun<'a> {
    /// In this process, with its tests in others or not.
    Here(Option<Box<dyn Isolation<'a> + 'a>>),
    /// Its tests are to be isolated and cannot be: why.
    Refused(Fact),
    /// Not at all: this process was started for another run.
    Skipped,
}

/// The processes that the tests of a run are in. They end with it.
pub(crate) trait Isolation<'a> {
    /// The property, to be tested in them.
    fn property(&self) -> &'a (dyn Property + Sync);

    /// Runs an explicit example.
    fn run_example(&self, place: usize) -> Tested;

    /// Whether tests are given up from here on that take much longer than those that ended by themselves, though the time-out is
    /// not over: while many are tried that may hang. Who does this makes sure of what comes out.
    fn hurry(&self, hurry: bool);

    /// The failure is flaky from here on: one that ended a process is run alone up to ten times, with at most so many runs in all.
    fn confirm(&self, runs: u32);

    /// The next test meets a process that has run nothing.
    fn begin_anew(&self);

    /// Whether tests repeat what they do by themselves, as parallel state machines.
    fn repeats(&self) -> bool;

    /// What the process had run that a test last ended. It is told once.
    fn take_history(&self) -> Option<Box<dyn History + 'a>>;

    /// Each case runs after `before` and, if there is something in `after`, is to make the last of these fail: in a new process.
    /// With neither, cases run by themselves, wherever there is a process.
    fn run_among_others(&self, before: Vec<Case>, after: Vec<Case>);
}

/// What a process had run.
pub(crate) trait History {
    /// The fewest tests of it after which a case fails like this in a new process.
    fn needed(&self, context: &Context, case: &Case, failure: &Failure, until: Option<Instant>) -> Needed;
}

/// What a crash needs that does not happen when the test runs alone.
pub(crate) enum Needed {
    /// These tests before it, in the same process.
    Tests(Vec<Case>),
    /// It does not happen again, though as many as these were run before it.
    Nothing(usize),
    /// There was no time to find out which of so many.
    Unknown(usize),
}

impl<'a> Lent<'a, '_> {
    /// Begins the run.
    pub(super) fn begin(&self, is_sensible: bool, settings: &Settings, seed: u64) -> Begun<'a> {
        let guest = inventory::iter::<Isolating>().next();
        guest.map_or(Begun::Here(None), |guest| (guest.begin)(self, is_sensible, settings, seed))
    }
}

/// Whether a run that begins here has its tests in processes, if it asks for that.
pub(super) fn is_offered(request: &Asked) -> bool {
    inventory::iter::<Isolating>().any(|guest| (guest.is_offered)(request))
}

/// Whether this process was started to run the tests of another one.
pub(crate) fn is_child(request: &Asked) -> bool {
    matches!(request, Some(Ok(Request::Isolated { .. })))
}

/// Whether `main` can be run again to come to a property.
static ENTERED: AtomicBool = AtomicBool::new(false);

/// Says that `main` can be run again to come to a property.
pub(crate) fn enter() {
    ENTERED.store(true, Ordering::Relaxed);
}

/// Whether that was said.
pub(crate) fn is_entered() -> bool {
    ENTERED.load(Ordering::Relaxed)
}

/// How this program was started, if that is how to come to its properties again.
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
